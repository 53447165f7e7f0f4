//! Markup in titles that data give: some pages put `<br/>` and `<i>` where words alone should be.

use super::super::scan::folded;

/// Elements of lines. Others are what a title speaks of: "How to write <table>".
const ELEMENTS: [&str; 16] = [
    "i", "em", "b", "strong", "span", "sup", "sub", "small", "u", "a", "font", "mark", "cite", "q", "p",
    "nobr",
];

/// Longer texts are no titles, and are not searched for each of their marks.
const LONGEST: usize = 2_000;

/// A title without such markup, in one line.
pub(super) fn without(text: &str) -> String {
    if !text.contains('<') || text.len() > LONGEST {
        return folded(text);
    }
    let small = text.to_ascii_lowercase();
    let mut words = String::with_capacity(text.len());
    let mut rest = 0;
    while let Some(open) = text[rest..].find('<').map(|at| rest + at) {
        words.push_str(&text[rest..open]);
        let end = text[open..].find('>').map(|at| open + at + 1);
        let Some(end) = end else {
            rest = open;
            break;
        };
        let inner = small[open + 1..end - 1].trim_end_matches('/').trim();
        let name = inner.trim_start_matches('/').split_whitespace().next().unwrap_or_default();
        // One that is never closed is a word.
        let is_closed = ELEMENTS.contains(&name) && small.contains(&format!("</{name}>"));
        match name {
            "br" | "wbr" | "p" if name != "p" || is_closed => {
                words.push_str(if name == "wbr" { "" } else { " " })
            }
            _ if is_closed => {}
            _ => words.push_str(&text[open..end]),
        }
        rest = end;
    }
    words.push_str(&text[rest..]);
    folded(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_stood_in_titles() {
        for (text, expected) in [
            ("Rain<br/>at last", "Rain at last"),
            ("Rain <BR> at <i>last</i>", "Rain at last"),
            ("<p>Rain</p> <span class='x'>at</span> last", "Rain at last"),
            ("Har<wbr>bour", "Harbour"),
            ("H<sub>2</sub>O", "H2O"),
            ("How to write <table> and <b>", "How to write <table> and <b>"),
            ("1 < 2", "1 < 2"),
            ("Rain at last", "Rain at last"),
        ] {
            assert_eq!(without(text), expected, "{text}");
        }
    }
}
