//! The numbers by which the model knows a block: its own text, the elements around it, its neighbours, the blocks with the
//! same path, the page, and what the published methods say.

use std::collections::HashMap;
use std::sync::LazyLock;

use tamis_html::{Name, NodeKind};

use super::elements::{Elements, NONE, PARTS};
use super::numbers::ln_1p as ln;
use super::odds::{Odds, Said, text_words};
use crate::block::Block;
use crate::characters::{Class, class};
use crate::comments::Part;
use crate::judgement::Judgement;
use crate::methods::{containers, correlation, density, lines, text_blocks};
use crate::page::Page;
use crate::site::Site;

/// The features of a page's blocks, one row a block.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// How many there are in a row.
    pub width: usize,
    /// All rows, one behind the other.
    pub values: Vec<f32>,
    /// Their names, in order.
    pub names: Vec<&'static str>,
    /// For each block the groups it belongs to, for the second pass.
    pub places: Vec<Places>,
}

/// Where a block stands, by numbers that mean something only within its page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places {
    /// The path with class names.
    pub class_path: u64,
    /// The path without them.
    pub tag_path: u64,
    /// The elements around it that hold more than the one before, from the inside out.
    pub around: [u32; LEVELS],
}

/// How many elements around a block are looked at.
pub const LEVELS: usize = 5;

/// What was learned of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// Words in class names and ids.
    pub classes: Odds,
    /// Words of short texts.
    pub texts: Odds,
}

/// So many words of a text are looked up.
pub const LOOKED_UP: usize = 16;

struct Own {
    characters: f32,
    words: f32,
    punctuation: f32,
    link_share: f32,
    ends_sentence: bool,
    digits: f32,
    capitals: f32,
    whole_words: f32,
    arabic: f32,
    year: bool,
    said: Said,
    hash: u64,
    title_share: f32,
    title_cover: f32,
}

impl Features {
    /// The row of a block.
    pub fn row(&self, block: usize) -> &[f32] {
        &self.values[block * self.width..][..self.width]
    }

    /// Measures all blocks of a page.
    pub fn of(page: &Page<'_>, site: &Site, words: &Words) -> Features {
        let elements = Elements::of(page, &words.classes);
        let blocks = page.blocks();
        let title = title_words(page);
        let own: Vec<Own> = blocks.iter().map(|block| own(page, block, words, &title)).collect();
        let methods = [
            correlation::judge(page),
            containers::judge_with(page, containers::Options { words: containers::Words::Pairs }),
            text_blocks::judge(page),
            density::judge(page),
            lines::judge(page, site),
        ];
        let groups = Groups::of(page, &elements, &own);
        let whole = Whole::of(page, &elements, &own, &groups);
        let mut features = Features::default();
        let mut position = Position::new(page, &own);
        for (at, block) in blocks.iter().enumerate() {
            let mut row = Row { features: &mut features, named: at == 0 };
            position.reach(at, block, page, &own);
            let place = elements.place(block.element);
            let mut places = Places { around: [NONE; LEVELS], ..Places::default() };
            row.own(block, &own[at], page);
            row.elements(&elements, place, page, &mut places);
            row.neighbours(at, blocks, &own, &elements);
            row.position(&position, at, blocks.len());
            row.groups(&groups, &elements, place, &own[at], &mut places);
            row.comments(at, page);
            row.whole(&whole);
            row.methods(at, &methods);
            if at == 0 {
                features.width = features.values.len();
            }
            features.places.push(places);
        }
        features
    }
}

struct Row<'f> {
    features: &'f mut Features,
    named: bool,
}

/// The names of all features, in the order of a row.
pub fn names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        Features::of(&Page::parse("<p>a block"), &Site::default(), &Words::default()).names
    });
    &NAMES
}

fn bit(value: bool) -> f32 {
    f32::from(u8::from(value))
}

