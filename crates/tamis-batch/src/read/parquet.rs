//! Parquet input, one page per row. A damaged row group is skipped; later ones are read.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use super::Reader;
use crate::arrow::{Pages, value_at};
use crate::input_fields::InputFields;
use crate::item::{About, Body, Failure, Item, Mark, Place};
use crate::page_error::PageError;
use crate::page_in::Html;

/// Rows that are decoded at once.
const AT_ONCE: usize = 32;

pub(crate) struct ParquetPages {
    place: Place,
    file: File,
    about: ArrowReaderMetadata,
    fields: InputFields,
    most: u32,
    group: usize,
    /// The number of the next row in the file.
    row: u64,
    reader: Option<ParquetRecordBatchReader>,
    batch: Option<(RecordBatch, usize)>,
    /// Rows of the first batch that an earlier run finished.
    done: usize,
    /// The damage of the current group, whose remaining rows are lost; and whether it was reported.
    broken: Option<(String, bool)>,
    ended: bool,
}

impl ParquetPages {
    pub(crate) fn open(
        path: &Path,
        name: Arc<str>,
        fields: &InputFields,
        most: u32,
        from: Mark,
    ) -> io::Result<ParquetPages> {
        let file = File::open(path)?;
        let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let about = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())
            .map_err(|error| invalid(format!("not a valid Parquet file: {error}")))?;
        let mut pages = ParquetPages {
            place: Place { file: name, offset: None },
            file,
            about,
            fields: fields.clone(),
            most,
            group: 0,
            row: from.items,
            reader: None,
            batch: None,
            done: 0,
            broken: None,
            ended: false,
        };
        // Types are known before anything is read.
        let empty = RecordBatch::new_empty(pages.about.schema().clone());
        Pages::of(&empty, fields).map_err(|error| {
            let what = error.to_string();
            let what = what.strip_prefix("Schema error: ").unwrap_or(&what).to_owned();
            invalid(what)
        })?;
        let groups = pages.about.metadata().row_groups();
        let mut before = 0;
        let mut behind = 0;
        for rows in groups {
            let count = rows.num_rows().max(0) as u64;
            if before + count > from.items {
                break;
            }
            before += count;
            behind += 1;
        }
        (pages.group, pages.ended) = (behind, behind >= groups.len());
        if !pages.ended {
            let skip = (from.items - before) as usize;
            // The same batches as in an uninterrupted run: with damage, their rows fail together.
            pages.done = skip % AT_ONCE;
            pages.begin(skip - pages.done);
        }
        Ok(pages)
    }

    fn begin(&mut self, skip: usize) {
        if let Err(what) = self.try_begin(skip) {
            self.broken = Some((what, false));
        }
    }

    fn try_begin(&mut self, skip: usize) -> Result<(), String> {
        let InputFields { html, url, content_type, status, fetched, id, keep } = &self.fields;
        let names = [html, url, content_type, status, fetched, id].into_iter().chain(keep);
        let mask = ProjectionMask::columns(self.about.parquet_schema(), names.map(String::as_str));
        let file = self.file.try_clone().map_err(|error| error.to_string())?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.about.clone())
            .with_row_groups(vec![self.group])
            .with_projection(mask)
            .with_batch_size(AT_ONCE)
            .with_offset(skip);
        self.reader = Some(builder.build().map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Skips to the next group.
    fn leave_group(&mut self) {
        self.row = self.end_of_group();
        self.group += 1;
        self.ended = self.group >= self.about.metadata().row_groups().len();
        (self.reader, self.batch, self.broken) = (None, None, None);
        if !self.ended {
            self.begin(0);
        }
    }

    /// The first row after the current group.
    fn end_of_group(&self) -> u64 {
        let groups = self.about.metadata().row_groups();
        groups.iter().take(self.group + 1).map(|rows| rows.num_rows().max(0) as u64).sum()
    }

    fn item(&self, row: u64, body: Body) -> Item {
        let place = Place { offset: Some(row), ..self.place.clone() };
        let next = Mark { source: 0, items: self.row, offset: 0 };
        Item { about: About::at(place), name: Some(row.to_string()), body, next }
    }

    /// A row of a damaged group. Each counts as a failed page.
    fn lost(&mut self) -> Option<Item> {
        let end = self.end_of_group();
        let (what, told) = self.broken.as_mut()?;
        if self.row >= end {
            self.leave_group();
            return None;
        }
        let group = self.about.metadata().row_group(self.group);
        let offset = group.columns().first().map_or(0, |column| column.byte_range().0);
        let place = Place { offset: Some(offset), ..self.place.clone() };
        let what =
            format!("{place}: row {} cannot be read, row group {} is damaged: {what}", self.row, self.group);
        let failure = Failure { told: std::mem::replace(told, true), ..Failure::damage(what) };
        self.row += 1;
        Some(self.item(self.row - 1, Body::Failed(failure)))
    }

    fn page(&mut self) -> Option<Item> {
        let (batch, at) = self.batch.as_mut()?;
        let number = *at;
        if number >= batch.num_rows() {
            self.batch = None;
            return None;
        }
        *at += 1;
        let batch = batch.clone();
        let row = self.row;
        self.row += 1;
        let Ok(pages) = Pages::of(&batch, &self.fields) else {
            let what = format!("{}, row {row}: its columns differ from those of the file", self.place);
            return Some(self.item(row, Body::Failed(Failure::damage(what))));
        };
        let kept = || {
            let value = |name: &String| batch.column_by_name(name).map(|it| value_at(it, number));
            let keep = self.fields.keep.iter();
            keep.map(|name| (name.clone(), value(name).unwrap_or_default())).collect()
        };
        let Some(page) = pages.get(number) else {
            let what = format!("{}, row {row}: no page: the column is null", self.place);
            let mut item = self.item(row, Body::Failed(Failure::page(PageError::NotAPage(what))));
            let (about, known) = (&mut item.about, pages.missing(number));
            (about.url, about.status, about.id) = (known.url, known.status, known.id);
            (about.fetched, about.keep) = (known.fetched, kept());
            return Some(item);
        };
        let body = match page.html {
            html if html.len() > self.most as usize => {
                Body::Failed(Failure::page(PageError::TooLarge(self.most)))
            }
            Html::Text(text) => Body::Text(text.to_owned()),
            Html::Bytes(bytes) => Body::Bytes(bytes.to_vec()),
        };
        let mut item = self.item(row, body);
        let about = &mut item.about;
        (about.id, about.keep) = (pages.id(number), kept());
        about.url = page.url.map(str::to_owned);
        about.content_type = page.content_type.map(str::to_owned);
        (about.status, about.fetched) = (page.status, page.fetched);
        Some(item)
    }
}

impl Reader for ParquetPages {
    fn next_item(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.page() {
                return Some(item);
            }
            if self.ended {
                return None;
            }
            if self.broken.is_some() {
                match self.lost() {
                    Some(item) => return Some(item),
                    None => continue,
                }
            }
            match self.reader.as_mut().and_then(Iterator::next) {
                Some(Ok(batch)) => self.batch = Some((batch, std::mem::take(&mut self.done))),
                Some(Err(error)) => self.broken = Some((error.to_string(), false)),
                // Rows that the metadata declares but that are missing are lost too.
                None if self.row < self.end_of_group() => {
                    self.broken = Some(("fewer rows than the metadata says".to_owned(), false));
                }
                None => self.leave_group(),
            }
        }
    }

    fn position(&self) -> u64 {
        let groups = self.about.metadata().row_groups();
        groups.iter().take(self.group).map(|rows| rows.compressed_size().max(0) as u64).sum()
    }
}
