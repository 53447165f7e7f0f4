//! The web page that shows an inspection: as files for a server, and as one file that needs nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::inspection::Inspection;

/// A file of the web page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asset {
    /// Its name; the page refers to it as `/assets/NAME`. `index.html` is the page itself.
    pub name: &'static str,
    /// Its media type.
    pub content_type: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The policy to serve the page with.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const INDEX: &str = include_str!("../web/index.html");
const STYLE: &str = include_str!("../web/tamis.css");

/// The modules, each after those that it imports.
const MODULES: &[(&str, &str)] = &[
    ("dom.js", include_str!("../web/dom.js")),
    ("api.js", include_str!("../web/api.js")),
    ("frame.js", include_str!("../web/frame.js")),
    ("curves.js", include_str!("../web/curves.js")),
    ("panels.js", include_str!("../web/panels.js")),
    ("learning.js", include_str!("../web/learning.js")),
    ("app.js", include_str!("../web/app.js")),
];

/// The files of the web page.
pub fn assets() -> impl Iterator<Item = Asset> {
    let asset = |name, content_type, text| Asset { name, content_type, text };
    let page = [
        asset("index.html", "text/html; charset=utf-8", INDEX),
        asset("tamis.css", "text/css; charset=utf-8", STYLE),
    ];
    page.into_iter()
        .chain(MODULES.iter().map(move |(name, text)| asset(name, "text/javascript; charset=utf-8", text)))
}

/// The web page as one file, with an inspection inside.
pub fn standalone(inspection: &Inspection) -> String {
    let script = bundle();
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(STYLE)
    );
    let data = serde_json::to_string(inspection).unwrap_or_default();
    // Within a script element, only these begin something else.
    let data = data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let mut page = String::with_capacity(INDEX.len() + STYLE.len() + script.len() + data.len() + 1_000);
    for line in INDEX.lines() {
        if line.contains("href=\"/assets/tamis.css\"") {
            page.push_str(&format!(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{STYLE}</style>\n"
            ));
        } else if line.contains("src=\"/assets/app.js\"") {
            page.push_str("<script type=\"application/json\" id=\"inspection\">");
            page.push_str(&data);
            page.push_str("</script>\n<script type=\"module\">");
            page.push_str(&script);
            page.push_str("</script>\n");
        } else {
            page.push_str(line);
            page.push('\n');
        }
    }
    page
}

/// The modules as one: their imports are satisfied by what stands before.
fn bundle() -> String {
    let mut script = String::new();
    for line in MODULES.iter().flat_map(|(_, text)| text.lines()) {
        if !line.starts_with("import ") {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

/// A source expression for an inline script or style.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
