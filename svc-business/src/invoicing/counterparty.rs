//! The other party of a document, as it was when the document was fixed.

use svc_core::pii::Pii;

use crate::contact::Contact;
use crate::party::{Address, Country, Email, Phone, TaxId, TaxIdKind, value};

/// The contact of a document as it was when that was issued or approved: the customer or the supplier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterparty {
    /// The name to show.
    pub name: String,
    /// What kind of tax id it has.
    pub tax_id_kind: TaxIdKind,
    /// Its tax id.
    pub tax_id: Option<Pii<TaxId>>,
    /// Its postal address.
    pub address: Option<Pii<Address>>,
    /// Its e-mail address.
    pub email: Option<Email>,
    /// Its phone.
    pub phone: Option<Pii<Phone>>,
    /// Where it is: of its address, or else the company's.
    pub country: Country,
}

impl Counterparty {
    /// The contact as it is now; `home` is the country of the company.
    #[must_use]
    pub fn of(contact: &Contact, home: Country) -> Self {
        Self {
            name: contact.name(),
            tax_id_kind: contact.tax_id_kind,
            tax_id: contact.tax_id.clone(),
            address: contact.address.clone(),
            email: contact.email.clone(),
            phone: contact.phone.clone().or_else(|| contact.mobile.clone()),
            country: contact.address.as_ref().map_or(home, |address| value(address).country),
        }
    }
}
