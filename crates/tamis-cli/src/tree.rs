//! `tamis tree`: the tree that the parser builds.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use tamis_html::decode::{Decoded, Decoder};
use tamis_html::{Dom, Limit, Limits, NodeKind, Parser, Step};

use crate::ExitCode;
use crate::console::warning;
use crate::flags::{EncodingFlag, FetchFlags, LimitFlags, SizeFlag};
use crate::jobs::Job;
use crate::output::to_stdout;

/// Print the tree of a page, as the parser sees it.
///
/// The format is that of the html5lib tests: one line per node, indented, attributes on lines of their own below their
/// element.
#[derive(Args)]
pub(crate) struct Tree {
    /// File, URL, or - for standard input (the default).
    #[arg(value_name = "PAGE", help_heading = "Input")]
    page: Option<String>,

    /// Parse as the inside of an element, as innerHTML does.
    ///
    /// The context is the name of an element (td), after "svg " or "math " for those languages ("svg path").
    #[arg(long, value_name = "CONTEXT", value_parser = context, help_heading = "Input")]
    fragment: Option<String>,

    /// Parse as a browser with scripts does: noscript holds text. No script is run.
    #[arg(long, help_heading = "Input")]
    scripting: bool,

    #[command(flatten)]
    encoding: EncodingFlag,

    /// Print counts instead of the tree.
    ///
    /// One per line: bytes, encoding (and what decided it), replaced (whether there were decoding errors), nodes,
    /// elements, texts, comments, depth (of nested elements), limit (the first that was reached).
    #[arg(long, help_heading = "Output")]
    stats: bool,

    #[command(flatten)]
    size: SizeFlag,

    #[command(flatten)]
    fetch: FetchFlags,

    #[command(flatten)]
    limits: TreeLimits,
}

#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct TreeLimits {
    /// Nodes of the tree; parsing stops there.
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes)]
    max_nodes: u32,

    /// Depth of nested elements; deeper ones become siblings.
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    max_depth: u32,

    /// Attributes of one element; further ones are dropped.
    #[arg(long, value_name = "N", default_value_t = Limits::default().attributes)]
    max_attributes: u32,
}

impl TreeLimits {
    fn limits(&self) -> Limits {
        Limits {
            // Larger pages were refused before. Decoded text may be longer than the bytes, and is parsed whole.
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
        if let Some(label) = &self.encoding.encoding {
            decoder = decoder.encoding_label(label)?;
        }
        let job = self.page.as_deref().map_or_else(Job::unnamed, Job::named);
        let limits = LimitFlags { size: self.size, timeout: Duration::MAX, fetch: self.fetch };
        let page = job.read(limits)?;
        if let Some(content_type) = &page.content_type {
            decoder = decoder.content_type(content_type);
        }
        let decoded = decoder.decode(&page.bytes);
        let parser = Parser::new().scripting(self.scripting).limits(self.limits.limits());
        let dom = match &self.fragment {
            Some(context) => parser.parse_fragment(&decoded.text, context),
            None => parser.parse(&decoded.text),
        };
        if self.stats {
            let stats = Stats::of(&dom);
            to_stdout(|out| stats.write(page.bytes.len(), &decoded, dom.limit_reached(), out))?;
        } else {
            if let Some(limit) = dom.limit_reached() {
                warning!("{}: {}", job.label(), remedy(limit));
            }
            to_stdout(|out| write!(out, "{}", Outline(&dom)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// For `write!`, which keeps the error of the writer.
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

/// The effect of a limit, and the flag that raises it.
fn remedy(limit: Limit) -> String {
    match limit {
        Limit::Nodes(n) => format!("more than {n} nodes; parsing stopped there (raise --max-nodes)"),
        Limit::Depth(n) => {
            format!("more than {n} nested elements; deeper ones became siblings (raise --max-depth)")
        }
        Limit::Attributes(n) => {
            format!("more than {n} attributes of an element; the rest was dropped (raise --max-attributes)")
        }
        other => other.to_string(),
    }
}

/// The name of an element, after `svg ` or `math ` for those languages.
fn context(argument: &str) -> Result<String, String> {
    let name = argument.strip_prefix("svg ").or_else(|| argument.strip_prefix("math ")).unwrap_or(argument);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.contains(|character: char| character.is_ascii_whitespace() || "<>/=\"'".contains(character));
    if is_name {
        Ok(argument.to_owned())
    } else {
        Err("give the name of an element, such as td, or 'svg path' for one of SVG".to_owned())
    }
}
