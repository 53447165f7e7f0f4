//! The bodies of the fuzz targets.
//!
//! They are functions of a library so that they can be checked, and a find replayed, with a Rust toolchain alone:
//! `cargo run --manifest-path fuzz/Cargo.toml --bin parse -- FILE…`. To fuzz, install cargo-fuzz and a nightly
//! toolchain: `cargo +nightly fuzz run parse -- -dict=fuzz/html.dict -max_len=4096`.

#[path = "../../crates/tamis-html/tests/common/compare.rs"]
mod compare;
#[path = "../../crates/tamis-html/tests/common/departures.rs"]
mod departures;
#[path = "../../crates/tamis-html/tests/common/html5ever_tree.rs"]
mod html5ever_tree;
#[path = "../../crates/tamis-html/tests/common/invariants.rs"]
mod invariants;
#[path = "../../crates/tamis-html/tests/common/words.rs"]
mod words;

mod extraction;

pub use extraction::{dates, extract, feed};

use tamis_html::{Dom, Limits, Parser};

/// A page of any text gives a sound tree, with limits and without.
pub fn parse(data: &[u8]) {
    let (choice, page) = split(data);
    let scripting = choice % 2 == 1;
    sound(&Parser::new().scripting(scripting).limits(Limits::NONE).parse(&page));
    let limits = Limits { bytes: 2000, nodes: 200, depth: 20, attributes: 3, deadline: None };
    let dom = Parser::new().scripting(scripting).limits(limits).parse(&page);
    sound(&dom);
    invariants::limits_hold(&dom, limits);
}

/// A fragment in any context gives a sound tree.
pub fn fragment(data: &[u8]) {
    let (choice, page) = split(data);
    let context = words::CONTEXTS[choice / 2 % words::CONTEXTS.len()];
    sound(&Parser::new().scripting(choice % 2 == 1).limits(Limits::NONE).parse_fragment(&page, context));
}

/// Any bytes decode, to text that has no byte order mark left and is parsed.
pub fn decode(data: &[u8]) {
    let decoded = tamis_html::decode::decode(data, None);
    sound(&tamis_html::parse(&decoded.text));
}

/// A page or fragment gives html5ever's tree.
///
/// # Panics
/// Where it does not, and none of html5ever's known departures from the standard is the reason.
pub fn oracle(data: &[u8]) {
    let (choice, page) = split(data);
    let contexts = words::CONTEXTS.len();
    // Whole pages half of the time.
    let context = words::CONTEXTS.get(choice / 2 % (2 * contexts)).copied();
    if let Some(difference) = departures::unexplained(&page, context, choice % 2 == 1) {
        panic!("{page:?} in {context:?}: {difference}");
    }
}

/// Runs a target on the files that are named as arguments.
pub fn replay(target: fn(&[u8])) {
    for file in std::env::args().skip(1) {
        match std::fs::read(&file) {
            Ok(data) => target(&data),
            Err(error) => panic!("{file}: {error}"),
        }
    }
}

/// A number that chooses the settings, and the page.
fn split(data: &[u8]) -> (usize, std::borrow::Cow<'_, str>) {
    let (choice, page) = data.split_first().unwrap_or((&0, &[]));
    (usize::from(*choice), String::from_utf8_lossy(page))
}

fn sound(dom: &Dom<'_>) {
    invariants::links_agree(dom);
    invariants::spans_lie_in_the_source(dom);
    let _ = (dom.outline(), dom.root().to_html());
}
