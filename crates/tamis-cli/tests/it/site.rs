//! `tamis site` and `tamis extract --memory` as a user runs them.

use std::fs;

use crate::run::{Folder, Run, tamis};

const STORIES: [&str; 6] = [
    "Rain fell on the harbour all night, and the boats stayed in.",
    "The bakery by the bridge has new owners, who come from the hills.",
    "Nobody knows who painted the lighthouse blue, but most people like it.",
    "Two ferries will run on Sundays from May on, says the council.",
    "A whale was seen near the pier, for the first time in ten years.",
    "The library stays open until nine, since students asked for it.",
];

fn page(story: &str) -> String {
    format!(
        "<ul><li><a href=/>Home</a></ul><div><p>{story}</p><p>Letters to the editor are welcome, and are answered.</p></div>"
    )
}

/// A folder with pages, a list of them and the path of a memory.
struct Pages {
    folder: Folder,
    list: String,
    memory: String,
}

fn pages(stories: &[&str]) -> Pages {
    let folder = Folder::new();
    let mut lines = String::new();
    for (number, story) in stories.iter().enumerate() {
        let path = folder.write(&format!("{number}.html"), page(story));
        lines += &format!("{{\"path\":{path:?},\"url\":\"https://www.gazette.example/{number}.html\"}}\n");
    }
    Pages { list: folder.write("list.jsonl", lines), memory: folder.path("memory.redb"), folder }
}

impl Pages {
    fn learn(&self) -> Run {
        tamis(&["site", "learn", "--list", &self.list, "--sites", &self.memory], "")
    }

    fn site(&self, command: &[&str]) -> Run {
        let mut arguments = vec!["site"];
        arguments.extend(command);
        arguments.extend(["--sites", &self.memory]);
        tamis(&arguments, "")
    }

    fn extract(&self, number: usize) -> Run {
        let file = self.folder.root().join(format!("{number}.html"));
        let url = format!("https://gazette.example/{number}.html");
        let file = file.to_str().unwrap();
        tamis(&["extract", "--method", "lines", "--sites", &self.memory, "--url", &url, file], "")
    }
}

#[test]
fn what_pages_repeat_is_learned_and_left_out_of_each() {
    let pages = pages(&STORIES);
    let learned = pages.learn();
    assert_eq!((learned.code, learned.err.as_str()), (0, "tamis: 6 pages learned\n"));
    let list = pages.site(&["list"]);
    assert_eq!(list.out.lines().nth(1).unwrap().split('\t').next_back(), Some("gazette.example"));
    assert!(list.out.lines().nth(1).unwrap().starts_with("6\t6\t0\t"), "{}", list.out);
    for (number, story) in STORIES.iter().enumerate() {
        let extracted = pages.extract(number);
        assert_eq!((extracted.code, extracted.out.trim()), (0, *story));
    }
    let again = pages.learn();
    assert_eq!(again.code, 0);
    assert_eq!(pages.site(&["list"]).out, list.out, "learning a page twice changes nothing");
}

#[test]
fn a_learned_page_does_not_count_for_itself() {
    let pages = pages(&STORIES[..1]);
    pages.learn();
    let extracted = pages.extract(0);
    assert!(
        extracted.out.contains(STORIES[0]) && extracted.out.contains("Letters to the editor"),
        "{}",
        extracted.out
    );
}

#[test]
fn learning_and_extracting_go_together() {
    let pages = pages(&STORIES);
    let run = tamis(
        &[
            "extract",
            "--learn",
            "--sites",
            &pages.memory,
            "--list",
            &pages.list,
            "--method",
            "lines",
            "--format",
            "json",
        ],
        "",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.lines().count(), STORIES.len());
    for (line, story) in run.out.lines().zip(STORIES) {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(record["text"].as_str().unwrap().trim(), story, "in order, by all others");
    }
    assert!(pages.site(&["list"]).out.contains("6\t6\t0\t"));
    let again = tamis(
        &[
            "extract",
            "--learn",
            "--sites",
            &pages.memory,
            "--list",
            &pages.list,
            "--method",
            "lines",
            "--format",
            "json",
            "-j",
            "1",
        ],
        "",
    );
    assert_eq!(again.out, run.out);
}

