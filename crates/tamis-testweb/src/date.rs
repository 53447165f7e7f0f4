//! Formats of times in HTTP, feeds and pages.

use jiff::Timestamp;

fn timestamp(seconds: u64) -> Timestamp {
    i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok()).unwrap_or_default()
}

/// `2025-03-14T09:26:00Z`
pub(crate) fn iso(seconds: u64) -> String {
    timestamp(seconds).to_string()
}

/// `Fri, 14 Mar 2025 09:26:00 GMT`, for HTTP and RSS.
pub(crate) fn http(seconds: u64) -> String {
    timestamp(seconds).strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_instants() {
        for (seconds, iso, http) in [
            (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_210_096, "2024-02-29T12:34:56Z", "Thu, 29 Feb 2024 12:34:56 GMT"),
            (1_767_225_599, "2025-12-31T23:59:59Z", "Wed, 31 Dec 2025 23:59:59 GMT"),
        ] {
            assert_eq!((super::iso(seconds).as_str(), super::http(seconds).as_str()), (iso, http));
        }
    }
}
