//! Output formats, and how `Accept` chooses one.

use axum::http::{HeaderMap, StatusCode, header};

use crate::problem::{Answer, Problem};

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Json,
    Text,
    Markdown,
    Html,
    Xml,
    Tei,
}

impl Format {
    /// All formats; the first is that of clients that accept anything.
    const ALL: [Format; 6] =
        [Format::Json, Format::Text, Format::Markdown, Format::Html, Format::Xml, Format::Tei];

    /// The media type, without parameters.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Format::Json => "application/json",
            Format::Text => "text/plain",
            Format::Markdown => "text/markdown",
            Format::Html => "text/html",
            Format::Xml => "application/xml",
            Format::Tei => "application/tei+xml",
        }
    }

    /// The value of `Content-Type`.
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Format::Json => "application/json",
            Format::Text => "text/plain; charset=utf-8",
            Format::Markdown => "text/markdown; charset=utf-8",
            Format::Html => "text/html; charset=utf-8",
            Format::Xml => "application/xml; charset=utf-8",
            Format::Tei => "application/tei+xml; charset=utf-8",
        }
    }

    /// The format that the client likes best; the more specific of two ranges decides for a format, as HTTP has it.
    pub(crate) fn of(headers: &HeaderMap) -> Answer<Format> {
        let lines = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let ranges: Vec<(&str, f32)> = lines.flat_map(|line| line.split(',')).filter_map(range).collect();
        if ranges.is_empty() {
            return Ok(Format::Json);
        }
        let quality = |format: &Format| {
            let (kind, _) = format.media_type().split_once('/').unwrap_or_default();
            let any_of_kind = format!("{kind}/*");
            let exact = |wanted: &str| ranges.iter().find(|(range, _)| range.eq_ignore_ascii_case(wanted));
            let found = exact(format.media_type()).or_else(|| exact(&any_of_kind)).or_else(|| exact("*/*"));
            found.map_or(0.0, |(_, quality)| *quality)
        };
        let best = Format::ALL.into_iter().rev().max_by(|a, b| quality(a).total_cmp(&quality(b)));
        best.filter(|format| quality(format) > 0.0).ok_or_else(|| {
            let known: Vec<&str> = Format::ALL.iter().map(|format| format.media_type()).collect();
            let detail = format!(
                "none of the accepted media types can be written; accept one of {}",
                known.join(", ")
            );
            Problem::new(StatusCode::NOT_ACCEPTABLE, detail)
        })
    }
}

/// A range of `Accept` and its quality; other parameters do not matter here.
fn range(part: &str) -> Option<(&str, f32)> {
    let mut parameters = part.split(';').map(str::trim);
    let range = parameters.next().filter(|range| range.contains('/'))?;
    let quality = parameters
        .find_map(|parameter| parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q=")));
    let quality = quality.map_or(Some(1.0), |quality| quality.parse().ok())?;
    Some((range, if f32::is_finite(quality) { quality.clamp(0.0, 1.0) } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_chooses_the_format() {
        for (accept, wanted) in [
            ("", Some(Format::Json)),
            ("*/*", Some(Format::Json)),
            ("text/plain", Some(Format::Text)),
            ("TEXT/Markdown;variant=GFM", Some(Format::Markdown)),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Some(Format::Html)),
            ("application/json;q=0.5, text/markdown;q=0.7", Some(Format::Markdown)),
            ("text/*", Some(Format::Text)),
            ("text/*, text/plain;q=0", Some(Format::Markdown)),
            ("application/tei+xml", Some(Format::Tei)),
            ("image/png, */*;q=0", None),
            ("application/pdf", None),
        ] {
            let mut headers = HeaderMap::new();
            if !accept.is_empty() {
                headers.insert(header::ACCEPT, accept.parse().unwrap());
            }
            assert_eq!(Format::of(&headers).ok(), wanted, "{accept}");
        }
    }
}
