//! `posts_eval PAGES TYPE`: prints posts, comments and entries of each page in LIST (one path per line) as JSON lines.
//! TYPE (`forum`, `listing`, `article`) overrides the predicted page type; `-` keeps it.

#![allow(clippy::print_stderr)]

use std::io::Write;

use tamis::{Extractor, Input, PageType, regions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(list), Some(kind)) = (arguments.next(), arguments.next()) else {
        return Err("usage: posts_eval LIST TYPE".into());
    };
    let kind = PageType::ALL.into_iter().find(|it| it.name() == kind);
    let extractor = Extractor::builder().comments(true).build();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in std::fs::read_to_string(list)?.lines() {
        let bytes = std::fs::read(path)?;
        let id = std::path::Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let record = extractor.analyze_with(Input::bytes(&bytes), |analysis| {
            let page = &analysis.page;
            let context = regions::RegionContext::default();
            let mut prediction = analysis.prediction.clone();
            let predicted = prediction.page_type;
            prediction.page_type = kind.unwrap_or(predicted);
            let all = regions::Regions::new(page, &analysis.annotations, &prediction, &context);
            let posts = all.thread();
            let posts: Vec<_> = posts
                .iter()
                .map(|post| {
                    serde_json::json!({
                        "author": post.author, "time_text": post.time_text, "time": post.time.map(|time| time.to_string()),
                        "number": post.number, "reply_to": post.reply_to,
                        "text": regions::text_of(page, &post.blocks),
                        "quotes": post.quotes.iter().map(|quote| (&quote.author, regions::text_of(page, &quote.blocks))).collect::<Vec<_>>(),
                    })
                })
                .collect();
            let comments: Vec<_> = all.comments()
                .iter()
                .map(|comment| {
                    serde_json::json!({
                        "author": comment.author, "time_text": comment.time_text, "reply_to": comment.reply_to,
                        "text": regions::text_of(page, &comment.blocks),
                    })
                })
                .collect();
            let entries: Vec<_> = all.listing()
                .iter()
                .map(|entry| {
                    serde_json::json!({
                        "title": entry.title, "link": entry.link, "date_text": entry.date_text,
                        "text": regions::text_of(page, &entry.blocks),
                    })
                })
                .collect();
            let kept: Vec<u32> =
                (0..page.blocks.len() as u32).filter(|block| prediction.kept[*block as usize]).collect();
            serde_json::json!({
                "id": id, "page_type": predicted.name(), "text": regions::text_of(page, &kept),
                "posts": posts, "comments": comments, "entries": entries,
            })
        });
        match record {
            Ok(record) => writeln!(out, "{record}")?,
            Err(error) => eprintln!("{path}: {error}"),
        }
    }
    Ok(out.flush()?)
}
