//! Approving a document: it gets its place in the register, and what it says is fixed.

mod guards;

use svc_core::error::{ValidationErrors, Validator};
use thiserror::Error;
use time::{Date, Duration};

use crate::books::lock::{Locks, PeriodLocked, TaxPeriodSubmitted};
use crate::contact::Contact;
use crate::party::Country;
use crate::purchases::document::{
    Action, Approval, Counterparty, Ids, Plan, Settlement, SupplierDocument, WrongState,
};
use crate::purchases::register::{Register, RegisterExhausted};
use crate::purchases::supplier::Supplier;
use crate::trade::Rate;

/// What is said with the approval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApproveTerms {
    /// The day on which it is booked and its tax deducted; that of the plan, or else of the receipt.
    pub accounting_date: Option<Date>,
    /// Tax that the company owes itself and that fell due in a period whose return has gone out is declared with the day
    /// of accounting.
    pub accept_late_tax: bool,
}

/// What an approval is judged by.
#[derive(Clone)]
pub struct ApproveSetting<'a> {
    /// Today by the company's calendar.
    pub today: Date,
    /// The instant, and ids.
    pub ids: Ids<'a>,
    /// The supplier that the document names and its contact, as they are now; `None` when it names none.
    pub supplier: Option<(&'a Supplier, &'a Contact)>,
    /// The country of the company.
    pub home: Country,
    /// How much of the tax can be deducted of lines that do not say: the pro-rata of the company, or 100.
    pub pro_rata: Rate,
    /// The book of the year of [`SupplierDocument::booked_on`], locked until the document is kept.
    pub register: Register,
    /// The dates that lock the books.
    pub locks: &'a Locks,
}

/// What an approval changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved {
    /// The document.
    pub document: SupplierDocument,
    /// The register with the number given; the same as before for a document that gets none.
    pub register: Register,
}

/// Why a document cannot be approved.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ApproveRefused {
    /// It was judged before: `document_approved`, `document_rejected` or `document_voided`, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// The day of accounting is locked: `period_locked`, a conflict.
    #[error(transparent)]
    Locked(#[from] PeriodLocked),
    /// The return of its tax has gone out: `tax_period_submitted`, a conflict.
    #[error(transparent)]
    Submitted(#[from] TaxPeriodSubmitted),
    /// The register has no number left: `register_exhausted`, a conflict.
    #[error(transparent)]
    Exhausted(#[from] RegisterExhausted),
    /// It breaks rules: `required` on `supplierId`, `number`, `lines` and `fxRate`, `out_of_range` on `accountingDate`
    /// and `dueDate`, `total_negative`, `total_positive` and others.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
}

impl SupplierDocument {
    /// The day on which it is booked when it is approved on these terms.
    #[must_use]
    pub fn booked_on(&self, terms: ApproveTerms) -> Date {
        terms.accounting_date.unwrap_or_else(|| self.accounting_date())
    }

    /// Approves a document: it takes the next number of the register, and supplier and figures are fixed.
    ///
    /// # Errors
    /// [`ApproveRefused`]; broken rules name their members, all at once.
    pub fn approve(
        self,
        terms: ApproveTerms,
        setting: &ApproveSetting<'_>,
    ) -> Result<Approved, ApproveRefused> {
        let plan = self.plan(Action::Approve)?;
        let date = self.booked_on(terms);
        let mut validator = Validator::new();
        guards::judge(&mut validator, &self, setting, date);
        let term_days = setting.supplier.map_or(0, |(supplier, contact)| supplier.term_days(contact));
        let due_date = due_date(&mut validator, &self, plan, term_days);
        validator.finish()?;
        let late_tax = declared_late(&self, terms, setting.locks, date)?;
        self.numbered(date, due_date, late_tax, setting)
    }

    fn numbered(
        self,
        accounting_date: Date,
        due_date: Date,
        late_tax: bool,
        setting: &ApproveSetting<'_>,
    ) -> Result<Approved, ApproveRefused> {
        let (supplier, contact) = setting.supplier.ok_or_else(guards::no_supplier)?;
        let fx_rate = self.fx_rate().ok_or_else(guards::no_rate)?;
        let settlement = Settlement::new(self.payable(), Vec::new()).map_err(guards::beyond_range)?;
        let (register, place) = if self.doc_type.is_registered() {
            let (register, place) = setting.register.number()?;
            (register, Some(place))
        } else {
            (setting.register, None)
        };
        let approval = Approval {
            register: place,
            contact: contact.id,
            supplier: Counterparty::of(contact, setting.home),
            supplier_type: supplier.supplier_type,
            withholding_key: supplier.withholding_key,
            accounting_date,
            due_date,
            fx_rate,
            pro_rata: setting.pro_rata,
            late_tax,
            approved_at: setting.ids.now,
            settlement,
            journal_entry: None,
            assets: Vec::new(),
        };
        Ok(Approved { document: self.with_approval(approval), register })
    }
}

fn due_date(validator: &mut Validator, document: &SupplierDocument, plan: Plan, term_days: u16) -> Date {
    let issued = document.issue_date;
    let by_term = || issued.checked_add(Duration::days(term_days.into())).unwrap_or(issued);
    let due = plan.due_date.unwrap_or_else(by_term);
    let message = format!("must not be before the day of issue, {issued}");
    validator.require(due >= issued, "dueDate", "out_of_range", message);
    due
}

/// Whether tax that the company owes itself is declared with the day of accounting, because the return of its own day
/// has gone out.
fn declared_late(
    document: &SupplierDocument,
    terms: ApproveTerms,
    locks: &Locks,
    date: Date,
) -> Result<bool, ApproveRefused> {
    locks.judge(date)?;
    if !document.is_declared() {
        return Ok(false);
    }
    locks.judge_tax(date)?;
    if !document.content.is_self_assessed() {
        return Ok(false);
    }
    match locks.judge_tax(document.tax_date()) {
        Ok(()) => Ok(false),
        Err(_) if terms.accept_late_tax => Ok(true),
        Err(submitted) => Err(submitted.into()),
    }
}
