//! Names without the words around them: "Ada says:", "by Ben". What names the writer of a comment often holds such words,
//! in any language, so they are known by being repeated.

use super::{Short, may_be_name, says_by};
use crate::hashing::NumberMap;

/// How many short texts behind another are searched for the name inside of it.
const NEAR: usize = 4;

/// Where an element names the writer and holds a link or the like with fewer words, that one is the name.
pub(super) fn inner_names(names: &mut NumberMap<u64, Vec<Short>>) {
    let mut texts: Vec<(usize, usize, String)> = names
        .values()
        .flatten()
        .filter(|short| !short.is_beside)
        .map(|short| (short.post, short.order, short.text.clone()))
        .collect();
    texts.sort_unstable();
    for short in names.values_mut().flatten() {
        let behind = texts.partition_point(|(post, order, _)| (*post, *order) <= (short.post, short.order));
        let near = texts.get(behind..).unwrap_or_default().iter().take(NEAR);
        let inner = near.take_while(|(post, ..)| *post == short.post).map(|(.., text)| text);
        // A part at the beginning or the end, of whole words.
        let is_inner = |inner: &&String| {
            let rest = short.text.strip_prefix(inner.as_str());
            let rest = rest.map(|rest| rest.starts_with(char::is_whitespace));
            rest.or_else(|| Some(short.text.strip_suffix(inner.as_str())?.ends_with(char::is_whitespace)))
                == Some(true)
        };
        if let Some(inner) = inner.into_iter().find(is_inner) {
            short.text = inner.clone();
        }
    }
}

/// Takes away the word before or behind the names at one place that all of them have.
pub(super) fn without_common_words(shorts: &mut Vec<Short>) {
    let Some(first) = shorts.first() else { return };
    if shorts.iter().all(|short| short.text == first.text) {
        return;
    }
    let split_last: Split = |text| text.rsplit_once(char::is_whitespace).map(|(name, word)| (word, name));
    let split_first: Split = |text| text.split_once(char::is_whitespace);
    for split in [split_last, split_first] {
        let common = shorts.first().and_then(|short| split(&short.text)).map(|(word, _)| word.to_owned());
        // Members of one family have a name in common, with a capital letter where the script has any.
        let Some(common) = common.filter(|word| !word.starts_with(char::is_uppercase)) else { continue };
        let is_common = |short: &Short| split(&short.text).is_some_and(|(word, _)| word == common);
        if shorts.iter().all(is_common) {
            for short in shorts.iter_mut() {
                short.text = split(&short.text).map_or("", |(_, name)| name).trim().to_owned();
            }
        }
    }
    shorts.retain(|short| may_be_name(&short.text));
}

/// Takes away "by". Where there is one name only, nothing tells whether "Ada says" is one: it is left out.
pub(super) fn without_doubts(shorts: &mut Vec<Short>) {
    for short in shorts.iter_mut() {
        if let Some((_, name)) = short.text.split_once(char::is_whitespace).filter(|(by, _)| says_by(by)) {
            short.text = name.trim().to_owned();
        }
    }
    let Some(first) = shorts.first() else { return };
    if shorts.iter().all(|short| short.text == first.text) {
        let is_small = |word: &str| word.starts_with(char::is_lowercase);
        shorts.retain(|short| {
            let words = short.text.rsplit_once(char::is_whitespace);
            words.is_none_or(|(before, last)| is_small(before) || !is_small(last))
        });
    }
}

/// A text as one word and the rest.
type Split = fn(&str) -> Option<(&str, &str)>;
