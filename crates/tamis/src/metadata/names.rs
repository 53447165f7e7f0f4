//! Names of people in a text where authors are expected, without labels, roles, addresses and times.

use super::candidate::comparison_key;
use super::han::{behind_reporter, han_person, spaced_han};
use super::lexicon::{is_east_asian, phrases};
use super::not_people::{is_called_otherwise, is_given_name, is_month, is_organisation_words};
use crate::text::characters::lowercase;

/// Names taken from one text.
pub(crate) const MAX_NAMES: usize = 12;
/// Longer texts are not read as names, in bytes.
const MAX_BYTES: usize = 400;

/// The names of people in a text; empty where it names none, or something else.
pub(crate) fn people(text: &str) -> Vec<String> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_BYTES || (text.contains("://") && !text.contains(' ')) {
        return Vec::new();
    }
    let bare = without_label(&without_brackets(text)).to_owned();
    if let Some(turned) = family_first(&bare) {
        return turned.iter().filter_map(|name| person(name)).take(MAX_NAMES).collect();
    }
    let mut names: Vec<String> = Vec::new();
    let parts = split(&bare);
    for (place, part) in parts.iter().enumerate() {
        if let Some(several) = spaced_han(behind_reporter(part).unwrap_or(part)) {
            names.extend(several);
            continue;
        }
        // "Ada Finch, PhD", "Eva Müller, Berlin": behind a whole name, one word is a degree, a role or a place.
        let is_tail = place > 0
            && !part.trim().contains(' ')
            && !part.contains(is_east_asian)
            && names.last().is_some_and(|name| name.contains(' '));
        match person(part) {
            Some(name) if !is_tail && !names.contains(&name) => names.push(name),
            Some(_) => {}
            None if names.is_empty() && !part.trim().is_empty() => break,
            None => {}
        }
    }
    // "Mac & i": one word beside what is no name.
    if let ([one, _], [name]) = (parts.as_slice(), names.as_slice())
        && !name.contains(' ')
        && !one.contains(is_east_asian)
        && !bare.contains(',')
    {
        return Vec::new();
    }
    // "Bo Lark", "Ada Finch Bo Lark", "Ada Finch": a template forgot what stands between two.
    let all = names.clone();
    names.retain(|name| all.iter().filter(|other| name.contains(other.as_str())).count() < 3);
    names.truncate(MAX_NAMES);
    names
}

/// A text without the labels before a name: "By", "Posted by", "View all posts by".
pub(crate) fn without_label(text: &str) -> &str {
    let mut rest = text.trim();
    for _ in 0..4 {
        let lowercase = lowercase(&rest[..rest.floor_char_boundary(80)]);
        let label = |category: &str| {
            let ends = |length: usize| lowercase[length..].starts_with([' ', ':', '：', '\u{a0}', '/', '｜']);
            phrases(category).at_start(&lowercase, |phrase| ends(phrase.text.len())).map(|phrase| phrase.text)
        };
        let wide = || phrases("reporter").at_start(&lowercase, |_| true).map(|phrase| phrase.text);
        let Some(label) = label("posts_by").or_else(|| label("byline")).or_else(wide) else { break };
        let Some(behind) = rest.get(label.len()..) else { break };
        // "Di Stefano" is a family name: a particle is a label only before a whole name or before no name at all.
        let family = behind.trim();
        let is_family = !family.contains(char::is_whitespace)
            && family.starts_with(char::is_uppercase)
            && !is_given_name(family);
        if phrases("particle").contains(label) && is_family {
            break;
        }
        rest = behind.trim_start_matches([' ', ':', '：', '\u{a0}', '/', '｜', '、']);
    }
    // "Ada Finch View all posts by Ada Finch"
    let lowercase = lowercase(rest);
    let again = phrases("posts_by").find(&lowercase).into_iter().find(|(at, _)| *at > 0);
    again.and_then(|(at, _)| rest.get(..at)).map_or(rest, str::trim)
}

/// Whether a text beside a name is a label, a button or a placeholder.
pub(crate) fn is_noise(text: &str) -> bool {
    let lowercase = text.to_lowercase();
    let bare = lowercase.trim_matches(|c: char| !c.is_alphanumeric());
    ["class_noise", "byline", "posts_by"].iter().any(|category| phrases(category).contains(bare))
        || bare.split(['/', ' ']).any(|word| phrases("button").contains(word))
}

