//! The report of one page: metadata, scores, the truth and the outputs side by side, blocks and verdicts.

use std::fmt::Write;

use crate::outputs::Output;
use crate::segments::SegmentScore;
use crate::set::Truth;

use super::{Chapter, blocks, compare, escape, figures, shell};

/// The report of the page at an index of the chapter's order.
pub(super) fn page(chapter: &Chapter<'_>, place: usize) -> String {
    let page = chapter.order[place];
    let truth = &chapter.result.set.truths[page];
    let mut out = String::new();
    let _ = writeln!(out, "<h1 dir=auto>{}</h1>", escape::escaped(&escape::shortened(&truth.id, 300)));
    facts(truth, &mut out);
    scores(chapter, page, &mut out);
    segments(chapter, page, &mut out);
    texts(chapter, page, &mut out);
    blocks::section(chapter, page, &mut out);
    let title = format!("{}: {}", chapter.result.set.name, escape::shortened(&truth.id, 80));
    shell::page(&title, "../../", &links(chapter, place), &out)
}

/// Links up and to the neighbours.
fn links(chapter: &Chapter<'_>, place: usize) -> String {
    let set = escape::escaped(&chapter.result.set.name);
    let mut out = format!(
        "<a href=\"../../index.html\">Summary</a><a href=\"index.html\">{set}</a><span class=gap></span>\
         <span class=quiet>{} of {}, worst first</span>",
        place + 1,
        chapter.order.len()
    );
    let mut link = |place: Option<usize>, rel: &str, label: &str, key: &str| {
        if let Some(&page) = place.and_then(|place| chapter.order.get(place)) {
            let name = &chapter.names[page];
            let _ = write!(
                out,
                "<a rel={rel} href=\"{name}.html\" title=\"key {key}\" aria-keyshortcuts={key}>{label}</a>"
            );
        }
    };
    link(place.checked_sub(1), "prev", "Previous", "p");
    link(Some(place + 1), "next", "Next", "n");
    out
}

fn facts(truth: &Truth, out: &mut String) {
    out.push_str("<dl class=facts>");
    if let Some(url) = &truth.url {
        let shown = escape::escaped(url);
        match escape::web_address(url) {
            Some(_) => {
                let _ = write!(
                    out,
                    "<dt>address<dd><a href=\"{shown}\" rel=\"noreferrer noopener nofollow\">{shown}</a>"
                );
            }
            None => {
                let _ = write!(out, "<dt>address<dd>{shown}");
            }
        }
    }
    for (label, value) in [
        ("title", &truth.title),
        ("date", &truth.date),
        ("author", &truth.author),
        ("site", &truth.site),
        ("type", &truth.page_type),
        ("language", &truth.lang),
        ("CMS", &truth.engine),
    ] {
        if let Some(value) = value.as_ref().filter(|value| !value.trim().is_empty()) {
            let _ =
                write!(out, "<dt>{label}<dd dir=auto>{}", escape::escaped(&escape::shortened(value, 500)));
        }
    }
    let _ = writeln!(out, "<dt>truth<dd>line {} of truth.jsonl</dl>", truth.line);
}

/// The table of scores, with the metadata of the tools.
fn scores(chapter: &Chapter<'_>, page: usize, out: &mut String) {
    let tools = &chapter.result.tools;
    let scores: Vec<_> =
        tools.iter().map(|tool| tool.scores.get(page).copied().unwrap_or_default()).collect();
    let shown: Vec<_> = figures::SHOWN
        .into_iter()
        .filter(|figure| scores.iter().any(|score| figure.share(score).is_some()))
        .collect();
    out.push_str("<h2>Scores</h2>\n<div class=box tabindex=0 role=region aria-label=Scores><table><thead><tr><th scope=col>tool");
    for figure in &shown {
        let _ = write!(out, "<th scope=col class=n title=\"{}\">{}", figure.about(), figure.heading());
    }
    out.push_str(
        "<th scope=col>title<th scope=col>date<th scope=col>author<th scope=col>language</thead>\n<tbody>\n",
    );
    for (tool, score) in tools.iter().zip(&scores) {
        let _ = write!(out, "<tr><th scope=row>{}", escape::escaped(&tool.name));
        for figure in &shown {
            let value = figure.of_page(score);
            let cell = match value {
                Some(value) if figures::is_yes_or_no(*figure) => {
                    let (yes, good) = (value > 0.5, (value > 0.5) != figure.less_is_better());
                    format!(
                        "<span class={}>{}</span>",
                        if good { "yes" } else { "no" },
                        if yes { "yes" } else { "no" }
                    )
                }
                _ => shell::figure(value),
            };
            let _ = write!(out, "<td class=n>{cell}");
        }
        let output = tool.outputs.get(page).and_then(Option::as_ref);
        let authors = output.map(|it| it.authors.join(", ")).filter(|authors| !authors.is_empty());
        let value = |field: fn(&Output) -> &Option<String>| field(output?).as_deref();
        let (title, date) = (value(|it| &it.title), value(|it| &it.date));
        for value in [title, date, authors.as_deref(), value(|it| &it.language)] {
            let value = escape::escaped(&escape::shortened(value.unwrap_or("–"), 200));
            let _ = write!(out, "<td class=its dir=auto>{value}");
        }
        out.push('\n');
    }
    out.push_str("</tbody></table></div>\n");
    for tool in tools {
        let output = tool.outputs.get(page).and_then(Option::as_ref);
        let why = match output {
            None => Some("there is no output for this page"),
            Some(output) => output.error.as_deref(),
        };
        if let Some(why) = why {
            let why = escape::escaped(&escape::shortened(why, 500));
            let _ = writeln!(out, "<p>{}: <span dir=auto>{why}</span></p>", escape::escaped(&tool.name));
        }
    }
}

