//! What the rules of purchases need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, PaymentId, SupplierDocumentId, SupplierId};
use svc_core::pii::Pii;
use svc_core::resource::{ResourceReader, ResourceStore};
use svc_core::tenant::Scope;

use super::document::{DuplicateKey, SupplierDocument};
use super::list::Outline;
use super::register::Register;
use super::supplier::Supplier;
use crate::books::fiscal_year::Span;
use crate::invoicing::{DueDocument, DueLeads, PaymentLeads, UnmatchedPayment};
use crate::party::TaxId;

/// Reads suppliers.
#[async_trait]
pub trait SupplierReader: ResourceReader<Supplier> {
    /// The supplier that a contact is: one at most, for a merge of contacts makes one of two.
    async fn of_contact(
        &self,
        company: AccountId,
        contact: ContactId,
    ) -> Result<Option<SupplierId>, StoreError>;

    /// The contacts of these companies, or of all within the scope, whose names, trade names or mail addresses have a text:
    /// 10,000 at most.
    async fn contacts_with_text(
        &self,
        scope: &Scope,
        companies: &[AccountId],
        text: &str,
    ) -> Result<Vec<ContactId>, StoreError>;

    /// The contacts of these companies, or of all within the scope, with this tax id: 10,000 at most.
    async fn contacts_with_tax_id(
        &self,
        scope: &Scope,
        companies: &[AccountId],
        tax_id: &Pii<TaxId>,
    ) -> Result<Vec<ContactId>, StoreError>;
}

/// Changes suppliers.
///
/// # Implementing this port
/// A code that another supplier of the company has is [`StoreError::Taken`] with `supplierCode`.
pub trait SupplierStore: SupplierReader + ResourceStore<Supplier> {}

/// Reads supplier documents, whole or in outline.
#[async_trait]
pub trait SupplierDocumentReader: ResourceReader<SupplierDocument> + ResourceReader<Outline> {
    /// The document of a company with this key, which is neither rejected nor voided and does not share it.
    async fn with_key(
        &self,
        company: AccountId,
        key: &DuplicateKey,
    ) -> Result<Option<SupplierDocumentId>, StoreError>;

    /// The document of a company that has this payment of money.
    async fn of_payment(
        &self,
        company: AccountId,
        payment: PaymentId,
    ) -> Result<Option<SupplierDocumentId>, StoreError>;

    /// The approved documents of a company to which these lead: of each lead at most `limit`.
    async fn due(
        &self,
        company: AccountId,
        leads: &DueLeads,
        limit: u32,
    ) -> Result<Vec<DueDocument<SupplierDocumentId>>, StoreError>;

    /// Payments of money to which these lead and that no movement stands against, in the order of their days, at most
    /// `limit`. Cash that was kept nowhere is on no statement.
    async fn unmatched(
        &self,
        company: AccountId,
        leads: &PaymentLeads,
        limit: u32,
    ) -> Result<Vec<UnmatchedPayment>, StoreError>;

    /// How many documents of a company wait for approval that are to be booked within these days.
    async fn received_in(&self, company: AccountId, span: Span) -> Result<u64, StoreError>;

    /// The book of received documents of a company and year.
    async fn register(&self, company: AccountId, year: i32) -> Result<Register, StoreError>;
}

/// Changes supplier documents.
///
/// # Implementing this port
/// Two documents of a company with one [`DuplicateKey`], or one place in the register, are [`StoreError::Taken`] with
/// `supplierNumber` and `registerNumber`.
#[async_trait]
pub trait SupplierDocumentStore: SupplierDocumentReader + ResourceStore<SupplierDocument> {
    /// Keeps the last number of a book. The unit has it locked
    /// [`Exclusive`](svc_core::resource::Lock::Exclusive), so that numbers have no gaps and none is given twice.
    async fn set_register(&self, register: Register) -> Result<(), StoreError>;
}
