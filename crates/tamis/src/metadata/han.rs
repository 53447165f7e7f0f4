//! Names of people in Chinese, Japanese and Korean.

use super::lexicon::{is_east_asian, phrases};
use super::names::person;

/// What follows the word for a reporter; before it stands whose reporter it is.
pub(super) fn behind_reporter(part: &str) -> Option<&str> {
    let own = phrases("reporter").find(part).last().map(|(at, phrase)| part[at + phrase.text.len()..].trim());
    own.filter(|own| !own.is_empty())
}

/// A Chinese, Japanese or Korean name, or another with a word of these languages.
pub(super) fn han_person(part: &str) -> Option<String> {
    let last = part.trim_end().rsplit(' ').next().unwrap_or_default();
    if phrases("editor").at_start(part, |_| true).is_some() || phrases("translator").contains(last) {
        return None;
    }
    // In Korean the name stands before the word.
    let before = || {
        let end =
            ["reporter", "reporter_after"].iter().find_map(|category| phrases(category).at_end(part))?;
        Some(part[..part.len() - end.text.len()].trim()).filter(|own| !own.is_empty())
    };
    if let Some(own) = behind_reporter(part).or_else(before) {
        return person(own);
    }
    let length = part.chars().filter(|c| !c.is_whitespace()).count();
    let is_other = phrases("organisation_ending").at_end(part).is_some()
        || phrases("not_a_person").contains(part)
        || (length >= 5 && phrases("in_organisation").occurs(part));
    let name = part.trim();
    // Chinese names of two characters are spaced to the width of three: 李 明.
    let is_spaced = name.split(' ').count() == 2 && name.split(' ').all(|word| word.chars().count() == 1);
    ((2..=12).contains(&length) && !is_other)
        .then(|| if is_spaced { name.replace(' ', "") } else { name.to_owned() })
}

/// Chinese names with spaces between them, which all begin with a family name: 王乐文 方 敏.
pub(super) fn spaced_han(text: &str) -> Option<Vec<String>> {
    let mut words: Vec<&str> = text.split([' ', '\u{3000}']).filter(|word| !word.is_empty()).collect();
    if !(2..=12).contains(&words.len()) {
        return None;
    }
    // Where it was reported from follows: 李明 王芳 北京 上海报道.
    if words.last().is_some_and(|last| phrases("report_ending").at_end(last).is_some()) {
        words.truncate(words.iter().take_while(|word| is_han_name(word)).count());
    }
    let names = leading_names(&words);
    let length = |words: &mut dyn Iterator<Item = &str>| words.map(str::len).sum::<usize>();
    let is_all = length(&mut names.iter().map(String::as_str)) == length(&mut words.iter().copied());
    (!names.is_empty() && is_all).then_some(names)
}

/// The Chinese names that words begin with; those of two characters may be spaced to the width of three.
pub(super) fn leading_names(words: &[&str]) -> Vec<String> {
    let is_one = |word: &str| word.chars().count() == 1;
    let (mut names, mut rest) = (Vec::new(), words);
    while let [first, behind @ ..] = rest {
        let (name, behind) = match behind {
            [second, behind @ ..] if is_one(first) && is_one(second) => (format!("{first}{second}"), behind),
            _ => ((*first).to_owned(), behind),
        };
        if !is_han_name(&name) {
            break;
        }
        names.push(name);
        rest = behind;
    }
    names
}

/// Two or three Chinese characters that begin with a family name, or a foreign name with its dot.
pub(super) fn is_han_name(word: &str) -> bool {
    let length = word.chars().count();
    let mut first = [0; 4];
    let begins =
        word.chars().next().is_some_and(|c| phrases("family_name").contains(c.encode_utf8(&mut first)));
    word.chars().all(|c| is_east_asian(c) || c == '·')
        && ((word.contains('·') && length <= 16) || (begins && (2..=3).contains(&length)))
}
