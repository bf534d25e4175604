//! What a client writes of a contact, and the rules that it must pass.

use std::collections::BTreeSet;

use svc_core::id::ContactId;
use svc_core::patch::Patch;

use crate::contact::{ContactRole, Kind, PaymentMethod};
use crate::party::{AddressInput, ExtensionInput, TaxIdKind};

/// A merge patch of a contact's writable members. The same type serves create
/// (a patch of nothing) and update.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactInput {
    /// `kind`; required on create.
    pub kind: Patch<Kind>,
    /// `givenName`; required for a person.
    pub given_name: Patch<String>,
    /// `familyName`; required for a person.
    pub family_name: Patch<String>,
    /// `legalName`; required for an organisation.
    pub legal_name: Patch<String>,
    /// `tradeName`
    pub trade_name: Patch<String>,
    /// `roles`
    pub roles: Patch<BTreeSet<ContactRole>>,
    /// `taxIdType`; guessed from the tax id when left out.
    pub tax_id_kind: Patch<TaxIdKind>,
    /// `taxId`
    pub tax_id: Patch<String>,
    /// `email`
    pub email: Patch<String>,
    /// `phone`
    pub phone: Patch<String>,
    /// `mobile`
    pub mobile: Patch<String>,
    /// `dateOfBirth`, `YYYY-MM-DD`
    pub date_of_birth: Patch<String>,
    /// `address`
    pub address: Patch<AddressInput>,
    /// `shippingAddress`
    pub shipping_address: Patch<AddressInput>,
    /// `iban`
    pub iban: Patch<String>,
    /// `bic`
    pub bic: Patch<String>,
    /// `parentContactId`
    pub parent: Patch<ContactId>,
    /// `language`; the company's when left out.
    pub language: Patch<String>,
    /// `currency`; the company's when left out.
    pub currency: Patch<String>,
    /// `paymentTermDays`, default 30
    pub payment_term_days: Patch<i64>,
    /// `paymentMethod`, default transfer
    pub payment_method: Patch<PaymentMethod>,
    /// `defaultTaxCode`
    pub default_tax_code: Patch<String>,
    /// `withholdingRate`
    pub withholding_rate: Patch<String>,
    /// `equivalenceSurcharge`
    pub equivalence_surcharge: Patch<bool>,
    /// `tags`
    pub tags: Patch<Vec<String>>,
    /// `notes`
    pub notes: Patch<String>,
    /// `consent`
    pub consent: Patch<ConsentInput>,
    /// `status`: archives or brings back; update only.
    pub status: Patch<StatusInput>,
    /// `externalId` and `metadata`
    pub extension: ExtensionInput,
    /// `allowDuplicate`: another active contact may have the same tax id.
    pub allow_duplicate: bool,
}

/// The statuses that a client may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusInput {
    /// `active`
    Active,
    /// `archived`
    Archived,
}

/// Consent as a client writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentInput {
    /// Whether it was given.
    pub marketing: bool,
    /// When; now when left out.
    pub at: Option<String>,
    /// Where.
    pub source: Option<String>,
}
