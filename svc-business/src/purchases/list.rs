//! What lists of documents and suppliers show, and what they can be narrowed and sorted by.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId, JournalEntryId, SupplierDocumentId, SupplierId};
use svc_core::money::{Amount, Currency};
use svc_core::resource::{Resource, Version};
use time::Date;

use super::document::{DocType, Origin, PaymentStatus, State, SupplierDocument};
use super::supplier::{SupplierStatus, SupplierType};
use crate::party::Extension;
use crate::trade::calculation::Totals;

/// A document without its lines and what follows from each: what a list shows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its id.
    pub id: SupplierDocumentId,
    /// The company that buys.
    pub company: AccountId,
    /// What it is.
    pub doc_type: DocType,
    /// Where it is in its life.
    pub state: State,
    /// How far it is paid.
    pub payment_status: PaymentStatus,
    /// The supplier.
    pub supplier: Option<SupplierId>,
    /// The supplier's name as of the approval; `None` of one that never was approved.
    pub supplier_name: Option<String>,
    /// The supplier's own number.
    pub number: Option<String>,
    /// Its number in the book of received documents, in the year of `accounting_date`.
    pub register_number: Option<u32>,
    /// The day of issue.
    pub issue_date: Date,
    /// The day on which it came in.
    pub received_date: Date,
    /// When what is bought was done or delivered, if not on the day of issue.
    pub operation_date: Option<Date>,
    /// The day on which it is booked and its tax deducted, or is to be.
    pub accounting_date: Date,
    /// When it is due.
    pub due_date: Option<Date>,
    /// The currency of the company's books.
    pub base_currency: Currency,
    /// The sums, in its own currency.
    pub totals: Totals,
    /// What is payable: of an import the tax alone.
    pub payable: Amount,
    /// What has been paid.
    pub paid: Amount,
    /// What is left to pay.
    pub due: Amount,
    /// The total in the base currency; `None` while its rate is not known.
    pub base_total: Option<Amount>,
    /// What is payable in the base currency; `None` while its rate is not known.
    pub base_payable: Option<Amount>,
    /// How it came in.
    pub origin: Origin,
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
        let owed = self.state == State::Approved && self.due.minor() > 0;
        owed && self.due_date.is_some_and(|due| due < today)
    }

    /// The day on which tax falls due.
    #[must_use]
    pub fn tax_date(&self) -> Date {
        self.operation_date.unwrap_or(self.issue_date)
    }
}

impl SupplierDocument {
    /// What a list shows of it.
    #[must_use]
    pub fn outline(&self) -> Outline {
        let approval = self.approval_data();
        Outline {
            id: self.id,
            company: self.company,
            doc_type: self.doc_type,
            state: self.state(),
            payment_status: self.payment_status(),
            supplier: self.supplier,
            supplier_name: approval.map(|approval| approval.supplier.name.clone()),
            number: self.number.as_ref().map(ToString::to_string),
            register_number: approval.and_then(|approval| approval.register).map(|place| place.number),
            issue_date: self.issue_date,
            received_date: self.received_date,
            operation_date: self.operation_date,
            accounting_date: self.accounting_date(),
            due_date: self.due_date(),
            base_currency: self.base_currency,
            totals: *self.content.totals(),
            payable: self.payable(),
            paid: self.paid(),
            due: self.due(),
            base_total: self.base_total(),
            base_payable: self.base_payable(),
            origin: self.origin,
            journal_entry: approval.and_then(|approval| approval.journal_entry),
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
pub struct PurchaseFilter {
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
    /// `supplierId`
    pub supplier: Option<SupplierId>,
    /// `number`: the supplier's whole number.
    pub number: Option<String>,
    /// `q`: a part of the number, of the notes, of one of the first twenty lines, or of the supplier's name as of the approval.
    pub text: Option<String>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: issued on this day or later.
    pub from: Option<Date>,
    /// `to`: issued on this day or earlier.
    pub to: Option<Date>,
}

/// What a list of documents can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PurchaseSort {
    /// `issueDate`
    IssueDate,
    /// `dueDate`; what is never due comes last.
    DueDate,
    /// `total`, whatever the currency.
    Total,
    /// `registerNumber`, within each year; what has none comes first.
    RegisterNumber,
    /// `updatedAt`
    UpdatedAt,
}

/// What a list of suppliers can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SupplierFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: Option<SupplierStatus>,
    /// `supplierType`
    pub supplier_type: Option<SupplierType>,
    /// `contactId`
    pub contact: Option<ContactId>,
    /// Only those of these contacts: what `q` and `taxId` find.
    pub contacts: Option<Vec<ContactId>>,
    /// `code`: the company's own number, as a whole.
    pub code: Option<String>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
}

/// What a list of suppliers can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupplierSort {
    /// `name`: of the contact.
    Name,
    /// `createdAt`
    CreatedAt,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for Outline {
    const NAME: &'static str = "supplier_document";
    type Id = SupplierDocumentId;
    type Filter = PurchaseFilter;
    type SortKey = PurchaseSort;

    fn id(&self) -> SupplierDocumentId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}
