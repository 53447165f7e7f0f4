//! The title: the heading of the piece, without the site's name.
//!
//! Every text that might be it is looked at together with the signs that speak for and against it: which heading it
//! is, what metadata say the same, which part of `title` it is, whether the address spells it. The sum of the signs'
//! weights decides. The weights were fitted on half of the sites of the evaluation sets; `docs/facts.md` says how.

mod heading;
mod markup;
mod quoted;
mod shown;
mod signs;
mod site_name;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

pub(super) use signs::Signs;
pub(super) use site_name::{agrees_with_host, is_own_name, is_site_name, separators};

use super::Around;
use super::evidence::{Evidence, Field, Origin};
use crate::characters::{has_small, is_letter_or_number, small};
use crate::hashing::TextSet;
use heading::{Backed, heading_text, in_banner};
use signs::Sign;

/// Longer texts are no titles.
const LONGEST: usize = 400;
/// Shorter lines at the head of a text are names of sections as well.
const LEAST_LINE: usize = 10;
/// How many texts are looked at.
const MOST: usize = 48;

/// What programs call a page that nobody gave a title, as [`normal`] has it.
const NONE: &[&str] = &[
    "untitled",
    "untitleddocument",
    "untitledpage",
    "untitled1",
    "newpage1",
    "notitle",
    "documentsanstitre",
    "documentosintítulo",
    "documentosemtítulo",
    "documentosenzatitolo",
    "unbenanntesdokument",
    "naamloosdocument",
    "无标题",
    "无标题文档",
    "無標題文件",
    "無題ドキュメント",
    "新建网页1",
    "제목없음",
];

/// Are characters of a text still written as references, which are no words of anybody's title?
fn is_escaped_twice(text: &str) -> bool {
    text.contains('&') && ["&amp;", "&quot;", "&apos;", "&#"].iter().any(|it| text.contains(it))
}

/// A text of data with the references that it still has read.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if is_escaped_twice(text) && text.len() <= LONGEST {
        Cow::Owned(super::json_ld::references(text.to_owned()))
    } else {
        Cow::Borrowed(text)
    }
}

/// Letters and digits alone, in small letters: what two writings of one title have in common.
pub(super) fn normal(text: &str) -> String {
    if text.is_ascii() {
        // All are written, and those that are no letters written over: nothing is to be asked for each.
        let mut bytes = vec![0; text.len()];
        let mut count = 0;
        for byte in text.bytes() {
            bytes[count] = byte.to_ascii_lowercase();
            count += usize::from(byte.is_ascii_alphanumeric());
        }
        bytes.truncate(count);
        // Letters and digits of ASCII are always a text.
        return String::from_utf8(bytes).unwrap_or_default();
    }
    let mut normal = String::with_capacity(text.len());
    let add = |normal: &mut String, c: char| {
        if c.is_ascii() {
            if c.is_ascii_alphanumeric() {
                normal.push(c.to_ascii_lowercase());
            }
        } else if has_small(c) {
            normal.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
        } else if is_letter_or_number(c) {
            normal.push(c);
        }
    };
    // Most characters have their form by themselves, and looking for it costs less than making it.
    if text.chars().all(|c| plain(c).map(|c| add(&mut normal, c)).is_some()) {
        return normal;
    }
    normal.clear();
    text.nfkc().for_each(|c| add(&mut normal, c));
    normal
}

/// What NFKC makes of a character, whatever stands beside it, as far as letters and digits go. Only those of the commonest scripts are
/// known.
fn plain(c: char) -> Option<char> {
    match c {
        // Wide ones, which Chinese puts between words of ASCII.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xFEE0),
        '\u{3000}' | '\u{a0}' | '…' => Some(' '),
        c => is_plain(c).then_some(c),
    }
}

