//! `tamis site` and `tamis extract --sites` as a user runs them.

use crate::run::{Folder, Run};

const STORIES: [&str; 6] = [
    "Rain fell on the harbour all night, and the boats stayed in.",
    "The bakery by the bridge has new owners, who come from the hills.",
    "Nobody knows who painted the lighthouse blue, but most people like it.",
    "Two ferries will run on Sundays from May on, says the council.",
    "A whale was seen near the pier, for the first time in ten years.",
    "The library stays open until nine, since students asked for it.",
];
const NOTICE: &str = "Letters to the editor";

fn page(story: &str) -> String {
    format!(
        "<ul><li><a href=/>Home</a></ul><div><p>{story}</p><p>Letters to the editor are welcome, and are answered.</p></div>"
    )
}

/// A folder with pages and a list of them.
fn folder(stories: &[&str]) -> Folder {
    let folder = Folder::new();
    let mut lines = String::new();
    for (number, story) in stories.iter().enumerate() {
        folder.write(&format!("{number}.html"), page(story));
        lines += &format!(
            "{{\"path\":\"{number}.html\",\"url\":\"https://www.gazette.example/{number}.html\"}}\n"
        );
    }
    folder.write("list.jsonl", lines);
    folder
}

/// Likewise, with a memory that has learned all stories.
fn learned() -> Folder {
    let folder = folder(&STORIES);
    folder.learn().succeeds();
    folder
}

impl Folder {
    fn learn(&self) -> Run {
        self.site("learn --list list.jsonl")
    }

    fn site(&self, line: &str) -> Run {
        self.tamis(&format!("site {line} --sites memory.redb"))
    }

    fn extract(&self, number: usize) -> Run {
        let url = format!("https://gazette.example/{number}.html");
        self.tamis(&format!("extract --method lines --sites memory.redb --url {url} {number}.html"))
    }
}

#[test]
fn what_pages_repeat_is_learned_and_left_out_of_each() {
    let folder = folder(&STORIES);
    assert_eq!(folder.learn().succeeds().err, "tamis: 6 pages learned\n");
    let list = folder.site("list").out;
    let site = list.lines().nth(1).unwrap();
    assert!(site.starts_with("6\t6\t0\t") && site.ends_with("\tgazette.example"), "{list}");
    for (number, story) in STORIES.iter().enumerate() {
        assert_eq!(folder.extract(number).succeeds().out.trim(), *story);
    }
    folder.learn().succeeds();
    assert_eq!(folder.site("list").out, list, "learning a page twice changes nothing");
}

#[test]
fn a_learned_page_does_not_count_for_itself() {
    let one = folder(&STORIES[..1]);
    one.learn().succeeds();
    one.extract(0).prints(STORIES[0]).prints(NOTICE);
    // Nor under another address, with a new line since it was learned.
    let newer = page(STORIES[2]).replace("<ul>", "<p>Read by 7 people, says the counter.</p><ul>");
    let url = "http://m.gazette.example/2.html?utm_source=mail#top";
    let line = format!("extract --method lines --sites memory.redb --url {url} -");
    learned().tamis_with(&line, newer).prints(STORIES[2]);
}

#[test]
fn learning_and_extracting_go_together() {
    let folder = folder(&STORIES);
    let line = "extract --learn --sites memory.redb --list list.jsonl --method lines --format json";
    let run = folder.tamis(line).succeeds();
    let texts: Vec<_> =
        run.rows().iter().map(|row| row["text"].as_str().unwrap().trim().to_owned()).collect();
    assert_eq!(texts, STORIES, "in order, by all others");
    folder.site("list").prints("6\t6\t0\t");
    assert_eq!(folder.tamis(&format!("{line} -j 1")).out, run.out);
}

