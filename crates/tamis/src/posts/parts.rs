//! The parts of posts: who wrote, when, under which number, and which blocks are what they say.
//!
//! Which part of a post holds what is said, [`body`] tells; which short texts are labels, [`repeated`].

use std::ops::Range;

use tamis_html::{Name, NodeId, NodeRef, Step};

use super::classes::Class;
use super::outline::{Outline, hidden_time, is_seen, names_writer};
use super::repeated::Labels;
use super::runs::Unit;
use super::words::{is_no_writer, leads_to_board, leads_to_file, number, signer};
use super::{Post, Quote, body, quotes, times};
use crate::block::Block;
use crate::characters::{folded, is_letter};
use crate::hashing::NumberSet;
use crate::signature;

/// A line about a post, beside what it says, has at most so many words.
pub(super) const LINE: u32 = 8;

pub(super) fn of(outline: &Outline<'_>, units: &[Unit], by_lines: bool) -> Vec<Post> {
    let labels = Labels::of(outline, units);
    let bodies: Vec<Option<Range<usize>>> =
        if by_lines { vec![None; units.len()] } else { body::ranges(outline, units, &labels) };
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
        if let Some(head) = self.unit.head {
            self.read_head(page.node(head), post, &mut name, &mut said_time);
        }
        let mut steps = top.walk();
        // What holds no words of the post, what says so in its class, and what holds words of others, around the current place.
        let (mut apart, mut named, mut quotes) = (Vec::new(), Vec::new(), Vec::new());
        // Remarks below a post are signed as well, by others.
        let mut remarks: Vec<NodeId> = Vec::new();
        let mut last = None;
        let mut body = Vec::new();
        while let Some(step) = steps.next() {
            match step {
                Step::Enter(node) if node.is_element() => {
                    if node != top && (self.starts.contains(&node.id()) || self.outline.is_parent(node)) {
                        steps.skip_below();
                        continue;
                    }
                    let is_remarks = node != top && self.is_remarks(node);
                    if is_remarks && self.is_behind_the_body(node) {
                        remarks.push(node.id());
                    }
                    if remarks.is_empty() {
                        self.read_element(node, post, &mut name);
                    }
                    if self.outline.is_quote(node) {
                        quotes.push(node.id());
                        if quotes.len() == 1 {
                            post.quotes.push(Quote { author: quotes::told(node), blocks: Vec::new() });
                        }
                    } else if is_remarks || (node != top && self.holds_no_words(node)) {
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
                    if remarks.is_empty() {
                        self.read_line(place, post, &mut said_time);
                    }
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
                    for around in [&mut apart, &mut named, &mut quotes, &mut remarks] {
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
        let bare = |text| str::trim_matches(text, |c: char| !c.is_alphanumeric());
        let is_name = |place: &usize| {
            let line = page.blocks().get(*place).map(|block| bare(page.text(block)));
            line.is_some_and(|line| !line.is_empty() && Some(line) == post.author.as_deref().map(bare))
        };
        if post.body.len() > 1 && post.body.first().is_some_and(is_name) {
            post.body.remove(0);
        }
        post.quotes.retain_mut(|quote| {
            quote.blocks.retain(|place| post.body.binary_search(place).is_ok());
            !quote.blocks.is_empty()
        });
        quotes::read(self.outline, post);
    }

    /// What the line before a post says about it.
    fn read_head(
        &self,
        head: NodeRef<'_>,
        post: &mut Post,
        name: &mut NameSign,
        time: &mut Option<(usize, String)>,
    ) {
        for node in head.descendants() {
            if node.is_element() {
                self.read_element(node, post, name);
            } else if let Some(place) = self.outline.block_of(node.id()) {
                self.read_line(place, post, time);
            }
        }
        name.element = None;
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
        let leads_elsewhere = |href: &str| leads_to_board(href) || leads_to_file(href);
        let is_nobody = || node.attribute_named(Name::HREF).is_some_and(|href| leads_elsewhere(&href));
        let is_plain = || node.is(Name::STRONG) || node.is(Name::B) || (node.is(Name::A) && !is_nobody());
        if says == 0 && text.words <= 3 && is_plain() {
            says = 1;
        }
        // A link inside of what names the writer is the name; beside it may stand a rank.
        let is_inside = name.element.is_some() && says > 0 && text.words < name.words;
        if (says > name.strength || is_inside) && !in_body {
            let words = folded(&node.text_content());
            let has_letters = words.chars().any(is_letter);
            // One who says much is named often, but not everywhere; what names writers is believed.
            let times = self.labels.times(&words);
            let is_label = says == 1 && times >= 3 && 5 * times as usize >= 4 * self.posts;
            let is_name = has_letters
                && !is_label
                && !is_no_writer(&words)
                && !times::tells(&words)
                && number(&words).is_none()
                && words.chars().count() <= 40;
            let may_be = words.chars().count() <= 40
                && !times::tells(&words)
                && number(&words).is_none()
                && !is_no_writer(&words);
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
        // What is quoted was written before.
        if time.is_none()
            && self.outline.tells_time(place)
            && !self.outline.is_quoted(place)
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
            Some(Name::SELECT | Name::TEXTAREA) => true,
            Some(Name::FORM | Name::BUTTON | Name::LABEL | Name::NAV) => {
                // Some forums put the whole thread into one form.
                self.outline.words_in(self.outline.blocks_of(node.id())) < 40
            }
            _ => false,
        }
    }

    /// Does it hold remarks of others on the post, and not the post itself?
    fn is_remarks(&self, node: NodeRef<'_>) -> bool {
        let top = self.outline.page.node(self.unit.element);
        let has_class = |node| self.outline.class(node).has(Class::REMARKS);
        has_class(node) && !has_class(top) && !self.has_the_body(node)
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

    fn is_behind_the_body(&self, node: NodeRef<'_>) -> bool {
        self.outline.blocks_of(node.id()).start >= self.body.end
    }

    /// Does it stand around the body, or hold most of its words?
    fn has_the_body(&self, node: NodeRef<'_>) -> bool {
        let own = self.outline.words_in(self.outline.blocks_of(node.id()));
        !self.is_behind_the_body(node) && 2 * own > self.outline.words_in(self.body.clone())
    }

    fn is_said(&self, place: usize) -> bool {
        // Where nothing parts a post's words from what is told of its writer, lines that begin alike in most posts tell.
        let has_lead = || self.body == self.unit.blocks && self.labels.has_lead(place);
        self.may_be_said(place)
            && (self.outline.is_quoted(place) || !(self.labels.is_label(place) || has_lead()))
    }

    fn may_be_said(&self, place: usize) -> bool {
        let page = self.outline.page;
        let Some(block) = page.blocks().get(place).filter(|_| self.body.contains(&place)) else {
            return false;
        };
        let words = block.measures.text.words;
        is_seen(block)
            && !self.outline.is_in_parent(place)
            && block.measures.text.characters > 0
            && !(block.link_share() > 0.8 && words <= 6 && self.body == self.unit.blocks)
            && !(self.outline.tells_time(place) && words <= LINE && self.body == self.unit.blocks)
    }

    /// Without the lines around what is said that tell a time or repeat the name, and without the signature.
    fn trimmed(&self, mut body: Vec<usize>, time: Option<usize>) -> Vec<usize> {
        if let Some(end) = self.signature(&body) {
            body.truncate(end);
        }
        // Who changed it and when.
        let page = self.outline.page;
        let is_note = |place: &usize| {
            self.outline.tells_time(*place)
                && page.blocks().get(*place).is_some_and(|block| times::is_of_writer(page.text(block)))
        };
        if body.len() > 1 && body.last().is_some_and(is_note) {
            body.pop();
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
            let mark = block(&rule).and_then(|rule| signature::mark(page.text(rule)))?;
            let above = if body[at - 1] == rule { at - 1 } else { at };
            // Nobody quotes in a signature.
            let own: Vec<&Block> = body[at..].iter().map_while(block).collect();
            let is_signature = own.len() == body.len() - at
                && signature::lines(mark, own.into_iter().map(|block| (block, page.text(block)))).is_some()
                && body[..above].iter().filter_map(block).any(is_text);
            is_signature.then_some(above)
        })
    }
}
