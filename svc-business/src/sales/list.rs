//! What a list of documents shows, and what it can be narrowed and sorted by.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId, JournalEntryId, SalesDocumentId, SeriesId};
use svc_core::money::{Amount, Currency};
use svc_core::resource::{Resource, Version};
use time::Date;

use super::document::{Acceptance, DocType, PaymentStatus, RectificationStatus, SalesDocument, State};
use crate::magnitude::Magnitude;
use crate::party::Extension;
use crate::trade::calculation::Totals;

/// A document without its lines and what follows from each: what a list shows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its id.
    pub id: SalesDocumentId,
    /// The company that sells.
    pub company: AccountId,
    /// What it is.
    pub doc_type: DocType,
    /// Where it is in its life.
    pub state: State,
    /// What the customer says to a quote.
    pub acceptance: Option<Acceptance>,
    /// How far it is paid.
    pub payment_status: PaymentStatus,
    /// How far it was put right.
    pub rectification_status: RectificationStatus,
    /// The series that numbered it, or is to.
    pub series: Option<SeriesId>,
    /// Its number; `None` of a draft.
    pub number: Option<String>,
    /// The day of issue, or the one that a draft plans.
    pub issue_date: Option<Date>,
    /// When what is sold was done or delivered, if not on the day of issue.
    pub operation_date: Option<Date>,
    /// When it is due.
    pub due_date: Option<Date>,
    /// The customer.
    pub contact: Option<ContactId>,
    /// The customer's name as of the issue; `None` of a draft.
    pub customer_name: Option<String>,
    /// The customer's order.
    pub reference: Option<String>,
    /// The currency of the company's books.
    pub base_currency: Currency,
    /// The sums, in its own currency.
    pub totals: Totals,
    /// What has been paid.
    pub paid: Amount,
    /// What is left to pay.
    pub due: Amount,
    /// The total in the base currency; `None` while a draft does not know its rate.
    pub base_total: Option<Amount>,
    /// What is payable in the base currency; `None` while a draft does not know its rate.
    pub base_payable: Option<Amount>,
    /// The document that it was made of.
    pub source: Option<SalesDocumentId>,
    /// Its entry in the journal.
    pub journal_entry: Option<JournalEntryId>,
    /// Free labels.
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

impl Outline {
    /// Whether something was due before this day.
    #[must_use]
    pub fn is_overdue(&self, today: Date) -> bool {
        let owed = self.state == State::Issued && self.doc_type.is_fiscal() && self.due.minor() > 0;
        owed && self.due_date.is_some_and(|due| due < today)
    }

    /// The day on which tax falls due.
    #[must_use]
    pub fn tax_date(&self) -> Option<Date> {
        self.operation_date.or(self.issue_date)
    }
}

impl SalesDocument {
    /// What a list shows of it.
    #[must_use]
    pub fn outline(&self) -> Outline {
        let issue = self.issue_data();
        Outline {
            id: self.id,
            company: self.company,
            doc_type: self.doc_type(),
            state: self.state(),
            acceptance: self.kind.acceptance(),
            payment_status: self.payment_status(),
            rectification_status: self.rectification_status(),
            series: self.series(),
            number: issue.map(|issue| issue.number.to_string()),
            issue_date: self.issue_date(),
            operation_date: self.operation_date,
            due_date: self.due_date(),
            contact: self.contact,
            customer_name: issue.and_then(|issue| Some(issue.customer.as_ref()?.name.clone())),
            reference: self.reference.clone(),
            base_currency: self.base_currency,
            totals: *self.content.totals(),
            paid: self.paid(),
            due: self.due(),
            base_total: self.base_total(),
            base_payable: self.base_payable(),
            source: self.source,
            journal_entry: issue.and_then(|issue| issue.journal_entry),
            tags: self.tags.clone(),
            extension: self.extension.clone(),
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// What a list of documents can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SalesFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `docType`
    pub doc_type: Option<DocType>,
    /// `status`
    pub state: Option<State>,
    /// `paymentStatus`
    pub payment_status: Option<PaymentStatus>,
    /// `overdue`: something was due before this day.
    pub overdue: Option<Date>,
    /// `contactId`
    pub contact: Option<ContactId>,
    /// `seriesId`
    pub series: Option<SeriesId>,
    /// `number`: the whole number.
    pub number: Option<String>,
    /// `currency`
    pub currency: Option<Currency>,
    /// `minTotal`
    pub min_total: Option<Magnitude>,
    /// `maxTotal`
    pub max_total: Option<Magnitude>,
    /// `q`: a part of the number, of the customer's order, of the notes, of one of the first twenty lines, or of the
    /// customer's name as of the issue.
    pub text: Option<String>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: issued on this day or later; drafts by the day on which they were created.
    pub from: Option<Date>,
    /// `to`: issued on this day or earlier.
    pub to: Option<Date>,
}

/// What a list of documents can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SalesSort {
    /// `issueDate`, then the number; drafts by the day on which they were created.
    IssueDate,
    /// `number`; drafts first.
    Number,
    /// `dueDate`; what is never due comes last.
    DueDate,
    /// `total`, whatever the currency.
    Total,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for Outline {
    const NAME: &'static str = "invoice";
    type Id = SalesDocumentId;
    type Filter = SalesFilter;
    type SortKey = SalesSort;

    fn id(&self) -> SalesDocumentId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}
