//! Postal addresses.

use serde::Deserialize;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::patch::Patch;
use svc_core::pii::Mask;
use svc_core::wire::Form;

use crate::party::{Country, form, optional_line};

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

svc_core::wire_view! {
    /// A postal address; null for a token without the personal-data option.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct AddressView as "Address" {
        /// Street and number.
        pub line1: Option<String> => Form::ANY.example("Calle Mayor 1"),
        /// Floor, door, building.
        pub line2: Option<String>,
        /// Postal code.
        pub postal_code: Option<String> => Form::ANY.example("28013"),
        /// City.
        pub city: Option<String> => Form::ANY.example("Madrid"),
        /// Province or state.
        pub province: Option<String>,
        /// ISO 3166-1 alpha-2.
        pub country: String => form::COUNTRY,
    }
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

svc_core::wire_patch! {
    /// A merge patch of a postal address.
    pub struct AddressInput as "Address" {
        /// Street and number.
        line1: Patch<String> => Form::text(1, 200),
        /// Floor, door, building.
        line2: Patch<String> => Form::text(1, 200),
        /// Postal code.
        postal_code: Patch<String> => Form::text(1, 20),
        /// City.
        city: Patch<String> => Form::text(1, 100),
        /// Province or state.
        province: Patch<String> => Form::text(1, 100),
        /// ISO 3166-1 alpha-2; the company's country when left out.
        country: Patch<String> => form::COUNTRY,
    }
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
