//! Values in the place of an author that are not people: organisations, hosts, pseudonyms, labels.

use super::candidate::comparison_key;
use super::lexicon::phrases;

/// Whether a text names an organisation, by its legal form or by what it is.
pub(crate) fn is_organisation(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    is_organisation_words(&words)
        || phrases("organisation_ending").at_end(&text.trim().to_lowercase()).is_some()
        || words.iter().any(|word| phrases("role").contains(&word.to_lowercase()))
}

pub(super) fn is_organisation_words(words: &[&str]) -> bool {
    let is_house = |part: &str| {
        let lower = part.to_lowercase();
        phrases("organisation").get(&lower).is_some_and(|phrase| !phrase.flags.capitals)
            || phrases("organisation_ending")
                .at_end(&lower)
                .is_some_and(|ending| lower.len() >= ending.text.len() + 3)
    };
    let is_long = words
        .iter()
        .any(|word| word.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).any(is_house));
    // "AG", "S.p.A.": short ones are names as well, but not in capitals at the end.
    let is_short = words.len() > 1
        && words.last().is_some_and(|last| {
            let is_capitals = !last.contains(char::is_lowercase) || last.contains('.');
            is_capitals && phrases("organisation").contains(&comparison_key(last))
        });
    is_long || is_short || words.iter().any(|word| is_host(word))
}

/// "Gazette.example": the last part of a host has letters only; those of initials are short, or end with the dot.
fn is_host(word: &str) -> bool {
    word.trim_end_matches('/').rsplit_once('.').is_some_and(|(name, last)| {
        let is_letters = |text: &str| text.chars().all(char::is_alphabetic);
        name.rsplit('.').any(|part| part.chars().count() >= 3)
            && (2..=8).contains(&last.chars().count())
            && is_letters(last)
    })
}

/// Whether a word is written as people write themselves on the web alone: "adafinch7", "ada_finch", "AdaFinch".
pub(crate) fn is_handle(word: &str) -> bool {
    // "McKay", "DeVries": the part before the second capital is a particle.
    let camel = word.char_indices().skip(1).find(|(_, c)| c.is_uppercase()).map(|(at, _)| &word[..at]);
    let is_camel = camel.is_some_and(|head| {
        head.ends_with(char::is_lowercase) && !phrases("particle").contains(&head.to_lowercase())
    });
    word.starts_with(char::is_lowercase)
        || is_camel
        || word.contains(|c: char| c.is_ascii_digit() || "._".contains(c))
}

/// Whether a whole text is called as no person is: a month, a day, a country, a known house.
pub(super) fn is_called_otherwise(words: &[&str]) -> bool {
    let whole = comparison_key(&words.concat());
    let is_of_place = matches!(words, [.., of, place]
        if phrases("particle").contains(of) && of.len() == 2 && phrases("place").contains(&comparison_key(place)));
    let is_month = words.len() == 1 && is_month(words[0]) && !is_given_name(words[0]);
    // "Gazette Japan", but not "Ada Holland".
    let is_edition = matches!(words, [given, place] if !is_given_name(given) && phrases("place").contains(&comparison_key(place)));
    // "ANSA" is an agency, "ADA" a name.
    let is_acronym = matches!(words, [word] if word.len() > 1
        && word.chars().all(char::is_uppercase)
        && !is_given_name(word));
    // "Do UOL": from an agency.
    let is_agency = matches!(words, [from, house] if phrases("particle").contains(&from.to_lowercase())
        && from.contains(char::is_lowercase)
        && house.len() > 1
        && house.chars().all(char::is_uppercase));
    let is_function_word = |word: &&str| {
        let phrase = phrases("function_word").get(&word.to_lowercase());
        phrase.is_some_and(|it| !it.flags.capitals || !word.contains(char::is_lowercase))
    };
    let is_label = || {
        let text = words.join(" ").to_lowercase();
        // "Di", "Van": labels that are family names as well.
        ["class_noise", "byline"].iter().any(|category| phrases(category).contains(&text))
            && !phrases("particle").contains(&text)
    };
    is_of_place
        || is_month
        || is_edition
        || is_acronym
        || is_agency
        || words.iter().any(is_function_word)
        || matches!(words, [word] if is_handle(word))
        || phrases("not_a_person").contains(&whole)
        || phrases("place").contains(&whole)
        || is_label()
}

pub(super) fn is_given_name(word: &str) -> bool {
    phrases("given_name").contains(&word.to_lowercase())
}

pub(super) fn is_month(word: &str) -> bool {
    crate::text::lexicon::PHRASES.bits(word) & crate::text::lexicon::MONTH != 0 && word.len() >= 3
}
