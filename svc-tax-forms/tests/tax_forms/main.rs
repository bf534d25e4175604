//! Returns computed, due and written.

mod calendar;
mod corporate;
mod definitions;
mod export;
mod facts;
mod forms;
mod instalments;
mod manual;
mod operators;
mod places;
mod summary;
mod third_parties;
mod withholdings;
mod year;

use svc_core::money::{Amount, Currency};
use svc_tax_forms::{Computed, Facts, Form, Manual, Model, Previous, TaxFact, TaxPeriod};
use time::{Date, Month};

fn eur(text: &str) -> Amount {
    Amount::parse(text, Currency::EUR).expect("an amount")
}

fn day(year: i32, month: u8, day: u8) -> Date {
    Date::from_calendar_date(year, Month::try_from(month).expect("a month"), day).expect("a date")
}

fn period(year: i32, code: &str) -> TaxPeriod {
    TaxPeriod::new(year, code.parse().expect("a period")).expect("a period")
}

fn form(model: Model, of: &TaxPeriod) -> &'static Form {
    Form::find(model, of).expect("a form")
}

/// Computes a return of facts alone.
fn compute(model: Model, of: &TaxPeriod, facts: &[TaxFact]) -> Computed {
    compute_after(model, of, facts, &Previous::default())
}

/// Computes a return that follows others.
fn compute_after(model: Model, of: &TaxPeriod, facts: &[TaxFact], previous: &Previous) -> Computed {
    let facts = Facts { tax: facts, ledger: &[] };
    form(model, of).compute(of, &facts, &Manual::new(), previous).expect("computed")
}

/// Boxes as text, of which `expected` are asked for.
fn assert_boxes(computed: &Computed, expected: &[(&str, &str)]) {
    for (code, text) in expected {
        let value = computed.value(code).map(|value| value.to_string());
        assert_eq!(
            value.as_deref(),
            Some(*text),
            "box {code} of {} {}",
            computed.model,
            computed.period.period()
        );
    }
}
