//! What companies and contacts have in common: tax ids, bank accounts, phones, addresses.

mod address;
mod country;
mod extension;
pub(crate) mod form;
mod iban;
mod merge;
mod percent;
mod phone;
mod rules;
mod tax_id;
mod text;
mod vat;

pub use self::address::{Address, AddressInput, AddressView};
pub use self::country::{Country, UnknownCountry};
pub(crate) use self::extension::MOST_METADATA;
pub use self::extension::{Extension, ExtensionInput};
pub use self::iban::{Bic, Iban, InvalidBic, InvalidIban};
pub use self::merge::Prefer;
pub(crate) use self::merge::{check_united, pick, prefer, preferred, unite_extension};
pub(crate) use self::percent::percent;
pub use self::phone::{InvalidPhone, Phone};
pub(crate) use self::rules::{
    MOST_TAGS, address, calendar_date, date, distinct_links, extension, is_masked, kept, line,
    masked_address, masked_null, masked_text, optional_line, paragraph, paragraphs, parsed, required, tags,
    tax_id, value,
};
pub use self::rules::{order_key, search_key};
pub use self::tax_id::{InvalidTaxId, TaxId, TaxIdKind, check_spanish};
pub use self::text::{Email, InvalidEmail, InvalidLanguage, InvalidWebsite, LanguageTag, Website};

use svc_core::pii::Mask;
use time::Date;

/// A date of birth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BirthDate(pub Date);

impl Mask for BirthDate {
    type View = String;

    fn masked(&self) -> Option<String> {
        None
    }

    fn full(&self) -> String {
        self.0.to_string()
    }
}