impl Row<'_> {
    fn add(&mut self, name: &'static str, value: f32) {
        self.features.values.push(value);
        if self.named {
            self.features.names.push(name);
        }
    }

    fn own(&mut self, block: &Block, own: &Own, page: &Page<'_>) {
        let element = page.element(block);
        let name = element.name_id().unwrap_or(Name::DIV);
        self.add("characters", ln(own.characters));
        self.add("words", ln(own.words));
        self.add("punctuation", ln(own.punctuation));
        self.add("punctuation share", own.punctuation / own.words.max(1.0));
        self.add("link share", own.link_share);
        self.add("links", ln(block.measures.links as f32));
        self.add("images", ln(block.measures.images as f32));
        self.add("ends a sentence", bit(own.ends_sentence));
        self.add("digits", own.digits);
        self.add("capitals", own.capitals);
        self.add("word length", own.characters / own.words.max(1.0));
        self.add("whole words", own.whole_words);
        self.add("arabic", own.arabic);
        self.add("year", bit(own.year));
        self.add("breaks before", f32::from(block.breaks_before));
        self.add("depth", block.depth as f32);
        self.add("is p", bit(name == Name::P));
        self.add("is li", bit(name == Name::LI));
        self.add("is cell", bit(matches!(name, Name::TD | Name::TH)));
        self.add("is div", bit(name == Name::DIV));
        let level = match name {
            Name::H1 => 1.0,
            Name::H2 => 2.0,
            Name::H3 => 3.0,
            Name::H4 => 4.0,
            Name::H5 => 5.0,
            Name::H6 => 6.0,
            _ => 0.0,
        };
        self.add("heading level", level);
        self.add("words say", own.said.sum);
        self.add("words say mean", own.said.sum / own.said.words.max(1) as f32);
        self.add("words say least", own.said.least);
        self.add("words say most", own.said.most);
        self.add("title share", own.title_share);
        self.add("title cover", own.title_cover);
    }

    fn elements(&mut self, elements: &Elements, place: u32, page: &Page<'_>, places: &mut Places) {
        let element = elements.get(place);
        let parts = element.map_or(0, |element| element.parts);
        for (number, part) in PARTS.iter().enumerate() {
            self.add(part, bit(parts >> number & 1 == 1));
        }
        self.add("class own", element.map_or(0.0, |element| element.own));
        self.add("class all", element.map_or(0.0, |element| element.all.sum));
        self.add("class least", element.map_or(0.0, |element| element.all.least));
        self.add("class most", element.map_or(0.0, |element| element.all.most));
        self.add("class nearest", element.map_or(0.0, |element| element.nearest));
        let parent = element.and_then(|element| elements.get(element.parent));
        self.add("class parent", parent.map_or(0.0, |parent| parent.own));

        let all = page.total().text.characters.max(1) as f32;
        let mut level = 0;
        let mut before = 0;
        for (number, around) in elements.up(place) {
            let measures = &around.measures;
            if level > 0 && measures.text.characters == before {
                continue;
            }
            if level == LEVELS {
                break;
            }
            before = measures.text.characters;
            places.around[level] = number;
            let names = &AROUND[level];
            let characters = measures.text.characters as f32;
            let link_characters = measures.link_text.characters as f32;
            self.add(names[0], ln(characters));
            self.add(names[1], link_characters / characters.max(1.0));
            self.add(names[2], characters / all);
            self.add(names[3], ln((characters - link_characters) / measures.links.max(1) as f32));
            self.add(names[4], measures.text.punctuation as f32 / measures.text.words.max(1) as f32);
            self.add(names[5], ln(characters / around.blocks.max(1) as f32));
            level += 1;
        }
        for names in &AROUND[level..] {
            for name in names {
                self.add(name, -1.0);
            }
        }

        let best = elements.get(elements.best);
        let best_score = best.map_or(1.0, |best| best.score).max(1e-6);
        let highest = elements.up(place).map(|(_, around)| around.score).fold(0.0, f32::max);
        self.add("score highest", highest / best_score);
        self.add("score own", element.map_or(0.0, |element| element.score) / best_score);
        self.add("score parent", parent.map_or(0.0, |parent| parent.score) / best_score);
        // How far up from the block, and from the best element, to where both are inside.
        let (mut a, mut b, mut steps_a, mut steps_b) = (place, elements.best, 0.0, 0.0);
        while a != b {
            let depth = |place| elements.get(place).map_or(-1, |element| i64::from(element.depth));
            let (depth_a, depth_b) = (depth(a), depth(b));
            if depth_a < 0 && depth_b < 0 {
                break;
            }
            if depth_a >= depth_b {
                a = elements.get(a).map_or(NONE, |element| element.parent);
                steps_a += 1.0;
            } else {
                b = elements.get(b).map_or(NONE, |element| element.parent);
                steps_b += 1.0;
            }
        }
        self.add("steps to best", steps_a);
        self.add("steps from best", steps_b);
        self.add("share of best", best.map_or(0.0, |best| best.measures.text.characters as f32) / all);
    }

    fn neighbours(&mut self, at: usize, blocks: &[Block], own: &[Own], elements: &Elements) {
        let here = elements.get(elements.place(blocks[at].element));
        for (number, names) in [-2, -1, 1, 2].into_iter().zip(&NEIGHBOURS) {
            let other = at.checked_add_signed(number).and_then(|at| Some((own.get(at)?, blocks.get(at)?)));
            self.add(names[0], other.map_or(-1.0, |(own, _)| ln(own.characters)));
            self.add(names[1], other.map_or(-1.0, |(own, _)| own.link_share));
            self.add(names[2], other.map_or(0.0, |(own, _)| own.said.sum));
            let other = other.and_then(|(_, block)| elements.get(elements.place(block.element)));
            let same = here.zip(other).map_or(0.0, |(here, other)| {
                if here.node == other.node {
                    3.0
                } else if here.class_path == other.class_path {
                    2.0
                } else {
                    bit(here.parent == other.parent)
                }
            });
            self.add(names[3], same);
        }
        let from = at.saturating_sub(4);
        let near = &own[from..(at + 5).min(own.len())];
        let characters: f32 = near.iter().map(|own| own.characters).sum();
        let links: f32 = near.iter().map(|own| own.characters * own.link_share).sum();
        self.add("near characters", ln(characters / near.len() as f32));
        self.add("near links", links / characters.max(1.0));
        self.add("near sentences", near.iter().map(|own| bit(own.ends_sentence)).sum::<f32>() / near.len() as f32);
    }

    fn position(&mut self, position: &Position, at: usize, blocks: usize) {
        self.add("index", at as f32 / blocks as f32);
        self.add("index from start", ln(at as f32));
        self.add("index from end", ln((blocks - at) as f32));
        self.add("text before", position.before / position.all);
        self.add("text behind", ln(position.all - position.before));
        self.add("since h1", position.since(position.h1, at));
        self.add("since heading", position.since(position.heading, at));
        self.add("since title", position.since(position.title, at));
        self.add("before title", position.until_title(at));
        self.add("since long", position.since(position.long, at));
        self.add("since links", position.since(position.links, at));
    }

    fn groups(&mut self, groups: &Groups, elements: &Elements, place: u32, own: &Own, places: &mut Places) {
        let element = elements.get(place);
        places.class_path = element.map_or(0, |element| element.class_path);
        places.tag_path = element.map_or(0, |element| element.tag_path);
        let none = Group::default();
        for (group, names) in [
            (groups.by_class.get(&places.class_path), &GROUPS[0]),
            (groups.by_tag.get(&places.tag_path), &GROUPS[1]),
        ] {
            let group = group.unwrap_or(&none);
            self.add(names[0], ln(group.blocks));
            self.add(names[1], group.characters / groups.characters.max(1.0));
            self.add(names[2], ln(group.characters / group.blocks.max(1.0)));
            self.add(names[3], group.links / group.characters.max(1.0));
            self.add(names[4], group.sentences / group.blocks.max(1.0));
            self.add(names[5], group.said / group.blocks.max(1.0));
        }
        self.add("same text", ln(groups.by_text.get(&own.hash).copied().unwrap_or(0.0)));
    }

    fn comments(&mut self, at: usize, page: &Page<'_>) {
        let part = match page.comments().part(at) {
            None => 0.0,
            Some(Part::Around) => 1.0,
            Some(Part::Body) => 2.0,
        };
        self.add("comment", part);
        let sections = page.comments().sections();
        self.add("behind comments", bit(sections.first().is_some_and(|section| section.blocks.end <= at)));
    }

    fn whole(&mut self, whole: &Whole) {
        for (name, value) in WHOLE.iter().zip(whole.values) {
            self.add(name, value);
        }
    }

    fn methods(&mut self, at: usize, methods: &[Judgement; 5]) {
        for (name, judgement) in ["correlation", "containers", "blocks", "density", "lines"].iter().zip(methods) {
            self.add(name, judgement.verdicts.get(at).map_or(0.0, |verdict| verdict.score));
        }
    }
}

