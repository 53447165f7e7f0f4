//! A small web on loopback.
