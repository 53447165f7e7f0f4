//! A text of a newspaper for pages whose facts are tested, in two scripts.

use tamis::{Document, Extractor};

pub const TEXT: &str = "<p>It rained in the harbour on Monday, for the first time since the spring, and the gardens were glad of it, \
    says the weather office, which had hoped for no less.</p><p>More is expected until Thursday, and then a week of wind \
    from the west, with showers in the hills and along the coast, as far as the islands.</p>";
pub const HAN: &str = "<p>港口星期一下了雨，这是春天以来的第一场雨，花园终于不再干旱，气象台说，这正是大家所盼望的。</p>\
    <p>预计星期四以前还会有雨，然后是一个星期的西风，山区和沿海一带有阵雨，一直到外面的岛屿。</p>";

pub fn document(html: &str) -> Document {
    Extractor::new().url("https://www.harbour-gazette.example/news/rain-at-last").extract(html)
}
