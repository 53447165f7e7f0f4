//! The parts of posts: who wrote, when, under which number, and which blocks are what they say.
//!
//! Posts of one thread are built alike, so what stands at the same place in most of them is the same part: the place with
//! the most words holds what is said, and a short text that most posts repeat is a label.

use std::ops::Range;

use tamis_html::{Name, NodeId, NodeRef, Step};

use super::classes::Class;
use super::outline::{Outline, TIME_LINE, hidden_time, is_seen, mix, names_writer};
use super::runs::Unit;
use super::words::{number, signer};
use super::{Post, Quote, quotes, times};
use crate::block::Block;
use crate::characters::is_letter;
use crate::hashing::{NumberMap, NumberSet, TextMap};
use crate::signature::{self, is_line_of_dashes};

/// The share of the words that a part of a post must hold for the rest to be left out.
const MOST: f32 = 0.8;
/// What is repeated from post to post, labels and subjects, has at most so many words; two posts may only agree in so many
/// letters.
const LABEL: u32 = 20;
const SHORT: usize = 20;
/// A line about a post, beside what it says.
const LINE: u32 = 8;
/// How many blocks are looked at for labels, for each block of the page: posts may stand inside of posts.
const BUDGET: usize = 8;

/// What an element inside of a post is.
#[derive(Clone, Copy, Default)]
struct Slot {
    above: u64,
    /// Words of its blocks, over all posts.
    words: u32,
    posts: u32,
    /// The last post it was met in, and whether it was met twice in one.
    last: u32,
    twice: bool,
    /// Is it a box, not a line?
    is_box: bool,
}

pub(super) fn of(outline: &Outline<'_>, units: &[Unit], by_lines: bool) -> Vec<Post> {
    let labels = Labels::of(outline, units);
    let bodies: Vec<Option<Range<usize>>> =
        if by_lines { vec![None; units.len()] } else { body_ranges(outline, units) };
    let starts: NumberSet<NodeId> = units.iter().map(|unit| unit.element).collect();
    let mut posts = Vec::with_capacity(units.len());
    for (at, unit) in units.iter().enumerate() {
        let mut post = Post::new(unit.element, unit.blocks.clone());
        let body = match (&bodies[at], by_lines) {
            (Some(body), _) => body.clone(),
            (None, true) => outline.blocks_of(unit.element).end..unit.blocks.end,
            (None, false) => unit.blocks.clone(),
        };
        let scope =
            Scope { outline, unit, body, starts: &starts, labels: &labels, posts: units.len(), by_lines };
        scope.read(&mut post);
        posts.push(post);
    }
    posts
}

/// For each post, the blocks of the part that holds what is said: the deepest place that most posts have, and that has
/// most of their words.
fn body_ranges(outline: &Outline<'_>, units: &[Unit]) -> Vec<Option<Range<usize>>> {
    let starts: NumberSet<NodeId> = units.iter().map(|unit| unit.element).collect();
    let mut slots: NumberMap<u64, Slot> = NumberMap::default();
    let mut below: NumberMap<u64, Vec<u64>> = NumberMap::default();
    each_place(outline, units, &starts, |unit, above, place, node| {
        let slot = slots.entry(place).or_insert_with(|| {
            below.entry(above).or_default().push(place);
            Slot { above, is_box: is_box(node), last: u32::MAX, ..Slot::default() }
        });
        slot.twice |= slot.last == unit;
        slot.posts += u32::from(slot.last != unit);
        slot.last = unit;
        slot.words += outline.long_words_in(outline.blocks_of(node.id()));
    });
    let mut place = 0;
    let mut words: u32 = units.iter().map(|unit| outline.long_words_in(unit.blocks.clone())).sum();
    if words == 0 {
        return vec![None; units.len()];
    }
    loop {
        let inside = below.get(&place).into_iter().flatten().filter_map(|id| Some((*id, slots.get(id)?)));
        let wordiest = inside.max_by_key(|(id, slot)| (slot.words, *id));
        match wordiest {
            Some((id, slot))
                if slot.is_box
                    && !slot.twice
                    && slot.above == place
                    && slot.words as f32 >= MOST * words as f32 =>
            {
                place = id;
                words = slot.words;
            }
            _ => break,
        }
    }
    let mut ranges = vec![None; units.len()];
    if place == 0 {
        return ranges;
    }
    let mut shape = 0;
    each_place(outline, units, &starts, |unit, _, at, node| {
        if at == place {
            shape = outline.shape[node.id().index()];
            ranges[unit as usize] = Some(outline.blocks_of(node.id()));
        }
    });
    // A post that is built somewhat otherwise has a part of the same shape elsewhere.
    let missing: Vec<bool> = ranges.iter().map(Option::is_none).collect();
    if !missing.contains(&true) {
        return ranges;
    }
    let mut most = vec![0; units.len()];
    each_place(outline, units, &starts, |unit, _, _, node| {
        let unit = unit as usize;
        let blocks = outline.blocks_of(node.id());
        if missing[unit] && outline.shape[node.id().index()] == shape {
            let words = outline.long_words_in(blocks.clone());
            if words > most[unit] {
                most[unit] = words;
                ranges[unit] = Some(blocks);
            }
        }
    });
    ranges
}

