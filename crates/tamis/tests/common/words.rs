//! The words of a text in each format, as a reader of the format gets them.

use pulldown_cmark::{Event, Options as Flavour, Parser, Tag, TagEnd};
use quick_xml::Reader;
use quick_xml::events::Event as Xml;
use tamis::characters::{Class, class};
use tamis::{Judgement, Page};

/// Runs of letters and digits. What shows nothing is left out, as blocks leave it out.
pub fn words(text: &str) -> Vec<String> {
    let shown: String = text.chars().filter(|it| it.is_whitespace() || class(*it) != Class::Space).collect();
    shown.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words of the kept blocks.
pub fn kept(page: &Page<'_>, judgement: &Judgement) -> Vec<String> {
    judgement.kept().flat_map(|place| words(page.text(&page.blocks()[place]))).collect()
}

pub fn parser(markdown: &str) -> Parser<'_> {
    let flavour = Flavour::ENABLE_TABLES
        | Flavour::ENABLE_FOOTNOTES
        | Flavour::ENABLE_STRIKETHROUGH
        | Flavour::ENABLE_TASKLISTS
        | Flavour::ENABLE_GFM;
    Parser::new_ext(markdown, flavour)
}

/// The words of Markdown as a CommonMark parser reads it.
pub fn of_markdown(markdown: &str) -> Vec<String> {
    let mut text = String::new();
    let mut in_image = 0;
    for event in parser(markdown) {
        match event {
            Event::Start(Tag::Image { .. }) => in_image += 1,
            Event::End(TagEnd::Image) => in_image -= 1,
            Event::Text(words) | Event::Code(words) if in_image == 0 => text.push_str(&words),
            Event::FootnoteReference(label) => text.push_str(&label),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::InlineHtml(tag) if &*tag == "<br>" => text.push(' '),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock,
            )
            | Event::Start(Tag::List(_)) => text.push(' '),
            _ => {}
        }
    }
    words(&text)
}

/// The words of our own HTML, by our own parser.
pub fn of_html(html: &str) -> Vec<String> {
    let page = Page::parse(html);
    page.blocks().iter().flat_map(|block| words(page.text(block))).collect()
}

/// The words of the content of XML and TEI.
pub fn of_xml(xml: &str) -> Vec<String> {
    const INLINE: [&str; 19] = [
        "emphasis",
        "strong",
        "strike",
        "underline",
        "mark",
        "subscript",
        "superscript",
        "quotation",
        "link",
        "code",
        "footnote-ref",
        "image",
        "hi",
        "q",
        "ref",
        "figure",
        "graphic",
        "formula",
        "figDesc",
    ];
    let mut reader = Reader::from_str(xml);
    let mut text = String::new();
    let mut in_content = false;
    let mut in_description = false;
    loop {
        match reader.read_event().unwrap() {
            Xml::Eof => return words(&text),
            Xml::Start(tag) => {
                let name = tag.name();
                in_content |= matches!(name.as_ref(), "content" | "body");
                in_description |= name.as_ref() == "figDesc";
                text.push_str(if INLINE.contains(&name.as_ref()) { "" } else { " " });
            }
            Xml::Empty(tag) => text.push_str(if INLINE.contains(&tag.name().as_ref()) { "" } else { " " }),
            Xml::End(tag) => {
                in_description &= tag.name().as_ref() != "figDesc";
                text.push_str(if INLINE.contains(&tag.name().as_ref()) { "" } else { " " });
            }
            Xml::Text(words) if in_content && !in_description => text.push_str(&words),
            Xml::GeneralRef(reference) if in_content && !in_description => {
                let is_sign = matches!(&*reference, "amp" | "lt" | "gt" | "quot");
                text.push(if is_sign { '&' } else { ' ' });
            }
            _ => {}
        }
    }
}
