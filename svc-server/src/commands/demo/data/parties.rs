//! Customers and suppliers.

use serde_json::{Value, json};

use super::chance::Chance;
use super::tally::Tally;
use super::words;
use crate::commands::demo::api::Api;
use crate::commands::demo::story::id;
use crate::failure::Failure;

const SEED: u64 = 1;
/// Contacts that one call writes.
const AT_ONCE: usize = 100;

/// Whom the company sells to and buys from, by their ids.
pub(super) struct Parties {
    pub(super) customers: Vec<String>,
    pub(super) suppliers: Vec<String>,
}

impl Parties {
    pub(super) async fn create(api: &Api, documents: u32, tally: &Tally) -> Result<Self, Failure> {
        let mut chance = Chance::of(SEED);
        let (customers, suppliers) = ((documents / 10).clamp(5, 2_000), (documents / 40).clamp(3, 400));
        let customers: Vec<_> = (0..customers).map(|number| customer(&mut chance, number)).collect();
        let mut made = Self { customers: Vec::new(), suppliers: Vec::new() };
        for some in customers.chunks(AT_ONCE) {
            made.customers.extend(bulk(api, some).await?);
            tally.add(|counts| counts.contacts += u32::try_from(some.len()).unwrap_or_default());
        }
        for number in 0..suppliers {
            let supplier = api.post("/suppliers", &supplier(&mut chance, number)).await?;
            made.suppliers.push(id(&supplier)?);
            tally.add(|counts| {
                counts.contacts += 1;
                counts.suppliers += 1;
            });
        }
        Ok(made)
    }
}

async fn bulk(api: &Api, contacts: &[Value]) -> Result<Vec<String>, Failure> {
    let report = api.post("/contacts/bulk", &json!({"items": contacts})).await?;
    let items = report.get("items").and_then(Value::as_array);
    items
        .into_iter()
        .flatten()
        .map(|item| {
            id(item).map_err(|_| Failure::new("demo_call_failed", format!("a contact was refused: {item}")))
        })
        .collect()
}

/// Most are companies, some are people.
fn customer(chance: &mut Chance, number: u32) -> Value {
    let term = *chance.one(&[0, 15, 30, 30, 30, 60]);
    let address = address(chance);
    if number % 5 == 4 {
        let (first, last) = (chance.one(&words::FIRST), chance.one(&words::LAST));
        let last = format!("{last} {}", chance.one(&words::LAST));
        return json!({"kind": "person", "givenName": first, "familyName": last, "roles": ["customer"],
            "taxId": person_tax_id(30_000_000 + number), "address": address, "paymentTermDays": term});
    }
    let name = format!("{} {} {}", chance.one(&words::TRADES), chance.one(&words::NAMES), form(chance));
    json!({"kind": "organization", "legalName": name, "roles": ["customer"], "email": mail(number),
        "taxId": company_tax_id(4_000_000 + number), "address": address, "paymentTermDays": term})
}

fn supplier(chance: &mut Chance, number: u32) -> Value {
    let name = format!("{} {} {}", chance.one(&words::GOODS), chance.one(&words::NAMES), form(chance));
    let address = address(chance);
    let contact = json!({"kind": "organization", "legalName": name, "taxId": company_tax_id(8_000_000 + number),
        "address": address});
    let kind = if number % 3 == 2 { "creditor" } else { "trade" };
    json!({"contact": contact, "code": format!("P-{:04}", number + 1), "supplierType": kind,
        "paymentTermDays": chance.one(&[15, 30, 60])})
}

fn form(chance: &mut Chance) -> &'static str {
    if chance.holds(20) { "SA" } else { "SL" }
}

fn mail(number: u32) -> String {
    format!("administracion{}@cliente.example", number + 1)
}

fn address(chance: &mut Chance) -> Value {
    let (city, code) = chance.one(&words::CITIES);
    let line = format!("{} {}", chance.one(&words::STREETS), chance.within(1, 140));
    json!({"line1": line, "city": city, "postalCode": format!("{code}{:02}", chance.within(1, 40)),
        "country": "ES"})
}

/// The NIF of a limited company: `B`, seven digits and their control digit (Orden EHA/451/2008).
fn company_tax_id(number: u32) -> String {
    let digits = format!("{:07}", number % 10_000_000);
    let sum = digits.bytes().enumerate().fold(0, |sum, (at, digit)| {
        let digit = u32::from(digit - b'0');
        let doubled = digit * 2;
        sum + if at % 2 == 0 { doubled / 10 + doubled % 10 } else { digit }
    });
    format!("B{digits}{}", (10 - sum % 10) % 10)
}

/// The NIF of a person: eight digits and a letter (Real Decreto 1065/2007, art. 19).
fn person_tax_id(number: u32) -> String {
    let letter = "TRWAGMYFPDXBNJZSQVHLCKE".chars().nth((number % 23) as usize).unwrap_or('T');
    format!("{number:08}{letter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tax_ids_have_the_right_check_characters() {
        assert_eq!(company_tax_id(1_234_567), "B12345674");
        assert_eq!(person_tax_id(12_345_678), "12345678Z");
    }
}