/// A text without the words at its end that a time would follow.
pub(crate) fn without_time(text: &str) -> &str {
    let mut rest = text.trim_end();
    while let Some((head, last)) = rest.rsplit_once(' ')
        && phrases("time_follows").contains(&last.to_lowercase())
    {
        rest = head.trim_end();
    }
    rest
}

/// Whether a name begins with a known given name and goes on.
pub(crate) fn has_given_name(name: &str) -> bool {
    name.split_once(' ').is_some_and(|(given, _)| is_given_name(given))
}

/// Whether a name has several words, letters without case, or is a known given name.
pub(crate) fn is_whole_or_given(name: &str) -> bool {
    name.contains(' ')
        || !name.contains(|c: char| c.is_uppercase() || c.is_lowercase())
        || is_given_name(name)
}

/// A text without its parenthesised parts: places, roles, addresses.
fn without_brackets(text: &str) -> String {
    let (mut bare, mut open) = (String::with_capacity(text.len()), 0_i32);
    for character in text.chars() {
        match character {
            '(' | '（' | '[' | '<' | '【' => open += 1,
            ')' | '）' | ']' | '>' | '】' => open = (open - 1).max(0),
            character if open == 0 => bare.push(character),
            _ => {}
        }
    }
    bare
}

/// The parts of a list of names.
fn split(text: &str) -> Vec<&str> {
    let is_wide = text.contains(is_east_asian);
    let mut parts = vec![text];
    for mark in [", ", ";", "、", "，", "/", "／", "|", "•", "·", " - ", " -- ", " – ", " — ", "\n"]
    {
        // In Chinese a dot joins the parts of foreign names.
        if text.contains(mark) && !(mark == "·" && is_wide) {
            parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
        }
    }
    parts.into_iter().flat_map(split_at_joiners).filter(|part| !part.trim().is_empty()).collect()
}

/// Splits at "and" and its like. Some join families as well (José Ortega y Gasset): those only between whole names.
fn split_at_joiners(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut from) = (Vec::new(), 0, 0);
    while let Some(space) = text[from..].find(' ').map(|at| from + at) {
        let word_end = text[space + 1..].find(' ').map_or(text.len(), |at| space + 1 + at);
        let word = lowercase(&text[space + 1..word_end]);
        from = space + 1;
        let joins = phrases("joiner").get(&word).is_some_and(|joiner| {
            !joiner.flags.whole || (is_whole(&text[start..space]) && is_whole(&text[word_end..]))
        });
        if joins && word_end < text.len() {
            parts.push(&text[start..space]);
            (start, from) = (word_end + 1, word_end + 1);
        }
    }
    parts.push(&text[start.min(text.len())..]);
    parts
}

/// Whether a part has a given and a family name, each with a capital.
fn is_whole(part: &str) -> bool {
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    part.split_whitespace().filter(is_capital).count() >= 2
        && part.split_whitespace().all(|word| is_capital(&word) || phrases("particle").contains(word))
}

/// "Moss, Ada" is one person and "Moss, Ada; Lark, Bo" are two: each side too short to be a whole name.
fn family_first(text: &str) -> Option<Vec<String>> {
    let is_word = |word: &str| {
        word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.'))
    };
    let parts = text.split(';').flat_map(split_at_joiners).flat_map(split_at_initials);
    let people = parts.map(|it| it.trim().trim_end_matches(',')).filter(|it| !it.is_empty());
    let turned = people.map(|person| {
        let (family, given) = person.split_once(", ")?;
        let mut families = family.split_whitespace().rev();
        let last = families.next()?;
        let given: Vec<&str> = given.split_whitespace().collect();
        let (first, others) = given.split_first()?;
        let is_one = is_word(last)
            && last.chars().count() >= 2
            && families.all(|word| phrases("particle").contains(word))
            && is_word(first)
            && others.len() <= 2
            && others.iter().all(|word| is_initial(word));
        let is_title = given.iter().any(|word| {
            is_degree(word, family)
                || phrases("role").contains(&word.to_lowercase())
                || phrases("place").contains(&comparison_key(word))
        });
        (is_one && !is_title).then(|| format!("{} {family}", given.join(" ")))
    });
    turned.collect::<Option<Vec<String>>>().filter(|people| !people.is_empty())
}

