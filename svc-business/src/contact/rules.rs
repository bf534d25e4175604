//! What a contact is after a client's input, and the rules that it must pass.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::pii::{Pii, PiiAccess};

use crate::account::Account;
use crate::contact::{
    Consent, ConsentInput, Contact, ContactInput, ContactRole, ContactStatus, Identity, Kind, PaymentMethod,
    StatusInput,
};
use crate::party::{
    BirthDate, ExtensionInput, Iban, Phone, TaxId, TaxIdKind, address, calendar_date, extension, line,
    masked_address, masked_null, masked_text, optional_line, paragraphs, parsed, percent, tags, value,
};

/// Where the input meets the rules.
pub(super) struct Setting<'a> {
    /// The company: its country is the default of addresses.
    pub(super) company: &'a Account,
    /// How the caller sees personal data.
    pub(super) access: PiiAccess,
    /// The instant of the call.
    pub(super) now: Timestamp,
    /// Whether the contact is new.
    pub(super) creating: bool,
}

/// `base` with the input applied; findings go to `checks`.
pub(super) fn apply(
    validator: &mut Validator,
    base: &Contact,
    input: ContactInput,
    setting: &Setting<'_>,
) -> Contact {
    let mut after = base.clone();
    guard_masked(validator, base, &input, setting);
    identity(validator, &mut after, &input, setting);
    let country = setting.company.country;
    address(validator, "address", input.address, &mut after.address, country);
    address(validator, "shippingAddress", input.shipping_address, &mut after.shipping_address, country);
    tax_id(validator, &mut after, input.tax_id_kind, &input.tax_id, setting);
    optional_line(validator, "tradeName", input.trade_name, &mut after.trade_name, 200);
    parsed(validator, "email", "invalid_email", &input.email, &mut after.email, |email| email);
    phone(validator, "phone", &input.phone, &mut after.phone);
    phone(validator, "mobile", &input.mobile, &mut after.mobile);
    if !masked_text(validator, "iban", &input.iban) {
        parsed(validator, "iban", "invalid_iban", &input.iban, &mut after.iban, Pii::<Iban>::new);
    }
    parsed(validator, "bic", "invalid_bic", &input.bic, &mut after.bic, |bic| bic);
    let mut language = Some(after.language);
    parsed(validator, "language", "invalid_language", &input.language, &mut language, |tag| tag);
    after.language = language.unwrap_or_else(|| setting.company.language.clone());
    let mut currency = Some(after.currency);
    parsed(validator, "currency", "invalid_currency", &input.currency, &mut currency, |currency| currency);
    after.currency = currency.unwrap_or(setting.company.base_currency);
    terms(validator, &mut after, input.payment_term_days, input.default_tax_code, input.withholding_rate);
    after.payment_method = input.payment_method.over(Some(after.payment_method)).unwrap_or(DEFAULT_METHOD);
    after.equivalence_surcharge =
        input.equivalence_surcharge.over(Some(after.equivalence_surcharge)).unwrap_or_default();
    roles(validator, &mut after, input.roles);
    tags(validator, "tags", input.tags, &mut after.tags);
    paragraphs(validator, "notes", input.notes, &mut after.notes);
    consent(validator, &mut after, input.consent, setting.now);
    status(validator, &mut after, input.status, setting.creating);
    let own = ExtensionInput { external_id: input.external_id, metadata: input.metadata };
    extension(validator, own, &mut after.extension);
    after.parent = input.parent.over(after.parent);
    after
}

/// Payment term of a contact that names none, in days.
pub(super) const DEFAULT_TERM: u16 = 30;
/// Payment method of a contact that names none.
pub(super) const DEFAULT_METHOD: PaymentMethod = PaymentMethod::Transfer;

fn guard_masked(validator: &mut Validator, base: &Contact, input: &ContactInput, setting: &Setting<'_>) {
    // A new contact has nothing that null could destroy.
    if !setting.creating {
        masked_null(validator, "dateOfBirth", &input.date_of_birth, setting.access);
        masked_address(validator, "address", &input.address, setting.access);
        masked_address(validator, "shippingAddress", &input.shipping_address, setting.access);
        // An organization has no date of birth: turning a person into one would lose it unseen.
        if let Identity::Person { date_of_birth: Some(_), .. } = &base.identity
            && matches!(input.kind, Patch::Value(Kind::Organization))
            && !setting.access.is_full()
        {
            validator.fail(
                "kind",
                "masked_value_rejected",
                "the date of birth would be lost: only a caller who sees personal data may do that",
            );
        }
    }
}

