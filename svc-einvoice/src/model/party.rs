//! Sellers and buyers.

/// A seller or buyer (BG-4, BG-7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Party {
    /// The registered name, or first name and surnames of a person (BT-27, BT-44).
    pub name: String,
    /// The name that it is known by (BT-28, BT-45).
    pub trade_name: Option<String>,
    /// A natural person; else a company or public body.
    pub is_person: bool,
    /// The VAT number with the prefix of its country: `ESB12345674` (BT-31, BT-48).
    pub vat_number: Option<String>,
    /// Another number that it is known by, without VAT: a NIF of who is outside VAT, a foreign number (BT-30, BT-47).
    pub registration: Option<String>,
    /// Where it is (BG-5, BG-8).
    pub address: Address,
    /// Its e-mail address (BT-43, BT-58).
    pub email: Option<String>,
    /// Its telephone number (BT-42, BT-57).
    pub phone: Option<String>,
}

/// A postal address (BG-5, BG-8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// Street and number (BT-35, BT-50).
    pub street: Option<String>,
    /// More of it (BT-36, BT-51).
    pub extra: Option<String>,
    /// The town (BT-37, BT-52).
    pub city: Option<String>,
    /// The post code (BT-38, BT-53).
    pub postcode: Option<String>,
    /// The province or region (BT-39, BT-54).
    pub province: Option<String>,
    /// The country by ISO 3166-1 alpha-2: `ES` (BT-40, BT-55); empty where it is not known.
    pub country: String,
}

impl Party {
    /// The number that the tax office knows it by: of VAT, or else the other one.
    #[must_use]
    pub fn tax_id(&self) -> Option<&str> {
        self.vat_number.as_deref().or(self.registration.as_deref())
    }
}
