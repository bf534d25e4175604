//! Movements that people write by hand: those of a cash box, and what a statement left out.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::BankAccountId;
use svc_core::money::{Amount, Currency};
use svc_core::refused::Refused;
use svc_core::wire::Form;
use svc_core::wire_request;
use svc_statement::{LONGEST_DESCRIPTION, LONGEST_TEXT, MOST_REFERENCES, Movement};

use super::add::{Intake, begun, number};
use super::take::{ImportRefused, judge_account, tell};
use super::{BankMovementImport, ImportFormat};
use crate::bank::BankAccount;
use crate::bank::movement::placed;
use crate::party::{Iban, calendar_date, form, is_masked, line};
use crate::record::Opened;

/// Movements of one request at most.
const MOST: usize = 100;
/// Numbers of bank and payer.
const REFERENCES: Form = Form::list(0, 8, &Form::text(1, 140)).json("[]");

wire_request! {
    /// Movements that are written by hand.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ManualImport as "BankMovements" {
        /// The account that they are of.
        pub bank_account_id: BankAccountId,
        /// In the order in which they happened.
        pub movements: Vec<ManualMovement> => Form::list(1, 100, &Form::ANY),
    }
}

wire_request! {
    /// A movement that is written by hand.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ManualMovement as "BankMovementInput" {
        /// When it happened.
        pub booking_date: String => Form::DATE,
        /// From when it counts for interest; `bookingDate` when left out.
        pub value_date: Option<String> => Form::DATE,
        /// What the account gained, below zero for what it lost: a decimal string in its currency, not zero.
        pub amount: String => form::SIGNED_AMOUNT.example("-12.50"),
        /// What it was.
        pub description: String => Form::text(1, 500).example("Stamps"),
        /// Who paid, or was paid.
        pub counterparty_name: Option<String> => Form::text(1, 140),
        /// The account of the other side.
        pub counterparty_iban: Option<String> => form::IBAN,
        /// Numbers to find it by.
        #[serde(default)]
        pub references: Vec<String> => REFERENCES,
    }
}

/// Adds movements to a bank account that was opened [alone](crate::record::alone), though it may have equal ones. Emits
/// `bank_movement.create`.
///
/// # Errors
/// [`Refused`] with [`ImportRefused::Archived`]; nothing was changed.
pub async fn add_by_hand(
    opened: &Opened<'_, BankAccount>,
    input: &[ManualMovement],
) -> Result<BankMovementImport, Refused<ImportRefused>> {
    let (home, account) = (&opened.home, &opened.before);
    judge_account(account)?;
    let movements = read(input, account.currency)?;
    let dates = || movements.iter().map(|movement| movement.booking_date);
    let mut import = BankMovementImport {
        from: dates().min(),
        to: dates().max(),
        lines: u32::try_from(movements.len()).unwrap_or(u32::MAX),
        ..begun(home, account, ImportFormat::Manual)
    };
    let intake = Intake { home, account, import: import.id };
    let places = placed(&movements);
    let more = intake.more(places.into_iter().zip(movements).collect()).await?;
    import.created = number(&more);
    let import = home.add(import).await?;
    home.unit.bank_movements().insert_all(home.call.scope, &more).await?;
    tell(home, &import).await?;
    Ok(import)
}

fn read(input: &[ManualMovement], currency: Currency) -> Result<Vec<Movement>, ValidationErrors> {
    let mut found = Vec::new();
    let mut movements = Vec::new();
    if !(1..=MOST).contains(&input.len()) {
        return Err(ValidationErrors::one("movements", "too_many", "expected 1 to 100 movements"));
    }
    for (place, one) in input.iter().enumerate() {
        match movement(one, currency) {
            Ok(movement) => movements.push(movement),
            Err(invalid) => found.extend(invalid.within(&format!("movements[{place}]")).0),
        }
    }
    if found.is_empty() { Ok(movements) } else { Err(ValidationErrors(found)) }
}

fn movement(input: &ManualMovement, currency: Currency) -> Result<Movement, ValidationErrors> {
    let mut validator = Validator::new();
    let booked = calendar_date(&mut validator, "bookingDate", &input.booking_date);
    let value = input.value_date.as_deref();
    let value = value.map_or(booked, |text| calendar_date(&mut validator, "valueDate", text));
    let amount = validator.take("amount", "invalid_amount", Amount::parse(&input.amount, currency));
    let nothing = amount.is_some_and(|amount| amount.minor() == 0);
    validator.require(!nothing, "amount", "out_of_range", "must not be zero");
    let description = line(&mut validator, "description", &input.description, LONGEST_DESCRIPTION);
    let name = input.counterparty_name.as_deref();
    let name = name.and_then(|text| line(&mut validator, "counterpartyName", text, LONGEST_TEXT));
    let given = input.counterparty_iban.as_deref();
    let iban = given.filter(|text| !is_masked(&mut validator, "counterpartyIban", text));
    let iban = iban.and_then(|text| validator.take("counterpartyIban", "invalid_iban", text.parse::<Iban>()));
    let few = input.references.len() <= MOST_REFERENCES;
    validator.require(few, "references", "too_many", "expected at most 8 references");
    let references = input.references.iter().take(MOST_REFERENCES).enumerate();
    let references: Vec<String> = references
        .filter_map(|(place, text)| line(&mut validator, &format!("references[{place}]"), text, LONGEST_TEXT))
        .collect();
    validator.finish()?;
    // What is missing has a finding.
    let missing = || ValidationErrors::one("amount", "required", "must be present");
    let (booked, value) = booked.zip(value).ok_or_else(missing)?;
    let mut movement = Movement::new(1, booked, value, amount.ok_or_else(missing)?);
    movement.description = description.unwrap_or_default();
    movement.counterparty_name = name;
    movement.counterparty_iban = iban.map(|iban| iban.as_str().to_owned());
    movement.references = references;
    Ok(movement)
}