fn is_box(node: NodeRef<'_>) -> bool {
    !matches!(
        node.name_id(),
        Some(
            Name::P
                | Name::SPAN
                | Name::A
                | Name::B
                | Name::I
                | Name::FONT
                | Name::STRONG
                | Name::EM
                | Name::BLOCKQUOTE
        )
    )
}

/// Goes through all elements inside of posts, each with the number of its post, the place around it and its own. A post
/// that stands in another is left out there.
fn each_place<'p>(
    outline: &Outline<'p>,
    units: &[Unit],
    starts: &NumberSet<NodeId>,
    mut take: impl FnMut(u32, u64, u64, NodeRef<'p>),
) {
    for (number, unit) in units.iter().enumerate() {
        let mut above: Vec<u64> = vec![0];
        let top = outline.page.node(unit.element);
        let mut steps = top.walk();
        while let Some(step) = steps.next() {
            match step {
                Step::Enter(node) if node.is_element() && node != top => {
                    let around = above.last().copied().unwrap_or_default();
                    let own = mix(around, outline.shape[node.id().index()]);
                    above.push(own);
                    if starts.contains(&node.id()) {
                        steps.skip_below();
                    } else {
                        take(number as u32, around, own, node);
                    }
                }
                Step::Leave(node) if node.is_element() && node != top => _ = above.pop(),
                _ => {}
            }
        }
    }
}

/// Short texts that most posts repeat, by their letters.
struct Labels {
    /// In how many posts each stands.
    counts: TextMap<String, usize>,
    /// For each block that was looked at, whether it is one, or has no letters: it is asked again when the post is read.
    of_block: NumberMap<u32, bool>,
}

impl Labels {
    fn of(outline: &Outline<'_>, units: &[Unit]) -> Labels {
        /// The last post it was met in, in how many it was met, and the blocks that say it.
        struct Met {
            last: usize,
            posts: usize,
            blocks: Vec<u32>,
        }
        let mut all: TextMap<String, Met> = TextMap::default();
        let mut letters = String::new();
        let mut budget = BUDGET * outline.page.blocks().len();
        for (number, unit) in units.iter().enumerate() {
            for place in unit.blocks.clone().take(budget) {
                budget -= 1;
                // What is quoted is repeated because somebody said it.
                if outline.is_quoted(place) || !label(outline, place, &mut letters) {
                    continue;
                }
                let met = match all.get_mut(letters.as_str()) {
                    Some(met) => met,
                    None => all.entry(letters.clone()).or_insert(Met {
                        last: usize::MAX,
                        posts: 0,
                        blocks: Vec::new(),
                    }),
                };
                met.posts += usize::from(met.last != number);
                met.last = number;
                met.blocks.push(place as u32);
            }
        }
        let often = |label: &str| (units.len() / 2).max(if label.chars().count() <= SHORT { 2 } else { 3 });
        let mut labels = Labels { counts: TextMap::default(), of_block: NumberMap::default() };
        for (label, met) in all {
            let is_often = met.posts >= often(&label);
            let is_label = is_often || label.is_empty();
            labels.of_block.extend(met.blocks.into_iter().map(|place| (place, is_label)));
            if is_often {
                labels.counts.insert(label, met.posts);
            }
        }
        labels
    }

