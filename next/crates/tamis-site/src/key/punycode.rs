//! Hosts in their own script: a page that is fetched has its address in Punycode, one in a list mostly as people write it.

const BASE: u32 = 36;

/// A host whose labels in Punycode are written as what they mean. What is no Punycode stays as it is.
pub(super) fn readable(host: &str) -> String {
    if !host.contains("xn--") {
        return host.to_owned();
    }
    let label = |label: &str| label.strip_prefix("xn--").and_then(decode).unwrap_or_else(|| label.to_owned());
    host.split('.').map(label).collect::<Vec<_>>().join(".")
}

/// The decoding procedure of RFC 3492.
fn decode(code: &str) -> Option<String> {
    let (basic, rest) = code.rsplit_once('-').unwrap_or(("", code));
    if !code.is_ascii() || code.len() > 63 || rest.is_empty() {
        return None;
    }
    let mut label: Vec<char> = basic.chars().collect();
    let (mut n, mut i, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = rest.bytes().peekable();
    while digits.peek().is_some() {
        let before = i;
        let (mut weight, mut k) = (1_u32, BASE);
        loop {
            let digit = match digits.next()? {
                letter @ b'a'..=b'z' => u32::from(letter - b'a'),
                number @ b'0'..=b'9' => u32::from(number - b'0') + 26,
                _ => return None,
            };
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            k += BASE;
        }
        let length = label.len() as u32 + 1;
        let mut delta = if before == 0 { i / 700 } else { (i - before) / 2 };
        delta += delta / length;
        let mut steps = 0;
        while delta > 455 {
            delta /= BASE - 1;
            steps += BASE;
        }
        bias = steps + BASE * delta / (delta + 38);
        n = n.checked_add(i / length)?;
        i %= length;
        let character =
            char::from_u32(n).filter(|c| c.is_alphanumeric() || !c.is_ascii() && !c.is_control())?;
        label.insert(i as usize, character);
        i += 1;
    }
    Some(label.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn labels_become_what_they_mean() {
        for (host, expected) in [
            ("xn--bcher-kva.example", "bücher.example"),
            ("xn--r8jz45g.jp", "例え.jp"),
            ("xn--fiqs8s.xn--fiqs8s", "中国.中国"),
            ("xn--d1abbgf6aiiy.xn--p1ai", "президент.рф"),
            ("xn--egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"),
            ("xn--.example", "xn--.example"),
            ("xn--!.example", "xn--!.example"),
            ("plain.example", "plain.example"),
        ] {
            assert_eq!(readable(host), expected);
        }
    }

    proptest! {
        #[test]
        fn no_label_is_too_strange(label in "xn--[a-z0-9-]{0,70}") {
            readable(&label);
        }
    }
}
