//! Words beside a date that say what it is the date of.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::qualified;

/// What the words before a date say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    Published,
    /// Published at first, and later again.
    First,
    Modified,
    /// Something else: a copyright, an event, a comment.
    Other,
}

const PUBLISHED: &[&str] = &[
    "publish",
    "posted",
    "post date",
    "written on",
    "created on",
    "release date",
    "filed under",
    "issued",
    "veröffentlicht",
    "erstellt",
    "publié",
    "publie",
    "mis en ligne",
    "publicado",
    "publicada",
    "publicación",
    "pubblicato",
    "gepubliceerd",
    "geplaatst",
    "publicerad",
    "publisert",
    "udgivet",
    "offentliggjort",
    "julkaistu",
    "opublikowano",
    "data publikacji",
    "dodano",
    "publikováno",
    "zveřejněno",
    "vydáno",
    "objavljeno",
    "publicat",
    "közzétéve",
    "megjelent",
    "δημοσίευση",
    "δημοσιεύθηκε",
    "yayın",
    "yayım",
    "опубликован",
    "опубліковано",
    "publikuar",
    "diterbitkan",
    "đăng",
    "ngày đăng",
    "نشر",
    "انتشار",
    "ئېلان",
    "يوللانغان",
    "发布",
    "發布",
    "发表",
    "發表",
    "发帖",
    "发文",
    "刊登",
    "公開",
    "投稿",
    "掲載",
    "配信",
    "입력",
    "등록",
    "게시",
    "작성",
    "created",
    "reported",
    "stand vom",
    "date of publication",
    "geschrieben",
    "gepostet",
    "eingestellt",
    "erschienen",
];

const FIRST: &[&str] = &[
    "first published",
    "originally published",
    "originally posted",
    "originally created",
    "originally appeared",
    "zuerst veröffentlicht",
    "zuerst erschienen",
    "ursprünglich veröffentlicht",
    "erstmals veröffentlicht",
    "initialement publié",
    "publicado originalmente",
    "publicado por primera vez",
    "originariamente pubblicato",
    "oorspronkelijk gepubliceerd",
    "首次发布",
    "首次发表",
    "首发",
    "初出",
];

const MODIFIED: &[&str] = &[
    "updated",
    "update:",
    "modified",
    "last edited",
    "edited",
    "revised",
    "reviewed",
    "last changed",
    "updates",
    "aktualisiert",
    "geändert",
    "letzte änderung",
    "stand:",
    "mis à jour",
    "mise à jour",
    "modifié",
    "actualizado",
    "actualizada",
    "aggiornato",
    "modificato",
    "atualizado",
    "atualizada",
    "bijgewerkt",
    "gewijzigd",
    "uppdaterad",
    "oppdatert",
    "opdateret",
    "päivitetty",
    "zaktualizowano",
    "aktualizace",
    "aktualizováno",
    "frissítve",
    "ενημέρωση",
    "güncelle",
    "обновлен",
    "изменен",
    "оновлено",
    "diperbarui",
    "cập nhật",
    "تحديث",
    "آخرین",
    "更新",
    "修改",
    "编辑于",
    "수정",
    "最終更新",
];

const OTHER: &[&str] = &[
    "©",
    "(c)",
    "copyright",
    "版权",
    "版權",
    "all rights",
    "expires",
    "valid until",
    "valid from",
    "gültig ab",
    "gültig bis",
    "válido hasta",
    "válido desde",
    "valable jusqu",
    "действует",
    "有效期",
    "event date",
    "starts:",
    "starts on",
    "next review",
    "photo taken",
    "printed on",
    "born",
    "died",
    "geboren",
    "gestorben",
    "родился",
    "родилась",
    "生日",
    "出生",
    "deadline",
    "accessed",
    "archived",
    "archiviert",
    "archivé",
    "archivée",
    "存档",
    "存檔",
    "retrieved",
    "abgerufen",
    "since",
    "seit",
    "founded",
    "mitglied",
    "wrote on",
    "commented",
    "replied",
    "schrieb am",
    "kommentierte",
    "a écrit le",
    "last post",
    "letzter beitrag",
    "available until",
    "verfügbar bis",
    "评论于",
    // Readers, below the text.
    "says:",
    "said:",
    "schreibt:",
    "sagt:",
    // When something takes place or ends, and when one may see it.
    "date of birth",
    "date of death",
    "birthday",
    "geburtstag",
    "when:",
    "wann:",
    "quand :",
    "cuándo:",
    "concert:",
    "konzert:",
    "in cinemas",
    "in theaters",
    "in theatres",
    "im kino",
    "sale ends",
    "offer ends",
    "ends",
    "ends on",
    "opens",
    "opens on",
    "begins",
    "before",
    "until",
    "doors open",
    "premieres",
    "premiere:",
    "airs",
    "apply by",
    "rsvp by",
    "registration closes",
    "next meeting",
    "check-in",
    "valid through",
    "available from",
    "photo:",
    "anmeldeschluss",
    "bewerbungsfrist",
    "kinostart",
    "date limite",
    "jusqu'au",
    "fecha límite",
    "fecha del evento",
    "開催日",
    "発売日",
    "成立于",
    // Births in more languages.
    "né le",
    "née le",
    "date de naissance",
    "nacido el",
    "nacida el",
    "fecha de nacimiento",
    "nascido em",
    "nascida em",
    "data de nascimento",
    "nato il",
    "nata il",
    "data di nascita",
    "data urodzenia",
    "född",
    "doğum tarihi",
    "生年月日",
    "생년월일",
    // What day it is now.
    "server time",
    "current time",
    "local time",
    "today is",
    "heute ist",
    "hoy es",
    "oggi è",
    "hoje é",
    "nous sommes le",
    "今天是",
    "今日是",
    "现在是",
    "現在是",
];

