//! Responses.

use std::fmt;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::fmt::strtime;
use reqwest::StatusCode;
use reqwest::header::{
    AsHeaderName, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, LAST_MODIFIED, LOCATION,
    RETRY_AFTER,
};
use url::Url;

use crate::address::without_credentials;
use crate::error::Error;

/// Longest accepted `Retry-After`.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Longest validator that is sent back.
const MAX_VALIDATOR_BYTES: usize = 1024;

/// One response, of any status.
#[derive(Clone)]
#[non_exhaustive]
pub struct Response {
    /// The final URL, without credentials and fragment.
    pub url: Url,
    /// The status code.
    pub status: u16,
    /// The decoded body. Empty if [`Response::skipped`].
    pub body: Vec<u8>,
    /// Whether the body was truncated at the limit, as the request permitted.
    pub truncated: bool,
    /// The body was not read: the status is not 2xx, or [`Accept::admits`](crate::Accept::admits) excludes the media
    /// type.
    pub skipped: bool,
    /// When the head of the response arrived.
    pub received: SystemTime,
    headers: HeaderMap,
}

impl Response {
    pub(crate) fn new(url: &Url, status: StatusCode, headers: HeaderMap) -> Response {
        let mut url = without_credentials(url);
        url.set_fragment(None);
        Response {
            url,
            status: status.as_u16(),
            body: Vec::new(),
            truncated: false,
            skipped: true,
            received: SystemTime::now(),
            headers,
        }
    }

    /// The standard reason phrase of the status.
    pub fn reason(&self) -> Option<&'static str> {
        StatusCode::from_u16(self.status).ok()?.canonical_reason()
    }

    /// Whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The media type with its parameters.
    pub fn content_type(&self) -> Option<&str> {
        self.header(CONTENT_TYPE)
    }

    /// The entity tag, for [`Request::etag`](crate::Request::etag).
    pub fn etag(&self) -> Option<&str> {
        self.header(ETAG).filter(|tag| tag.len() <= MAX_VALIDATOR_BYTES)
    }

    /// The time of the last change as the server wrote it, for
    /// [`Request::last_modified`](crate::Request::last_modified).
    pub fn last_modified(&self) -> Option<&str> {
        self.header(LAST_MODIFIED).filter(|time| time.len() <= MAX_VALIDATOR_BYTES)
    }

    /// The target of a redirect, resolved and without credentials.
    pub fn location(&self) -> Option<Url> {
        self.redirect_target().ok().flatten()
    }

    /// Like [`Response::location`], with an error for a target that is not a URL.
    pub(crate) fn redirect_target(&self) -> Result<Option<Url>, Error> {
        let Some(location) = self.headers.get(LOCATION) else { return Ok(None) };
        if !matches!(self.status, 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        // Some servers send raw UTF-8, which is not ASCII but can be resolved.
        let target = self.url.join(&String::from_utf8_lossy(location.as_bytes()));
        let target = target.map_err(|error| Error::Url(format!("redirect target: {error}")))?;
        Ok(Some(without_credentials(&target)))
    }

    /// The requested pause: seconds, or the time until a date. At most 30 days; zero for a past date.
    pub fn retry_after(&self, now: SystemTime) -> Option<Duration> {
        let value = self.header(RETRY_AFTER)?.trim();
        let wait = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
            // Parsing fails only on overflow here.
            value.parse().map_or(MAX_RETRY_AFTER, Duration::from_secs)
        } else {
            http_date(value)?.duration_since(now).unwrap_or_default()
        };
        Some(wait.min(MAX_RETRY_AFTER))
    }

    /// The values of `X-Robots-Tag`, one per header field.
    pub fn robots_tags(&self) -> impl Iterator<Item = &str> {
        self.headers.get_all("x-robots-tag").iter().filter_map(text)
    }

    /// The content encodings in the order in which they were applied.
    pub(crate) fn encodings(&self) -> Vec<&str> {
        let fields = self.headers.get_all(CONTENT_ENCODING).iter().filter_map(text);
        fields.flat_map(|field| field.split(',')).map(str::trim).filter(|it| !it.is_empty()).collect()
    }

    fn header(&self, name: impl AsHeaderName) -> Option<&str> {
        self.headers.get(name).and_then(text)
    }
}

