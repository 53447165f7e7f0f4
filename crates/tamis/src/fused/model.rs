//! A model as a file: plain text, with a version, a digest that names it, and the names of the features it was trained on.

use std::fmt;
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use super::features::{self, Words};
use super::odds::Odds;
use super::page_type::{LEARNED, PageType};
use super::second_pass;
use super::trees::{Forest, LEAF, Node};

/// The first line of a model file.
const HEAD: &str = "tamis fused model 1";
/// What the second line begins with, where a model says which one it is. Models of before do not.
const DIGEST: &str = "digest ";
/// The section with the names of the numbers of a page. Models of before do not have it.
const OF_PAGE: &str = "page features";

/// All that was learned.
///
/// ```
/// use tamis::fused::Model;
///
/// let model = Model::shipped();
/// assert_eq!(Model::read(&model.to_string()).as_ref(), Ok(model), "what is written can be read");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// What words say.
    pub words: Words,
    /// The trees of the first pass.
    pub first: Forest,
    /// The trees of the second pass.
    pub second: Forest,
    /// The trees for each [kind of page](super::PageType) that is learned; none if kinds were not learned.
    pub types: Vec<Forest>,
    /// What token F1 pages had, by what was expected of them: pairs with rising expectation.
    pub reliability: Vec<(f32, f32)>,
}

/// Why a file is no model that can be used.
///
/// ```
/// use tamis::fused::{Model, ModelError};
///
/// assert_eq!(Model::read("a letter to my aunt"), Err(ModelError::NotAModel));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// It is something else, or of another version.
    #[error(
        "this is no model of this version of Tamis: its first line is not {HEAD:?}; train one with `tamis train`"
    )]
    NotAModel,
    /// The features have changed since it was trained.
    #[error(
        "the model was trained on other features than this version of Tamis has; train it again with `tamis train`"
    )]
    OtherFeatures,
    /// The lines are not those that were written.
    #[error(
        "the model has been changed since it was trained: its digest is not that of its lines; copy or train it again, or take out its second line if the change was meant"
    )]
    Changed,
    /// A line cannot be understood.
    #[error("line {line} of the model is damaged: {what}; train it again with `tamis train`")]
    Damaged {
        /// Which.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
}

