//! Labels of bylines: "By Ada Finch", "Autor: …", 作者：…, "بقلم: …". One list serves lines and data.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::super::dates::{Hints, find};
use super::super::evidence::Field;
use super::super::next_label;
use super::names::{begins_a_month, is_east_asian, is_known_given_name, is_of_a_person, name, names};
use super::words::{BEFORE, BEFORE_COLON, BEFORE_IN, BEHIND_DAY, PARTICLES, SURE};
use super::{chinese, korean};
use crate::characters::small;

/// Longer lines are no bylines, but in Chinese and Korean, which have marks for them.
const LONGEST_BYLINE: usize = 120;

/// No label has more bytes.
const LONGEST_LABEL: usize = 40;

/// Marks between the parts of a line, and how many parts are looked at.
const PARTING: [char; 5] = ['|', '•', '·', '—', '–'];
const MOST_PARTS: usize = 6;

/// What may stand between a label and a name.
const MARKS: [char; 7] = [' ', ':', '：', '\u{a0}', '/', '、', '｜'];

/// The head of a text in small letters, as [`label`] takes it: no label goes on behind it.
fn small_head(text: &str) -> Cow<'_, str> {
    small(&text[..text.floor_char_boundary(2 * LONGEST_LABEL)])
}

/// How long the label at the head of a text is, if it is one of `labels` and something that ends a word follows.
fn label<'l>(text: &str, small: &str, labels: impl Iterator<Item = &'l str>, ends: &[char]) -> Option<usize> {
    // One byte tells most labels apart.
    let first = small.as_bytes().first();
    let fits = labels.filter(|label| {
        label.as_bytes().first() == first
            && small.strip_prefix(label).is_some_and(|behind| behind.starts_with(ends))
    });
    // Small letters may take other bytes than the letters they stand for; then there is none.
    fits.map(str::len).max().filter(|&length| text.is_char_boundary(length) && length < text.len())
}

/// A text without the words before a name.
pub(super) fn without_label(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let all = || BEFORE.iter().chain(BEFORE_COLON).copied().chain(BEFORE_IN.iter().map(|(it, _)| *it));
        // 记者 and 記者 need nothing behind them.
        let reporter = ["记者", "記者"].iter().find(|it| rest.starts_with(*it)).map(|it| it.len());
        let Some(length) = label(rest, &small_head(rest), all(), &MARKS).or(reporter) else { break };
        // "Di Stefano" is a family: only before a whole name is a particle a label.
        let is_particle = PARTICLES.contains(&rest[..length].to_lowercase().as_str());
        if is_particle && rest[length..].split_whitespace().count() < 2 {
            break;
        }
        rest = rest[length..].trim_start_matches(MARKS).trim_start();
    }
    rest
}

/// All labels by their first bytes, which tell most of them apart: every line near the text is asked for them.
fn by_first_byte() -> &'static [Vec<&'static str>] {
    static ALL: OnceLock<Vec<Vec<&'static str>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = vec![Vec::new(); 256];
        let labels =
            BEFORE.iter().chain(BEFORE_COLON).copied().chain(BEFORE_IN.iter().map(|(label, _)| *label));
        labels.for_each(|label| all[usize::from(label.as_bytes()[0])].push(label));
        all
    })
}

/// Could [`labelled`] find a name in a text, wherever white space stands in it? Only behind Chinese or Korean words, or where
/// the text begins with a label; its first letters tell that of most texts.
pub(super) fn may_name(text: &str) -> bool {
    const LETTERS: usize = 3;
    let mut head = ['\0'; LETTERS];
    let bare = text.chars().filter(|c| !c.is_whitespace());
    head.iter_mut().zip(bare.flat_map(char::to_lowercase)).for_each(|(to, c)| *to = c);
    let mut buffer = [0; 4];
    let first = head[0].encode_utf8(&mut buffer).as_bytes()[0];
    let begins = |label: &&str| {
        let bare = label.chars().filter(|c| !c.is_whitespace());
        bare.zip(head).all(|(one, other)| one == other)
    };
    by_first_byte()[usize::from(first)].iter().any(begins)
        || (!text.is_ascii() && text.chars().any(is_east_asian))
        || (text.len() <= LONGEST_BYLINE && text.contains(PARTING))
        || (text.len() <= LONGEST_BYLINE
            && may_have_day(text)
            && BEHIND_DAY.iter().any(|(label, _)| text.contains(label.trim())))
}

