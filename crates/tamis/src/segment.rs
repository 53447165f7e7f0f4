//! From tree to blocks: one walk that measures every element and cuts the text into blocks.
//!
//! A block ends where a reader would see a new line begin: at the borders of block-level elements, table cells and
//! list items, at `br`, and at elements that only a `style` attribute makes blocks. It does not end at inline tags,
//! so no word is split; and between two links that touch, a space is put, so none are glued.

mod look;

use tamis_html::{Deadline, Dom, Name, NodeKind, NodeRef, Span, Step};

use crate::block::{Block, Blocks, Hidden, Run};
use crate::characters::count;
use crate::page::Measures;
use crate::visible;
pub(crate) use look::{Seen, hidden_by};
use look::{is_block, is_never_shown};

pub(crate) fn segment(dom: &Dom<'_>, deadline: Option<Deadline>) -> (Blocks, Vec<Measures>, Vec<Seen>) {
    let honest = walk(dom, Reveal::Nothing, deadline);
    match Reveal::called_for_by(&honest.0) {
        Reveal::Nothing => honest,
        reveal => walk(dom, reveal, deadline),
    }
}

/// What is taken for seen though its markup hides it: tabs, folds and texts that a script shows. Nobody would call that
/// hidden where it is much of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reveal {
    Nothing,
    /// What a script would show.
    Veiled,
    /// What stands in `noscript` as well: some pages keep their whole text there.
    Noscript,
}

impl Reveal {
    fn called_for_by(blocks: &Blocks) -> Reveal {
        let (mut seen, mut veiled, mut noscript) = (0, 0, 0);
        for block in &blocks.list {
            *match block.hidden {
                None => &mut seen,
                Some(Hidden::Attribute | Hidden::Style | Hidden::Aria) => &mut veiled,
                Some(Hidden::Noscript) => &mut noscript,
                Some(Hidden::Template) => continue,
            } += u64::from(block.measures.text.characters);
        }
        if veiled + noscript > NEARLY_ALL * seen {
            Reveal::Noscript
        } else if MUCH * veiled > seen && veiled >= A_TEXT {
            Reveal::Veiled
        } else {
            Reveal::Nothing
        }
    }

    /// Is what stands in this hidden still?
    fn leaves(self, why: Hidden) -> bool {
        match self {
            Reveal::Nothing => true,
            Reveal::Veiled => matches!(why, Hidden::Noscript | Hidden::Template),
            Reveal::Noscript => why == Hidden::Template,
        }
    }
}

/// How many times as much is hidden as is seen, where nearly all is.
const NEARLY_ALL: u64 = 9;
/// So many times what a script would show is at least what is seen, where that is much of the page.
const MUCH: u64 = 2;
/// Characters of a text that is worth a look; less is a notice, or something that is hidden on purpose.
const A_TEXT: u64 = 100;

/// Nodes between two looks at the clock, where there is a deadline.
const STEPS_PER_LOOK: u32 = 4096;

/// Measures and cuts.
fn walk(dom: &Dom<'_>, reveal: Reveal, deadline: Option<Deadline>) -> (Blocks, Vec<Measures>, Vec<Seen>) {
    let mut segmenter = Segmenter {
        blocks: Blocks::default(),
        measures: vec![Measures::default(); dom.len()],
        seen: vec![Seen::default(); dom.len()],
        open: Vec::new(),
        current: None,
        breaks: 0,
        reveal,
    };
    // Most pages have fewer blocks and texts for so many nodes.
    segmenter.blocks.list.reserve(dom.len() / 8);
    segmenter.blocks.runs.reserve(dom.len() / 4);
    let mut steps = dom.root().walk();
    let mut taken = 0_u32;
    while let Some(step) = steps.next() {
        taken = taken.wrapping_add(1);
        if taken.is_multiple_of(STEPS_PER_LOOK) && deadline.is_some_and(Deadline::has_passed) {
            break;
        }
        match step {
            Step::Enter(node) => match node.kind() {
                NodeKind::Text => segmenter.text(node),
                NodeKind::Element if is_never_shown(node) => {
                    segmenter.seen[node.id().index()] = Seen(Seen::NEVER_SHOWN);
                    steps.skip_below();
                }
                NodeKind::Element => segmenter.enter(node),
                NodeKind::Document | NodeKind::Fragment => segmenter.open_container(node),
                NodeKind::Comment | NodeKind::Doctype => {}
            },
            Step::Leave(node) => segmenter.leave(node),
        }
    }
    segmenter.finish_block();
    (segmenter.blocks, segmenter.measures, segmenter.seen)
}

