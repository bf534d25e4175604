//! The two parties of a document, as they were when it was issued.

use svc_core::error::Validator;
use svc_core::pii::Pii;

use crate::account::Account;
use crate::invoicing::Counterparty as Customer;
use crate::party::{Address, Country, Email, Phone, TaxId, value};

/// The company that issues the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// Its registered name.
    pub name: String,
    /// The name that it trades under.
    pub trade_name: Option<String>,
    /// Its tax id.
    pub tax_id: Option<Pii<TaxId>>,
    /// Its fiscal address.
    pub address: Option<Pii<Address>>,
    /// Its e-mail address.
    pub email: Option<Email>,
    /// Its phone.
    pub phone: Option<Pii<Phone>>,
    /// Where it is established.
    pub country: Country,
}

impl Customer {
    /// Judges whether it can be the customer of a full invoice (RD 1619/2012 art. 6.1.c to e): `customer_incomplete`
    /// on `customer.name`, `customer.taxId` and `customer.address`.
    pub(crate) fn judge(&self, validator: &mut Validator) {
        let code = "customer_incomplete";
        validator.require(!self.name.is_empty(), "customer.name", code, "the customer has no name");
        validator.require(self.tax_id.is_some(), "customer.taxId", code, "the customer has no tax id");
        let message = "the customer has no address with street and city";
        validator.require(is_complete(self.address.as_ref()), "customer.address", code, message);
    }
}

impl Issuer {
    /// The company as it is now.
    #[must_use]
    pub fn of(company: &Account) -> Self {
        Self {
            name: company.legal_name.clone(),
            trade_name: company.trade_name.clone(),
            tax_id: company.tax_id.clone(),
            address: company.address.clone(),
            email: company.email.clone(),
            phone: company.phone.clone(),
            country: company.country,
        }
    }

    /// Judges whether it can issue documents: `issuer_incomplete` on `issuer.address`, and for one that counts for
    /// taxes on `issuer.taxId`.
    pub(crate) fn judge(&self, validator: &mut Validator, fiscal: bool) {
        let message = "the company has no address with street and city";
        let complete = is_complete(self.address.as_ref());
        validator.require(complete, "issuer.address", "issuer_incomplete", message);
        let known = !fiscal || self.tax_id.is_some();
        validator.require(known, "issuer.taxId", "issuer_incomplete", "the company has no tax id");
    }
}

/// Postal codes and provinces are not everywhere.
fn is_complete(address: Option<&Pii<Address>>) -> bool {
    address.map(value).is_some_and(|address| address.line1.is_some() && address.city.is_some())
}
