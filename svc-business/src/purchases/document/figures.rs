//! What follows from a document.

use svc_core::clock::Timestamp;
use svc_core::money::{Amount, Currency, MoneyError};
use time::Date;

use super::{PaymentStatus, Plan, State, Status, SupplierDocument};
use crate::books::entry::FxRate;
use crate::trade::Rate;
use crate::trade::calculation::Deduction;

impl SupplierDocument {
    /// What was said for its approval, until it is approved.
    fn planned(&self) -> Option<&Plan> {
        match &self.status {
            Status::Received { plan } | Status::Rejected { plan, .. } => Some(plan),
            Status::Approved { .. } | Status::Voided { .. } => None,
        }
    }

    /// The day on which it is booked and its tax deducted, or is to be.
    #[must_use]
    pub fn accounting_date(&self) -> Date {
        let planned = self.planned().and_then(|plan| plan.accounting_date).unwrap_or(self.received_date);
        self.approval_data().map_or(planned, |approval| approval.accounting_date)
    }

    /// When it is due, or is to be by its plan.
    #[must_use]
    pub fn due_date(&self) -> Option<Date> {
        let planned = self.planned().and_then(|plan| plan.due_date);
        self.approval_data().map(|approval| approval.due_date).or(planned)
    }

    /// `taxDate`: the day on which tax falls due, which says the rates: of the operation, or else of the issue.
    #[must_use]
    pub fn tax_date(&self) -> Date {
        self.operation_date.unwrap_or(self.issue_date)
    }

    /// The day that says in which return tax is declared that the company owes itself: on which it falls due, or that of
    /// accounting for tax that is late.
    #[must_use]
    pub fn output_date(&self) -> Date {
        let late = self.approval_data().is_some_and(|approval| approval.late_tax);
        if late { self.accounting_date() } else { self.tax_date() }
    }

    /// Whether a return learns of it: of its VAT, or of what is withheld.
    #[must_use]
    pub fn is_declared(&self) -> bool {
        self.doc_type.is_registered() || !self.content.figures().withholdings.is_empty()
    }

    /// How many units of the base currency one of its own is; `None` while it is not known.
    #[must_use]
    pub fn fx_rate(&self) -> Option<FxRate> {
        let same = self.content.currency() == self.base_currency;
        let planned = if same { Some(FxRate::ONE) } else { self.planned().and_then(|plan| plan.fx_rate) };
        self.approval_data().map(|approval| approval.fx_rate).or(planned)
    }

    /// The same in books that count in this currency: what is not judged follows its company, and a rate into another one
    /// is gone.
    #[must_use]
    pub fn counted_in(mut self, base: Currency) -> Self {
        if let Status::Received { plan } = &mut self.status
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

    /// What is payable in all. Of an import that is the tax alone: the goods are paid to their supplier.
    #[must_use]
    pub fn payable(&self) -> Amount {
        let totals = self.content.totals();
        if self.doc_type.charges_tax_alone() { totals.tax } else { totals.payable }
    }

    /// `baseTotal`; `None` while its rate is not known.
    #[must_use]
    pub fn base_total(&self) -> Option<Amount> {
        self.in_base(self.content.totals().total).ok()
    }

    /// `basePayable`; `None` while its rate is not known.
    #[must_use]
    pub fn base_payable(&self) -> Option<Amount> {
        self.in_base(self.payable()).ok()
    }

    /// What of its tax is deducted, with the pro-rata of its approval.
    ///
    /// # Errors
    /// [`MoneyError`], which figures of a document do not meet.
    pub fn deduction(&self) -> Result<Deduction, MoneyError> {
        let pro_rata = self.approval_data().map_or(Rate::MAX, |approval| approval.pro_rata);
        self.content.deduction(self.doc_type, pro_rata)
    }

    /// What has been paid.
    #[must_use]
    pub fn paid(&self) -> Amount {
        let nothing = Amount::zero(self.content.currency());
        self.approval_data().map_or(nothing, |approval| approval.settlement.paid())
    }

    /// What is left to pay: `due` = `payable` − `paid`.
    #[must_use]
    pub fn due(&self) -> Amount {
        self.approval_data().map_or(self.payable(), |approval| approval.settlement.due())
    }

    /// How far an approved document is paid; others are not owed.
    #[must_use]
    pub fn payment_status(&self) -> PaymentStatus {
        match &self.status {
            Status::Approved { approval } => approval.settlement.status(),
            Status::Received { .. } | Status::Rejected { .. } | Status::Voided { .. } => {
                PaymentStatus::NotApplicable
            }
        }
    }

    /// When the payment that settled it was recorded.
    #[must_use]
    pub fn paid_at(&self) -> Option<Timestamp> {
        let approval = self.approval_data()?;
        (self.payment_status() == PaymentStatus::Paid).then(|| approval.settlement.settled_at()).flatten()
    }

    /// Whether something was due before this day.
    #[must_use]
    pub fn is_overdue(&self, today: Date) -> bool {
        let owed = self.state() == State::Approved && self.due().minor() > 0;
        owed && self.due_date().is_some_and(|due| due < today)
    }
}