/// The segments, and which tools have them.
fn segments(chapter: &Chapter<'_>, page: usize, out: &mut String) {
    let truth = &chapter.result.set.truths[page];
    if truth.with.is_empty() && truth.without.is_empty() {
        return;
    }
    out.push_str("<h2>Segments</h2>\n<div class=box tabindex=0 role=region aria-label=Segments><table><thead><tr><th scope=col>segment<th scope=col>expected");
    for tool in &chapter.result.tools {
        let _ = write!(out, "<th scope=col>{}", escape::escaped(&tool.name));
    }
    out.push_str("</thead>\n<tbody>\n");
    let texts: Vec<&str> = chapter.result.tools.iter().map(|tool| text_of(tool, page)).collect();
    let wanted = truth.with.iter().map(|it| (it, true)).chain(truth.without.iter().map(|it| (it, false)));
    for (segment, must) in wanted {
        let _ = write!(
            out,
            "<tr><td dir=auto class=any>{}<td>{}",
            escape::escaped(&escape::shortened(segment, 300)),
            if must { "present" } else { "absent" }
        );
        for text in &texts {
            // The same rule as for the scores.
            let there = SegmentScore::of(text, std::slice::from_ref(segment), &[]).exact.present == 1;
            let class = if there == must { "yes" } else { "no" };
            let _ =
                write!(out, "<td><span class={class}>{}</span>", if there { "present" } else { "absent" });
        }
        out.push('\n');
    }
    out.push_str("</tbody></table></div>\n");
}

fn text_of(tool: &crate::evaluation::ToolResult, page: usize) -> &str {
    let output = tool.outputs.get(page).and_then(Option::as_ref);
    output.and_then(|output| output.text.as_deref()).unwrap_or_default()
}

fn texts(chapter: &Chapter<'_>, page: usize, out: &mut String) {
    let truth = &chapter.result.set.truths[page];
    let mut names = chapter.tool_names();
    let mut texts: Vec<&str> = chapter.result.tools.iter().map(|tool| text_of(tool, page)).collect();
    // Without a true text, tools are compared with the first one.
    let (first, first_text, about) = match &truth.text {
        Some(text) => ("truth", text.as_str(), ""),
        None if texts.is_empty() => return,
        None => (
            names.remove(0),
            texts.remove(0),
            " There is no true text; tools are compared with the first one.",
        ),
    };
    let rows = compare::rows(first_text, &texts);
    let _ = write!(
        out,
        "<h2>Texts</h2>\n<p><del>Struck through</del>: missing. <ins>Underlined</ins>: extra. \
         <span class=m>Grey</span>: moved.{about}</p>\n"
    );
    choices(&names, out);
    let language = escape::language(truth.lang.as_deref().unwrap_or_default());
    let _ = write!(
        out,
        "<div class=box><table class=diff lang=\"{language}\"><thead lang=en><tr><th scope=col>{}",
        escape::escaped(first)
    );
    for (at, name) in names.iter().enumerate() {
        let hidden = if at > 1 { " hidden" } else { "" };
        let _ = write!(out, "<th scope=col{hidden}>{}", escape::escaped(name));
    }
    let _ = writeln!(out, "</thead>\n<tbody>\n{}</tbody></table></div>", rows.html);
    if rows.html.is_empty() {
        out.push_str("<p class=quiet>No text.</p>\n");
    }
    for (name, cut) in [first].iter().chain(&names).zip(rows.cut) {
        if cut > 0 {
            let name = escape::escaped(name);
            let _ = writeln!(out, "<p class=quiet>{name}: {cut} further characters are not shown.</p>");
        }
    }
}

/// Controls to choose the tools beside the truth.
fn choices(names: &[&str], out: &mut String) {
    let options = |chosen: usize, out: &mut String| {
        for (at, name) in names.iter().enumerate() {
            let selected = if at == chosen { " selected" } else { "" };
            let _ = write!(out, "<option value={}{selected}>{}", at + 1, escape::escaped(name));
        }
    };
    out.push_str("<div class=tools>");
    if names.len() > 2 {
        for (chosen, label) in ["Second column", "Third column"].iter().enumerate() {
            let _ = write!(out, "<label class=wide>{label}<select data-beside={chosen}>");
            options(chosen, out);
            out.push_str("</select></label>");
        }
    }
    out.push_str("<label class=narrow>Compare with<select id=seen>");
    options(0, out);
    out.push_str("<option value=0>truth only</select></label></div>\n");
}
