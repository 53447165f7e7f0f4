//! The binary encoding of records. A checksum detects damage.
//!
//! Numbers are LEB128; values of fixed width are little-endian.

use tamis_methods::site::LineTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::record::{BlockOccurrence, MAX_RECORD, PageRecord, TagOccurrence, Text};

const VERSION: u8 = 2;

/// Stored bytes were damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a row is damaged: {0}")]
pub struct Damaged(pub(crate) &'static str);

/// Encodes a record without its key; the checksum depends on the key.
pub(crate) fn encode(record: &PageRecord) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4096);
    bytes.push(VERSION);
    bytes.extend(record.content.to_le_bytes());
    put_number(&mut bytes, record.names.len());
    for name in &record.names {
        put_number(&mut bytes, name.len());
        bytes.extend(name.as_bytes());
    }
    put_number(&mut bytes, record.texts.len());
    for text in record.texts() {
        put_number(&mut bytes, text.text.len() << 1 | usize::from(text.whole));
        if !text.whole {
            bytes.extend(text.digest.to_le_bytes());
        }
        bytes.extend(text.text.as_bytes());
    }
    put_number(&mut bytes, record.blocks.len());
    for occurrence in &record.blocks {
        put_number(&mut bytes, usize::from(occurrence.text) << 1 | usize::from(occurrence.line));
    }
    put_number(&mut bytes, record.tags.len());
    for occurrence in &record.tags {
        put_number(&mut bytes, usize::from(occurrence.text));
        put_number(&mut bytes, usize::from(occurrence.name));
    }
    let checksum = xxh3_64_with_seed(&bytes, record.key);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Decodes a record.
pub(crate) fn decode(key: u64, row: &[u8]) -> Result<PageRecord, Damaged> {
    let (bytes, checksum) = row.split_last_chunk::<8>().ok_or(Damaged("it is too short"))?;
    if row.len() > MAX_RECORD {
        return Err(Damaged("it is too long"));
    }
    if xxh3_64_with_seed(bytes, key) != u64::from_le_bytes(*checksum) {
        return Err(Damaged("its checksum is wrong"));
    }
    let mut from = Bytes(bytes);
    let [version] = from.fixed()?;
    if version != VERSION {
        return Err(Damaged("unsupported version"));
    }
    let content = u64::from_le_bytes(from.fixed()?);
    let names = from.list(|from| {
        let length = from.number()?;
        Ok(from.text(length)?.into())
    })?;
    let mut characters = String::new();
    let texts = from.list(|from| {
        let header = from.number()?;
        let whole = header & 1 == 1;
        let digest = if whole { None } else { Some(u128::from_le_bytes(from.fixed()?)) };
        let text = from.text(header >> 1)?;
        characters.push_str(text);
        let digest = digest.unwrap_or_else(|| LineTable::digest(text));
        Ok(Text { digest, end: characters.len() as u32, whole })
    })?;
    let blocks = from.list(|from| {
        let header = from.number()?;
        Ok(BlockOccurrence { text: small(header >> 1)?, line: header & 1 == 1 })
    })?;
    let tags =
        from.list(|from| Ok(TagOccurrence { text: small(from.number()?)?, name: small(from.number()?)? }))?;
    let record = PageRecord { key, content, texts, characters, names, blocks, tags };
    if from.0.is_empty() && is_sound(&record) { Ok(record) } else { Err(Damaged("it is inconsistent")) }
}

/// Whether all indices are valid and all lists sorted.
pub(crate) fn is_sound(record: &PageRecord) -> bool {
    let text = |number: u16| usize::from(number) < record.texts.len();
    record.names.is_sorted_by(|a, b| a < b)
        && record.blocks.is_sorted_by(|a, b| a < b)
        && record.tags.is_sorted_by(|a, b| a < b)
        && record.blocks.iter().all(|occurrence| text(occurrence.text))
        && record
            .tags
            .iter()
            .all(|occurrence| text(occurrence.text) && usize::from(occurrence.name) < record.names.len())
}

fn put_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn small(number: usize) -> Result<u16, Damaged> {
    u16::try_from(number).map_err(|_| Damaged("a number is too large"))
}

/// The remaining bytes.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(Damaged("it ends too early"))?;
        self.0 = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<usize, Damaged> {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let [byte] = self.fixed()?;
            number |= usize::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged("a number is too large"))
    }

    fn text(&mut self, length: usize) -> Result<&'b str, Damaged> {
        let (text, rest) = self.0.split_at_checked(length).ok_or(Damaged("it ends too early"))?;
        self.0 = rest;
        str::from_utf8(text).map_err(|_| Damaged("a text is not UTF-8"))
    }

    fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Bytes<'b>) -> Result<T, Damaged>,
    ) -> Result<Vec<T>, Damaged> {
        let number = self.number()?;
        // Each item takes at least a byte, which bounds the allocation.
        let mut list = Vec::with_capacity(number.min(self.0.len()));
        for _ in 0..number {
            list.push(one(self)?);
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tamis::page::Page;

    use super::*;

    fn record() -> PageRecord {
        let long = "A sentence that goes on and on. ".repeat(30);
        let html = format!("<a href=/>Home</a><p>字字 <b>and</b> more.</p><p>{long}</p><ul><li>x<li>y</ul>");
        PageRecord::of(&Page::parse(&html), None)
    }

    #[test]
    fn records_round_trip() {
        let record = record();
        assert_eq!(decode(record.key, &encode(&record)), Ok(record));
    }

    #[test]
    fn every_changed_bit_is_detected() {
        let record = record();
        let row = encode(&record);
        assert!(decode(record.key ^ 1, &row).is_err());
        for bit in 0..row.len() * 8 {
            let mut row = row.clone();
            row[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(record.key, &row).is_err(), "bit {bit}");
        }
        for length in 0..row.len() {
            assert!(decode(record.key, &row[..length]).is_err());
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_with_a_valid_checksum_are_handled(mut bytes in prop::collection::vec(any::<u8>(), 0..200), key: u64) {
            bytes.insert(0, VERSION);
            bytes.extend(xxh3_64_with_seed(&bytes, key).to_le_bytes());
            if let Ok(record) = decode(key, &bytes) {
                prop_assert_eq!(decode(key, &encode(&record)), Ok(record));
            }
        }
    }
}
