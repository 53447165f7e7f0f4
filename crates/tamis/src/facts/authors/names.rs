//! Names of people in a text that names authors: without "by", roles, addresses and times.

use std::sync::OnceLock;

use super::super::dates::is_month_in;
use super::super::title::normal;
use super::labels::without_label;
use super::words::{
    BUTTONS, CALLED_AS_PEOPLE, DEGREES, DEGREES_IN_CAPITALS, FAMILIES_LIKE_ROLES, GIVEN_NAMES, HOUSES,
    IN_OUTLETS, LEGAL_FORMS, NO_NAMES, OUTLET_BEGINS, PARTICLES, PLACES, RANKS, ROLES, SAYS_WHEN,
    SHORT_LEGAL_FORMS, TIME_BEGINS, WORK,
};
use crate::characters::{is_letter_or_number, small};
use crate::hashing::TextSet;

/// Words between two people.
const JOINING: &[&str] =
    &[" & ", " and ", " And ", " AND ", " und ", " UND ", " et ", " och ", " og ", " и "];
/// Words between two people, and within the names of families: José Ortega y Gasset.
const JOINING_WITHIN: &[&str] = &[" y ", " e ", " en ", " i "];

/// The names in a text that is meant to name authors.
pub(super) fn names(text: &str, most: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let text = text.trim();
    if text.is_empty() || text.len() > 400 || text.contains("://") && !text.contains(' ') {
        return found;
    }
    // What stands in brackets is a place, a role or an address.
    let mut bare = String::with_capacity(text.len());
    let mut open = 0_i32;
    for c in text.chars() {
        match c {
            '(' | '（' | '[' | '<' | '【' => open += 1,
            ')' | '）' | ']' | '>' | '】' => open = (open - 1).max(0),
            c if open == 0 => bare.push(c),
            _ => {}
        }
    }
    let bare = without_label(&bare);
    if let Some(turned) = family_first(bare) {
        return turned.iter().filter_map(|it| name(it)).take(most).collect();
    }
    let parts = split(bare);
    if is_house_of_two(&parts, bare) {
        return found;
    }
    for part in parts {
        if found.len() >= most {
            break;
        }
        if let Some(several) = super::chinese::spaced(part) {
            found.extend(several);
            continue;
        }
        if found.last().is_some_and(|before| is_degree(part, before)) {
            continue;
        }
        match name(part) {
            Some(name) if !found.contains(&name) => found.push(name),
            Some(_) => {}
            // Behind the first name, what is none is a role or a title of the one before.
            None if found.is_empty() && !part.trim().is_empty() => break,
            None => {}
        }
    }
    found.truncate(most);
    found
}

/// Is it a name of two parts, as shops and magazines have them: "Mac & i", "Cuisine et Vins de France"? One word, and beside it what is
/// no name.
fn is_house_of_two(parts: &[&str], text: &str) -> bool {
    let [one, other] = parts else { return false };
    !one.trim().contains(' ')
        && JOINING.iter().any(|and| text.contains(and))
        && name(one).is_some()
        && name(other).is_none()
}

/// "Moss, Ada" is one person, as catalogues and papers name them; "Moss, Ada; Lark, Bo" are two. Each of the two parts must
/// be too short to be a whole name.
fn family_first(text: &str) -> Option<Vec<String>> {
    let is_word = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.'))
    };
    let people = text.split(';').map(str::trim).filter(|it| !it.is_empty());
    let turned = people.map(|person| {
        let (family, given) = person.split_once(", ")?;
        let families: Vec<&str> = family.split_whitespace().collect();
        let (last, particles) = families.split_last()?;
        let given: Vec<&str> = given.split_whitespace().collect();
        let (first, others) = given.split_first()?;
        let is_one = is_word(last)
            && last.chars().count() >= 2
            && particles.iter().all(|it| PARTICLES.contains(&it.to_lowercase().as_str()))
            && is_word(first)
            && others.len() <= 2
            && others.iter().all(|it| is_word(it) && is_initial(it));
        let is_role = |word: &&str| ROLES.contains(&word.to_lowercase().as_str());
        let is_degree = given.iter().any(|it| is_degree(it, family));
        (is_one && !is_degree && !given.iter().any(is_role)).then(|| format!("{} {family}", given.join(" ")))
    });
    turned.collect::<Option<Vec<String>>>().filter(|people| !people.is_empty())
}

