//! Any statement: what every format can say.

use proptest::prelude::*;
use svc_core::money::{Amount, Currency};
use svc_statement::{AccountRef, Movement, Statement};
use time::Date;

/// An IBAN of another side, valid.
pub(crate) const OTHER_IBAN: &str = "DE89370400440532013000";

/// Texts without double spaces, as they come out of a reader. Each has a letter.
pub(crate) fn text(most: usize) -> impl Strategy<Value = String> {
    let word = "[A-Za-zÑñçé0-9./&<>'\"-]{1,10}";
    prop::collection::vec(word, 1..6).prop_map(move |words| {
        let text = format!("x{}", words.join(" "));
        text.chars().take(most).collect::<String>().trim().to_owned()
    })
}

pub(crate) fn date() -> impl Strategy<Value = Date> {
    (2_451_545_i32..2_470_000).prop_map(|julian| Date::from_julian_day(julian).expect("a date"))
}

pub(crate) fn amount() -> impl Strategy<Value = Amount> {
    (-99_999_999_999_i64..=99_999_999_999)
        .prop_map(|minor| Amount::from_minor(minor, Currency::EUR).expect("in range"))
}

fn movement() -> impl Strategy<Value = Movement> {
    let other = (prop::option::of(text(60)), any::<bool>());
    let references = prop::collection::vec("R[A-Z0-9]{1,11}", 0..3);
    let code = (0..20_u32, 0..1000_u32).prop_map(|(common, own)| format!("{common:02}-{own:03}"));
    (date(), date(), amount(), text(76), other, references, code).prop_map(
        |(booked, value, amount, text, (name, iban), mut references, code)| {
            let mut movement = Movement::new(0, booked, value, amount);
            movement.description = text;
            movement.counterparty_name = name;
            movement.counterparty_iban = iban.then(|| OTHER_IBAN.to_owned());
            references.sort();
            references.dedup();
            movement.references = references;
            movement.bank_code = Some(code);
            movement
        },
    )
}

/// A statement whose balances agree; positions are left to the writer.
pub(crate) fn statement() -> impl Strategy<Value = Statement> {
    (date(), 0..400_i64, amount(), text(26), prop::collection::vec(movement(), 0..12)).prop_map(
        |(from, days, opening, holder, movements)| {
            let account = AccountRef {
                iban: Some("ES9121000418450200051332".to_owned()),
                other: Some("21000418450200051332".to_owned()),
            };
            let mut statement = Statement::empty(account);
            statement.currency = Some(Currency::EUR);
            statement.from = Some(from);
            statement.to = Some(from + time::Duration::days(days));
            statement.opening = Some(opening);
            let all = std::iter::once(opening).chain(movements.iter().map(|movement| movement.amount));
            statement.closing = Some(Amount::sum(all, Currency::EUR).expect("in range"));
            statement.holder = Some(holder);
            statement.movements = movements;
            statement
        },
    )
}