/// Words by their first letters; a noun has no label of its own.
type Words = HashMap<char, Vec<(&'static str, Option<Label>)>>;

/// The words by their first letters, the longest first.
fn by_first_letter() -> &'static Words {
    static ALL: OnceLock<Words> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Words::new();
        for (words, label) in [
            (OTHER, Some(Label::Other)),
            (crate::posts::OF_WRITERS, Some(Label::Other)),
            (MODIFIED, Some(Label::Modified)),
            (FIRST, Some(Label::First)),
            (PUBLISHED, Some(Label::Published)),
            (qualified::NOUNS, None),
        ] {
            for word in words {
                let first = word.chars().next().unwrap_or_default();
                all.entry(first).or_default().push((word, label));
            }
        }
        all.values_mut().for_each(|words| words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len())));
        all
    })
}

/// Is a letter one of a script that puts spaces between words, and nothing before them?
fn is_spaced(c: char) -> bool {
    c.is_alphabetic() && (c < '\u{590}' || matches!(c, '\u{1e00}'..='\u{1fff}'))
}

/// Does a label end where a word ends? Words for other things are whole ones ("seit" is no part of Seitz); of the others, many are
/// beginnings ("publish", "обновлен").
fn is_whole(rest: &str, word: &str, label: Option<Label>) -> bool {
    label != Some(Label::Other)
        || !word.ends_with(is_spaced)
        || !rest[word.len()..].starts_with(is_spaced)
        // Longer ones have endings: inscrite, зарегистрирована, jusqu'à.
        || word.len() > 6
}

/// Does a label reach the date at the end of a text? Words for other things stand close to their date. A mark that parts the pieces of a
/// line ends the reach, unless the piece is no more than the label: "Peer reviewed · 15 May" is no change.
fn reaches(tail: &str, at: usize, word: &str, label: Option<Label>) -> bool {
    const CLOSE: usize = 40;
    const PARTS: [char; 5] = ['|', '·', '•', '∙', '｜'];
    let between = &tail[at + word.len()..];
    if label == Some(Label::Other) && between.len() > CLOSE && !matches!(word, "©" | "(c)" | "copyright") {
        return false;
    }
    let Some(end) = between.find(PARTS) else { return true };
    // In a label of its own, no more than a word stands before: "Last updated".
    let piece = tail[..at].rsplit(PARTS).next().unwrap_or_default();
    let before = piece.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_plain = before.is_empty() || LASTS.contains(&before.trim());
    is_plain && between[..end].split_whitespace().filter(|word| word.contains(is_spaced)).count() <= 1
        || !tail[at..].starts_with(is_spaced)
}

/// Words that stand before a label and belong to it.
const LASTS: &[&str] = &[
    "last",
    "first",
    "originally",
    "article",
    "page",
    "zuletzt",
    "letzte",
    "letztes",
    "dernière",
    "última",
    "ultimo",
    "ultima",
    "date",
    "was",
    "story",
    "content",
    "post",
    "recently",
    "laatst",
    "senast",
    "sist",
    "sidst",
    "this page was last",
    "this article was",
];