    /// Is a block a label, or without letters?
    fn is_one(&self, outline: &Outline<'_>, place: usize) -> bool {
        if let Some(is_label) = self.of_block.get(&(place as u32)) {
            return *is_label;
        }
        let mut letters = String::new();
        label(outline, place, &mut letters)
            && (letters.is_empty() || self.counts.contains_key(letters.as_str()))
    }
}

/// Puts the letters of a block in the place of others, if it is short enough for a label.
fn label(outline: &Outline<'_>, place: usize, letters: &mut String) -> bool {
    let Some(block) = outline.page.blocks().get(place) else { return false };
    let is_short = block.measures.text.words <= LABEL;
    if is_short {
        letters.clear();
        letters.extend(outline.page.text(block).chars().filter(|c| is_letter(*c)));
    }
    is_short
}

/// How strongly the name of the writer was said, and the element that does, while the walk is inside of it.
#[derive(Default)]
struct NameSign {
    strength: u8,
    words: u32,
    element: Option<NodeId>,
}

/// One post, while its parts are read.
struct Scope<'a, 'p> {
    outline: &'a Outline<'p>,
    unit: &'a Unit,
    body: Range<usize>,
    starts: &'a NumberSet<NodeId>,
    labels: &'a Labels,
    posts: usize,
    by_lines: bool,
}

impl Scope<'_, '_> {
    fn read(&self, post: &mut Post) {
        let page = self.outline.page;
        let top = page.node(self.unit.element);
        // Who, when and which number: from the signs in the element.
        let mut name = NameSign::default();
        let mut said_time: Option<(usize, String)> = None;
        let mut steps = top.walk();
        // What holds no words of the post, what says so in its class, and what holds words of others, around the current place.
        let (mut apart, mut named, mut quotes) = (Vec::new(), Vec::new(), Vec::new());
        let mut last = None;
        let mut body = Vec::new();
        while let Some(step) = steps.next() {
            match step {
                Step::Enter(node) if node.is_element() => {
                    if node != top && self.starts.contains(&node.id()) {
                        steps.skip_below();
                        continue;
                    }
                    self.read_element(node, post, &mut name);
                    if self.outline.is_quote(node) {
                        quotes.push(node.id());
                        if quotes.len() == 1 {
                            post.quotes.push(Quote { author: quotes::told(node), blocks: Vec::new() });
                        }
                    } else if node != top && self.holds_no_words(node) {
                        apart.push(node.id());
                    } else if node != top && self.is_called_apart(node) {
                        named.push(node.id());
                    }
                }
                Step::Enter(node) => {
                    let Some(place) = self.outline.block_of(node.id()).filter(|place| last != Some(*place))
                    else {
                        continue;
                    };
                    last = Some(place);
                    self.read_line(place, post, &mut said_time);
                    let is_apart = !apart.is_empty() || (!named.is_empty() && self.is_label(place));
                    if !is_apart && self.is_said(place) {
                        body.push(place);
                        if let Some(quote) = post.quotes.last_mut().filter(|_| !quotes.is_empty()) {
                            quote.blocks.push(place);
                        }
                    }
                }
                Step::Leave(node) => {
                    if name.element == Some(node.id()) {
                        name.element = None;
                    }
                    for around in [&mut apart, &mut named, &mut quotes] {
                        around.pop_if(|it| *it == node.id());
                    }
                }
            }
        }
        if self.by_lines {
            body = self.body.clone().filter(|place| self.is_said(*place)).collect();
        }
        if body.is_empty() {
            // Who says what others say says it all the same.
            body = self.body.clone().filter(|place| self.may_be_said(*place)).collect();
        }
        if let Some((_, text)) = &said_time {
            if name.strength < 2
                && let Some(signer) = signer(text)
            {
                post.author = Some(signer.to_owned());
            }
            if post.time.is_none() {
                post.time = times::read(text);
                post.time_text = Some(text.clone());
            }
        }
        post.body = self.trimmed(body, said_time.map(|(place, _)| place));
        // The name of the writer is no part of what is said.
        let is_name = |place: &usize| {
            page.blocks().get(*place).is_some_and(|block| Some(page.text(block)) == post.author.as_deref())
        };
        if post.body.len() > 1 && post.body.first().is_some_and(is_name) {
            post.body.remove(0);
        }
        post.quotes.retain_mut(|quote| {
            quote.blocks.retain(|place| post.body.binary_search(place).is_ok());
            !quote.blocks.is_empty()
        });
        quotes::read(page, post);
    }