/// Characters that stand for themselves and for no other.
fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~'
        // Marks that stand between a title and a site's name, and in sentences.
        | '\u{a1}'..='\u{a7}' | '\u{a9}' | '\u{ab}' | '\u{ae}' | '\u{b0}' | '\u{b6}'..='\u{b7}' | '\u{bb}' | '\u{bf}'
        | '\u{2010}' | '\u{2013}'..='\u{2014}' | '\u{2018}'..='\u{2022}' | '\u{2039}'..='\u{203a}' | '\u{3001}'..='\u{3029}'
        // Latin, Greek, Cyrillic, Hebrew, Arabic, Kana, Han, Hangul.
        | '\u{c0}'..='\u{131}' | '\u{1ea0}'..='\u{1ef9}' | '\u{391}'..='\u{3c9}' | '\u{400}'..='\u{482}'
        | '\u{5d0}'..='\u{5ea}' | '\u{621}'..='\u{64a}' | '\u{679}'..='\u{6d3}' | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// A text that might be the title.
struct Text {
    text: String,
    normal: String,
    signs: Signs,
    origin: Origin,
}

#[derive(Default)]
struct Texts {
    list: Vec<Text>,
    by_normal: HashMap<String, usize>,
}

impl Texts {
    /// Adds a sign to a text, which is a new one or not. The first writing of it stays.
    fn add(&mut self, text: &str, sign: Sign, origin: Origin) {
        if let Some(place) = self.place(text, origin) {
            self.list[place].signs.add(sign);
        }
    }

    /// The place of a text, which is a new one or not.
    fn place(&mut self, text: &str, origin: Origin) -> Option<usize> {
        let text = text.trim();
        if text.len() > LONGEST {
            return None;
        }
        let unescaped = unescaped(text);
        let text = unescaped.trim();
        // Most texts come again as they are.
        if let Some(place) = self.list.iter().position(|known| known.text == text) {
            return Some(place);
        }
        let normal = normal(text);
        if normal.is_empty() || NONE.contains(&normal.as_str()) || normal.starts_with("poweredby") {
            return None;
        }
        match self.by_normal.get(&normal) {
            Some(&place) => Some(place),
            None if self.list.len() < MOST => {
                self.by_normal.insert(normal.clone(), self.list.len());
                self.list.push(Text { text: text.to_owned(), normal, signs: Signs::default(), origin });
                Some(self.list.len() - 1)
            }
            None => None,
        }
    }
}

/// Puts the candidates for the title among the evidence.
pub(super) fn gather(around: &Around<'_>, evidence: &mut Evidence) {
    let mut texts = Texts::default();
    headings(around, &mut texts);
    metadata(around, &mut texts);
    fed(around, &mut texts);
    title_element(around, &mut texts);
    properties(around, &mut texts);
    compare(around, &mut texts);
    for text in texts.list {
        let weight = text.signs.weight();
        evidence.add(Field::Title, text.text, text.origin, text.signs.to_string(), weight);
    }
}

