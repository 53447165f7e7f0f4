//! Every step from page to Markdown by itself, with what each block was judged by:
//! `cargo run --example step_by_step < page.html`

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::io::Read;

use tamis::{Balance, Extractor, Method, Options, Page, Site};

fn main() -> std::io::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let decoded = tamis_html::decode::decode(&bytes, None);
    println!("read as {} ({})", decoded.encoding.name(), decoded.decided_by);

    // A page is a tree, its measures and its blocks.
    let page = Page::parse(&decoded.text);
    let judgement = Method::Containers.judge(&page, &Site::default());
    for (block, verdict) in page.blocks().iter().zip(&judgement.verdicts) {
        let mark = if verdict.keep { '+' } else { '-' };
        println!("{mark} {:.2} {} {:?}", verdict.score, page.text(block), verdict.why);
    }

    // The same in one go, with settings.
    let extractor = Extractor::new().method(Method::Containers).balance(Balance::Precision);
    let document = extractor.extract(&decoded.text);
    println!("{}", document.to_markdown(&Options { links: true, ..Options::default() }));
    Ok(())
}