    fn read_element(&self, node: NodeRef<'_>, post: &mut Post, name: &mut NameSign) {
        let page = self.outline.page;
        if node.is(Name::TIME) && post.time.is_none() {
            let text = folded(&node.text_content());
            let told = node.attribute_named(Name::DATETIME);
            let told = told.and_then(|told| times::read_beside(&told, &text));
            post.time = told.or_else(|| times::read(&text));
            post.time_text = (!text.is_empty()).then_some(text);
        }
        let class = self.outline.class(node);
        if post.time.is_none()
            && let Some(time) = hidden_time(node, class)
        {
            post.time = Some(time);
        }
        let text = page.measures(node).text;
        if !(1..=6).contains(&text.words) || text.characters > 60 {
            return;
        }
        // What is quoted or linked in the text is no sign of who wrote it.
        let blocks = self.outline.blocks_of(node.id());
        let in_body = !self.by_lines
            && self.body != self.unit.blocks
            && blocks.start >= self.body.start
            && blocks.end <= self.body.end;
        let mut says = names_writer(node, class);
        if says == 0 && (node.is(Name::A) || node.is(Name::STRONG) || node.is(Name::B)) && text.words <= 3 {
            says = 1;
        }
        // A link inside of what names the writer is the name; beside it may stand a rank.
        let is_inside = name.element.is_some() && says > 0 && text.words < name.words;
        if (says > name.strength || is_inside) && !in_body {
            let words = folded(&node.text_content());
            let letters: String = words.chars().filter(|c| is_letter(*c)).collect();
            // One who says much is named often, but not everywhere; what names writers is believed.
            let times = self.labels.counts.get(&letters).copied().unwrap_or(0);
            let is_label = says == 1 && times >= 3 && 5 * times >= 4 * self.posts;
            let is_name = !letters.is_empty()
                && !is_label
                && !times::tells(&words)
                && number(&words).is_none()
                && words.chars().count() <= 40;
            let may_be = words.chars().count() <= 40 && !times::tells(&words) && number(&words).is_none();
            if is_name || (says >= 3 && post.author.is_none() && may_be) {
                post.author = Some(words.trim_matches(|c: char| c == ':' || c == '：').trim().to_owned());
                *name = NameSign {
                    strength: says.max(name.strength),
                    words: text.words,
                    element: Some(node.id()),
                };
            }
        }
    }

    /// What a line says about the post: its time, its number.
    fn read_line(&self, place: usize, post: &mut Post, time: &mut Option<(usize, String)>) {
        let page = self.outline.page;
        let Some(block) = page.blocks().get(place) else { return };
        let text = page.text(block);
        if time.is_none()
            && block.measures.text.words <= TIME_LINE
            && self.outline.tells_time(place)
            && !times::is_of_writer(text)
        {
            *time = Some((place, text.to_owned()));
        }
        if post.number.is_none() && block.measures.text.words <= 4 {
            post.number = number(text);
        }
    }