impl Model {
    /// The model that comes with the library; see `models/README.md` for how it was made.
    ///
    /// ```
    /// assert!(tamis::fused::Model::shipped().first.roots.len() > 10);
    /// ```
    pub fn shipped() -> &'static Model {
        static SHIPPED: LazyLock<Model> =
            LazyLock::new(|| Model::read(include_str!("../../models/fused-1.txt")).unwrap_or_default());
        &SHIPPED
    }

    /// Reads a model file.
    ///
    /// ```
    /// use tamis::fused::Model;
    ///
    /// let text = Model::default().to_string();
    /// assert_eq!(Model::read(&text), Ok(Model::default()));
    /// let error = Model::read(&text.replace("first 0 0", "first 0 many")).unwrap_err();
    /// assert!(error.to_string().starts_with("line "), "{error}");
    /// ```
    pub fn read(text: &str) -> Result<Model, ModelError> {
        // Some editors put a byte-order mark before a text.
        let mut lines = Lines { rest: text.strip_prefix('\u{FEFF}').unwrap_or(text), read: 0 };
        if lines.next().ok().map(|(_, line)| line) != Some(HEAD) {
            return Err(ModelError::NotAModel);
        }
        let is_changed = match lines.rest.starts_with(DIGEST) {
            true => {
                let said = lines.next()?.1;
                digest_of(lines.rest) != said[DIGEST.len()..]
            }
            false => false,
        };
        let [names] = lines.section("features")?;
        let expected = || features::names().iter().chain(&second_pass::NAMES).copied();
        let mut same = names == expected().count();
        for name in expected() {
            same &= lines.next()?.1 == name;
            if !same {
                return Err(ModelError::OtherFeatures);
            }
        }
        if lines.rest.starts_with(OF_PAGE) {
            let [names] = lines.section(OF_PAGE)?;
            let expected = features::page_names();
            let mut same = names == expected.len();
            for name in expected {
                same = same && lines.next()?.1 == name;
            }
            if !same {
                return Err(ModelError::OtherFeatures);
            }
        }
        let classes = lines.odds("classes")?;
        let texts = lines.odds("texts")?;
        let mut types = <[Odds; LEARNED]>::default();
        for (odds, kind) in types.iter_mut().zip(PageType::ALL) {
            *odds = lines.odds(kind.name())?;
        }
        let width = features::names().len();
        let first = lines.forest("first", width)?;
        let second = lines.forest("second", width + second_pass::MORE)?;
        let [kinds] = lines.section("kinds")?;
        if kinds != 0 && kinds != LEARNED {
            return Err(ModelError::OtherFeatures);
        }
        let kinds = PageType::ALL[..kinds].iter();
        let page_types = kinds.map(|kind| lines.forest(kind.name(), features::page_names().len()));
        let page_types = page_types.collect::<Result<Vec<_>, _>>()?;
        let [points] = lines.section("reliability")?;
        let mut reliability: Vec<(f32, f32)> = Vec::new();
        for _ in 0..points {
            let (line, [expected, was]) = lines.numbers()?;
            let damaged = |what| Err(ModelError::Damaged { line, what });
            if [expected, was].iter().any(|share| !(0.0..=1.0).contains(share)) {
                return damaged("two numbers from 0 to 1 should stand here");
            }
            if reliability.last().is_some_and(|(before, _)| *before >= expected) {
                return damaged("what is expected should rise from line to line");
            }
            if reliability.last().is_some_and(|(_, before)| *before > was) {
                return damaged("what pages had should not fall where more is expected");
            }
            reliability.push((expected, was));
        }
        lines.end()?;
        if is_changed {
            return Err(ModelError::Changed);
        }
        Ok(Model { words: Words { classes, texts, types }, first, second, types: page_types, reliability })
    }

    /// A name for the model, by which it is known in its file and in the recipe beside it: the digest of what it holds.
    ///
    /// ```
    /// use tamis::fused::Model;
    ///
    /// let digest = Model::default().digest();
    /// assert_eq!(digest.len(), 16);
    /// assert_eq!(Model::default().to_string().lines().nth(1), Some(format!("digest {digest}").as_str()));
    /// assert_ne!(digest, Model::shipped().digest());
    /// ```
    pub fn digest(&self) -> String {
        digest_of(&Body(self).to_string())
    }

    /// The token F1 that pages had of which `expected` was expected. Below the lowest point of the line, it falls evenly to 0.
    ///
    /// ```
    /// use tamis::fused::Model;
    ///
    /// let model = Model { reliability: vec![(0.5, 0.4), (0.9, 0.8)], ..Model::default() };
    /// assert!((model.confidence(0.7) - 0.6).abs() < 1e-6);
    /// assert!((model.confidence(0.25) - 0.2).abs() < 1e-6 && model.confidence(0.0) == 0.0);
    /// ```
    pub fn confidence(&self, expected: f32) -> f32 {
        let next = self.reliability.partition_point(|(x, _)| *x < expected);
        let confidence =
            match (next.checked_sub(1).and_then(|at| self.reliability.get(at)), self.reliability.get(next)) {
                (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (expected - x0) / (x1 - x0).max(1e-6),
                (Some((_, y)), None) => *y,
                (None, Some((x, y))) => y * expected / x.max(1e-6),
                (None, None) => expected,
            };
        confidence.clamp(0.0, 1.0)
    }
}

/// The digest of the lines of a model, whatever ends them.
fn digest_of(body: &str) -> String {
    let plain = body.ends_with('\n') && memchr::memchr(b'\r', body.as_bytes()).is_none();
    let digest = if plain {
        xxh3_64(body.as_bytes())
    } else {
        xxh3_64(body.lines().flat_map(|line| [line, "\n"]).collect::<String>().as_bytes())
    };
    format!("{digest:016x}")
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = Body(self).to_string();
        write!(f, "{HEAD}\n{DIGEST}{}\n{body}", digest_of(&body))
    }
}

