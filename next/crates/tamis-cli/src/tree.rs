//! `tamis tree`: the tree of a page, as the parser sees it.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use tamis_html::decode::{Decoded, Decoder};
use tamis_html::{Dom, Limit, Limits, NodeKind, Parser, Step};

use crate::input::Input;
use crate::output::to_stdout;

/// Print the tree of a page.
///
/// The tree is printed in the format of the html5lib tests: one line a node, indented, attributes on lines of their
/// own below their element.
#[derive(Args)]
pub(crate) struct Tree {
    /// The page; - or nothing for standard input.
    #[arg(value_name = "FILE")]
    page: Option<PathBuf>,

    /// Parse as the inside of this element.
    ///
    /// What innerHTML would do. The context is an element's name (td), after "svg " or "math " for elements of those
    /// languages ("svg path").
    #[arg(long, value_name = "CONTEXT", value_parser = context)]
    fragment: Option<String>,

    /// Parse as a browser with scripts would: noscript holds text.
    ///
    /// No script is run.
    #[arg(long)]
    scripting: bool,

    /// Read the page in this encoding, whatever it says itself.
    ///
    /// Any label of the Encoding Standard: utf-8, gbk, shift_jis, windows-1251. Without it, the byte order mark, the
    /// page's own word and its bytes decide.
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,

    /// Print counts instead of the tree.
    ///
    /// One line a fact, its name first: bytes, encoding (and what decided it), replaced (were there bytes that the
    /// encoding does not have?), nodes, elements, texts, comments, depth (elements inside each other), limit (the
    /// first that the page ran into).
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    limits: LimitFlags,
}

#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct LimitFlags {
    /// Bytes of a page; a larger one is refused.
    #[arg(long, value_name = "N", default_value_t = Limits::default().bytes)]
    max_bytes: u32,

    /// Nodes of the tree; parsing stops there.
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes)]
    max_nodes: u32,

    /// Elements inside each other; deeper ones become siblings.
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    max_depth: u32,

    /// Attributes of one element; further ones are left out.
    #[arg(long, value_name = "N", default_value_t = Limits::default().attributes)]
    max_attributes: u32,
}

impl LimitFlags {
    fn limits(&self) -> Limits {
        Limits {
            // Too large a page was refused before; its text may be longer than its bytes, and is parsed whole.
            bytes: Limits::NONE.bytes,
            nodes: self.max_nodes,
            depth: self.max_depth,
            attributes: self.max_attributes,
            deadline: None,
        }
    }
}

impl Tree {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut decoder = Decoder::new();
        if let Some(label) = &self.encoding {
            decoder = decoder.encoding_label(label)?;
        }
        let input = Input::named(self.page.as_deref());
        let bytes = input.read(self.limits.max_bytes)?;
        let decoded = decoder.decode(&bytes);
        let parser = Parser::new().scripting(self.scripting).limits(self.limits.limits());
        let dom = match &self.fragment {
            Some(context) => parser.parse_fragment(&decoded.text, context),
            None => parser.parse(&decoded.text),
        };
        let written = if self.stats {
            let stats = Stats::of(&dom);
            to_stdout(|out| stats.write(bytes.len(), &decoded, dom.limit_reached(), out))
        } else {
            if let Some(limit) = dom.limit_reached() {
                eprintln!("tamis: warning: {input}: {}", remedy(limit));
            }
            to_stdout(|out| write!(out, "{}", Outline(&dom)))
        };
        written.context("cannot write to standard output")?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The tree for `write!`, which keeps the error of the writer where the tree's own method could not.
struct Outline<'d>(&'d Dom<'d>);

impl fmt::Display for Outline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_outline(f)
    }
}

/// What `--stats` counts.
#[derive(Default)]
struct Stats {
    nodes: usize,
    elements: usize,
    texts: usize,
    comments: usize,
    depth: usize,
}

impl Stats {
    fn of(dom: &Dom<'_>) -> Stats {
        let mut stats = Stats::default();
        let mut depth = 0;
        for step in dom.root().walk() {
            match step {
                Step::Enter(node) => {
                    stats.nodes += 1;
                    match node.kind() {
                        NodeKind::Element => {
                            stats.elements += 1;
                            depth += 1;
                            stats.depth = stats.depth.max(depth);
                        }
                        NodeKind::Text => stats.texts += 1,
                        NodeKind::Comment => stats.comments += 1,
                        NodeKind::Document | NodeKind::Fragment | NodeKind::Doctype => {}
                    }
                }
                Step::Leave(node) => depth -= usize::from(node.is_element()),
            }
        }
        stats
    }

    fn write(
        &self,
        bytes: usize,
        decoded: &Decoded<'_>,
        limit: Option<Limit>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        writeln!(out, "bytes     {bytes}")?;
        writeln!(out, "encoding  {} ({})", decoded.encoding.name(), decoded.decided_by)?;
        writeln!(out, "replaced  {}", if decoded.replaced { "yes" } else { "no" })?;
        writeln!(out, "nodes     {}", self.nodes)?;
        writeln!(out, "elements  {}", self.elements)?;
        writeln!(out, "texts     {}", self.texts)?;
        writeln!(out, "comments  {}", self.comments)?;
        writeln!(out, "depth     {}", self.depth)?;
        writeln!(out, "limit     {}", limit.map_or("none".to_owned(), remedy))
    }
}

/// What a limit did to the page, with the flag that raises it.
fn remedy(limit: Limit) -> String {
    match limit {
        Limit::Nodes(n) => format!("more than {n} nodes; parsing stopped there (raise --max-nodes)"),
        Limit::Depth(n) => format!(
            "more than {n} elements inside each other; deeper ones became siblings (raise --max-depth)"
        ),
        Limit::Attributes(n) => {
            format!("an element has more than {n} attributes; the rest was left out (raise --max-attributes)")
        }
        other => other.to_string(),
    }
}

/// An element's name, after `svg ` or `math ` where it is of those languages.
fn context(argument: &str) -> Result<String, String> {
    let name = argument.strip_prefix("svg ").or_else(|| argument.strip_prefix("math ")).unwrap_or(argument);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.contains(|character: char| character.is_ascii_whitespace() || "<>/=\"'".contains(character));
    if is_name {
        Ok(argument.to_owned())
    } else {
        Err("give an element's name, such as td, or svg path (quoted) for one of SVG".to_owned())
    }
}
