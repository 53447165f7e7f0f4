//! Chunks: every word once and in order, within the maximum, cut at the best places.

#![allow(clippy::unwrap_used)]

mod soup;

use proptest::prelude::*;
use soup::{document, soup, words, words_of_markdown};
use tamis::document::Document;
use tamis::page::Page;
use tamis::render::{Chunk, ChunkOptions, ChunkUnit, RenderOptions};
use tamis::text::characters::{Flags, flags};

fn all(html: &str) -> Document {
    let page = Page::parse(html);
    document(&page, &vec![true; page.blocks.len()])
}

/// Words; in scripts without spaces, characters.
fn units(words: Vec<String>) -> Vec<String> {
    let parts = |word: String| {
        let parts = word.split_inclusive(|c: char| flags(c).has(Flags::UNSEGMENTED)).map(str::to_owned);
        parts.collect::<Vec<_>>()
    };
    words.into_iter().flat_map(parts).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn nothing_is_lost_doubled_or_too_large(html in soup(), max in 1_usize..60, tokens: bool) {
        // As in `soup_keeps_its_words`.
        let html = if html.contains("<a") || html.contains("&shy;") || html.contains('\u{200B}') {
            html.replace("<pre>", "<p>")
        } else {
            html
        };
        let document = all(&html);
        let unit = if tokens { ChunkUnit::Tokens } else { ChunkUnit::Characters };
        let options = ChunkOptions::new(max).unit(unit);
        let wanted = units(words(&document.text));
        let chunks = document.chunks(&options);
        let found = units(chunks.iter().flat_map(|chunk| words(&chunk.text)).collect());
        prop_assert_eq!(&found, &wanted, "{}\n{:?}", html, chunks);
        for chunk in &chunks {
            let has_word = |part: &&str| part.contains(char::is_alphanumeric);
            let is_word = chunk.text.split_whitespace().filter(has_word).count() <= 1;
            prop_assert!(chunk.size <= max || is_word, "{}\n{:?}", html, chunk);
            prop_assert!(chunk.span.start <= chunk.span.end && chunk.span.end as usize <= html.len());
        }
        for render in [RenderOptions::new(), RenderOptions::all()] {
            let chunks = document.chunks(&options.markdown(render));
            let found = chunks.iter().flat_map(|chunk| words_of_markdown(&chunk.text)).collect();
            let found = units(found);
            prop_assert_eq!(&found, &wanted, "{}\n{:?}", html, chunks);
        }
    }
}

#[test]
fn chunks_end_where_a_reader_would_stop() {
    for (html, options, expected) in [
        // Pieces that fit share a chunk; headings begin one.
        (
            "<p>One two.<p>Three four.<h2>Five</h2><p>Six seven.",
            ChunkOptions::new(100),
            vec!["One two.\nThree four.", "Five\nSix seven."],
        ),
        // Sentences, then words, never less.
        (
            "<p>One two three. Four five six! Seven.",
            ChunkOptions::new(22),
            vec!["One two three. ", "Four five six! Seven."],
        ),
        ("<p>One two three four", ChunkOptions::new(9), vec!["One two ", "three ", "four"]),
        ("<p>Donaudampfschifffahrt a", ChunkOptions::new(5), vec!["Donaudampfschifffahrt ", "a"]),
        ("<p>春天来了。花开了，鸟也叫了。", ChunkOptions::new(9), vec!["春天来了。", "花开了，鸟也叫了。"]),
        ("<p>春天来了花开了", ChunkOptions::new(3).unit(ChunkUnit::Tokens), vec!["春天来", "了花开", "了"]),
        // A heading goes with the first part of its text.
        ("<h2>A</h2><p>One two. Three four.", ChunkOptions::new(12), vec!["A\nOne two. ", "Three four."]),
        // Lists and tables by items and rows, code by lines.
        (
            "<p>x<ol><li>one<li>two<li>three</ol>",
            ChunkOptions::new(14).markdown(RenderOptions::new()),
            vec!["x", "1. one\n2. two", "3. three"],
        ),
        (
            "<table><tr><th>a<th>b<tr><td>cc<td>dd<tr><td>ee<td>ff</table>",
            ChunkOptions::new(5),
            vec!["a\tb", "cc\tdd", "ee\tff"],
        ),
        (
            "<pre>let a = 1;\nlet b = 2;\nlet c = 3;</pre>",
            ChunkOptions::new(22),
            vec!["let a = 1;\nlet b = 2;", "let c = 3;"],
        ),
        // Markup is closed and opened again.
        (
            "<p>One <b>two three. Four five</b> six.",
            ChunkOptions::new(20).markdown(RenderOptions::new()),
            vec!["One **two three.**", "**Four five** six."],
        ),
        // Annotations stay with their base, and are not part of plain text.
        (
            "<p>春<ruby>天<rt>tian</rt></ruby>来了花开了",
            ChunkOptions::new(8).markdown(RenderOptions::new()),
            vec!["春天(tian)", "来了花开了"],
        ),
        ("<p>春<ruby>天<rt>tian</rt></ruby>来了", ChunkOptions::new(2), vec!["春天", "来了"]),
    ] {
        let texts: Vec<String> =
            all(html).chunks(&options).into_iter().map(|chunk| chunk.text.trim_end().to_owned()).collect();
        let expected: Vec<&str> = expected.into_iter().map(str::trim_end).collect();
        assert_eq!(texts, expected, "{html}");
    }
}

#[test]
fn chunks_know_their_headings_and_their_place() {
    let html = "<p>Zero.</p><h1>Rain</h1><p>One.</p><h2>North</h2><h3>Coast</h3><p>Two.</p><h2>South</h2><p>Three.</p>";
    let mut document = all(html);
    document.metadata.title = Some("Weather".into());
    let chunks = document.chunks(&ChunkOptions::new(500));
    let paths: Vec<String> = chunks.iter().map(|chunk| chunk.headings.join("/")).collect();
    assert_eq!(paths, ["Weather", "Weather/Rain", "Weather/Rain/North/Coast", "Weather/Rain/South"]);
    assert_eq!(chunks[2].span.of(html), "North</h2><h3>Coast</h3><p>Two.");
    assert_eq!(chunks[2].text, "North\nCoast\nTwo.");
    let json = serde_json::to_string(&chunks).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Chunk>>(&json).unwrap(), chunks);
}

#[test]
fn long_texts_take_linear_time() {
    let link = format!("<a href='/{}'>", "u".repeat(2000));
    for html in [
        format!("<p>{}", "word and more. ".repeat(40_000)),
        format!("<p>{}", "<b>word</b> ".repeat(40_000)),
        format!("<p>{link}{}", "word ".repeat(5_000)),
        format!("<ul>{}", "<li>word".repeat(40_000)),
        format!("<pre>{}", "let a = 1;\n".repeat(40_000)),
    ] {
        let document = all(&html);
        let start = std::time::Instant::now();
        for options in [ChunkOptions::new(20), ChunkOptions::new(2000).markdown(RenderOptions::new())] {
            assert!(document.chunks(&options).len() > 10);
        }
        assert!(start.elapsed().as_secs() < 20, "{} bytes took {:?}", html.len(), start.elapsed());
    }
}
