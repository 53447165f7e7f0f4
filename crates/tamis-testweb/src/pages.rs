//! The pages of a news site: stories, listings, comments.

use std::fmt::Write;

use crate::date;
use crate::kinds::Kind;
use crate::site::{Site, World};
use crate::story::SECTIONS;
use crate::words::{Language, Rng, render};
use crate::{hostile, redirects, traps};

/// Teasers on a listing.
const PER_PAGE: usize = 20;

/// The parts of a page that are the same on the whole site, built once.
pub(crate) struct Furniture {
    name: String,
    head: String,
    header: String,
    newsletter: String,
    footer: String,
}

impl Furniture {
    /// Builds the furniture of a site.
    pub(crate) fn new(language: &Language, kind: Kind, rng: &mut Rng) -> Furniture {
        let name = language.text("site", rng, "");
        let feed = kind.feed().map_or(String::new(), |(path, media_type)| {
            format!("<link rel=\"alternate\" type=\"{media_type}\" href=\"{path}\" title=\"{name}\">\n")
        });
        let mut nav = format!("<li><a href=\"/\">{}</a></li>", language.label("home"));
        for section in SECTIONS {
            write!(nav, "<li><a href=\"/{section}/\">{}</a></li>", language.label(section)).unwrap();
        }
        let mut values =
            vec![("site", name.as_str()), ("nav", &nav), ("feed", &feed), ("language", language.code)];
        values.push(("direction", if language.code == "ug" { "rtl" } else { "ltr" }));
        values.push(("style", include_str!("../data/style.css")));
        values.extend(
            ["search", "newsletter_title", "newsletter", "subscribe", "copyright"]
                .map(|it| (it, language.label(it))),
        );
        let part = |template: &str| {
            let mut out = String::new();
            render(template, &values, &mut out);
            out
        };
        Furniture {
            head: part(include_str!("../data/head.html")),
            header: part(include_str!("../data/header.html")),
            newsletter: part(include_str!("../data/newsletter.html")),
            footer: part(include_str!("../data/footer.html")),
            name,
        }
    }
}

/// The rendering of a story.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// The page itself, or a later part of it.
    Part(usize),
    Amp,
    Print,
}

/// A story's page.
pub(crate) fn story(world: &World, site: &Site, id: usize, form: Form, revision: usize) -> String {
    let story = &world.stories[id];
    let (language, furniture) = (site.language(world), &site.furniture);
    let label = |name| language.label(name);
    let is_copy = !matches!(form, Form::Part(_));
    let part = if let Form::Part(part) = form { part } else { 1 };
    let rank = id - site.stories.start;
    let mut out = String::with_capacity(16 * 1024);
    out.push_str(&furniture.head);
    let (section, shown_time) = (SECTIONS[story.section], shown(story.time));
    let mut values =
        vec![("title", story.title.as_str()), ("author", &story.author), ("time", &story.published)];
    values.extend([("shown_time", shown_time.as_str()), ("site", &furniture.name)]);
    values.extend([("section", section), ("section_name", label(section))]);
    values.extend(["home", "by", "share"].map(|name| (name, label(name))));
    render(include_str!("../data/story-meta.html"), &values, &mut out);
    // Half of the hosts have structured data.
    if site.source % 2 == 1 {
        render(include_str!("../data/json-ld.html"), &values, &mut out);
    }
    if revision > 0 {
        let modified = date::iso(story.time + 3_600);
        writeln!(out, "<meta property=\"article:modified_time\" content=\"{modified}\">").unwrap();
    }
    let mut link =
        |relation: &str, target: &str| writeln!(out, "<link rel=\"{relation}\" href=\"{target}\">").unwrap();
    if !matches!(site.kind, Kind::PlainBare | Kind::MirrorBare) {
        link("canonical", &part_address(&story.url, part));
    }
    if part > 1 {
        link("prev", &part_address(site.path(world, id), part - 1));
    }
    if part < story.parts {
        link("next", &part_address(site.path(world, id), part + 1));
    }
    if site.kind == Kind::Copies && !is_copy {
        link("amphtml", &format!("/amp/{id}.html"));
    }
    if story.noindex && rank % 10 == 7 {
        out.push_str("<meta name=\"robots\" content=\"noindex, follow\">\n");
    }
    out.push_str("</head>\n");
    if form != Form::Print {
        out.push_str(&furniture.header);
    }
    render(include_str!("../data/story.html"), &values, &mut out);
    body(world, site, (id, part, revision), &mut out);
    out.push_str("</div>\n");
    if story.parts > 1 {
        pager(site.path(world, id), part, story.parts, language, &mut out);
    }
    if site.kind == Kind::Copies && !is_copy {
        writeln!(out, "<p><a href=\"/print/{id}.html\" rel=\"nofollow\">{}</a></p>", label("print")).unwrap();
    }
    out.push_str("</article>\n");
    if form != Form::Print {
        related(world, site, id, &mut out);
        popular(world, site, &mut out);
        out.push_str(&furniture.newsletter);
    }
    if let Some(page) = &story.comment_page {
        let count = story.comments.len().to_string();
        values.extend(["comments", "all_comments"].map(|name| (name, label(name))));
        values.extend([("page", page.as_str()), ("count", &count)]);
        render(include_str!("../data/all-comments.html"), &values, &mut out);
    } else if !story.comments.is_empty() && !is_copy {
        comments(world, site, id, &mut out);
    }
    out.push_str("</main>\n");
    out.push_str(&furniture.footer);
    out
}

