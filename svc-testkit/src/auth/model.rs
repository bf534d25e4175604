//! The life of a token as a table, to be compared with the real one.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

use proptest::prelude::*;
use svc_auth::ip::AllowedIps;
use svc_auth::token::{Fingerprint, Lifecycle, Status, Token};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TokenId, TypedId, UserId};
use svc_core::permission::Grants;
use svc_core::resource::Version;
use uuid::Uuid;

/// A move of a token's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenStep {
    /// Switch off.
    Disable,
    /// Switch on.
    Enable,
    /// Stop for ever.
    Revoke,
    /// Give a new value.
    Rotate,
}

/// Where the modelled token is; expiry is worked out from the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelState {
    /// Switched on.
    On,
    /// Switched off.
    Off,
    /// Stopped for ever.
    Gone,
}

/// The reference: the table of the specification, part 3.1, read row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenModel {
    /// Where it is.
    pub state: ModelState,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// How many moves were made.
    pub moves: i64,
    /// How often the value was replaced.
    pub rotations: u32,
}

impl TokenModel {
    /// A token that was just created.
    #[must_use]
    pub fn new(expires_at: Option<Timestamp>) -> Self {
        Self { state: ModelState::On, expires_at, moves: 0, rotations: 0 }
    }

    /// Makes a move; `false`, and nothing changed, when the table has no row for it.
    pub fn step(&mut self, step: TokenStep, now: Timestamp) -> bool {
        let expired = self.expires_at.is_some_and(|expiry| now >= expiry);
        let next = match (self.state, step, expired) {
            (ModelState::On, TokenStep::Disable, false) => ModelState::Off,
            (ModelState::Off, TokenStep::Enable, false) | (ModelState::On, TokenStep::Rotate, false) => {
                ModelState::On
            }
            (ModelState::On, TokenStep::Revoke, false) | (ModelState::Off, TokenStep::Revoke, _) => {
                ModelState::Gone
            }
            (ModelState::On | ModelState::Off | ModelState::Gone, _, _) => return false,
        };
        self.state = next;
        self.moves += 1;
        self.rotations += u32::from(step == TokenStep::Rotate);
        true
    }

    /// Whether what it is called and may do can be changed: while it works, and while it is switched off.
    #[must_use]
    pub fn can_be_updated(&self, now: Timestamp) -> bool {
        matches!(self.status(now), Status::Active | Status::Disabled)
    }

    /// Changes what it is called or may do; `false`, and nothing changed, when that cannot be.
    pub fn update(&mut self, now: Timestamp) -> bool {
        let can = self.can_be_updated(now);
        self.moves += i64::from(can);
        can
    }

    /// The state at `now`, as the API names it.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> Status {
        match (self.state, self.expires_at) {
            (ModelState::Gone, _) => Status::Revoked,
            (ModelState::Off, _) => Status::Disabled,
            (ModelState::On, Some(expiry)) if now >= expiry => Status::Expired,
            (ModelState::On, _) => Status::Active,
        }
    }
}

/// A life: an optional expiry in seconds after creation, and moves with the time before each.
pub fn token_life(moves: Range<usize>) -> impl Strategy<Value = (Option<u64>, Vec<(Duration, TokenStep)>)> {
    let step = prop_oneof![
        3 => Just(TokenStep::Disable),
        3 => Just(TokenStep::Enable),
        1 => Just(TokenStep::Revoke),
        3 => Just(TokenStep::Rotate),
    ];
    let wait = (0_u64..100).prop_map(Duration::from_secs);
    (prop::option::of(0_u64..400), prop::collection::vec((wait, step), moves))
}

/// A Full token that was never used; `number` makes its id, fingerprint and instant of creation.
#[must_use]
pub fn token(number: u128, creator: UserId, primary: AccountId) -> Token {
    let mut digest = [0; 32];
    digest[..16].copy_from_slice(&number.to_be_bytes());
    Token {
        id: TokenId::from_uuid(Uuid::from_u128(number)),
        name: format!("token {number}"),
        prefix: format!("svc_live_{:03}", number % 1_000),
        connection: None,
        fingerprint: Fingerprint { pepper: 1, digest },
        grants: Grants::parse(["full"]).expect("a level"),
        allowed_ips: AllowedIps::default(),
        personal_data: false,
        primary,
        companies: BTreeSet::new(),
        groups: BTreeSet::new(),
        lifecycle: Lifecycle::Active,
        expires_at: None,
        last_used_at: None,
        last_used_from: None,
        created_by: Some(creator),
        created_at: Timestamp::from_unix_seconds(i64::try_from(number % 1_000_000).unwrap_or(0)),
        version: Version::FIRST,
    }
}
