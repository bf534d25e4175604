//! An access token and the refresh token that came with it.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::GrantId;
use svc_core::random::RandomSource;

use super::{ACCESS_MARK, Grant, REFRESH_MARK, Useless};
use crate::token::{ClientId, Fingerprint, Peppers, TokenValue};

/// How long an access token counts.
const ACCESS_LIFE: Duration = Duration::from_hours(1);
/// How long a refresh token waits for its use.
const REFRESH_LIFE: Duration = Duration::from_hours(30 * 24);
/// So long after its first use a refresh token has the same answer: a client that lost the answer asks again.
const AGAIN: Duration = Duration::from_mins(1);

/// What is kept of two tokens that were given together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The grant that they follow from.
    pub grant: GrantId,
    /// Of the access token.
    pub access: Fingerprint,
    /// When the access token ends.
    pub access_until: Timestamp,
    /// Of the refresh token.
    pub refresh: Fingerprint,
    /// When the refresh token ends.
    pub refresh_until: Timestamp,
    /// When the refresh token was used for the pair that follows.
    pub refreshed_at: Option<Timestamp>,
}

/// The two tokens in clear text: in the answer to the client and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairValues {
    /// For requests.
    pub access: TokenValue,
    /// For the pair that follows.
    pub refresh: TokenValue,
}

/// What a refresh leads to: in both cases the values that follow ([`PairValues::after`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refreshed {
    /// The first use: [`Pair::used`] takes the place of the pair, and the one that follows is added.
    First,
    /// Once more within a minute: nothing is written.
    Again,
}

impl PairValues {
    /// New ones.
    pub fn generate(random: &dyn RandomSource) -> Self {
        let value = |mark| TokenValue::generate_marked(mark, random);
        Self { access: value(ACCESS_MARK), refresh: value(REFRESH_MARK) }
    }

    /// Those that follow from a refresh token that was found by this fingerprint: always the same, and known to none
    /// but the service, since they are its keyed hashes. `None` when the pepper of the fingerprint is gone.
    #[must_use]
    pub fn after(refresh: &TokenValue, found: Fingerprint, peppers: &Peppers) -> Option<Self> {
        let derived = |purpose| peppers.derived(found.pepper, purpose, refresh);
        let access = TokenValue::of_bits(ACCESS_MARK, &derived("svc/oauth/access/v1")?);
        Some(Self { access, refresh: TokenValue::of_bits(REFRESH_MARK, &derived("svc/oauth/refresh/v1")?) })
    }
}

impl Pair {
    /// What is kept of these values. None of them outlives the credential.
    #[must_use]
    pub fn of(
        grant: GrantId,
        values: &PairValues,
        peppers: &Peppers,
        credential_until: Option<Timestamp>,
        now: Timestamp,
    ) -> Self {
        let until = |life| credential_until.map_or(now.plus(life), |end| end.min(now.plus(life)));
        Self {
            grant,
            access: peppers.fingerprint(&values.access),
            access_until: until(ACCESS_LIFE),
            refresh: peppers.fingerprint(&values.refresh),
            refresh_until: until(REFRESH_LIFE),
            refreshed_at: None,
        }
    }

    /// What becomes of it when this client presents its refresh token.
    ///
    /// The credential counts too, before this: while it is switched off, nothing is asked here, and nothing is used up.
    ///
    /// # Errors
    /// [`Useless`].
    pub fn refresh(&self, grant: &Grant, client: &ClientId, now: Timestamp) -> Result<Refreshed, Useless> {
        if grant.client != *client || !grant.is_live() {
            return Err(Useless::Refused);
        }
        match self.refreshed_at {
            Some(first) if now < first.plus(AGAIN) => Ok(Refreshed::Again),
            Some(_) => Err(Useless::Replayed),
            None if now < self.refresh_until => Ok(Refreshed::First),
            None => Err(Useless::Refused),
        }
    }

    /// The same, once its refresh token was used.
    #[must_use]
    pub fn used(&self, now: Timestamp) -> Self {
        Self { refreshed_at: Some(now), ..self.clone() }
    }

    /// Whether its access token counts, as far as the token goes: the grant and the credential count too.
    #[must_use]
    pub fn is_access_live(&self, now: Timestamp) -> bool {
        now < self.access_until
    }
}