/// Is a word behind a name a title or a degree: "Ada Finch, CEPF®", "Ada Finch, Ph.D."? They are written in capitals where the name
/// is not.
fn is_degree(word: &str, name: &str) -> bool {
    let word = word.trim();
    let letters: String = word.chars().filter(|c| c.is_alphabetic()).collect();
    let has_small = |text: &str| text.chars().any(char::is_lowercase);
    let is_capitals = letters.chars().any(char::is_uppercase) && !has_small(&letters) && has_small(name);
    // One letter is an initial: "Moss, Ada B."
    letters.chars().count() >= 2
        && !word.contains(' ')
        && (is_capitals || word.contains(['®', '™']) || DEGREES.contains(&letters.to_lowercase().as_str()))
}

/// The same where no comma parts it from the name; only what is known: "Ada Finch BA", but not "Ada Finch II".
fn is_degree_in_capitals(last: &str, words: &[&str]) -> bool {
    let letters: String = last.chars().filter(|c| *c != '.').collect();
    DEGREES_IN_CAPITALS.contains(&letters.as_str())
        && words[..words.len() - 1].iter().any(|word| word.chars().any(char::is_lowercase))
}

/// Takes out what somebody does, before a whole name and behind it: "Chefreporter Ada Finch", "Ada Finch Senior Reporter". More than
/// two words may be a name and the field she works in ("Ada Finch Political Reporter"): what is left then is no name.
fn without_roles(words: &mut Vec<&str>) {
    if words.len() < 3 {
        return;
    }
    let plain = |word: &str| small(word.trim_matches(|c: char| !is_letter_or_number(c))).into_owned();
    let is_work = |word: &&str| {
        let word = plain(word);
        let last = word.rsplit('-').next().unwrap_or_default();
        RANKS.contains(&word.as_str()) || WORK.contains(&last)
    };
    let is_plain_name = |words: &[&str]| {
        let full =
            words.iter().filter(|word| word.starts_with(char::is_uppercase) && !is_initial(word)).count();
        full == 2 && is_whole(&words.join(" "))
    };
    let before = words.iter().take_while(|word| is_work(word)).count();
    if before > 0 && is_plain_name(&words[before..]) && !words[before..].iter().any(|word| is_role(word)) {
        words.drain(..before);
        return;
    }
    let Some(end) = (2..words.len()).find(|&place| {
        let word = plain(words[place]);
        is_work(&words[place]) || BUTTONS.contains(&word.as_str())
    }) else {
        return;
    };
    let is_button = BUTTONS.contains(&plain(words[end]).as_str());
    if is_button || is_plain_name(&words[..end]) {
        words.truncate(end);
    }
}

fn is_initial(word: &str) -> bool {
    word.trim_end_matches('.').chars().count() == 1
}

/// "Emily Post": a family whose name is a word for something else, behind a name that people are given.
fn is_family_like_a_role(words: &[&str]) -> bool {
    matches!(words, [given, family]
        if FAMILIES_LIKE_ROLES.contains(family) && is_known_given_name(given))
}

/// Is it one of the names that many people are given? Where nothing else tells a person from a town.
pub(super) fn is_known_given_name(word: &str) -> bool {
    GIVEN_NAMES.contains(&small(word).as_ref())
}

/// Is a whole text called as no person is: a month, a day, a country, a house that is known?
fn is_called_otherwise(words: &[&str]) -> bool {
    let whole = normal(&words.concat());
    let is_in = |list: &[&str]| list.contains(&whole.as_str());
    // "Do UOL", "Da ANSA": from an outlet, in Portuguese and Italian.
    let is_from = matches!(words, ["Do" | "Da" | "Dal" | "Dalla" | "De" | "Del", outlet]
        if outlet.chars().count() >= 2 && outlet.chars().all(char::is_uppercase));
    // "Vins de France"
    let is_of_place = matches!(words, [.., "de" | "of" | "d’" | "di" | "von", place]
        if PLACES.contains(&normal(place).as_str()));
    is_from || is_of_place || is_in(CALLED_AS_PEOPLE) || is_in(PLACES) || super::is_month_or_day(&whole)
}

