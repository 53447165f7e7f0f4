//! The table of URL parameters in `data/url-parameters.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../../data/url-parameters.tsv");

/// The purpose of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Tracking,
    Session,
    Print,
    Amp,
}

impl Kind {
    fn of(name: &str) -> Option<Kind> {
        match name {
            "tracking" => Some(Kind::Tracking),
            "session" => Some(Kind::Session),
            "print" => Some(Kind::Print),
            "amp" => Some(Kind::Amp),
            _ => None,
        }
    }

    /// Whether a value enables the copy: `print=1`, `amp`, `print=print`. Tracking and session parameters accept any
    /// value.
    fn accepts(self, value: &str) -> bool {
        match self {
            Kind::Tracking | Kind::Session => true,
            Kind::Print => matches!(value, "" | "1" | "true" | "yes" | "y" | "on" | "print"),
            Kind::Amp => matches!(value, "" | "1" | "true" | "yes" | "y" | "on" | "amp"),
        }
    }

    fn is_named_by(self, value: &str) -> bool {
        match self {
            Kind::Print => value == "print",
            Kind::Amp => value == "amp",
            Kind::Tracking | Kind::Session => false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Exact,
    Token,
    Value,
}

#[derive(Default)]
struct Table {
    exact: HashMap<&'static str, Vec<(Kind, Rule)>>,
    prefixes: Vec<(&'static str, Kind)>,
}

static PARAMETERS: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for (kind, name, rule) in rows() {
        let Some(kind) = Kind::of(kind) else { continue };
        let rule = match rule {
            "prefix" => {
                table.prefixes.push((name, kind));
                continue;
            }
            "token" => Rule::Token,
            "value" => Rule::Value,
            _ => Rule::Exact,
        };
        table.exact.entry(name).or_default().push((kind, rule));
    }
    table
});

fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(|line| {
        let mut cells = line.split('\t');
        Some((cells.next()?, cells.next()?, cells.next()?))
    })
}

/// Whether a parameter (`name=value`) is of a kind.
pub(super) fn is(parameter: &str, kind: Kind) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let (name, value) = (name.to_ascii_lowercase(), value.to_ascii_lowercase());
    let rules = PARAMETERS.exact.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
    let by_name = rules.iter().any(|(of, rule)| {
        *of == kind
            && match rule {
                Rule::Exact => kind.accepts(&value),
                Rule::Token => is_token(&value),
                Rule::Value => kind.is_named_by(&value),
            }
    });
    by_name || PARAMETERS.prefixes.iter().any(|(prefix, of)| *of == kind && name.starts_with(prefix))
}

fn is_token(value: &str) -> bool {
    value.len() >= 16
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_known_cells_and_a_lower_case_name() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(rows().count() + 1, lines);
        for (kind, name, rule) in rows() {
            assert!(Kind::of(kind).is_some(), "{name}: unknown kind {kind}");
            assert!(["exact", "prefix", "token", "value"].contains(&rule), "{name}: unknown match {rule}");
            assert_eq!(name, name.to_ascii_lowercase());
        }
    }
}
