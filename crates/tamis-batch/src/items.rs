//! The items of all inputs in order, from a position on.

use crate::input_fields::InputFields;
use crate::inputs::{Inputs, Step, Walk};
use crate::item::{About, Body, Failure, Item, Mark, Place};
use crate::read::{self, Reader};

pub(crate) struct Items {
    walk: std::iter::Enumerate<Walk>,
    fields: InputFields,
    most: u32,
    from: Mark,
    source: u64,
    reader: Option<Box<dyn Reader>>,
    /// Bytes of the finished files, and of the current one.
    behind: u64,
    position: u64,
}

impl Items {
    pub(crate) fn new(inputs: &Inputs, fields: &InputFields, most: u32, from: Mark) -> Items {
        Items {
            walk: inputs.walk().enumerate(),
            fields: fields.clone(),
            most,
            from,
            source: 0,
            reader: None,
            behind: 0,
            position: 0,
        }
    }

    /// Bytes of input read so far, compressed.
    pub(crate) fn read(&self) -> u64 {
        self.behind + self.position
    }

    fn lone(&self, file: &str, body: Body) -> Item {
        let next = Mark { source: self.source, items: 1, offset: 0 };
        let about = About::at(Place { file: file.into(), offset: None });
        Item { about, name: None, body, next }
    }
}

impl Iterator for Items {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(reader) = &mut self.reader {
                if let Some(mut item) = reader.next_item() {
                    item.next.source = self.source;
                    self.position = match item.body {
                        Body::File(..) => weight(&item) as u64,
                        _ => reader.position(),
                    };
                    return Some(item);
                }
                self.behind += self.position;
                self.position = 0;
                self.reader = None;
            }
            let (number, step) = self.walk.next()?;
            self.source = number as u64;
            if self.source < self.from.source {
                if let Step::Source(source) = step {
                    self.behind += std::fs::metadata(source.path).map_or(0, |about| about.len());
                }
                continue;
            }
            let from = if self.source == self.from.source { self.from } else { Mark::default() };
            let lone = match step {
                Step::Source(source) => {
                    self.reader = Some(read::open(&source, &self.fields, self.most, from));
                    continue;
                }
                Step::Other => self.lone("", Body::OtherFile),
                Step::Failed(path, why) => {
                    let what = format!("{}: cannot be read: {why}", path.display());
                    self.lone(&path.to_string_lossy(), Body::Failed(Failure::damage(what)))
                }
            };
            if from.items == 0 {
                return Some(lone);
            }
        }
    }
}

/// The memory that an item takes, now or once it is read.
pub(crate) fn weight(item: &Item) -> usize {
    match &item.body {
        Body::File(path, _) => std::fs::metadata(path).map_or(0, |about| about.len().min(256 << 20) as usize),
        body => body.weight(),
    }
}
