//! What templates are filled with: one text cut into posts, names and dates of nobody, titles of other pages as links.

use super::super::augment::made_up;
use super::template::{Scope, Value};
use super::wording;
use crate::report::escape::{escaped, shortened};
use crate::sample::Chance;

/// What there is to fill in.
pub(super) struct Material<'s> {
    pub(super) lang: &'s str,
    /// Of the text that is the main one.
    pub(super) paragraphs: Vec<&'s str>,
    /// Of another text, for what readers say below.
    pub(super) comments: Vec<&'s str>,
    /// Titles of pages, each with its language.
    pub(super) titles: &'s [(&'s str, String)],
}

/// Everything that a template may name, and the text that was put in.
pub(super) struct Filled {
    pub(super) scope: Scope,
    pub(super) truth: String,
}

/// A page has so many posts at most; what is left of the text is left out.
const MOST_POSTS: usize = 20;
/// A post has so many paragraphs at most.
const MOST_IN_POST: usize = 4;
/// A title in a menu has so many characters.
const MENU_CHARACTERS: usize = 24;
/// A comment has so many.
const COMMENT_CHARACTERS: usize = 200;

/// Cuts the text into posts and draws all else.
pub(super) fn fill(material: &Material<'_>, chance: &mut Chance) -> Filled {
    let text = |text: String| Value::Text(text);
    let mut posts: Vec<&[&str]> = Vec::new();
    let mut rest = &material.paragraphs[..];
    while !rest.is_empty() && posts.len() < MOST_POSTS {
        let (post, after) = rest.split_at(rest.len().min(1 + chance.below(MOST_IN_POST)));
        posts.push(post);
        rest = after;
    }
    let used: Vec<&str> = posts.concat();
    let titles = Titles::of(material);
    let mut scope = Scope::new();
    for (name, word) in wording::NAMES.into_iter().zip(wording::words(material.lang)) {
        scope.insert(name, text(word.to_owned()));
    }
    let is_rtl = matches!(material.lang, "ug" | "ar" | "fa" | "he" | "ur");
    scope.insert("lang", text(material.lang.to_owned()));
    scope.insert("dir", text(if is_rtl { "rtl" } else { "ltr" }.to_owned()));
    scope.insert("site", text(titles.draw(chance, MENU_CHARACTERS)));
    scope.insert("title", text(titles.draw(chance, 80)));
    scope.insert("menu", titles.list(chance, 4, 10, MENU_CHARACTERS));
    scope.insert("crumbs", titles.list(chance, 1, 3, MENU_CHARACTERS));
    scope.insert("related", titles.list(chance, 3, 8, 80));
    scope.insert("tags", titles.list(chance, 1, 5, 12));
    scope.insert("author", text(name(material.lang, chance)));
    scope.insert("date", text(date(chance)));
    scope.insert("number", text((1 + chance.below(90_000)).to_string()));
    scope.insert("price", text(format!("{}.{:02}", 3 + chance.below(400), chance.below(100))));
    scope.insert("body", Value::Markup(as_paragraphs(&used, chance)));
    scope.insert("posts", Value::List(posts_of(&posts, material.lang, chance)));
    scope.insert("first", Value::List(posts_of(&posts[..posts.len().min(1)], material.lang, chance)));
    scope.insert("others", Value::List(posts_of(posts.get(1..).unwrap_or(&[]), material.lang, chance)));
    let count = chance.below(5).min(material.comments.len());
    let from = chance.below(material.comments.len() - count + 1);
    let comments = material.comments[from..][..count].iter().map(|said| {
        Scope::from([
            ("author", text(name(material.lang, chance))),
            ("date", text(date(chance))),
            ("text", text(shortened(said, COMMENT_CHARACTERS))),
        ])
    });
    scope.insert("comments", Value::List(comments.collect()));
    Filled { scope, truth: used.join("\n") }
}

fn posts_of(posts: &[&[&str]], lang: &str, chance: &mut Chance) -> Vec<Scope> {
    let signed = chance.below(2) == 0;
    let number = 1000 + chance.below(90_000);
    let post = |(at, post): (usize, &&[&str])| {
        let text = |text: String| Value::Text(text);
        let signature =
            Scope::from([("text", text(format!("~ {} {} ~", name(lang, chance), name(lang, chance))))]);
        let has_signature = signed && chance.below(2) == 0;
        Scope::from([
            ("author", text(name(lang, chance))),
            ("date", text(date(chance))),
            ("place", text((at + 1).to_string())),
            ("id", text((number + 7 * at).to_string())),
            ("count", text(chance.below(3000).to_string())),
            ("votes", text(chance.below(40).to_string())),
            ("body", Value::Markup(as_paragraphs(post, chance))),
            ("lines", Value::Markup(as_lines(post))),
            ("signature", Value::List(if has_signature { vec![signature] } else { Vec::new() })),
        ])
    };
    posts.iter().enumerate().map(post).collect()
}

