//! Hosts that have not shown that they want notifications.
//!
//! A subscriber names any host on the internet. Until one delivery to it was answered 2xx, all that the host has
//! shown is that it is there: it gets a trickle, which is a few attempts at a time, one of each subscription, and a
//! pause after each that failed, however many subscriptions of however many companies name it. Hosts at one address
//! share the trickle, since names cost nothing. A success, of a test too, proves the host and its port for all of its
//! subscriptions; a long row of failures takes the proof back.
//!
//! Addresses of the operator's own network need no proof: deliveries reach them only where the operator exempted them
//! from the guard of the sender.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use url::{Host, Url};

/// Attempts under way to an unproven host, so that one subscription whose path hangs does not hold up the proof.
const AT_A_TIME: u32 = 4;
/// From the failure of an attempt to an unproven host to the next attempt there.
pub const TRICKLE: Duration = Duration::from_secs(1);
/// So many failures of a host in a row, over all of its subscriptions, take its proof back.
const DISPROVEN_BY: u32 = 64;
/// Hosts that are remembered before those to which nothing is under way are forgotten.
const REMEMBERED: usize = 10_000;

/// A host and its port, as URLs write them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Destination(Arc<str>);

impl Destination {
    /// Where requests to this URL go; `None` for an address of the operator's own network.
    pub(super) fn of(url: &Url) -> Option<Self> {
        let own = match url.host()? {
            Host::Ipv4(address) => is_own_network(address.into()),
            Host::Ipv6(address) => is_own_network(address.into()),
            Host::Domain(_) => false,
        };
        let (host, port) = (url.host_str()?, url.port_or_known_default().unwrap_or_default());
        (!own).then(|| Self(format!("{host}:{port}").into()))
    }
}

/// Whether the internet does not lead there: loopback, private (RFC 1918, RFC 4193) and link-local addresses.
fn is_own_network(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

/// What is known of destinations.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    destinations: HashMap<Destination, Known>,
    trickles: HashMap<Place, Trickle>,
}

#[derive(Debug, Default)]
struct Known {
    has_succeeded: bool,
    /// In a row.
    failures: u32,
    /// Where attempts arrived last.
    address: Option<IpAddr>,
    /// Attempts under way that began before there was a proof.
    charged: u32,
}

impl Known {
    fn is_proven(&self) -> bool {
        self.address.is_some_and(is_own_network) || (self.has_succeeded && self.failures < DISPROVEN_BY)
    }
}

/// What shares a trickle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Place {
    Address(IpAddr),
    /// While its address is not known.
    Destination(Destination),
}

#[derive(Clone, Copy, Debug, Default)]
struct Trickle {
    under_way: u32,
    next: Timestamp,
}

impl Proofs {
    /// Whether an attempt may begin there although there is no proof.
    pub(super) fn may_start(&self, destination: &Destination, now: Timestamp) -> bool {
        let trickle = self.trickles.get(&self.place(destination));
        trickle.is_none_or(|trickle| trickle.under_way < AT_A_TIME && trickle.next <= now)
    }

    /// Whether it has answered 2xx, and not failed ever since.
    pub(super) fn is_proven(&self, destination: &Destination) -> bool {
        self.destinations.get(destination).is_some_and(Known::is_proven)
    }

    /// An attempt begins.
    pub(super) fn begin(&mut self, destination: &Destination) {
        if self.is_proven(destination) {
            return;
        }
        let place = self.place(destination);
        self.forget_some();
        self.destinations.entry(destination.clone()).or_default().charged += 1;
        self.trickles.entry(place).or_default().under_way += 1;
    }

    /// An attempt has ended; `peer` is where it arrived, or was tried last.
    pub(super) fn ended(
        &mut self,
        destination: &Destination,
        arrived: bool,
        at: Option<Timestamp>,
        peer: Option<IpAddr>,
    ) {
        let place = self.place(destination);
        let known = self.destinations.entry(destination.clone()).or_default();
        if known.charged > 0 {
            known.charged -= 1;
            if let Some(trickle) = self.trickles.get_mut(&place) {
                trickle.under_way = trickle.under_way.saturating_sub(1);
            }
        }
        // What is under way is charged to the place that was known when it began.
        if known.charged == 0 {
            known.address = peer.or(known.address);
        }
        let Some(at) = at else { return };
        known.has_succeeded |= arrived;
        known.failures = if arrived { 0 } else { known.failures.saturating_add(1) };
        if !known.is_proven() {
            let trickle = self.trickles.entry(self.place(destination)).or_default();
            trickle.next = trickle.next.max(at.plus(TRICKLE));
        }
    }

