//! The index of a set: a table of its pages, the worst of the first tool first.

use std::fmt::Write;

use crate::summary::By;

use super::{Chapter, escape, figures, shell};

pub(super) fn page(chapter: &Chapter<'_>) -> String {
    let set = &chapter.result.set;
    let mut out = String::new();
    let name = escape::escaped(&set.name);
    let _ = write!(
        out,
        "<h1>{name}</h1>\n<p class=quiet>{} pages; for each tool the {}</p>\n",
        set.truths.len(),
        figures::name(chapter.figure)
    );
    controls(chapter, &mut out);
    table(chapter, &mut out);
    let links = "<a href=\"../../index.html\">Summary</a>";
    shell::page(&format!("{}: pages", set.name), "../../", links, &out)
}

fn controls(chapter: &Chapter<'_>, out: &mut String) {
    out.push_str("<div class=tools><label>Filter by name or title<input id=words type=search></label>");
    for (by, about, id) in [(By::PageType, "page type", "type"), (By::Lang, "language", "language")] {
        let _ = write!(out, "<label>Only {about}<select id={id}><option value=\"\">all");
        for (value, pages) in chapter.result.groups(by) {
            let value = escape::escaped(&value);
            let _ = write!(out, "<option value=\"{value}\">{value} ({})", pages.len());
        }
        out.push_str("</select></label>");
    }
    out.push_str("</div>\n");
    pager(out);
}

fn pager(out: &mut String) {
    out.push_str(
        "<div class=pager><button id=before>Previous</button><span id=count role=status></span>\
         <button id=after>Next</button></div>\n",
    );
}

fn table(chapter: &Chapter<'_>, out: &mut String) {
    let result = chapter.result;
    let tools = chapter.tool_names();
    out.push_str(
        "<div class=box tabindex=0 role=region aria-label=Pages><table class=list><thead><tr><th scope=col>page",
    );
    let mut column = 0;
    let mut head = |out: &mut String, label: &str| {
        let sorted = if column == 0 { " aria-sort=ascending" } else { "" };
        let label = escape::escaped(&escape::shortened(label, 200));
        let _ = write!(out, "<th scope=col class=n data-column={column}{sorted}><button>{label}</button>");
        column += 1;
    };
    for tool in &tools {
        head(out, tool);
    }
    for other in tools.iter().skip(1) {
        head(out, &format!("{} − {other}", tools[0]));
    }
    head(out, "words");
    out.push_str("<th scope=col>type<th scope=col>language</thead>\n<tbody>\n");
    for &page in &chapter.order {
        let truth = &result.set.truths[page];
        let figures: Vec<Option<f64>> = (0..tools.len()).map(|tool| chapter.rank(tool, page)).collect();
        let leads: Vec<Option<f64>> = (1..tools.len()).map(|tool| chapter.lead(tool, page)).collect();
        let words = truth.text.as_deref().map_or(0, |text| tamis::text::characters::Counts::of(text).words);
        let sortable =
            |value: &Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.5}"));
        let values: Vec<String> =
            figures.iter().chain(&leads).map(sortable).chain([words.to_string()]).collect();
        let [kind, language] = [By::PageType, By::Lang].map(|by| escape::escaped(by.group(truth)));
        let _ = write!(
            out,
            "<tr data-v=\"{}\" data-t=\"{kind}\" data-l=\"{language}\"><td><a href=\"{}.html\" dir=auto>{}</a>",
            values.join(" "),
            chapter.names[page],
            escape::escaped(&escape::shortened(&truth.id, 120)),
        );
        for about in [&truth.title, &truth.url].into_iter().flatten().take(1) {
            let about = escape::escaped(&escape::shortened(about, 120));
            let _ = write!(out, "<small dir=auto>{about}</small>");
        }
        for figure in figures {
            let _ = write!(out, "<td class=n>{}", shell::figure(figure));
        }
        for lead in leads {
            let _ = write!(out, "<td class=n>{}", shell::difference(lead));
        }
        let _ = writeln!(out, "<td class=n>{words}<td>{kind}<td>{language}");
    }
    out.push_str("</tbody></table></div>\n");
}
