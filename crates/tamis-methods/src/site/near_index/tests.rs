use proptest::prelude::*;

use super::*;

fn near(a: &str, b: &str) -> bool {
    let mut index = NearIndex::default();
    index.add("p", a);
    index.find("p", b).is_some()
}

#[test]
fn one_edit_is_allowed_per_eight_characters_of_the_shorter_text() {
    for (a, b, expected) in [
        ("1234567", "1234567", true),
        ("1234567", "1234568", false),
        ("12345678", "12345679", true),
        ("12345678", "1234567", false),
        ("12345678", "12345699", false),
        ("0123456789abcdef", "0123456789abcde", true),
        ("0123456789abcdef", "x123456789abcde", false),
    ] {
        assert_eq!(near(a, b), expected, "{a} {b}");
    }
}

#[test]
fn the_tag_name_must_be_the_same() {
    let mut index = NearIndex::default();
    index.add("p", "a text of some length");
    assert_eq!(index.find("p", "a text of same length"), Some(0));
    assert_eq!(index.find("div", "a text of same length"), None);
    assert_eq!(index.find("div", "a text of some length"), None);
}

#[test]
fn equal_comes_before_near_and_then_the_first() {
    let mut index = NearIndex::default();
    index.add("p", "responsible: one");
    index.add("p", "responsible: two");
    index.add("p", "responsible: ons");
    assert_eq!(index.find("p", "responsible: ons"), Some(2));
    assert_eq!(index.find("p", "responsible: onx"), Some(0));
    assert_eq!(index.add("p", "responsible: one"), 0);
    assert_eq!((index.len(), index.get(1)), (3, Some(("p", "responsible: two"))));
}

#[test]
fn very_long_texts_must_be_equal() {
    let long = "字".repeat(MAX_COMPARED_LENGTH + 1);
    assert!(near(&long, &long));
    assert!(!near(&long, &"字".repeat(MAX_COMPARED_LENGTH)));
    assert!(near(&"字".repeat(MAX_COMPARED_LENGTH), &"字".repeat(MAX_COMPARED_LENGTH - 99)));
}

#[test]
fn texts_that_share_their_pieces_are_bounded() {
    let mut index = NearIndex::default();
    for number in 0..20_000 {
        index.add("p", &format!("the same beginning of every text {number:07}"));
    }
    let characters: Vec<char> = "the same beginning of every text !!!!!!!".chars().collect();
    let mut search = Search::new(&index, "p", &characters);
    let gram = Grams::of_length(gram_length(5)).first(&characters) ^ xxh3_64(b"p");
    (0..100).for_each(|_| search.visit(key(gram, 5, 0), 0));
    assert!(search.compared.len() <= MAX_COMPARISONS && search.candidates <= MAX_CANDIDATES + 100);
}

fn by_full_comparison(texts: &[String], text: &str) -> Option<u32> {
    let wanted: Vec<char> = text.chars().collect();
    let equal = texts.iter().position(|it| it == text);
    let near = || {
        texts.iter().position(|it| {
            let it: Vec<char> = it.chars().collect();
            edit_distance::within(&it, &wanted, allowed_edits(it.len(), wanted.len()))
        })
    };
    equal.or_else(near).map(|at| at as u32)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn finds_what_a_full_comparison_finds(
        texts in prop::collection::vec("[ab字]{0,70}", 1..6),
        which in 0_usize..6,
        edits in prop::collection::vec((0_usize..70, 0_u8..3, "[abc]"), 0..9),
    ) {
        let mut index = NearIndex::default();
        let mut distinct: Vec<String> = Vec::new();
        for text in &texts {
            if !distinct.contains(text) {
                index.add("p", text);
                distinct.push(text.clone());
            }
        }
        let mut text: Vec<char> = texts[which % texts.len()].chars().collect();
        for (at, kind, new) in edits {
            let at = at % (text.len() + 1);
            match kind {
                0 => text.insert(at, new.chars().next().unwrap()),
                1 if at < text.len() => text[at] = new.chars().next().unwrap(),
                _ if at < text.len() => { text.remove(at); }
                _ => {}
            }
        }
        let text: String = text.into_iter().collect();
        prop_assert_eq!(index.find("p", &text), by_full_comparison(&distinct, &text));
    }
}
