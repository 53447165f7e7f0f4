//! The result of a method.

use tamis_html::NodeId;

/// A method's verdict on one block.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Verdict {
    /// Whether the block is main text.
    pub keep: bool,
    /// Strength of the verdict, from 0 (noise) to 1 (main text); at least 0.5 for kept blocks.
    pub score: f32,
    /// The numbers behind it, with the names used in the method's paper.
    pub evidence: Vec<(&'static str, f64)>,
}

/// A method's verdicts on a page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judgement {
    /// One verdict per block of the page.
    pub verdicts: Vec<Verdict>,
    /// The curves that the paper plots.
    pub curves: Curves,
}

/// Values over the units that a method measures: elements, containers, block tags, text blocks or lines.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Curves {
    /// The element or the first text of each unit, in page order; `None` for a text block without text.
    pub nodes: Vec<Option<NodeId>>,
    /// Named series with one value per unit.
    pub series: Vec<(&'static str, Vec<f64>)>,
    /// Named constants to compare them with.
    pub thresholds: Vec<(&'static str, f64)>,
}

impl Judgement {
    /// Indices of the kept blocks.
    pub fn kept(&self) -> impl Iterator<Item = usize> {
        self.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.keep).map(|(block, _)| block)
    }
}

impl Curves {
    /// The series of this name.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.series.iter().find(|(known, _)| *known == name).map(|(_, values)| values.as_slice())
    }
}

/// Maps a strength in 0..=1 to the upper half for kept blocks and to the lower half for others.
pub(crate) fn score(keep: bool, strength: f64) -> f32 {
    ((strength.clamp(0.0, 1.0) + f64::from(u8::from(keep))) / 2.0) as f32
}

/// The texts that a method keeps of a page.
#[cfg(test)]
pub(crate) fn kept(html: &str, judge: impl Fn(&tamis::page::Page<'_>) -> Judgement) -> Vec<String> {
    let page = tamis::page::Page::parse(html);
    judge(&page).kept().map(|block| page.blocks.text(block).to_owned()).collect()
}
