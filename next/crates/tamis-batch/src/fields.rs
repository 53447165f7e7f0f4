//! What the fields of JSON lines and the columns of tables are called.

/// The names under which pages and what is known of them stand in JSON lines, Parquet files and record batches.
///
/// ```
/// use tamis_batch::Fields;
///
/// let fields = Fields { html: "content".to_owned(), ..Fields::default() };
/// assert_eq!(fields.url, "url");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fields {
    /// The page. Default: `html`.
    pub html: String,
    /// Its address. Default: `url`.
    pub url: String,
    /// What the server said that it is. Default: `content_type`.
    pub content_type: String,
    /// The server's status. Default: `status`.
    pub status: String,
    /// When it was fetched. Default: `fetched`.
    pub fetched: String,
}

impl Default for Fields {
    fn default() -> Self {
        let [html, url, content_type, status, fetched] =
            ["html", "url", "content_type", "status", "fetched"].map(str::to_owned);
        Fields { html, url, content_type, status, fetched }
    }
}
