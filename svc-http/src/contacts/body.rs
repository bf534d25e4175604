//! A contact as a client writes it.

use std::collections::BTreeMap;

use serde::Deserialize;
use svc_business::contact::{ConsentInput, ContactInput, ContactRole, Kind, PaymentMethod, StatusInput};
use svc_business::party::TaxIdKind;
use svc_core::id::{AccountId, ContactId};
use svc_core::patch::Patch;
use utoipa::ToSchema;

use crate::json::{Input, Named};
use crate::party::{AddressBody, extension};

/// Members that the service computes.
const COMPUTED: [&str; 11] = [
    "id",
    "object",
    "version",
    "createdAt",
    "updatedAt",
    "name",
    "taxIdValid",
    "receivableAccountCode",
    "payableAccountCode",
    "mergedIntoId",
    "status",
];

macro_rules! contact_body {
    ($(#[$doc:meta])* $name:ident { $($(#[$extra_doc:meta])* $extra:ident: $type:ty,)* }) => {
        #[derive(Debug, Default, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        $(#[$doc])*
        pub(crate) struct $name {
            $($(#[$extra_doc])* pub(super) $extra: $type,)*
        /// `person` or `organization`; required on creation, fixed afterwards.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            kind: Patch<Named<Kind>>,
        /// Required for a person.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            given_name: Patch<String>,
        /// Required for a person.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            family_name: Patch<String>,
        /// Required for an organisation.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            legal_name: Patch<String>,
        /// Name that it trades under.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            trade_name: Patch<String>,
        /// `customer`, `supplier`, `worker`, `lead`, `other`
            #[serde(default)]
            #[schema(value_type = Option<Vec<String>>)]
            roles: Patch<Vec<Named<ContactRole>>>,
        /// `nif`, `nie`, `vat_eu`, `passport`, `foreign_id` or `none`; guessed from the tax id when left out.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            tax_id_type: Patch<Named<TaxIdKind>>,
        /// Checked by the rules of its type; masked values are refused.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            tax_id: Patch<String>,
        /// E-mail address.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            email: Patch<String>,
        /// E.164; masked values are refused.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            phone: Patch<String>,
        /// E.164; masked values are refused.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            mobile: Patch<String>,
        /// `YYYY-MM-DD`, in the past; persons only.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            date_of_birth: Patch<String>,
        /// Postal address.
            #[serde(default)]
            #[schema(value_type = Option<AddressBody>)]
            address: Patch<AddressBody>,
        /// Where goods go.
            #[serde(default)]
            #[schema(value_type = Option<AddressBody>)]
            shipping_address: Patch<AddressBody>,
        /// Checked; masked values are refused.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            iban: Patch<String>,
        /// 8 or 11 characters.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            bic: Patch<String>,
        /// The organisation of a person.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            parent_contact_id: Patch<ContactId>,
        /// BCP 47; the company's when left out.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            language: Patch<String>,
        /// ISO 4217; the company's when left out.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            currency: Patch<String>,
        /// 0 to 365, default 30.
            #[serde(default)]
            #[schema(value_type = Option<i64>)]
            payment_term_days: Patch<i64>,
        /// `transfer`, `direct_debit`, `card`, `cash`, `bill` or `other`
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            payment_method: Patch<Named<PaymentMethod>>,
        /// Proposed on sales.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            default_tax_code: Patch<String>,
        /// Percent as a decimal string.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            withholding_rate: Patch<String>,
        /// Whether sales carry the equivalence surcharge.
            #[serde(default)]
            #[schema(value_type = Option<bool>)]
            equivalence_surcharge: Patch<bool>,
        /// Free labels.
            #[serde(default)]
            #[schema(value_type = Option<Vec<String>>)]
            tags: Patch<Vec<String>>,
        /// Free text.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            notes: Patch<String>,
        /// Consent to marketing.
            #[serde(default)]
            #[schema(value_type = Option<ConsentBody>)]
            consent: Patch<ConsentBody>,
        /// 1 to 100 characters, unique per company.
            #[serde(default)]
            #[schema(value_type = Option<String>)]
            external_id: Patch<String>,
        /// At most 50 pairs; null for a key removes it.
            #[serde(default)]
            #[schema(value_type = Option<BTreeMap<String, Option<String>>>)]
            metadata: Patch<BTreeMap<String, Option<String>>>,
        }

        impl From<$name> for ContactInput {
            fn from(body: $name) -> Self {
                Self {
                    kind: body.kind.map(|kind| kind.0),
                    given_name: body.given_name,
                    family_name: body.family_name,
                    legal_name: body.legal_name,
                    trade_name: body.trade_name,
                    roles: body.roles.map(|roles| roles.into_iter().map(|role| role.0).collect()),
                    tax_id_kind: body.tax_id_type.map(|kind| kind.0),
                    tax_id: body.tax_id,
                    email: body.email,
                    phone: body.phone,
                    mobile: body.mobile,
                    date_of_birth: body.date_of_birth,
                    address: body.address.map(Into::into),
                    shipping_address: body.shipping_address.map(Into::into),
                    iban: body.iban,
                    bic: body.bic,
                    parent: body.parent_contact_id,
                    language: body.language,
                    currency: body.currency,
                    payment_term_days: body.payment_term_days,
                    payment_method: body.payment_method.map(|method| method.0),
                    default_tax_code: body.default_tax_code,
                    withholding_rate: body.withholding_rate,
                    equivalence_surcharge: body.equivalence_surcharge,
                    tags: body.tags,
                    notes: body.notes,
                    consent: body.consent.map(Into::into),
                    status: Patch::Absent,
                    extension: extension(body.external_id, body.metadata),
                    allow_duplicate: body.allow_duplicate,
                }
            }
        }
    };
}

contact_body! {
    /// A contact to create.
    #[schema(as = ContactCreate)]
    Create {
        /// The company that it goes to; the token's primary account when left out.
        #[serde(default)]
        #[schema(value_type = Option<String>, nullable = false)]
        company_id: Option<AccountId>,
        /// Another active contact may have the same tax id.
        #[serde(default)]
        allow_duplicate: bool,
    }
}

contact_body! {
    /// A merge patch of a contact.
    #[schema(as = ContactUpdate)]
    Update {
        /// `active` or `archived`
        #[serde(default)]
        #[schema(value_type = Option<String>, nullable = false)]
        status: Patch<Named<Status>>,
        /// Another active contact may have the same tax id.
        #[serde(default)]
        allow_duplicate: bool,
    }
}

impl Input for Create {
    const READ_ONLY: &'static [&'static str] = &COMPUTED;
}

impl Input for Update {
    const READ_ONLY: &'static [&'static str] = &[
        "id",
        "object",
        "companyId",
        "version",
        "createdAt",
        "updatedAt",
        "name",
        "taxIdValid",
        "receivableAccountCode",
        "payableAccountCode",
        "mergedIntoId",
    ];
}

impl Update {
    /// The patch with the status that it sets.
    pub(super) fn into_input(self) -> ContactInput {
        let status = self.status.map(|Named(Status(status))| status);
        ContactInput { status, ..self.into() }
    }
}

/// A status that a client may set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Status(StatusInput);

impl std::str::FromStr for Status {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "active" => Ok(Self(StatusInput::Active)),
            "archived" => Ok(Self(StatusInput::Archived)),
            _ => Err("expected active or archived"),
        }
    }
}

/// Consent to marketing.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ConsentInput)]
pub(super) struct ConsentBody {
    /// Whether it was given.
    marketing: bool,
    /// When, RFC 3339; now when left out.
    at: Option<String>,
    /// Where: a form, a call. At most 200 characters.
    source: Option<String>,
}

impl From<ConsentBody> for ConsentInput {
    fn from(body: ConsentBody) -> Self {
        Self { marketing: body.marketing, at: body.at, source: body.source }
    }
}
