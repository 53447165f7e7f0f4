//! Learned parameters, and the binary file that holds them.
//!
//! All numbers are little-endian. A header of magic, format version, payload length and checksum precedes the payload:
//! the digest of the column names, the log-odds tables, the forests and the calibration points. Reading is bounded by
//! the length of the file and never panics.

use super::classifier::Scratch;
use super::features::{self, Columns, Context};
use super::forest::{EarlyExit, Forest, Split, Tree};
use super::page_type::{self, PageTypes};
use super::prediction::{BlockClass, PageType, Prediction};
use super::second_pass;
use crate::annotate::Annotations;
use crate::page::Page;
use crate::text::hash::{hash_bytes, hash_combine};
use crate::text::log_odds::LogOddsTable;

const MAGIC: [u8; 8] = *b"TAMISMDL";
const VERSION: u32 = 3;
const HEADER: usize = 24;
/// Log-odds are stored in steps of 1/1000.
const LOG_ODDS_SCALE: f32 = 1000.0;

/// Learned parameters of the classifier.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Log-odds of class tokens for main text.
    pub class_log_odds: LogOddsTable,
    /// Log-odds of words for main text.
    pub word_log_odds: LogOddsTable,
    /// Log-odds of class tokens for reader comments.
    pub comment_log_odds: LogOddsTable,
    /// First pass.
    pub first: Forest,
    /// Second pass, for uncertain blocks.
    pub second: Forest,
    /// Second pass of threads, averaged with the general one.
    pub thread: Forest,
    /// Second pass of pages that are neither articles nor threads, averaged with the general one.
    pub rare: Forest,
    /// Reader comments.
    pub comment: Forest,
    /// Bylines, dates, captions, credits.
    pub supplemental: Forest,
    /// Teasers and links to other pages.
    pub related: Forest,
    /// Log-odds of class tokens for each page type: present on the page or not.
    pub type_log_odds: Vec<LogOddsTable>,
    /// One forest per page type.
    pub page_types: Vec<Forest>,
    /// Points (expected F1, achieved F1) of the confidence calibration, ascending.
    pub calibration: Vec<(f32, f32)>,
}

/// Why a file is not a usable model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Not a model file.
    #[error("not a model file of this program")]
    NotAModel,
    /// A model of another version of the format.
    #[error("the model has format {0}, this version reads format {VERSION}: train it again")]
    Version(u32),
    /// Truncated or altered.
    #[error("the model file is damaged: {0}")]
    Damaged(&'static str),
    /// Trained for other features.
    #[error("the model was trained for other features: train it again")]
    Columns,
}

impl Model {
    /// The model that comes with the crate.
    ///
    /// # Panics
    ///
    /// If `data/model.bin` does not fit the features of this build: a fault of the build, which every test finds.
    pub fn built_in() -> Model {
        match Model::from_bytes(include_bytes!("../../data/model.bin")) {
            Ok(model) => model,
            Err(error) => panic!("data/model.bin cannot be used: {error} (docs/model.md says how)"),
        }
    }

    /// What each block is: main text as predicted, else the most probable other class.
    pub(crate) fn block_classes(&self, columns: &Columns, prediction: &Prediction) -> Vec<BlockClass> {
        let rows: Vec<u32> = (0..columns.rows as u32).collect();
        let mut best = vec![(0.0, BlockClass::Noise); rows.len()];
        for (class, forest) in [
            (BlockClass::Comment, &self.comment),
            (BlockClass::Supplemental, &self.supplemental),
            (BlockClass::Related, &self.related),
        ] {
            for (best, log_odds) in best.iter_mut().zip(forest.log_odds(columns, &rows)) {
                if log_odds > best.0 {
                    *best = (log_odds, class);
                }
            }
        }
        let class = |(kept, best): (&bool, (f32, BlockClass))| if *kept { BlockClass::Main } else { best.1 };
        prediction.kept.iter().zip(best).map(class).collect()
    }