    /// Another server, or this one before its start, had a success there.
    pub(super) fn prove(&mut self, destination: &Destination) {
        if !self.is_proven(destination) {
            self.destinations.entry(destination.clone()).or_default().has_succeeded = true;
        }
    }

    /// When the first trickle goes on that is paused now.
    pub(super) fn next(&self, now: Timestamp) -> Option<Timestamp> {
        self.trickles.values().map(|trickle| trickle.next).filter(|next| *next > now).min()
    }

    fn place(&self, destination: &Destination) -> Place {
        let address = self.destinations.get(destination).and_then(|known| known.address);
        address.map_or_else(|| Place::Destination(destination.clone()), Place::Address)
    }

    /// What is forgotten comes along with the next delivery, or is learnt again.
    fn forget_some(&mut self) {
        if self.destinations.len() >= REMEMBERED {
            self.destinations.retain(|_, known| known.charged > 0);
        }
        if self.trickles.len() >= REMEMBERED {
            self.trickles.retain(|_, trickle| trickle.under_way > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_unix_seconds(1_000_000);

    fn address(last: u8) -> IpAddr {
        [192, 0, 2, last].into()
    }

    fn destination(url: &str) -> Destination {
        Destination::of(&url.parse().unwrap()).expect("outside")
    }

    #[test]
    fn a_host_without_a_proof_gets_few_attempts_at_a_time_and_pauses() {
        let (mut proofs, host) = (Proofs::default(), destination("https://a.example/x"));
        for _ in 0..AT_A_TIME {
            assert!(proofs.may_start(&host, START));
            proofs.begin(&host);
        }
        assert!(!proofs.may_start(&host, START));
        assert!(proofs.may_start(&destination("https://b.example"), START));
        assert!(proofs.may_start(&destination("https://a.example:8443"), START), "a port of its own");
        proofs.ended(&host, false, Some(START), Some(address(1)));
        assert!(!proofs.may_start(&host, START));
        assert_eq!(proofs.next(START), Some(START.plus(TRICKLE)));
        assert!(proofs.may_start(&host, START.plus(TRICKLE)));
        proofs.begin(&host);
        proofs.ended(&host, true, Some(START), Some(address(1)));
        assert!(proofs.is_proven(&host) && proofs.is_proven(&destination("https://a.example/y")));
    }

    #[test]
    fn names_of_one_address_share_its_trickle_and_no_proof() {
        let mut proofs = Proofs::default();
        let [first, second] = ["https://a.example", "https://b.example"].map(destination);
        for host in [&first, &second] {
            proofs.begin(host);
            proofs.ended(host, false, Some(START), Some(address(7)));
        }
        let later = START.plus(TRICKLE);
        for _ in 0..AT_A_TIME {
            proofs.begin(&first);
        }
        assert!(!proofs.may_start(&second, later));
        proofs.ended(&first, true, Some(later), Some(address(7)));
        assert!(proofs.may_start(&second, later) && !proofs.is_proven(&second));
        proofs.prove(&second);
        assert!(proofs.is_proven(&second), "another server knows better");
    }

    #[test]
    fn a_long_row_of_failures_takes_a_proof_back_until_the_next_success() {
        let (mut proofs, host) = (Proofs::default(), destination("https://a.example"));
        proofs.prove(&host);
        for _ in 1..DISPROVEN_BY {
            proofs.ended(&host, false, Some(START), Some(address(1)));
        }
        proofs.ended(&host, false, None, None);
        assert!(proofs.is_proven(&host), "what was not attempted says nothing");
        proofs.ended(&host, false, Some(START), Some(address(1)));
        proofs.prove(&host);
        assert!(!proofs.is_proven(&host) && !proofs.may_start(&host, START));
        proofs.ended(&host, true, Some(START), Some(address(1)));
        assert!(proofs.is_proven(&host));
    }

    #[test]
    fn the_network_of_the_operator_needs_no_proof() {
        let own = ["http://127.0.0.1:8080", "http://10.1.2.3", "http://[::1]:1", "http://[fd00::1]"];
        assert!(own.iter().all(|url| Destination::of(&url.parse().unwrap()).is_none()));
        let (mut proofs, host) = (Proofs::default(), destination("http://hooks.internal"));
        proofs.begin(&host);
        assert!(!proofs.is_proven(&host), "only the attempt shows where the name leads");
        proofs.ended(&host, false, Some(START), Some([172, 16, 0, 9].into()));
        assert!(proofs.is_proven(&host));
    }
}