fn headings(around: &Around<'_>, texts: &mut Texts) {
    let h1s: Vec<_> =
        around.scan.headings.iter().filter(|(level, _)| *level == 1).map(|(_, node)| *node).collect();
    // Most pages never ask.
    let backed = LazyCell::new(|| Backed::of(around));
    let mut nearest: Option<(u8, usize, String)> = None;
    let mut lower = 0;
    for (level, node) in &around.scan.headings {
        let distance = around.blocks_before_text(*node);
        let near = distance.is_some_and(|distance| (-3..=14).contains(&distance));
        if *level > 1 && (!near || lower >= 10) {
            continue;
        }
        if *level == 1 && texts.list.len() >= 12 {
            continue;
        }
        let text = heading_text(*node, LONGEST + 100);
        let mut text = site_name::without_tail(text.trim_end_matches(['¶', '#']).trim(), around).to_owned();
        if let Some(own) = heading::without_day(&text).filter(|own| backed.has(own) && !backed.has(&text)) {
            text = own.to_owned();
        }
        if *level == 1
            && let Some(own) =
                heading::without_kicker(*node, &text).filter(|own| backed.has(own) && !backed.has(&text))
        {
            text = own.to_owned();
        }
        if text.is_empty() {
            let Some(said) = heading::image_text(*node).filter(|_| *level <= 2) else { continue };
            // A picture is as often the site's: what is written on it is the headline where something else says the same.
            if !backed.has(&said) {
                texts.add(&said, Sign::HeadingImage, Origin::Heading);
            }
            if !backed.has(&said) || in_banner(*node) {
                continue;
            }
            text = said;
        }
        if *level == 1 {
            texts.add(&text, Sign::H1, Origin::Heading);
            if h1s.len() == 1 {
                texts.add(&text, Sign::OnlyH1, Origin::Heading);
            }
            if h1s.first() == Some(node) {
                texts.add(&text, Sign::FirstH1, Origin::Heading);
            }
            if near {
                texts.add(&text, Sign::H1Near, Origin::Heading);
            }
            if around.is_hidden(*node) {
                texts.add(&text, Sign::Hidden, Origin::Heading);
            }
            // Kicker and headline in one heading.
            let parts: Vec<_> = node.children().filter(|part| part.is_element()).collect();
            if parts.len() <= 6 {
                for part in parts {
                    texts.add(&heading_text(part, LONGEST), Sign::PartOfH1, Origin::Heading);
                }
            }
        } else {
            lower += 1;
            let sign = match level {
                2 => Sign::H2Near,
                3 => Sign::H3Near,
                _ => Sign::H4Near,
            };
            texts.add(&text, sign, Origin::Heading);
        }
        let before = distance.unwrap_or(-1);
        if before >= 0 {
            let better = nearest.as_ref().is_none_or(|(best, ..)| level <= best);
            if better {
                nearest = Some((*level, before as usize, text.clone()));
            }
        }
        if names_board(*node) {
            texts.add(&text, Sign::BoardName, Origin::Heading);
        }
        if in_home_link(*node) {
            texts.add(&text, Sign::HomeLink, Origin::Heading);
        }
    }
    if let Some((_, _, text)) = nearest {
        texts.add(&text, Sign::HighestNear, Origin::Heading);
    }
}

/// Does a heading say by its class or id that it names the site?
fn names_board(node: tamis_html::NodeRef<'_>) -> bool {
    use tamis_html::Name;
    const NAMES: [&str; 7] =
        ["boardname", "sitename", "sitetitle", "site-title", "site-name", "site_title", "brandname"];
    let mut own = [Name::ID, Name::CLASS].into_iter().filter_map(|name| node.attribute_named(name));
    own.any(|value| {
        value.split_ascii_whitespace().any(|it| NAMES.iter().any(|name| it.eq_ignore_ascii_case(name)))
    })
}

