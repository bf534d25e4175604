//! Who may come in: connections are counted, in all and for each address, and those that are idle make room.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use svc_auth::ip::network;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Limits;
use super::pulse::Pulse;

/// So many connections are looked at to find one that makes room.
const LOOKED_AT: usize = 32;
/// Connections of one address that make room for others of it, in a second: opening connections without end must
/// cost the server no more than refusing them.
const REPLACED: u32 = 32;

/// Counts the connections of one listener.
#[derive(Debug)]
pub(super) struct Door {
    most: usize,
    of_address: usize,
    proxies: Vec<IpNet>,
    inside: Mutex<Inside>,
    left: Notify,
}

#[derive(Debug, Default)]
struct Inside {
    guests: BTreeMap<u64, Guest>,
    of: HashMap<IpAddr, Home>,
    number: u64,
    /// Guests that were asked to leave and have not left yet.
    leaving: usize,
    /// Where the last look for one that makes room ended.
    looked: u64,
}

/// The connections of one address.
#[derive(Debug)]
struct Home {
    guests: Vec<u64>,
    /// A second, and how many have made room in it.
    second: Instant,
    replaced: u32,
}

#[derive(Debug)]
struct Guest {
    home: IpAddr,
    pulse: Arc<Pulse>,
    leave: CancellationToken,
}

/// A connection that was let in; its place is free when this is dropped.
#[derive(Debug)]
pub(super) struct Pass {
    door: Arc<Door>,
    number: u64,
    /// What its requests do.
    pub(super) pulse: Arc<Pulse>,
    /// Asks it to leave: another connection needs the place.
    pub(super) leave: CancellationToken,
}

impl Door {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            most: limits.connections.max(1),
            of_address: limits.of_address.max(1),
            proxies: limits.proxies.clone(),
            inside: Mutex::default(),
            left: Notify::new(),
        })
    }

    /// Waits until there is a place, or a guest that is idle and makes room for the next.
    pub(super) async fn opens(&self) {
        loop {
            let left = self.left.notified();
            {
                let inside = &mut *self.inside();
                if inside.staying() < self.most || inside.make_room() {
                    return;
                }
            }
            left.await;
        }
    }

    /// Lets a connection in, unless its address has too many that are all at work.
    pub(super) fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Pass> {
        let home = network(address);
        let is_proxy = self.proxies.iter().any(|net| net.contains(&address.to_canonical()));
        let inside = &mut *self.inside();
        if !is_proxy && inside.staying_of(home) >= self.of_address && !inside.make_room_of(home) {
            return None;
        }
        inside.number += 1;
        let number = inside.number;
        let (pulse, leave) = (Pulse::new(), CancellationToken::new());
        inside.guests.insert(number, Guest { home, pulse: Arc::clone(&pulse), leave: leave.clone() });
        inside.of.entry(home).or_insert_with(Home::new).guests.push(number);
        Some(Pass { door: Arc::clone(self), number, pulse, leave })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    fn staying(&self) -> usize {
        self.guests.len() - self.leaving
    }

    fn staying_of(&self, home: IpAddr) -> usize {
        let numbers = self.of.get(&home).map(|home| home.guests.as_slice()).unwrap_or_default();
        numbers.iter().filter(|number| !self.is_leaving(**number)).count()
    }

    fn is_leaving(&self, number: u64) -> bool {
        self.guests.get(&number).is_none_or(|guest| guest.leave.is_cancelled())
    }

    /// Asks a guest that is idle to leave, of a few the one that is for longest.
    fn make_room(&mut self) -> bool {
        let from_here = self.guests.range(self.looked..).chain(self.guests.range(..self.looked));
        let seen: Vec<u64> = from_here.take(LOOKED_AT).map(|(number, _)| *number).collect();
        self.looked = seen.last().map_or(0, |last| last + 1);
        self.ask_one_of(&seen)
    }

    fn make_room_of(&mut self, home: IpAddr) -> bool {
        let Some(home) = self.of.get_mut(&home) else { return false };
        if !home.may_replace(Instant::now()) {
            return false;
        }
        let numbers = home.guests.clone();
        self.ask_one_of(&numbers)
    }

    fn ask_one_of(&mut self, numbers: &[u64]) -> bool {
        let idle = numbers.iter().filter_map(|number| {
            let guest = self.guests.get(number).filter(|guest| !guest.leave.is_cancelled())?;
            Some((guest.pulse.idle_since()?, guest))
        });
        let Some((_, guest)) = idle.min_by_key(|(since, _)| *since) else { return false };
        guest.leave.cancel();
        self.leaving += 1;
        true
    }
}

