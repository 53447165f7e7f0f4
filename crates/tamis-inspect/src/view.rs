//! The page for display: what a browser may show of it without running or loading anything.
//!
//! Elements and attributes are those of two lists; everything else is dropped or becomes `div` or `span`. No raw text
//! element is written, and no URL but that of a picture inside the page, so parsing the result again cannot bring
//! anything to life. The policy in its head and the sandbox of the frame would stop what this misses.

use std::borrow::Cow;
use std::collections::HashMap;

use tamis::page::Page;
use tamis_html::{Name, Namespace, NodeId, NodeKind, NodeRef, Step};

use crate::inspection::PageView;

/// Bytes of the document, and of its style sheets.
const MAX_HTML: usize = 12 << 20;
const MAX_STYLES: usize = 1 << 20;
/// Bytes of an attribute.
const MAX_ATTRIBUTE: usize = 2_000;
/// Bytes of a picture inside the page.
const MAX_PICTURE: usize = 200_000;

/// Nothing loads but pictures inside the page, and nothing runs.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/// Elements that are written as they are.
const KEPT: &str = "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col \
    colgroup data dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 \
    h6 header hgroup hr i img ins kbd li main mark menu nav nobr ol p pre q rb rp rt rtc ruby s samp \
    search section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt \
    u ul var wbr";
/// Elements that are dropped with what they hold.
const DROPPED: &str = "applet area audio base basefont bgsound canvas datalist embed frame frameset head iframe input \
    keygen link map meta noembed noframes object param script source style template title track \
    video";
/// Elements that become `div`; others become `span`, as which unknown ones are laid out.
const BLOCKS: &str = "body dialog fieldset form html legend noscript optgroup option";
/// Elements without an end tag.
const VOID: &str = "br col hr img wbr";
/// Attributes that only describe or lay out.
const ATTRIBUTES: &str = "align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id \
    lang reversed rowspan size span start title valign value width";

/// Writes the page for display, and notes what did not fit.
pub(crate) fn of(page: &Page<'_>, left_out: &mut Vec<String>) -> PageView {
    let mut writer =
        Writer { out: String::new(), styles: String::new(), blocks: HashMap::new(), is_full: false };
    for block in 0..page.blocks.len() {
        for node in page.blocks.text_nodes(block) {
            writer.blocks.insert(*node, block);
        }
    }
    writer.out.push_str("<!doctype html><html");
    if let Some(html) = page.dom.html() {
        writer.attributes(html);
    }
    writer
        .out
        .push_str("><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"");
    writer.out.push_str(POLICY);
    writer.out.push_str("\"></head><body");
    if let Some(body) = page.dom.body() {
        writer.attributes(body);
        writer.out.push('>');
        writer.content(body);
    } else {
        writer.out.push('>');
    }
    writer.out.push_str("</body></html>");
    for style in page.dom.descendants().filter(|node| node.is(Name::STYLE)) {
        let text = style.text_content();
        if writer.styles.len() + text.len() <= MAX_STYLES {
            writer.styles.push_str(&without_urls(&text));
            writer.styles.push('\n');
        }
    }
    if writer.is_full {
        left_out.push(format!("the page for display after {} MB", MAX_HTML >> 20));
    }
    PageView { html: writer.out, styles: writer.styles }
}

struct Writer {
    out: String,
    styles: String,
    blocks: HashMap<NodeId, usize>,
    is_full: bool,
}

impl Writer {
    /// Writes what stands inside an element.
    fn content(&mut self, top: NodeRef<'_>) {
        let mut walk = top.walk();
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(node) if node == top => {}
                Step::Leave(node) if node == top => {}
                Step::Enter(node) if node.kind() == NodeKind::Text => self.text(node),
                Step::Enter(node) if node.is_element() => match self.tag(node) {
                    Some(tag) => {
                        self.out.push('<');
                        self.out.push_str(tag);
                        self.attributes(node);
                        self.out.push('>');
                    }
                    None => walk.skip_below(),
                },
                Step::Leave(node) if node.is_element() => {
                    // What was not entered is not left.
                    if let Some(tag) = self.tag(node).filter(|tag| listed(VOID, tag).is_none()) {
                        self.out.push_str("</");
                        self.out.push_str(tag);
                        self.out.push('>');
                    }
                }
                _ => {}
            }
            if self.out.len() > MAX_HTML {
                self.is_full = true;
                return;
            }
        }
    }

    /// The tag that an element is written with.
    fn tag(&self, node: NodeRef<'_>) -> Option<&'static str> {
        let name = node.name()?;
        if node.namespace() != Namespace::Html {
            return None;
        }
        match name {
            "xmp" | "listing" | "plaintext" | "textarea" => Some("pre"),
            _ if listed(DROPPED, name).is_some() => None,
            _ if listed(BLOCKS, name).is_some() => Some("div"),
            _ => listed(KEPT, name).or(Some("span")),
        }
    }

    fn attributes(&mut self, node: NodeRef<'_>) {
        for attribute in node.attributes() {
            let name = attribute.name();
            let value = attribute.value();
            if value.len() > MAX_ATTRIBUTE && name != "src" {
                continue;
            }
            match name {
                "style" => self.attribute("data-style", &without_urls(&value)),
                "src" if node.is(Name::IMG) && is_picture(&value) => self.attribute("src", &value),
                _ if listed(ATTRIBUTES, name).is_some() => self.attribute(name, &value),
                _ => {}
            }
        }
        if node.name() == Some("details") {
            self.out.push_str(" open");
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape(value, &mut self.out);
        self.out.push('"');
    }

    fn text(&mut self, node: NodeRef<'_>) {
        match self.blocks.get(&node.id()) {
            Some(block) => {
                self.out.push_str(&format!("<tamis-b n=\"{block}\">"));
                escape(&node.text(), &mut self.out);
                self.out.push_str("</tamis-b>");
            }
            None => escape(&node.text(), &mut self.out),
        }
    }
}

fn listed(list: &'static str, name: &str) -> Option<&'static str> {
    list.split(' ').find(|known| *known == name)
}

/// A picture that is part of the page, and of a kind without scripts.
fn is_picture(url: &str) -> bool {
    let kinds = ["png", "jpeg", "jpg", "gif", "webp"];
    let rest = url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
    rest.is_some_and(|(kind, data)| {
        let is_base64 = data.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        kinds.contains(&kind) && is_base64 && data.len() <= MAX_PICTURE
    })
}

/// A style sheet whose `url()` lead nowhere, except to pictures inside the page. The policy would block them too; here they
/// are not even tried.
fn without_urls(css: &str) -> Cow<'_, str> {
    let lowercase = css.to_ascii_lowercase();
    let mut out = String::new();
    let mut written = 0;
    for (at, _) in lowercase.match_indices("url(") {
        let from = at + "url(".len();
        let end = css[from..].find([')', ';', '}', '\n']).map_or(css.len(), |length| from + length);
        let target = css[from..end].trim().trim_matches(['"', '\'']);
        if from >= written && !is_picture(target) {
            out.push_str(&css[written..from]);
            out.push_str("data:,");
            written = end;
        }
    }
    if written == 0 {
        return Cow::Borrowed(css);
    }
    out.push_str(&css[written..]);
    Cow::Owned(out)
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(character),
        }
    }
}
