//! What a sales document is.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId, SalesDocumentId};
use svc_core::money::Currency;
use svc_core::pii::Pii;
use svc_core::resource::Version;
use time::Date;

use super::{Action, Content, DocType, Issue, Kind, Plan, State, Status, WrongState};
use crate::contact::PaymentMethod;
use crate::party::{Extension, Iban};

/// A sales document of a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SalesDocument {
    /// Its id.
    pub id: SalesDocumentId,
    /// The company that sells.
    pub company: AccountId,
    /// What it is.
    pub kind: Kind,
    /// Where it is in its life.
    pub status: Status,
    /// The customer; simplified invoices, and what rectifies them, may have none.
    pub contact: Option<ContactId>,
    /// Lines and figures, in its own currency.
    pub content: Content,
    /// The currency of the company's books.
    pub base_currency: Currency,
    /// When what is sold was done or delivered, if not on the day of issue.
    pub operation_date: Option<Date>,
    /// Text on the document.
    pub notes: Option<String>,
    /// Text for the company alone.
    pub internal_notes: Option<String>,
    /// The customer's order, at most 200 characters.
    pub reference: Option<String>,
    /// How it is to be paid.
    pub payment_method: Option<PaymentMethod>,
    /// Where it is to be paid to.
    pub iban: Option<Pii<Iban>>,
    /// The document that it was made of: a quote, or one that was duplicated.
    pub source: Option<SalesDocumentId>,
    /// Free labels, in the order given.
    pub tags: Vec<String>,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl SalesDocument {
    /// Its type.
    #[must_use]
    pub const fn doc_type(&self) -> DocType {
        self.kind.doc_type()
    }

    /// Whether it counts for taxes and books.
    #[must_use]
    pub const fn is_fiscal(&self) -> bool {
        self.doc_type().is_fiscal()
    }

    /// Where it is in its life.
    #[must_use]
    pub const fn state(&self) -> State {
        self.status.state()
    }

    /// What was fixed when it was issued; `None` of a draft.
    #[must_use]
    pub fn issue_data(&self) -> Option<&Issue> {
        self.status.issue()
    }

    /// The issue of a document that is issued and not voided.
    pub(crate) fn issued(&self, action: Action) -> Result<&Issue, WrongState> {
        match &self.status {
            Status::Issued { issue } => Ok(issue),
            Status::Draft { .. } | Status::Voided { .. } => Err(self.wrong(action)),
        }
    }

    /// The plan of a draft.
    pub(crate) fn plan(&self, action: Action) -> Result<Plan, WrongState> {
        match &self.status {
            Status::Draft { plan } => Ok(*plan),
            Status::Issued { .. } | Status::Voided { .. } => Err(self.wrong(action)),
        }
    }

    /// The same with another issue, which was read from it.
    pub(crate) fn with_issue(self, issue: Issue) -> Self {
        Self { status: Status::Issued { issue: Box::new(issue) }, ..self }
    }

    pub(crate) fn wrong(&self, action: Action) -> WrongState {
        WrongState { action, state: self.state() }
    }

    /// Judges whether it may be deleted: only a draft.
    ///
    /// # Errors
    /// [`WrongState`].
    pub fn judge_delete(&self) -> Result<(), WrongState> {
        self.plan(Action::Delete).map(|_| ())
    }
}