fn identity(validator: &mut Validator, after: &mut Contact, input: &ContactInput, setting: &Setting<'_>) {
    let stored = (!setting.creating).then_some(&after.identity);
    let kind = match input.kind {
        Patch::Value(kind) => kind,
        Patch::Absent if !setting.creating => after.kind(),
        Patch::Absent | Patch::Null => {
            return validator.fail("kind", "required", "expected person or organization");
        }
    };
    let next = match kind {
        Kind::Person => person(validator, stored, input, setting.now),
        Kind::Organization => organization(validator, stored, input),
    };
    if let Some(next) = next {
        after.identity = next;
    }
}

fn person(
    validator: &mut Validator,
    stored: Option<&Identity>,
    input: &ContactInput,
    now: Timestamp,
) -> Option<Identity> {
    let (given, family, born) = match stored {
        Some(Identity::Person { given_name, family_name, date_of_birth }) => {
            (Some(given_name), Some(family_name), date_of_birth.clone())
        }
        Some(Identity::Organization { .. }) | None => (None, None, None),
    };
    refuse(validator, "legalName", &input.legal_name, "a person has givenName and familyName");
    let given_name = name(validator, "givenName", &input.given_name, given);
    let family_name = name(validator, "familyName", &input.family_name, family);
    let date_of_birth = match &input.date_of_birth {
        Patch::Absent => born,
        Patch::Null => None,
        Patch::Value(text) => birth_date(validator, text, now),
    };
    Some(Identity::Person { given_name: given_name?, family_name: family_name?, date_of_birth })
}

fn organization(
    validator: &mut Validator,
    stored: Option<&Identity>,
    input: &ContactInput,
) -> Option<Identity> {
    let current = match stored {
        Some(Identity::Organization { legal_name }) => Some(legal_name),
        Some(Identity::Person { .. }) | None => None,
    };
    for (field, patch) in [
        ("givenName", &input.given_name),
        ("familyName", &input.family_name),
        ("dateOfBirth", &input.date_of_birth),
    ] {
        refuse(validator, field, patch, "only a person has this member");
    }
    let legal_name = name(validator, "legalName", &input.legal_name, current)?;
    Some(Identity::Organization { legal_name })
}

fn refuse(validator: &mut Validator, field: &str, patch: &Patch<String>, message: &'static str) {
    validator.require(!matches!(patch, Patch::Value(_)), field, "not_allowed", message);
}

/// A name that must be there. The blank one of an anonymous contact may stay.
fn name(
    validator: &mut Validator,
    field: &str,
    patch: &Patch<String>,
    stored: Option<&String>,
) -> Option<String> {
    match (patch, stored) {
        (Patch::Value(text), _) => line(validator, field, text, 200),
        (Patch::Absent, Some(stored)) => Some(stored.clone()),
        (Patch::Absent, None) | (Patch::Null, _) => {
            validator.fail(field, "required", "must be present");
            None
        }
    }
}

fn birth_date(validator: &mut Validator, text: &str, now: Timestamp) -> Option<Pii<BirthDate>> {
    let date = calendar_date(validator, "dateOfBirth", text)?;
    validator
        .require(date < now.date(), "dateOfBirth", "out_of_range", "must be in the past")
        .then(|| Pii::new(BirthDate(date)))
}

fn tax_id(
    validator: &mut Validator,
    after: &mut Contact,
    kind: Patch<TaxIdKind>,
    id: &Patch<String>,
    setting: &Setting<'_>,
) {
    if masked_text(validator, "taxId", id) {
        return;
    }
    let country = after.address.as_ref().map_or(setting.company.country, |address| value(address).country);
    let stored = after.tax_id.as_ref().map(|id| value(id).as_str().to_owned());
    let text = id.as_ref().map(|text| text.trim().to_owned()).over(stored);
    let outcome = match (kind, text) {
        (Patch::Absent, _) if id.is_absent() => return,
        (Patch::Value(TaxIdKind::None), Some(_)) => {
            return validator.fail("taxId", "not_allowed", "taxIdType none means that there is no tax id");
        }
        (Patch::Value(kind), None) => Ok((None, kind)),
        (Patch::Value(kind), Some(text)) => TaxId::parse(&text, kind).map(|id| (Some(id), kind)),
        (Patch::Absent | Patch::Null, None) => Ok((None, TaxIdKind::None)),
        (Patch::Null, Some(text)) => TaxId::guess(&text, country).map(|(id, kind)| (Some(id), kind)),
        // The present kind stands as long as the new value is of that kind.
        (Patch::Absent, Some(text)) => TaxId::parse(&text, after.tax_id_kind)
            .map(|id| (id, after.tax_id_kind))
            .or_else(|_| TaxId::guess(&text, country))
            .map(|(id, kind)| (Some(id), kind)),
    };
    if let Some((id, kind)) = validator.take("taxId", "invalid_tax_id", outcome) {
        after.tax_id = id.map(Pii::new);
        after.tax_id_kind = kind;
    }
}

