//! Sellers and buyers of their snapshots.

use svc_business::party::{Address as Postal, TaxIdKind};
use svc_business::sales::document::{Customer, Issuer};
use svc_core::pii::{Pii, Reveal};

use super::phone;
use crate::model::{Address, Party};

/// The company that sells; `untaxed` when it sells nothing but what is outside the tax.
pub(super) fn seller(issuer: &Issuer, untaxed: bool, proof: Reveal) -> Party {
    let tax_id = issuer.tax_id.as_ref().map(|id| id.revealed(proof).as_str().to_owned());
    let is_person = tax_id.as_deref().is_some_and(is_of_person);
    let country = issuer.country.code();
    let prefixed = tax_id.as_deref().map(|id| prefixed(id, country));
    Party {
        name: issuer.name.clone(),
        trade_name: issuer.trade_name.clone(),
        is_person,
        vat_number: prefixed.filter(|_| !untaxed),
        registration: tax_id.filter(|_| untaxed),
        address: address(issuer.address.as_ref(), country, proof),
        email: issuer.email.as_ref().map(|email| email.as_str().to_owned()),
        phone: issuer.phone.as_ref().map(|number| phone(number.revealed(proof))),
    }
}

/// Who buys.
pub(super) fn buyer(customer: &Customer, untaxed: bool, proof: Reveal) -> Party {
    let tax_id = customer.tax_id.as_ref().map(|id| id.revealed(proof).as_str().to_owned());
    let country = customer.country.code();
    let is_person = match customer.tax_id_kind {
        TaxIdKind::Nif => tax_id.as_deref().is_some_and(is_of_person),
        TaxIdKind::VatEu => tax_id.as_deref().and_then(|id| id.strip_prefix("ES")).is_some_and(is_of_person),
        TaxIdKind::Nie | TaxIdKind::Passport => true,
        TaxIdKind::ForeignId | TaxIdKind::None => false,
    };
    let of_vat = tax_id.as_deref().and_then(|id| match customer.tax_id_kind {
        TaxIdKind::Nif | TaxIdKind::Nie => Some(prefixed(id, "ES")),
        // It has the prefix of its member state, which need not be that of the address.
        TaxIdKind::VatEu => Some(id.to_owned()),
        TaxIdKind::Passport | TaxIdKind::ForeignId | TaxIdKind::None => None,
    });
    Party {
        name: customer.name.clone(),
        trade_name: None,
        is_person,
        registration: tax_id.filter(|_| of_vat.is_none() || untaxed),
        vat_number: of_vat.filter(|_| !untaxed),
        address: address(customer.address.as_ref(), country, proof),
        email: customer.email.as_ref().map(|email| email.as_str().to_owned()),
        phone: customer.phone.as_ref().map(|number| phone(number.revealed(proof))),
    }
}

/// A NIF that begins with a digit, or with a letter of persons, is one.
fn is_of_person(tax_id: &str) -> bool {
    tax_id.starts_with(|first: char| first.is_ascii_digit() || "KLMXYZ".contains(first))
}

/// The number behind its country, which one of another member state has already; Greece has a code of its own.
fn prefixed(tax_id: &str, country: &str) -> String {
    let prefix = if country == "GR" { "EL" } else { country };
    if tax_id.starts_with(prefix) && country != "ES" {
        return tax_id.to_owned();
    }
    format!("{prefix}{tax_id}")
}

fn address(postal: Option<&Pii<Postal>>, country: &str, proof: Reveal) -> Address {
    let Some(postal) = postal.map(|postal| postal.revealed(proof)) else {
        return Address { country: country.to_owned(), ..Address::default() };
    };
    Address {
        street: postal.line1.clone(),
        extra: postal.line2.clone(),
        city: postal.city.clone(),
        postcode: postal.postal_code.clone(),
        province: postal.province.clone(),
        country: postal.country.code().to_owned(),
    }
}
