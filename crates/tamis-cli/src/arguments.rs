//! The command line before clap sees it: the default command, and spellings of earlier versions.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, ColorChoice, Command, CommandFactory, FromArgMatches};

use crate::Tamis;

pub(crate) fn parse(arguments: Vec<OsString>) -> Tamis {
    let command = without_empty_variables(Tamis::command());
    let arguments = completed(arguments, |name| {
        command.get_subcommands().any(|it| it.get_name() == name || it.get_all_aliases().any(|it| it == name))
    });
    let matches = command.color(color(&arguments)).get_matches_from(arguments);
    Tamis::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// An environment variable that is empty counts as unset.
fn without_empty_variables(command: Command) -> Command {
    let is_empty = |arg: &Arg| arg.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
    let command = command.mut_args(|arg| if is_empty(&arg) { arg.env(None::<&str>) } else { arg });
    command.mut_subcommands(without_empty_variables)
}

/// `--color` must be known before clap reports an error or prints help.
fn color(arguments: &[OsString]) -> ColorChoice {
    let texts: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let after = |place: usize| texts.get(place + 1).map(|text| text.to_string());
    let given = texts.iter().enumerate().rev().find_map(|(place, text)| match text.strip_prefix("--color") {
        Some("") => after(place),
        Some(value) => value.strip_prefix('=').map(str::to_owned),
        None => None,
    });
    match given.as_deref() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// Inserts `extract` where the first word is a page and not a command, and drops the value that `--learn` once had.
fn completed(mut arguments: Vec<OsString>, is_command: impl Fn(&str) -> bool) -> Vec<OsString> {
    if let Some(place) = arguments.windows(2).position(|two| two[0] == "--learn" && two[1] == "two-pass") {
        arguments.remove(place + 1);
    }
    let mut place = 1;
    while let Some(argument) = arguments.get(place) {
        match argument.to_string_lossy().as_ref() {
            "-q" | "--quiet" | "-v" | "--verbose" | "--no-progress" => place += 1,
            "--color" => place += 2,
            text if text.starts_with("--color=") => place += 1,
            "-h" | "--help" | "-V" | "--version" => break,
            word if is_command(word) => break,
            // A typing error of a command, which clap reports with a suggestion.
            word if is_bare_word(word) && !Path::new(word).exists() => break,
            _ => {
                arguments.insert(place, "extract".into());
                break;
            }
        }
    }
    arguments
}

fn is_bare_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_extracted_without_a_command() {
        for (line, wanted) in [
            ("tamis page.html", "tamis extract page.html"),
            ("tamis https://e.com/", "tamis extract https://e.com/"),
            ("tamis -q --color never -", "tamis -q --color never extract -"),
            ("tamis -f json page.html", "tamis extract -f json page.html"),
            ("tamis batch pages/ --learn two-pass -o x", "tamis batch pages/ --learn -o x"),
            ("tamis --color=always tree page.html", "tamis --color=always tree page.html"),
            ("tamis extrct", "tamis extrct"),
            ("tamis --help", "tamis --help"),
            ("tamis", "tamis"),
        ] {
            let arguments = line.split(' ').map(OsString::from).collect();
            let completed = completed(arguments, |name| ["batch", "tree"].contains(&name));
            assert_eq!(completed.join(std::ffi::OsStr::new(" ")), wanted, "{line}");
        }
    }
}
