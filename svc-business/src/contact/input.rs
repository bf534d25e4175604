//! What a client writes of a contact.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::id::ContactId;
use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_core::wire::Form;
use svc_core::{wire_names, wire_patch, wire_request};

use crate::contact::{ContactRole, Kind, PaymentMethod};
use crate::party::{AddressInput, TaxIdKind, form};

wire_patch! {
    /// A person or organisation that a company deals with, as a client writes it.
    pub struct ContactInput as "Contact" in company
        computed [name, taxIdValid, receivableAccountCode, payableAccountCode]
    {
        /// May change until a document is issued to the contact.
        [always] kind: Patch<Kind> => Form::ANY.example("organization"),
        /// Required for a person.
        given_name: Patch<String> => Form::text(1, 200),
        /// Required for a person.
        family_name: Patch<String> => Form::text(1, 200),
        /// Required for an organisation.
        legal_name: Patch<String> => Form::text(1, 200).example("Ferretería Sol SL"),
        /// Name that it trades under.
        trade_name: Patch<String> => Form::text(1, 200).example("Ferretería Sol"),
        /// What it is to the company. The role of a supplier comes and goes with the supplier record.
        roles: Patch<BTreeSet<ContactRole>> => Form::ANY.json(r#"["customer"]"#),
        /// Guessed from the tax id when left out.
        tax_id_kind as "taxIdType": Patch<TaxIdKind>,
        /// Checked by the rules of its type; masked values are refused.
        tax_id: Patch<String> => form::TAX_ID,
        /// E-mail address.
        email: Patch<String> => Form::EMAIL.example("hola@ferreteriasol.example"),
        /// Landline, E.164; masked values are refused.
        phone: Patch<String> => form::PHONE,
        /// Mobile phone, E.164; masked values are refused.
        mobile: Patch<String> => form::PHONE,
        /// In the past; persons only.
        date_of_birth: Patch<String> => Form::DATE,
        /// Postal address.
        address: Patch<AddressInput>,
        /// Where goods go.
        shipping_address: Patch<AddressInput>,
        /// Bank account; masked values are refused.
        iban: Patch<String> => form::IBAN,
        /// Its bank, ISO 9362.
        bic: Patch<String> => form::BIC,
        /// The organisation of a person.
        parent as "parentContactId": Patch<ContactId>,
        /// BCP 47; the company's when left out.
        language: Patch<String> => form::LANGUAGE,
        /// ISO 4217; the company's when left out.
        currency: Patch<String> => form::CURRENCY,
        /// Days until an invoice is due, 30 unless said otherwise.
        payment_term_days: Patch<i64> => Form::range(0, 365).number(30),
        /// How it pays or is paid, by transfer unless said otherwise.
        payment_method: Patch<PaymentMethod>,
        /// Proposed on sales.
        default_tax_code: Patch<String> => Form::pattern("^[a-z0-9_]{1,40}$").length(1, 40),
        /// Proposed on sales: percent, as a decimal string.
        withholding_rate: Patch<String> => form::PERCENT,
        /// Whether sales carry the equivalence surcharge.
        equivalence_surcharge: Patch<bool>,
        /// Free labels, no two alike.
        tags: Patch<Vec<String>> => form::TAGS,
        /// Free text.
        notes: Patch<String> => Form::text(0, 10_000),
        /// Consent to marketing.
        consent: Patch<ConsentInput>,
        /// Archives a contact or brings it back.
        [update] status: Patch<StatusInput>,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
        /// Another active contact may have the same tax id.
        allow_duplicate: bool,
    }
}

impl ContactInput {
    /// Whether it writes a member that a caller with this access sees masked.
    pub(super) fn writes_unseen(&self, access: PiiAccess) -> bool {
        let texts = [&self.tax_id, &self.phone, &self.mobile, &self.date_of_birth, &self.iban];
        let addresses = [&self.address, &self.shipping_address];
        let written = texts.iter().any(|text| !text.is_absent())
            || addresses.iter().any(|address| !address.is_absent());
        written && !access.is_full()
    }
}

/// The statuses that a client may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusInput {
    /// `active`
    Active,
    /// `archived`
    Archived,
}

wire_names!(StatusInput { Active = "active", Archived = "archived" });

wire_request! {
    /// Consent to marketing.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ConsentInput as "ConsentInput" {
        /// Whether it was given.
        pub marketing: bool,
        /// When; now when left out.
        pub at: Option<String> => Form::INSTANT,
        /// Where: a form, a call.
        pub source: Option<String> => Form::text(1, 200),
    }
}