/// Splits "Moss, A. B., Lark, C.": behind initials and a comma, the next person begins.
fn split_at_initials(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, _) in text.match_indices("., ") {
        let given = text[start..=at].split_once(", ").map_or("", |(_, given)| given);
        if given.split_whitespace().all(is_initial) && !given.is_empty() {
            parts.push(&text[start..=at]);
            start = at + 3;
        }
    }
    parts.push(&text[start..]);
    parts
}

fn is_initial(word: &str) -> bool {
    word.trim_end_matches('.').chars().count() == 1
}

/// Whether a word behind a name is a degree: known, with a mark, or in capitals where the name is not.
fn is_degree(word: &str, name: &str) -> bool {
    let letters: String = word.chars().filter(|c| c.is_alphabetic()).collect();
    let is_capitals = |text: &str| !text.contains(char::is_lowercase);
    letters.chars().count() >= 2
        && !word.trim().contains(' ')
        && (word.contains(['®', '™'])
            || phrases("degree")
                .get(&letters.to_lowercase())
                .is_some_and(|degree| !degree.flags.capitals || is_capitals(&letters))
            || (is_capitals(&letters) && !is_capitals(name) && word.trim_end().ends_with('.')))
}

/// The name of one person, if a text looks like it.
pub(crate) fn person(part: &str) -> Option<String> {
    let part = part.trim_matches(|c: char| c.is_whitespace() || ",.:：-–|\"'“”*@·«»‹›©&".contains(c));
    // "Ada Finch ada@example.com": behind a whole name, where to write to.
    let is_address = |word: &&str| word.len() > 1 && word.contains('@');
    let kept: Vec<&str> = part.split_whitespace().filter(|word| !is_address(word)).collect();
    let has_address = part.split_whitespace().any(|word| is_address(&word));
    if has_address && kept.len() < 2 {
        return None;
    }
    let part = kept.join(" ");
    let letters = part.chars().filter(|c| c.is_alphabetic()).count();
    if letters < 2 || part.contains(|c: char| c.is_ascii_digit() || "@/\\{=?!#…>%:：®™,《".contains(c))
    {
        return None;
    }
    if part.contains(is_east_asian) {
        return han_person(&part);
    }
    let mut words: Vec<&str> = part.split(' ').collect();
    let (once, again) = words.split_at(words.len() / 2);
    if once == again {
        words.truncate(words.len() / 2);
    }
    cut_tail(&mut words);
    cut_roles(&mut words);
    let lower = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_short = letters <= 3 && words.len() == 1 && !part.contains(char::is_lowercase);
    let names = words.iter().filter(|word| !word.starts_with(char::is_lowercase)).count();
    if names > 5 || !(1..=8).contains(&words.len()) || part.chars().count() > 48 || is_short {
        return None;
    }
    let is_role = |word: &&str| {
        let word = lower(word);
        let last = word.rsplit('-').next().unwrap_or_default();
        let is_last =
            last.len() < word.len() && last.len() >= 4 && !phrases("family_like_role").contains(last);
        (last == word || is_last) && phrases("role").contains(last)
    };
    let is_family = matches!(words.as_slice(), [given, family] if phrases("family_like_role").contains(&lower(family)) && is_given_name(given));
    let is_other = (words.iter().any(is_role) && !is_family)
        || is_organisation_words(&words)
        || is_called_otherwise(&words)
        || words.iter().any(|word| phrases("says_when").contains(&word.to_lowercase()))
        || words.iter().any(|word| phrases("button").contains(&lower(word)));
    (!is_other && is_written_as_name(&words)).then(|| words.join(" "))
}

/// Cuts what follows a name: a time ("on July"), an outlet ("for Harbour Life"), degrees.
fn cut_tail(words: &mut Vec<&str>) {
    let lower = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_whole =
        |place: usize| words[..place].iter().filter(|word| word.starts_with(char::is_uppercase)).count() >= 2;
    let ends = |place: &usize| {
        let word = words[*place];
        let is_time = phrases("time_follows").contains(&lower(word))
            && (*place >= 2 || word.starts_with(char::is_lowercase));
        is_time
            || (phrases("outlet_follows").contains(word) && is_whole(*place))
            || (is_month(word) && *place >= 2)
    };
    if let Some(end) = (1..words.len()).find(ends) {
        words.truncate(end);
    }
    // "Ada FinchJournal News": an outlet that sticks to the name.
    if let Some((place, name)) =
        words.iter().enumerate().skip(1).find_map(|(place, &word)| Some((place, before_glued(word)?)))
    {
        words.truncate(place);
        words.push(name);
    }
    while words.len() > 2 && words.last().is_some_and(|last| is_degree(last, words[0])) {
        words.pop();
    }
}

