//! Rules for sites as a user runs them; the commands are those of `docs/site-rules.md`.

use std::fs;
use std::path::Path;

use crate::run::{Folder, batch, command, finish, tamis};

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
    fs::create_dir(folder.root().join("patterns")).unwrap();
    let patterns = "title: //h1\nbody: //div[@class='story']\nstrip: //p[last()]\nprune: no\n";
    folder.write("patterns/gazette.example.txt", patterns);
    let mut outputs = Vec::new();
    for line in snippets("sh").concat().lines() {
        let arguments: Vec<&str> = line.split_whitespace().skip(1).collect();
        let mut command = command(&arguments);
        command.current_dir(folder.root());
        let run = finish(command, "");
        assert_eq!(run.code, 0, "{line}: {}", run.err);
        outputs.push(run.out + &run.err);
    }
    let [sound, checked, text, explained, json, imported, also_sound] = outputs.try_into().unwrap();
    assert_eq!(sound, "tamis: rules.toml: rules for 1 site\n");
    for part in
        ["keep       1 matches  div.story", "title  Rain at last", "date   2024-05-03", "\n    It rained.\n"]
    {
        assert!(checked.contains(part), "{part} in {checked}");
    }
    assert_eq!(text, "It rained.\n");
    for part in ["site rule keep `div.story`", "site rule drop `.ad`", "site rules: *.gazette.example: keep"]
    {
        assert!(explained.contains(part), "{part} in {explained}");
    }
    for part in ["\"authors\":[\"Ada Finch\"]", "\"evidence\":\"site_rule\"", "\"site_rules\":\"*.gazette"] {
        assert!(json.contains(part), "{part} in {json}");
    }
    assert!(imported.contains("gazette.example.txt:3: left out"), "{imported}");
    assert!(imported.ends_with("1 file read, 1 site written, 1 line left out\n"), "{imported}");
    assert_eq!(also_sound, "tamis: imported.toml: rules for 1 site\n");
}

#[test]
fn wrong_rules_are_named_with_their_place_and_batches_use_sound_ones() {
    let folder = Folder::new();
    let wrong = folder.write("wrong.toml", "[[site]]\nhost = 'a.example'\nkeep = 'p + p'\n");
    let row =
        format!("{{\"url\":\"https://a.example/1\",\"html\":{}}}\n", serde_json::to_string(PAGE).unwrap());
    let (rows, out) = (folder.write("pages.jsonl", row), folder.path("rows.jsonl"));
    for arguments in [vec!["site", "check", &wrong], vec!["batch", &rows, "-o", &out, "--rules", &wrong]] {
        let run = tamis(&arguments, "");
        assert!(
            run.code == 2 && run.err.contains("wrong.toml:3:11: in this selector: siblings"),
            "{}",
            run.err
        );
    }
    let sound = folder.write("rules.toml", "[[site]]\nhost = 'a.example'\nkeep = '.story'\n");
    let page = folder.write("page.html", PAGE);
    let elsewhere = tamis(&["extract", "--rules", &sound, &page], "");
    assert!(elsewhere.err.contains("no URL, so no rules apply"), "{}", elsewhere.err);
    assert_eq!(batch(&[&rows, "-o", &out, "--rules", &sound, "--fields", "text,site_rules"]).code, 0);
    let expected = "\"text\":\"It rained.\\nBuy an umbrella, and get a second one for free.\\n\"";
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.contains(expected) && written.contains("keep `.story` (blocks: 2)"), "{written}");
    fs::write(&sound, "[[site]]\nhost = 'a.example'\ndrop = '.ad'\n").unwrap();
    let changed = batch(&[&rows, "-o", &out, "--rules", &sound, "--fields", "text,site_rules"]);
    assert_eq!(changed.code, 2, "other rules are another run: {}", changed.err);
}
