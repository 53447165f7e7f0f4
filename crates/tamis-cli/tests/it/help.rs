//! The help of every command as it was last approved, completions and man pages.

use std::fs;

use crate::run::{Folder, Run, command, finish};

const COMMANDS: &[&str] = &[
    "",
    "extract",
    "batch",
    "explain",
    "eval",
    "label",
    "train",
    "tree",
    "completions",
    "man",
    "help",
    "site",
    "site learn",
    "site list",
    "site show",
    "site forget",
    "site merge",
    "site export",
    "site import",
    "site compact",
    "site check",
    "site import-rules",
];
const COLLECTOR: &[&str] = &[
    "collect",
    "collect add",
    "collect run",
    "collect status",
    "collect why",
    "corpus",
    "corpus search",
    "corpus show",
    "corpus export",
    "corpus stats",
    "corpus import",
    "corpus reextract",
];

const SERVER: &[&str] = &["serve", "mcp"];

fn tamis(line: &str) -> Run {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut command = command(&words);
    command.env("COLUMNS", "100");
    finish(command, "")
}

/// Builds with and without collector and server share these snapshots; only the list of commands differs.
#[test]
fn help_is_as_approved() {
    let mut commands = COMMANDS.to_vec();
    if cfg!(feature = "collect") {
        commands.extend(COLLECTOR);
    }
    if cfg!(feature = "serve") {
        commands.extend(SERVER);
    }
    if !cfg!(all(feature = "collect", feature = "serve")) {
        commands.remove(0);
    }
    let settings = || {
        let mut settings = insta::Settings::clone_current();
        settings.set_omit_expression(true);
        settings.set_prepend_module_to_snapshot(false);
        settings
    };
    for name in commands {
        for flag in ["-h", "--help"] {
            let run = tamis(&format!("{name} {flag}"));
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{name} {flag}");
            // What a build lacks is tested elsewhere.
            let help = run.out.replace(NO_PARQUET, "");
            let kind = if flag == "-h" { "short" } else { "long" };
            let name = if name.is_empty() { "tamis".to_owned() } else { name.replace(' ', "-") };
            settings().bind(|| insta::assert_snapshot!(format!("help-{name}-{kind}"), help));
        }
    }
}

const NO_PARQUET: &str =
    "This tamis was built without Parquet. To read and write it, build with --features parquet.\n\n";

#[test]
fn help_has_help() {
    for line in ["help --help", "help", "help extract", "help site learn", "--version"] {
        assert_eq!(tamis(line).code, 0, "{line}");
    }
    assert_eq!(tamis("help extract").out, tamis("extract --help").out);
    let run = tamis("help nonsense");
    assert!(run.code == 2 && run.err.contains("`tamis help` lists the commands"), "{}", run.err);
}

#[test]
fn completions_and_man_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = tamis(&format!("completions {shell}"));
        assert!(run.code == 0 && run.out.contains("fetch-timeout"), "{shell}");
    }
    let folder = Folder::new();
    folder.write("man1/other.1", "");
    let run = tamis(&format!("man {}", folder.path("man1")));
    let files = fs::read_dir(folder.root().join("man1")).unwrap().count() - 1;
    assert!(run.code == 0 && run.err.contains(&format!("{files} man pages")), "{files}: {}", run.err);
    let page = fs::read_to_string(folder.root().join("man1/tamis-extract.1")).unwrap();
    assert!(page.contains("\\-\\-fetch\\-timeout"), "{page}");
    assert!(folder.root().join("man1/tamis-site-learn.1").exists());
}

#[test]
fn old_names_still_work() {
    let folder = Folder::new();
    let page =
        folder.write("page.html", "<p>It rained in the harbour on Monday, for the first time since spring.");
    for line in [
        "extract --page-timeout 5 --jobs 1 --format txt --hidden flag",
        "explain --facts",
        "tree --max-bytes 100000",
    ] {
        let run = tamis(&format!("{line} {page}"));
        assert_eq!(run.code, 0, "{line}: {}", run.err);
    }
}
