//! What a person should know of a return.

use std::collections::BTreeMap;

use svc_tax_forms::{Model, OutsideReason, Warning};

/// What a person should know of a prepared return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnWarning {
    /// What it is about.
    pub code: WarningCode,
    /// How many records it is about.
    pub count: u32,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WarningCode {
    /// Tags have tax codes that no table has, so nothing counts them: `unknown_tax_code`
    UnknownTaxCode,
    /// Tags have a rate or a treatment that no box of the form has: `no_box`
    NoBox,
    /// Tags have no contact, and rows are of contacts: `no_party`
    NoParty,
    /// Tags are of other periods: `other_period`
    OtherPeriod,
    /// The law does not ask for tags on this model: `not_declared`
    NotDeclared,
    /// Another model declares tags: `declared_elsewhere`
    DeclaredElsewhere,
    /// What tags come to with their contact is not above the threshold: `below_threshold`
    BelowThreshold,
    /// Contacts that are declared have no tax id: `no_tax_id`
    NoTaxId,
    /// Spanish contacts that are declared have no postal code: `no_province`
    NoProvince,
    /// Rows correct periods of which nothing was declared here: `not_declared_before`
    NotDeclaredBefore,
    /// Boxes carry over from the return before, and there is none: `no_preceding`
    NoPreceding,
    /// Drafts are dated in the period: `drafts_in_period`
    DraftsInPeriod,
    /// Supplier documents that wait for approval are to be booked in the period: `unapproved_in_period`
    UnapprovedInPeriod,
    /// Movements of bank accounts in the period are pending: `unreconciled_in_period`
    UnreconciledInPeriod,
    /// Earlier returns of the model are not filed: `earlier_not_filed`
    EarlierNotFiled,
}

svc_core::wire_names!(WarningCode {
    UnknownTaxCode = "unknown_tax_code",
    NoBox = "no_box",
    NoParty = "no_party",
    OtherPeriod = "other_period",
    NotDeclared = "not_declared",
    DeclaredElsewhere = "declared_elsewhere",
    BelowThreshold = "below_threshold",
    NoTaxId = "no_tax_id",
    NoProvince = "no_province",
    NotDeclaredBefore = "not_declared_before",
    NoPreceding = "no_preceding",
    DraftsInPeriod = "drafts_in_period",
    UnapprovedInPeriod = "unapproved_in_period",
    UnreconciledInPeriod = "unreconciled_in_period",
    EarlierNotFiled = "earlier_not_filed",
});

impl WarningCode {
    /// Whether a return of a model with it is not submitted: the tax agency takes no row of a party that has no tax id. What a
    /// company did with unnamed parties is no part of model 347 (RD 1065/2007, article 33.2.a).
    #[must_use]
    pub const fn is_blocking(self, model: Model) -> bool {
        match self {
            Self::NoParty => !matches!(model, Model::M347),
            Self::NoTaxId => true,
            Self::UnknownTaxCode
            | Self::NoBox
            | Self::OtherPeriod
            | Self::NotDeclared
            | Self::DeclaredElsewhere
            | Self::BelowThreshold
            | Self::NoProvince
            | Self::NotDeclaredBefore
            | Self::NoPreceding
            | Self::DraftsInPeriod
            | Self::UnapprovedInPeriod
            | Self::UnreconciledInPeriod
            | Self::EarlierNotFiled => false,
        }
    }
}

/// What of a period is not booked yet, and is known above the books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Supplier documents that wait for approval.
    pub documents: u64,
    /// Movements of bank accounts that are pending.
    pub movements: u64,
}

/// Warnings by what they are about, with how many records each is about.
#[derive(Debug, Default)]
pub(super) struct Warnings(BTreeMap<WarningCode, u32>);

impl Warnings {
    /// Adds what waits to be booked in the period.
    pub(super) fn waiting(&mut self, drafts: u64, waiting: Waiting) {
        let counts = [
            (WarningCode::DraftsInPeriod, drafts),
            (WarningCode::UnapprovedInPeriod, waiting.documents),
            (WarningCode::UnreconciledInPeriod, waiting.movements),
        ];
        for (code, count) in counts {
            self.add(code, usize::try_from(count).unwrap_or(usize::MAX));
        }
    }

    pub(super) fn add(&mut self, code: WarningCode, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        if count > 0 {
            let sum = self.0.entry(code).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    pub(super) fn computed(&mut self, warnings: &[Warning]) {
        for warning in warnings {
            match warning {
                Warning::Outside { reason, references } => self.add(outside(*reason), references.len()),
                Warning::NoTaxId { .. } => self.add(WarningCode::NoTaxId, 1),
                Warning::NoProvince { .. } => self.add(WarningCode::NoProvince, 1),
                Warning::NotDeclaredBefore { .. } => self.add(WarningCode::NotDeclaredBefore, 1),
                Warning::NoPreceding { .. } => self.add(WarningCode::NoPreceding, 1),
                _ => {}
            }
        }
    }

    pub(super) fn finish(self) -> Vec<ReturnWarning> {
        self.0.into_iter().map(|(code, count)| ReturnWarning { code, count }).collect()
    }
}

const fn outside(reason: OutsideReason) -> WarningCode {
    match reason {
        OutsideReason::NoBox => WarningCode::NoBox,
        OutsideReason::NoParty => WarningCode::NoParty,
        OutsideReason::OtherPeriod => WarningCode::OtherPeriod,
        OutsideReason::NotDeclared => WarningCode::NotDeclared,
        OutsideReason::DeclaredElsewhere => WarningCode::DeclaredElsewhere,
        OutsideReason::BelowThreshold => WarningCode::BelowThreshold,
    }
}
