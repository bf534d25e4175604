//! The address rules against a second list of the registries, written on its own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;
use svc_egress::IpNet;
use svc_egress::address::why_not_public;

/// IANA's IPv4 special-purpose registry without what is globally reachable,
/// with multicast and Azure's platform address.
const SPECIAL_V4: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
];

const SPECIAL_V6: &[&str] = &[
    "::/96",
    "::ffff:0:0/96",
    "::ffff:0:0:0/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
];

fn blocks(list: &[&str]) -> Vec<IpNet> {
    list.iter().map(|text| text.parse().unwrap()).collect()
}

fn v4_is_special(address: Ipv4Addr) -> bool {
    blocks(SPECIAL_V4).iter().any(|block| block.contains(&IpAddr::V4(address)))
}

fn v6(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn both_ends_of_every_special_block_are_refused_and_their_neighbours_judged_alone() {
    for block in blocks(SPECIAL_V4) {
        let (IpAddr::V4(first), IpAddr::V4(last)) = (block.network(), block.broadcast()) else {
            unreachable!()
        };
        assert!(why_not_public(first.into()).is_some(), "{first}");
        assert!(why_not_public(last.into()).is_some(), "{last}");
        let neighbours = [first.to_bits().checked_sub(1), last.to_bits().checked_add(1)];
        for neighbour in neighbours.into_iter().flatten().map(Ipv4Addr::from_bits) {
            assert_eq!(why_not_public(neighbour.into()).is_some(), v4_is_special(neighbour), "{neighbour}");
        }
    }
    for block in blocks(SPECIAL_V6) {
        assert!(why_not_public(block.network()).is_some(), "{block}");
        assert!(why_not_public(block.broadcast()).is_some(), "{block}");
    }
}

#[test]
fn the_reason_names_the_kind_of_address() {
    for (address, reason) in [
        ("0.0.0.0", "unspecified"),
        ("0.1.2.3", "this network"),
        ("10.1.2.3", "private"),
        ("100.100.100.200", "shared"),
        ("127.0.0.1", "loopback"),
        ("168.63.129.16", "cloud platform"),
        ("169.254.169.254", "link-local"),
        ("192.0.0.192", "protocol assignment"),
        ("192.0.2.1", "documentation"),
        ("198.19.255.255", "benchmarking"),
        ("239.1.2.3", "multicast"),
        ("240.0.0.1", "reserved"),
        ("255.255.255.255", "broadcast"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::8.8.8.8", "IPv4-compatible"),
        ("::ffff:8.8.8.8", "IPv4-mapped"),
        ("::ffff:0:8.8.8.8", "IPv4-translated"),
        ("64:ff9b::10.0.0.1", "private"),
        ("64:ff9b:1::8.8.8.8", "local NAT64"),
        ("100::1", "discard"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "Teredo"),
        ("2001:2::1", "benchmarking"),
        ("2001:20::1", "protocol assignment"),
        ("2001:db8::1", "documentation"),
        ("2002:7f00:1::1", "loopback"),
        ("3fff:fff::1", "documentation"),
        ("4000::1", "reserved"),
        ("fd00:ec2::254", "private"),
        ("fe80::1", "link-local"),
        ("fec0::1", "site-local"),
        ("ff02::1", "multicast"),
        ("2a00:1450::5efe:169.254.169.254", "link-local"),
        ("2a00:1450::200:5efe:127.0.0.1", "loopback"),
    ] {
        assert_eq!(why_not_public(address.parse().unwrap()), Some(reason), "{address}");
    }
}

#[test]
fn well_known_public_addresses_pass() {
    for address in [
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "172.32.0.0",
        "223.255.255.255",
        "2606:4700:4700::1111",
        "2001:4860:4860::8888",
        "2001:200::1",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
        "2a00:1450::5efe:8.8.8.8",
    ] {
        assert_eq!(why_not_public(address.parse().unwrap()), None, "{address}");
    }
}

proptest! {
    #[test]
    fn an_ipv4_address_is_refused_exactly_when_a_special_block_holds_it(bits: u32) {
        let address = Ipv4Addr::from_bits(bits);
        prop_assert_eq!(why_not_public(address.into()).is_some(), v4_is_special(address));
    }

    #[test]
    fn every_address_within_a_special_ipv4_block_is_refused(block in 0..SPECIAL_V4.len(), bits: u32) {
        let block: ipnet::Ipv4Net = SPECIAL_V4[block].parse().unwrap();
        let address = Ipv4Addr::from_bits(block.network().to_bits() | (bits & block.hostmask().to_bits()));
        prop_assert!(why_not_public(address.into()).is_some(), "{address}");
    }

    #[test]
    fn every_address_within_a_special_ipv6_block_is_refused(block in 0..SPECIAL_V6.len(), bits: u128) {
        let block: ipnet::Ipv6Net = SPECIAL_V6[block].parse().unwrap();
        let address = Ipv6Addr::from_bits(block.network().to_bits() | (bits & block.hostmask().to_bits()));
        prop_assert!(why_not_public(address.into()).is_some(), "{address}");
    }

    #[test]
    fn a_form_that_leads_to_an_ipv4_address_is_judged_by_it(
        bits: u32,
        special in any::<bool>(),
        block in 0..SPECIAL_V4.len(),
    ) {
        let block: ipnet::Ipv4Net = SPECIAL_V4[block].parse().unwrap();
        let bits = if special { block.network().to_bits() | (bits & block.hostmask().to_bits()) } else { bits };
        let inner = Ipv4Addr::from_bits(bits);
        let (high, low) = (bits >> 16, bits & 0xffff);
        for outer in [
            format!("64:ff9b::{inner}"),
            format!("2002:{high:x}:{low:x}::1"),
            format!("2606:4700::5efe:{inner}"),
            format!("2606:4700::200:5efe:{inner}"),
        ] {
            prop_assert_eq!(why_not_public(v6(&outer)), why_not_public(inner.into()), "{}", outer);
        }
        for outer in [format!("::{inner}"), format!("::ffff:{inner}"), format!("::ffff:0:{inner}")] {
            prop_assert!(why_not_public(v6(&outer)).is_some(), "{}", outer);
        }
    }

    #[test]
    fn a_public_ipv6_address_is_global_unicast_or_nat64(bits: u128) {
        let address = Ipv6Addr::from_bits(bits);
        if why_not_public(address.into()).is_none() {
            prop_assert!(bits >> 125 == 1 || bits >> 32 == 0x0064_ff9b << 64, "{address}");
        }
    }

    #[test]
    fn an_ordinary_global_ipv6_address_passes(bits in 0x2400u128 << 112..0x3ffeu128 << 112) {
        let isatap = (bits >> 32) & 0xfcff_ffff == 0x5efe;
        prop_assume!(!isatap);
        prop_assert_eq!(why_not_public(Ipv6Addr::from_bits(bits).into()), None);
    }
}