/// Names behind labels in a line: 作者：, 记者, 责任编辑：, By. Some labels are words of other languages as well and count only
/// where the page is in theirs.
pub(super) fn labelled(text: &str, language: Option<&str>) -> Vec<(Field, String)> {
    let mut found = chinese::labelled(text);
    found.extend(korean::reporter(text).map(|name| (Field::Author, name)));
    if !found.is_empty() || text.len() > LONGEST_BYLINE {
        return found;
    }
    let language = language.map(|it| it.split('-').next().unwrap_or(it));
    let own = BEFORE_IN.iter().filter(|(_, its)| language == Some(*its)).map(|(label, _)| *label);
    let small = small_head(text);
    let length = label(text, &small, BEFORE.iter().copied().chain(own), &[' ', ':', '\u{a0}'])
        .or_else(|| label(text, &small, BEFORE_COLON.iter().copied(), &[':', '：']))
        // "Author : Ada Finch"
        .or_else(|| {
            label(text, &small, BEFORE_COLON.iter().copied(), &[' '])
                .filter(|at| text[*at..].starts_with(" :"))
        });
    let Some(length) = length else {
        let people = match behind_mark(text) {
            people if !people.is_empty() => people,
            _ => behind_day(text, language),
        };
        found.extend(people.into_iter().map(|name| (Field::Author, name)));
        return found;
    };
    let is_marked = text[length..].trim_start().starts_with([':', '：']);
    let head = text[length..].trim_start_matches([' ', ':', '：', '\u{a0}']);
    // A row of labels: "Author: Ada Finch Date: 15 May". Behind "By", "Ada Finch:" is said of a name, unless it would be a long one.
    let words = head.split([':', '：']).next().unwrap_or_default().split_whitespace().count();
    let head = if is_marked || words > 2 { next_label::value(head) } else { head };
    let is_sure = SURE.contains(&text[..length].to_lowercase().as_str());
    let people = people(head, is_sure);
    // A small "by" begins sentences as well: what follows it is written as names are, and no more.
    let is_small = text.starts_with(char::is_lowercase) && !is_marked;
    // Where letters have no case, only a mark or a line of few words tells a name from a sentence.
    let is_caseless = !head.chars().any(|c| c.is_uppercase() || c.is_lowercase());
    let is_of_a_name = |word: &str| word.starts_with(char::is_uppercase) || PARTICLES.contains(&word);
    if (is_small && !people.iter().all(|it| it.split(' ').all(is_of_a_name)))
        || (is_caseless && !is_marked && head.split_whitespace().count() > 3)
    {
        return found;
    }
    // One word behind "By" is as often a thing as a person; behind "Posted by" it is a person's.
    // What stands beside others in one word is a role: "Written by Ada Finch Gardener & Walker".
    let is_one = people.len() == 1;
    let may_be = |it: &String| it.contains(' ') || (is_sure && is_one && is_given_name(it));
    found.extend(people.into_iter().filter(may_be).map(|it| (Field::Author, it)));
    found
}

/// The people in a line of several parts, one of which begins with a label that stands before people alone: "15 May 2010 | Author: Ada
/// Finch | News".
fn behind_mark(text: &str) -> Vec<String> {
    let parts = text.split(PARTING).skip(1).map(str::trim_start).take(MOST_PARTS);
    let mut named = parts.filter_map(|part| {
        let length = label(part, &small_head(part), SURE.iter().copied(), &[' ', ':', '：'])?;
        let is_marked = part[length..].trim_start().starts_with([':', '：']);
        let is_noun = BEFORE_COLON.contains(&part[..length].to_lowercase().as_str());
        let head = part[length..].trim_start_matches([' ', ':', '：']);
        (is_marked || !is_noun).then(|| people(next_label::value(head), true))
    });
    let people = named.next().unwrap_or_default();
    let is_one = people.len() == 1;
    people.into_iter().filter(|it| it.contains(' ') || (is_one && is_given_name(it))).collect()
}

