//! The frame of every page of a report, and shared files.

use super::escape;

/// The style sheet.
pub(super) const STYLE: &str = include_str!("report.css");
/// The script.
pub(super) const SCRIPT: &str = include_str!("report.js");

/// Allows only files of this folder and no inline scripts, as a second defence after escaping. `file:` is for browsers
/// that treat every file as a separate origin.
const POLICY: &str = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none'; form-action 'none'";

/// A complete page. `up` is the relative path to the report's folder, such as `../../`; `links` is the HTML above the
/// heading.
pub(super) fn page(title: &str, up: &str, links: &str, content: &str) -> String {
    let title = escape::escaped(title);
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta http-equiv=Content-Security-Policy content=\"{POLICY}\">\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta name=referrer content=no-referrer>\n\
         <title>{title}</title>\n<link rel=stylesheet href=\"{up}report.css\">\n\
         <script src=\"{up}report.js\" defer></script>\n</head>\n<body>\n\
         <a class=skip href=\"#content\">Skip to content</a>\n<nav aria-label=Report>{links}</nav>\n\
         <main id=content>\n{content}</main>\n</body>\n</html>\n"
    )
}

/// A value with three digits, or a dash.
pub(super) fn figure(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

/// A difference with its sign.
pub(super) fn difference(value: Option<f64>) -> String {
    match value.filter(|value| value.is_finite()) {
        None => "–".to_owned(),
        // No sign for 0.000.
        Some(value) if value.abs() < 0.000_5 => "0.000".to_owned(),
        Some(value) => format!("{value:+.3}").replace('-', "\u{2212}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_differences() {
        assert_eq!(figure(Some(0.123_45)), "0.123");
        assert_eq!(figure(Some(f64::NAN)), "–");
        assert_eq!(difference(Some(-0.25)), "−0.250");
        assert_eq!(difference(Some(0.000_1)), "0.000");
        assert_eq!(difference(None), "–");
    }

    #[test]
    fn titles_are_escaped() {
        let page = page("</title><script>x</script>", "", "", "");
        assert!(!page.contains("<script>"), "{page}");
    }
}