/// An element on the way down to the current place.
struct Open {
    node: u32,
    is_block: bool,
    is_link: bool,
    hidden: Option<Hidden>,
    veiled: Option<Hidden>,
}

/// The block that is being filled.
struct Current {
    element: tamis_html::NodeId,
    depth: u32,
    hidden: Option<Hidden>,
    veiled: Option<Hidden>,
    breaks_before: u8,
    text_start: usize,
    runs_start: usize,
    measures: Measures,
    span: Option<Span>,
    /// White space is due before the next character.
    space_due: bool,
    /// The last character belongs to a link that has been closed, and nothing has come since.
    after_link: bool,
}

struct Segmenter {
    blocks: Blocks,
    measures: Vec<Measures>,
    seen: Vec<Seen>,
    open: Vec<Open>,
    current: Option<Current>,
    breaks: u8,
    reveal: Reveal,
}

impl Segmenter {
    fn open_container(&mut self, node: NodeRef<'_>) {
        let parent = self.open.last();
        let hidden = parent.and_then(|parent| parent.hidden);
        let veiled = parent.and_then(|parent| parent.veiled);
        let is_link = parent.is_some_and(|parent| parent.is_link);
        self.open.push(Open { node: node.id().index() as u32, is_block: true, is_link, hidden, veiled });
    }

    fn enter(&mut self, node: NodeRef<'_>) {
        let parent = self.open.last();
        let in_link = parent.is_some_and(|parent| parent.is_link);
        let is_block = is_block(node);
        let hides = hidden_by(node, is_block);
        let veiled = parent.and_then(|parent| parent.veiled).or(hides);
        let hidden = parent.and_then(|parent| parent.hidden).or(hides.filter(|why| self.reveal.leaves(*why)));
        let hides = hides.is_some_and(|why| self.reveal.leaves(why));
        let (block, hides) = (u8::from(is_block) * Seen::BLOCK, u8::from(hides) * Seen::HIDES);
        self.seen[node.id().index()] = Seen(block | hides);
        let is_link = node.is(Name::A) && node.attribute_named(Name::HREF).is_some();
        if is_block {
            self.finish_block();
            self.breaks = 0;
        }
        let own = &mut self.measures[node.id().index()];
        if hidden.is_none() {
            own.links = u32::from(is_link);
            own.images = u32::from(is_picture(node));
        }
        if node.is(Name::BR) {
            self.finish_block();
            self.breaks = self.breaks.saturating_add(1);
        }
        if let Some(current) = &mut self.current {
            if is_link {
                // Two links that touch are two words.
                current.space_due |= current.after_link;
                current.measures.links += 1;
            }
            current.measures.images += u32::from(is_picture(node));
        }
        let is_link = is_link || in_link;
        self.open.push(Open { node: node.id().index() as u32, is_block, is_link, hidden, veiled });
    }

    fn leave(&mut self, node: NodeRef<'_>) {
        let index = node.id().index();
        let Some(open) = self.open.last() else { return };
        if open.node as usize != index {
            return;
        }
        let was_link = open.is_link;
        if open.is_block {
            self.finish_block();
            self.breaks = 0;
        }
        self.open.pop();
        if let Some(parent) = self.open.last() {
            let closed_link = was_link && !parent.is_link;
            let below = self.measures[index];
            self.measures[parent.node as usize].add(&below);
            if let Some(current) = &mut self.current {
                current.after_link |= closed_link;
            }
        }
    }