/// Is a name that of a person by its look: two to four words in capitals? What speaks of firms is none anyway.
pub(super) fn is_of_a_person(name: &str) -> bool {
    let is_word = |word: &str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let is_written = word.starts_with(char::is_uppercase)
            && (letters == 1 || word.chars().any(char::is_lowercase))
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’'));
        is_written || PARTICLES.contains(&word)
    };
    let words: Vec<&str> = name.split(' ').collect();
    (2..=4).contains(&words.len()) && words.iter().all(|word| is_word(word)) && self::name(name).is_some()
}

/// The parts of a list of names.
fn split(text: &str) -> Vec<&str> {
    let mut parts = vec![text];
    // Which bytes the text has, a bit each: most marks have one that it has not, and need not be searched.
    let mut has = [0_u64; 4];
    text.bytes().for_each(|byte| has[usize::from(byte >> 6)] |= 1 << (byte & 63));
    let may_stand = |mark: &str| mark.bytes().all(|byte| has[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1);
    for mark in [
        ", ", "; ", ";", "、", "，", "/", " | ", "|", "•", "·", " - ", " – ", " — ", "\n", " with ", " mit ",
        " avec ", " con ", " com ",
    ]
    .iter()
    .chain(JOINING)
    .copied()
    {
        // A dot between the names of foreigners joins them in Chinese.
        if !may_stand(mark) || mark == "·" && text.chars().any(is_east_asian) {
            continue;
        }
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    for mark in JOINING_WITHIN.iter().filter(|mark| may_stand(mark)) {
        let both = |part: &&str| part.split(mark).all(is_whole);
        parts = parts
            .into_iter()
            .flat_map(|part| if both(&part) { part.split(mark).collect() } else { vec![part] })
            .collect();
    }
    parts
}

/// Has a part of a list a given name and a family's, each with a capital?
fn is_whole(part: &str) -> bool {
    let mut words = part.split_whitespace();
    words.clone().filter(|word| word.starts_with(char::is_uppercase)).count() >= 2
        && words.all(|word| word.starts_with(char::is_uppercase) || PARTICLES.contains(&word))
}

/// Is it a character of Chinese, Japanese or Korean?
pub(super) fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Does a word behind a name begin a time: "on", "vom", "Updated", "July"?
fn begins_a_time(word: &str) -> bool {
    let small = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    TIME_BEGINS.contains(&small.as_str()) || is_month_in(&small, &["en"])
}

/// Is it a month of English, or short for one: "May", "Dec."?
pub(super) fn begins_a_month(word: &str) -> bool {
    let small = word.trim_end_matches(['.', ',']).to_lowercase();
    is_month_in(&small, &["en"])
}

/// One name, if it looks like a person's.
pub(super) fn name(part: &str) -> Option<String> {
    let part = part
        .trim()
        .trim_matches([',', '.', ':', '：', '-', '–', '|', '"', '\'', '“', '”', '*', '@', '·', ' ', '\u{a0}'])
        .trim();
    // "Ada Finch ada@example.com", "Ada Finch @adafinch": behind a whole name, where to write to her.
    let is_address = |word: &str| word.len() > 1 && word.contains('@');
    let words = || part.split_whitespace();
    let kept;
    let part = if words().take(2).filter(|it| !is_address(it)).count() == 2 && words().any(is_address) {
        kept = words().filter(|it| !is_address(it)).collect::<Vec<_>>().join(" ");
        kept.as_str()
    } else {
        part
    };
    let letters = part.chars().filter(|c| c.is_alphabetic()).count();
    // A colon stands behind a label for something else: "Photo: Ada".
    if letters < 2
        || part.contains(['@', '/', '\\', '{', '=', '?', '!', '#', '…', '>', '%', ':', '：'])
        || part.chars().any(|c| c.is_ascii_digit())
    {
        return None;
    }
    if part.chars().any(is_east_asian) {
        return name_in_han(part);
    }
    let mut words: Vec<&str> = part.split_whitespace().collect();
    // "Ada Finch on July", "Ada Finch Updated", "Jörg Tal vom": where a time begins, the name has ended. Behind one word only
    // a small one begins it: "Ada May" is a name.
    let ends = |place: usize, word: &str| {
        begins_a_time(word) && (place >= 2 || (place == 1 && word.starts_with(char::is_lowercase)))
    };
    // "Ada Finch for Harbour Life": behind a whole name, for whom it was written.
    let is_whole =
        |place: usize| words[..place].iter().filter(|word| word.starts_with(char::is_uppercase)).count() >= 2;
    let names_outlet = |place: usize| OUTLET_BEGINS.contains(&words[place]) && is_whole(place);
    if let Some(end) = (1..words.len()).find(|&place| ends(place, words[place]) || names_outlet(place)) {
        words.truncate(end);
    }
    // "Ada Finch CFP®", "Ada Finch BA"
    while words.len() > 2
        && words.last().is_some_and(|last| last.contains(['®', '™']) || is_degree_in_capitals(last, &words))
    {
        words.pop();
    }
    without_roles(&mut words);
    // Writers of English and other languages have two to five words in their names; one alone is a nickname.
    if !(1..=5).contains(&words.len()) || part.chars().count() > 48 {
        return None;
    }
    // Initials alone name nobody.
    if letters <= 3 && words.len() == 1 && !part.chars().any(char::is_lowercase) {
        return None;
    }
    let is_name = (!words.iter().any(|word| is_role(word)) || is_family_like_a_role(&words))
        && !is_firm(&words)
        && !is_called_otherwise(&words)
        // "Veröffentlicht am": what stands before a time is no name.
        && !words.iter().any(|word| SAYS_WHEN.contains(&word.to_lowercase().as_str()))
        && is_written_as_a_name(&words);
    is_name.then(|| words.join(" "))
}

/// A name in Chinese characters, Japanese or Korean.
fn name_in_han(part: &str) -> Option<String> {
    // 记者王小明, where several are named one after another; 김바다 기자.
    // Who edits did not write.
    if ["责任编辑", "責任編輯", "责编", "编辑", "編輯"].iter().any(|it| part.starts_with(it)) {
        return None;
    }
    // 新华社记者王小明: before the word stands whose reporter it is.
    let reporter = ["记者", "記者", "通讯员"].iter().find_map(|it| part.split_once(it)).map(|(_, own)| own);
    let reporter = reporter.filter(|own| !own.trim().is_empty());
    let reporter = reporter.or_else(|| {
        let roles = [" 记者", " 記者", " 기자", "기자", " 특파원", "특파원", " 통신원"];
        roles.iter().find_map(|it| part.strip_suffix(it))
    });
    if let Some(own) = reporter.map(str::trim).filter(|own| !own.is_empty()) {
        return name(own);
    }
    let length = part.chars().filter(|c| !c.is_whitespace()).count();
    let is_none = NO_NAMES.iter().any(|word| part.ends_with(word))
        || (length >= 5 && IN_OUTLETS.iter().any(|word| part.contains(word)));
    ((2..=12).contains(&length) && !is_none).then(|| part.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The roles, to be asked by word.
fn roles() -> &'static TextSet<&'static str> {
    static ALL: OnceLock<TextSet<&'static str>> = OnceLock::new();
    ALL.get_or_init(|| ROLES.iter().copied().collect())
}

fn is_role(word: &str) -> bool {
    let small = small(word.trim_matches(|c: char| !is_letter_or_number(c)));
    // "HG-Redaktion"
    let last = small.rsplit('-').next().unwrap_or_default();
    roles().contains(small.as_ref()) || (last.len() >= 6 && roles().contains(last))
}

/// Is it the name of a firm, by its legal form: "Harbour Co.,Inc", "Harbour Genossenschaft", "Harbour AG"; or of a house, by what it is: "Harbour Onlineredaktion"?
fn is_firm(words: &[&str]) -> bool {
    let inner = |word: &str| -> Vec<String> {
        let parts = word.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let is_house = |part: &String| {
        let is_joined = |house: &&str| part.strip_suffix(house).is_some_and(|before| before.len() >= 3);
        LEGAL_FORMS.contains(&part.as_str()) || HOUSES.iter().any(is_joined)
    };
    let is_long = words.iter().any(|word| inner(word).iter().any(is_house));
    // "S.p.A.", "AG": short ones are names as well, but not in capitals at the end.
    let is_short = words.len() > 1
        && words.last().is_some_and(|last| {
            let capitals = !last.chars().any(char::is_lowercase) || last.contains('.');
            capitals && SHORT_LEGAL_FORMS.contains(&inner(last).concat().as_str())
        });
    is_long || is_short
}

/// Names have capitals, where there are any.
fn is_written_as_a_name(words: &[&str]) -> bool {
    // Georgian letters have capitals that nobody writes names with.
    let has_case = |c: char| (c.is_lowercase() || c.is_uppercase()) && !matches!(c, '\u{10d0}'..='\u{10ff}');
    let caseless = !words.iter().any(|word| word.chars().any(has_case));
    // "deinen Bloggern" begins small as only the particles of names do.
    let small_head = words[0].starts_with(char::is_lowercase);
    if !caseless && small_head && words.len() > 1 && !PARTICLES.contains(&words[0].to_lowercase().as_str()) {
        return false;
    }
    // "van", "de" and "bin" have none.
    let has_case = words.iter().any(|word| word.chars().any(char::is_uppercase));
    let capitals = words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    caseless || (has_case && capitals * 2 >= words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn are(text: &str, expected: &[&str]) {
        assert_eq!(names(text, 12), expected, "{text}");
    }

    #[test]
    fn names_without_what_stands_around_them() {
        are("Ada Finch", &["Ada Finch"]);
        are("By Ada Finch", &["Ada Finch"]);
        are("by Ada Finch and Bo Lark", &["Ada Finch", "Bo Lark"]);
        are("Von Jörg van der Tal, Redakteur", &["Jörg van der Tal"]);
        are("Ada Finch, Staff Writer", &["Ada Finch"]);
        are("Ada Finch (ada@example.com)", &["Ada Finch"]);
        are("Ada Finch ada@example.com", &["Ada Finch"]);
        are("By Ada Finch @adafinch", &["Ada Finch"]);
        are("Reporting by Ada Finch; editing by Bo Lark", &["Ada Finch"]);
        are("Text und Fotos: Ada Finch", &["Ada Finch"]);
        are("Ada Finch on July", &["Ada Finch"]);
        are("Ada Finch Updated", &["Ada Finch"]);
        are("Jörg Tal vom", &["Jörg Tal"]);
        are("Finch on", &["Finch"]);
        are("Ada May", &["Ada May"]);
        are("记者王小明、通讯员李雷", &["王小明", "李雷"]);
        are("新华社记者王小明", &["王小明"]);
        are("新华社记者 王小明", &["王小明"]);
        are("van Tal", &["van Tal"]);
        are("Finch, Moss and Lark", &["Finch", "Moss", "Lark"]);
        are("作者：王小明", &["王小明"]);
        are("王小明、李雷", &["王小明", "李雷"]);
        are("王小明 方 雷", &["王小明", "方雷"]);
        are("李 明", &["李明"]);
        are("山田 太郎", &["山田 太郎"]);
        are("Анна Иванова", &["Анна Иванова"]);
        are("김바다 기자", &["김바다"]);
        are("王小明 记者", &["王小明"]);
        are("Ada Sa", &["Ada Sa"]);
        are("Di Stefano", &["Di Stefano"]);
        are("Author Ada Finch", &["Ada Finch"]);
    }

    #[test]
    fn the_outlet_was_part_of_the_name() {
        are("By Ada Finch for Harbour Life", &["Ada Finch"]);
        are("Ada Finch for the Harbour Life", &["Ada Finch"]);
        are("Jörg van Tal für das Hafenblatt", &["Jörg van Tal"]);
        are("Ada Finch pour La Vie du Port", &["Ada Finch"]);
        are("Ада Финч для Порта", &["Ада Финч"]);
    }

    #[test]
    fn a_family_name_first_made_two_authors() {
        are("Moss, Ada", &["Ada Moss"]);
        are("Moss, Ada B.", &["Ada B. Moss"]);
        are("Moss, Ada; Lark, Bo", &["Ada Moss", "Bo Lark"]);
        are("van der Tal, Jörg", &["Jörg van der Tal"]);
        are("Ada Moss, Bo Lark", &["Ada Moss", "Bo Lark"]);
        are("Moss, Editor", &["Moss"]);
    }

    #[test]
    fn months_stores_and_countries_were_names() {
        for text in [
            "Feb",
            "Monday",
            "Harbour Spirit Store",
            "PricewaterhouseCoopers",
            "Condé Nast",
            "Deutsche Presse-Agentur",
            "Authorized Dealer",
            "My Health Toolkit",
            "Do UOL",
            "Germany",
            "New Zealand",
            "São Paulo",
        ] {
            are(text, &[]);
        }
        for text in ["April Finch", "Jan", "May Lark", "Jordan", "Ada France", "Do Lark"] {
            are(text, &[text]);
        }
    }

    #[test]
    fn titles_behind_a_comma_were_second_authors() {
        are("Ada Finch, CEPF®", &["Ada Finch"]);
        are("Ada Finch CEPF®", &["Ada Finch"]);
        are("Ada Finch, MBA, Ph.D.", &["Ada Finch"]);
        are("Ada Finch, CPFA and Bo Lark, PhD", &["Ada Finch", "Bo Lark"]);
        are("Moss, PhD", &["Moss"]);
        are("Moss, Ada B.", &["Ada B. Moss"]);
        are("ADA FINCH, BO LARK", &["ADA FINCH", "BO LARK"]);
    }

    #[test]
    fn agencies_beside_a_name_took_it_away() {
        are("Par Anne Roux avec AFP", &["Anne Roux"]);
        are("Ana Ruiz con EFE", &["Ana Ruiz"]);
    }

    #[test]
    fn families_with_a_joining_word_were_two_people() {
        are("José Ortega y Gasset", &["José Ortega y Gasset"]);
        are("Eça de Queirós e Silva", &["Eça de Queirós e Silva"]);
        are("Ana Ruiz y Luis Gil", &["Ana Ruiz", "Luis Gil"]);
        are("Jan de Vries en Piet van Tal", &["Jan de Vries", "Piet van Tal"]);
        are("Ada Finch AND Bo Lark", &["Ada Finch", "Bo Lark"]);
        are("Mac & i", &[]);
        are("Cuisine et Vins de France", &[]);
    }

    #[test]
    fn what_writers_do_was_a_part_of_their_names() {
        for text in [
            "Ada Finch Journaliste au Monde",
            "Chefreporter Ada Finch",
            "HAFEN-Online-Experte Ada Finch",
            "Ada Finch BA",
            "Ada Finch MSc",
            "Ada Finch Gardener",
            "Ada Finch Senior Reporter",
            "Ada Finch Follow",
        ] {
            are(text, &["Ada Finch"]);
        }
        are("Ada M. Finch Staff Writer", &["Ada M. Finch"]);
        are("Jack Ma", &["Jack Ma"]);
        are("Ada Finch II", &["Ada Finch II"]);
        are("Ada Finch Political Reporter", &[]);
        are("Senior Reporter", &[]);
    }

    #[test]
    fn a_family_that_is_called_as_papers_are_was_no_name() {
        are("Emily Post", &["Emily Post"]);
        are("Harbour Post", &[]);
        are("Denver Post", &[]);
    }

    #[test]
    fn what_is_no_name() {
        for text in [
            "",
            "admin",
            "Veröffentlicht am",
            "Publiziert am",
            "deinen Hochzeitsbloggern",
            "Staff",
            "Editorial Team",
            "https://example.com/ada",
            "ada@example.com",
            "The Gazette",
            "Redaktion",
            "HG-Redaktion",
            "责任编辑 王小明",
            "Hafenrat Onlineredaktion",
            "Landesministerium für Häfen",
            "3 min read",
            "A long sentence that goes on about the weather in the harbour",
            "新华网",
            "本站编辑",
            "Read more",
            "{{author}}",
            "Foto: charlotte",
            "HARBOUR CO.,INC",
            "Harbour AG",
            "Harbour S.p.A.",
            "Schweizer Gartenbauer SGB Genossenschaft",
            "WordPress",
            "Harbour Gazette",
            "不详",
            "作者：不详",
            "港口贸易有限公司",
            // Ministries and councils were authors.
            "Ministry of Harbours",
            "Harbour City Council",
            "Ministerio de Puertos",
            "Ministère de la Mer",
            "Министерство моря",
            "وزارة الموانئ",
            "Harbour Federation",
            "Hafenverwaltung Nord",
            "港口管理局",
            "每日港口新闻",
            "港网新闻李明",
            "Biro Pers Sekretariat Harbour",
            "海港市人民政府",
            "海港大学",
            "李明的博客",
            "Al Jazeera",
        ] {
            are(text, &[]);
        }
    }
}
