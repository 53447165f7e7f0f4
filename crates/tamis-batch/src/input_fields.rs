//! Names of the fields of JSON lines and of the columns of tables.

use serde::Serialize;

/// The fields of JSON lines and columns of tables that contain a page and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputFields {
    /// The page. Default: `html`.
    pub html: String,
    /// Its URL. Default: `url`.
    pub url: String,
    /// The `Content-Type` header. Default: `content_type`.
    pub content_type: String,
    /// The HTTP status. Default: `status`.
    pub status: String,
    /// The fetch time. Default: `fetched`.
    pub fetched: String,
    /// The id of the page. Default: `id`.
    pub id: String,
    /// Other fields to copy into the record ([`Record::keep`](crate::Record::keep)). Default: none.
    pub keep: Vec<String>,
}

impl Default for InputFields {
    fn default() -> Self {
        let [html, url, content_type, status, fetched, id] =
            ["html", "url", "content_type", "status", "fetched", "id"].map(str::to_owned);
        InputFields { html, url, content_type, status, fetched, id, keep: Vec::new() }
    }
}

impl InputFields {
    /// Copies other fields of the input. `id` is always copied. Fails for names of record fields.
    ///
    /// ```
    /// use tamis_batch::InputFields;
    ///
    /// let fields = InputFields::default().keeping(["id", "set"])?;
    /// assert_eq!(fields.keep, ["set"]);
    /// assert_eq!(InputFields::default().keeping(["title"]).unwrap_err().name, "title");
    /// # Ok::<(), tamis_batch::TakenField>(())
    /// ```
    pub fn keeping(
        mut self,
        names: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<InputFields, TakenField> {
        for name in names.into_iter().map(Into::into).filter(|name| *name != self.id) {
            if name.parse::<crate::RecordField>().is_ok() {
                return Err(TakenField { name });
            }
            if !self.keep.contains(&name) {
                self.keep.push(name);
            }
        }
        Ok(self)
    }
}

/// A field of the input cannot be copied, since records have a field of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot keep the field {name:?}: records have a field of that name")]
pub struct TakenField {
    /// The name.
    pub name: String,
}
