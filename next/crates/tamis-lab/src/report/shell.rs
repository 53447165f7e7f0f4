//! What every page of a report begins and ends with, and the files that they share.

use super::escape;

/// The look of all pages.
pub(super) const STYLE: &str = include_str!("report.css");
/// What all pages do.
pub(super) const SCRIPT: &str = include_str!("report.js");

/// Nothing from anywhere but this folder may be loaded, and no script run that stands in a page: a second lock behind
/// the escaping. `file:` is for browsers to which every file is an origin of its own.
const POLICY: &str = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none'; form-action 'none'";

/// A page around its content. `up` is the way from the page to the report's folder: empty or `../` as often as it takes.
/// `links` are the links above the heading, as HTML.
pub(super) fn page(title: &str, up: &str, links: &str, content: &str) -> String {
    let title = escape::escaped(title);
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta http-equiv=Content-Security-Policy content=\"{POLICY}\">\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta name=referrer content=no-referrer>\n\
         <title>{title}</title>\n<link rel=stylesheet href=\"{up}report.css\">\n\
         <script src=\"{up}report.js\" defer></script>\n</head>\n<body>\n\
         <a class=skip href=\"#content\">To the content</a>\n<nav aria-label=Report>{links}</nav>\n\
         <main id=content>\n{content}</main>\n</body>\n</html>\n"
    )
}

/// A figure between 0 and 1 as people compare them: three digits, or a dash where there is none.
pub(super) fn figure(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

/// A difference, with its sign.
pub(super) fn difference(value: Option<f64>) -> String {
    match value.filter(|value| value.is_finite()) {
        None => "–".to_owned(),
        // No sign for what is shown as nothing.
        Some(value) if value.abs() < 0.000_5 => "0.000".to_owned(),
        Some(value) => format!("{value:+.3}").replace('-', "\u{2212}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_differences_read_well() {
        assert_eq!(figure(Some(0.123_45)), "0.123");
        assert_eq!(figure(Some(f64::NAN)), "–");
        assert_eq!(difference(Some(-0.25)), "−0.250");
        assert_eq!(difference(Some(0.000_1)), "0.000");
        assert_eq!(difference(None), "–");
    }

    #[test]
    fn a_title_cannot_leave_its_element() {
        let page = page("</title><script>x</script>", "", "", "");
        assert!(!page.contains("<script>"), "{page}");
    }
}