    fn text(&mut self, node: NodeRef<'_>) {
        let text = node.text();
        let Some(parent) = self.open.last() else { return };
        let (in_link, hidden) = (parent.is_link, parent.hidden);
        if visible::is_blank(&text) {
            // What shows nothing at all (a joiner, a soft hyphen by itself) parts no words.
            if let Some(current) = &mut self.current {
                current.space_due |= text.contains(char::is_whitespace);
            }
            return;
        }
        let counts = count(&text);
        if hidden.is_none() {
            let own = &mut self.measures[parent.node as usize];
            own.text += counts;
            if in_link {
                own.link_text += counts;
            }
        }
        let mut current = self.current.take().unwrap_or_else(|| self.new_block(in_link));
        current.measures.text += counts;
        if in_link {
            current.measures.link_text += counts;
        }
        for span in node.text_spans() {
            let whole = current.span.get_or_insert(span);
            *whole = Span { start: whole.start.min(span.start), end: whole.end.max(span.end) };
        }
        self.blocks.runs.push(Run { node: node.id(), in_link, characters: counts.characters });
        visible::fold(&text, &mut self.blocks.text, current.text_start, &mut current.space_due);
        current.after_link = false;
        self.current = Some(current);
    }

    /// A block for the text that comes now.
    fn new_block(&mut self, in_link: bool) -> Current {
        let at = self.open.iter().rposition(|open| open.is_block).unwrap_or(0);
        let inside = self.open.get(at);
        // A link around it began before it did.
        let measures = Measures { links: u32::from(in_link), ..Measures::default() };
        Current {
            element: tamis_html::NodeId::from_index(inside.map_or(0, |open| open.node as usize)),
            depth: at as u32,
            hidden: self.open.last().and_then(|open| open.hidden),
            veiled: self.open.last().and_then(|open| open.veiled),
            breaks_before: std::mem::take(&mut self.breaks),
            text_start: self.blocks.text.len(),
            runs_start: self.blocks.runs.len(),
            measures,
            span: None,
            space_due: false,
            after_link: false,
        }
    }

    fn finish_block(&mut self) {
        let Some(current) = self.current.take() else { return };
        self.blocks.list.push(Block {
            element: current.element,
            span: current.span.unwrap_or(Span { start: 0, end: 0 }),
            measures: current.measures,
            depth: current.depth,
            hidden: current.hidden,
            veiled: current.veiled,
            breaks_before: current.breaks_before,
            text: current.text_start..self.blocks.text.len(),
            runs: current.runs_start..self.blocks.runs.len(),
        });
    }
}

fn is_picture(node: NodeRef<'_>) -> bool {
    node.is(Name::IMG)
}

#[cfg(test)]
mod tests {
    use crate::{Hidden, Page};

    fn texts(html: &str) -> Vec<String> {
        let page = Page::parse(html);
        page.blocks().iter().map(|block| page.text(block).to_owned()).collect()
    }

    #[test]
    fn neighbouring_cells_are_not_glued() {
        assert_eq!(texts("<table><tr><td>one</td><td>word</td></tr></table>"), ["one", "word"]);
        assert_eq!(texts("<ul><li>a<li>b</ul>c"), ["a", "b", "c"]);
        assert_eq!(texts("<div>a<div>b</div>c</div>"), ["a", "b", "c"]);
    }

    #[test]
    fn words_are_not_split_at_inline_tags() {
        assert_eq!(texts("<p>un<b>believ</b>able <i>tale</i>"), ["unbelievable tale"]);
        assert_eq!(texts("<p>H<sub>2</sub>O"), ["H2O"]);
    }

    #[test]
    fn touching_links_are_two_words() {
        assert_eq!(texts("<div><a href=/a>Home</a><a href=/b>News</a></div>"), ["Home News"]);
        assert_eq!(texts("<p>see <a href=/a>here</a>, or <a href=/b>there</a>."), ["see here, or there."]);
    }

    #[test]
    fn line_breaks_part_paragraphs() {
        let page = Page::parse("<div>one<br>two<br><br>three</div>");
        let blocks: Vec<_> =
            page.blocks().iter().map(|block| (page.text(block), block.breaks_before)).collect();
        assert_eq!(blocks, [("one", 0), ("two", 1), ("three", 2)]);
    }