/// The paragraphs of one part of a story.
fn body(world: &World, site: &Site, (id, part, revision): (usize, usize, usize), out: &mut String) {
    let story = &world.stories[id];
    let language = site.language(world);
    let rng = &mut Rng::new(&[world.settings.seed, id as u64, part as u64, 77]);
    let count = 5 + rng.below(5);
    let marker_at = 1 + rng.below(count - 2);
    let marker = if part == 1 { &story.marker } else { &story.part_markers[part - 2] };
    let mut paragraph = |extra: Option<&str>, out: &mut String| {
        out.push_str("<p>");
        language.paragraph(rng, extra, out);
        out.push_str("</p>\n");
    };
    for at in 0..count {
        paragraph((at == marker_at).then_some(marker.as_str()), out);
    }
    if let (1.., Some(update)) = (revision, &story.update) {
        paragraph(Some(update), out);
    }
}

fn part_address(path: &str, part: usize) -> String {
    if part > 1 { format!("{path}?page={part}") } else { path.to_owned() }
}

/// `2025-03-14 09:26`, for people.
fn shown(time: u64) -> String {
    date::iso(time)[..16].replace('T', " ")
}

fn pager(path: &str, part: usize, parts: usize, language: &Language, out: &mut String) {
    out.push_str("<nav class=\"pager\">");
    for number in 1..=parts {
        match number == part {
            true => write!(out, "<span class=\"current\">{number}</span> ").unwrap(),
            false => write!(out, "<a href=\"{}\">{number}</a> ", part_address(path, number)).unwrap(),
        }
    }
    if part < parts {
        let (address, label) = (part_address(path, part + 1), language.label("next"));
        write!(out, "<a rel=\"next\" href=\"{address}\">{label}</a>").unwrap();
    }
    out.push_str("</nav>\n");
}

/// Five other stories of the section.
fn related(world: &World, site: &Site, id: usize, out: &mut String) {
    let rank = id - site.stories.start;
    let others = (1..=5).map(|step| site.stories.start + (rank + step * SECTIONS.len()) % site.stories.len());
    link_box(world, site, "related", others, out);
}

/// The eight stories that every page of the site shows.
fn popular(world: &World, site: &Site, out: &mut String) {
    link_box(world, site, "popular", site.stories.clone().step_by(3).take(8), out);
}

fn link_box(world: &World, site: &Site, name: &str, ids: impl Iterator<Item = usize>, out: &mut String) {
    write!(out, "<aside class=\"{name}\"><h3>{}</h3><ul>", site.language(world).label(name)).unwrap();
    for id in ids {
        let (link, title) = (site.link(world, id), &world.stories[id].title);
        write!(out, "<li><a href=\"{link}\">{title}</a></li>").unwrap();
    }
    out.push_str("</ul></aside>\n");
}

fn comments(world: &World, site: &Site, id: usize, out: &mut String) {
    let story = &world.stories[id];
    let language = site.language(world);
    let heading = language.label("comments");
    write!(out, "<section class=\"comments\" id=\"comments\"><h2>{heading}</h2><ol class=\"comment-list\">")
        .unwrap();
    for (at, (author, text)) in story.comments.iter().enumerate() {
        let time = story.time + 1_800 * (at as u64 + 1);
        let (id, iso, shown, reply) =
            (format!("{id}-{at}"), date::iso(time), shown(time), language.label("reply"));
        let values = [("id", id.as_str()), ("author", author), ("text", text), ("time", &iso)];
        let labels = [("shown_time", shown.as_str()), ("reply", reply)];
        render(include_str!("../data/comment.html"), &[&values[..], &labels].concat(), out);
    }
    out.push_str("</ol></section>\n");
}