    /// Names of the features of blocks.
    #[cfg(test)]
    pub(crate) fn column_names() -> Vec<&'static str> {
        Layout::with_columns().1
    }

    /// The confidence for an expected F1: interpolated between calibration points, the identity without points.
    pub fn confidence(&self, expected_f1: f32) -> f32 {
        let points = &self.calibration;
        let after = points.partition_point(|point| point.0 < expected_f1);
        match (points.get(after.wrapping_sub(1)), points.get(after)) {
            (Some(from), Some(to)) => {
                from.1 + (to.1 - from.1) * (expected_f1 - from.0) / (to.0 - from.0).max(1e-6)
            }
            (Some(last), None) => last.1,
            (None, Some(first)) => first.1,
            (None, None) => expected_f1,
        }
    }

    /// The model as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        payload.extend(Layout::of_engine().digest.to_le_bytes());
        for table in [&self.class_log_odds, &self.word_log_odds, &self.comment_log_odds] {
            write_table(table, &mut payload);
        }
        write_count(self.type_log_odds.len(), &mut payload);
        self.type_log_odds.iter().for_each(|table| write_table(table, &mut payload));
        for forest in [
            &self.first,
            &self.second,
            &self.thread,
            &self.rare,
            &self.comment,
            &self.supplemental,
            &self.related,
        ] {
            write_forest(forest, &mut payload);
        }
        write_count(self.page_types.len(), &mut payload);
        self.page_types.iter().for_each(|forest| write_forest(forest, &mut payload));
        write_count(self.calibration.len(), &mut payload);
        for (expected, achieved) in &self.calibration {
            payload.extend(expected.to_le_bytes());
            payload.extend(achieved.to_le_bytes());
        }
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        write_count(payload.len(), &mut bytes);
        bytes.extend(hash_bytes(&payload).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// Reads a model file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        let mut reader = Reader { rest: bytes };
        if reader.take(MAGIC.len()) != Ok(&MAGIC) {
            return Err(ModelError::NotAModel);
        }
        let version = reader.u32()?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let (length, checksum) = (reader.u32()? as usize, reader.u64()?);
        if reader.rest.len() != length {
            return Err(ModelError::Damaged("wrong length"));
        }
        if hash_bytes(reader.rest) != checksum {
            return Err(ModelError::Damaged("wrong checksum"));
        }
        let layout = Layout::of_engine();
        if reader.u64()? != layout.digest {
            return Err(ModelError::Columns);
        }
        let model = Model {
            class_log_odds: reader.table()?,
            word_log_odds: reader.table()?,
            comment_log_odds: reader.table()?,
            type_log_odds: reader.list(4, Reader::table)?,
            first: reader.forest(layout.first_pass)?,
            second: reader.forest(layout.second_pass)?,
            thread: reader.forest(layout.second_pass)?,
            rare: reader.forest(layout.second_pass)?,
            comment: reader.forest(layout.first_pass)?,
            supplemental: reader.forest(layout.first_pass)?,
            related: reader.forest(layout.first_pass)?,
            page_types: reader.list(8, |reader| reader.forest(layout.page))?,
            calibration: reader.list(8, |reader| Ok((reader.f32()?, reader.f32()?)))?,
        };
        let ascending = model.calibration.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !reader.rest.is_empty() || !ascending {
            return Err(ModelError::Damaged("unexpected content"));
        }
        if ![0, PageType::ALL.len()].contains(&model.page_types.len())
            || ![0, PageType::ALL.len()].contains(&model.type_log_odds.len())
        {
            return Err(ModelError::Columns);
        }
        Ok(model)
    }
}

/// The columns of this engine. Forests refer to them by index, so a model fits engines with the same columns only.
struct Layout {
    /// Of the names of all columns.
    digest: u64,
    first_pass: usize,
    second_pass: usize,
    page: usize,
}

impl Layout {
    fn of_engine() -> Layout {
        Layout::with_columns().0
    }

    /// The layout, and the names of the block columns.
    fn with_columns() -> (Layout, Vec<&'static str>) {
        let page = Page::parse("<p>a</p>");
        let (mut annotations, mut scratch) = (Annotations::default(), Scratch::default());
        annotations.fill(&page, &LogOddsTable::default());
        features::fill(&page, &annotations, &mut scratch.derived, &mut scratch.columns);
        let first_pass = scratch.columns.names.len();
        let context = Context { page: &page, annotations: &annotations, derived: &scratch.derived };
        let scores = vec![0.0; page.blocks.len()];
        page_type::fill(context, &scores, &mut scratch.page_columns);
        second_pass::add(context, &scores, &PageTypes::default(), &mut scratch.columns);
        let (columns, page_columns) = (&scratch.columns.names, &scratch.page_columns.names);
        let add = |digest, name: &&str| hash_combine(digest, hash_bytes(name.as_bytes()));
        let digest = columns.iter().chain(page_columns).fold(0, add);
        let layout = Layout { digest, first_pass, second_pass: columns.len(), page: page_columns.len() };
        (layout, scratch.columns.names)
    }
}

fn write_count(count: usize, out: &mut Vec<u8>) {
    out.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}

fn write_table(table: &LogOddsTable, out: &mut Vec<u8>) {
    let entries = table.entries();
    write_count(entries.len(), out);
    for (hash, log_odds) in entries {
        out.extend(hash.to_le_bytes());
        out.extend(((log_odds * LOG_ODDS_SCALE).round() as i16).to_le_bytes());
    }
}

fn write_forest(forest: &Forest, out: &mut Vec<u8>) {
    write_count(forest.early_exits().len(), out);
    for exit in forest.early_exits() {
        write_count(exit.trees, out);
        out.extend(exit.bound.to_le_bytes());
        out.extend(exit.ratio.to_le_bytes());
    }
    write_count(forest.len(), out);
    for tree in forest.trees() {
        out.push(tree.splits.len() as u8);
        for split in &tree.splits {
            out.extend(split.feature.to_le_bytes());
            out.extend(split.threshold.to_le_bytes());
        }
        tree.leaves.iter().for_each(|leaf| out.extend(leaf.to_le_bytes()));
    }
}

