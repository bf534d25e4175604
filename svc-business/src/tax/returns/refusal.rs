//! Why a verb on a return is refused.

use svc_core::id::TaxReturnId;
use svc_core::refused::Refused;
use svc_tax_forms::{ComputeError, Model};
use thiserror::Error;
use time::Date;

use super::{ReturnStatus, WarningCode};
use crate::books::bookkeeping::BooksRefused;
use crate::books::default_accounts::MissingAccount;

/// Tags that one return is computed from at most.
pub const MOST_TAGS: usize = 100_000;

/// Why a verb on a return is refused; each is a conflict.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReturnRefused {
    /// It was filed, so its figures stay: `return_filed`.
    #[error("the return is {status}: what was filed stays as it was filed")]
    Filed {
        /// Its status.
        status: ReturnStatus,
    },
    /// It has no figures that could be filed: `return_not_prepared`.
    #[error("the return is {status}, and a prepared one is needed")]
    NotPrepared {
        /// Its status.
        status: ReturnStatus,
    },
    /// The tax agency has nothing to say of it: `return_not_submitted`.
    #[error("the return is {status}, and only of a submitted one an outcome is written down")]
    NotSubmitted {
        /// Its status.
        status: ReturnStatus,
    },
    /// Its period lasts: `period_not_over`.
    #[error("the period ends on {ends}: say allowEarly to prepare it before that")]
    NotOver {
        /// Its last day.
        ends: Date,
    },
    /// The books moved since it was prepared, or the company has another rate of corporate tax: `return_stale`.
    #[error(
        "entries of the period were posted, or the rate of corporate tax changed, since the return was prepared: prepare it again"
    )]
    Stale,
    /// Something must be put right before it is submitted: `return_incomplete`.
    #[error("a party of the return cannot be declared: {}", codes(.0))]
    Incomplete(Vec<WarningCode>),
    /// The period has more tags than a return is computed from: `return_too_large`.
    #[error(
        "the period has more than {MOST_TAGS} tax tags, which is the most that a return is computed from"
    )]
    TooMany,
    /// The books hold what the form cannot: `return_not_computable`.
    #[error("model {model} cannot be computed: {error}")]
    NotComputable {
        /// The model.
        model: Model,
        /// Why.
        error: ComputeError,
    },
    /// A movement of a bank account stands for it: `return_paid`.
    #[error("a movement of a bank account pays the return {of}: undo its reconciliation first")]
    Paid {
        /// The return.
        of: TaxReturnId,
    },
    /// The books do not name an account that the settlement needs.
    #[error(transparent)]
    NoAccount(#[from] MissingAccount),
    /// The books do not take the settlement, or its reversal.
    #[error(transparent)]
    Books(#[from] BooksRefused),
}

fn codes(codes: &[WarningCode]) -> String {
    codes.iter().map(|code| code.name()).collect::<Vec<_>>().join(", ")
}

impl ReturnRefused {
    pub(super) fn refuse<T>(self) -> Result<T, Refused<Self>> {
        Err(Refused::Own(self))
    }
}
