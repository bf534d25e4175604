//! What follows from a document.

use svc_core::clock::Timestamp;
use svc_core::id::SeriesId;
use svc_core::money::{Amount, Currency, MoneyError};
use time::Date;

use super::{Effect, PaymentStatus, RectificationStatus, SalesDocument, State, Status};
use crate::books::entry::FxRate;

impl SalesDocument {
    /// The day of issue, or the one that a draft plans.
    #[must_use]
    pub fn issue_date(&self) -> Option<Date> {
        match &self.status {
            Status::Draft { plan } => plan.issue_date,
            Status::Issued { issue } | Status::Voided { issue, .. } => Some(issue.issue_date),
        }
    }

    /// The series that numbered it, or the one that a draft plans.
    #[must_use]
    pub fn series(&self) -> Option<SeriesId> {
        match &self.status {
            Status::Draft { plan } => plan.series,
            Status::Issued { issue } | Status::Voided { issue, .. } => Some(issue.series),
        }
    }

    /// When it is due, or is to be by the plan of a draft.
    #[must_use]
    pub fn due_date(&self) -> Option<Date> {
        match &self.status {
            Status::Draft { plan } => plan.due_date,
            Status::Issued { issue } | Status::Voided { issue, .. } => Some(issue.due_date),
        }
    }

    /// `taxDate`: the day on which tax falls due, which says the rates: of the operation, or else of the issue.
    #[must_use]
    pub fn tax_date(&self) -> Option<Date> {
        self.operation_date.or(self.issue_date())
    }

    /// The day that says in which return the tax of an issued document is declared.
    ///
    /// That of the tax, but of the issue for a rectifying document (Ley 37/1992 art. 89) and for tax that is late.
    #[must_use]
    pub fn tag_date(&self) -> Option<Date> {
        let issue = self.issue_data()?;
        let by_issue = issue.late_tax || self.kind.rectification().is_some();
        if by_issue { Some(issue.issue_date) } else { self.tax_date() }
    }

    /// How many units of the base currency one of its own is; `None` while a draft does not know it.
    #[must_use]
    pub fn fx_rate(&self) -> Option<FxRate> {
        match &self.status {
            Status::Draft { .. } if self.content.currency() == self.base_currency => Some(FxRate::ONE),
            Status::Draft { plan } => plan.fx_rate,
            Status::Issued { issue } | Status::Voided { issue, .. } => Some(issue.fx_rate),
        }
    }

    /// The same in books that count in this currency: a draft follows its company, and a rate into another one is gone.
    #[must_use]
    pub fn counted_in(mut self, base: Currency) -> Self {
        if let Status::Draft { plan } = &mut self.status
            && self.base_currency != base
        {
            plan.fx_rate = None;
            self.base_currency = base;
        }
        self
    }

    /// An amount of it in the base currency, at its own rate.
    ///
    /// # Errors
    /// [`MoneyError::Range`].
    pub fn in_base(&self, amount: Amount) -> Result<Amount, MoneyError> {
        self.fx_rate().ok_or(MoneyError::Range)?.convert(amount, self.base_currency)
    }

    /// `baseTotal`; `None` while its rate is not known.
    #[must_use]
    pub fn base_total(&self) -> Option<Amount> {
        self.in_base(self.content.totals().total).ok()
    }

    /// `basePayable`; `None` while its rate is not known.
    #[must_use]
    pub fn base_payable(&self) -> Option<Amount> {
        self.in_base(self.content.totals().payable).ok()
    }

    /// What has been paid.
    #[must_use]
    pub fn paid(&self) -> Amount {
        let nothing = Amount::zero(self.content.currency());
        self.issue_data().map_or(nothing, |issue| issue.settlement.paid())
    }

    /// What is left to pay: `due` = `payable` − `paid`.
    #[must_use]
    pub fn due(&self) -> Amount {
        self.issue_data().map_or(self.content.totals().payable, |issue| issue.settlement.due())
    }

    /// How far an issued invoice is paid. Drafts, voided documents, proformas and quotes are not owed.
    #[must_use]
    pub fn payment_status(&self) -> PaymentStatus {
        match &self.status {
            Status::Issued { issue } if self.is_fiscal() => issue.settlement.status(),
            Status::Draft { .. } | Status::Issued { .. } | Status::Voided { .. } => {
                PaymentStatus::NotApplicable
            }
        }
    }

    /// When the payment that settled it was recorded.
    #[must_use]
    pub fn paid_at(&self) -> Option<Timestamp> {
        let issue = self.issue_data()?;
        (self.payment_status() == PaymentStatus::Paid).then(|| issue.settlement.settled_at()).flatten()
    }

    /// Whether something was due before this day.
    #[must_use]
    pub fn is_overdue(&self, today: Date) -> bool {
        let owed = self.state() == State::Issued && self.is_fiscal() && self.due().minor() > 0;
        owed && self.due_date().is_some_and(|due| due < today)
    }

    /// What is left of the base of a tax after the rectifications so far: between zero and the base (I-12).
    ///
    /// # Errors
    /// [`MoneyError`], which bases of one document do not meet.
    pub fn remaining_base(&self, tax_code: &str) -> Result<Amount, MoneyError> {
        let taxes = self.content.figures().taxes.iter().filter(|tax| tax.tax.code == tax_code);
        let own = taxes.map(|tax| tax.base).collect::<Vec<_>>();
        let rectified = self.issue_data().map_or(&[][..], |issue| &issue.rectifications);
        let changed = rectified.iter().flat_map(|one| match &one.effect {
            Effect::Differences { bases } => &bases[..],
            Effect::Substitution => &[],
        });
        let changed = changed.filter(|change| change.tax_code == tax_code).map(|change| change.base);
        Amount::sum(own.into_iter().chain(changed), self.content.currency())
    }

    /// How far it was put right.
    #[must_use]
    pub fn rectification_status(&self) -> RectificationStatus {
        let Some(issue) = self.issue_data().filter(|issue| !issue.rectifications.is_empty()) else {
            return RectificationStatus::None;
        };
        let replaced = issue.rectifications.iter().any(|one| one.effect == Effect::Substitution);
        let left = |code| self.remaining_base(code).map_or(1, Amount::minor) != 0;
        let some_left = self.content.figures().taxes.iter().any(|tax| left(tax.tax.code));
        if replaced || !some_left { RectificationStatus::Full } else { RectificationStatus::Partial }
    }
}