/// The page that has a story's comments, below the story's first paragraph.
pub(crate) fn comment_page(world: &World, site: &Site, id: usize) -> String {
    let story = &world.stories[id];
    let (furniture, title) = (&site.furniture, &story.title);
    let label = site.language(world).label("comments");
    let mut out = furniture.head.clone();
    write!(out, "<title>{label}: {title} - {}</title>\n</head>\n{}", furniture.name, furniture.header)
        .unwrap();
    let path = site.path(world, id);
    writeln!(out, "<main class=\"layout\"><h1>{label}: <a href=\"{path}\">{title}</a></h1>").unwrap();
    let mut text = String::new();
    body(world, site, (id, 1, 0), &mut text);
    out.extend(text.lines().next());
    comments(world, site, id, &mut out);
    write!(out, "</main>\n{}", furniture.footer).unwrap();
    out
}

/// A front or section page; `None` beyond the last.
pub(crate) fn listing(world: &World, site: &Site, section: Option<usize>, page: usize) -> Option<String> {
    let (language, furniture) = (site.language(world), &site.furniture);
    let (first, step) = section.map_or((0, 1), |section| (section, SECTIONS.len()));
    let ids = || site.stories.clone().skip(first).step_by(step);
    let (start, total) = (page.checked_sub(1)? * PER_PAGE, ids().count());
    if page > 1 && (start >= total || site.kind.has_short_listings()) {
        return None;
    }
    let has_older = section.is_some() && !site.kind.has_short_listings() && start + PER_PAGE < total;
    // The last page is as long as the others.
    let shown = ids().skip(start.min(total.saturating_sub(PER_PAGE))).take(PER_PAGE);
    let heading = language.label(section.map_or("latest", |section| SECTIONS[section]));
    let mut out = String::with_capacity(16 * 1024);
    out.push_str(&furniture.head);
    write!(
        out,
        "<title>{heading} - {}</title>\n<meta property=\"og:type\" content=\"website\">\n</head>\n",
        furniture.name
    )
    .unwrap();
    out.push_str(&furniture.header);
    writeln!(out, "<main class=\"layout\"><section class=\"river\"><h1>{heading}</h1>").unwrap();
    for id in shown {
        teaser(world, site, id, &mut out);
    }
    out.push_str("</section>\n");
    if has_older {
        let name = SECTIONS[section?];
        let older = language.label("older");
        writeln!(
            out,
            "<nav class=\"pager\"><a rel=\"next\" href=\"/{name}/page/{}/\">{older}</a></nav>",
            page + 1
        )
        .unwrap();
    }
    if section.is_none() {
        out.push_str(&match site.kind {
            Kind::Redirects => links(redirects::links()),
            Kind::Traps => links(traps::links()),
            Kind::Hostile => links(hostile::links()),
            Kind::RobotsRules => links(&["/internal/plan.html", "/export.php"]),
            _ => String::new(),
        });
    }
    popular(world, site, &mut out);
    out.push_str(&furniture.newsletter);
    out.push_str("</main>\n");
    out.push_str(&furniture.footer);
    Some(out)
}

/// A headline with date and one line of text.
pub(crate) fn teaser(world: &World, site: &Site, id: usize, out: &mut String) {
    // Sites in Chinese and Japanese tend to link the whole teaser.
    let template = match world.stories[id].language {
        "zh" | "ja" => include_str!("../data/teaser-linked.html"),
        _ => include_str!("../data/teaser.html"),
    };
    render_entry(world, site, id, template, out);
}

/// Fills a template that is about a story: a teaser, or an entry of a feed or sitemap.
pub(crate) fn render_entry(world: &World, site: &Site, id: usize, template: &str, out: &mut String) {
    let story = &world.stories[id];
    let text = site.language(world).text("teaser", &mut Rng::new(&[world.settings.seed, id as u64, 55]), "");
    let (link, http_date, id_text) = (site.link(world, id), date::http(story.time), id.to_string());
    let (url, title, time) = (story.url.as_str(), story.title.as_str(), story.published.as_str());
    let mut values =
        vec![("link", link.as_str()), ("url", url), ("path", site.path(world, id)), ("title", title)];
    values.extend([("text", text.as_str()), ("time", time), ("day", &time[..10]), ("http_date", &http_date)]);
    let comma = if id == site.stories.start { "" } else { "," };
    values.extend([("language", story.language), ("id", &id_text), ("comma", comma)]);
    render(template, &values, out);
}

/// Puts `content` into the site's template.
pub(crate) fn framed(site: &Site, title: &str, content: &str) -> String {
    let Furniture { head, header, footer, .. } = &site.furniture;
    format!(
        "{head}<title>{title}</title>\n</head>\n{header}<main class=\"layout\"><h1>{title}</h1>\n{content}</main>\n{footer}"
    )
}

/// A list of links to odd places of the site.
pub(crate) fn links(paths: &[&str]) -> String {
    let mut out = "<ul class=\"services\">".to_owned();
    for path in paths {
        write!(out, "<li><a href=\"{path}\">{}</a></li>", path.trim_matches('/')).unwrap();
    }
    out.push_str("</ul>\n");
    out
}
