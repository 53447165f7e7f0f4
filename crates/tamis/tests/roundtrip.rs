//! Markdown is read back by a CommonMark parser as what was written: lists with their nesting and numbers, tables with
//! their cells, code with its white space and language.

#![allow(clippy::unwrap_used)]

mod common;

use common::words::parser;
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use tamis::document::{Inline, Kind, Piece};
use tamis::{Judgement, Options, Page, assemble};

/// What both the document and the Markdown say.
#[derive(Clone, PartialEq, Debug)]
enum Part {
    Paragraph(String),
    Heading(u8, String),
    /// The number of the first item, if it has one, and the items.
    List(Option<u64>, Vec<Vec<Part>>),
    Table(Vec<Vec<String>>),
    Code(String, String),
    Quote(Vec<Part>),
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_of(content: &[Inline]) -> String {
    let mut text = String::new();
    content.iter().for_each(|inline| inline.add_text_to(&mut text));
    folded(&text)
}

/// Empty cells at the end of a row may be left out, and so may a header that says nothing.
fn trimmed(mut rows: Vec<Vec<String>>) -> Part {
    for row in &mut rows {
        while row.last().is_some_and(String::is_empty) {
            row.pop();
        }
    }
    if rows.first().is_some_and(Vec::is_empty) {
        rows.remove(0);
    }
    Part::Table(rows)
}

fn of_document(pieces: &[Piece]) -> Vec<Part> {
    let part = |piece: &Piece| match &piece.kind {
        Kind::Paragraph { content } => Part::Paragraph(text_of(content)),
        Kind::Heading { level, content } => Part::Heading(*level, text_of(content)),
        Kind::List { ordered, start, items } => {
            let items = items.iter().map(|item| of_document(&item.content)).collect();
            Part::List(ordered.then_some(u64::from(*start)), items)
        }
        Kind::Table { rows, .. } => {
            let cell = |content: &Vec<Piece>| {
                let lines = of_document(content).into_iter().map(|part| match part {
                    Part::Paragraph(text) => text,
                    part => panic!("{part:?} in a cell"),
                });
                folded(&lines.collect::<Vec<_>>().join(" "))
            };
            trimmed(rows.iter().map(|row| row.cells.iter().map(|it| cell(&it.content)).collect()).collect())
        }
        Kind::Code { language, text } => Part::Code(language.clone().unwrap_or_default(), text.clone()),
        Kind::Quote { content } => Part::Quote(of_document(content)),
        kind => panic!("{kind:?} is not asked for"),
    };
    pieces.iter().map(part).collect()
}

/// Reads Markdown. Words of a tight item are a paragraph like others.
fn of_markdown(markdown: &str) -> Vec<Part> {
    let mut levels: Vec<Vec<Part>> = vec![Vec::new()];
    let mut lists: Vec<(Option<u64>, Vec<Vec<Part>>)> = Vec::new();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut language = String::new();
    let mut text = String::new();
    let mut in_code = false;
    for event in parser(markdown) {
        let begins_block =
            matches!(event, Event::Start(Tag::List(_) | Tag::CodeBlock(_) | Tag::BlockQuote(_)));
        let ends_block = matches!(event, Event::End(TagEnd::Paragraph | TagEnd::Item));
        if (begins_block || ends_block) && !text.trim().is_empty() {
            levels.last_mut().unwrap().push(Part::Paragraph(folded(&std::mem::take(&mut text))));
        }
        match event {
            Event::Text(words) | Event::Code(words) => text.push_str(&words),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::InlineHtml(tag) if &*tag == "<br>" => text.push(' '),
            Event::Start(Tag::CodeBlock(kind)) => {
                in_code = true;
                language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::from("indented"),
                };
            }
            Event::End(TagEnd::CodeBlock) => {
                assert!(std::mem::take(&mut in_code));
                let code = std::mem::take(&mut text);
                let code = code.strip_suffix('\n').unwrap_or(&code).to_owned();
                levels.last_mut().unwrap().push(Part::Code(language.clone(), code));
            }
            Event::Start(Tag::List(start)) => lists.push((start, Vec::new())),
            Event::Start(Tag::Item | Tag::BlockQuote(_)) => levels.push(Vec::new()),
            Event::End(TagEnd::Item) => lists.last_mut().unwrap().1.push(levels.pop().unwrap()),
            Event::End(TagEnd::List(_)) => {
                let (start, items) = lists.pop().unwrap();
                levels.last_mut().unwrap().push(Part::List(start, items));
            }
            Event::End(TagEnd::BlockQuote(_)) => {
                let quoted = levels.pop().unwrap();
                levels.last_mut().unwrap().push(Part::Quote(quoted));
            }
            Event::End(TagEnd::Heading(level)) => {
                let heading = Part::Heading(level as u8, folded(&std::mem::take(&mut text)));
                levels.last_mut().unwrap().push(heading);
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::End(TagEnd::TableCell) => {
                rows.last_mut().unwrap().push(folded(&std::mem::take(&mut text)));
            }
            Event::End(TagEnd::Table) => {
                let table = trimmed(std::mem::take(&mut rows));
                levels.last_mut().unwrap().push(table);
            }
            _ => {}
        }
    }
    assert_eq!(levels.len(), 1);
    levels.pop().unwrap()
}

fn check(html: &str) -> Result<(), TestCaseError> {
    let page = Page::parse(html);
    let document = assemble(&page, &Judgement::of(page.blocks().iter().map(|_| true)));
    for options in [Options::default(), Options::all()] {
        let markdown = document.to_markdown(&options);
        prop_assert_eq!(of_markdown(&markdown), of_document(&document.content), "\n{}\n{}", html, markdown);
    }
    Ok(())
}

#[test]
fn lists_tables_and_code_come_back() {
    for html in [
        "<ol start=3><li>a<li>b<ul><li>c<li>d<ol><li>e</ol></ul><li>f</ol>",
        "<ul><li>a<ol start=7><li>b</ol></ul>",
        "<ul><li><ul><li>a</ul><li>b</ul>",
        "<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul><ol><li>d</ol><ol><li>e</ol>",
        "<ul><li><p>a<p>b<li><pre>c\n  d\n\n\te</pre><li><blockquote>f<pre>g</pre></blockquote></ul>",
        "<ol start=999999999><li>a<li>b</ol>",
        "<pre><code class=language-rust>fn  a() {\n\n\t```\n}\n</code></pre>",
        "<pre>  a\n~~~\n    b</pre><p>c",
        "<table><tr><th>a|b<th>c<tr><td><b>d</b>|`e`<td>f<br>g<tr><td><td>h</table>",
        "<table><tr><td>a<td>b<tr><td>c\\<td>\\|</table>",
        "<ul><li>a<table><tr><th>b<th>c<tr><td>d<td>e</table></ul>",
    ] {
        check(html).unwrap_or_else(|error| panic!("{error}"));
    }
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "one",
        "two three",
        "*a*",
        "_b_",
        "# c",
        "1. d",
        "- e",
        "+ f",
        "g|h",
        "`i`",
        "[j](k)",
        "&lt;l&gt;",
        "\\m",
        "!",
        "~n~",
        "<b>o</b>",
        "<b>p,</b>q",
        "<i>字，</i>文",
        "<code>r`|s</code>",
        "<a href='/t(u)'>v</a>",
        "<s>w</s>",
        "= x",
        "<b><i>y</i></b>z",
        "&gt; aa",
        "bb<br>cc",
        "***",
        "---",
        "&amp;copy;",
        "<sub>dd</sub>",
    ]);
    prop::collection::vec(word, 1..4).prop_map(|words| words.join(" "))
}

