//! Files into batches of pages, for engines that share out the work themselves.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{BinaryBuilder, Int32Builder, StringBuilder, TimestampMicrosecondBuilder};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};

use crate::bounds::Bounds;
use crate::fields::Fields;
use crate::inputs::Inputs;
use crate::item::{Body, Mark};
use crate::items::Items;
use crate::take_apart::Taken;

/// Bytes after which a batch ends, however few pages are in it.
const MOST_BYTES: usize = 32 << 20;

/// The pages of inputs, in batches with the columns `url`, `html`, `content_type`, `status`, `fetched` and `error`.
///
/// ```
/// use tamis_batch::{Fields, Inputs, Work, arrow};
///
/// let folder = std::env::temp_dir().join(format!("tamis-pages-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// std::fs::write(folder.join("a.html"), "<p>It rained in the harbour on Monday, all day long.").unwrap();
/// let inputs = Inputs::new(&[folder.display().to_string()]).unwrap();
/// assert_eq!(arrow::PageReader::schema().fields().len(), 6);
/// for batch in arrow::PageReader::new(&inputs, Fields::default(), 100, None) {
///     let rows = arrow::extract(&batch?, &Work::default(), &Fields::default(), 1)?;
///     assert_eq!(rows.num_rows(), 1);
/// }
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub struct PageReader {
    items: Items,
    fields: Fields,
    rows: usize,
    most: u32,
}

impl std::fmt::Debug for PageReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageReader")
            .field("rows", &self.rows)
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

impl PageReader {
    /// With so many pages in a batch, and so many bytes in a page.
    pub fn new(inputs: &Inputs, fields: Fields, rows: usize, most: Option<u32>) -> PageReader {
        let most = most.unwrap_or(Bounds::default().bytes);
        PageReader {
            items: Items::new(inputs, &fields, most, Mark::default()),
            fields,
            rows: rows.max(1),
            most,
        }
    }

    /// The columns of the batches.
    pub fn schema() -> SchemaRef {
        let field = |name: &str, kind: DataType| Field::new(name, kind, true);
        Arc::new(Schema::new(vec![
            field("url", DataType::Utf8),
            field("html", DataType::Binary),
            field("content_type", DataType::Utf8),
            field("status", DataType::Int32),
            field("fetched", DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))),
            field("error", DataType::Utf8),
        ]))
    }
}

impl Iterator for PageReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut url, mut html, mut content_type) =
            (StringBuilder::new(), BinaryBuilder::new(), StringBuilder::new());
        let (mut status, mut error) = (Int32Builder::new(), StringBuilder::new());
        let mut fetched = TimestampMicrosecondBuilder::new().with_timezone("UTC");
        let (mut rows, mut bytes) = (0, 0);
        while rows < self.rows && bytes < MOST_BYTES {
            let Some(item) = self.items.next() else { break };
            if matches!(item.body, Body::Passed | Body::OtherFile) {
                continue;
            }
            let (row, kind, page) = Taken::of(item, &self.fields, self.most).into_page();
            rows += 1;
            bytes += page.as_ref().map_or(0, Vec::len);
            url.append_option(row.url);
            html.append_option(page);
            content_type.append_option(kind);
            status.append_option(row.status.map(i32::from));
            fetched.append_option(row.fetched);
            error.append_option(row.error);
        }
        (rows > 0).then(|| {
            RecordBatch::try_new(
                PageReader::schema(),
                vec![
                    Arc::new(url.finish()),
                    Arc::new(html.finish()),
                    Arc::new(content_type.finish()),
                    Arc::new(status.finish()),
                    Arc::new(fetched.finish()),
                    Arc::new(error.finish()),
                ],
            )
        })
    }
}
