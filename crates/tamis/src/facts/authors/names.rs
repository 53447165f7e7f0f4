//! Names of people in a text that names authors: without "by", roles, addresses and times.

use super::super::evidence::Field;
use super::words::{BEFORE, PARTICLES, ROLES, SAYS_WHEN, TIME_BEGINS};
use super::{chinese, korean};

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
    if let Some(turned) = family_first(&bare) {
        return turned.iter().filter_map(|it| name(it)).take(most).collect();
    }
    for part in split(&bare) {
        if found.len() >= most {
            break;
        }
        match name(part) {
            Some(name) if !found.contains(&name) => found.push(name),
            Some(_) => {}
            // Behind the first name, what is none is a role or a title of the one before.
            None if found.is_empty() && !part.trim().is_empty() => break,
            None => {}
        }
    }
    found
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
        let is_initial = |word: &str| word.trim_end_matches('.').chars().count() == 1;
        let is_one = is_word(last)
            && last.chars().count() >= 2
            && particles.iter().all(|it| PARTICLES.contains(&it.to_lowercase().as_str()))
            && is_word(first)
            && others.len() <= 2
            && others.iter().all(|it| is_word(it) && is_initial(it));
        let is_role = |word: &&str| ROLES.contains(&word.to_lowercase().as_str());
        (is_one && !given.iter().any(is_role)).then(|| format!("{} {family}", given.join(" ")))
    });
    turned.collect::<Option<Vec<String>>>().filter(|people| !people.is_empty())
}

/// A text without the words before a name.
fn without_label(text: &str) -> String {
    let mut rest = text.trim();
    loop {
        let small = rest.to_lowercase();
        let label = BEFORE.iter().filter(|label| {
            small.strip_prefix(**label).is_some_and(|behind| {
                let ends = label.ends_with([':', '：', '/', '｜', '者']);
                ends || behind.starts_with([' ', ':', '：', '\u{a0}'])
            })
        });
        // Small letters may take other bytes than the letters they stand for; then the label stays.
        let Some(length) =
            label.map(|label| label.len()).max().filter(|&length| rest.is_char_boundary(length))
        else {
            break;
        };
        rest = rest[length..].trim_start_matches([' ', ':', '：', '\u{a0}', '/', '、']).trim_start();
    }
    rest.to_owned()
}

