//! Sellers and buyers.

use super::cut;
use crate::error::WriteError;
use crate::facturae::codes;
use crate::model::{Address, Party};
use crate::xml::XmlWriter;

pub(super) fn party(xml: &mut XmlWriter, role: &str, party: &Party) -> Result<(), WriteError> {
    let missing = |term, what| WriteError::Missing { term, what };
    let tax_id = party.tax_id().ok_or(missing("TaxIdentificationNumber", "a tax number of each party"))?;
    if party.name.is_empty() {
        return Err(missing("CorporateName", "the name of each party"));
    }
    // Within Spain the number stands without the prefix of the country.
    let tax_id =
        if party.address.country == "ES" { tax_id.strip_prefix("ES").unwrap_or(tax_id) } else { tax_id };
    if !(3..=30).contains(&tax_id.chars().count()) {
        return Err(WriteError::Text { element: "TaxIdentificationNumber", expected: "3 to 30 characters" });
    }
    xml.open(role);
    xml.open("TaxIdentification");
    xml.leaf("PersonTypeCode", if party.is_person { "F" } else { "J" });
    xml.leaf("ResidenceTypeCode", codes::residence(&party.address.country));
    xml.leaf("TaxIdentificationNumber", tax_id);
    xml.close("TaxIdentification");
    let element = if party.is_person { "Individual" } else { "LegalEntity" };
    xml.open(element);
    if party.is_person {
        let (name, surnames) = party.name.split_once(' ').unwrap_or((&party.name, ""));
        xml.leaf("Name", cut(name, 40));
        xml.leaf("FirstSurname", cut(surnames, 40));
    } else {
        xml.leaf("CorporateName", cut(&party.name, 80));
        xml.optional("TradeName", party.trade_name.as_deref().map(|name| cut(name, 40)));
    }
    address(xml, &party.address)?;
    contact(xml, party);
    xml.close(element);
    xml.close(role);
    Ok(())
}

fn address(xml: &mut XmlWriter, address: &Address) -> Result<(), WriteError> {
    let missing = |term, what| WriteError::Missing { term, what };
    let country =
        codes::country(&address.country).ok_or(missing("CountryCode", "a known country of each party"))?;
    let street = address.street.as_deref().ok_or(missing("Address", "the street of each party"))?;
    let city = address.city.as_deref().ok_or(missing("Town", "the town of each party"))?;
    let postcode = address.postcode.as_deref().unwrap_or_default();
    let element = if country == "ESP" { "AddressInSpain" } else { "OverseasAddress" };
    xml.open(element);
    xml.leaf("Address", cut(street, 80));
    if country == "ESP" {
        if postcode.len() != 5 || !postcode.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(WriteError::Text { element: "PostCode", expected: "five digits" });
        }
        xml.leaf("PostCode", postcode);
        xml.leaf("Town", cut(city, 50));
    } else {
        xml.leaf("PostCodeAndTown", cut(format!("{postcode} {city}").trim(), 50));
    }
    xml.leaf("Province", cut(address.province.as_deref().unwrap_or_default(), 20));
    xml.leaf("CountryCode", country);
    xml.close(element);
    Ok(())
}

/// Numbers and addresses that are too long are left out: a part of one reaches nothing.
fn contact(xml: &mut XmlWriter, party: &Party) {
    let phone = party.phone.as_deref().filter(|text| text.chars().count() <= 15);
    let email = party.email.as_deref().filter(|text| text.chars().count() <= 60);
    if phone.is_some() || email.is_some() {
        xml.open("ContactDetails");
        xml.optional("Telephone", phone);
        xml.optional("ElectronicMail", email);
        xml.close("ContactDetails");
    }
}