#[test]
fn overrides_are_edited_imported_and_reset() {
    let pages = pages(&STORIES);
    pages.learn();
    let shown = pages.site(&["show", "www.gazette.example"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let letters = shown.out.lines().find(|line| line.ends_with("and are answered.")).unwrap();
    assert!(letters.starts_with("auto-drop\t6\t1\tline p\t"), "{letters}");
    assert!(
        shown.out.lines().any(|line| line.starts_with("auto-drop\t6\t1\ta\t") && line.ends_with("\tHome"))
    );

    let file = pages.folder.root().join("edited.txt");
    fs::write(&file, shown.out.replace(letters, &letters.replace("auto-drop", "keep"))).unwrap();
    let import = pages.site(&["import", file.to_str().unwrap()]);
    assert_eq!((import.code, import.err.as_str()), (0, "tamis: 1 overrides updated\n"));
    assert!(pages.extract(0).out.contains("Letters to the editor"));
    let shown = pages.site(&["show", "gazette.example"]).out;
    assert!(shown.contains("\nkeep\t6\t1\tline p\t"), "{shown}");
    assert!(pages.site(&["list"]).out.contains("6\t6\t1\t"));

    // It is remembered, also when more is learned and where memories are merged.
    pages.learn();
    let other = pages.folder.root().join("other.redb");
    let merged = tamis(&["site", "merge", &pages.memory, "--sites", other.to_str().unwrap()], "");
    assert_eq!(merged.code, 0, "{}", merged.err);
    let shown_of_other = tamis(&["site", "show", "gazette.example", "--sites", other.to_str().unwrap()], "");
    assert_eq!(shown_of_other.out, shown);

    // And taken back.
    fs::write(&file, shown.replace("\nkeep\t", "\nauto-keep\t")).unwrap();
    assert_eq!(pages.site(&["import", file.to_str().unwrap()]).code, 0);
    assert!(!pages.extract(0).out.contains("Letters to the editor"));
    let unchanged = pages.site(&["import", file.to_str().unwrap()]);
    assert_eq!(unchanged.code, 1, "nothing to do: {}", unchanged.err);

    // To drop what repeats nowhere is a person's right as well.
    let all = pages.site(&["show", "--all", "gazette.example"]).out;
    let head = all.lines().next().unwrap();
    let row = all.lines().last().unwrap();
    fs::write(&file, format!("{head}\ndropp{row}")).unwrap();
    let wrong = pages.site(&["import", file.to_str().unwrap()]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("edited.txt") && wrong.err.contains("line 2"), "{}", wrong.err);
}

#[test]
fn export_and_import_move_a_memory() {
    let pages = pages(&STORIES);
    pages.learn();
    let lines = pages.site(&["export"]);
    assert_eq!((lines.code, lines.out.lines().count()), (0, 1 + STORIES.len()));
    let other = pages.folder.root().join("other.redb");
    let other = other.to_str().unwrap();
    let import = tamis(&["site", "import", "-", "--sites", other], &lines.out);
    assert_eq!((import.code, import.err.as_str()), (0, "tamis: 6 pages of 1 site imported\n"));
    assert_eq!(tamis(&["site", "export", "--sites", other], "").out, lines.out);
    let broken = lines.out.replacen("\"texts\"", "\"textz\"", 1);
    let import = tamis(&["site", "import", "-", "--sites", other], &broken);
    assert_eq!(import.code, 2);
    assert!(import.err.contains("line 2"), "{}", import.err);
    assert_eq!(pages.site(&["forget", "http://gazette.example/x"]).code, 0);
    let gone = pages.site(&["show", "gazette.example"]);
    assert_eq!(gone.code, 2);
    assert!(gone.err.contains("tamis site list"), "{}", gone.err);
    assert_eq!(pages.site(&["list"]).code, 1, "nothing is left");
    assert_eq!(pages.site(&["compact"]).code, 0);
}

#[test]
fn two_processes_learn_into_one_memory() {
    let pages = pages(&STORIES);
    let all = fs::read_to_string(&pages.list).unwrap();
    let lists: Vec<String> = [0, 1]
        .map(|half| {
            let lines: Vec<&str> = all.lines().skip(half).step_by(2).collect();
            let list = pages.folder.root().join(format!("half-{half}.jsonl"));
            fs::write(&list, lines.join("\n")).unwrap();
            list.to_str().unwrap().to_owned()
        })
        .into();
    std::thread::scope(|scope| {
        for list in &lists {
            scope.spawn(|| {
                let run = tamis(&["site", "learn", "--list", list, "--sites", &pages.memory], "");
                assert_eq!(run.code, 0, "{}", run.err);
            });
        }
    });
    let together = pages.site(&["export"]).out;
    let alone = Pages { memory: pages.memory.replace("memory.redb", "alone.redb"), ..pages };
    alone.learn();
    assert_eq!(together, alone.site(&["export"]).out);
}

#[test]
fn messages_say_what_to_do() {
    let pages = pages(&STORIES[..2]);
    let missing = pages.site(&["list"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("tamis site learn"), "{}", missing.err);
    let extract = pages.extract(0);
    assert_eq!(extract.code, 2);
    assert!(extract.err.contains("memory.redb"), "{}", extract.err);
    let file = pages.folder.root().join("0.html");
    let file = file.to_str().unwrap();
    let siteless = pages.site(&["learn", file]);
    assert_eq!(siteless.code, 2);
    assert!(siteless.err.contains("--site"), "{}", siteless.err);
    let named = pages.site(&["learn", "--site", "my pages", file]);
    assert_eq!(named.code, 0, "{}", named.err);
    assert_eq!(pages.site(&["show", "my pages", "--all"]).code, 1, "one page repeats nothing");
    let no_page = pages.folder.root().join("report.pdf");
    fs::write(&no_page, b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj <</Type /Catalog>> endobj").unwrap();
    let no_page = pages.site(&["learn", "--site", "my pages", no_page.to_str().unwrap()]);
    assert_eq!(no_page.code, 2, "what is no page teaches nothing: {}", no_page.err);
    assert!(no_page.err.contains("report.pdf"), "{}", no_page.err);
    let itself = pages.site(&["merge", &pages.memory]);
    assert_eq!(itself.code, 2);
    assert!(itself.err.contains("into itself"), "{}", itself.err);
    let new = pages.folder.root().join("new.redb");
    let no_memory = tamis(&["site", "import", file, "--sites", new.to_str().unwrap()], "");
    assert_eq!((no_memory.code, new.exists()), (2, false), "{}", no_memory.err);
    assert!(
        no_memory.err.contains("line 1") && no_memory.err.contains("tamis site export"),
        "{}",
        no_memory.err
    );
    let html = pages.site(&["merge", file]);
    assert_eq!(html.code, 2);
    assert!(html.err.contains("not a site memory"), "{}", html.err);
}

#[test]
fn a_memory_without_effect_is_reported() {
    let pages = pages(&STORIES);
    pages.learn();
    let file = pages.folder.root().join("0.html");
    let extract = |more: &[&str]| {
        let mut arguments = vec!["extract", "--sites", &pages.memory];
        arguments.extend(more);
        arguments.push(file.to_str().unwrap());
        tamis(&arguments, "")
    };
    let site = ["--site", "gazette.example"];
    assert_eq!(extract(&[&site[..], &["--method", "lines"]].concat()).err, "");
    let other_method = extract(&[&site[..], &["--method", "density"]].concat());
    assert_eq!(other_method.code, 0);
    assert!(
        other_method.err.contains("density does not use site memory")
            && other_method.err.contains("template-svm")
    );
    let siteless = extract(&["--method", "lines"]);
    assert_eq!(siteless.code, 0, "it is extracted all the same");
    assert!(siteless.err.contains("0.html") && siteless.err.contains("--site"), "{}", siteless.err);
    let unknown = extract(&["--method", "lines", "--site", "gazete.example"]);
    assert_eq!(unknown.code, 0);
    assert!(unknown.err.contains("does not contain gazete.example"), "{}", unknown.err);
}

#[test]
fn a_listing_may_have_a_byte_order_mark() {
    let pages = pages(&STORIES);
    pages.learn();
    let shown =
        pages.site(&["show", "gazette.example"]).out.replace("auto-drop", "keep").replace('\n', "\r\n");
    let file = pages.folder.root().join("edited.txt");
    fs::write(&file, format!("\u{FEFF}{shown}")).unwrap();
    let import = pages.site(&["import", file.to_str().unwrap()]);
    assert_eq!(import.code, 0, "{}", import.err);
    assert!(pages.extract(0).out.contains("Letters to the editor"));
}

#[test]
fn one_page_under_two_urls_keeps_its_text() {
    let pages = pages(&STORIES);
    pages.learn();
    // The page has a new line since it was learned, and its address another form.
    let newer = page(STORIES[2]).replace("<ul>", "<p>Read by 7 people, says the counter.</p><ul>");
    let url = "http://m.gazette.example/2.html?utm_source=mail#top";
    let run =
        tamis(&["extract", "--method", "lines", "--sites", &pages.memory, "--url", url, "-"], newer.as_str());
    assert!(run.out.contains(STORIES[2]), "{}", run.out);
}
