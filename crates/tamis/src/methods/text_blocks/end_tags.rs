//! Is there an end tag for an element anywhere behind it? What was found is remembered, so that nothing is read twice.

use memchr::memmem;
use tamis_html::Name;

/// The end tags of a page that were looked for, in source order of the looks.
#[derive(Debug, Default)]
pub(super) struct EndTags {
    /// By name, where the next end tag in small letters stands, and the next in large ones; see [`EndTags::is_behind`].
    known: Vec<(Name, [usize; 2])>,
}

impl EndTags {
    /// Is there an end tag of this name behind `from`? `from` must not fall from one look to the next.
    ///
    /// An end tag that was found answers for all places before it, and one that was not for the rest of the page: each
    /// name costs two looks at each part of the page at most.
    pub(super) fn is_behind(&mut self, name: Name, text: &str, source: &str, from: usize) -> bool {
        let known = match self.known.iter().position(|(known, _)| *known == name) {
            Some(known) => known,
            None => {
                self.known.push((name, [0; 2]));
                self.known.len() - 1
            }
        };
        let places = &mut self.known[known].1;
        let is_large = [false, true];
        places.iter_mut().zip(is_large).any(|(place, is_large)| {
            // Not looked for yet: the end of a tag is never at 0.
            if *place < from {
                *place = find(text, is_large, source, from).unwrap_or(source.len());
            }
            *place < source.len()
        })
    }
}

/// Where `</name` stands behind a place.
fn find(name: &str, is_large: bool, source: &str, from: usize) -> Option<usize> {
    // All names of type I fit in here.
    let mut end_tag = *b"</..............";
    let name = name.as_bytes();
    let length = name.len().min(end_tag.len() - 2);
    end_tag[2..2 + length].copy_from_slice(&name[..length]);
    let end_tag = &mut end_tag[..2 + length];
    if is_large {
        end_tag.make_ascii_uppercase();
    }
    memmem::find(source.as_bytes().get(from..)?, end_tag).map(|place| from + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_a_look_would_find() {
        let source = "<form></form><FORM></FORM><form><form></FORM><form>";
        let mut tags = EndTags::default();
        for (from, _) in source.match_indices('>') {
            let rest = &source[from + 1..];
            let expected = rest.contains("</form") || rest.contains("</FORM");
            assert_eq!(tags.is_behind(Name::FORM, "form", source, from + 1), expected, "{rest}");
            assert!(!tags.is_behind(Name::MAP, "map", source, from + 1));
        }
    }

    #[test]
    fn large_letters_do_not_make_a_page_slow() {
        let source = "<FORM></FORM>".repeat(50_000);
        let mut tags = EndTags::default();
        let ends = source.match_indices("<FORM>").map(|(at, tag)| at + tag.len());
        assert!(ends.into_iter().all(|from| tags.is_behind(Name::FORM, "form", &source, from)));
    }
}
