//! Digits and numerals of many scripts.

use crate::lexicon::LEXICON;

/// The zero of each script, sorted; the other nine digits follow it.
const ZEROS: [char; 22] = [
    '0', '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}',
    '\u{c66}', '\u{ce6}', '\u{d66}', '\u{de6}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{17e0}',
    '\u{1810}', '\u{1bb0}', '\u{ff10}',
];

/// The value of a decimal digit of any of the scripts.
pub(crate) fn digit(character: char) -> Option<u32> {
    if character < '\u{660}' {
        return character.to_digit(10);
    }
    // Fast paths: most letters of the Arabic script, and characters that have no digits among them.
    if matches!(character, '\u{66a}'..='\u{6ef}' | '\u{2000}'..'\u{ff10}') {
        return None;
    }
    let zero = ZEROS[ZEROS.partition_point(|zero| *zero <= character) - 1];
    Some(character as u32 - zero as u32).filter(|value| *value < 10)
}

/// The value of a run of Chinese numerals: digits (2-0-1-0), or hundreds, tens and ones.
pub(crate) fn numerals_value(run: &str) -> Option<u64> {
    let values = || run.chars().filter_map(|it| LEXICON.numeral(it)).map(u64::from);
    if values().all(|value| value < 10) {
        return values().try_fold(0_u64, |sum, value| sum.checked_mul(10)?.checked_add(value));
    }
    let (mut sum, mut ones) = (0, None);
    for value in values() {
        match value {
            100 if sum == 0 => sum = 100 * ones.take().filter(|ones| (1..10).contains(ones))?,
            // A zero before tens or ones is a placeholder.
            10 => sum += 10 * ones.take().filter(|ones| *ones > 0).unwrap_or(1),
            20 | 30 => sum += value,
            0 if ones.is_none() && sum >= 100 => {}
            0..=9 if ones.is_none() => ones = Some(value),
            _ => return None,
        }
        if sum > 999 {
            return None;
        }
    }
    Some(sum + ones.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_many_scripts() {
        for text in "0123456789 ٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ०१२३४५६७८९ ๐๑๒๓๔๕๖๗๘๙ ０１２３４５６７８９ ၀၁၂၃၄၅၆၇၈၉"
            .split(' ')
        {
            assert!(text.chars().map(digit).eq((0..10).map(Some)), "{text}");
        }
        let in_script = |c: char, zero: char| (c as u32).checked_sub(zero as u32).filter(|&it| it < 10);
        let of_a_script = |c: char| ZEROS.iter().find_map(|&zero| in_script(c, zero));
        assert!(ZEROS.is_sorted() && ('\0'..=char::MAX).all(|c| digit(c) == of_a_script(c)));
    }

    #[test]
    fn chinese_numerals() {
        let table = "二零一零 2010|一九九九 1999|十 10|十二 12|二十 20|二十五 25|廿五 25|卅一 31|九十九 99|一五 15|一百零九 109|一百一十 110|一百 100";
        for (run, value) in table.split('|').filter_map(|row| row.split_once(' ')) {
            assert_eq!(numerals_value(run), value.parse().ok(), "{run}");
        }
        assert_eq!(numerals_value("一百百"), None);
        assert_eq!(numerals_value("百"), None);
        assert_eq!(numerals_value(&"九".repeat(60)), None);
    }
}