/// The part of a word before a second capital, if it is too long for that of "MacArthur" and "FitzGibbon".
fn before_glued(word: &str) -> Option<&str> {
    const MIN_LETTERS: usize = 5;
    let mut pairs = word.char_indices().zip(word.chars().skip(1));
    let (end, last) = pairs.find(|((_, one), next)| one.is_lowercase() && next.is_uppercase())?.0;
    let head = &word[..end + last.len_utf8()];
    (head.chars().count() >= MIN_LETTERS && head.chars().all(char::is_alphabetic)).then_some(head)
}

/// Cuts what somebody does, before a whole name and behind it. Three words left may be a name and a field of work.
fn cut_roles(words: &mut Vec<&str>) {
    if words.len() < 3 {
        return;
    }
    let is_work = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        phrases("work").contains(word.rsplit('-').next().unwrap_or_default())
            || phrases("button").contains(&word)
    };
    let is_name = |words: &[&str]| {
        words.iter().filter(|word| word.starts_with(char::is_uppercase) && !is_initial(word)).count() == 2
            && is_whole(&words.join(" "))
    };
    let before = words.iter().take_while(|word| is_work(word)).count();
    if before > 0 && is_name(&words[before..]) {
        words.drain(..before);
    } else if let Some(end) = (2..words.len()).find(|place| is_work(&words[*place]))
        && is_name(&words[..end])
    {
        words.truncate(end);
    }
}

/// Names have capitals, where a script has them.
fn is_written_as_name(words: &[&str]) -> bool {
    // Georgian has capital letters, but names are not written with them.
    let has_case = |c: char| (c.is_lowercase() || c.is_uppercase()) && !matches!(c, '\u{10d0}'..='\u{10ff}');
    if !words.iter().any(|word| word.contains(has_case)) {
        return true;
    }
    let is_small = words[0].starts_with(char::is_lowercase) && words.len() > 1;
    if is_small && !phrases("particle").contains(&words[0].to_lowercase()) {
        return false;
    }
    let capitals = words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    let ends_open = words.last().is_some_and(|last| phrases("particle").contains(last));
    words.iter().any(|word| word.contains(char::is_uppercase))
        && capitals * 2 >= words.len()
        && words.iter().all(|word| is_name_word(word))
        && !ends_open
}