    fn holds_no_words(&self, node: NodeRef<'_>) -> bool {
        match node.name_id() {
            Some(Name::FORM | Name::BUTTON | Name::LABEL | Name::NAV | Name::SELECT | Name::TEXTAREA) => {
                // Some forums put the whole thread into one form.
                self.outline.words_in(self.outline.blocks_of(node.id())) < 40
            }
            _ => false,
        }
    }

    /// Does its class speak of what is no part of a post? That is no verdict: see [`Scope::is_label`].
    fn is_called_apart(&self, node: NodeRef<'_>) -> bool {
        self.outline.class(node).has(Class::APART) && !self.has_the_body(node)
    }

    /// Is a block a few words, and no sentence? Only that is left out where a class speaks against it: what somebody said in whole
    /// sentences, he said, whatever the box is called.
    fn is_label(&self, place: usize) -> bool {
        const ENDS: [char; 12] = ['.', '!', '?', '。', '！', '？', '…', '؟', '۔', '।', ';', '；'];
        let page = self.outline.page;
        page.blocks().get(place).is_none_or(|block| {
            let words = block.measures.text.words;
            words <= LINE && !(words >= 3 && page.text(block).trim_end().ends_with(ENDS))
        })
    }

    /// Does it stand around the body, or hold most of its words?
    fn has_the_body(&self, node: NodeRef<'_>) -> bool {
        let own = self.outline.words_in(self.outline.blocks_of(node.id()));
        2 * own > self.outline.words_in(self.body.clone())
    }

    fn is_said(&self, place: usize) -> bool {
        let is_quoted = self.outline.is_quoted(place);
        self.may_be_said(place) && (is_quoted || !self.labels.is_one(self.outline, place))
    }

    fn may_be_said(&self, place: usize) -> bool {
        let page = self.outline.page;
        let Some(block) = page.blocks().get(place).filter(|_| self.body.contains(&place)) else {
            return false;
        };
        let words = block.measures.text.words;
        is_seen(block)
            && block.measures.text.characters > 0
            && !(block.link_share() > 0.8 && words <= 6 && self.body == self.unit.blocks)
            && !(self.outline.tells_time(place) && words <= LINE && self.body == self.unit.blocks)
    }

    /// Without the lines around what is said that tell a time or repeat the name, and without the signature.
    fn trimmed(&self, mut body: Vec<usize>, time: Option<usize>) -> Vec<usize> {
        if let Some(end) = self.signature(&body) {
            body.truncate(end);
        }
        // The line that tells when it was written, with what stands before it at the top.
        if let Some(at) = time.and_then(|time| body.iter().position(|place| *place == time)) {
            if at <= 3 && at + 1 < body.len() {
                body.drain(..=at);
            } else if at + 1 == body.len() && at > 0 {
                body.pop();
            }
        }
        body
    }

    /// From where on the lines of a body are a signature: below a line of dashes that the writer put below his own words.
    fn signature(&self, body: &[usize]) -> Option<usize> {
        let page = self.outline.page;
        let block = |place: &usize| page.blocks().get(*place).filter(|_| !self.outline.is_quoted(*place));
        let is_text = |block: &Block| block.measures.text.words >= signature::TEXT;
        (body.len().saturating_sub(signature::LINES).max(1)..body.len()).find_map(|at| {
            let rule = body[at].checked_sub(1)?;
            block(&rule).filter(|rule| is_line_of_dashes(page.text(rule)))?;
            let above = if body[at - 1] == rule { at - 1 } else { at };
            // Nobody quotes in a signature.
            let own: Vec<&Block> = body[at..].iter().map_while(block).collect();
            let is_signature = own.len() == body.len() - at
                && signature::lines(own.into_iter()).is_some()
                && body[..above].iter().filter_map(block).any(is_text);
            is_signature.then_some(above)
        })
    }
}

pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}
