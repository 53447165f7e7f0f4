//! Decides which addresses may be contacted; the name resolver enforces it.
//!
//! hyper connects to IP literals without using the resolver, so these are checked before every request. Names are
//! checked after resolution, in the resolver, so that a second lookup cannot return another address.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::error::Error;

/// Decides whether an address may be contacted.
pub(crate) type Policy = fn(IpAddr) -> bool;

/// Longest accepted URL, in bytes.
const MAX_URL_BYTES: usize = 8 << 10;

/// Whether an address is globally reachable unicast, according to IANA's special-purpose registries.
///
/// IPv6 addresses that embed an IPv4 address (mapped, NAT64, 6to4) count as that address. IPv4-compatible addresses and
/// Teredo are obsolete and never public.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        (0 | 10 | 127 | 224.., ..) // this network, private, loopback, multicast and reserved
            | (100, 64..=127, _) // carrier-grade NAT
            | (169, 254, _) // link-local, where clouds serve metadata
            | (172, 16..=31, _) // private
            | (192, 0, 0 | 2) // protocol assignments, documentation
            | (192, 88, 99) // 6to4 relays
            | (192, 168, _) // private
            | (198, 18 | 19, _) // benchmarking
            | (198, 51, 100) // documentation
            | (203, 0, 113) // documentation
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0xFFFF, high, low] => embedded(high, low), // IPv4-mapped
        [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => embedded(high, low), // NAT64
        [0x2002, high, low, ..] => embedded(high, low),            // 6to4
        [0x2001, 0..=0x01FF, ..] => false, // protocol assignments: Teredo, benchmarking, ORCHID
        [0x2001, 0x0DB8, ..] | [0x3FFF, 0..=0x0FFF, ..] => false, // documentation
        [first, ..] => first & 0xE000 == 0x2000, // all global unicast is in 2000::/3
    }
}

/// The URL without user name and password.
pub fn without_credentials(url: &Url) -> Url {
    let mut url = url.clone();
    // Fails only for URLs that cannot have credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// Checks a URL as far as possible without resolving its host.
pub(crate) fn check(url: &Url, policy: Policy) -> Result<(), Error> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Error::Scheme(url.scheme().chars().take(32).collect()));
    }
    if url.as_str().len() > MAX_URL_BYTES {
        return Err(Error::Url(format!("longer than {MAX_URL_BYTES} bytes")));
    }
    let address = match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::V4(address),
        Some(Host::Ipv6(address)) => IpAddr::V6(address),
        Some(Host::Domain(_)) => return Ok(()),
        None => return Err(Error::Url("no host".to_owned())),
    };
    if policy(address) {
        Ok(())
    } else {
        Err(Error::Refused { host: url.host_str().unwrap_or_default().to_owned(), address })
    }
}

/// Resolves a name.
pub(crate) type Lookup = fn(String) -> Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// The resolver of the system.
pub(crate) fn system_lookup(
    host: String,
) -> Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>> {
    Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.collect()) })
}

/// A resolver that removes addresses refused by the policy.
pub(crate) struct CheckedResolver {
    pub(crate) policy: Policy,
    pub(crate) lookup: Lookup,
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let CheckedResolver { policy, lookup } = *self;
        Box::pin(async move {
            let host = name.as_str();
            let found = lookup(host.to_owned()).await.map_err(|_| Error::Dns(host.to_owned()))?;
            let admitted = admitted(host, found.into_iter(), policy)?;
            Ok(Box::new(admitted.into_iter()) as Addrs)
        })
    }
}

