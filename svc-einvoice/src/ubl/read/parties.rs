//! Who sells, who buys, and how it is paid.

use crate::assembly::is_person;
use crate::error::ReadError;
use crate::means;
use crate::model::{Address, Party, Payment};
use crate::xml::Place;

pub(super) fn seller(root: &Place<'_>) -> Party {
    let Some(place) = root.at("AccountingSupplierParty/Party") else {
        root.lacks("AccountingSupplierParty/Party", "BG-4");
        return Party::default();
    };
    let party = party(&place, "BT-27", "BT-40");
    if party.tax_id().is_none() {
        place.lacks("PartyTaxScheme/CompanyID", "BT-31");
    }
    party
}

pub(super) fn buyer(root: &Place<'_>) -> Option<Party> {
    let Some(place) = root.at("AccountingCustomerParty/Party") else {
        root.lacks("AccountingCustomerParty/Party", "BG-7");
        return None;
    };
    Some(party(&place, "BT-44", "BT-55"))
}

fn party(place: &Place<'_>, name: &'static str, country: &'static str) -> Party {
    let trade_name = place.text("PartyName/Name");
    let registered = place.text("PartyLegalEntity/RegistrationName");
    let (name, trade_name) = match (registered, trade_name) {
        (Some(registered), trade_name) => (registered, trade_name),
        (None, Some(known)) => (known, None),
        (None, None) => (place.needed("PartyLegalEntity/RegistrationName", name), None),
    };
    let schemes = place.all("PartyTaxScheme");
    let (vat, other): (Vec<_>, Vec<_>) =
        schemes.iter().partition(|scheme| scheme.text("TaxScheme/ID").as_deref() == Some("VAT"));
    let registration = place.text("PartyLegalEntity/CompanyID");
    let mut party = Party {
        name,
        trade_name,
        is_person: false,
        vat_number: vat.first().and_then(|scheme| scheme.text("CompanyID")),
        registration: registration.or_else(|| other.first().and_then(|scheme| scheme.text("CompanyID"))),
        address: Address {
            street: place.text("PostalAddress/StreetName"),
            extra: place.text("PostalAddress/AdditionalStreetName"),
            city: place.text("PostalAddress/CityName"),
            postcode: place.text("PostalAddress/PostalZone"),
            province: place.text("PostalAddress/CountrySubentity"),
            country: place.needed("PostalAddress/Country/IdentificationCode", country),
        },
        email: place.text("Contact/ElectronicMail"),
        phone: place.text("Contact/Telephone"),
    };
    party.is_person = is_person(&party);
    party
}

pub(super) fn payment(root: &Place<'_>) -> Result<Payment, ReadError> {
    let due_date = match root.date("DueDate")? {
        Some(date) => Some(date),
        None => root.date("PaymentMeans/PaymentDueDate")?,
    };
    let account = root.text("PaymentMeans/PayeeFinancialAccount/ID");
    Ok(Payment {
        due_date,
        terms: root.text("PaymentTerms/Note"),
        method: root.text("PaymentMeans/PaymentMeansCode").map(|code| means::method(&code)),
        iban: account.map(|account| account.replace(' ', "")),
        bic: root.text("PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID"),
        remittance: root.text("PaymentMeans/PaymentID"),
    })
}
