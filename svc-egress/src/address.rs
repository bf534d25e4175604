//! Which addresses belong to the public internet.
//!
//! Sources: the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and
//! its successors), and for addresses that carry an IPv4 address inside them the
//! RFC that defines the form. Where a registry has small exceptions within a
//! special block (anycast services, mostly), the whole block is refused: no
//! receiver of webhooks lives there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Why an address is not public; `None` for a public one.
///
/// An IPv6 address that leads to an IPv4 one (NAT64, ISATAP) is as public as what
/// it leads to. Tunnels that carry no webhooks any more (6to4, Teredo) are
/// refused whole.
///
/// ```
/// use svc_egress::address::why_not_public;
///
/// assert_eq!(why_not_public("169.254.169.254".parse().unwrap()), Some("link-local"));
/// assert_eq!(why_not_public("64:ff9b::7f00:1".parse().unwrap()), Some("loopback"));
/// assert_eq!(why_not_public("1.1.1.1".parse().unwrap()), None);
/// ```
#[must_use]
pub fn why_not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => why_not_public_v4(address),
        IpAddr::V6(address) => why_not_public_v6(address),
    }
}

fn why_not_public_v4(address: Ipv4Addr) -> Option<&'static str> {
    SPECIAL_V4.iter().find(|(block, _)| block.contains(&address)).map(|(_, reason)| *reason)
}

fn why_not_public_v6(address: Ipv6Addr) -> Option<&'static str> {
    if let Some((_, reason)) = SPECIAL_V6.iter().find(|(block, _)| block.contains(&address)) {
        return Some(reason);
    }
    // Outside of both, nothing is assigned: what is not known to be public is refused.
    if !GLOBAL_UNICAST.contains(&address) && !NAT64.contains(&address) {
        return Some("reserved");
    }
    embedded_v4(address).and_then(why_not_public_v4)
}

/// The IPv4 address to which packets for this IPv6 address are carried.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [.., mark_high, mark_low, high, low] = address.segments();
    let last = Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    if NAT64.contains(&address) {
        return Some(last);
    }
    // ISATAP (RFC 5214, 6.1) marks the interface identifier, under any prefix.
    // The bits "universal" and "group" say nothing about where it leads.
    let is_isatap = (mark_high & !0x0300, mark_low) == (0, 0x5efe);
    is_isatap.then_some(last)
}

/// What IANA has opened for global unicast (RFC 4291, 2.4).
const GLOBAL_UNICAST: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);
/// NAT64 well-known prefix (RFC 6052).
const NAT64: Ipv6Net = v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96);

/// The first block that contains the address gives the reason.
const SPECIAL_V4: &[(Ipv4Net, &str)] = &[
    (v4([0, 0, 0, 0], 32), "unspecified"),
    (v4([0, 0, 0, 0], 8), "this network"),
    (v4([10, 0, 0, 0], 8), "private"),
    (v4([100, 64, 0, 0], 10), "shared"),
    (v4([127, 0, 0, 0], 8), "loopback"),
    // Reached from every virtual machine of Azure: its metadata and agent services.
    (v4([168, 63, 129, 16], 32), "cloud platform"),
    (v4([169, 254, 0, 0], 16), "link-local"),
    (v4([172, 16, 0, 0], 12), "private"),
    (v4([192, 0, 0, 0], 24), "protocol assignment"),
    (v4([192, 0, 2, 0], 24), "documentation"),
    (v4([192, 88, 99, 0], 24), "6to4 relay"),
    (v4([192, 168, 0, 0], 16), "private"),
    (v4([198, 18, 0, 0], 15), "benchmarking"),
    (v4([198, 51, 100, 0], 24), "documentation"),
    (v4([203, 0, 113, 0], 24), "documentation"),
    (v4([224, 0, 0, 0], 4), "multicast"),
    (v4([255, 255, 255, 255], 32), "broadcast"),
    (v4([240, 0, 0, 0], 4), "reserved"),
];

/// The first block that contains the address gives the reason.
const SPECIAL_V6: &[(Ipv6Net, &str)] = &[
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 128), "unspecified"),
    (v6([0, 0, 0, 0, 0, 0, 0, 1], 128), "loopback"),
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 96), "IPv4-compatible"),
    (v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96), "IPv4-mapped"),
    (v6([0, 0, 0, 0, 0xffff, 0, 0, 0], 96), "IPv4-translated"),
    (v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48), "local NAT64"),
    (v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64), "discard"),
    (v6([0x100, 0, 0, 1, 0, 0, 0, 0], 64), "dummy"),
    (v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32), "Teredo"),
    (v6([0x2001, 2, 0, 0, 0, 0, 0, 0], 48), "benchmarking"),
    (v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23), "protocol assignment"),
    (v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), "documentation"),
    // Packets for these are carried to an IPv4 address, by relays of which few are left (RFC 7526).
    (v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16), "6to4"),
    (v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), "documentation"),
    (v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16), "segment routing"),
    (v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7), "private"),
    (v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10), "link-local"),
    (v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10), "site-local"),
    (v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8), "multicast"),
];

const fn v4([a, b, c, d]: [u8; 4], length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(segments: [u16; 8], length: u8) -> Ipv6Net {
    let [first, second, third, fourth, fifth, sixth, seventh, eighth] = segments;
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, third, fourth, fifth, sixth, seventh, eighth), length)
}
