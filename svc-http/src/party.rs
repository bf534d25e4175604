//! Wire forms that companies and contacts share.

use std::collections::BTreeMap;

use serde::Deserialize;
use svc_business::party::{AddressInput, ExtensionInput};
use svc_core::patch::Patch;
use utoipa::ToSchema;

/// A merge patch of a postal address.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = AddressInput)]
pub(crate) struct AddressBody {
    /// Street and number, at most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    line1: Patch<String>,
    /// Floor, door, building; at most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    line2: Patch<String>,
    /// At most 20 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    postal_code: Patch<String>,
    /// At most 100 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    city: Patch<String>,
    /// At most 100 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    province: Patch<String>,
    /// ISO 3166-1 alpha-2; the company's country when left out.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    country: Patch<String>,
}

impl From<AddressBody> for AddressInput {
    fn from(body: AddressBody) -> Self {
        Self {
            line1: body.line1,
            line2: body.line2,
            postal_code: body.postal_code,
            city: body.city,
            province: body.province,
            country: body.country,
        }
    }
}

/// A postal address; null without the personal-data option.
#[derive(Debug, ToSchema)]
#[schema(as = Address, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the view of svc-business in the document")]
pub(crate) struct AddressSchema {
    line1: Option<String>,
    line2: Option<String>,
    postal_code: Option<String>,
    city: Option<String>,
    province: Option<String>,
    /// ISO 3166-1 alpha-2.
    country: String,
}

/// What an integrator attaches to a resource.
pub(crate) fn extension(
    external_id: Patch<String>,
    metadata: Patch<BTreeMap<String, Option<String>>>,
) -> ExtensionInput {
    ExtensionInput { external_id, metadata }
}
