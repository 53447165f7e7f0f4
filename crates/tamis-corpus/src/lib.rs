//! A corpus of stories in SQLite or PostgreSQL.
