//! Where in the page a block stands: before and behind what.

use tamis_html::Name;

use super::super::numbers::ln_1p as ln;
use super::own::{Own, is_title};
use super::{Names, Row};
use crate::block::Block;
use crate::page::Page;

impl<N: Names> Row<N> {
    pub(super) fn position(&mut self, position: &Position, at: usize) {
        let blocks = position.ln.len() - 1;
        self.add("index", at as f32 / blocks as f32);
        self.add("index from start", position.ln[at]);
        self.add("index from end", position.ln[blocks - at]);
        self.add("text before", position.before / position.all);
        self.add("text behind", ln(position.all - position.before));
        self.add("since h1", position.since(position.h1, at));
        self.add("since heading", position.since(position.heading, at));
        self.add("since title", position.since(position.title, at));
        self.add("before title", position.until_title(at));
        self.add("since long", position.since(position.long, at));
        self.add("since links", position.since(position.links, at));
    }
}

/// What came before a block.
pub(super) struct Position {
    /// The logarithms of all distances there can be in the page, from 0 to the number of blocks.
    ln: Vec<f32>,
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
    pub(super) fn new(own: &[Own]) -> Position {
        let titles = own.iter().enumerate().filter(|(_, own)| is_title(own)).map(|(at, _)| at).collect();
        let all = own.iter().map(|own| own.characters).sum::<f32>().max(1.0);
        Position {
            ln: (0..=own.len()).map(|distance| ln(distance as f32)).collect(),
            all,
            before: 0.0,
            upto: 0.0,
            h1: None,
            heading: None,
            title: None,
            titles,
            long: None,
            links: None,
        }
    }

    pub(super) fn reach(&mut self, at: usize, block: &Block, page: &Page<'_>, own: &[Own]) {
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
        what.map_or(-1.0, |then| self.ln[at - then])
    }

    fn until_title(&self, at: usize) -> f32 {
        let next = self.titles.partition_point(|title| *title < at);
        self.titles.get(next).map_or(-1.0, |title| self.ln[title - at])
    }
}