/// What the words in front of a date, or behind it, say. The nearest word in front wins.
pub(super) fn label(before: &str, behind: &str) -> Option<Label> {
    let tail_start = before.len().saturating_sub(60);
    let tail_start =
        (tail_start..=before.len()).find(|&at| before.is_char_boundary(at)).unwrap_or(before.len());
    let has_words =
        |text: &str| text.bytes().any(|byte| byte.is_ascii_alphabetic() || byte >= 0x80 || byte == b'(');
    let tail =
        if has_words(&before[tail_start..]) { before[tail_start..].to_lowercase() } else { String::new() };
    let mut nearest: Option<(usize, usize, Option<Label>)> = None;
    // "Originally published" holds "published".
    let mut until = 0;
    for (at, first) in tail.char_indices() {
        if at < until {
            continue;
        }
        // "born" is no part of Osborn, nor "died" of Diedrich; Chinese and Arabic put words together.
        let is_inside = is_spaced(first) && tail[..at].ends_with(is_spaced);
        for (word, label) in by_first_letter().get(&first).into_iter().flatten() {
            if tail[at..].starts_with(word)
                && (!is_inside || label.is_none())
                && is_whole(&tail[at..], word, *label)
                && reaches(&tail, at, word, *label)
            {
                nearest = Some((at, word.len(), *label));
                until = at + word.len();
                break;
            }
        }
    }
    if let Some((at, length, label)) = nearest {
        let qualified = || qualified::meaning(&before[tail_start..], &tail, at, length);
        if let Some(label) = label.or_else(qualified) {
            return Some(label);
        }
    }
    if !behind.bytes().take(24).any(|byte| byte >= 0xE4) {
        return None;
    }
    let head = behind[..behind.floor_char_boundary(24)].to_lowercase();
    // 2010年12月15日発行, 2010-12-15 发布
    if ["发布", "發布", "发表", "發表", "公開", "配信", "掲載", "입력"].iter().any(|word| head.contains(word))
    {
        return Some(Label::Published);
    }
    if ["更新", "수정"].iter().any(|word| head.contains(word)) {
        return Some(Label::Modified);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_a_thing_is_valid_and_when_one_was_born_were_days_of_the_page() {
        for before in
            ["Gültig ab ", "Válido hasta el ", "生日：", "Ада родилась ", "Photo taken on ", "Starts: "]
        {
            assert_eq!(label(before, ""), Some(Label::Other), "{before}");
        }
    }

    #[test]
    fn the_nearest_label_wins() {
        assert_eq!(label("Published on ", ""), Some(Label::Published));
        assert_eq!(label("Published 3 May 2010, last updated ", ""), Some(Label::Modified));
        assert_eq!(label("Updated today, originally published on ", ""), Some(Label::First));
        assert_eq!(label("© ", ""), Some(Label::Other));
        assert_eq!(label("发布时间：", ""), Some(Label::Published));
        assert_eq!(label("", " 更新"), Some(Label::Modified));
        assert_eq!(label("Monday, ", " by Ada"), None);
    }

    #[test]
    fn the_day_of_the_visit_was_that_of_the_page() {
        for before in ["今天是", "Today is Wednesday, ", "Heute ist Mittwoch, der ", "Bob says: "] {
            assert_eq!(label(before, ""), Some(Label::Other), "{before}");
        }
    }

    #[test]
    fn labels_were_found_inside_of_names() {
        for before in [
            "By Ada Osborn, ",
            "By Ada Dearborn, ",
            "By Max Diedrich, ",
            "Von Max Seitz, ",
            "Seite 1 | ",
            "Life since lockdown · ",
            "Business Updates · ",
            "Peer reviewed · ",
        ] {
            assert_eq!(label(before, ""), None, "{before}");
        }
        for (before, expected) in [
            ("Last updated · ", Label::Modified),
            ("Published | ", Label::Published),
            ("News · Posted: 8 Aug 2010 | Last updated: ", Label::Modified),
            ("News · Posted 8 Aug 2010 · Updated · ", Label::Modified),
            ("Ada Finch | Updated ", Label::Modified),
            ("Опубликовано: ", Label::Published),
            ("تاريخ النشر: ", Label::Published),
            ("She was born in the harbour on ", Label::Other),
        ] {
            assert_eq!(label(before, ""), Some(expected), "{before}");
        }
    }

    #[test]
    fn when_something_takes_place_was_the_day_of_the_page() {
        for before in [
            "Date of birth: ",
            "Sale ends ",
            "When: ",
            "Concert: ",
            "In cinemas ",
            "Subscribe before ",
            "Premiere: ",
            "Registration closes ",
            "Kinostart: ",
            "Fecha límite: ",
            "開催日：",
            "Né le ",
            "Data di nascita: ",
            "生年月日：",
            "The current server time (not your local time) is ",
        ] {
            assert_eq!(label(before, ""), Some(Label::Other), "{before}");
        }
    }

    #[test]
    fn the_day_on_which_a_writer_joined_was_that_of_the_page() {
        for before in ["Archived on ", "Join date: ", "Last seen ", "注册时间：", "Dabei seit "] {
            assert_eq!(label(before, ""), Some(Label::Other), "{before}");
        }
    }
}
