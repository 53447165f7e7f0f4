//! Generates tag soup from a seed: tags of every kind in any order, truncated, duplicated and broken.
//!
//! A case consists of pieces, so that a failing case can be minimised by removing pieces.

// The tests that share this file use different parts of it.
#![allow(dead_code)]

use super::words::{ATTRIBUTES, BUSY, CONTEXTS, NAMES, OTHER, SNIPPETS};

/// SplitMix64: a small generator whose output depends only on the seed, on every machine.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.number() % count as u64) as usize
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A case: a page or fragment in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) pieces: Vec<String>,
    pub(crate) context: Option<&'static str>,
    pub(crate) scripting: bool,
}

impl Case {
    /// The case of a seed.
    pub(crate) fn new(seed: u64) -> Case {
        let chance = &mut Chance(seed);
        let context = chance.one_in(4).then(|| chance.of(CONTEXTS));
        let scripting = chance.one_in(2);
        let names = if chance.one_in(3) { NAMES } else { chance.of(BUSY) };
        // Mostly short, since bugs arise from a few interacting tags and short cases are fast.
        let most = if chance.one_in(10) { 120 } else { 16 };
        let count = 1 + chance.below(most);
        let mut pieces: Vec<String> = (0..count).map(|_| piece(chance, names)).collect();
        if chance.one_in(3) {
            pieces.insert(0, "<!doctype html>".to_owned());
        }
        if chance.one_in(6) {
            mutate(chance, &mut pieces);
        }
        Case { pieces, context, scripting }
    }

    pub(crate) fn text(&self) -> String {
        self.pieces.concat()
    }

    /// Removes pieces, then characters, as long as `fails` returns true.
    pub(crate) fn shrunk(mut self, fails: impl Fn(&Case) -> bool) -> Case {
        for by_character in [false, true] {
            if by_character {
                self.pieces = self.text().chars().map(String::from).collect();
            }
            let mut size = self.pieces.len().div_ceil(2).max(1);
            loop {
                let mut at = 0;
                let mut smaller = false;
                while at < self.pieces.len() {
                    let mut less = self.clone();
                    less.pieces.drain(at..(at + size).min(less.pieces.len()));
                    if fails(&less) {
                        self = less;
                        smaller = true;
                    } else {
                        at += size;
                    }
                }
                if size == 1 && !smaller {
                    break;
                }
                size = if size == 1 { 1 } else { size.div_ceil(2) };
            }
        }
        self
    }
}

fn piece(chance: &mut Chance, names: &[&str]) -> String {
    match chance.below(20) {
        0..9 => start_tag(chance, names),
        9..14 => end_tag(chance, names),
        14 => chance.of(SNIPPETS).to_owned(),
        15..17 => "x".to_owned(),
        _ => chance.of(OTHER).to_owned(),
    }
}

fn name(chance: &mut Chance, names: &[&str]) -> String {
    let name = if chance.one_in(8) { chance.of(NAMES) } else { chance.of(names) };
    if chance.one_in(30) { name.to_ascii_uppercase() } else { name.to_owned() }
}

fn start_tag(chance: &mut Chance, names: &[&str]) -> String {
    let mut tag = format!("<{}", name(chance, names));
    while chance.one_in(4) {
        tag.push_str(chance.of(ATTRIBUTES));
    }
    tag.push_str(if chance.one_in(12) { "/>" } else { ">" });
    tag
}

fn end_tag(chance: &mut Chance, names: &[&str]) -> String {
    let space = if chance.one_in(20) { " x=1 " } else { "" };
    format!("</{}{space}>", name(chance, names))
}

/// Removes, duplicates and swaps pieces, and breaks one in the middle.
fn mutate(chance: &mut Chance, pieces: &mut Vec<String>) {
    for _ in 0..1 + chance.below(4) {
        let at = chance.below(pieces.len());
        match chance.below(4) {
            0 => {
                let again = pieces[at].clone();
                for _ in 0..chance.below(12) {
                    pieces.insert(at, again.clone());
                }
            }
            1 => {
                let end = pieces[at].floor_char_boundary(chance.below(pieces[at].len() + 1));
                pieces[at].truncate(end);
            }
            2 => {
                let place = pieces[at].floor_char_boundary(chance.below(pieces[at].len() + 1));
                let broken = chance.of(OTHER);
                pieces[at].insert_str(place, broken);
            }
            _ => {
                let other = chance.below(pieces.len());
                pieces.swap(at, other);
            }
        }
    }
}