/// Whether a word may be part of a name: with a capital, a particle, or both as in "al-Amin" and "d'Arc".
pub(crate) fn is_name_word(word: &str) -> bool {
    let joins_families = |part: &str| phrases("joiner").get(part).is_some_and(|joiner| joiner.flags.whole);
    let is_particle = |part: &str| phrases("particle").contains(part) || joins_families(part);
    let joined = word.split_once(['-', '\'', '’']);
    !word.starts_with(char::is_lowercase)
        || is_particle(word)
        || joined.is_some_and(|(head, tail)| {
            tail.starts_with(char::is_uppercase) && (is_particle(head) || head.chars().count() <= 2)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_what_stands_around_them() {
        for (text, expected) in [
            ("Ada Finch", vec!["Ada Finch"]),
            ("by Ada Finch and Bo Lark", vec!["Ada Finch", "Bo Lark"]),
            ("Von Jörg van der Tal, Redakteur", vec!["Jörg van der Tal"]),
            ("View all posts by Ada Finch", vec!["Ada Finch"]),
            ("Ada Finch View all posts by Ada Finch", vec!["Ada Finch"]),
            ("Eva Müller, Berlin", vec!["Eva Müller"]),
            ("Ada Finch (ada@example.com)", vec!["Ada Finch"]),
            ("By Ada Finch @adafinch", vec!["Ada Finch"]),
            ("Ada Finch on July", vec!["Ada Finch"]),
            ("Jörg Tal vom", vec!["Jörg Tal"]),
            ("Ada May", vec!["Ada May"]),
            ("新华社记者王小明", vec!["王小明"]),
            ("van Tal", vec!["van Tal"]),
            ("Di Stefano", vec!["Di Stefano"]),
            ("von Eva", vec!["Eva"]),
            ("© Ada Finch Ada Finch", vec!["Ada Finch"]),
            ("王小明、李雷", vec!["王小明", "李雷"]),
            ("王小明 方 雷", vec!["王小明", "方雷"]),
            ("李 明", vec!["李明"]),
            ("王小明 北京报道", vec!["王小明"]),
            ("王小明 李雷 北京 青岛报道", vec!["王小明", "李雷"]),
            ("Ada Finch Filed", vec!["Ada Finch"]),
            ("Ada Finch »", vec!["Ada Finch"]),
            ("Ada Finch Ada Finch", vec!["Ada Finch"]),
            ("Ada Finch Twitter", vec!["Ada Finch"]),
            ("Ada Finch BBC", vec!["Ada Finch"]),
            ("T.R. Finch", vec!["T.R. Finch"]),
            ("Ada Smith-Post", vec!["Ada Smith-Post"]),
            ("McKay", vec!["McKay"]),
            ("김바다 기자", vec!["김바다"]),
            ("Анна Иванова", vec!["Анна Иванова"]),
            ("By Ada Finch for Harbour Life", vec!["Ada Finch"]),
            ("Moss, Ada", vec!["Ada Moss"]),
            ("Moss, Ada B.; Lark, Bo", vec!["Ada B. Moss", "Bo Lark"]),
            ("Ada Moss, Bo Lark", vec!["Ada Moss", "Bo Lark"]),
            ("Moss, Ada and Lark, Bo", vec!["Ada Moss", "Bo Lark"]),
            ("Moss, A. B., Lark, C., & Roe, D.", vec!["A. B. Moss", "C. Lark", "D. Roe"]),
            ("Ada Finch, MBA, Ph.D.", vec!["Ada Finch"]),
            ("Par Anne Roux avec AFP", vec!["Anne Roux"]),
            ("José Ortega y Gasset", vec!["José Ortega y Gasset"]),
            ("María de la Cruz y Ramírez", vec!["María de la Cruz y Ramírez"]),
            ("Ana Ruiz y Luis Gil", vec!["Ana Ruiz", "Luis Gil"]),
            ("Jan de Vries en Piet van Tal", vec!["Jan de Vries", "Piet van Tal"]),
            ("Chefreporter Ada Finch", vec!["Ada Finch"]),
            ("Ada Finch Senior Reporter", vec!["Ada Finch"]),
            ("Emily Post", vec!["Emily Post"]),
            ("Ada Finch -- Harbour Broadcasting", vec!["Ada Finch"]),
            ("Bo Lark and Ada Finch Bo Lark and Ada Finch", vec!["Bo Lark", "Ada Finch"]),
            ("Bo Lark and Isabel FinchJournal New", vec!["Bo Lark", "Isabel Finch"]),
            ("Ada MacArthur", vec!["Ada MacArthur"]),
            ("An Nguyen", vec!["An Nguyen"]),
            ("本报记者 王小明 方 雷", vec!["王小明", "方雷"]),
            ("Ada Finch 著、嶋田 健志 監訳", vec!["Ada Finch"]),
        ] {
            assert_eq!(people(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_person() {
        for text in [
            "",
            "admin",
            "Veröffentlicht am",
            "Staff",
            "Editorial Team",
            "https://example.com/ada",
            "ada@example.com",
            "Redaktion",
            "HG-Redaktion",
            "责任编辑 王小明",
            "3 min read",
            "新华网",
            "Read more",
            "{{author}}",
            "Foto: charlotte",
            "Harbour AG",
            "Harbour S.p.A.",
            "WordPress",
            "Ministry of Harbours",
            "港口管理局",
            "时间",
            "Harbour Court System",
            "Watch Trailer",
            "Edit Delete Tags",
            "Eminent Member",
            "Gazette.example",
            "gazette.example.com",
            "HARBOUR.PL",
            "ERBO",
            "Gazette Japan",
            "AdaFinch",
            "Von Hafen-Team",
            "《港口》综合报道",
            "会員 登録者",
            "Message",
            "Al Jazeera",
            "Feb",
            "Monday",
            "Condé Nast",
            "Deutsche Presse-Agentur",
            "New Zealand",
            "Mac & i",
            "Harbour Post",
            "Einloggen",
            "Autor",
            "AN OFFENSIVE",
            "Why I Believe",
            "Polizei Hafenstadt",
            "Harbour Sports",
            "Do HOL",
            "von Newsdesk",
            "& Fotos",
            "Liane Anmeldungsdatum",
            "登录",
        ] {
            assert_eq!(people(text), Vec::<String>::new(), "{text}");
        }
    }
}
