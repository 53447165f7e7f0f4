//! Bylines of Korean news: the name stands before 기자, "reporter".

/// The commonest family names, each one syllable.
const FAMILIES: &str = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연";

/// Words of three syllables that stand before 기자 and name nobody.
const NO_NAMES: &[&str] = &[
    "전문지",
    "일간지",
    "주간지",
    "방송사",
    "신문사",
    "언론사",
    "정치부",
    "사회부",
    "경제부",
    "문화부",
    "현지의",
    "여러명",
];

/// Longer lines are sentences.
const LONGEST: usize = 60;

/// The name before 기자 in a short line. It has three syllables, as nearly all names have.
pub(super) fn reporter(text: &str) -> Option<String> {
    const LABEL: &str = "기자";
    let at = text.find(LABEL)?;
    if text.chars().count() > LONGEST {
        return None;
    }
    // 기자가, 기자는: a sentence goes on.
    let behind = text[at + LABEL.len()..].chars().next();
    if behind.is_some_and(is_syllable) {
        return None;
    }
    let before = text[..at].trim_end();
    let name: String = before.chars().rev().take_while(|c| is_syllable(*c)).collect();
    let name: String = name.chars().rev().collect();
    let begins = name.chars().next().is_some_and(|first| FAMILIES.contains(first));
    (name.chars().count() == 3 && begins && !NO_NAMES.contains(&name.as_str())).then_some(name)
}

fn is_syllable(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reporters_before_their_label() {
        for (text, expected) in [
            ("김바다 기자", Some("김바다")),
            ("김바다기자 bada@example.com", Some("김바다")),
            ("[항구일보 김바다 기자]", Some("김바다")),
            ("입력 2010.12.15 08:30 | 이하늘 기자", Some("이하늘")),
            ("취재 기자", None),
            ("신문사 기자", None),
            ("김바다 기자가 만난 사람", None),
            ("비가 내렸다", None),
            ("", None),
        ] {
            assert_eq!(reporter(text).as_deref(), expected, "{text}");
        }
    }
}
