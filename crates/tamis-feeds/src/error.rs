//! Why something cannot be read as a feed.

/// Why something cannot be read as a feed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FeedError {
    /// More bytes than [`Limits::bytes`](crate::Limits::bytes).
    #[error("the feed has more than {0} bytes: keep its newest entries, or raise the limit")]
    TooLarge(usize),
    /// Nothing but white space.
    #[error("it is empty: a feed begins with <rss>, <rdf:RDF> or <feed>, or is a JSON object")]
    Empty,
    /// Compressed, in this format.
    #[error("it is compressed ({0}): decompress it first")]
    Compressed(&'static str),
    /// A page of the site instead of its feed.
    #[error("it is a web page, not a feed: the page's <link rel=\"alternate\"> names its feeds")]
    WebPage,
    /// Something else, which begins so.
    #[error("it is not a feed, it begins with {0}: feeds are RSS, Atom or JSON Feed (version 1)")]
    NotAFeed(String),
    /// A JSON document without a list of items.
    #[error("it is JSON without \"items\", not a JSON Feed")]
    JsonWithoutItems,
}