/// What a model holds, without its name.
struct Body<'m>(&'m Model);

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.0;
        let names = features::names();
        writeln!(f, "features {}", names.len() + second_pass::MORE)?;
        for name in names.iter().chain(&second_pass::NAMES) {
            writeln!(f, "{name}")?;
        }
        let names = features::page_names();
        writeln!(f, "{OF_PAGE} {}", names.len())?;
        names.iter().try_for_each(|name| writeln!(f, "{name}"))?;
        let types = PageType::ALL.iter().map(|kind| kind.name()).zip(&model.words.types);
        for (name, odds) in
            [("classes", &model.words.classes), ("texts", &model.words.texts)].into_iter().chain(types)
        {
            writeln!(f, "{name} {}", odds.entries().len())?;
            for (hash, odds) in odds.entries() {
                writeln!(f, "{hash} {odds}")?;
            }
        }
        write_forest(f, "first", &model.first)?;
        write_forest(f, "second", &model.second)?;
        writeln!(f, "kinds {}", model.types.len())?;
        for (kind, forest) in PageType::ALL.iter().zip(&model.types) {
            write_forest(f, kind.name(), forest)?;
        }
        writeln!(f, "reliability {}", model.reliability.len())?;
        for (expected, was) in &model.reliability {
            writeln!(f, "{expected} {was}")?;
        }
        Ok(())
    }
}

fn write_forest(f: &mut fmt::Formatter<'_>, name: &str, forest: &Forest) -> fmt::Result {
    writeln!(f, "{name} {} {}", forest.roots.len(), forest.nodes.len())?;
    writeln!(f, "{}", forest.base)?;
    for root in &forest.roots {
        writeln!(f, "{root}")?;
    }
    for node in &forest.nodes {
        match node.feature {
            LEAF => writeln!(f, "{}", node.value)?,
            feature => writeln!(f, "{feature} {} {}", node.value, node.left)?,
        }
    }
    Ok(())
}

struct Lines<'t> {
    rest: &'t str,
    /// How many were read.
    read: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self) -> Result<(usize, &'t str), ModelError> {
        if self.rest.is_empty() {
            return Err(ModelError::Damaged { line: self.read + 1, what: "the file ends too early" });
        }
        // As `str::lines` does it.
        let end = memchr::memchr(b'\n', self.rest.as_bytes());
        let (line, rest) = end.map_or((self.rest, ""), |end| (&self.rest[..end], &self.rest[end + 1..]));
        self.rest = rest;
        self.read += 1;
        let line = if end.is_some() { line.strip_suffix('\r').unwrap_or(line) } else { line };
        Ok((self.read, line))
    }

    /// Nothing may follow.
    fn end(&mut self) -> Result<(), ModelError> {
        match self.next() {
            Ok((line, _)) => Err(ModelError::Damaged { line, what: "the model should end before it" }),
            Err(_) => Ok(()),
        }
    }

    /// The head of a section: its name and how much it holds.
    fn section<const N: usize>(&mut self, name: &str) -> Result<[usize; N], ModelError> {
        let (line, text) = self.next()?;
        let damaged = ModelError::Damaged { line, what: "a section should begin here" };
        let rest = text.strip_prefix(name).ok_or(damaged.clone())?;
        let numbers: Option<Vec<usize>> = rest.split_whitespace().map(|number| number.parse().ok()).collect();
        numbers.unwrap_or_default().try_into().map_err(|_| damaged)
    }

    fn numbers<const N: usize>(&mut self) -> Result<(usize, [f32; N]), ModelError> {
        let (line, text) = self.next()?;
        let numbers: Option<Vec<f32>> = text.split_whitespace().map(finite).collect();
        let numbers = numbers
            .unwrap_or_default()
            .try_into()
            .map_err(|_| ModelError::Damaged { line, what: "numbers should stand here" })?;
        Ok((line, numbers))
    }

    fn odds(&mut self, name: &str) -> Result<Odds, ModelError> {
        let [words] = self.section(name)?;
        // No line is empty, so that a number that is too high asks for no more room than the file has.
        let mut entries = Vec::with_capacity(words.min(self.rest.len()));
        for _ in 0..words {
            let (line, text) = self.next()?;
            let entry = split(text).and_then(|(hash, odds)| Some((hash.parse().ok()?, finite(odds)?)));
            entries.push(
                entry.ok_or(ModelError::Damaged { line, what: "a word and its odds should stand here" })?,
            );
        }
        Ok(Odds::new(entries))
    }

    fn forest(&mut self, name: &str, width: usize) -> Result<Forest, ModelError> {
        let [trees, nodes] = self.section(name)?;
        let (_, [base]) = self.numbers()?;
        let room = |count: usize| count.min(self.rest.len());
        let (roots, places) = (Vec::with_capacity(room(trees)), Vec::with_capacity(room(nodes)));
        let mut forest = Forest { base, roots, nodes: places };
        for _ in 0..trees {
            let (line, text) = self.next()?;
            let root = text.parse().ok().filter(|root| (*root as usize) < nodes);
            forest.roots.push(
                root.ok_or(ModelError::Damaged { line, what: "the root of a tree should stand here" })?,
            );
        }
        for place in 0..nodes {
            let (line, text) = self.next()?;
            let damaged = ModelError::Damaged { line, what: "a node of a tree should stand here" };
            forest.nodes.push(node(text, place, nodes, width).ok_or(damaged)?);
        }
        Ok(forest)
    }
}