/// Is a heading a link to the front page, as a logo is?
fn in_home_link(node: tamis_html::NodeRef<'_>) -> bool {
    use tamis_html::Name;
    let links = node.ancestors().take(2).chain(node.descendants().take(6));
    links.filter(|it| it.is(Name::A)).filter_map(|it| it.attribute_named(Name::HREF)).any(|href| {
        let path = href
            .trim()
            .split_once("//")
            .map_or(href.trim(), |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
        matches!(path, "" | "/" | "./" | "#" | "/index.html" | "/index.php")
    })
}

fn metadata(around: &Around<'_>, texts: &mut Texts) {
    let scan = &around.scan;
    let keys: [(&[&str], Sign, Sign, Origin); 4] = [
        (&["og:title"], Sign::Og, Sign::OgCut, Origin::OpenGraph),
        (&["twitter:title"], Sign::Twitter, Sign::TwitterCut, Origin::Twitter),
        (&["dc.title", "dcterms.title"], Sign::Meta, Sign::MetaCut, Origin::DublinCore),
        (
            &["title", "sailthru.title", "parsely-title", "citation_title", "headline"],
            Sign::Meta,
            Sign::MetaCut,
            Origin::Meta,
        ),
    ];
    for (keys, sign, cut, origin) in keys {
        let Some(text) = scan.meta_named(keys) else { continue };
        // Twice the longest title, so that one that is too long is still seen to be.
        let start = &text[..text.floor_char_boundary(2 * LONGEST)];
        let text = markup::without(&super::json_ld::references(start.to_owned()));
        texts.add(&text, sign, origin);
        let short = site_name::without_site(&text, around);
        texts.add(&short, cut, origin);
    }
    if let Some(piece) = around.piece() {
        if let Some(headline) = piece.text_of("headline") {
            texts.add(&markup::without(headline), Sign::JsonHeadline, Origin::JsonLd);
        }
        if let Some(name) = piece.text_of("name") {
            texts.add(&markup::without(name), Sign::JsonName, Origin::JsonLd);
        }
    }
}

/// What a feed calls the page. Not among what was fitted: the sets have no feeds. It speaks of the piece alone, as JSON-LD does, and is
/// found by the page's address, so it weighs somewhat more than a headline in JSON-LD.
fn fed(around: &Around<'_>, texts: &mut Texts) {
    let title = around.told.as_ref().and_then(|told| told.entry.title.as_deref());
    if let Some(title) = title {
        texts.add(&markup::without(title), Sign::Feed, Origin::Feed);
    }
}

fn title_element(around: &Around<'_>, texts: &mut Texts) {
    let whole = around.title_text.as_str();
    if whole.is_empty() {
        return;
    }
    texts.add(whole, Sign::Title, Origin::Title);
    if let Some(thread) = site_name::thread_title(whole, around) {
        texts.add(thread, Sign::ThreadTitle, Origin::Title);
    }
    let parts = around.title_parts();
    if let Some(topic) = shown::topic(around) {
        texts.add(&topic, Sign::ThreadTitle, Origin::Title);
    }
    texts.add(&site_name::without_site(whole, around), Sign::TitleCut, Origin::Title);
    if parts.len() > 1 {
        let (first, last) = (&parts[0], &parts[parts.len() - 1]);
        texts.add(&whole[first.clone()], Sign::TitleHead, Origin::Title);
        texts.add(&whole[last.clone()], Sign::TitleTail, Origin::Title);
        texts.add(&whole[..parts[parts.len() - 2].end], Sign::TitleWithoutTail, Origin::Title);
        texts.add(&whole[parts[1].start..], Sign::TitleWithoutHead, Origin::Title);
        if let Some(longest) = parts.iter().max_by_key(|part| whole[(*part).clone()].chars().count()) {
            texts.add(&whole[longest.clone()], Sign::TitleLongest, Origin::Title);
        }
    }
}

fn properties(around: &Around<'_>, texts: &mut Texts) {
    for property in &around.scan.properties {
        let is_headline = property.names.split_whitespace().any(|name| {
            let name = name.rsplit(':').next().unwrap_or(name);
            name.eq_ignore_ascii_case("headline")
        });
        if is_headline && texts.list.len() < MOST - 8 {
            let origin = if property.is_rdfa { Origin::Rdfa } else { Origin::Microdata };
            texts.add(&super::microdata::value(property.node), Sign::Headline, origin);
        }
    }
}

/// Signs that take all texts together: which is part of which, what the address says.
fn compare(around: &Around<'_>, texts: &mut Texts) {
    let whole = around.title_text.as_str();
    let title = normal(whole);
    let parts: Vec<String> = around.title_parts().iter().map(|part| normal(&whole[part.clone()])).collect();
    let slug = around.slug_words();
    let backed: Vec<String> =
        texts.list.iter().filter(|it| is_backed(it.signs)).map(|it| it.normal.clone()).collect();
    let shown = shown::of(around, |text| backed.iter().any(|it| it == text));
    // Asked of parts of `title` alone.
    let lines = LazyCell::new(|| shown::lines_at_head(around));
    let (is_article, is_goods, is_front_page) =
        (around.is_article(), around.is_goods(), around.is_front_page());
    let mut title_words: TextSet<Cow<'_, str>> = TextSet::default();
    each_word(whole, |word| {
        title_words.insert(word);
    });
    let spelt = |normal: &String| slug.iter().filter(|word| normal.contains(word.as_str())).count();
    let agrees = |normal: &String| slug.len() >= 2 && spelt(normal) * 10 >= slug.len() * 7;
    let is_site = |normal: &String| site_name::is_normal_site_name(normal, around);
    let slug_has_part = parts.len() > 1 && parts.iter().any(|it| agrees(it) && !is_site(it));
    let is_inner = !is_front_page && parts.len() > 1 && !parts.iter().all(is_site);
    let bare_head = heading::bare_head(around);
    let title_length = title.chars().count();
    // A heading that is all of `title` is the headline below an h1 that has no word of it, as sections of a site have them.
    let is_of_section = |it: &Text| !is_backed(it.signs) && !shares_a_word(&it.text, &title_words);
    let mut h1s = texts.list.iter().filter(|it| it.signs.has(Sign::H1)).peekable();
    let is_headed_by_section = h1s.peek().is_some() && h1s.all(is_of_section);
    for text in &mut texts.list {
        let length = text.normal.chars().count();
        let signs = &mut text.signs;
        if parts.len() > 1 && parts.contains(&text.normal) {
            signs.add(Sign::PartOfTitle);
        } else if length > 3 && title.contains(&text.normal) && text.normal != title {
            signs.add(Sign::InTitle);
        } else if title_length > 3 && text.normal.contains(&title) && text.normal != title {
            signs.add(Sign::HoldsTitle);
        }
        if is_site(&text.normal) {
            signs.add(Sign::SiteName);
        }
        if is_inner && around.site_names.contains(&text.normal) && !is_backed(*signs) {
            signs.add(Sign::KnownName);
        }
        let is_all = is_headed_by_section && length >= LEAST_LINE && text.normal == title;
        if signs.is_heading() && (is_all || bare_head.as_ref() == Some(&text.normal)) {
            signs.add(Sign::HeadShown);
        }
        if shown.head.as_ref() == Some(&text.normal) {
            signs.add(Sign::HeadShown);
        }
        if signs.has(Sign::PartOfTitle) && length >= LEAST_LINE && lines.contains(&text.normal) {
            signs.add(Sign::LineShown);
        }
        if shown.names.contains(&text.normal) {
            signs.add(Sign::NameAbove);
        }
        // A page of such a name is the blog's own: then it is what `title` begins with.
        if !is_front_page
            && parts.first().is_none_or(|first| *first != text.normal)
            && text.normal != title
            && site_name::is_named_as_a_blog(&text.text)
        {
            signs.add(Sign::BlogName);
        }
        if around.remembered.contains(&text.normal) {
            signs.add(Sign::Remembered);
        }
        // A Chinese character says as much as several letters.
        let wide = text.text.chars().filter(|c| matches!(c, '\u{2e80}'..='\u{d7a3}')).count();
        let weight = length + 2 * wide;
        match weight {
            0..=7 => signs.add(Sign::VeryShort),
            8..=17 => signs.add(Sign::Short),
            121..=180 => signs.add(Sign::Long),
            181.. => signs.add(Sign::VeryLong),
            _ => {}
        }
        // In a heading two colons stand as one does: no site's name follows.
        let is_in_two = signs.is_heading() && text.text.contains(" :: ");
        if !is_in_two && separators(&text.text).len() > 1 {
            signs.add(Sign::HasSeparator);
        }
        if agrees(&text.normal) {
            signs.add(Sign::SlugAgrees);
        } else if slug.len() >= 2 && spelt(&text.normal) == 0 {
            signs.add(Sign::SlugDisagrees);
            // The address spells one part of `title`: another, of which it has no word, is no headline.
            if slug_has_part && signs.has(Sign::PartOfTitle) && !is_backed(*signs) {
                signs.add(Sign::SlugHasOther);
            }
        }
        let shared = shared_words(&text.text, &title_words);
        if shared == 0.0 {
            signs.add(Sign::NothingOfTitle);
        } else if shared >= 0.5 {
            signs.add(Sign::MuchOfTitle);
        }
        if is_front_page && signs.has(Sign::Title) {
            signs.add(Sign::FrontPage);
        }
        if is_article && signs.has(Sign::H1) {
            signs.add(Sign::ArticleH1);
        }
        if is_goods && signs.has(Sign::H1) {
            signs.add(Sign::GoodsH1);
        }
    }
}

/// Do metadata that speak of the piece alone call it so?
fn is_backed(signs: Signs) -> bool {
    [Sign::Og, Sign::OgCut, Sign::Twitter, Sign::JsonHeadline, Sign::Headline, Sign::Feed]
        .into_iter()
        .any(|it| signs.has(it))
}

/// Gives the words of a text, in small letters; a Chinese character is one by itself.
fn each_word<'t>(text: &'t str, mut given: impl FnMut(Cow<'t, str>)) {
    for word in text.split(|c: char| !is_letter_or_number(c)).filter(|word| !word.is_empty()) {
        if !word.is_ascii() && word.chars().any(|c| matches!(c, '\u{2e80}'..='\u{9fff}')) {
            word.char_indices().for_each(|(at, c)| given(word[at..at + c.len_utf8()].into()));
        } else {
            given(small(word));
        }
    }
}

/// Has a text a word that `title` has too? "And" and "the" are in any.
fn shares_a_word(text: &str, title: &TextSet<Cow<'_, str>>) -> bool {
    const LEAST: usize = 4;
    let mut shares = false;
    each_word(text, |word| {
        shares |= (word.len() >= LEAST || !word.is_ascii()) && title.contains(word.as_ref());
    });
    shares
}

/// The share of a text's words that `title` has too.
fn shared_words(text: &str, title: &TextSet<Cow<'_, str>>) -> f32 {
    let (mut shared, mut all) = (0, 0);
    each_word(text, |word| {
        all += 1;
        shared += usize::from(title.contains(word.as_ref()));
    });
    shared as f32 / all.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_characters_stand_for_themselves() {
        use unicode_normalization::char::canonical_combining_class;
        use unicode_normalization::{IsNormalized, is_nfkc_quick};
        for c in ('\0'..=char::MAX).filter(|c| is_plain(*c)) {
            assert_eq!(is_nfkc_quick([c].into_iter()), IsNormalized::Yes, "{c:?}");
            assert_eq!(canonical_combining_class(c), 0, "{c:?}");
        }
        let own = |text: String| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        for (c, form) in ('\0'..=char::MAX).filter_map(|c| Some((c, plain(c)?))) {
            assert_eq!(own([c].into_iter().nfkc().collect()), own(form.to_string()), "{c:?}");
        }
    }

    #[test]
    fn letters_and_digits_are_what_is_left() {
        for (text, expected) in [
            ("Rain, at LAST!", "rainatlast"),
            ("Ünder der Brücke", "ünderderbrücke"),
            ("ＲＡＩＮ　１２", "rain12"),
            ("e\u{301}t\u{e9}", "été"),
            ("终于下雨了 - 2010", "终于下雨了2010"),
            ("ΔΕΚΕΜΒΡΙΟΣ", "δεκεμβριοσ"),
            ("", ""),
        ] {
            assert_eq!(normal(text), expected, "{text}");
        }
    }
}