/// The addresses of a name that may be contacted; an error if none is left.
fn admitted(
    host: &str,
    found: impl Iterator<Item = SocketAddr>,
    policy: Policy,
) -> Result<Vec<SocketAddr>, Error> {
    let (admitted, refused): (Vec<_>, Vec<_>) = found.partition(|found| policy(found.ip()));
    match refused.first() {
        _ if !admitted.is_empty() => Ok(admitted),
        Some(refused) => Err(Error::Refused { host: host.to_owned(), address: refused.ip() }),
        None => Err(Error::Dns(host.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spellings of internal hosts in URLs and redirects. The URL parser converts every numeric form to an address.
    const INTERNAL: &[(&str, &str)] = &[
        (
            "loopback",
            "127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 [::1] [0:0:0:0:0:0:0:1] [0000::0001]",
        ),
        (
            "loopback, as numbers",
            "2130706433 0x7f000001 0x7F.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 00000177.1",
        ),
        ("loopback, other characters", "%31%32%37.0.0.1 １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.①"),
        ("this network", "0 0.0.0.0 0x0 0.1.2.3 [::]"),
        ("private", "10.0.0.1 10.255.255.255 167772161 012.0.0.1 172.16.0.1 172.31.255.255"),
        ("private", "192.168.0.1 192.168.1 0xC0A80001 [fc00::1] [fdff:ffff::1]"),
        ("link-local", "169.254.0.1 [fe80::1] [febf::1] [fec0::1]"),
        (
            "metadata",
            "169.254.169.254 2852039166 0xA9FEA9FE 0251.0376.0251.0376 [fd00:ec2::254] 100.100.100.200",
        ),
        ("carrier-grade NAT", "100.64.0.1 100.127.255.255"),
        ("protocols", "192.0.0.1 192.0.0.192 192.88.99.1 [100::1] [5f00::1] [4000::1]"),
        ("benchmarking", "198.18.0.1 198.19.255.255 [2001:2::1]"),
        ("documentation", "192.0.2.1 198.51.100.1 203.0.113.1 [2001:db8::1] [3fff::1]"),
        ("multicast", "224.0.0.1 239.255.255.250 [ff02::1] [ff0e::1]"),
        ("reserved", "240.0.0.1 255.255.255.255 4294967295"),
        (
            "mapped",
            "[::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [::ffff:0.0.0.0]",
        ),
        ("compatible", "[::127.0.0.1] [::a9fe:a9fe] [::8.8.8.8] [::ffff:0:127.0.0.1]"),
        ("NAT64", "[64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::8.8.8.8]"),
        ("6to4 and Teredo", "[2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:c0a8:1::1] [2001:0:7f00:1::]"),
    ];

    const PUBLIC: &[(&str, &str)] = &[
        ("resolvers", "1.1.1.1 8.8.8.8 134744072 [2606:4700:4700::1111] [2001:4860:4860::8888]"),
        (
            "next to private",
            "9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.0 192.167.255.255 126.255.255.255",
        ),
        ("next to others", "100.63.255.255 100.128.0.0 128.0.0.1 169.253.255.255 192.0.1.1 198.17.255.255"),
        ("next to others", "198.20.0.0 223.255.255.255 [2001:200::1] [3fff:1000::1]"),
        ("embedded", "[::ffff:8.8.8.8] [64:ff9b::8.8.8.8] [2002:808:808::1]"),
    ];

    #[test]
    fn internal_addresses_are_refused_however_they_are_spelled() {
        for (hosts, is_allowed) in [(INTERNAL, false), (PUBLIC, true)] {
            for (kind, host) in
                hosts.iter().flat_map(|(kind, hosts)| hosts.split(' ').map(move |host| (kind, host)))
            {
                let url = Url::parse(&format!("http://{host}:8080/")).unwrap();
                assert!(!matches!(url.host(), Some(Host::Domain(_)) | None), "{host} is not an address");
                assert_eq!(check(&url, is_public).is_ok(), is_allowed, "{kind}: {host}");
                assert_eq!(check(&url, |_| true), Ok(()), "{kind}: {host}");
            }
        }
    }

    #[test]
    fn refused_addresses_of_a_name_are_left_out() {
        let sockets = |addresses: &[&str]| -> Vec<SocketAddr> {
            addresses.iter().map(|address| SocketAddr::new(address.parse().unwrap(), 0)).collect()
        };
        for (found, kept) in [
            (&["10.0.0.1", "8.8.8.8", "::1"][..], &["8.8.8.8"][..]),
            (&["8.8.8.8", "2606:4700::1"], &["8.8.8.8", "2606:4700::1"]),
        ] {
            assert_eq!(admitted("a.example", sockets(found).into_iter(), is_public), Ok(sockets(kept)));
        }
        let refused = admitted("a.example", sockets(&["10.0.0.1", "::1"]).into_iter(), is_public);
        let message = refused.unwrap_err().to_string();
        assert_eq!(message, "host a.example refused: 10.0.0.1 is a private address");
        assert_eq!(admitted("a.example", [].into_iter(), is_public), Err(Error::Dns("a.example".to_owned())));
    }

    #[test]
    fn other_schemes_and_endless_urls_are_refused_even_on_private_networks() {
        for (url, wanted) in [
            ("file:///etc/passwd", "scheme \"file\" is not supported, only http and https"),
            ("ftp://example.com/", "scheme \"ftp\" is not supported, only http and https"),
            ("gopher://127.0.0.1:70/", "scheme \"gopher\" is not supported, only http and https"),
            ("data:text/html,x", "scheme \"data\" is not supported, only http and https"),
            (&format!("http://example.com/{}", "a".repeat(8 << 10)), "invalid URL: longer than 8192 bytes"),
        ] {
            let refused = check(&Url::parse(url).unwrap(), |_| true).unwrap_err();
            assert_eq!(refused.to_string(), wanted, "{url}");
        }
    }

    #[test]
    fn credentials_are_removed_and_nothing_else() {
        let url = Url::parse("https://me:p%40ss@example.com:8080/a@b?c@d").unwrap();
        assert_eq!(without_credentials(&url).as_str(), "https://example.com:8080/a@b?c@d");
    }
}
