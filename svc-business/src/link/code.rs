//! The code that a person is sent, and proves to have read.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::hex::Hex;
use svc_core::id::TypedId;
use thiserror::Error;

use super::key::{CeremonyKey, OneTimeCode, Salt, equal};

/// How long a code holds.
pub const CODE_LASTS: Duration = Duration::from_mins(10);
/// How long a proof of a signer holds: within this the person signs.
pub const PROOF_LASTS: Duration = Duration::from_mins(30);
/// How long a person waits for another code.
pub const CODE_WAIT: Duration = Duration::from_mins(1);
/// How often a code is tried.
pub const MOST_TRIES: u8 = 5;
/// How many codes a person is sent.
pub const MOST_CODES: u8 = 10;

/// What is known of the codes of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codes {
    /// How many were sent.
    pub sent: u8,
    /// The last one.
    pub last: Option<Code>,
}

/// A code that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// What it was made with.
    pub salt: Salt,
    /// Keyed hash of it.
    pub hash: [u8; 32],
    /// When it was asked for.
    pub at: Timestamp,
    /// How often a wrong one was tried.
    pub tries: u8,
    /// When the person proved to have it.
    pub proved_at: Option<Timestamp>,
}

/// Why a code is not sent, or proves nothing.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum CodeRefused {
    /// The signer needs none.
    #[error("this signer signs without a code")]
    NotNeeded,
    /// One was sent a moment ago.
    #[error("a code was sent a moment ago: wait {seconds} seconds")]
    TooSoon {
        /// So long.
        seconds: u64,
    },
    /// Too many were sent.
    #[error(
        "no more codes are sent to this signer: ask the sender to reassign the signature to the same person"
    )]
    TooMany,
    /// None was sent, it holds no longer, or it was tried too often.
    #[error("the code holds no longer: ask for another one")]
    Over,
    /// It is another one.
    #[error("the code is wrong: {left} tries are left")]
    Wrong {
        /// How often it may be tried.
        left: u8,
    },
    /// The signer has not proved to have one.
    #[error("prove the code that was sent to you first")]
    Needed,
}

impl Code {
    /// The digits; `None` when it was made with another key.
    #[must_use]
    pub fn text(&self, key: &CeremonyKey, of: impl TypedId) -> Option<OneTimeCode> {
        let code = key.one_time_code(of, &self.salt);
        equal(&self.hash, &key.code_hash(of, &self.salt, code.as_str())).then_some(code)
    }
}

impl Codes {
    /// Makes another code.
    ///
    /// # Errors
    /// [`CodeRefused::TooSoon`], [`CodeRefused::TooMany`]
    pub fn request(
        self,
        (key, of, salt): (&CeremonyKey, impl TypedId, Salt),
        now: Timestamp,
    ) -> Result<(Self, OneTimeCode), CodeRefused> {
        if let Some(last) = self.last
            && now < last.at.plus(CODE_WAIT)
        {
            let seconds = last.at.plus(CODE_WAIT).since(now).as_secs().max(1);
            return Err(CodeRefused::TooSoon { seconds });
        }
        if self.sent >= MOST_CODES {
            return Err(CodeRefused::TooMany);
        }
        let code = key.one_time_code(of, &salt);
        let hash = key.code_hash(of, &salt, code.as_str());
        let last = Some(Code { salt, hash, at: now, tries: 0, proved_at: None });
        Ok((Self { sent: self.sent.saturating_add(1), last }, code))
    }

    /// Judges what a person typed; a wrong one counts, so the answer is to be kept in any case.
    pub fn prove(
        self,
        (key, of): (&CeremonyKey, impl TypedId),
        typed: &str,
        now: Timestamp,
    ) -> (Self, Result<(), CodeRefused>) {
        let holds = |code: &Code| {
            code.tries < MOST_TRIES && code.proved_at.is_none() && now < code.at.plus(CODE_LASTS)
        };
        let Some(code) = self.last.filter(holds) else { return (self, Err(CodeRefused::Over)) };
        let typed: String = typed.chars().filter(|letter| !letter.is_whitespace()).take(16).collect();
        if equal(&code.hash, &key.code_hash(of, &code.salt, &typed)) {
            let last = Some(Code { proved_at: Some(now), ..code });
            return (Self { last, ..self }, Ok(()));
        }
        let tries = code.tries.saturating_add(1);
        let last = Some(Code { tries, ..code });
        (Self { last, ..self }, Err(CodeRefused::Wrong { left: MOST_TRIES.saturating_sub(tries) }))
    }

    /// The proof that holds now: a digest of the code, which the evidence keeps.
    ///
    /// # Errors
    /// [`CodeRefused::Needed`]
    pub fn proof(&self, now: Timestamp) -> Result<String, CodeRefused> {
        let proved = self.last.filter(|code| code.proved_at.is_some_and(|at| now < at.plus(PROOF_LASTS)));
        proved.map(|code| Hex(&code.hash).to_string()).ok_or(CodeRefused::Needed)
    }
}
