//! The company that a command founds.

use clap::Args;
use serde::{Deserialize, Serialize, Serializer};
use svc_business::account::{AccountInput, LegalForm};
use svc_core::patch::Patch;

use crate::commands::parsed::parsed;

/// What a company is made of.
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Company {
    /// Registered name
    #[arg(long, value_name = "NAME")]
    legal_name: String,
    /// Name that it trades under
    #[arg(long, value_name = "NAME")]
    trade_name: Option<String>,
    /// Tax id; Spanish ones are checked
    #[arg(long, value_name = "ID")]
    tax_id: Option<String>,
    /// Where it is established [default: ES]
    #[arg(long, value_name = "CODE")]
    country: Option<String>,
    /// Language of its documents [default: es]
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Its time zone [default: Europe/Madrid]
    #[arg(long, value_name = "ZONE")]
    timezone: Option<String>,
    /// `sole_trader`, `sl`, `sa`, `cooperative`, `civil_partnership`, `association`, `foundation`,
    /// `community_of_property` or `other`
    #[arg(long, value_name = "FORM", default_value = "other")]
    #[serde(serialize_with = "name_of", deserialize_with = "parsed")]
    legal_form: LegalForm,
    /// Currency of its books [default: EUR]
    #[arg(long, value_name = "CODE")]
    base_currency: Option<String>,
    /// Its id in a system of yours
    #[arg(long, value_name = "ID")]
    external_id: Option<String>,
}

impl Company {
    /// A company of which only the name is known.
    pub(crate) fn named(legal_name: &str) -> Self {
        Self {
            legal_name: legal_name.to_owned(),
            trade_name: None,
            tax_id: None,
            country: None,
            language: None,
            timezone: None,
            legal_form: LegalForm::Other,
            base_currency: None,
            external_id: None,
        }
    }

    /// The same as the use case takes it.
    pub(crate) fn input(self) -> AccountInput {
        AccountInput {
            legal_name: Patch::Value(self.legal_name),
            trade_name: patch(self.trade_name),
            tax_id: patch(self.tax_id),
            country: patch(self.country),
            language: patch(self.language),
            timezone: patch(self.timezone),
            legal_form: Patch::Value(self.legal_form),
            base_currency: patch(self.base_currency),
            external_id: patch(self.external_id),
            ..AccountInput::default()
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references over")]
fn name_of<S: Serializer>(form: &LegalForm, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(form.name())
}

fn patch(value: Option<String>) -> Patch<String> {
    value.map_or(Patch::Absent, Patch::Value)
}
