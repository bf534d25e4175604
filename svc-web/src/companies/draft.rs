//! What a form has of a company, as it was typed.

use serde_json::Value;
use svc_business::account::{Account, AccountInput, LegalForm};
use svc_business::party::{Address, AddressInput};
use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_http::visit::Form;

/// The fields of the form.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) legal_name: String,
    pub(super) trade_name: String,
    pub(super) legal_form: String,
    pub(super) tax_id: String,
    pub(super) line1: String,
    pub(super) line2: String,
    pub(super) postal_code: String,
    pub(super) city: String,
    pub(super) province: String,
    pub(super) address_country: String,
    pub(super) phone: String,
    pub(super) email: String,
    pub(super) website: String,
    pub(super) country: String,
    pub(super) language: String,
    pub(super) timezone: String,
    pub(super) base_currency: String,
    pub(super) external_id: String,
}

impl Draft {
    /// As it is kept, and as far as it may be seen.
    pub(super) fn of(company: &Account, access: PiiAccess) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let shown = |value: Option<Value>| match value {
            Some(Value::String(text)) => text,
            Some(_) | None => String::new(),
        };
        let (tax_id, phone) = (company.tax_id.as_ref(), company.phone.as_ref());
        // Its masked form is nothing at all.
        let address = company.address.as_ref().zip(access.proof());
        let address = address.map(|(address, proof)| address.revealed(proof));
        let part = |part: fn(&Address) -> &Option<String>| {
            address.and_then(|it| part(it).clone()).unwrap_or_default()
        };
        Self {
            legal_name: company.legal_name.clone(),
            trade_name: text(&company.trade_name),
            legal_form: company.legal_form.name().to_owned(),
            tax_id: shown(tax_id.and_then(|id| serde_json::to_value(id.show(access)).ok())),
            line1: part(|it| &it.line1),
            line2: part(|it| &it.line2),
            postal_code: part(|it| &it.postal_code),
            city: part(|it| &it.city),
            province: part(|it| &it.province),
            address_country: address.map(|it| it.country.code().to_owned()).unwrap_or_default(),
            phone: shown(phone.and_then(|phone| serde_json::to_value(phone.show(access)).ok())),
            email: company.email.as_ref().map(|email| email.as_str().to_owned()).unwrap_or_default(),
            website: company.website.as_ref().map(|site| site.as_str().to_owned()).unwrap_or_default(),
            country: company.country.code().to_owned(),
            language: company.language.as_str().to_owned(),
            timezone: company.timezone.clone(),
            base_currency: company.base_currency.code().to_owned(),
            external_id: text(&company.extension.external_id),
        }
    }

    /// As it was typed.
    pub(super) fn read(form: &Form) -> Self {
        let text = |name: &str| form.text(name).to_owned();
        Self {
            legal_name: text("legal-name"),
            trade_name: text("trade-name"),
            legal_form: text("legal-form"),
            tax_id: text("tax-id"),
            line1: text("line1"),
            line2: text("line2"),
            postal_code: text("postal-code"),
            city: text("city"),
            province: text("province"),
            address_country: text("address-country"),
            phone: text("phone"),
            email: text("email"),
            website: text("website"),
            country: text("country"),
            language: text("language"),
            timezone: text("timezone"),
            base_currency: text("base-currency"),
            external_id: text("external-id"),
        }
    }

    /// As the use case takes it: an empty field clears what may be missing.
    pub(super) fn input(&self) -> AccountInput {
        let text = |text: &String| if text.is_empty() { Patch::Null } else { Patch::Value(text.clone()) };
        let parts = [&self.line1, &self.line2, &self.postal_code, &self.city, &self.province];
        let has_address = parts.iter().any(|part| !part.is_empty());
        let address = AddressInput {
            line1: text(&self.line1),
            line2: text(&self.line2),
            postal_code: text(&self.postal_code),
            city: text(&self.city),
            province: text(&self.province),
            country: if self.address_country.is_empty() {
                Patch::Value(self.country.clone())
            } else {
                Patch::Value(self.address_country.clone())
            },
        };
        AccountInput {
            legal_name: text(&self.legal_name),
            trade_name: text(&self.trade_name),
            tax_id: text(&self.tax_id),
            country: text(&self.country),
            language: text(&self.language),
            timezone: text(&self.timezone),
            legal_form: self.legal_form.parse::<LegalForm>().map_or(Patch::Null, Patch::Value),
            address: if has_address { Patch::Value(address) } else { Patch::Null },
            phone: text(&self.phone),
            email: text(&self.email),
            website: text(&self.website),
            base_currency: text(&self.base_currency),
            external_id: text(&self.external_id),
            ..AccountInput::default()
        }
    }
}
