//! Postal addresses.

use serde::{Deserialize, Serialize};
use svc_core::error::{ValidationErrors, Validator};
use svc_core::patch::Patch;
use svc_core::pii::Mask;

use crate::party::{Country, optional_line};

/// A postal address; every member but the country may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Street and number.
    pub line1: Option<String>,
    /// Floor, door, building.
    pub line2: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Province or state.
    pub province: Option<String>,
    /// Country.
    pub country: Country,
}

/// An address in full, as a response carries it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressView {
    /// Street and number.
    pub line1: Option<String>,
    /// Floor, door, building.
    pub line2: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Province or state.
    pub province: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: String,
}

impl Mask for Address {
    type View = AddressView;

    fn masked(&self) -> Option<AddressView> {
        None
    }

    fn full(&self) -> AddressView {
        AddressView {
            line1: self.line1.clone(),
            line2: self.line2.clone(),
            postal_code: self.postal_code.clone(),
            city: self.city.clone(),
            province: self.province.clone(),
            country: self.country.code().to_owned(),
        }
    }
}

/// A merge patch of an address, as a client writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressInput {
    /// At most 200 characters.
    pub line1: Patch<String>,
    /// At most 200 characters.
    pub line2: Patch<String>,
    /// At most 20 characters.
    pub postal_code: Patch<String>,
    /// At most 100 characters.
    pub city: Patch<String>,
    /// At most 100 characters.
    pub province: Patch<String>,
    /// ISO 3166-1 alpha-2; the company's country when left out.
    pub country: Patch<String>,
}

impl AddressInput {
    /// The address after the patch, where it was `current` before.
    ///
    /// # Errors
    /// Every member that breaks a rule.
    pub fn over(
        self,
        current: Option<&Address>,
        default_country: Country,
    ) -> Result<Address, ValidationErrors> {
        let mut validator = Validator::new();
        let mut address = current.cloned().unwrap_or(Address {
            line1: None,
            line2: None,
            postal_code: None,
            city: None,
            province: None,
            country: default_country,
        });
        optional_line(&mut validator, "line1", self.line1, &mut address.line1, 200);
        optional_line(&mut validator, "line2", self.line2, &mut address.line2, 200);
        optional_line(&mut validator, "postalCode", self.postal_code, &mut address.postal_code, 20);
        optional_line(&mut validator, "city", self.city, &mut address.city, 100);
        optional_line(&mut validator, "province", self.province, &mut address.province, 100);
        match self.country {
            Patch::Absent => {}
            Patch::Null => address.country = default_country,
            Patch::Value(code) => {
                if let Some(country) = validator.take("country", "invalid_country", code.parse()) {
                    address.country = country;
                }
            }
        }
        validator.finish().map(|()| address)
    }
}
