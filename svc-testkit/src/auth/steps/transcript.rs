//! What is written down of a history.

use std::collections::BTreeMap;

use svc_core::clock::Timestamp;

/// How a step was answered. Companies are numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// A step that is no use case of tokens.
    Done,
    /// The token with this number was created.
    Created(usize),
    /// The token is at this version now.
    Changed(i64),
    /// There is no such token in the caller's scope.
    NotFound,
    /// The token's state does not allow the step.
    Illegal {
        /// The step.
        step: &'static str,
        /// The state that it met.
        status: &'static str,
    },
    /// API access of this company is off.
    ApiAccessOff(usize),
    /// This company is not administered by the one who would have to.
    NotAdministered(usize),
    /// Nor is the parent company of the group.
    ParentNotAdministered,
    /// The token has another version: this one.
    Version(i64),
    /// Members and codes of broken rules.
    Invalid(Vec<(String, &'static str)>),
}

impl Answer {
    /// The kind of answer, for counts.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Created(_) => "created",
            Self::Changed(_) => "changed",
            Self::NotFound => "not found",
            Self::Illegal { .. } => "illegal",
            Self::ApiAccessOff(_) => "API access off",
            Self::NotAdministered(_) => "not administered",
            Self::ParentNotAdministered => "parent not administered",
            Self::Version(_) => "another version",
            Self::Invalid(_) => "invalid",
        }
    }
}

/// All that can be seen of a token at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name.
    pub name: String,
    /// Its permissions.
    pub permissions: Vec<String>,
    /// Whether it sees personal data.
    pub personal_data: bool,
    /// Where it may be used from.
    pub allowed_ips: Vec<String>,
    /// Its state.
    pub status: &'static str,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// How often it was changed, and once for its creation.
    pub version: i64,
    /// Whether each value that it ever had finds it.
    pub found_by: Vec<bool>,
    /// The companies that it reaches and why, in their order; none when its creator lost the primary account.
    pub reaches: Option<Vec<(usize, &'static str)>>,
}

/// An answer, and what can be seen after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The answer.
    pub answer: Answer,
    /// Each token, in the order of creation.
    pub tokens: Vec<Seen>,
    /// The tokens that each person has on their list.
    pub listed: Vec<Vec<usize>>,
}

/// A history as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// After each step.
    pub moments: Vec<Moment>,
    /// What the audit log of each company says at the end of each token that names it, oldest first; nothing where
    /// the log cannot be read.
    pub logs: Option<Vec<BTreeMap<usize, Vec<&'static str>>>>,
}

impl Transcript {
    /// Where two transcripts part, in words; `None` when they are the same. Logs are compared where both have them.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> Option<String> {
        let moments = self.moments.iter().zip(&other.moments).enumerate();
        for (step, (ours, theirs)) in moments {
            if ours != theirs {
                return Some(format!("after step {step}:\n{ours:#?}\nand\n{theirs:#?}"));
            }
        }
        if self.moments.len() != other.moments.len() {
            return Some(format!("in length: {} and {} steps", self.moments.len(), other.moments.len()));
        }
        let (ours, theirs) = (self.logs.as_ref()?, other.logs.as_ref()?);
        (ours != theirs).then(|| format!("at the end:\n{ours:?}\nand\n{theirs:?}"))
    }
}
