//! Putting issued documents right by another one.
//!
//! *By differences* the document says what is to be added to the originals, with a minus what is to be taken off. For
//! each tax the sum of an original and what rectified it stays between zero and the original's base (I-12); where one
//! document rectifies several, each takes what it can, in the order in which they are named.
//!
//! *By substitution* the document says what the originals should have said. What they came to is `replaced`, and only
//! the difference goes to the books. The open debt moves over without an effect there: each original is settled by a
//! replacement payment of what is due, and the substitute begins with one of what had been paid. An original that was
//! rectified by differences before is named together with what did so.

mod differences;
mod draft;
mod release;
mod substitution;

use std::collections::BTreeSet;

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::SalesDocumentId;
use svc_core::money::{Amount, MoneyError};
use thiserror::Error;
use time::Date;

pub use self::draft::{Rectify, RectifyLines};
pub use self::release::ReleaseRefused;
use crate::sales::document::{
    Action, Effect, Ids, Issue, Kind, Method, Payment, ReasonCode, Rectification, Replaced, SalesDocument,
    WrongState,
};

/// Why a document cannot put others right.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RectifyRefused {
    /// An original is a draft or was voided: `not_issued` or `invoice_voided`, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// An original is no invoice: `not_rectifiable`, a conflict.
    #[error("a document of this type is not put right by another one")]
    NotFiscal,
    /// More is put right than there is: `over_rectified`, a conflict.
    #[error("more would be put right than there is{}", of_tax(.tax_code.as_deref()))]
    Over {
        /// The original; `None` when all of them together have too little.
        document: Option<SalesDocumentId>,
        /// The tax; `None` when a substitution took the place of the original.
        tax_code: Option<String>,
    },
    /// More has been paid than the substitute comes to: `paid_exceeds_new_total`, a conflict; rectify by differences.
    #[error("{paid} has been paid, which is more than {payable}: rectify by differences")]
    PaidExceeds {
        /// What has been paid of the originals.
        paid: Amount,
        /// What the substitute comes to.
        payable: Amount,
    },
    /// It breaks rules: `rectifies.documentIds[0]`, `rectifies.reasonCode`, `currency` and those of its lines.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// Amounts that cannot be counted.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

fn of_tax(tax_code: Option<&str>) -> String {
    tax_code.map(|code| format!(" of the tax {code}")).unwrap_or_default()
}

/// What the issue of a document does to those that it puts right.
pub(super) struct Settled {
    pub(super) originals: Vec<SalesDocument>,
    pub(super) replaced: Option<Replaced>,
    pub(super) payment: Option<Payment>,
}

/// Puts the originals of a draft right that is about to be issued on this day; of other documents nothing.
pub(super) fn settle(
    draft: &SalesDocument,
    originals: Vec<SalesDocument>,
    date: Date,
    ids: &Ids<'_>,
) -> Result<Settled, RectifyRefused> {
    let Some(rectification) = draft.kind.rectification() else {
        return Ok(Settled { originals: Vec::new(), replaced: None, payment: None });
    };
    let originals = ordered(rectification, originals)?;
    for original in &originals {
        let issue = judge_original(original)?;
        let replaced = issue.rectifications.iter().any(|one| one.effect == Effect::Substitution);
        if replaced {
            return Err(RectifyRefused::Over { document: Some(original.id), tax_code: None });
        }
    }
    judge_fit(draft, rectification, &originals)?;
    match rectification.method {
        Method::Differences => differences::settle(draft, originals),
        Method::Substitution => substitution::settle(draft, originals, date, ids),
    }
}

/// The originals in the order in which they are named.
fn ordered(
    rectification: &Rectification,
    mut originals: Vec<SalesDocument>,
) -> Result<Vec<SalesDocument>, ValidationErrors> {
    let mut validator = Validator::new();
    let mut ordered = Vec::with_capacity(originals.len());
    let mut seen = BTreeSet::new();
    validator.require(
        !rectification.originals.is_empty(),
        "rectifies.documentIds",
        "required",
        "must name one document at least",
    );
    for (at, id) in rectification.originals.iter().enumerate() {
        let field = format!("rectifies.documentIds[{at}]");
        if !validator.require(seen.insert(*id), &field, "duplicate", "the document is there twice") {
            continue;
        }
        match originals.iter().position(|original| original.id == *id) {
            Some(found) => ordered.push(originals.swap_remove(found)),
            None => validator.fail(field, "unknown_reference", "no document of the company has this id"),
        }
    }
    validator.finish().map(|()| ordered)
}

fn judge_original(original: &SalesDocument) -> Result<&Issue, RectifyRefused> {
    let issue = original.issued(Action::Rectify)?;
    if original.is_fiscal() { Ok(issue) } else { Err(RectifyRefused::NotFiscal) }
}

fn judge_fit(
    draft: &SalesDocument,
    rectification: &Rectification,
    originals: &[SalesDocument],
) -> Result<(), ValidationErrors> {
    let mut validator = Validator::new();
    for (at, original) in originals.iter().enumerate() {
        let field = format!("rectifies.documentIds[{at}]");
        let same = original.contact == draft.contact && original.company == draft.company;
        validator.require(same, &field, "other_customer", "the document is another customer's");
        let same = original.content.currency() == draft.content.currency();
        validator.require(same, &field, "invalid_currency", "the document is in another currency");
    }
    judge_reason(&mut validator, rectification.reason_code, originals);
    validator.finish()
}

/// `R5` is for simplified invoices, and only for them.
fn judge_reason(validator: &mut Validator, reason: ReasonCode, originals: &[SalesDocument]) {
    let fits = originals.iter().all(|original| is_simplified(&original.kind) == (reason == ReasonCode::R5));
    let message = "R5 is the reason for simplified invoices, and for no others";
    validator.require(fits, "rectifies.reasonCode", "reason_mismatch", message);
}

fn is_simplified(kind: &Kind) -> bool {
    match kind {
        Kind::SimplifiedInvoice => true,
        Kind::Rectifying { rectification } => rectification.reason_code == ReasonCode::R5,
        Kind::Invoice | Kind::Proforma | Kind::Quote { .. } => false,
    }
}
