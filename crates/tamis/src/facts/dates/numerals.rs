//! Digits and numerals of many scripts, as numbers.

/// The first digit of each script that pages are written in; the other nine follow it.
const ZEROS: [char; 22] = [
    '0', '٠', '۰', '߀', '०', '০', '੦', '૦', '୦', '௦', '౦', '೦', '൦', '෦', '๐', '໐', '༠', '၀', '០', '᠐', '᮰',
    '０',
];

/// The value of a decimal digit, of any of the scripts.
pub(crate) fn digit(character: char) -> Option<u32> {
    if character < '\u{80}' {
        return character.to_digit(10);
    }
    // Chinese characters and the scripts around them have none.
    if character < '٠' || ('\u{2000}'..'０').contains(&character) {
        return None;
    }
    // They stand in order: only the one before the character can be its script's. Arabic letters are asked most.
    let zero = match character {
        ..'۰' => '٠',
        ..'߀' => '۰',
        _ => ZEROS[ZEROS.partition_point(|zero| *zero <= character) - 1],
    };
    Some(character as u32 - zero as u32).filter(|value| *value < 10)
}

/// The value of a Chinese numeral.
pub(crate) fn numeral(character: char) -> Option<u32> {
    Some(match character {
        '〇' | '零' | '○' | '０' => 0,
        '一' | '元' => 1,
        '二' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        '廿' => 20,
        '卅' => 30,
        _ => return None,
    })
}

/// What a run of Chinese numerals means: digits (二零一零), or hundreds, tens and ones (一百零九, 二十五, 廿五).
pub(crate) fn numerals(run: &str) -> Option<u64> {
    if let Some((hundreds, rest)) = run.split_once('百') {
        let mut head = hundreds.chars();
        let hundreds = head.next().and_then(numeral).filter(|value| (1..10).contains(value))?;
        let rest = rest.trim_start_matches(['零', '〇']);
        if head.next().is_some() || rest.contains('百') {
            return None;
        }
        let rest = if rest.is_empty() { 0 } else { numerals(rest).filter(|value| *value < 100)? };
        return Some(u64::from(hundreds) * 100 + rest);
    }
    let mut digits = run.chars().map(numeral);
    if digits.clone().all(|value| value.is_some_and(|value| value < 10)) {
        return digits.try_fold(0_u64, |sum, value| sum.checked_mul(10)?.checked_add(u64::from(value?)));
    }
    // Tens, then ones.
    let (mut sum, mut ones) = (0_u64, None);
    for value in digits {
        match value? {
            10 => {
                sum += 10 * u64::from(ones.take().unwrap_or(1));
            }
            tens @ (20 | 30) => sum += u64::from(tens),
            value => {
                if ones.replace(value).is_some() {
                    return None;
                }
            }
        }
        if sum > 99 {
            return None;
        }
    }
    Some(sum + u64::from(ones.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_many_scripts() {
        for text in [
            "0123456789",
            "٠١٢٣٤٥٦٧٨٩",
            "۰۱۲۳۴۵۶۷۸۹",
            "०१२३४५६७८९",
            "๐๑๒๓๔๕๖๗๘๙",
            "０１２３４５６７８９",
            "၀၁၂၃၄၅၆၇၈၉",
        ] {
            let values: Vec<_> = text.chars().map(digit).collect();
            assert_eq!(values, (0..10).map(Some).collect::<Vec<_>>(), "{text}");
        }
        assert!(ZEROS.is_sorted());
        let of_a_script = |c: char| {
            ZEROS.iter().find_map(|&zero| (c as u32).checked_sub(zero as u32).filter(|&value| value < 10))
        };
        assert!(('\0'..=char::MAX).all(|c| digit(c) == of_a_script(c)));
        assert_eq!(digit('½'), None);
        assert_eq!(digit('a'), None);
    }

    #[test]
    fn chinese_numerals() {
        for (run, value) in [
            ("二零一零", 2010),
            ("一九九九", 1999),
            ("十", 10),
            ("十二", 12),
            ("二十", 20),
            ("二十五", 25),
            ("廿五", 25),
            ("卅一", 31),
            ("九十九", 99),
            ("一五", 15),
            ("一百零九", 109),
            ("一百一十", 110),
            ("一百", 100),
        ] {
            assert_eq!(numerals(run), Some(value), "{run}");
        }
        assert_eq!(numerals("一百百"), None);
        assert_eq!(numerals("十十十十十十十十十十十"), None);
        assert_eq!(numerals(&"九".repeat(60)), None);
    }
}