const AROUND: [[&str; 6]; LEVELS] = [
    ["around0 characters", "around0 links", "around0 share", "around0 per link", "around0 punctuation", "around0 per block"],
    ["around1 characters", "around1 links", "around1 share", "around1 per link", "around1 punctuation", "around1 per block"],
    ["around2 characters", "around2 links", "around2 share", "around2 per link", "around2 punctuation", "around2 per block"],
    ["around3 characters", "around3 links", "around3 share", "around3 per link", "around3 punctuation", "around3 per block"],
    ["around4 characters", "around4 links", "around4 share", "around4 per link", "around4 punctuation", "around4 per block"],
];

const NEIGHBOURS: [[&str; 4]; 4] = [
    ["back2 characters", "back2 links", "back2 words", "back2 same"],
    ["back1 characters", "back1 links", "back1 words", "back1 same"],
    ["next1 characters", "next1 links", "next1 words", "next1 same"],
    ["next2 characters", "next2 links", "next2 words", "next2 same"],
];

const GROUPS: [[&str; 6]; 2] = [
    ["class path blocks", "class path share", "class path characters", "class path links", "class path sentences", "class path words"],
    ["tag path blocks", "tag path share", "tag path characters", "tag path links", "tag path sentences", "tag path words"],
];

const WHOLE: [&str; 20] = [
    "page characters", "page blocks", "page links", "page punctuation", "page long share", "page articles", "page h1",
    "page time", "page whole words", "page arabic", "page repeats", "page repeats share", "page og article", "page ld article",
    "page ld product", "page ld forum", "page ld list", "page best share", "page p share", "page longest",
];

