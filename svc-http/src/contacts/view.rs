//! A contact as a response carries it.

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::contact::{Consent, Contact, ContactRole, ContactStatus, Identity, Kind, PaymentMethod};
use svc_business::party::{AddressView, TaxIdKind};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;

wire_view! {
    /// A person or organisation that a company deals with.
    #[derive(Debug)]
    pub(crate) struct View as "Contact" {
        id: ContactId,
        object: &'static str => Form::one_of(&["contact"]),
        company_id: AccountId,
        version: i64,
        kind: Kind => Form::ANY.example("organization"),
        /// The name to show.
        name: String => Form::ANY.example("Ferretería Sol SL"),
        /// Of a person.
        given_name: Option<String>,
        /// Of a person.
        family_name: Option<String>,
        /// Of an organisation.
        legal_name: Option<String> => Form::ANY.example("Ferretería Sol SL"),
        trade_name: Option<String> => Form::ANY.example("Ferretería Sol"),
        /// What it is to the company.
        roles: Vec<ContactRole>,
        tax_id_type: TaxIdKind,
        /// Masked but for the first and the last two characters.
        tax_id: Option<Shown<String>> => Form::ANY.example("B******74"),
        tax_id_valid: bool,
        email: Option<String> => Form::EMAIL.example("hola@ferreteriasol.example"),
        /// Masked but for the last three digits.
        phone: Option<Shown<String>> => Form::ANY.example("*********000"),
        /// Masked but for the last three digits.
        mobile: Option<Shown<String>>,
        /// Null when masked.
        date_of_birth: Option<Shown<String>> => Form::DATE.json("null"),
        /// Null when masked.
        address: Option<Shown<AddressView>> => Form::ANY.json("null"),
        /// Null when masked.
        shipping_address: Option<Shown<AddressView>> => Form::ANY.json("null"),
        /// Masked but for the first four and the last four characters.
        iban: Option<Shown<String>>,
        bic: Option<String>,
        parent_contact_id: Option<ContactId> => Form::ANY.json("null"),
        language: String => Form::ANY.example("es"),
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// Days until an invoice is due.
        payment_term_days: u16 => Form::range(0, 365).number(30),
        /// How it pays or is paid.
        payment_method: PaymentMethod,
        default_tax_code: Option<String>,
        withholding_rate: Option<String>,
        equivalence_surcharge: bool,
        receivable_account_code: Option<String>,
        payable_account_code: Option<String>,
        tags: Vec<String> => Form::ANY.json("[]"),
        notes: Option<String>,
        consent: Option<ConsentView> => Form::ANY.json("null"),
        status: &'static str => Form::one_of(ContactStatus::NAMES),
        /// The survivor of a merged contact.
        merged_into_id: Option<ContactId> => Form::ANY.json("null"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// Consent to marketing.
    #[derive(Debug)]
    struct ConsentView as "Consent" {
        marketing: bool,
        at: Timestamp,
        source: Option<String>,
    }
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
            kind: contact.kind(),
            name: contact.name(),
            given_name: names.given,
            family_name: names.family,
            legal_name: names.legal,
            trade_name: contact.trade_name.clone(),
            roles: contact.roles.iter().copied().collect(),
            tax_id_type: contact.tax_id_kind,
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
            payment_method: contact.payment_method,
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
