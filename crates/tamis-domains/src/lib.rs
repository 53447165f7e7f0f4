//! Registrable domains by the public suffix list.
//!
//! A crate of its own because `psl` is some eleven thousand inline functions, which every crate that calls it compiles
//! again.
//!
//! ```
//! use tamis_domains::registrable;
//!
//! let domain = registrable("news.example.co.uk").unwrap();
//! assert_eq!((domain.name, domain.is_listed), ("example.co.uk", true));
//! assert_eq!(registrable("co.uk"), None);
//! assert!(!registrable("wiki.intranet").unwrap().is_listed);
//! ```

/// A registrable domain: a public suffix with one label before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registrable<'h> {
    /// The end of the host that is registered.
    pub name: &'h str,
    /// Whether the list has its suffix. Otherwise the last label counts as the suffix.
    pub is_listed: bool,
}

/// The registrable domain of a host in lower case; `None` if the host is a public suffix itself.
#[inline(never)]
pub fn registrable(host: &str) -> Option<Registrable<'_>> {
    let domain = psl::domain(host.as_bytes())?;
    let name = std::str::from_utf8(domain.trim().as_bytes()).ok()?;
    Some(Registrable { name, is_listed: domain.suffix().is_known() })
}
