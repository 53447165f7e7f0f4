//! Filters of stories for searches, exports and counts.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::database::Param;

/// Conditions on stories, combined by AND. The default matches every story.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Published at this time or later (milliseconds since 1970); without a date of publication, fetched.
    pub since: Option<i64>,
    /// The same before this time.
    pub until: Option<i64>,
    /// A language and its variants: `zh` matches `zh-CN`.
    pub language: Option<String>,
    /// A host and its subdomains.
    pub host: Option<String>,
    /// The outlet, the name of the site, or the host.
    pub source: Option<String>,
    /// The page type.
    pub page_type: Option<String>,
}

/// Whether a day stands for its start or its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Start of the day, for [`Filter::since`].
    Since,
    /// Start of the next day, for [`Filter::until`].
    Until,
}

impl Bound {
    /// Milliseconds since 1970 of a time such as `2026-11-01T08:00Z`, or of a day such as `2026-11-01` (UTC).
    ///
    /// ```
    /// use tamis_corpus::Bound;
    ///
    /// assert_eq!(Bound::Since.parse("1970-01-02"), Some(86_400_000));
    /// assert_eq!(Bound::Until.parse("1970-01-01"), Some(86_400_000));
    /// assert_eq!(Bound::Until.parse("1970-01-01T01:00+01:00"), Some(0));
    /// assert_eq!(Bound::Since.parse("yesterday"), None);
    /// ```
    pub fn parse(self, text: &str) -> Option<i64> {
        if let Ok(time) = text.parse::<Timestamp>() {
            return Some(time.as_millisecond());
        }
        let day = text.parse::<Date>().ok().filter(|_| !text.contains('T'))?;
        let start = day.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond();
        Some(start + if self == Bound::Until { 86_400_000 } else { 0 })
    }
}

/// SQL conditions, owning the strings that their parameters borrow.
pub(crate) struct Conditions {
    parts: Vec<(&'static str, Operand)>,
}

enum Operand {
    Integer(i64),
    Text(String),
}

impl Conditions {
    /// Conditions on the table `story` with the alias `s`.
    pub(crate) fn new(filter: &Filter) -> Conditions {
        let mut parts = Vec::new();
        // `?` is a placeholder for the parameter and may occur several times.
        let text = |value: &Option<String>| value.clone().map(Operand::Text);
        let numbered = [
            ("coalesce(s.published_at, s.fetched) >= ?", filter.since.map(Operand::Integer)),
            ("coalesce(s.published_at, s.fetched) < ?", filter.until.map(Operand::Integer)),
            ("(s.language = ? OR substr(s.language, 1, length(?) + 1) = ? || '-')", text(&filter.language)),
            ("(s.host = ? OR s.host LIKE '%.' || ?)", text(&filter.host)),
            ("(s.source = ? OR s.site_name = ? OR s.host = ?)", text(&filter.source)),
            ("s.page_type = ?", text(&filter.page_type)),
        ];
        for (sql, value) in numbered {
            if let Some(value) = value {
                parts.push((sql, value));
            }
        }
        Conditions { parts }
    }

    /// Appends the conditions, each after an `AND`, and their parameters.
    pub(crate) fn append<'a>(&'a self, sql: &mut String, parameters: &mut Vec<Param<'a>>) {
        for (part, value) in &self.parts {
            parameters.push(match value {
                Operand::Integer(number) => Param::Integer(*number),
                Operand::Text(text) => Param::Text(text),
            });
            let kind = if matches!(value, Operand::Integer(_)) { "BIGINT" } else { "TEXT" };
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