impl Home {
    fn new() -> Self {
        Self { guests: Vec::new(), second: Instant::now(), replaced: 0 }
    }

    /// Whether one more may make room, which then counts.
    fn may_replace(&mut self, now: Instant) -> bool {
        if now.duration_since(self.second) >= Duration::from_secs(1) {
            (self.second, self.replaced) = (now, 0);
        }
        self.replaced += 1;
        self.replaced <= REPLACED
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let inside = &mut *self.door.inside();
        let Some(guest) = inside.guests.remove(&self.number) else { return };
        if guest.leave.is_cancelled() {
            inside.leaving -= 1;
        }
        if let Some(numbers) = inside.of.get_mut(&guest.home) {
            numbers.guests.retain(|number| *number != self.number);
            if numbers.guests.is_empty() {
                inside.of.remove(&guest.home);
            }
        }
        self.door.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door(most: usize, of_address: usize) -> Arc<Door> {
        Door::new(&Limits::default().connections(most).of_address(of_address))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn one_address_makes_room_for_itself_and_for_no_other() {
        let door = door(100, 2);
        let first = door.enter(address("2001:db8::1")).expect("let in");
        let second = door.enter(address("2001:db8::2")).expect("let in");
        let other = door.enter(address("2001:db8:0:1::1")).expect("let in");
        let third = door.enter(address("2001:db8::3")).expect("one that is idle makes room");
        assert!(first.leave.is_cancelled() && !second.leave.is_cancelled() && !other.leave.is_cancelled());
        let _at_work = (second.pulse.request(), third.pulse.request());
        assert!(door.enter(address("2001:db8::4")).is_none(), "none is idle");
        assert!(door.enter(address("2001:db8:0:1::2")).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_replaces_a_few_of_its_connections_in_a_second() {
        let door = door(100, 1);
        let mut passes = vec![door.enter(address("192.0.2.1")).expect("let in")];
        passes.extend((0..100).filter_map(|_| door.enter(address("192.0.2.1"))));
        assert_eq!(passes.len(), 1 + REPLACED as usize);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(door.enter(address("192.0.2.1")).is_some());
    }

    #[test]
    fn a_proxy_stands_for_many() {
        let limits = Limits::default().of_address(1).proxies(vec!["10.0.0.0/8".parse().expect("a network")]);
        let door = Door::new(&limits);
        let passes: Vec<_> = (0..5).filter_map(|_| door.enter(address("::ffff:10.1.2.3"))).collect();
        assert_eq!(passes.len(), 5);
        assert!(passes.iter().all(|pass| !pass.leave.is_cancelled()));
    }

    #[tokio::test]
    async fn a_full_house_waits_for_one_that_is_idle_or_leaves() {
        let door = door(2, 2);
        let one = door.enter(address("192.0.2.1")).expect("let in");
        let other = door.enter(address("192.0.2.2")).expect("let in");
        let (work, also) = (one.pulse.request(), other.pulse.request());
        let mut waiting = Box::pin(door.opens());
        assert!(futures_util::poll!(&mut waiting).is_pending());
        drop(also);
        drop(work);
        drop(other);
        waiting.await;
        door.opens().await;
        let third = door.enter(address("192.0.2.3")).expect("let in");
        assert!(!one.leave.is_cancelled());
        door.opens().await;
        assert!(one.leave.is_cancelled() ^ third.leave.is_cancelled());
    }
}
