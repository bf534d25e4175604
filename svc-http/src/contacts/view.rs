//! A contact as a response carries it.

use std::collections::BTreeMap;

use http::StatusCode;
use serde::Serialize;
use svc_business::contact::{Consent, Contact, ContactStatus, Identity};
use svc_business::party::AddressView;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::party::AddressSchema;

/// A person or organisation that a company deals with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Contact)]
pub(crate) struct View {
    #[schema(value_type = String)]
    id: ContactId,
    /// `contact`
    object: &'static str,
    #[schema(value_type = String)]
    company_id: AccountId,
    version: i64,
    /// `person` or `organization`
    kind: &'static str,
    /// The name to show.
    name: String,
    given_name: Option<String>,
    family_name: Option<String>,
    legal_name: Option<String>,
    trade_name: Option<String>,
    /// `customer`, `supplier`, `worker`, `lead`, `other`
    roles: Vec<&'static str>,
    /// `nif`, `nie`, `vat_eu`, `passport`, `foreign_id` or `none`
    tax_id_type: &'static str,
    /// Masked but for the first and the last two characters.
    #[schema(value_type = Option<String>)]
    tax_id: Option<Shown<String>>,
    tax_id_valid: bool,
    email: Option<String>,
    /// Masked but for the last three digits.
    #[schema(value_type = Option<String>)]
    phone: Option<Shown<String>>,
    /// Masked but for the last three digits.
    #[schema(value_type = Option<String>)]
    mobile: Option<Shown<String>>,
    /// Null when masked.
    #[schema(value_type = Option<String>)]
    date_of_birth: Option<Shown<String>>,
    /// Null when masked.
    #[schema(value_type = Option<AddressSchema>)]
    address: Option<Shown<AddressView>>,
    /// Null when masked.
    #[schema(value_type = Option<AddressSchema>)]
    shipping_address: Option<Shown<AddressView>>,
    /// Masked but for the first four and the last four characters.
    #[schema(value_type = Option<String>)]
    iban: Option<Shown<String>>,
    bic: Option<String>,
    #[schema(value_type = Option<String>)]
    parent_contact_id: Option<ContactId>,
    language: String,
    currency: &'static str,
    payment_term_days: u16,
    /// `transfer`, `direct_debit`, `card`, `cash`, `bill` or `other`
    payment_method: &'static str,
    default_tax_code: Option<String>,
    withholding_rate: Option<String>,
    equivalence_surcharge: bool,
    receivable_account_code: Option<String>,
    payable_account_code: Option<String>,
    tags: Vec<String>,
    notes: Option<String>,
    consent: Option<ConsentView>,
    /// `active`, `archived` or `merged`
    status: &'static str,
    /// The survivor of a merged contact.
    #[schema(value_type = Option<String>)]
    merged_into_id: Option<ContactId>,
    external_id: Option<String>,
    metadata: BTreeMap<String, String>,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

/// Consent to marketing.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Consent)]
struct ConsentView {
    marketing: bool,
    #[schema(value_type = String)]
    at: Timestamp,
    source: Option<String>,
}

/// A single contact as an answer.
pub(super) fn answer(status: StatusCode, contact: Contact) -> Answer {
    let (company, version) = (contact.company, contact.version);
    Answer::personal(status, move |access| View::of(&contact, access)).of(company).version(version)
}

impl View {
    /// The contact as this sight may see it.
    pub(super) fn of(contact: &Contact, access: PiiAccess) -> Self {
        let names = names(&contact.identity, access);
        let merged_into_id = match contact.status {
            ContactStatus::Active | ContactStatus::Archived => None,
            ContactStatus::Merged { into } => Some(into),
        };
        Self {
            id: contact.id,
            object: Contact::NAME,
            company_id: contact.company,
            version: contact.version.as_i64(),
            kind: contact.kind().name(),
            name: contact.name(),
            given_name: names.given,
            family_name: names.family,
            legal_name: names.legal,
            trade_name: contact.trade_name.clone(),
            roles: contact.roles.iter().map(|role| role.name()).collect(),
            tax_id_type: contact.tax_id_kind.name(),
            tax_id: contact.tax_id.as_ref().map(|id| id.show(access)),
            tax_id_valid: contact.tax_id_valid(),
            email: contact.email.as_ref().map(|email| email.as_str().to_owned()),
            phone: contact.phone.as_ref().map(|phone| phone.show(access)),
            mobile: contact.mobile.as_ref().map(|mobile| mobile.show(access)),
            date_of_birth: names.born,
            address: contact.address.as_ref().map(|address| address.show(access)),
            shipping_address: contact.shipping_address.as_ref().map(|address| address.show(access)),
            iban: contact.iban.as_ref().map(|iban| iban.show(access)),
            bic: contact.bic.as_ref().map(|bic| bic.as_str().to_owned()),
            parent_contact_id: contact.parent,
            language: contact.language.as_str().to_owned(),
            currency: contact.currency.code(),
            payment_term_days: contact.payment_term_days,
            payment_method: contact.payment_method.name(),
            default_tax_code: contact.default_tax_code.clone(),
            withholding_rate: contact.withholding_rate.clone(),
            equivalence_surcharge: contact.equivalence_surcharge,
            receivable_account_code: contact.receivable_account_code.clone(),
            payable_account_code: contact.payable_account_code.clone(),
            tags: contact.tags.clone(),
            notes: contact.notes.clone(),
            consent: contact.consent.as_ref().map(consent),
            status: contact.status.name(),
            merged_into_id,
            external_id: contact.extension.external_id.clone(),
            metadata: contact.extension.metadata.clone(),
            created_at: contact.created_at,
            updated_at: contact.updated_at,
        }
    }
}

#[derive(Default)]
struct Names {
    given: Option<String>,
    family: Option<String>,
    legal: Option<String>,
    born: Option<Shown<String>>,
}

fn names(identity: &Identity, access: PiiAccess) -> Names {
    match identity {
        Identity::Person { given_name, family_name, date_of_birth } => Names {
            given: Some(given_name.clone()),
            family: Some(family_name.clone()),
            born: date_of_birth.as_ref().map(|born| born.show(access)),
            legal: None,
        },
        Identity::Organization { legal_name } => {
            Names { legal: Some(legal_name.clone()), ..Names::default() }
        }
    }
}

fn consent(consent: &Consent) -> ConsentView {
    ConsentView { marketing: consent.marketing, at: consent.at, source: consent.source.clone() }
}
