//! Targets that need the engine and not the oracle of the parser; a test of `tamis-cli` runs them as well.

use std::sync::LazyLock;

use tamis::page::HiddenText;
use tamis::render::RenderOptions;
use tamis::{Bias, Extractor, Input};
use tamis_dates::{Hints, Moment};
use tamis_feeds::Feed;

/// Any bytes are extracted in every format, or rejected; texts of the two ways agree.
///
/// # Panics
/// Where the plain text differs from that of the document.
pub fn extract(data: &[u8]) {
    let (choice, page) = data.split_first().unwrap_or((&0, &[]));
    let extractor = &EXTRACTORS[usize::from(*choice) % EXTRACTORS.len()];
    let input = Input::bytes(page).url("https://example.com/2024/05/06/rain");
    let Ok(document) = extractor.extract(input) else { return };
    let options = RenderOptions::all().metadata(true);
    let _ = (document.to_markdown(), document.to_markdown_with(&options), document.to_html());
    let _ = (document.to_json(), document.to_xml(), document.to_tei());
    assert_eq!(extractor.extract_text(input).as_deref(), Ok(document.text.as_str()));
    let _ = extractor.explain(input);
}

/// Extractors with different settings.
static EXTRACTORS: LazyLock<[Extractor; 3]> = LazyLock::new(|| {
    [
        Extractor::new(),
        Extractor::builder().bias(Bias::Recall).comments(true).hidden(HiddenText::Flag).build(),
        Extractor::builder().bias(Bias::Precision).hidden(HiddenText::Keep).build(),
    ]
});

/// Any bytes are a feed or not; an entry that is found by a link has that link.
///
/// # Panics
/// Where another entry is found.
pub fn feed(data: &[u8]) {
    let Ok(feed) = Feed::from_bytes(data, None) else { return };
    for entry in feed.entries() {
        let _ = (entry.text(), entry.hints());
        for link in &entry.links {
            let found = feed.entry_for(link, None);
            assert!(found.is_none_or(|found| found.title == entry.title), "{link}");
        }
    }
}

/// Dates of any text lie in it, and what is printed is read back.
///
/// # Panics
/// Where they do not.
pub fn dates(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let hints = Hints { reference: Moment::from_date(2024, 5, 6), ..Hints::default() };
    let _ = tamis_dates::read(&text, &hints);
    for found in tamis_dates::find(&text, &hints) {
        assert!(text.get(found.range.clone()).is_some(), "{found:?} in {text:?}");
        let printed = found.moment.to_string();
        assert_eq!(Moment::parse_iso(&printed), Some(found.moment), "{printed}");
    }
}
