//! The supplier of an electronic invoice, as an input of its contact.

use svc_core::patch::Patch;

use super::ImportedSeller;
use crate::contact::{ContactInput, Kind};
use crate::party::{AddressInput, TaxId, TaxIdKind};

impl ImportedSeller {
    /// What a contact of this seller is created with: as if a client had written it, so that the rules of contacts judge
    /// it. A person's name is split at its first space.
    #[must_use]
    pub fn contact(&self) -> ContactInput {
        let name = self.name.trim();
        let person = name.split_once(' ').filter(|_| self.is_person);
        let (kind, given_name, family_name, legal_name) = match person {
            Some((given, family)) => (Kind::Person, value(given), value(family), Patch::Absent),
            None => (Kind::Organization, Patch::Absent, Patch::Absent, value(name)),
        };
        ContactInput {
            kind: Patch::Value(kind),
            given_name,
            family_name,
            legal_name,
            trade_name: optional(self.trade_name.as_deref()),
            tax_id: optional(self.tax_id.as_deref()),
            email: optional(self.email.as_deref()),
            phone: optional(self.phone.as_deref()),
            address: self.address(),
            ..ContactInput::default()
        }
    }

    /// Whether its VAT number is one of another member state of the Union than Spain.
    pub(super) fn is_of_another_member_state(&self) -> bool {
        let number = self.tax_id.as_deref().and_then(|id| TaxId::parse(id, TaxIdKind::VatEu).ok());
        number.is_some_and(|number| !number.as_str().starts_with("ES"))
    }

    fn address(&self) -> Patch<AddressInput> {
        let members =
            [&self.line1, &self.line2, &self.postal_code, &self.city, &self.province, &self.country];
        if members.iter().all(|member| member.is_none()) {
            return Patch::Absent;
        }
        Patch::Value(AddressInput {
            line1: optional(self.line1.as_deref()),
            line2: optional(self.line2.as_deref()),
            postal_code: optional(self.postal_code.as_deref()),
            city: optional(self.city.as_deref()),
            province: optional(self.province.as_deref()),
            country: optional(self.country.as_deref()),
        })
    }
}

fn value(text: &str) -> Patch<String> {
    Patch::Value(text.to_owned())
}

fn optional(text: Option<&str>) -> Patch<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map_or(Patch::Absent, value)
}