fn own(page: &Page<'_>, block: &Block, words: &Words, title: &HashMap<u32, ()>) -> Own {
    let text = page.text(block);
    let counts = block.measures.text;
    let (mut letters, mut digits, mut capitals, mut whole, mut arabic, mut run, mut year) = (0u32, 0u32, 0u32, 0u32, 0u32, 0u32, false);
    // A long text is known well enough by its first part.
    let head = text.char_indices().nth(300).map_or(text, |(end, _)| &text[..end]);
    let mut number = 0u32;
    for character in head.chars().chain([' ']) {
        if character.is_ascii_digit() {
            digits += 1;
            run += 1;
            number = number.wrapping_mul(10).wrapping_add(character as u32 - 48);
        } else {
            year |= run == 4 && (1990..2040).contains(&number);
            (run, number) = (0, 0);
            match class(character) {
                Class::WholeWord => whole += 1,
                Class::PartOfWord => {
                    letters += 1;
                    capitals += u32::from(character.is_uppercase());
                    arabic += u32::from(matches!(character as u32, 0x600..=0x6FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC));
                }
                _ => {}
            }
        }
    }
    let seen = (letters + digits + whole).max(1) as f32;
    let mut said = Said::default();
    let (mut in_title, mut heard) = (0, 0);
    text_words(text, LOOKED_UP, |word| {
        said.hear(words.texts.of(word));
        in_title += u32::from(title.contains_key(&word));
        heard += 1;
    });
    let last = text.chars().next_back();
    Own {
        characters: counts.characters as f32,
        words: counts.words as f32,
        punctuation: counts.punctuation as f32,
        link_share: block.link_share(),
        ends_sentence: last.is_some_and(|last| {
            matches!(last, '.' | '!' | '?' | '。' | '！' | '？' | '…' | '؟' | '۔' | '।' | '"' | '”' | '」' | '»' | ')')
        }),
        digits: digits as f32 / seen,
        capitals: capitals as f32 / letters.max(1) as f32,
        whole_words: whole as f32 / seen,
        arabic: arabic as f32 / seen,
        year,
        said,
        hash: xxhash_rust::xxh3::xxh3_64(text.as_bytes()),
        title_share: in_title as f32 / heard.max(1) as f32,
        title_cover: in_title as f32 / title.len().max(1) as f32,
    }
}

