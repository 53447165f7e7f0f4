//! Language tags as pages write them, and the direction of a language.

/// The language of a tag without script and country.
pub(super) fn base(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or(tag).to_ascii_lowercase()
}

/// A language tag that looks like one: `en`, `zh-CN`, `ug`.
pub(in crate::facts) fn tag(value: &str) -> Option<String> {
    let value = value.split([',', ';', ' ']).next().unwrap_or(value).trim();
    let sound = value
        .split(['-', '_'])
        .all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    let first = value.split(['-', '_']).next().unwrap_or_default();
    (sound && (2..=3).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_alphabetic()))
        .then(|| as_usual(value))
}

/// Codes that were given up, and those of countries that pages put there: `iw` is Hebrew, `jp` Japanese.
fn usual_base(small: &str) -> &str {
    match small {
        "in" => "id",
        "iw" => "he",
        "ji" => "yi",
        "jw" => "jv",
        "mo" => "ro",
        "cn" => "zh",
        "jp" => "ja",
        "kr" => "ko",
        "cz" => "cs",
        "gr" => "el",
        "dk" => "da",
        "vn" => "vi",
        "ua" => "uk",
        other => other,
    }
}

/// A tag with its letters as tags have them: `EN` is `en`, `zh_hans_cn` is `zh-Hans-CN`.
fn as_usual(tag: &str) -> String {
    let mut usual = String::with_capacity(tag.len());
    for (place, part) in tag.split(['-', '_']).enumerate() {
        let small = part.to_ascii_lowercase();
        match (place, part.len()) {
            (0, _) => usual.push_str(usual_base(&small)),
            (_, 2) => usual.push_str(&format!("-{}", small.to_ascii_uppercase())),
            (_, 4) if part.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                usual.push_str(&format!("-{}{}", small[..1].to_ascii_uppercase(), &small[1..]));
            }
            _ => usual.push_str(&format!("-{small}")),
        }
    }
    usual
}

/// The direction in which a language is written.
pub(in crate::facts) fn direction(language: &str) -> &'static str {
    let rtl = ["ar", "fa", "he", "ur", "ug", "ps", "ckb", "sd", "yi", "dv", "iw"];
    // Kazakh has three scripts.
    let script = language.split(['-', '_']).find(|part| part.len() == 4);
    let is_rtl = match script {
        Some(script) => ["arab", "hebr", "thaa", "syrc"].iter().any(|it| it.eq_ignore_ascii_case(script)),
        None => rtl.contains(&base(language).as_str()),
    };
    if is_rtl { "rtl" } else { "ltr" }
}