/// Titles of pages, if it can be in one language.
struct Titles<'s>(Vec<&'s str>);

impl<'s> Titles<'s> {
    fn of(material: &Material<'s>) -> Titles<'s> {
        const ENOUGH: usize = 5;
        let in_lang = material.titles.iter().filter(|(lang, _)| *lang == material.lang);
        let own: Vec<&str> = in_lang.map(|(_, title)| title.as_str()).collect();
        let all = || material.titles.iter().map(|(_, title)| title.as_str()).collect();
        Titles(if own.len() >= ENOUGH { own } else { all() })
    }

    fn draw(&self, chance: &mut Chance, most: usize) -> String {
        match self.0.len() {
            0 => made_up(chance.bits()),
            count => shortened(self.0[chance.below(count)], most),
        }
    }

    /// From `least` to `most` links.
    fn list(&self, chance: &mut Chance, least: usize, most: usize, characters: usize) -> Value {
        let count = least + chance.below(most - least + 1);
        let entry = |at: usize| {
            Scope::from([
                ("name", Value::Text(self.draw(chance, characters))),
                ("href", Value::Text(format!("/{}/{at}", made_up(chance.bits())))),
            ])
        };
        Value::List((0..count).map(entry).collect())
    }
}

/// As an editor writes it: short lines without an end are headings, or entries of a list; here and there stands a link.
fn as_paragraphs(texts: &[&str], chance: &mut Chance) -> String {
    const HEADING_CHARACTERS: usize = 50;
    let mut out = String::new();
    for text in texts {
        let is_short = text.chars().count() <= HEADING_CHARACTERS
            && !text.ends_with(['.', '!', '?', '。', '！', '？', '؟', ':', '…', '"', '”']);
        out += &match (is_short, chance.below(6)) {
            (true, 0 | 1) => format!("<h3>{}</h3>\n", escaped(text)),
            (true, 2) => format!("<ul><li>{}</li></ul>\n", escaped(text)),
            (_, 3) => format!("<p>{}</p>\n", with_link(text)),
            (_, 4) => format!("<p><span>{}</span></p>\n", escaped(text)),
            _ => format!("<p>{}</p>\n", escaped(text)),
        };
    }
    out
}

/// The second word is a link.
fn with_link(text: &str) -> String {
    let mut words = text.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some(one), Some(two), Some(rest)) => {
            format!("{} <a href=\"/go\">{}</a> {}", escaped(one), escaped(two), escaped(rest))
        }
        _ => escaped(text),
    }
}

/// As a post is typed: one line below the other.
fn as_lines(texts: &[&str]) -> String {
    texts.iter().map(|text| escaped(text)).collect::<Vec<_>>().join("<br>\n<br>\n")
}

/// The name of nobody.
fn name(lang: &str, chance: &mut Chance) -> String {
    const HAN: [char; 16] =
        ['云', '海', '风', '小', '雨', '山', '月', '林', '石', '江', '秋', '明', '远', '青', '木', '星'];
    const UYGHUR: [&str; 10] = ["با", "دى", "كۈ", "مۇ", "نا", "رە", "سا", "تۇ", "گۈ", "لى"];
    match lang {
        "zh" | "ja" => (0..2 + chance.below(3)).map(|_| HAN[chance.below(16)]).collect(),
        "ug" => (0..2 + chance.below(2)).map(|_| UYGHUR[chance.below(10)]).collect(),
        _ => match chance.below(3) {
            0 => format!("{}{}", made_up(chance.bits()), chance.below(100)),
            _ => made_up(chance.bits()),
        },
    }
}

fn date(chance: &mut Chance) -> String {
    let (year, month, day) = (2004 + chance.below(22), 1 + chance.below(12), 1 + chance.below(28));
    let (hour, minute) = (chance.below(24), chance.below(60));
    match chance.below(3) {
        0 => format!("{year}-{month}-{day} {hour:02}:{minute:02}"),
        1 => format!("{year}-{month:02}-{day:02}"),
        _ => format!("{day:02}.{month:02}.{year}, {hour:02}:{minute:02}"),
    }
}