#[test]
fn overrides_are_edited_imported_and_reset() {
    let folder = learned();
    let shown = folder.site("show www.gazette.example").succeeds().out;
    let letters = shown.lines().find(|line| line.ends_with("and are answered.")).unwrap();
    assert!(letters.starts_with("auto-drop\t6\t1\tline p\t"), "{letters}");
    let home = |line: &str| line.starts_with("auto-drop\t6\t1\ta\t") && line.ends_with("\tHome");
    assert!(shown.lines().any(home), "{shown}");

    // With a byte order mark and other line ends, as some editors write them.
    let edited = shown.replace(letters, &letters.replace("auto-drop", "keep")).replace('\n', "\r\n");
    folder.write("edited.txt", format!("\u{FEFF}{edited}"));
    assert_eq!(folder.site("import edited.txt").succeeds().err, "tamis: 1 overrides updated\n");
    folder.extract(0).prints(NOTICE);
    let shown = folder.site("show gazette.example").prints("\nkeep\t6\t1\tline p\t").out;
    folder.site("list").prints("6\t6\t1\t");

    // It is remembered, also when more is learned and where memories are merged.
    folder.learn().succeeds();
    folder.tamis("site merge memory.redb --sites other.redb").succeeds();
    assert_eq!(folder.tamis("site show gazette.example --sites other.redb").out, shown);

    // And taken back.
    folder.write("edited.txt", shown.replace("\nkeep\t", "\nauto-keep\t"));
    folder.site("import edited.txt").succeeds();
    folder.extract(0).does_not_print(NOTICE);
    // Nothing to do.
    folder.site("import edited.txt").ends(1);

    let all = folder.site("show --all gazette.example").out;
    let (head, row) = (all.lines().next().unwrap(), all.lines().last().unwrap());
    folder.write("edited.txt", format!("{head}\ndropp{row}"));
    folder.site("import edited.txt").fails("edited.txt").says("line 2");
}

#[test]
fn export_and_import_move_a_memory() {
    let folder = learned();
    let lines = folder.site("export").succeeds().out;
    assert_eq!(lines.lines().count(), 1 + STORIES.len());
    let import = |lines: &str| folder.tamis_with("site import - --sites other.redb", lines);
    assert_eq!(import(&lines).succeeds().err, "tamis: 6 pages of 1 site imported\n");
    assert_eq!(folder.tamis("site export --sites other.redb").out, lines);
    import(&lines.replacen("\"texts\"", "\"textz\"", 1)).fails("line 2");
    folder.site("forget http://gazette.example/x").succeeds();
    folder.site("show gazette.example").fails("tamis site list");
    // Nothing is left.
    folder.site("list").ends(1);
    folder.site("compact").succeeds();
}

#[test]
fn two_processes_learn_into_one_memory() {
    let folder = folder(&STORIES);
    let all = folder.read("list.jsonl");
    for half in [0, 1] {
        let lines: Vec<&str> = all.lines().skip(half).step_by(2).collect();
        folder.write(&format!("half-{half}.jsonl"), lines.join("\n"));
    }
    std::thread::scope(|scope| {
        for half in [0, 1] {
            let folder = &folder;
            scope.spawn(move || folder.site(&format!("learn --list half-{half}.jsonl")).succeeds());
        }
    });
    assert_eq!(folder.site("export").out, learned().site("export").out);
}

#[test]
fn messages_say_what_to_do() {
    let folder = folder(&STORIES[..2]);
    folder.site("list").fails("tamis site learn");
    folder.extract(0).fails("memory.redb");
    folder.site("learn 0.html").fails("--site");
    folder.site("learn --site 'my pages' 0.html").succeeds();
    // One page repeats nothing.
    folder.site("show 'my pages' --all").ends(1);
    folder.write("report.pdf", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj <</Type /Catalog>> endobj");
    folder.site("learn --site 'my pages' report.pdf").fails("report.pdf");
    folder.site("merge memory.redb").fails("into itself");
    folder.tamis("site import 0.html --sites new.redb").fails("line 1").says("tamis site export");
    assert!(!folder.exists("new.redb"));
    folder.site("merge 0.html").fails("not a site memory");
}

#[test]
fn a_memory_without_effect_is_reported() {
    let folder = learned();
    let extract =
        |flags: &str| folder.tamis(&format!("extract --sites memory.redb {flags} 0.html")).succeeds();
    assert_eq!(extract("--site gazette.example --method lines").err, "");
    let other_method = extract("--site gazette.example --method density");
    other_method.says("density does not use site memory").says("template-svm");
    extract("--method lines").says("0.html").says("--site");
    extract("--method lines --site gazete.example").says("does not contain gazete.example");
}
