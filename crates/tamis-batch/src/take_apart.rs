//! Parses items into pages and their metadata, on the worker threads, so that the reader is not the bottleneck.

use serde_json::Value;
use tamis_site::{PageRecord, SiteKey};

use crate::http;
use crate::input_fields::InputFields;
use crate::item::{About, Body, Failure, Item};
use crate::page_error::PageError;
use crate::page_in::{Html, PageIn};
use crate::raw_pages::{RawContent, RawPage, ReadError};
use crate::read::read_page;
use crate::record::Record;
use crate::time;
use crate::unwrapped::Unwrapped;
use crate::work::Work;

/// A page and what is known about it, or why there is none.
pub(crate) struct Taken {
    about: About,
    page: Result<Owned, Failure>,
}

enum Owned {
    Bytes(Vec<u8>),
    Text(String),
}

impl Owned {
    fn html(&self) -> Html<'_> {
        match self {
            Owned::Bytes(bytes) => Html::Bytes(bytes),
            Owned::Text(text) => Html::Text(text),
        }
    }

    fn into_raw(self) -> RawContent {
        match self {
            Owned::Bytes(bytes) => RawContent::Bytes(bytes),
            Owned::Text(text) => RawContent::Text(text),
        }
    }
}

impl About {
    /// The page in the body of a response. Headers are added to what is known.
    fn page(&mut self, body: Body, fields: &InputFields, most: u32) -> Result<Owned, Failure> {
        let is_file = matches!(body, Body::File(..));
        let page = match body {
            Body::File(path, packing) => Owned::Bytes(read_page(&path, packing, most)?),
            Body::Bytes(bytes) => Owned::Bytes(bytes),
            Body::Text(text) => Owned::Text(text),
            Body::Json(line) => {
                let page = json_line(&line).and_then(|mut row| self.json(&mut row, fields));
                page.map_err(Failure::page)?
            }
            Body::Http(bytes) => {
                let answer = http::answer(bytes, most);
                (self.status, self.content_type) = (answer.status, answer.content_type);
                self.fault = self.fault.take().or(answer.fault);
                Owned::Bytes(answer.body.map_err(Failure::page)?)
            }
            Body::Passed | Body::OtherFile => return Err(no_page()),
            Body::Failed(failure) => return Err(failure),
        };
        self.unwrapped(page, most).map_err(|error| match error {
            PageError::Body(what) if is_file => Failure::damage(format!("{}: {what}", self.place)),
            error => Failure::page(error),
        })
    }

    /// The page without gzip and MHTML.
    fn unwrapped(&mut self, page: Owned, most: u32) -> Result<Owned, PageError> {
        let content_type = self.content_type.as_deref();
        let Some(inside) = Unwrapped::of(page.html().as_bytes(), content_type, most)? else {
            return Ok(page);
        };
        self.url = self.url.take().or(inside.url);
        self.content_type = inside.content_type.or(self.content_type.take());
        self.fault = self.fault.take().or(inside.fault);
        Ok(Owned::Bytes(inside.html))
    }

    fn json(&mut self, row: &mut Value, fields: &InputFields) -> Result<Owned, PageError> {
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        self.url = text(&fields.url);
        self.content_type = text(&fields.content_type);
        self.fetched = row[&fields.fetched].as_str().and_then(time::parse);
        let status = &row[&fields.status];
        let status = status.as_u64().or_else(|| status.as_str()?.trim().parse().ok());
        self.status = status.and_then(|status| status.try_into().ok());
        // Ids may be numbers.
        let number = || Some(&row[&fields.id]).filter(|id| id.is_number()).map(Value::to_string);
        self.id = text(&fields.id).or_else(number);
        for name in &fields.keep {
            self.keep.insert(name.clone(), row.get_mut(name).map(Value::take).unwrap_or_default());
        }
        match row.get_mut(&fields.html).map(Value::take) {
            Some(Value::String(html)) => Ok(Owned::Text(html)),
            other => {
                let Some(object) = row.as_object() else {
                    let what = "not an object such as {\"html\": …, \"url\": …}";
                    return Err(PageError::NotJson(what.to_owned()));
                };
                let found = object.keys().take(12).cloned().collect();
                Err(PageError::NoPage { field: fields.html.clone(), is_there: other.is_some(), found })
            }
        }
    }

    /// A record without a document.
    fn record(&self, error: Option<String>) -> Record {
        let (status, fetched) = (self.status, self.fetched);
        self.placed(Record { status, fetched, error, ..Record::of_url(self.url.as_deref()) })
    }

    /// Adds the position in the input to a record.
    fn placed(&self, mut record: Record) -> Record {
        (record.id, record.keep) = (self.id.clone(), self.keep.clone());
        record.at(Some(self.place.file.to_string()), self.place.offset)
    }
}

impl Taken {
    pub(crate) fn of(item: Item, fields: &InputFields, most: u32) -> Taken {
        let mut about = item.about;
        let page = about.page(item.body, fields, most);
        Taken { about, page }
    }

