//! The address rules against the registries themselves, kept as data, and what is refused beyond them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use proptest::prelude::*;
use svc_egress::IpNet;
use svc_egress::address::why_not_public;

/// Blocks that are refused although no registry of special purposes says so, or with the small
/// exceptions that it makes within them.
const BEYOND: &[&str] = &[
    // Whole, with the anycast services in it.
    "192.0.0.0/24",
    "2001::/23",
    // The platform of Azure, as its machines see it.
    "168.63.129.16/32",
    // Multicast (RFC 5771 and RFC 4291).
    "224.0.0.0/4",
    "ff00::/8",
    // IPv4-compatible (RFC 4291), IPv4-translated (RFC 2765), site-local (RFC 3879).
    "::/96",
    "::ffff:0:0:0/96",
    "fec0::/10",
];

/// A block and whether the world can reach it.
type Row = (IpNet, bool);

/// Both registries.
static REGISTRY: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = concat!(include_str!("../special-ipv4.csv"), include_str!("../special-ipv6.csv")).lines();
    let rows = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let mut columns = line.split(',');
        let block = columns.next().unwrap().parse().unwrap();
        (
            block,
            match columns.next() {
                Some("yes") => true,
                Some("no" | "-") => false,
                other => panic!("{other:?} in {line}"),
            },
        )
    });
    rows.collect()
});

static BEYOND_BLOCKS: LazyLock<Vec<IpNet>> =
    LazyLock::new(|| BEYOND.iter().map(|text| text.parse().unwrap()).collect());

/// All blocks that have a rule of their own.
static BLOCKS: LazyLock<Vec<IpNet>> =
    LazyLock::new(|| REGISTRY.iter().map(|(block, _)| *block).chain(BEYOND_BLOCKS.iter().copied()).collect());

/// What the smallest block of the registries that holds an address says, and what is refused beyond.
fn listed(address: IpAddr) -> bool {
    let rows = REGISTRY.iter().filter(|(block, _)| block.contains(&address));
    let smallest = rows.max_by_key(|(block, _)| block.prefix_len());
    smallest.is_some_and(|(_, reachable)| !reachable)
        || BEYOND_BLOCKS.iter().any(|block| block.contains(&address))
}

/// Whether an address should be refused, by other means than the rules use.
fn refused(address: IpAddr) -> bool {
    let IpAddr::V6(v6) = address else { return listed(address) };
    let bits = v6.to_bits();
    let inner = IpAddr::V4(Ipv4Addr::from_bits(u32::try_from(bits & 0xffff_ffff).unwrap()));
    let nat64 = bits >> 32 == 0x0064_ff9b << 64;
    let isatap = (bits >> 32) & 0xfcff_ffff == 0x5efe;
    let global_unicast = bits >> 125 == 1;
    listed(address) || !(global_unicast || nat64) || (nat64 || isatap) && listed(inner)
}

/// The first and the last address of the block of this length around an address, and their neighbours.
fn edges(address: IpAddr, length: u8) -> Vec<IpAddr> {
    let block = IpNet::new(address, length).unwrap();
    match (block.network(), block.broadcast()) {
        (IpAddr::V4(first), IpAddr::V4(last)) => {
            let (first, last) = (first.to_bits(), last.to_bits());
            let all = [Some(first), Some(last), first.checked_sub(1), last.checked_add(1)];
            all.into_iter().flatten().map(|bits| Ipv4Addr::from_bits(bits).into()).collect()
        }
        (IpAddr::V6(first), IpAddr::V6(last)) => {
            let (first, last) = (first.to_bits(), last.to_bits());
            let all = [Some(first), Some(last), first.checked_sub(1), last.checked_add(1)];
            all.into_iter().flatten().map(|bits| Ipv6Addr::from_bits(bits).into()).collect()
        }
        (first, last) => unreachable!("{first} {last}"),
    }
}

