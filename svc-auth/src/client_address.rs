//! Which address a request comes from, when proxies stand in front
//! (specification, part 5.4).

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;

use crate::ip;

/// Whether the other end of a connection is one of our own proxies, whose word counts.
#[must_use]
pub fn is_trusted(peer: IpAddr, trusted: &[IpNet]) -> bool {
    ip::lists(trusted, peer)
}

/// The address of the client; `None` when a trusted proxy tells nothing usable,
/// which fails every list of allowed addresses.
///
/// `peer` is the other end of the connection, `forwarded` are the lines of the
/// one configured header (`X-Forwarded-For` in form) in the order in which they
/// came, `trusted` the ranges of our own proxies.
///
/// Every client can send the header, so it counts only from a trusted peer, and then
/// from the right: each proxy appends the address that it saw. The first hop
/// that is not one of ours is the client; what stands left of it was
/// written by the client and is never looked at. A proxy that does not send the
/// header at all does not speak for itself: its address counts for no client.
#[must_use]
pub fn client_address(peer: IpAddr, forwarded: &[&str], trusted: &[IpNet]) -> Option<IpAddr> {
    let mut client = peer.to_canonical();
    if forwarded.is_empty() && is_trusted(client, trusted) {
        return None;
    }
    for hop in forwarded.iter().rev().flat_map(|line| line.rsplit(',')) {
        if !is_trusted(client, trusted) {
            break;
        }
        client = address(hop.trim())?;
    }
    Some(client)
}

/// Reads `203.0.113.7`, `203.0.113.7:4711`, `2001:db8::7`, `[2001:db8::7]` or `[2001:db8::7]:4711`.
fn address(hop: &str) -> Option<IpAddr> {
    let bare =
        hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|bare| bare.contains(':'));
    let address = bare.unwrap_or(hop).parse().or_else(|_| hop.parse().map(|socket: SocketAddr| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: [&str; 2] = ["10.0.0.0/8", "2001:db8:f::/48"];

    fn client(peer: &str, forwarded: &[&str]) -> Option<String> {
        let trusted = OURS.map(|range| range.parse().expect("a range"));
        client_address(peer.parse().expect("an address"), forwarded, &trusted).map(|found| found.to_string())
    }

    #[test]
    fn a_peer_that_is_not_trusted_is_the_client_and_its_header_does_not_count() {
        assert_eq!(client("203.0.113.7", &["198.51.100.1", "10.0.0.1"]).as_deref(), Some("203.0.113.7"));
        assert_eq!(client("::ffff:203.0.113.7", &[]).as_deref(), Some("203.0.113.7"));
    }

    #[test]
    fn the_first_untrusted_hop_from_the_right_is_the_client() {
        let spoofed = ["1.1.1.1, 198.51.100.1 ,10.0.0.9", "10.0.0.8"];
        assert_eq!(client("10.0.0.1", &spoofed).as_deref(), Some("198.51.100.1"));
        let lines = ["198.51.100.66", "203.0.113.5, 10.0.0.9"];
        assert_eq!(client("10.0.0.1", &lines).as_deref(), Some("203.0.113.5"));
        assert_eq!(client("2001:db8:f::1", &["2001:db8::7"]).as_deref(), Some("2001:db8::7"));
    }

    #[test]
    fn junk_counts_only_where_it_is_reached_and_then_nothing_is_known() {
        assert_eq!(client("10.0.0.1", &["junk, 198.51.100.1"]).as_deref(), Some("198.51.100.1"));
        for header in
            ["198.51.100.1, junk", "198.51.100.1, unknown, 10.0.0.9", "198.51.100.1,", "", "_hidden"]
        {
            assert_eq!(client("10.0.0.1", &[header]), None, "{header}");
        }
    }

    #[test]
    fn when_every_hop_is_ours_the_left_most_is_the_client() {
        assert_eq!(client("10.0.0.1", &["10.0.0.3, 10.0.0.2"]).as_deref(), Some("10.0.0.3"));
    }

    #[test]
    fn a_trusted_proxy_without_the_header_leaves_the_client_unknown() {
        assert_eq!(client("10.0.0.1", &[]), None);
        assert_eq!(client("::ffff:10.0.0.1", &[]), None);
    }

    #[test]
    fn ports_brackets_and_mapped_addresses_are_read() {
        for hop in ["198.51.100.1:4711", "::ffff:198.51.100.1", "[::ffff:198.51.100.1]:80"] {
            assert_eq!(client("::ffff:10.0.0.1", &[hop]).as_deref(), Some("198.51.100.1"), "{hop}");
        }
        for hop in ["2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:443"] {
            assert_eq!(client("10.0.0.1", &[hop]).as_deref(), Some("2001:db8::7"), "{hop}");
        }
        assert_eq!(client("10.0.0.1", &["[198.51.100.1]"]), None);
    }
}
