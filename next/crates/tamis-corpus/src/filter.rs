//! Which stories a search, an export or a count is about.

use crate::database::Param;

/// Conditions on stories; all of them must hold. The default admits every story.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Published, or fetched where no date is known, at this time or later (milliseconds since 1970).
    pub since: Option<i64>,
    /// Published or fetched before this time.
    pub until: Option<i64>,
    /// A language and its regional forms: `zh` admits `zh-CN`.
    pub language: Option<String>,
    /// A host and its subdomains.
    pub host: Option<String>,
    /// The outlet, as the page or its site names it.
    pub source: Option<String>,
    /// The page type.
    pub page_type: Option<String>,
}

/// Conditions of a statement with their parameters. Owns the strings that the parameters borrow.
pub(crate) struct Conditions {
    parts: Vec<(&'static str, Bound)>,
}

enum Bound {
    Integer(i64),
    Text(String),
}

impl Conditions {
    /// Conditions on the table `story` under the name `s`.
    pub(crate) fn new(filter: &Filter) -> Conditions {
        let mut parts = Vec::new();
        // `?` stands for the parameter, once or several times.
        let text = |value: &Option<String>| value.clone().map(Bound::Text);
        let numbered = [
            ("coalesce(s.published_at, s.fetched) >= ?", filter.since.map(Bound::Integer)),
            ("coalesce(s.published_at, s.fetched) < ?", filter.until.map(Bound::Integer)),
            ("(s.language = ? OR substr(s.language, 1, length(?) + 1) = ? || '-')", text(&filter.language)),
            ("(s.host = ? OR s.host LIKE '%.' || ?)", text(&filter.host)),
            ("(s.source = ? OR s.site_name = ?)", text(&filter.source)),
            ("s.page_type = ?", text(&filter.page_type)),
        ];
        for (sql, value) in numbered {
            if let Some(value) = value {
                parts.push((sql, value));
            }
        }
        Conditions { parts }
    }

    /// The conditions, each after an `AND`; parameters are added to those that a statement has already.
    pub(crate) fn append<'a>(&'a self, sql: &mut String, parameters: &mut Vec<Param<'a>>) {
        for (part, value) in &self.parts {
            parameters.push(match value {
                Bound::Integer(number) => Param::Integer(*number),
                Bound::Text(text) => Param::Text(text),
            });
            let kind = if matches!(value, Bound::Integer(_)) { "BIGINT" } else { "TEXT" };
            // PostgreSQL cannot infer the type of a parameter from `length($1)`.
            let parameter = format!("CAST(${} AS {kind})", parameters.len());
            sql.push_str(" AND ");
            sql.push_str(&part.replace('?', &parameter));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}
