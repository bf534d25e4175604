//! The states of an approval, and what leads from one to the other.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ApprovalId, TokenId, UserId};

use super::CallDigest;

/// How long an approval waits: for the decision, for its use, and afterwards for the same call once more.
pub const LIFE: Duration = Duration::from_mins(5);

/// One call that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Its id.
    pub id: ApprovalId,
    /// The company that the call is about.
    pub company: AccountId,
    /// Who decides: the person that the credential acts for.
    pub person: UserId,
    /// The credential that calls.
    pub credential: TokenId,
    /// The tool that it calls.
    pub tool: String,
    /// All that the call says.
    pub call: CallDigest,
    /// What the person is shown of it.
    pub shown: Vec<Shown>,
    /// How far it has come.
    pub stage: Stage,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// When it ends.
    pub until: Timestamp,
}

/// One line of what the person is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What it says, as a member of the API is named: `customerName`, `totals.total`.
    pub name: String,
    /// The value as text, as the credential may see it.
    pub value: String,
}

/// How far an approval has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The person has not decided.
    Asked,
    /// The call may be made.
    Approved,
    /// The call may not be made.
    Declined,
    /// The call was let through.
    Used,
}

svc_core::wire_names!(Stage {
    Asked = "asked",
    Approved = "approved",
    Declined = "declined",
    Used = "used",
});

/// Why an approval does not take a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has ended: the call has to ask anew.
    Ended,
    /// It is at a stage that does not lead there.
    At(Stage),
}

/// What a use leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Used {
    /// The first one: this takes the place of the stored approval.
    First(Approval),
    /// The same call again: nothing is written.
    Again,
}

impl Approval {
    /// Whether it has not ended.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.until
    }

    /// The same once its person has decided in the client area. What was approved can be declined until it is used.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn decided(&self, approves: bool, now: Timestamp) -> Result<Self, Refusal> {
        match (self.live_stage(now)?, approves) {
            (Stage::Asked, true) => Ok(self.at(Stage::Approved, now)),
            (Stage::Asked | Stage::Approved, false) => Ok(self.at(Stage::Declined, now)),
            (stage @ (Stage::Approved | Stage::Declined | Stage::Used), _) => Err(Refusal::At(stage)),
        }
    }

    /// The same at its end: its call has to ask anew.
    #[must_use]
    pub fn ended(&self, now: Timestamp) -> Self {
        Self { until: self.until.min(now), ..self.clone() }
    }

    /// The use of what the person has approved.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn used(&self, now: Timestamp) -> Result<Used, Refusal> {
        match self.live_stage(now)? {
            Stage::Approved => Ok(Used::First(self.at(Stage::Used, now))),
            Stage::Used => Ok(Used::Again),
            stage @ (Stage::Asked | Stage::Declined) => Err(Refusal::At(stage)),
        }
    }

    /// The use of what the person accepts in the client with this very call.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn accepted(&self, now: Timestamp) -> Result<Used, Refusal> {
        match self.live_stage(now)? {
            Stage::Asked => Ok(Used::First(self.at(Stage::Used, now))),
            Stage::Approved | Stage::Used | Stage::Declined => self.used(now),
        }
    }

    fn live_stage(&self, now: Timestamp) -> Result<Stage, Refusal> {
        if self.is_live(now) { Ok(self.stage) } else { Err(Refusal::Ended) }
    }

    fn at(&self, stage: Stage, now: Timestamp) -> Self {
        Self { stage, until: now.plus(LIFE), ..self.clone() }
    }
}