fn v6(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn the_rules_agree_with_the_registries_at_every_boundary_of_every_length_around_each_special_block() {
    let mut judged = 0_u32;
    for block in BLOCKS.iter() {
        for end in [block.network(), block.broadcast()] {
            for length in 1..=block.max_prefix_len() {
                for address in edges(end, length) {
                    assert_eq!(why_not_public(address).is_some(), refused(address), "{address}");
                    judged += 1;
                }
            }
        }
    }
    println!("addresses at boundaries of {} blocks: {judged} judged, 0 against the registries", BLOCKS.len());
}

#[test]
fn the_rules_agree_with_the_registries_at_both_ends_of_every_16_bit_block_of_ipv4() {
    // Nothing smaller than this begins or ends but at the boundaries that are judged one by one.
    for high in 0..=u32::from(u16::MAX) {
        for low in [0, 0x4321, u32::from(u16::MAX)] {
            let address = Ipv4Addr::from_bits(high << 16 | low).into();
            assert_eq!(why_not_public(address).is_some(), refused(address), "{address}");
        }
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
        ("100:0:0:1::1", "dummy"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "Teredo"),
        ("2001:2::1", "benchmarking"),
        ("2001:20::1", "protocol assignment"),
        ("2001:db8::1", "documentation"),
        ("2002:7f00:1::1", "6to4"),
        ("2002:808:808::1", "6to4"),
        ("3fff:fff::1", "documentation"),
        ("4000::1", "reserved"),
        ("5f00::1", "segment routing"),
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
        "2a00:1450::5efe:8.8.8.8",
    ] {
        assert_eq!(why_not_public(address.parse().unwrap()), None, "{address}");
    }
}

/// An address within a block, or anywhere near it.
fn near(block: IpNet, bits: u128, length: u8) -> IpAddr {
    let keep = u32::from(block.prefix_len().saturating_sub(length));
    match block.network() {
        IpAddr::V4(first) => {
            let mask = u32::MAX.checked_shr(keep).unwrap_or(0);
            Ipv4Addr::from_bits(first.to_bits() & !mask | u32::try_from(bits >> 96).unwrap() & mask).into()
        }
        IpAddr::V6(first) => {
            let mask = u128::MAX.checked_shr(keep).unwrap_or(0);
            Ipv6Addr::from_bits(first.to_bits() & !mask | bits & mask).into()
        }
    }
}

proptest! {
    #[test]
    fn an_address_in_or_near_a_special_block_is_refused_as_the_registries_say(
        block in 0..BLOCKS.len(),
        bits: u128,
        length in 0_u8..=16,
    ) {
        let address = near(BLOCKS[block], bits, length);
        prop_assert_eq!(why_not_public(address).is_some(), refused(address), "{}", address);
    }

    #[test]
    fn any_address_is_refused_as_the_registries_say(four: u32, six: u128) {
        for address in [Ipv4Addr::from_bits(four).into(), Ipv6Addr::from_bits(six).into()] {
            prop_assert_eq!(why_not_public(address).is_some(), refused(address), "{}", address);
        }
    }

    #[test]
    fn isatap_is_seen_under_any_global_prefix(prefix in 0x2000_0000_0000_0000_u64..0x4000_0000_0000_0000, four: u32) {
        for mark in [0x0000_5efe_u128, 0x0200_5efe, 0x0100_5efe, 0x0300_5efe] {
            let address = Ipv6Addr::from_bits(u128::from(prefix) << 64 | mark << 32 | u128::from(four)).into();
            let inner = Ipv4Addr::from_bits(four).into();
            prop_assert_eq!(why_not_public(address).is_some(), listed(address) || listed(inner), "{}", address);
        }
    }

    #[test]
    fn a_form_that_leads_to_an_ipv4_address_is_judged_by_it(block in 0..BLOCKS.len(), bits: u128, length in 0_u8..=16) {
        let IpAddr::V4(inner) = near(BLOCKS[block], bits, length) else { return Ok(()) };
        for outer in [
            format!("64:ff9b::{inner}"),
            format!("2606:4700::5efe:{inner}"),
            format!("2606:4700::200:5efe:{inner}"),
        ] {
            prop_assert_eq!(why_not_public(v6(&outer)), why_not_public(inner.into()), "{}", outer);
        }
        let (high, low) = (inner.to_bits() >> 16, inner.to_bits() & 0xffff);
        for outer in [
            format!("::{inner}"),
            format!("::ffff:{inner}"),
            format!("::ffff:0:{inner}"),
            format!("64:ff9b:1::{inner}"),
            format!("2002:{high:x}:{low:x}::1"),
            format!("2001:0:{high:x}:{low:x}::1"),
        ] {
            prop_assert!(why_not_public(v6(&outer)).is_some(), "{}", outer);
        }
    }
}
