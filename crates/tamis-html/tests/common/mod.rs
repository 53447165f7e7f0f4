//! Code shared by several tests of the parser.

pub(crate) mod compare;
pub(crate) mod departures;
pub(crate) mod html5ever_tree;
pub(crate) mod invariants;
pub(crate) mod pages;
pub(crate) mod soup;
pub(crate) mod words;