/// What stands before and behind the first space. Lines are so short that looking for it costs more than looking at them.
fn split(text: &str) -> Option<(&str, &str)> {
    let space = text.bytes().position(|byte| byte == b' ')?;
    Some((&text[..space], &text[space + 1..]))
}

/// A number that can be reckoned with: "NaN" and "inf" are numbers too.
fn finite(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

/// Children come after their parents, so that every walk down ends.
fn node(text: &str, place: usize, nodes: usize, width: usize) -> Option<Node> {
    let Some((feature, rest)) = split(text) else {
        return Some(Node { feature: LEAF, value: finite(text)?, left: 0 });
    };
    // More than three are none: what stands behind the second space has to be one number.
    let (value, left) = split(rest)?;
    let (feature, value, left) = (feature.parse().ok()?, finite(value)?, left.parse::<u32>().ok()?);
    let fits = usize::from(feature) < width && (left as usize) > place && (left as usize) + 1 < nodes;
    fits.then_some(Node { feature, value, left })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Model {
        let leaf = |value| Node { feature: LEAF, value, left: 0 };
        let nodes = vec![Node { feature: 3, value: 0.25, left: 1 }, leaf(-1.5), leaf(0.75)];
        let forest = Forest { base: -0.5, roots: vec![0], nodes };
        Model {
            words: Words {
                classes: Odds::new([(7, 1.5)]),
                texts: Odds::new([(9, -2.0), (1, 0.25)]),
                ..Words::default()
            },
            first: forest.clone(),
            second: forest.clone(),
            types: vec![forest; LEARNED],
            reliability: vec![(0.2, 0.4), (0.9, 0.8)],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let model = small();
        assert_eq!(Model::read(&model.to_string()), Ok(model));
    }

    #[test]
    fn damaged_models_are_named() {
        assert_eq!(Model::read("x"), Err(ModelError::NotAModel));
        assert_eq!(Model::read(""), Err(ModelError::NotAModel));
        let text = small().to_string();
        assert_eq!(Model::read(&text.replace("link share", "link sharf")), Err(ModelError::OtherFeatures));
        // A tree that leads back to its own root would never end.
        let loops = text.replace("3 0.25 1", "3 0.25 0");
        assert!(matches!(Model::read(&loops), Err(ModelError::Damaged { .. })));
        let lines: Vec<&str> = text.lines().collect();
        for end in 1..lines.len() {
            assert!(Model::read(&lines[..end].join("\n")).is_err(), "{end} lines");
        }
    }

    #[test]
    fn models_with_numbers_that_are_none_were_taken() {
        let text = small().to_string();
        let damaged_at = |text: &str| match Model::read(text) {
            Err(ModelError::Damaged { line, .. }) => line,
            other => panic!("{other:?}"),
        };
        // Base, leaf, threshold, odds, reliability.
        for number in ["-0.5\n", "0.75\n", "3 0.25 1\n", "7 1.5\n", "0.9 0.8\n"] {
            let place = text.find(&format!("\n{number}")).unwrap() + 1;
            let line = text[..place].lines().count() + 1;
            for bad in ["NaN", "inf", "-infinity"] {
                let part = number.trim_end().split(' ').nth(usize::from(number.contains(' '))).unwrap();
                let mut changed = text.clone();
                changed.replace_range(place..place + number.len(), &number.replace(part, bad));
                assert_eq!(damaged_at(&changed), line, "{bad} in {number:?}");
            }
        }
        let lines = text.lines().count();
        assert_eq!(damaged_at(&text.replace("0.9 0.8", "0.2 0.8")), lines, "it does not rise");
        assert_eq!(damaged_at(&text.replace("0.9 0.8", "0.9 0.8 0.7")), lines, "a third number");
        assert_eq!(damaged_at(&format!("{text}0.95 0.9\n")), lines + 1, "a line behind the end");
        assert_eq!(damaged_at(text.trim_end().rsplit_once('\n').unwrap().0), lines, "it ends too early");
    }

    #[test]
    fn a_model_with_a_byte_order_mark_or_other_line_ends_was_refused() {
        let text = small().to_string();
        assert_eq!(Model::read(&format!("\u{FEFF}{text}")), Ok(small()));
        assert_eq!(Model::read(&text.replace('\n', "\r\n")), Ok(small()));
        assert_eq!(Model::read(text.trim_end()), Ok(small()));
    }

    #[test]
    fn reliability_that_is_none_was_taken() {
        let text = small().to_string();
        for bad in ["0.9 5.0", "1.9 0.8", "0.9 -0.1", "0.9 0.3"] {
            let changed = text.replace("0.9 0.8", bad);
            assert!(matches!(Model::read(&changed), Err(ModelError::Damaged { .. })), "{bad}");
        }
    }

    #[test]
    fn a_model_whose_page_has_other_numbers_was_taken() {
        let text = small().to_string();
        let other = text.replace("\nkept words\nkept blocks\n", "\nkept blocks\nkept words\n");
        assert_ne!(other, text);
        assert_eq!(Model::read(&other), Err(ModelError::OtherFeatures));
    }

    #[test]
    fn a_model_that_was_changed_is_told_and_one_of_before_is_read() {
        let text = small().to_string();
        let changed = text.replace("0.9 0.8", "0.9 0.7");
        assert_eq!(Model::read(&changed), Err(ModelError::Changed));
        // Without its digest, and without the names of the page's numbers, as models were written before.
        let lines: Vec<&str> = text.lines().collect();
        let of_page = lines.iter().position(|line| line.starts_with(OF_PAGE)).unwrap();
        let rest = &lines[of_page + 1 + features::page_names().len()..];
        let before = [&lines[..1], &lines[2..of_page], rest].concat().join("\n");
        assert_eq!(Model::read(&before), Ok(small()));
        assert_eq!(small().digest(), lines[1][DIGEST.len()..]);
    }

    #[test]
    fn confidence_is_read_off_between_the_points() {
        let model = small();
        assert!((model.confidence(0.55) - 0.6).abs() < 1e-6);
        assert_eq!((model.confidence(0.0), model.confidence(1.0)), (0.0, 0.8));
    }
}