/// The unread rest of a file.
struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], ModelError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(ModelError::Damaged("truncated"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, ModelError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, ModelError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn f32(&mut self) -> Result<f32, ModelError> {
        let value = f32::from_le_bytes(self.array()?);
        if value.is_finite() { Ok(value) } else { Err(ModelError::Damaged("a number is not finite")) }
    }

    /// A counted list whose items take at least `min_size` bytes each, so that memory is bounded by the file.
    fn list<T>(
        &mut self,
        min_size: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, ModelError>,
    ) -> Result<Vec<T>, ModelError> {
        let count = self.u32()? as usize;
        if count.saturating_mul(min_size) > self.rest.len() {
            return Err(ModelError::Damaged("truncated"));
        }
        (0..count).map(|_| item(self)).collect()
    }

    fn table(&mut self) -> Result<LogOddsTable, ModelError> {
        let entries = self.list(6, |reader| {
            let hash = reader.u32()?;
            Ok((hash, f32::from(i16::from_le_bytes(reader.array()?)) / LOG_ODDS_SCALE))
        })?;
        Ok(LogOddsTable::new(entries.into_iter()))
    }

    /// A forest over `columns` columns.
    fn forest(&mut self, columns: usize) -> Result<Forest, ModelError> {
        let exits = self.list(12, |reader| {
            Ok(EarlyExit { trees: reader.u32()? as usize, bound: reader.f32()?, ratio: reader.f32()? })
        })?;
        let trees = self.list(5, |reader| reader.tree(columns))?;
        Ok(Forest::new(&trees, exits))
    }

    fn tree(&mut self, columns: usize) -> Result<Tree, ModelError> {
        let [depth] = self.array()?;
        if usize::from(depth) > Forest::MAX_DEPTH {
            return Err(ModelError::Damaged("a tree is too deep"));
        }
        let mut tree = Tree::default();
        for _ in 0..depth {
            let split = Split { feature: u16::from_le_bytes(self.array()?), threshold: self.f32()? };
            if usize::from(split.feature) >= columns {
                return Err(ModelError::Damaged("a split is out of range"));
            }
            tree.splits.push(split);
        }
        tree.leaves = (0..1 << depth).map(|_| self.f32()).collect::<Result<_, _>>()?;
        Ok(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_model_is_readable_and_small() {
        let bytes = include_bytes!("../../data/model.bin");
        assert!(Model::from_bytes(bytes).is_ok_and(|model| !model.second.is_empty()));
        assert!(bytes.len() < 800_000);
    }

    fn model() -> Model {
        let tree = Tree {
            splits: vec![Split { feature: 0, threshold: 1.0 }, Split { feature: 7, threshold: -5.5 }],
            leaves: vec![0.5, 0.25, -1.0, 2.0],
        };
        let forest = Forest::new(
            &[tree.clone(), Tree { splits: Vec::new(), leaves: vec![0.125] }, tree],
            vec![EarlyExit { trees: 2, bound: 2.5, ratio: 1.5 }],
        );
        Model {
            class_log_odds: LogOddsTable::new([(7, 1.25), (0xFFFF_FFFF, -2.001)].into_iter()),
            first: forest.clone(),
            page_types: vec![forest; PageType::ALL.len()],
            calibration: vec![(0.25, 0.5), (0.75, 0.875)],
            ..Model::default()
        }
    }

    #[test]
    fn a_model_survives_the_round_trip() {
        let (model, bytes) = (model(), model().to_bytes());
        let read = Model::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!(read.class_log_odds.get(0xFFFF_FFFF), Some(-2.001));
        assert_eq!(read.first.trees().collect::<Vec<_>>(), model.first.trees().collect::<Vec<_>>());
        assert_eq!(read.first.used_features().collect::<Vec<_>>(), [0, 7]);
        assert_eq!(read.calibration, model.calibration);
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = model().to_bytes();
        for length in 0..bytes.len() {
            assert!(Model::from_bytes(&bytes[..length]).is_err());
        }
        assert_eq!(Model::from_bytes(b"<!DOCTYPE html>").unwrap_err(), ModelError::NotAModel);
        for at in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[at] ^= 0x41;
            assert!(Model::from_bytes(&altered).is_err(), "byte {at}");
            // With a matching checksum the structure is still checked: no panic, whatever comes out.
            let checksum = hash_bytes(&altered[HEADER..]).to_le_bytes();
            altered[16..HEADER].copy_from_slice(&checksum);
            if let Ok(model) = Model::from_bytes(&altered) {
                assert!(model.to_bytes().len() <= bytes.len());
            }
        }
    }
}
