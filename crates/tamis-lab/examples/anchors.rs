//! Writes `data/anchors.bin`, the blocks that keep an adapted model as it is elsewhere: `anchors SETS`.

#![allow(missing_docs)]

use std::error::Error;
use std::path::Path;

use tamis::classify::Model;
use tamis_lab::{Set, train, whole_file};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: anchors SETS")?;
    let file = train::write_anchors(&Model::built_in(), &Set::open_all(Path::new(&folder))?, 400, 2);
    Ok(whole_file::write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/anchors.bin"), &file)?)
}
