//! Allowed addresses of a token (specification, part 5.4).

use std::net::{IpAddr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net};
use thiserror::Error;

/// Addresses and CIDR ranges that a token may be used from; empty means anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedIps(Vec<IpNet>);

/// The text is neither an address nor a CIDR range.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("neither an IP address nor a CIDR range such as 203.0.113.0/24")]
pub struct AllowedIpError(pub String);

impl AllowedIps {
    /// Reads addresses and ranges; IPv4-mapped IPv6 counts as IPv4. Host bits
    /// of a range are cleared, repeated ranges are kept once.
    ///
    /// # Errors
    /// The first text that is neither.
    pub fn parse<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Result<Self, AllowedIpError> {
        let mut ranges = Vec::new();
        for text in texts {
            let range = range(text.as_ref()).ok_or_else(|| AllowedIpError(text.as_ref().to_owned()))?;
            if !ranges.contains(&range) {
                ranges.push(range);
            }
        }
        Ok(Self(ranges))
    }

    /// Whether a request from `source` may go on; an unknown source fails a non-empty list.
    #[must_use]
    pub fn allow(&self, source: Option<IpAddr>) -> bool {
        self.0.is_empty() || source.is_some_and(|source| lists(&self.0, source))
    }

    /// The ranges, in canonical form: a single address without a prefix length.
    #[must_use]
    pub fn written(&self) -> Vec<String> {
        let single = |range: &IpNet| range.prefix_len() == range.max_prefix_len();
        let written =
            |range: &IpNet| if single(range) { range.addr().to_string() } else { range.to_string() };
        self.0.iter().map(written).collect()
    }

    /// Whether any source is allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether one of the ranges contains `address`, an IPv4-mapped one counting as IPv4.
pub(crate) fn lists(ranges: &[IpNet], address: IpAddr) -> bool {
    let address = address.to_canonical();
    ranges.iter().any(|range| unmapped(*range).contains(&address))
}

/// The part of an address that one customer has: an IPv4 address itself, the /64 of an IPv6 address.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        whole @ IpAddr::V4(_) => whole,
        IpAddr::V6(long) => Ipv6Addr::from_bits(long.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// The widest part of an IPv6 address that one customer usually has, its /48; an IPv4 address has none.
#[must_use]
pub(crate) fn wide_network(address: IpAddr) -> Option<IpAddr> {
    match address.to_canonical() {
        IpAddr::V4(_) => None,
        IpAddr::V6(long) => Some(Ipv6Addr::from_bits(long.to_bits() & (u128::MAX << 80)).into()),
    }
}

fn range(text: &str) -> Option<IpNet> {
    let range = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).ok()?;
    Some(unmapped(range).trunc())
}

/// A range within `::ffff:0:0/96` as the IPv4 range that it stands for; any other one as it is.
fn unmapped(range: IpNet) -> IpNet {
    let IpNet::V6(wide) = range else { return range };
    let narrow = wide.addr().to_ipv4_mapped().zip(wide.prefix_len().checked_sub(96));
    narrow.and_then(|(address, prefix)| Ipv4Net::new(address, prefix).ok()).map_or(range, IpNet::V4)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::*;

    fn allowed(texts: &[&str], source: &str) -> bool {
        let source = source.parse().expect("an address");
        AllowedIps::parse(texts).expect("valid").allow(Some(source))
    }

    #[test]
    fn addresses_and_ranges_of_both_families_are_matched() {
        assert!(allowed(&["203.0.113.7"], "203.0.113.7"));
        assert!(!allowed(&["203.0.113.7"], "203.0.113.8"));
        assert!(allowed(&["10.0.0.0/8", "203.0.113.0/24"], "203.0.113.255"));
        assert!(!allowed(&["203.0.113.0/24"], "203.0.114.0"));
        assert!(allowed(&["2001:db8::/32"], "2001:db8:ffff::1"));
        assert!(!allowed(&["2001:db8::/32"], "2001:db9::1"));
        assert!(!allowed(&["0.0.0.0/0"], "2001:db8::1"));
    }

    #[test]
    fn ipv4_mapped_ipv6_counts_as_ipv4_on_both_sides() {
        assert!(allowed(&["203.0.113.0/24"], "::ffff:203.0.113.9"));
        assert!(allowed(&["::ffff:203.0.113.9"], "203.0.113.9"));
        assert!(allowed(&["::ffff:203.0.113.0/120"], "203.0.113.9"));
        assert!(!allowed(&["::ffff:203.0.113.0/120"], "203.0.114.9"));
        assert!(!allowed(&["::/0"], "::ffff:203.0.113.9"));
    }

    #[test]
    fn an_unknown_source_passes_only_an_empty_list() {
        assert!(AllowedIps::default().allow(None));
        assert!(!AllowedIps::parse(["0.0.0.0/0", "::/0"]).expect("valid").allow(None));
    }

    #[test]
    fn the_canonical_form_has_no_host_bits_and_no_repeats() {
        let texts =
            ["203.0.113.9/24", "203.0.113.0/24", "198.51.100.4/32", "2001:DB8::1", "::ffff:10.1.2.3/104"];
        let written = AllowedIps::parse(texts).expect("valid").written();
        assert_eq!(written, ["203.0.113.0/24", "198.51.100.4", "2001:db8::1", "10.0.0.0/8"]);
    }

    #[test]
    fn a_network_is_an_ipv4_address_or_the_64_of_an_ipv6_address() {
        let of = |text: &str| network(text.parse().expect("an address")).to_string();
        assert_eq!(of("203.0.113.7"), "203.0.113.7");
        assert_eq!(of("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("2001:db8:1:2:ffff:ffff:ffff:ffff"), "2001:db8:1:2::");
        assert_ne!(of("2001:db8:1:3::"), of("2001:db8:1:2::"));
    }

    #[test]
    fn a_wide_network_is_the_48_of_an_ipv6_address() {
        let of = |text: &str| wide_network(text.parse().expect("an address")).map(|wide| wide.to_string());
        assert_eq!(of("2001:db8:1:2:3:4:5:6").as_deref(), Some("2001:db8:1::"));
        assert_eq!(of("2001:db8:1:ffff::").as_deref(), Some("2001:db8:1::"));
        assert_eq!(of("203.0.113.7").or(of("::ffff:203.0.113.7")), None);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "localhost",
            "203.0.113.0/33",
            "203.0.113",
            "203.0.113.07",
            "::1%eth0",
            "[::1]",
            " ::1",
            "1.2.3.4:80",
        ] {
            assert_eq!(AllowedIps::parse([text]), Err(AllowedIpError(text.to_owned())));
        }
    }

    proptest! {
        #[test]
        fn a_list_survives_its_written_form(
            v4 in prop::collection::vec((any::<[u8; 4]>(), 0_u8..=32), 0..5),
            v6 in prop::collection::vec((any::<[u8; 16]>(), 0_u8..=128), 0..5),
        ) {
            let v4 = v4.into_iter().map(|(bytes, length)| format!("{}/{length}", Ipv4Addr::from(bytes)));
            let v6 = v6.into_iter().map(|(bytes, length)| format!("{}/{length}", Ipv6Addr::from(bytes)));
            let list = AllowedIps::parse(v4.chain(v6)).expect("valid");
            prop_assert_eq!(AllowedIps::parse(list.written()), Ok(list));
        }
    }
}