/// The parts of a list of names.
fn split(text: &str) -> Vec<&str> {
    let mut parts = vec![text];
    for mark in [
        ", ", "; ", ";", " & ", "、", "，", "/", " | ", "|", "•", "·", " - ", " – ", " — ", " and ", " und ",
        " et ", " y ", " e ", " en ", " och ", " og ", " и ", " i ", "\n", " with ", " mit ",
    ] {
        // A dot between the names of foreigners joins them in Chinese.
        if mark == "·" && text.chars().any(is_han) {
            continue;
        }
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    parts
}

pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Does a word behind a name begin a time: "on", "vom", "Updated", "July"?
fn begins_a_time(word: &str) -> bool {
    let small = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    TIME_BEGINS.contains(&small.as_str()) || (small.len() >= 3 && is_english_month(&small))
}

fn is_english_month(small: &str) -> bool {
    // May, June and April are people as well, but no last ones behind two other names.
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    MONTHS.iter().any(|month| *month == small || (small.len() <= 4 && month.starts_with(small)))
}

/// One name, if it looks like a person's.
pub(super) fn name(part: &str) -> Option<String> {
    let part = part
        .trim()
        .trim_matches([',', '.', ':', '：', '-', '–', '|', '"', '\'', '“', '”', '*', '@', '·', ' ', '\u{a0}'])
        .trim();
    let letters = part.chars().filter(|c| c.is_alphabetic()).count();
    if letters < 2
        || part.contains(['@', '/', '\\', '{', '=', '?', '!', '#', '…', '>', '%'])
        || part.chars().any(|c| c.is_ascii_digit())
    {
        return None;
    }
    let mut folded: Vec<&str> = part.split_whitespace().collect();
    // "Ada Finch on July", "Ada Finch Updated", "Jörg Tal vom": where a time begins, the name has ended. Behind one word only
    // a small one begins it: "Ada May" is a name.
    let ends = |place: usize, word: &str| {
        begins_a_time(word) && (place >= 2 || (place == 1 && word.starts_with(char::is_lowercase)))
    };
    if let Some(end) = (1..folded.len()).find(|&place| ends(place, folded[place])) {
        folded.truncate(end);
    }
    if part.chars().any(is_han) {
        // 记者王小明, where several are named one after another.
        let reporter =
            ["本报记者", "特约记者", "记者", "記者", "通讯员"].iter().find_map(|it| part.strip_prefix(it));
        if let Some(own) = reporter.map(str::trim_start).filter(|own| !own.is_empty()) {
            return name(own);
        }
        let length = part.chars().filter(|c| !c.is_whitespace()).count();
        let is_role = [
            "编辑",
            "編輯",
            "记者",
            "記者",
            "报",
            "報",
            "网",
            "網",
            "社",
            "日报",
            "部",
            "来源",
            "未知",
            "佚名",
            "管理员",
            "本站",
            "小编",
            "综合",
            "通讯员",
            "电",
            "讯",
        ];
        let bad = is_role.iter().any(|word| part.ends_with(word) || part == *word);
        return ((2..=12).contains(&length) && !bad).then(|| folded.join(" "));
    }
    // Writers of English and other languages have two to five words in their names; one alone is a nickname.
    if !(1..=5).contains(&folded.len()) || part.chars().count() > 48 {
        return None;
    }
    let is_role = |word: &&str| {
        let small = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        // "HG-Redaktion"
        let last = small.rsplit('-').next().unwrap_or_default();
        ROLES.contains(&small.as_str()) || (last.len() >= 6 && ROLES.contains(&last))
    };
    if folded.iter().any(is_role) {
        return None;
    }
    // Initials alone name nobody.
    if letters <= 3 && folded.len() == 1 && !part.chars().any(char::is_lowercase) {
        return None;
    }
    let has_case = part.chars().any(|c| c.is_uppercase());
    let caseless = !part.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    // "Veröffentlicht am": what stands before a time is no name.
    if folded.iter().any(|word| SAYS_WHEN.contains(&word.to_lowercase().as_str())) {
        return None;
    }
    // "deinen Bloggern" begins small as only the particles of names do.
    let small_head = folded[0].chars().next().is_some_and(char::is_lowercase);
    if small_head && folded.len() > 1 && !PARTICLES.contains(&folded[0].to_lowercase().as_str()) {
        return None;
    }
    // Names have capitals, where there are any: "van", "de" and "bin" do not.
    let capitals = folded.iter().filter(|word| word.chars().next().is_some_and(char::is_uppercase)).count();
    if !caseless && (!has_case || capitals * 2 < folded.len()) {
        return None;
    }
    Some(folded.join(" "))
}

/// Names behind labels in a line: 作者：, 记者, 责任编辑：, By.
pub(super) fn labelled(text: &str) -> Vec<(Field, String)> {
    let mut found = chinese::labelled(text);
    found.extend(korean::reporter(text).map(|name| (Field::Author, name)));
    if !found.is_empty() {
        return found;
    }
    // "By Ada Finch" at the head of a short line.
    if text.len() <= 120 {
        let head = [
            "By ",
            "BY ",
            "Von ",
            "Par ",
            "Por ",
            "Written by ",
            "Posted by ",
            "Author: ",
            "Autor: ",
            "Автор: ",
            "Автор статьи: ",
            "Text: ",
        ]
        .iter()
        .find_map(|label| text.strip_prefix(label));
        if let Some(head) = head {
            // What follows the name: a time, a place, a role.
            let end = head.find(['|', '•', '·', '–', '—', '\n', '/', ':', '(']).unwrap_or(head.len());
            let digits = head.find(|c: char| c.is_ascii_digit()).unwrap_or(head.len());
            let head = &head[..end.min(digits)];
            // Commas stand between names only where "and" comes before the last: "By Ann Lee, Bob Ray, and Cy Fox".
            let is_list = [", and ", " and ", " & ", " und ", " et ", " y "].iter().any(|and| {
                head.split_once(and).is_some_and(|(before, last)| {
                    let is_name =
                        |it: &str| (2..=4).contains(&it.split_whitespace().count()) && name(it).is_some();
                    before.contains(", ") && before.split(", ").chain([last]).all(is_name)
                })
            });
            let head = if is_list { head } else { head.split(',').next().unwrap_or_default() };
            // "By Ann Lee in London"
            let is_person = |it: &&str| {
                (2..=3).contains(&it.split(' ').count())
                    && it.split(' ').all(|word| word.starts_with(char::is_uppercase))
            };
            let places = [" in ", " at ", " aus ", " à "].iter().filter_map(|place| head.find(place)).min();
            let head = places.map(|end| &head[..end]).filter(is_person).unwrap_or(head);
            for name in names(&head.replace(", and ", ", "), 6) {
                // One word behind "By" is as often a thing as a person.
                if name.contains(' ') {
                    found.push((Field::Author, name));
                }
            }
        }
    }
    found
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
        are("Ada Finch on July", &["Ada Finch"]);
        are("Ada Finch Updated", &["Ada Finch"]);
        are("Jörg Tal vom", &["Jörg Tal"]);
        are("Finch on", &["Finch"]);
        are("Ada May", &["Ada May"]);
        are("记者王小明、通讯员李雷", &["王小明", "李雷"]);
        are("van Tal", &["van Tal"]);
        are("Finch, Moss and Lark", &["Finch", "Moss", "Lark"]);
        are("作者：王小明", &["王小明"]);
        are("王小明、李雷", &["王小明", "李雷"]);
        are("Анна Иванова", &["Анна Иванова"]);
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
            "3 min read",
            "A long sentence that goes on about the weather in the harbour",
            "新华网",
            "本站编辑",
            "Read more",
            "{{author}}",
        ] {
            are(text, &[]);
        }
    }

    #[test]
    fn authors_and_editors_are_told_apart() {
        assert_eq!(
            labelled("来源：港口日报 作者：王小明 责任编辑：李雷"),
            [(Field::Author, "王小明".to_owned()), (Field::Editor, "李雷".to_owned())]
        );
        assert_eq!(labelled("By Ada Finch, 15 December 2010"), [(Field::Author, "Ada Finch".to_owned())]);
        let authors = |text: &str| labelled(text).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(authors("By Ann Lee, Bob Ray, and Cy Fox"), ["Ann Lee", "Bob Ray", "Cy Fox"]);
        assert_eq!(authors("By Ann Lee and Bob Ray"), ["Ann Lee", "Bob Ray"]);
        assert_eq!(authors("By Ann Lee in London"), ["Ann Lee"]);
        assert_eq!(authors("Von der Tal will mehr Regen in Hafen"), [""; 0]);
        assert_eq!(authors("By Ann Lee, Harbour Gazette"), ["Ann Lee"]);
        assert_eq!(authors("Автор: Анна Иванова"), ["Анна Иванова"]);
        assert_eq!(authors("[항구일보 김바다 기자]"), ["김바다"]);
        assert_eq!(labelled("By Monday"), []);
        assert_eq!(labelled("By all means"), []);
    }
}
