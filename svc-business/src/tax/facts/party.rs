//! Contacts as the other side of an operation.

use svc_tax_forms::Party;

use crate::contact::{Contact, Identity};
use crate::party::{Country, TaxIdKind};

/// A contact as returns name it: surnames first, and with the country in front of the VAT numbers of others.
#[must_use]
#[expect(
    clippy::disallowed_methods,
    reason = "what a return declares is whole; who reads it is masked when it is shown"
)]
pub fn party(contact: &Contact) -> Party {
    let address = contact.address.as_ref().map(svc_core::pii::Pii::expose);
    let tax_id = contact.tax_id.as_ref().map(|tax_id| tax_id.expose().as_str().to_owned());
    let of_address = address.map(|address| address.country.code().to_owned());
    let of_number = tax_id.as_deref().filter(|_| contact.tax_id_kind == TaxIdKind::VatEu);
    let of_number = of_number.and_then(|number| number.get(..2)).map(country);
    let country = of_number.or(of_address).unwrap_or_else(|| Country::SPAIN.code().to_owned());
    let postal_code = address.and_then(|address| address.postal_code.as_deref());
    let province = postal_code.filter(|_| country == Country::SPAIN.code()).and_then(province);
    let name = match &contact.identity {
        Identity::Person { given_name, family_name, .. } => format!("{family_name} {given_name}"),
        Identity::Organization { legal_name } => legal_name.clone(),
    };
    Party { id: contact.id.to_string(), tax_id, name: name.trim().to_owned(), country, province }
}

/// The country of the prefix of a VAT number: that of Greece is its own.
fn country(prefix: &str) -> String {
    if prefix == "EL" { "GR".to_owned() } else { prefix.to_owned() }
}

/// The two digits of a Spanish province: the first ones of its postal codes.
fn province(postal_code: &str) -> Option<String> {
    let digits = postal_code.len() == 5 && postal_code.bytes().all(|byte| byte.is_ascii_digit());
    let province = postal_code.get(..2).filter(|_| digits)?;
    ("01"..="52").contains(&province).then(|| province.to_owned())
}