fn title_words(page: &Page<'_>) -> HashMap<u32, ()> {
    let mut words = HashMap::new();
    text_words(&page.title(), 32, |word| {
        words.insert(word, ());
    });
    words
}

/// What came before a block.
struct Position {
    all: f32,
    before: f32,
    upto: f32,
    h1: Option<usize>,
    heading: Option<usize>,
    title: Option<usize>,
    titles: Vec<usize>,
    long: Option<usize>,
    links: Option<usize>,
}

impl Position {
    fn new(page: &Page<'_>, own: &[Own]) -> Position {
        let titles = own.iter().enumerate().filter(|(_, own)| is_title(own)).map(|(at, _)| at).collect();
        let all = own.iter().map(|own| own.characters).sum::<f32>().max(1.0);
        let _ = page;
        Position { all, before: 0.0, upto: 0.0, h1: None, heading: None, title: None, titles, long: None, links: None }
    }

    fn reach(&mut self, at: usize, block: &Block, page: &Page<'_>, own: &[Own]) {
        self.before = self.upto;
        self.upto += own[at].characters;
        match page.element(block).name_id() {
            Some(Name::H1) => self.h1 = Some(at),
            Some(Name::H2 | Name::H3 | Name::H4) => self.heading = Some(at),
            _ => {}
        }
        if is_title(&own[at]) {
            self.title = Some(at);
        }
        if let Some(before) = at.checked_sub(1).map(|before| &own[before]) {
            if before.words >= 20.0 && before.link_share < 0.3 {
                self.long = Some(at - 1);
            }
            if before.link_share > 0.8 {
                self.links = Some(at - 1);
            }
        }
    }

    fn since(&self, what: Option<usize>, at: usize) -> f32 {
        what.map_or(-1.0, |then| ln((at - then) as f32))
    }

    fn until_title(&self, at: usize) -> f32 {
        let next = self.titles.partition_point(|title| *title < at);
        self.titles.get(next).map_or(-1.0, |title| ln((title - at) as f32))
    }
}

fn is_title(own: &Own) -> bool {
    own.title_share > 0.7 && own.title_cover > 0.35 && own.said.words > 1
}

#[derive(Clone, Copy, Default)]
struct Group {
    blocks: f32,
    characters: f32,
    links: f32,
    sentences: f32,
    said: f32,
    long: f32,
}

/// Blocks with the same path, and with the same text.
struct Groups {
    by_class: HashMap<u64, Group>,
    by_tag: HashMap<u64, Group>,
    by_text: HashMap<u64, f32>,
    characters: f32,
}

impl Groups {
    fn of(page: &Page<'_>, elements: &Elements, own: &[Own]) -> Groups {
        let mut groups =
            Groups { by_class: HashMap::new(), by_tag: HashMap::new(), by_text: HashMap::new(), characters: 0.0 };
        for (block, own) in page.blocks().iter().zip(own) {
            if block.hidden.is_some() {
                continue;
            }
            let Some(element) = elements.get(elements.place(block.element)) else { continue };
            for group in [
                groups.by_class.entry(element.class_path).or_default(),
                groups.by_tag.entry(element.tag_path).or_default(),
            ] {
                group.blocks += 1.0;
                group.characters += own.characters;
                group.links += own.characters * own.link_share;
                group.sentences += bit(own.ends_sentence);
                group.said += own.said.sum;
                group.long += bit(own.words >= 15.0 && own.link_share < 0.5);
            }
            *groups.by_text.entry(own.hash).or_default() += 1.0;
            groups.characters += own.characters;
        }
        groups
    }
}

