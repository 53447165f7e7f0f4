//! Placeholder until the decoding lands.