/// The people behind a day: "Posted on 15 December 2010 by Ada Finch". Before "by" stands no more than the day and its label.
fn behind_day(text: &str, language: Option<&str>) -> Vec<String> {
    const MOST_WORDS: usize = 6;
    if !may_have_day(text) {
        return Vec::new();
    }
    let own = BEHIND_DAY.iter().filter(|(_, its)| its.is_empty() || language == Some(*its));
    let Some((before, head)) = own.filter_map(|(word, _)| text.split_once(word)).min_by_key(|it| it.0.len())
    else {
        return Vec::new();
    };
    let words = before.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).count();
    let hints = Hints { language, ..Hints::default() };
    // Who brought out a book, or a film.
    let is_of_goods = before.to_lowercase().contains("releas");
    if is_of_goods || words > MOST_WORDS || !may_have_day(before) || find(before, &hints).is_empty() {
        return Vec::new();
    }
    let people = people(head, true);
    let is_of_a_name = |word: &str| word.starts_with(char::is_uppercase) || PARTICLES.contains(&word);
    let is_name = |it: &String| it.split(' ').all(is_of_a_name) && (it.contains(' ') || is_given_name(it));
    if people.iter().all(is_name) { people } else { Vec::new() }
}

/// Has a text the digits of a day?
fn may_have_day(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).take(3).count() == 3
}

/// Is one word written as a name is: "Ada"?
fn is_given_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && word.chars().count() >= 3
        && letters.all(|c| c.is_lowercase() || matches!(c, '-' | '\'' | '’'))
}

/// Is it a given name that is known and a family's: "Bob Smith"?
fn is_whole_name(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    is_known_given_name(first) && is_of_a_person(text.trim())
}

