//! Who sells, who buys, and how it is paid.

use crate::error::ReadError;
use crate::facturae::codes;
use crate::model::{Address, Party, Payment};
use crate::xml::Place;

pub(super) fn party(root: &Place<'_>, role: &str, term: &'static str) -> Party {
    let Some(place) = root.at("Parties").and_then(|parties| parties.at(role)) else {
        root.lacks(&format!("Parties/{role}"), term);
        return Party::default();
    };
    let person = place.at("Individual");
    let entity = person.clone().or_else(|| place.at("LegalEntity"));
    let Some(entity) = entity else {
        place.lacks("LegalEntity", term);
        return Party::default();
    };
    let name = if person.is_some() {
        let parts = ["Name", "FirstSurname", "SecondSurname"].map(|part| entity.text(part));
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    } else {
        entity.needed("CorporateName", term)
    };
    let address = address(&entity);
    let number = place.needed("TaxIdentification/TaxIdentificationNumber", "BT-31");
    let (vat_number, registration) = numbers(number, &address.country);
    Party {
        name,
        trade_name: entity.text("TradeName"),
        is_person: person.is_some(),
        vat_number,
        registration,
        address,
        email: entity.text("ContactDetails/ElectronicMail"),
        phone: entity.text("ContactDetails/Telephone"),
    }
}

/// The number as one of VAT, with the prefix of its country, or as another one.
fn numbers(number: String, country: &str) -> (Option<String>, Option<String>) {
    if number.is_empty() {
        return (None, None);
    }
    // Greece has a prefix of its own.
    let prefix = if country == "GR" { "EL" } else { country };
    if country == "ES" && !number.starts_with("ES") {
        return (Some(format!("ES{number}")), None);
    }
    if codes::in_union(country) && number.starts_with(prefix) {
        return (Some(number), None);
    }
    (None, Some(number))
}

fn address(entity: &Place<'_>) -> Address {
    let home = entity.at("AddressInSpain");
    let Some(place) = home.clone().or_else(|| entity.at("OverseasAddress")) else {
        entity.lacks("AddressInSpain", "BG-5");
        return Address::default();
    };
    let (postcode, city) = if home.is_some() {
        (place.text("PostCode"), place.text("Town"))
    } else {
        parted(&place.text("PostCodeAndTown").unwrap_or_default())
    };
    let country = place.needed("CountryCode", "BT-40");
    let country = codes::country_from(&country).map_or(country, str::to_owned);
    let (street, province) = (place.text("Address"), place.text("Province"));
    Address { street, extra: None, city, postcode, province, country }
}

/// The code and the town, where the first word has a digit.
fn parted(text: &str) -> (Option<String>, Option<String>) {
    let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    match text.split_once(' ') {
        Some((code, town)) if code.bytes().any(|byte| byte.is_ascii_digit()) => (some(code), some(town)),
        _ => (None, some(text)),
    }
}

/// The first instalment.
pub(super) fn payment(place: &Place<'_>) -> Result<Payment, ReadError> {
    let Some(place) = place.at("PaymentDetails/Installment") else { return Ok(Payment::default()) };
    Ok(Payment {
        due_date: place.date("InstallmentDueDate")?,
        terms: place.text("CollectionAdditionalInformation"),
        method: place.text("PaymentMeans").map(|code| codes::means_from(&code)),
        iban: place.text("AccountToBeCredited/IBAN").map(|account| account.replace(' ', "")),
        bic: place.text("AccountToBeCredited/BIC"),
        remittance: place.text("PaymentReconciliationReference"),
    })
}
