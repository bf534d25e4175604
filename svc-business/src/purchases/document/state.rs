//! What a supplier document is.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, SupplierDocumentId, SupplierId};
use svc_core::money::Currency;
use svc_core::pii::Pii;
use svc_core::resource::Version;
use time::Date;

use super::{
    Action, Approval, Content, DocType, Ids, Origin, Plan, State, Status, SupplierNumber, WrongState,
};
use crate::contact::PaymentMethod;
use crate::party::{Extension, Iban};

/// A document that a company received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupplierDocument {
    /// Its id.
    pub id: SupplierDocumentId,
    /// The company that buys.
    pub company: AccountId,
    /// What it is.
    pub doc_type: DocType,
    /// Where it is in its life.
    pub status: Status,
    /// The supplier; needed to approve it.
    pub supplier: Option<SupplierId>,
    /// The supplier's own number; needed to approve it.
    pub number: Option<SupplierNumber>,
    /// Whether another document may have the same supplier, number and year (`allowDuplicate`).
    pub shares_number: bool,
    /// Lines and figures, in its own currency.
    pub content: Content,
    /// The currency of the company's books.
    pub base_currency: Currency,
    /// The day of issue.
    pub issue_date: Date,
    /// The day on which it came in.
    pub received_date: Date,
    /// When what is bought was done or delivered, if not on the day of issue.
    pub operation_date: Option<Date>,
    /// Text for the company alone.
    pub notes: Option<String>,
    /// How it is to be paid.
    pub payment_method: Option<PaymentMethod>,
    /// Where it is to be paid to.
    pub iban: Option<Pii<Iban>>,
    /// How it came in.
    pub origin: Origin,
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

impl SupplierDocument {
    /// A document as it is before the input of its creation.
    #[must_use]
    pub fn blank(
        company: AccountId,
        base_currency: Currency,
        origin: Origin,
        today: Date,
        ids: &Ids<'_>,
    ) -> Self {
        let content = Content::new(base_currency, false, Vec::new(), None, Vec::new());
        Self {
            id: ids.make(),
            company,
            doc_type: DocType::Invoice,
            status: Status::Received { plan: Plan::default() },
            supplier: None,
            number: None,
            shares_number: false,
            content: content.expect("nothing is wrong with it"),
            base_currency,
            issue_date: today,
            received_date: today,
            operation_date: None,
            notes: None,
            payment_method: None,
            iban: None,
            origin,
            tags: Vec::new(),
            extension: Extension::default(),
            version: Version::FIRST,
            created_at: ids.now,
            updated_at: ids.now,
        }
    }

    /// Where it is in its life.
    #[must_use]
    pub const fn state(&self) -> State {
        self.status.state()
    }

    /// What was fixed when it was approved; `None` of one that never was.
    #[must_use]
    pub fn approval_data(&self) -> Option<&Approval> {
        self.status.approval()
    }

    /// The approval of a document that is approved and not voided.
    pub(crate) fn approved(&self, action: Action) -> Result<&Approval, WrongState> {
        match &self.status {
            Status::Approved { approval } => Ok(approval),
            Status::Received { .. } | Status::Rejected { .. } | Status::Voided { .. } => {
                Err(self.wrong(action))
            }
        }
    }

    /// The plan of a document that was received and not judged.
    pub(crate) fn plan(&self, action: Action) -> Result<Plan, WrongState> {
        match &self.status {
            Status::Received { plan } => Ok(*plan),
            Status::Approved { .. } | Status::Rejected { .. } | Status::Voided { .. } => {
                Err(self.wrong(action))
            }
        }
    }

    /// The same with another approval, which was read from it.
    pub(crate) fn with_approval(self, approval: Approval) -> Self {
        Self { status: Status::Approved { approval: Box::new(approval) }, ..self }
    }

    pub(crate) fn wrong(&self, action: Action) -> WrongState {
        WrongState { action, state: self.state() }
    }
}
