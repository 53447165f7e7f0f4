//! Generates sentences from the word pools in `data/`.
//!
//! A data file has a `[label]` section with `name = text` lines, and pools: one pattern per line, where `{pool}`
//! stands for an entry of another pool, `{n}` and `{nn}` for numbers, and `{id}` for the identifier of the story.

use std::collections::HashMap;

/// Appends a template of `data/` with its `{{name}}` slots filled.
pub(crate) fn render(template: &str, values: &[(&str, &str)], out: &mut String) {
    let mut rest = template;
    while let Some((text, slot)) = rest.split_once("{{") {
        let (name, after) = slot.split_once("}}").unwrap();
        out.push_str(text);
        out.push_str(values.iter().find(|(key, _)| *key == name).unwrap().1);
        rest = after;
    }
    out.push_str(rest);
}

/// SplitMix64: small, fast, and deterministic on every machine.
pub(crate) struct Rng(u64);

impl Rng {
    /// A generator for one purpose: the same parts give the same numbers.
    pub(crate) fn new(parts: &[u64]) -> Self {
        let mut rng = Self(0x9E37_79B9);
        for part in parts {
            rng.0 ^= *part;
            rng.0 = rng.next();
        }
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

enum Piece {
    Text(&'static str),
    Pool(usize),
    Small,
    Large,
    Id,
}

/// One language's labels and pools.
pub(crate) struct Language {
    /// `en`, `zh`, `ug` or `ja`.
    pub(crate) code: &'static str,
    labels: HashMap<&'static str, &'static str>,
    names: HashMap<&'static str, usize>,
    pools: Vec<Vec<Vec<Piece>>>,
}

impl Language {
    /// The languages in the order of [`crate::kinds::Kind::language`].
    pub(crate) fn all() -> Vec<Language> {
        vec![
            Self::parse("en", include_str!("../data/en.txt")),
            Self::parse("zh", include_str!("../data/zh.txt")),
            Self::parse("ug", include_str!("../data/ug.txt")),
            Self::parse("ja", include_str!("../data/ja.txt")),
        ]
    }

    fn parse(code: &'static str, data: &'static str) -> Self {
        let lines = || data.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let header = |line: &'static str| line.strip_prefix('[')?.strip_suffix(']');
        let names: HashMap<_, _> =
            lines().filter_map(header).enumerate().map(|(at, name)| (name, at)).collect();
        let mut language = Language {
            code,
            labels: HashMap::new(),
            pools: names.iter().map(|_| Vec::new()).collect(),
            names,
        };
        let mut section = "";
        for line in lines() {
            if let Some(name) = header(line) {
                section = name;
            } else if section == "label" {
                let (name, text) = line.split_once(" = ").unwrap();
                language.labels.insert(name, text);
            } else {
                let pattern = language.pattern(line);
                language.pools[language.names[section]].push(pattern);
            }
        }
        language
    }

    fn pattern(&self, line: &'static str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (at, part) in line.split('{').enumerate() {
            let (slot, text) = if at == 0 { ("", part) } else { part.split_once('}').unwrap() };
            match slot {
                "" => {}
                "n" => pieces.push(Piece::Small),
                "nn" => pieces.push(Piece::Large),
                "id" => pieces.push(Piece::Id),
                name => pieces.push(Piece::Pool(self.names[name])),
            }
            pieces.push(Piece::Text(text));
        }
        pieces
    }

    /// A fixed label.
    pub(crate) fn label(&self, name: &str) -> &'static str {
        self.labels[name]
    }

    /// Appends a random entry of a pool to `out`.
    pub(crate) fn write(&self, pool: &str, rng: &mut Rng, id: &str, out: &mut String) {
        let start = out.len();
        self.fill(self.names[pool], rng, id, out);
        // A pattern may begin with a pool of lowercase phrases.
        if out.as_bytes()[start].is_ascii_lowercase() {
            out[start..=start].make_ascii_uppercase();
        }
    }

    fn fill(&self, pool: usize, rng: &mut Rng, id: &str, out: &mut String) {
        let entries = &self.pools[pool];
        for piece in &entries[rng.below(entries.len())] {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Pool(inner) => self.fill(*inner, rng, id, out),
                Piece::Small => out.push_str(&(rng.below(96) + 3).to_string()),
                Piece::Large => out.push_str(&(rng.below(9_800) + 110).to_string()),
                Piece::Id => out.push_str(id),
            }
        }
    }

    /// A random entry of a pool.
    pub(crate) fn text(&self, pool: &str, rng: &mut Rng, id: &str) -> String {
        let mut out = String::new();
        self.write(pool, rng, id, &mut out);
        out
    }

    /// Appends a paragraph of three to five sentences, with `extra` as its second sentence.
    pub(crate) fn paragraph(&self, rng: &mut Rng, extra: Option<&str>, out: &mut String) {
        let gap = if matches!(self.code, "zh" | "ja") { "" } else { " " };
        for at in 0..3 + rng.below(3) {
            if at > 0 {
                out.push_str(gap);
            }
            self.write("sentence", rng, "", out);
            if let (0, Some(extra)) = (at, extra) {
                out.push_str(gap);
                out.push_str(extra);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_fills_every_pool() {
        for language in Language::all() {
            for pool in language.names.keys().filter(|name| **name != "label") {
                let mut rng = Rng::new(&[7]);
                for _ in 0..50 {
                    let text = language.text(pool, &mut rng, "12-3");
                    assert!(
                        !text.is_empty() && !text.contains(['{', '}', '<', '&']),
                        "{}: {text}",
                        language.code
                    );
                }
            }
        }
    }
}