fn code() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "",
        "  a",
        "```",
        "~~~",
        "\tb",
        "- c",
        "&lt;d&gt;",
        "    e  ",
        "| f |",
        "# g",
    ]);
    (prop::collection::vec(line, 0..5), prop::sample::select(vec!["", " class=language-c++"]))
        .prop_map(|(lines, class)| format!("<pre{class}>\nx\n{}\ny</pre>", lines.join("\n")))
}

fn table() -> impl Strategy<Value = String> {
    let cell = prop_oneof![4 => words(), 1 => Just(String::new())];
    prop::collection::vec((words(), words(), cell), 2..4).prop_flat_map(|rows| {
        any::<bool>().prop_map(move |has_header| {
            let row = |(place, (a, b, c)): (usize, &(String, String, String))| {
                let name = if place == 0 && has_header { "th" } else { "td" };
                format!("<tr><{name}>{a}</{name}><{name}>{b}</{name}><{name}>{c}</{name}></tr>")
            };
            format!("<table>{}</table>", rows.iter().enumerate().map(row).collect::<String>())
        })
    })
}

fn block() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => words().prop_map(|words| format!("<p>{words}</p>")),
        1 => words().prop_map(|words| format!("<h3>{words}</h3>")),
        1 => code(),
        1 => table(),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let item = (words(), prop::collection::vec(inner.clone(), 0..3), any::<bool>()).prop_map(
            |(words, inner, is_bare)| {
                let words = if is_bare { words } else { format!("<p>{words}</p>") };
                format!("<li>{words}{}</li>", inner.concat())
            },
        );
        let list = (prop::collection::vec(item, 1..4), 0_u32..13).prop_map(|(items, start)| match start {
            0..7 => format!("<ul>{}</ul>", items.concat()),
            start => format!("<ol start={start}>{}</ol>", items.concat()),
        });
        let quote = prop::collection::vec(inner, 1..3)
            .prop_map(|inner| format!("<blockquote>{}</blockquote>", inner.concat()));
        prop_oneof![3 => list, 1 => quote]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn structure_comes_back(blocks in prop::collection::vec(block(), 1..5)) {
        check(&blocks.concat())?;
    }
}
