//! A company as a client writes it.

use std::collections::BTreeMap;

use serde::Deserialize;
use svc_business::account::{AccountInput, LegalForm};
use svc_core::id::AccountId;
use svc_core::patch::Patch;
use utoipa::ToSchema;

use crate::json::{Input, Named};
use crate::party::{AddressBody, extension};

/// Members that the service computes.
const READ_ONLY: [&str; 12] = [
    "id",
    "object",
    "companyId",
    "version",
    "createdAt",
    "updatedAt",
    "groupId",
    "apiAccessEnabled",
    "status",
    "deactivatedAt",
    "mergedIntoId",
    "duplicateAccountIds",
];

/// A merge patch of a company.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = AccountUpdate)]
pub(crate) struct Update {
    /// Registered name, 1 to 200 characters; required on creation.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    legal_name: Patch<String>,
    /// Name that it trades under.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    trade_name: Patch<String>,
    /// Spanish ones are checked; masked values are refused.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    tax_id: Patch<String>,
    /// ISO 3166-1 alpha-2, default `ES`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    country: Patch<String>,
    /// BCP 47, default `es`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    language: Patch<String>,
    /// IANA name, default `Europe/Madrid`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    timezone: Patch<String>,
    /// Required on creation.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    legal_form: Patch<Named<LegalForm>>,
    /// Fiscal address.
    #[serde(default)]
    #[schema(value_type = Option<AddressBody>)]
    address: Patch<AddressBody>,
    /// E.164; masked values are refused.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone: Patch<String>,
    /// E-mail address.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    email: Patch<String>,
    /// http or https.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    website: Patch<String>,
    /// ISO 4217, default `EUR`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    base_currency: Patch<String>,
    /// The company above it, in the same group.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub(super) parent_account_id: Patch<AccountId>,
    /// 1 to 100 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    external_id: Patch<String>,
    /// At most 50 pairs; null for a key removes it.
    #[serde(default)]
    #[schema(value_type = Option<BTreeMap<String, Option<String>>>)]
    metadata: Patch<BTreeMap<String, Option<String>>>,
}

/// A subsidiary to create: the same members.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Create(pub(super) Update);

impl utoipa::PartialSchema for Create {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        Update::schema()
    }
}

impl ToSchema for Create {
    fn name() -> std::borrow::Cow<'static, str> {
        "AccountCreate".into()
    }

    fn schemas(all: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        Update::schemas(all);
    }
}

impl Input for Update {
    const READ_ONLY: &'static [&'static str] = &READ_ONLY;
}

impl Input for Create {
    const READ_ONLY: &'static [&'static str] = &READ_ONLY;
}

impl From<Update> for AccountInput {
    fn from(body: Update) -> Self {
        Self {
            legal_name: body.legal_name,
            trade_name: body.trade_name,
            tax_id: body.tax_id,
            country: body.country,
            language: body.language,
            timezone: body.timezone,
            legal_form: body.legal_form.map(|form| form.0),
            address: body.address.map(Into::into),
            phone: body.phone,
            email: body.email,
            website: body.website,
            base_currency: body.base_currency,
            parent: body.parent_account_id,
            extension: extension(body.external_id, body.metadata),
        }
    }
}
