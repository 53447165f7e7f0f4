//! Rules for sites as a user runs them; the commands are those of `docs/site-rules.md`.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::run::Folder;

const PAGE: &str = "<title>Rain - The Gazette</title><h2>News</h2><h1 class=head>Rain at last</h1>\
    <p class=byline><a>Ada Finch</a></p><time datetime=2024-05-03>Friday</time><div class=story><p>It rained.</p>\
    <p class=ad>Buy an umbrella, and get a second one for free.</p></div>\
    <div><p>It rained in the harbour on Monday, and it poured on Tuesday, so that the ferries stayed at the pier.</p></div>";

/// Code blocks of the document in a language.
fn snippets(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/site-rules.md");
    let text = fs::read_to_string(path).unwrap();
    let parts = text.split("```").skip(1).step_by(2);
    parts.filter_map(|part| part.strip_prefix(language)).map(|part| part.trim_start().to_owned()).collect()
}

#[test]
fn the_document_is_true() {
    let folder = Folder::new();
    folder.write("rules.toml", &snippets("toml")[0]);
    folder.write("page.html", PAGE);
    let patterns = "title: //h1\nbody: //div[@class='story']\nstrip: //p[last()]\nprune: no\n";
    folder.write("patterns/gazette.example.txt", patterns);
    let shell = snippets("sh").concat();
    let lines = shell.lines().filter_map(|line| line.strip_prefix("tamis "));
    let runs: Vec<_> = lines.map(|line| folder.tamis(line).succeeds()).collect();
    let [sound, checked, text, explained, json, imported, also_sound] = runs.try_into().unwrap();
    assert_eq!(sound.err, "tamis: rules.toml: rules for 1 site\n");
    checked
        .prints("keep       1 matches  div.story")
        .prints("title  Rain at last")
        .prints("date   2024-05-03")
        .prints("\n    It rained.\n");
    assert_eq!(text.out, "It rained.\n");
    explained
        .prints("site rule keep `div.story`")
        .prints("site rule drop `.ad`")
        .prints("site rules: *.gazette.example: keep");
    json.prints("\"authors\":[\"Ada Finch\"]")
        .prints("\"evidence\":\"site_rule\"")
        .prints("\"site_rules\":\"*.gazette");
    imported.says("gazette.example.txt:3: left out").says("1 file read, 1 site written, 1 line left out\n");
    assert_eq!(also_sound.err, "tamis: imported.toml: rules for 1 site\n");
}

#[test]
fn wrong_rules_are_named_with_their_place_and_batches_use_sound_ones() {
    let folder = Folder::new();
    folder.write("wrong.toml", "[[site]]\nhost = 'a.example'\nkeep = 'p + p'\n");
    folder.write("pages.jsonl", json!({ "url": "https://a.example/1", "html": PAGE }).to_string());
    for line in ["site check wrong.toml", "batch pages.jsonl -o rows.jsonl --rules wrong.toml"] {
        folder.tamis(line).fails("wrong.toml:3:11: in this selector: siblings");
    }
    folder.write("rules.toml", "[[site]]\nhost = 'a.example'\nkeep = '.story'\n");
    folder.write("page.html", PAGE);
    folder.tamis("extract --rules rules.toml page.html").says("no URL, so no rules apply");
    let line = "pages.jsonl -o rows.jsonl --rules rules.toml --fields text,site_rules";
    folder.batch(line).succeeds();
    let row = &folder.rows("rows.jsonl")[0];
    assert_eq!(row["text"], "It rained.\nBuy an umbrella, and get a second one for free.\n");
    assert!(row["site_rules"].as_str().unwrap().contains("keep `.story` (blocks: 2)"), "{row}");
    // Other rules are another run.
    folder.write("rules.toml", "[[site]]\nhost = 'a.example'\ndrop = '.ad'\n");
    folder.batch(line).ends(2);
}