/// Omits headers, which may contain cookies, and shows only the size of the body.
impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("url", &self.url.as_str())
            .field("status", &self.status)
            .field("body_bytes", &self.body.len())
            .field("truncated", &self.truncated)
            .field("skipped", &self.skipped)
            .finish_non_exhaustive()
    }
}

fn text(value: &HeaderValue) -> Option<&str> {
    std::str::from_utf8(value.as_bytes()).ok()
}

/// Parses a date in one of the three forms of RFC 9110: IMF-fixdate, RFC 850 and asctime.
fn http_date(value: &str) -> Option<SystemTime> {
    static MAIL: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);
    let obsolete = |format: &str, value: &str| -> Option<Timestamp> {
        let civil = strtime::parse(format, value).ok()?.to_datetime().ok()?;
        Some(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
    };
    MAIL.parse_timestamp(value)
        .ok()
        .or_else(|| obsolete("%A, %d-%b-%y %H:%M:%S GMT", value))
        .or_else(|| obsolete("%a %b %e %H:%M:%S %Y", value))
        .map(SystemTime::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, headers: &[(&'static str, &str)]) -> Response {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let url = Url::parse("http://me:secret@example.com/a/b#c").unwrap();
        Response::new(&url, StatusCode::from_u16(status).unwrap(), map)
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_and_bounded() {
        // 6 November 1994, 08:49:37 UTC.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let days = 24 * 60 * 60;
        for (value, wanted) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("99999999", Some(30 * days)),
            ("99999999999999999999999", Some(30 * days)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Mon, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", Some(60)),
            ("Sun Nov  6 08:50:37 1994", Some(60)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0)),
            ("Fri, 31 Dec 9998 23:59:59 GMT", Some(30 * days)),
            ("-1", None),
            ("1.5", None),
            ("soon", None),
            ("", None),
        ] {
            let wait = response(503, &[("retry-after", value)]).retry_after(now);
            assert_eq!(wait, wanted.map(Duration::from_secs), "{value}");
        }
        assert_eq!(response(503, &[]).retry_after(now), None);
    }

    #[test]
    fn redirect_targets_are_resolved_and_lose_credentials() {
        for (status, location, wanted) in [
            (301, "/new", Some("http://example.com/new")),
            (302, "c?d", Some("http://example.com/a/c?d")),
            (303, "//other.example/", Some("http://other.example/")),
            (307, "https://you:secret@other.example/", Some("https://other.example/")),
            (308, "/ü b", Some("http://example.com/%C3%BC%20b")),
            (302, "file:///etc/passwd", Some("file:///etc/passwd")),
            (302, "http://", None),
            (304, "/new", None),
            (200, "/new", None),
        ] {
            let target = response(status, &[("location", location)]).location();
            assert_eq!(target.as_ref().map(Url::as_str), wanted, "{status} {location}");
        }
        assert!(response(302, &[("location", "http://")]).redirect_target().is_err());
    }

    #[test]
    fn headers_are_read_and_the_url_hides_its_credentials() {
        let endless = "e".repeat(2000);
        let response = response(
            200,
            &[
                ("content-type", "text/html; charset=gbk"),
                ("etag", "\"v1\""),
                ("last-modified", &endless),
                ("x-robots-tag", "noindex, nofollow"),
                ("x-robots-tag", "otherbot: noarchive"),
                ("content-encoding", "gzip, br,"),
                ("content-encoding", "gzip"),
            ],
        );
        assert_eq!(response.url.as_str(), "http://example.com/a/b");
        assert_eq!(response.content_type(), Some("text/html; charset=gbk"));
        assert_eq!((response.etag(), response.last_modified()), (Some("\"v1\""), None));
        assert!(response.robots_tags().eq(["noindex, nofollow", "otherbot: noarchive"]));
        assert_eq!(response.encodings(), ["gzip", "br", "gzip"]);
        assert_eq!((response.reason(), response.is_success()), (Some("OK"), true));
        assert!(!format!("{response:?}").contains("secret"));
    }
}
