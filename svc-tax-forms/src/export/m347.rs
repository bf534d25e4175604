//! Model 347 (Orden EHA/3012/2008, annex II): a record of the declarant, and one of each row.

use svc_core::money::{Amount, Currency};

use super::record::Record;
use super::{Declarant, ExportError};
use crate::compute::{Computed, PartyRow};
use crate::fact::Party;

const QUARTERS: [&str; 4] = ["first_quarter", "second_quarter", "third_quarter", "fourth_quarter"];

pub(super) fn file(computed: &Computed, declarant: &Declarant) -> Result<Vec<u8>, ExportError> {
    let mut bytes = first(computed, declarant)?.line();
    for row in &computed.parties {
        bytes.extend(of_row(computed, declarant, row)?.line());
    }
    Ok(bytes)
}

fn first(computed: &Computed, declarant: &Declarant) -> Result<Record, ExportError> {
    let rows = u64::try_from(computed.parties.len()).unwrap_or(u64::MAX);
    let nothing = Amount::zero(Currency::EUR);
    Record::of_declarant("347", computed.period.year(), declarant)?
        .number("the number of parties", rows, 9)?
        .signed("the total amount", computed.amount("02").unwrap_or(nothing), 16)
        .map(|record| record.zeros(9).blanks(1).zeros(15))
}

/// Collections in cash above 6,000 €, sales of property and rents of premises are not computed, and stand as zero.
fn of_row(computed: &Computed, declarant: &Declarant, row: &PartyRow) -> Result<Record, ExportError> {
    let party = &row.party;
    let (spanish_id, community_id) = identifiers(party)?;
    let nothing = Amount::zero(Currency::EUR);
    let amount = |column: &str| row.amount(column).unwrap_or(nothing);
    let spanish = party.is_spanish();
    let abroad = if spanish { "" } else { party.country.as_str() };
    let province = if spanish { party.province.as_deref().unwrap_or_default() } else { "99" };
    let mut record = Record::default()
        .text("2347", 4)
        .text(&computed.period.year().to_string(), 4)
        .whole("the tax identifier of the declarant", &declarant.tax_id, 9)?
        .whole("the tax identifier of a party", spanish_id, 9)?
        .blanks(9)
        .text(&party.name, 40)
        .text("D", 1)
        .whole("the province", province, 2)?
        .whole("the country", abroad, 2)?
        .blanks(1)
        .text(&row.key, 1)
        .signed("the amount of the year", amount("amount"), 16)?
        .blanks(2)
        .zeros(15)
        .signed("the sales of property", nothing, 16)?
        .zeros(4);
    for column in QUARTERS {
        record = record.signed("the amount of a quarter", amount(column), 16)?.signed(
            "the sales of property of a quarter",
            nothing,
            16,
        )?;
    }
    let reverse = if row.mark.as_deref() == Some("reverse_charge") { "X" } else { "" };
    record
        .whole("the tax identifier of a party", community_id, 17)?
        .blanks(1)
        .text(reverse, 1)
        .blanks(1)
        .signed("the amount on cash basis", nothing, 16)
}

/// The identifier of Spain and the one of another member state, of which a record has one at most: other parties abroad
/// are named by their country alone (RD 1065/2007 art. 34.1.b).
fn identifiers(party: &Party) -> Result<(&str, &str), ExportError> {
    match party.tax_id.as_deref() {
        Some(tax_id) if party.is_spanish() => Ok((tax_id, "")),
        Some(tax_id) if MEMBER_STATES.iter().any(|state| tax_id.starts_with(state)) => Ok(("", tax_id)),
        None if party.is_spanish() => Err(ExportError::NoTaxId { party: party.id.clone() }),
        Some(_) | None => Ok(("", "")),
    }
}

/// What VAT numbers of other member states begin with, Northern Ireland among them.
const MEMBER_STATES: [&str; 27] = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "EL", "FI", "FR", "HR", "HU", "IE", "IT", "LT", "LU",
    "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK", "XI",
];
