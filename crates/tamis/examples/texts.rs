//! Prints the main text of each page of a list (one path per line) as JSON lines: `{"path": …, "text": …}`.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let extractor = tamis::Extractor::new();
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for path in std::io::stdin().lock().lines() {
        let path = path?;
        let text = extractor.extract_text(&std::fs::read(&path)?).unwrap_or_default();
        writeln!(out, "{}", serde_json::json!({ "path": path, "text": text }))?;
    }
    out.flush()
}
