//! The help of every command as it was last approved, completions and man pages.

use crate::run::{Folder, Run, command, finish};

/// The commands, and those below them.
const COMMANDS: &[(&str, &str)] = &[
    ("", "extract batch explain eval label train tree completions man help site"),
    ("site", "learn list show forget merge export import compact check import-rules"),
];
const COLLECTOR: &[(&str, &str)] = &[
    ("", "collect corpus"),
    ("collect", "add run status why"),
    ("corpus", "search show export stats import reextract"),
];
const SERVER: &[(&str, &str)] = &[("", "serve mcp")];

fn tamis(line: &str) -> Run {
    let mut command = command(line);
    command.env("COLUMNS", "100");
    finish(command, "")
}

/// Builds with and without collector and server share these snapshots; only the list of commands differs.
#[test]
fn help_is_as_approved() {
    let (collector, server) = (cfg!(feature = "collect"), cfg!(feature = "serve"));
    let groups = [(true, COMMANDS), (collector, COLLECTOR), (server, SERVER)];
    let built = groups.iter().filter(|(is_built, _)| *is_built).flat_map(|(_, groups)| *groups);
    let mut names: Vec<String> = built
        .flat_map(|(above, names)| {
            names.split(' ').map(move |name| format!("{above} {name}").trim().to_owned())
        })
        .collect();
    if collector && server {
        names.push(String::new());
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    for name in names {
        for (flag, kind) in [("-h", "short"), ("--help", "long")] {
            let run = tamis(&format!("{name} {flag}")).succeeds();
            assert_eq!(run.err, "", "{name} {flag}");
            // What a build lacks is tested elsewhere.
            let help = run.out.replace(NO_PARQUET, "");
            let name = if name.is_empty() { "tamis".to_owned() } else { name.replace(' ', "-") };
            settings.bind(|| insta::assert_snapshot!(format!("help-{name}-{kind}"), help));
        }
    }
}

const NO_PARQUET: &str =
    "This tamis was built without Parquet. To read and write it, build with --features parquet.\n\n";

#[test]
fn help_has_help_and_mistakes_are_errors() {
    for line in ["help --help", "help", "help extract", "help site learn", "--version"] {
        tamis(line).succeeds();
    }
    assert_eq!(tamis("help extract").out, tamis("extract --help").out);
    tamis("help nonsense").fails("`tamis help` lists the commands");
    tamis("tree --no-such-flag").ends(2);
    tamis("no-such-command").ends(2);
}

#[test]
fn completions_and_man_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        tamis(&format!("completions {shell}")).succeeds().prints("fetch-timeout");
    }
    let folder = Folder::new();
    folder.write("man1/other.1", "");
    let run = folder.tamis("man man1").succeeds();
    run.says(&format!("{} man pages", folder.everything("man1").len() - 1));
    let page = folder.read("man1/tamis-extract.1");
    assert!(page.contains("\\-\\-fetch\\-timeout"), "{page}");
    assert!(folder.exists("man1/tamis-site-learn.1"));
}

#[test]
fn old_names_still_work() {
    for line in [
        "extract --page-timeout 5 --jobs 1 --format txt --hidden flag",
        "explain --facts",
        "tree --max-bytes 100000",
    ] {
        tamis(&format!("{line} examples/harbour-news.html")).succeeds();
    }
}
