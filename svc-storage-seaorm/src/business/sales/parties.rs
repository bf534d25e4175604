//! The snapshots of the two parties of a document as JSON.

use serde::{Deserialize, Serialize};
use svc_business::party::{Address, Country, Email, Phone, TaxId, TaxIdKind};
use svc_business::sales::document::{Customer, Issuer};
use svc_core::pii::Pii;

use crate::business::cell::Stored;
use crate::value::json;

#[derive(Serialize, Deserialize)]
struct StoredParty {
    name: String,
    trade_name: Option<String>,
    tax_id_kind: Option<TaxIdKind>,
    tax_id: Option<String>,
    address: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    country: String,
}

impl StoredParty {
    fn tax_id(&self) -> Option<Pii<TaxId>> {
        self.tax_id.clone().map(|text| Pii::new(TaxId::from_stored(text)))
    }

    /// The outer one is missing when it cannot be read.
    #[expect(clippy::option_option, reason = "an address may be missing, and may be broken")]
    fn address(&self) -> Option<Option<Pii<Address>>> {
        let Some(text) = self.address.clone() else { return Some(None) };
        Pii::<Address>::from_sql(text).map(Some)
    }

    fn email(&self) -> Option<Email> {
        self.email.clone().map(Email::from_stored)
    }

    fn phone(&self) -> Option<Pii<Phone>> {
        self.phone.clone().map(|text| Pii::new(Phone::from_stored(text)))
    }

    fn country(&self) -> Option<Country> {
        self.country.parse().ok()
    }
}

impl Stored for Customer {
    type Sql = String;

    fn to_sql(&self) -> String {
        json(&StoredParty {
            name: self.name.clone(),
            trade_name: None,
            tax_id_kind: Some(self.tax_id_kind),
            tax_id: self.tax_id.as_ref().map(Stored::to_sql),
            address: self.address.as_ref().map(Stored::to_sql),
            email: self.email.as_ref().map(Stored::to_sql),
            phone: self.phone.as_ref().map(Stored::to_sql),
            country: self.country.to_sql(),
        })
    }

    fn from_sql(sql: String) -> Option<Self> {
        let party: StoredParty = serde_json::from_str(&sql).ok()?;
        Some(Self {
            name: party.name.clone(),
            tax_id_kind: party.tax_id_kind?,
            tax_id: party.tax_id(),
            address: party.address()?,
            email: party.email(),
            phone: party.phone(),
            country: party.country()?,
        })
    }
}

impl Stored for Issuer {
    type Sql = String;

    fn to_sql(&self) -> String {
        json(&StoredParty {
            name: self.name.clone(),
            trade_name: self.trade_name.clone(),
            tax_id_kind: None,
            tax_id: self.tax_id.as_ref().map(Stored::to_sql),
            address: self.address.as_ref().map(Stored::to_sql),
            email: self.email.as_ref().map(Stored::to_sql),
            phone: self.phone.as_ref().map(Stored::to_sql),
            country: self.country.to_sql(),
        })
    }

    fn from_sql(sql: String) -> Option<Self> {
        let party: StoredParty = serde_json::from_str(&sql).ok()?;
        Some(Self {
            name: party.name.clone(),
            trade_name: party.trade_name.clone(),
            tax_id: party.tax_id(),
            address: party.address()?,
            email: party.email(),
            phone: party.phone(),
            country: party.country()?,
        })
    }
}
