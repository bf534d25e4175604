//! What one grant leads to: a code, which is exchanged once, and then pairs of tokens, each of which follows from the
//! one before.
//!
//! [`Grant`] and [`Pair`] say what an exchange and a refresh do, and change nothing by themselves: a store puts what they
//! answer in the place of what it has, in one conditional step, so that of many at a time one is the first.

mod pair;

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::{GrantId, TokenId};
use svc_core::mark::Mark;

pub use self::pair::{Pair, PairValues, Refreshed};
use crate::oauth::{CodeChallenge, CodeVerifier, RedirectUri};
use crate::token::{ClientId, Fingerprint};

/// What codes begin with.
pub const CODE_MARK: Mark = Mark::of("mcp_ac_");
/// What access tokens begin with.
pub const ACCESS_MARK: Mark = Mark::of("mcp_at_");
/// What refresh tokens begin with.
pub const REFRESH_MARK: Mark = Mark::of("mcp_rt_");

/// How long a code waits for its exchange.
pub const CODE_LIFE: Duration = Duration::from_mins(1);

/// One grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// The credential that it made: its role, expiry and switch count with each request.
    pub credential: TokenId,
    /// To whom it was given.
    pub client: ClientId,
    /// Where the code was sent.
    pub redirect: RedirectUri,
    /// What the code is bound to.
    pub challenge: CodeChallenge,
    /// What is kept of the code.
    pub code: Fingerprint,
    /// When the code ends.
    pub code_until: Timestamp,
    /// How far it has come.
    pub stage: Stage,
}

/// How far a grant has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The code was not exchanged yet.
    Coded,
    /// There are tokens.
    Exchanged,
    /// It was revoked, or one of its secrets was presented where it must not be: nothing of it counts any more.
    Ended {
        /// When.
        at: Timestamp,
    },
}

/// Why a code or a refresh token is good for nothing. The client is told `invalid_grant` in each case (RFC 6749,
/// section 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Useless {
    /// It is another client's, was sent elsewhere, lacks its proof, or is over. Nothing becomes of it.
    Refused,
    /// It was used before: another client may have it too. The whole grant has to end ([`Grant::ended`]).
    Replayed,
}

/// What a client presents with a code.
#[derive(Clone, Copy, Debug)]
pub struct Presented<'a> {
    /// Who it is.
    pub client: &'a ClientId,
    /// Where it had the code sent; OAuth 2.1 has it left out, since the proof says as much.
    pub redirect: Option<&'a RedirectUri>,
    /// The proof that it asked for the code.
    pub verifier: &'a CodeVerifier,
}

impl Grant {
    /// The grant once its code was exchanged.
    ///
    /// A code without its proof is worth nothing (RFC 7636), so that it may be seen by others: only who has the proof
    /// can be the one to replay it.
    ///
    /// # Errors
    /// [`Useless`].
    pub fn exchange(&self, presented: Presented<'_>, now: Timestamp) -> Result<Self, Useless> {
        let own = self.client == *presented.client
            && presented.redirect.is_none_or(|redirect| *redirect == self.redirect)
            && self.challenge.is_met_by(presented.verifier);
        match self.stage {
            _ if !own => Err(Useless::Refused),
            Stage::Coded if now < self.code_until => Ok(Self { stage: Stage::Exchanged, ..self.clone() }),
            Stage::Coded | Stage::Ended { .. } => Err(Useless::Refused),
            Stage::Exchanged => Err(Useless::Replayed),
        }
    }

    /// The grant once it is over; what is over stays as it is.
    #[must_use]
    pub fn ended(&self, now: Timestamp) -> Self {
        match self.stage {
            Stage::Ended { .. } => self.clone(),
            Stage::Coded | Stage::Exchanged => Self { stage: Stage::Ended { at: now }, ..self.clone() },
        }
    }

    /// Whether its tokens count.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        matches!(self.stage, Stage::Exchanged)
    }
}

#[cfg(test)]
mod tests;