    /// The page of an item, for callers that store it. A line with a text instead of a page is a finished row.
    pub(crate) fn raw(item: Item, fields: &InputFields, most: u32) -> Result<RawPage, ReadError> {
        let mut about = item.about;
        let page = match item.body {
            Body::Json(line) => {
                let read = json_line(&line).and_then(|mut row| {
                    let page = about.json(&mut row, fields);
                    let is_row = row.get("text").is_some_and(Value::is_string);
                    match row {
                        Value::Object(row) if page.is_err() && is_row => Ok(RawContent::Row(row)),
                        _ => page.map(Owned::into_raw),
                    }
                });
                read.map_err(Failure::page)
            }
            body => about.page(body, fields, most).map(Owned::into_raw),
        };
        let About { place, id, url, status, fetched, content_type, fault, .. } = about;
        match page {
            Ok(content) => Ok(RawPage { place, id, url, status, content_type, fetched, content, fault }),
            Err(failure) => Err(ReadError::new(place, failure.error.to_string(), failure.damage)),
        }
    }

    /// The bytes of the page.
    pub(crate) fn bytes(&self) -> u64 {
        self.page.as_ref().map_or(0, |page| page.html().len() as u64)
    }

    fn page(&self) -> Result<PageIn<'_>, &Failure> {
        let about = &self.about;
        Ok(PageIn {
            url: about.url.as_deref(),
            content_type: about.content_type.as_deref(),
            status: about.status,
            fetched: about.fetched,
            fault: about.fault.as_deref(),
            ..PageIn::of(self.page.as_ref()?.html())
        })
    }

    /// The record, and the error of a failed page.
    pub(crate) fn record(&self, work: &Work) -> (Record, Failure) {
        match self.page() {
            Ok(page) => (self.about.placed(work.extract(&page)), no_page()),
            Err(failure) => (self.about.record(Some(failure.error.to_string())), failure.clone()),
        }
    }

    /// The raw page: what is known about it, and its bytes and content type, or the error.
    #[cfg(feature = "arrow")]
    pub(crate) fn into_page(self) -> (Record, Option<String>, Option<Vec<u8>>) {
        let error = self.page.as_ref().err().map(|failure| failure.error.to_string());
        let record = self.about.record(error.or_else(|| self.about.fault.clone()));
        let content_type = self.about.content_type;
        match self.page {
            Ok(Owned::Bytes(bytes)) => (record, content_type, Some(bytes)),
            // Decoded text must not be decoded again; the rest of the type stays as declared.
            Ok(Owned::Text(text)) => {
                let kind = content_type.as_deref().map_or("text/html", http::media_type);
                (record, Some(format!("{kind}; charset=utf-8")), Some(text.into_bytes()))
            }
            Err(_) => (record, content_type, None),
        }
    }

    /// The page as evidence for site memory; `None` without a site or page.
    pub(crate) fn site_record(&self, work: &Work) -> Option<(SiteKey, PageRecord)> {
        let page = self.page().ok()?;
        let site = page.url.and_then(SiteKey::from_url)?;
        work.observe(&page).ok().map(|record| (site, record))
    }
}

fn no_page() -> Failure {
    Failure::page(PageError::NotAPage("no page".to_owned()))
}

/// A line of JSON.
fn json_line(line: &[u8]) -> Result<Value, PageError> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let read = serde_json::from_slice(line);
    read.or_else(|_| serde_json::from_str(&whole_letters(line))).map_err(|error| {
        // The reader splits at line ends, so there are none inside.
        let error = error.to_string();
        PageError::NotJson(error.split(" at line ").next().unwrap_or(&error).to_owned())
    })
}

/// Replaces lone surrogates, which JSON can write (`\\ud83d` alone) but a string cannot hold, and invalid UTF-8 by the
/// replacement character.
fn whole_letters(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let mut whole = String::with_capacity(line.len());
    let mut rest = &*line;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let unit = |escape: &str| {
            let digits = escape.strip_prefix("\\u")?.get(..4)?;
            u16::from_str_radix(digits, 16).ok()
        };
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                whole.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            // A backslash and the escaped byte; all escapes of JSON start with one.
            _ => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        whole.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    whole.push_str(rest);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Place;

    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character() {
        let line = br#"{"a\ud800":"\\ud83d","html":"\ud83d\ude00 x \ud83d y \ude00 \"\u00e9"}"#;
        assert!(serde_json::from_slice::<Value>(line).is_err());
        let row: Value = serde_json::from_str(&whole_letters(line)).unwrap();
        assert_eq!(row["html"], "\u{1F600} x \u{FFFD} y \u{FFFD} \"\u{E9}");
        assert_eq!(row["a\u{FFFD}"], "\\ud83d");
        assert_eq!(whole_letters(b"\\"), "\\");
        assert_eq!(whole_letters(b"\\ud83d\xFF"), "\\ufffd\u{FFFD}");
    }

    fn taken(line: &[u8]) -> Result<Owned, PageError> {
        let place = Place { file: "a.jsonl".into(), offset: Some(0) };
        About::at(place).json(&mut json_line(line)?, &InputFields::default())
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let page = taken(b"\xEF\xBB\xBF{\"html\":\"<p>Rain\"}");
        assert!(matches!(page, Ok(Owned::Text(html)) if html == "<p>Rain"));
    }

    #[test]
    fn the_error_of_an_empty_object_names_no_fields() {
        for (line, what) in
            [("{}", "the object is empty"), ("[1,2]", "not an object"), ("7", "not an object")]
        {
            let said = taken(line.as_bytes()).err().unwrap().to_string();
            assert!(said.contains(what), "{said}");
        }
    }
}