fn phone(validator: &mut Validator, field: &str, patch: &Patch<String>, current: &mut Option<Pii<Phone>>) {
    if !masked_text(validator, field, patch) {
        parsed(validator, field, "invalid_phone", patch, current, Pii::new);
    }
}

fn terms(
    validator: &mut Validator,
    after: &mut Contact,
    days: Patch<i64>,
    tax_code: Patch<String>,
    withholding: Patch<String>,
) {
    match days.map(|days| u16::try_from(days).ok().filter(|days| *days <= 365)) {
        Patch::Absent => {}
        Patch::Null => after.payment_term_days = DEFAULT_TERM,
        Patch::Value(Some(days)) => after.payment_term_days = days,
        Patch::Value(None) => validator.fail("paymentTermDays", "out_of_range", "must be from 0 to 365"),
    }
    match tax_code {
        Patch::Absent => {}
        Patch::Null => after.default_tax_code = None,
        Patch::Value(code) => {
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            if validator.require(
                (1..=40).contains(&code.len()) && code.bytes().all(plain),
                "defaultTaxCode",
                "invalid_tax_code",
                "expected a tax code such as es_vat_21",
            ) {
                after.default_tax_code = Some(code);
            }
        }
    }
    match withholding.map(|text| percent(&text, 4)) {
        Patch::Absent => {}
        Patch::Null => after.withholding_rate = None,
        Patch::Value(Some(rate)) => after.withholding_rate = Some(rate),
        Patch::Value(None) => validator.fail(
            "withholdingRate",
            "out_of_range",
            "expected a percentage from \"0\" to \"100\" with at most 4 decimals",
        ),
    }
}

/// The supplier role belongs to the supplier record: an input neither sets nor clears it.
fn roles(validator: &mut Validator, after: &mut Contact, patch: Patch<BTreeSet<ContactRole>>) {
    let mut roles = match patch {
        Patch::Absent => return,
        Patch::Null => BTreeSet::new(),
        Patch::Value(roles) => roles,
    };
    let supplier = after.roles.contains(&ContactRole::Supplier);
    validator.require(
        supplier || !roles.contains(&ContactRole::Supplier),
        "roles",
        "not_allowed",
        "the supplier role is set by creating a supplier",
    );
    if supplier {
        roles.insert(ContactRole::Supplier);
    }
    after.roles = roles;
}

fn consent(validator: &mut Validator, after: &mut Contact, patch: Patch<ConsentInput>, now: Timestamp) {
    let input = match patch {
        Patch::Absent => return,
        Patch::Null => {
            after.consent = None;
            return;
        }
        Patch::Value(input) => input,
    };
    let mut nested = Validator::new();
    let source = input.source.and_then(|source| line(&mut nested, "source", &source, 200));
    let at = match input.at {
        Some(text) => {
            let at: Option<Timestamp> = nested.take("at", "invalid_date", text.parse());
            let past = at.is_none_or(|at| at <= now);
            nested.require(past, "at", "out_of_range", "must not be in the future");
            at
        }
        // Saying again what is on record already does not make it newer.
        None => Some(match &after.consent {
            Some(stored) if stored.marketing == input.marketing && stored.source == source => stored.at,
            Some(_) | None => now,
        }),
    };
    match (nested.finish(), at) {
        (Ok(()), Some(at)) => after.consent = Some(Consent { marketing: input.marketing, at, source }),
        (Ok(()), None) => {}
        (Err(invalid), _) => validator.nest("consent", invalid),
    }
}

fn status(validator: &mut Validator, after: &mut Contact, patch: Patch<StatusInput>, creating: bool) {
    match patch {
        Patch::Absent => {}
        Patch::Null => validator.fail("status", "required", "expected active or archived"),
        Patch::Value(_) if creating => {
            validator.fail("status", "not_allowed", "a new contact is active");
        }
        Patch::Value(StatusInput::Active) => after.status = ContactStatus::Active,
        Patch::Value(StatusInput::Archived) => after.status = ContactStatus::Archived,
    }
}
