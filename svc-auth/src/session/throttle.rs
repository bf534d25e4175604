//! Slows down clients that guess passwords, and no others.
//!
//! What each part does:
//!
//! 1. A failed attempt to sign in is counted by the e-mail address together with
//!    the network that it came from, by the network, and by the e-mail address.
//!    A network is an IPv4 address or the /64 of an IPv6 one, which one customer
//!    has at least; IPv6 counts by the /48 as well, which one customer has at
//!    most. Only keyed hashes are stored.
//! 2. The first few attempts of each count are free ([`Throttle`]). After them
//!    every failure doubles the wait before the next attempt, from one minute to
//!    fifteen. A time of silence, and the count starts again: fifteen minutes
//!    for networks, a day for what names an e-mail address, so that pausing gains
//!    no guesses.
//! 3. An attempt is charged before its password is looked at, so that many at
//!    once do not all meet an old count: the pair first, then the networks, and
//!    only who passes there reaches the e-mail address. One that comes too early
//!    is refused and leaves no charge: knocking locks no person out for longer.
//! 4. Success forgets the failures of the pair, and takes back the charges of
//!    networks and e-mail address: an office that signs in through one address
//!    in the morning is no attack, and a person with a password of their own
//!    cannot wash a network clean. An attempt that the hasher was too busy for
//!    takes back every charge: a flood of others must not lock a person out.
//!
//! A guesser in one network uses up the pair and the network, which are
//! its own: a person elsewhere does not notice for the best part of a day. The
//! e-mail address alone counts against guesses from many networks; one hundred
//! failures, and the person waits as well, wherever they are. Behind one address
//! with the one who guesses, a person waits with them.
//!
//! Codes of a second factor are counted by the person with the network, and by the person: who gives one knows the
//! password already.
//!
//! Links that reset a password are counted by the e-mail address that they are asked for, and by the network.
//!
//! Sources that are not known are one network together: a server whose proxy
//! tells no address would otherwise have no limit at all. It has a higher
//! allowance, because all clients share it.
//!
//! A person that is signed in and changes the password is counted by the session and by
//! nothing else, and [`change_password`](super::change_password) ends the one in
//! which too many were wrong: a stolen session is no place to guess the password,
//! and its failures delay the person neither in another session nor when they
//! sign in, nor the other way round.

#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SessionId, UserId};

use crate::ip;
use crate::ports::{Failures, SignInAttempts, ThrottleKey};
use crate::token::Peppers;

/// The first wait.
const FIRST_WAIT: Duration = Duration::from_mins(1);
/// No wait is longer.
const LONGEST_WAIT: Duration = Duration::from_mins(15);

/// How many failures are free, and how long they count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throttle {
    /// How many attempts may fail before the next one has to wait.
    pub free: u32,
    /// Failures count no more when the last one is older than this; no wait is longer.
    pub window: Duration,
}

impl Throttle {
    /// No failure of any count is kept for longer.
    pub const LONGEST_WINDOW: Duration = Duration::from_hours(24);
    /// Of one e-mail address from one network.
    pub const PAIR: Self = Self { free: 5, window: Self::LONGEST_WINDOW };
    /// Of one network.
    pub const NETWORK: Self = Self { free: 20, window: LONGEST_WAIT };
    /// Of one /48 of IPv6, which may be one customer or many.
    pub const WIDE_NETWORK: Self = Self { free: 60, window: LONGEST_WAIT };
    /// Of all sources together that are not known.
    pub const UNKNOWN_NETWORK: Self = Self { free: 200, window: LONGEST_WAIT };
    /// Of one e-mail address, from wherever.
    pub const EMAIL: Self = Self { free: 100, window: Self::LONGEST_WINDOW };
    /// Of the codes of one person, from wherever: three of a million are right at an instant, so a guesser who knows
    /// the password has one chance in some thousands a day.
    pub const CODE: Self = Self { free: 20, window: Self::LONGEST_WINDOW };
    /// Of the links that reset the password of one e-mail address, from wherever: each is a mail.
    pub const RESET: Self = Self { free: 3, window: Self::LONGEST_WINDOW };
    /// Of one session in which the password is changed, or a device enrolled.
    pub const PASSWORD_CHANGE: Self = Self { free: 5, window: Self::LONGEST_WINDOW };

    /// How long the next attempt has to wait from `now`; zero when it may come.
    #[must_use]
    pub fn wait(self, failures: Failures, now: Timestamp) -> Duration {
        let Some(beyond) = failures.count.checked_sub(self.free) else { return Duration::ZERO };
        let doubled = 2_u32.checked_pow(beyond).and_then(|times| FIRST_WAIT.checked_mul(times));
        doubled
            .map_or(LONGEST_WAIT, |wait| wait.min(LONGEST_WAIT))
            .saturating_sub(now.since(failures.last_at))
    }
}

/// One of the counts of an attempt.
#[derive(Clone, Copy)]
struct Count {
    key: ThrottleKey,
    throttle: Throttle,
}

impl Count {
    /// Text for another purpose has another key, even when it is the same.
    fn of(peppers: &Peppers, purpose: &'static str, text: &str, throttle: Throttle) -> Self {
        Self { key: ThrottleKey(peppers.keyed(purpose, text)), throttle }
    }
}

/// What one attempt is counted by.
pub(super) struct Attempt {
    /// Who acts: success forgets it.
    own: Count,
    /// What they have in common with others: success takes back its own charge alone.
    shared: Vec<Count>,
}

