//! Parquet output: row groups are written to files of their own and concatenated at the end.
//!
//! A Parquet file has its metadata at the end, so an incomplete one cannot be continued. Each group is a file until all
//! are written; then their bytes are copied into one file, which temporarily takes twice the space.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use serde_json::{Map, Value};

use super::{Boundary, Output, Prepared};
use crate::arrow;
use crate::error::Error;
use crate::fields::Fields;
use crate::state::Folder;

/// Rows that are converted to columns at once; those of a group are held compressed.
const AT_ONCE: usize = 64;

pub(super) struct Groups {
    folder: PathBuf,
    path: PathBuf,
    fields: Fields,
    keep: Vec<String>,
    row_group: usize,
    /// Complete groups.
    whole: u64,
    /// Rows of the current group.
    in_group: usize,
    waiting: Vec<Map<String, Value>>,
    writer: Option<ArrowWriter<File>>,
}

impl Groups {
    pub(super) fn open(
        folder: &Folder,
        path: &Path,
        counts: u64,
        row_group: usize,
        fields: Fields,
        keep: &[String],
    ) -> Result<Groups, Error> {
        let folder = folder.file("groups");
        let prepare = || -> io::Result<()> {
            fs::create_dir_all(&folder)?;
            for entry in fs::read_dir(&folder)? {
                let file = entry?.path();
                let number = file.file_stem().and_then(|stem| stem.to_str()?.parse::<u64>().ok());
                if number.is_none_or(|number| number >= counts) {
                    fs::remove_file(file)?;
                }
            }
            Ok(())
        };
        prepare().map_err(Error::write(&folder, 0))?;
        let path = path.to_owned();
        Ok(Groups {
            folder,
            path,
            fields,
            keep: keep.to_owned(),
            row_group,
            whole: counts,
            in_group: 0,
            waiting: Vec::new(),
            writer: None,
        })
    }

    fn group(&self, number: u64, ending: &str) -> PathBuf {
        self.folder.join(format!("{number:08}.{ending}"))
    }

    fn put(&mut self) -> Result<(), Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let file = self.group(self.whole, "part");
        let rows = std::mem::take(&mut self.waiting);
        let mut write = || -> Result<(), ParquetError> {
            let batch = arrow::batch_of_rows(&rows, self.fields, &self.keep)?;
            let writer = match &mut self.writer {
                Some(writer) => writer,
                none => none.insert(ArrowWriter::try_new(
                    File::create(&file)?,
                    batch.schema(),
                    Some(properties()),
                )?),
            };
            writer.write(&batch)
        };
        write().map_err(|error| failed(&self.path, error))
    }

    fn end_group(&mut self) -> Result<(), Error> {
        self.put()?;
        self.in_group = 0;
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let (part, file) = (self.group(self.whole, "part"), self.group(self.whole, "parquet"));
        let end = || -> Result<(), ParquetError> {
            writer.into_inner()?.sync_data()?;
            Ok(fs::rename(&part, &file)?)
        };
        end().map_err(|error| failed(&self.path, error))?;
        self.whole += 1;
        Ok(())
    }

    fn assemble(&self, to: &Path) -> Result<(), ParquetError> {
        if self.whole == 0 {
            let schema = arrow::schema(self.fields, &self.keep);
            ArrowWriter::try_new(File::create(to)?, schema, Some(properties()))?.close()?;
            return Ok(());
        }
        let mut writer = None;
        for number in 0..self.whole {
            let input = File::open(self.group(number, "parquet"))?;
            let about = ParquetMetaDataReader::new().parse_and_finish(&input)?;
            let writer = match &mut writer {
                Some(writer) => writer,
                none => {
                    let head = about.file_metadata();
                    let schema = head.schema_descr().root_schema_ptr();
                    let properties = WriterProperties::builder()
                        .set_key_value_metadata(head.key_value_metadata().cloned())
                        .build();
                    none.insert(SerializedFileWriter::new(File::create(to)?, schema, Arc::new(properties))?)
                }
            };
            for rows in about.row_groups() {
                let mut group = writer.next_row_group()?;
                for column in rows.columns() {
                    let close = ColumnCloseResult {
                        bytes_written: column.compressed_size() as u64,
                        rows_written: rows.num_rows() as u64,
                        metadata: column.clone(),
                        bloom_filter: None,
                        column_index: None,
                        offset_index: None,
                    };
                    group.append_column(&input, close)?;
                }
                group.close()?;
            }
        }
        if let Some(writer) = writer {
            writer.into_inner()?.sync_data()?;
        }
        Ok(())
    }
}

fn properties() -> WriterProperties {
    let level = ZstdLevel::try_new(1).unwrap_or_default();
    // A group ends where its file does.
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(None)
        .build()
}

fn failed(path: &Path, error: ParquetError) -> Error {
    let source = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other.to_string()),
        },
        other => io::Error::other(other.to_string()),
    };
    Error::write(path, 0)(source)
}

impl Output for Groups {
    fn write(&mut self, row: Prepared) -> Result<(), Error> {
        let Prepared::Row(row) = row else { return Ok(()) };
        self.waiting.push(row);
        self.in_group += 1;
        if self.in_group >= self.row_group {
            return self.end_group();
        }
        if self.waiting.len() >= AT_ONCE { self.put() } else { Ok(()) }
    }

    fn boundary(&self) -> Boundary {
        if self.in_group == 0 { Boundary::Here } else { Boundary::NotHere }
    }

    fn commit(&mut self) -> Result<u64, Error> {
        Ok(self.whole)
    }

    fn close(&mut self) -> Result<u64, Error> {
        self.end_group()?;
        Ok(self.whole)
    }

    fn publish(&mut self) -> Result<(), Error> {
        if self.folder.exists() {
            let partial = self.folder.join("whole.part");
            self.assemble(&partial).map_err(|error| failed(&self.path, error))?;
            fs::rename(&partial, &self.path).map_err(Error::write(&self.path, 0))?;
        }
        Ok(())
    }
}
