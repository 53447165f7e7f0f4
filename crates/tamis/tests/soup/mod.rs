//! Tag soup, and the words of what it becomes.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)]

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use tamis::document::{ComposeOptions, Document, compose, plain_text};
use tamis::page::Page;
use tamis::text::characters::{Flags, flags};

pub fn document(page: &Page<'_>, kept: &[bool]) -> Document {
    let mut document = Document::default();
    document.content = compose(
        page,
        kept,
        &ComposeOptions { url: Some("https://a.example/b/c"), posts: &[], ..ComposeOptions::default() },
    );
    document.text = plain_text(page, kept);
    document
}

/// Runs of letters and digits.
pub fn words(text: &str) -> Vec<String> {
    let visible: String =
        text.chars().filter(|c| c.is_whitespace() || !flags(*c).has(Flags::SPACE)).collect();
    visible.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words that a CommonMark parser reads.
pub fn words_of_markdown(markdown: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let mut text = String::new();
    let mut in_image = 0;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Image { .. }) => in_image += 1,
            Event::End(TagEnd::Image) => in_image -= 1,
            Event::Text(words) | Event::Code(words) if in_image == 0 => text.push_str(&words),
            Event::Text(_) | Event::Code(_) => {}
            Event::InlineHtml(tag) if &*tag != "<br>" => {}
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link) => {}
            _ => text.push(' '),
        }
    }
    words(&text)
}

const TAGS: &str = "p,div,ul,ol,li,table,tr,td,th,caption,blockquote,pre,code,b,i,em,strong,a href=/x,a href=\"/y (z)\",\
    span,sub,sup,s,u,mark,h1,h2,h3,figure,figcaption,dl,dt,dd,br,br,img src=/i.png alt=alt,hr,ol start=7,td colspan=2,\
    td rowspan=2,tbody,p hidden,kbd,section,button,div class=caption,input type=checkbox,noscript,ruby";
const TEXTS: &str = "one@two three@ four @ @\n  @*five*@_six_@# seven@1. eight@- nine@ten|@`@``eleven@[twelve](x)@&lt;b&gt;\
    @&amp;amp;@\\@!@~@字，@。文@كىتاب@a_b@=@>@+ x@|---|@x\u{200C}y@&shy;@\u{200B}@http://a.b/c_d_@$x$@13)@\t@^@<!-- c -->@7";

pub fn soup() -> impl Strategy<Value = String> {
    let tags = prop::sample::select(TAGS.split(',').map(str::trim).collect::<Vec<_>>());
    let part = prop_oneof![
        4 => prop::sample::select(TEXTS.split('@').collect::<Vec<_>>()).prop_map(str::to_owned),
        3 => tags.clone().prop_map(|tag| format!("<{tag}>")),
        2 => tags.prop_map(|tag| format!("</{}>", tag.split(' ').next().unwrap())),
    ];
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}
