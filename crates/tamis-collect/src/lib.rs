//! Polite collector.