/// What the page as a whole is like.
struct Whole {
    values: [f32; WHOLE.len()],
}

impl Whole {
    fn of(page: &Page<'_>, elements: &Elements, own: &[Own], groups: &Groups) -> Whole {
        let total = page.total();
        let characters = total.text.characters.max(1) as f32;
        let (mut long, mut longest, mut in_p, mut whole, mut arabic) = (0.0, 0.0f32, 0.0, 0.0, 0.0);
        for (block, own) in page.blocks().iter().zip(own).filter(|(block, _)| block.hidden.is_none()) {
            long += if own.words >= 20.0 && own.link_share < 0.3 { own.characters } else { 0.0 };
            longest = longest.max(own.characters);
            in_p += if page.element(block).is(Name::P) { own.characters } else { 0.0 };
            whole += own.whole_words * own.characters;
            arabic += own.arabic * own.characters;
        }
        let (mut articles, mut h1, mut times) = (0.0, 0.0, 0.0);
        for element in &elements.list {
            match element.name {
                Name::ARTICLE => articles += 1.0,
                Name::H1 => h1 += 1.0,
                Name::TIME => times += 1.0,
                _ => {}
            }
        }
        // Groups of blocks that are paragraphs of several parts alike: posts, items.
        let repeats = groups.by_class.values().filter(|group| group.long >= 3.0);
        let (mut repeated, mut repeated_characters) = (0.0, 0.0);
        for group in repeats {
            repeated += 1.0;
            repeated_characters += group.characters;
        }
        let head = Head::of(page);
        let best = elements.get(elements.best);
        Whole {
            values: [
                ln(characters),
                ln(own.len() as f32),
                total.link_text.characters as f32 / characters,
                total.text.punctuation as f32 / total.text.words.max(1) as f32,
                long / characters,
                ln(articles),
                h1,
                ln(times),
                whole / characters,
                arabic / characters,
                ln(repeated),
                repeated_characters / characters,
                bit(head.og_article),
                bit(head.article),
                bit(head.product),
                bit(head.forum),
                bit(head.list),
                best.map_or(0.0, |best| best.measures.text.characters as f32) / characters,
                in_p / characters,
                ln(longest),
            ],
        }
    }
}

/// What a page says it is.
#[derive(Default)]
struct Head {
    og_article: bool,
    article: bool,
    product: bool,
    forum: bool,
    list: bool,
}

impl Head {
    fn of(page: &Page<'_>) -> Head {
        let mut head = Head::default();
        for node in page.dom().descendants() {
            if node.kind() != NodeKind::Element {
                continue;
            }
            if node.is(Name::META) {
                if node.attribute_named(Name::PROPERTY).is_some_and(|property| property == "og:type") {
                    let content = node.attribute_named(Name::CONTENT).unwrap_or_default();
                    head.og_article |= content.eq_ignore_ascii_case("article");
                    head.product |= content.contains("product");
                }
            } else if node.is(Name::SCRIPT)
                && node.attribute_named(Name::TYPE).is_some_and(|kind| kind.contains("ld+json"))
            {
                let text = node.text_content();
                let mut rest = text.as_str();
                while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"\"@type\"") {
                    rest = &rest[at + 7..];
                    let value: String = rest.chars().take(60).filter(|c| !matches!(c, ' ' | ':' | '"' | '[')).collect();
                    head.article |= ["NewsArticle", "Article", "BlogPosting", "Report"].iter().any(|name| value.starts_with(name));
                    head.product |= value.starts_with("Product");
                    head.forum |= value.starts_with("DiscussionForum") || value.starts_with("QAPage") || value.starts_with("Question");
                    head.list |= value.starts_with("ItemList") || value.starts_with("CollectionPage");
                }
            }
        }
        head
    }
}