/// The people that a line names at its head. `is_sure`: its label stands before people alone.
fn people(head: &str, is_sure: bool) -> Vec<String> {
    // What follows the name: a time, a place, a role.
    let slash =
        head.find('/').filter(|at| !is_whole_name(head[at + 1..].split('/').next().unwrap_or_default()));
    let end = head.find(['|', '•', '·', '–', '—', '\n', ':', '(']).unwrap_or(head.len());
    let end = slash.map_or(end, |slash| slash.min(end));
    let digits = head.find(|c: char| c.is_ascii_digit()).unwrap_or(head.len());
    let is_cut = digits < end;
    let head = head[..end.min(digits)].trim_end();
    // "Posted by Ada May 5, 2010", "Author: Feb 5": a month before a number is none of her names.
    let month = head.rsplit(' ').next().filter(|last| is_cut && begins_a_month(last));
    let head = month.map_or(head, |last| &head[..head.len() - last.len()]);
    // Commas stand between names only where "and" comes before the last: "By Ann Lee, Bob Ray, and Cy Fox".
    let is_list = [", and ", " and ", " & ", " und ", " et ", " y "].iter().any(|and| {
        head.split_once(and).is_some_and(|(before, last)| {
            let is_name = |it: &str| (2..=4).contains(&it.split_whitespace().count()) && name(it).is_some();
            before.contains(", ") && before.split(", ").chain([last]).all(is_name)
        })
    });
    // Without it, they are towns as well: "By Ann Lee, New York".
    let is_list = is_list || (head.contains(", ") && head.split(", ").skip(1).all(is_whole_name));
    let head = if is_list { head } else { head.split([',', '،']).next().unwrap_or_default() };
    // "By Ann Lee in London"
    let is_person = |it: &&str| {
        let least = if is_sure { 1 } else { 2 };
        (least..=3).contains(&it.split(' ').count())
            && it.split(' ').all(|word| word.starts_with(char::is_uppercase))
    };
    let places = [" in ", " at ", " aus ", " à ", " for ", " für ", " pour ", " dans "]
        .iter()
        .filter_map(|place| head.find(place))
        .min();
    let head = places.map(|end| &head[..end]).filter(is_person).unwrap_or(head);
    names(&head.replace(", and ", ", "), 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_is_longer_than_what_is_looked_at() {
        let all =
            BEFORE.iter().chain(BEFORE_COLON).chain(SURE).chain(BEFORE_IN.iter().map(|(label, _)| label));
        for label in all {
            assert!((1..=LONGEST_LABEL).contains(&label.len()), "{label}");
        }
    }

    #[test]
    fn authors_and_editors_are_told_apart() {
        assert_eq!(
            labelled("来源：港口日报 作者：王小明 责任编辑：李雷", None),
            [(Field::Author, "王小明".to_owned()), (Field::Editor, "李雷".to_owned())]
        );
        assert_eq!(
            labelled("By Ada Finch, 15 December 2010", None),
            [(Field::Author, "Ada Finch".to_owned())]
        );
        let authors = |text: &str| labelled(text, None).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(authors("By Ann Lee, Bob Ray, and Cy Fox"), ["Ann Lee", "Bob Ray", "Cy Fox"]);
        assert_eq!(authors("By Ann Lee and Bob Ray"), ["Ann Lee", "Bob Ray"]);
        assert_eq!(authors("By Ann Lee in London"), ["Ann Lee"]);
        assert_eq!(authors("By Ann Lee for Harbour Life"), ["Ann Lee"]);
        assert_eq!(authors("By Ann Lee and Bob Ray for Harbour Life"), ["Ann Lee", "Bob Ray"]);
        assert_eq!(authors("Von der Tal will mehr Regen in Hafen"), [""; 0]);
        assert_eq!(authors("By Ann Lee, Harbour Gazette"), ["Ann Lee"]);
        assert_eq!(authors("Автор: Анна Иванова"), ["Анна Иванова"]);
        assert_eq!(authors("[항구일보 김바다 기자]"), ["김바다"]);
        assert_eq!(labelled("By Monday", None), []);
        assert_eq!(labelled("By all means", None), []);
    }

    #[test]
    fn the_second_of_two_writers_was_left_out() {
        let authors = |text: &str| labelled(text, None).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        for text in ["By Ada Finch, Bob Smith", "By Ada Finch / Bob Smith", "By Ada Finch/Bob Smith"] {
            assert_eq!(authors(text), ["Ada Finch", "Bob Smith"], "{text}");
        }
        for text in ["By Ada Finch, New York", "By Ada Finch / Harbour Life", "By Ada Finch Follow"] {
            assert_eq!(authors(text), ["Ada Finch"], "{text}");
        }
    }

    #[test]
    fn sayings_with_by_were_names() {
        for text in [
            "By Invitation Only",
            "By Popular Demand",
            "By Royal Appointment",
            "By Land And Sea",
            "By Al Jazeera",
        ] {
            assert_eq!(labelled(text, None), [], "{text}");
        }
    }

    #[test]
    fn months_were_names() {
        for (text, expected) in [
            ("Author: May 5, 2010", None),
            ("Posted by Feb 5, 2010", None),
            ("Posted by Ada May 5, 2010", Some("Ada")),
            ("By Ada Finch Dec. 5, 2010", Some("Ada Finch")),
        ] {
            let found = labelled(text, Some("en"));
            assert_eq!(found.first().map(|(_, name)| name.as_str()), expected, "{text}");
        }
    }

    #[test]
    fn guests_and_agencies_were_not_read() {
        for (text, language, expected) in [
            ("Par Anne Roux avec AFP", "fr", "Anne Roux"),
            ("Ein Gastbeitrag von Ada Finch", "de", "Ada Finch"),
            ("Eine Analyse von Ada Finch", "de", "Ada Finch"),
        ] {
            assert_eq!(labelled(text, Some(language)), [(Field::Author, expected.to_owned())], "{text}");
        }
    }

    #[test]
    fn names_behind_a_day_were_not_read() {
        for (text, language, expected) in [
            ("Posted on 15 December 2010 by Ada Finch", "en", Some("Ada Finch")),
            ("Posted on December 15, 2010 by Ada", "en", Some("Ada")),
            ("December 15, 2010 | by Ada Finch | 3 comments", "en", Some("Ada Finch")),
            ("Veröffentlicht am 15.12.2010 von Ada Finch", "de", Some("Ada Finch")),
            ("Opublikowano 15 grudnia 2010 przez Ada Zięba", "pl", Some("Ada Zięba")),
            ("Publié le 15 décembre 2010 par Ada Finch dans Météo", "fr", Some("Ada Finch")),
            ("Posted on December 15, 2010 by admin", "en", None),
            ("Posted on December 15, 2010 by the harbour", "en", None),
            ("The wall was built on 15 December 1910 and mended in 2010 by Ada Finch", "en", None),
            ("Rents rose by 15 % in 2010", "en", None),
            ("It fell in 2010 by Ada Finch", "en", None),
            ("Released: June 17, 2010 by Harbour Lamp", "en", None),
            ("15 December 2010 von Ada Finch", "en", None),
        ] {
            let found = labelled(text, Some(language));
            assert_eq!(found.first().map(|(_, name)| name.as_str()), expected, "{text}");
        }
    }

    #[test]
    fn labels_in_the_middle_of_a_line_were_not_read() {
        for (text, expected) in [
            ("December 15th, 2010 | Author: Ada Finch | Category: News", Some("Ada Finch")),
            ("Reviewed by Cy Wren — Written by Ada Finch — Updated on December 15, 2010", Some("Ada Finch")),
            ("15.12.2010 · Autor: Ada Finch", Some("Ada Finch")),
            ("News | Author profile", None),
            ("News | Author Ada Finch", None),
            ("News | By Popular Demand", None),
            ("Home | Posted by admin", None),
        ] {
            let found = labelled(text, Some("en"));
            assert_eq!(found.first().map(|(_, name)| name.as_str()), expected, "{text}");
        }
    }

    #[test]
    fn a_byline_of_one_word_was_not_read() {
        for (text, expected) in [
            ("Posted by Ada on Monday", Some("Ada")),
            ("Posted by Ada on 15 December 2010", Some("Ada")),
            ("Posted by Ada in News", Some("Ada")),
            ("Written by Ada", Some("Ada")),
            ("Author: Ada", Some("Ada")),
            ("Автор: Анна", Some("Анна")),
            ("Publicado por Ana el 15 de mayo de 2010", Some("Ana")),
            ("Written by Gardener & Walker", None),
            ("Posted by admin", None),
            ("Posted by Admin on 15 December 2010", None),
            ("Posted by HG", None),
            ("Posted by Redaktion", None),
            ("By Ada", None),
            ("By Monday", None),
        ] {
            let found = labelled(text, None);
            assert_eq!(found.first().map(|(_, name)| name.as_str()), expected, "{text}");
        }
    }

    #[test]
    fn lines_and_data_had_two_lists_of_labels() {
        for (text, language, expected) in [
            ("by Ada Finch", "en", Some("Ada Finch")),
            ("by the sea at last", "en", None),
            ("by Jan van der Tal", "en", Some("Jan van der Tal")),
            ("by Ada Finch who lives here", "en", None),
            ("By Harbour Gazette", "en", None),
            ("Author : Ada Finch", "en", Some("Ada Finch")),
            ("Author profile of Ada", "en", None),
            ("Author: Ada Finch Date: 15 December 2010", "en", Some("Ada Finch")),
            ("By Ada Finch Category: News", "en", Some("Ada Finch")),
            ("By Ada Finch: the rain", "en", Some("Ada Finch")),
            ("Автор: Иван Петров Дата: 15.12.2010", "ru", Some("Иван Петров")),
            ("Door Ada Finch", "nl", Some("Ada Finch")),
            ("Door Handle Repair", "en", None),
            ("di Ada Finch", "it-IT", Some("Ada Finch")),
            ("Di Ada Finch", "id", None),
            ("Autorin: Ada Finch", "de", Some("Ada Finch")),
            ("Auteur : Ada Finch", "fr", Some("Ada Finch")),
            ("بقلم: آدا فينش", "ar", Some("آدا فينش")),
            ("بقلم آدا فينش", "ar", Some("آدا فينش")),
            ("بقلم من كتب هذا الكتاب كله", "ar", None),
            ("نویسنده: آدا فینچ", "fa", Some("آدا فینچ")),
            ("تحریر: آدا فنچ", "ur", Some("آدا فنچ")),
            ("Piše: Ada Zeba", "hr", Some("Ada Zeba")),
            ("Autorius: Ada Kikilis", "lt", Some("Ada Kikilis")),
            ("Höfundur: Ada Finka", "is", Some("Ada Finka")),
            ("Müəllif: Ada Sərçə", "az", Some("Ada Sərçə")),
            ("ავტორი: ადა ჩიტაძე", "ka", Some("ადა ჩიტაძე")),
            ("Oleh Ada Pipit", "id", Some("Ada Pipit")),
            ("Oleh karena itu, hujan turun", "id", None),
        ] {
            let found = labelled(text, Some(language));
            assert_eq!(found.first().map(|(_, name)| name.as_str()), expected, "{text}");
        }
    }
}
