//! Names of people in Chinese, Japanese and Korean.

use super::lexicon::{is_east_asian, phrases};

/// A Chinese, Japanese or Korean name.
pub(super) fn han_person(part: &str) -> Option<String> {
    if phrases("editor").at_start(part, |_| true).is_some() {
        return None;
    }
    // Before the word for a reporter stands whose reporter it is, or in Korean the name.
    let own = phrases("reporter").find(part).last().map(|(at, phrase)| &part[at + phrase.text.len()..]);
    let own = own.filter(|own| !own.trim().is_empty());
    let before = || {
        let end =
            ["reporter", "reporter_after"].iter().find_map(|category| phrases(category).at_end(part))?;
        Some(part[..part.len() - end.text.len()].trim()).filter(|own| !own.is_empty())
    };
    if let Some(own) = own.or_else(before) {
        return han_person(own.trim());
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
    let (mut names, mut words) = (Vec::new(), words.into_iter());
    while let Some(word) = words.next() {
        match word.chars().count() {
            1 => names.push(format!("{word}{}", words.next().filter(|next| next.chars().count() == 1)?)),
            _ => names.push(word.to_owned()),
        }
    }
    (!names.is_empty() && names.iter().all(|name| is_han_name(name))).then_some(names)
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
