//! The location of a corpus: a file, or the URL of a PostgreSQL server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::error::Error;

/// The location of a corpus. `Display` omits the password.
#[derive(Clone, PartialEq, Eq)]
pub enum Target {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL server.
    Postgres {
        /// The connection URL, password included.
        url: String,
        /// The URL without its password.
        shown: String,
    },
}

impl FromStr for Target {
    type Err = Error;

    /// Reads a path, or a URL that begins with `postgres://` or `postgresql://`.
    fn from_str(target: &str) -> Result<Target, Error> {
        if !target.starts_with("postgres://") && !target.starts_with("postgresql://") {
            if target.contains("://") {
                return Err(Error::Target { target: "another scheme".to_owned() });
            }
            return Ok(Target::Sqlite(PathBuf::from(target)));
        }
        let shown = url::Url::parse(target).map(|mut url| {
            // Passwords may be in the authority or in a parameter.
            let _ = url.set_password(None);
            url.set_query(None);
            url.to_string()
        });
        let shown = shown.map_err(|_| Error::Target { target: "a malformed URL".to_owned() })?;
        Ok(Target::Postgres { url: target.to_owned(), shown })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Sqlite(path) => path.display().fmt(f),
            Target::Postgres { shown, .. } => f.write_str(shown),
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (target, shown) in [
            ("postgres://ada:secret@db.example:5432/news", "postgres://ada@db.example:5432/news"),
            ("postgresql://ada@db.example/news?password=secret", "postgresql://ada@db.example/news"),
            ("corpus.db", "corpus.db"),
        ] {
            let target: Target = target.parse().unwrap();
            assert_eq!(target.to_string(), shown);
            assert!(!format!("{target:?}").contains("secret"));
        }
    }

    #[test]
    fn other_schemes_are_refused() {
        assert!("mysql://localhost/news".parse::<Target>().is_err());
    }
}