/// Why an attempt is not looked at.
pub(super) enum Halt {
    Wait(Duration),
    Store(StoreError),
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Attempt {
    /// A person signs in with this e-mail address, in lower case.
    pub(super) fn sign_in(peppers: &Peppers, email: &str, from: Option<IpAddr>) -> Self {
        let network = network(from);
        let wide = from.and_then(ip::wide_network).map(|wide| wide.to_string());
        let of_network = if from.is_some() { Throttle::NETWORK } else { Throttle::UNKNOWN_NETWORK };
        let count = |purpose, text: &str, throttle| Count::of(peppers, purpose, text, throttle);
        let wide = wide.map(|wide| count("svc/throttle/wide-network/v1", &wide, Throttle::WIDE_NETWORK));
        let network_alone = count("svc/throttle/network/v1", &network, of_network);
        let email_alone = count("svc/throttle/email/v1", email, Throttle::EMAIL);
        Self {
            // No network has a space in it: no two pairs have one text.
            own: count("svc/throttle/pair/v1", &format!("{network} {email}"), Throttle::PAIR),
            shared: std::iter::once(network_alone).chain(wide).chain([email_alone]).collect(),
        }
    }

    /// A link is asked for that resets the password of this e-mail address, in lower case.
    pub(super) fn reset(peppers: &Peppers, email: &str, from: Option<IpAddr>) -> Self {
        let of_network = if from.is_some() { Throttle::NETWORK } else { Throttle::UNKNOWN_NETWORK };
        let network = Count::of(peppers, "svc/throttle/reset-network/v1", &network(from), of_network);
        let own = Count::of(peppers, "svc/throttle/reset/v1", email, Throttle::RESET);
        Self { own, shared: vec![network] }
    }

    /// A person whose password was right gives a code.
    pub(super) fn second_factor(peppers: &Peppers, user: UserId, from: Option<IpAddr>) -> Self {
        let pair = format!("{} {user}", network(from));
        let own = Count::of(peppers, "svc/throttle/code-pair/v1", &pair, Throttle::PAIR);
        let of_person = Count::of(peppers, "svc/throttle/code/v1", &user.to_string(), Throttle::CODE);
        Self { own, shared: vec![of_person] }
    }

    /// A person changes the password in this session.
    pub(super) fn password_change(peppers: &Peppers, session: SessionId) -> Self {
        Self::in_session(peppers, "svc/throttle/password-change/v2", session)
    }

    fn in_session(peppers: &Peppers, purpose: &'static str, session: SessionId) -> Self {
        let own = Count::of(peppers, purpose, &session.to_string(), Throttle::PASSWORD_CHANGE);
        Self { own, shared: Vec::new() }
    }

    /// A person gives the first code of a device in this session.
    pub(super) fn enrolment(peppers: &Peppers, session: SessionId) -> Self {
        Self::in_session(peppers, "svc/throttle/enrolment/v1", session)
    }

    /// Counts the attempt, unless it comes too early; answers the how many-th of its own it is.
    pub(super) async fn charge(&self, attempts: &dyn SignInAttempts, now: Timestamp) -> Result<u32, Halt> {
        let every = self.counts();
        early(&every, &attempts.failures(&keys(&every)).await?, now)?;
        let mut charged = Vec::new();
        let mut own = None;
        let window = |one: &Count, next: &Count| one.throttle.window == next.throttle.window;
        for counts in std::iter::once(std::slice::from_ref(&self.own)).chain(self.shared.chunk_by(window)) {
            charged.extend(keys(counts));
            // Others may have been charged in between: what was there before this one decides.
            let forget_before =
                now.minus(counts.first().map_or(Duration::ZERO, |count| count.throttle.window));
            let before = attempts.charge(&keys(counts), forget_before, now).await?;
            if let Err(halt) = early(counts, &before, now) {
                attempts.give_back(&charged).await?;
                return Err(halt);
            }
            let of_own = || before.first().filter(|failures| failures.last_at >= forget_before);
            own.get_or_insert_with(|| of_own().map_or(0, |failures| failures.count));
        }
        Ok(own.unwrap_or_default().saturating_add(1))
    }

    /// Takes the attempt out of the counts: it did not fail.
    pub(super) async fn passed(&self, attempts: &dyn SignInAttempts) -> Result<(), StoreError> {
        attempts.clear(&[self.own.key]).await?;
        if self.shared.is_empty() { Ok(()) } else { attempts.give_back(&keys(&self.shared)).await }
    }

    /// The same after a commit whose outcome its caller alone can tell: that a count stays too high is the smaller harm.
    pub(super) async fn passed_for_good(&self, attempts: &dyn SignInAttempts) {
        if let Err(error) = self.passed(attempts).await {
            tracing::warn!(%error, "the failed attempts of a person who came through were not forgotten");
        }
    }

    /// Takes the attempt out of the counts: its password was not compared.
    pub(super) async fn unseen(&self, attempts: &dyn SignInAttempts) -> Result<(), StoreError> {
        attempts.give_back(&keys(&self.counts())).await
    }

    fn counts(&self) -> Vec<Count> {
        std::iter::once(self.own).chain(self.shared.iter().copied()).collect()
    }
}

fn keys(counts: &[Count]) -> Vec<ThrottleKey> {
    counts.iter().map(|count| count.key).collect()
}

/// Refuses what comes before the longest wait of its counts is over.
fn early(counts: &[Count], known: &[Failures], now: Timestamp) -> Result<(), Halt> {
    let waits = known.iter().zip(counts).map(|(failures, count)| count.throttle.wait(*failures, now));
    match waits.max() {
        Some(wait) if wait > Duration::ZERO => Err(Halt::Wait(wait)),
        Some(_) | None => Ok(()),
    }
}

/// The network of an address; sources that are not known are one.
fn network(from: Option<IpAddr>) -> String {
    from.map_or_else(|| "unknown".to_owned(), |address| ip::network(address).to_string())
}