    #[test]
    fn inline_tags_may_act_as_blocks() {
        assert_eq!(texts("<span style='display: block'>a</span><span>b</span>"), ["a", "b"]);
        assert_eq!(texts("<x-item>one</x-item><x-item>two</x-item>"), ["one", "two"]);
        assert_eq!(texts("<a href=/><div>a</div>b</a>"), ["a", "b"]);
    }

    #[test]
    fn hidden_text_is_known_as_such() {
        let page = Page::parse(
            "<p hidden>a<p style='color:red; display:none'>b<div aria-hidden=true>c</div>\
             <noscript>d</noscript><template>e</template><p>f <i aria-hidden=true>g</i><p style='visibility:hidden'>h",
        );
        let hidden: Vec<_> = page.blocks().iter().map(|block| (page.text(block), block.hidden)).collect();
        assert_eq!(
            hidden,
            [
                ("a", Some(Hidden::Attribute)),
                ("b", Some(Hidden::Style)),
                ("c", Some(Hidden::Aria)),
                ("d", Some(Hidden::Noscript)),
                ("e", Some(Hidden::Template)),
                ("f g", None),
                ("h", Some(Hidden::Style)),
            ]
        );
        assert_eq!(page.total().text.words, 2, "only what is seen counts for elements");
    }

    #[test]
    fn a_page_that_hides_all_its_text_was_taken_for_empty() {
        let page = Page::parse("<body hidden><p>All that there is to read, until a script shows it.</body>");
        assert_eq!(page.blocks()[0].hidden, None);
        let page = Page::parse("<p>x<noscript><p>A thread of posts, for readers without scripts.</noscript>");
        assert_eq!(page.blocks()[1].hidden, None);
    }

    #[test]
    fn an_article_in_tabs_was_lost() {
        let text = "The ferry runs again, says the company: twice a day, if the ice allows.".repeat(12);
        let html = format!(
            "<p>{text}<div hidden><p>{text}</div><div aria-hidden=true><p>{text}</div><noscript>{text}</noscript>"
        );
        let page = Page::parse(&html);
        let hidden: Vec<_> = page.blocks().iter().map(|block| (block.hidden, block.veiled)).collect();
        let veiled = [None, Some(Hidden::Attribute), Some(Hidden::Aria)];
        assert_eq!(hidden[..3], veiled.map(|why| (None, why)));
        assert_eq!(hidden[3], (Some(Hidden::Noscript), Some(Hidden::Noscript)));
        let menu = format!("<div hidden>{text}</div>{}", format!("<p>{text}{text}").repeat(4));
        assert_eq!(
            Page::parse(&menu).blocks()[0].hidden,
            Some(Hidden::Attribute),
            "less than a third of the page"
        );
    }

    #[test]
    fn elements_are_measured_with_all_below_them() {
        let page = Page::parse("<div><p>one, two <a href=/>three</a></p><img src=x><a name=y>four</a></div>");
        let div = page.dom().body().unwrap().first_child().unwrap();
        let measures = page.measures(div);
        assert_eq!(measures.text.words, 4);
        assert_eq!(measures.text.punctuation, 1);
        assert_eq!(measures.link_text.characters, 5);
        assert_eq!((measures.links, measures.images), (1, 1));
        assert_eq!(page.total(), measures);
    }

    #[test]
    fn what_shows_nothing_parts_no_words() {
        assert_eq!(texts("<p><b>un</b>&shy;<b>seen</b>"), ["unseen"]);
        assert_eq!(texts("<p>a <mjx-container>b</mjx-container> c"), ["a b c"]);
        assert_eq!(texts("<math><mi>x</mi><annotation>y</annotation></math>"), ["x"]);
    }

    #[test]
    fn scripts_and_the_head_are_no_text() {
        assert_eq!(
            texts("<title>t</title><script>s</script><style>c</style><p>p<svg><text>v</text></svg>"),
            ["p"]
        );
    }
}
