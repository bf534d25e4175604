//! What the tests of entries share: a small company's books.

mod chain;
mod movement;
mod parts;
mod posting;
mod reversal;
mod rules;
mod tags;

use std::collections::BTreeMap;

use svc_core::clock::Timestamp;
use svc_core::error::ValidationErrors;
use svc_core::id::{AccountId, ContactId, FiscalYearId, JournalEntryId, JournalLineId, TypedId};
use svc_core::money::{Amount, Currency};
use svc_core::resource::Version;
use time::Date;
use time::macros::date;
use uuid::Uuid;

use super::*;
use crate::books::account::{AccountCode, CodeLength};
use crate::books::chart::Chart;
use crate::books::fiscal_year::{FiscalYear, Span, YearStatus};
use crate::books::lock::Locks;
use crate::party::Extension;

fn id<T: TypedId>(number: u128) -> T {
    T::from_uuid(Uuid::from_u128(number))
}

fn code(text: &str) -> AccountCode {
    text.parse().expect("a code")
}

fn euros(text: &str) -> Amount {
    Amount::parse(text, Currency::EUR).expect("an amount")
}

fn cents(minor: i64) -> Amount {
    Amount::from_minor(minor, Currency::EUR).expect("in range")
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix_seconds(1_738_314_900 + seconds)
}

/// The accounts of the chart, customers and suppliers shared by contacts.
fn accounts() -> KnownAccounts {
    let known = |account: crate::books::chart::ChartAccount| {
        let shared = ["400", "410", "430"].iter().any(|digits| account.code.starts_with(digits));
        let known =
            KnownAccount { postable: account.postable, active: true, tax_role: account.tax_role, shared };
        (account.code, known)
    };
    Chart::EsPgcPymes.accounts(CodeLength::default()).into_iter().map(known).collect()
}

/// A line that adds this much to the balance of an account.
fn line(account: &str, amount: &str) -> Line {
    line_of(account, euros(amount))
}

fn line_of(account: &str, amount: Amount) -> Line {
    let shared = ["400", "410", "430"].iter().any(|digits| account.starts_with(digits));
    Line {
        id: id(900),
        account: code(account),
        movement: Movement::of_balance(amount).expect("not zero"),
        amount_currency: None,
        contact: shared.then(|| id::<ContactId>(70)),
        posted_contact: None,
        description: None,
        due_date: None,
        posted_due_date: None,
        dimensions: BTreeMap::new(),
    }
}

fn draft(number: u128, lines: Vec<Line>) -> Entry {
    Entry {
        id: id(number),
        company: id::<AccountId>(1),
        kind: EntryKind::Manual,
        date: date!(2025 - 01 - 31),
        description: "Rent".to_owned(),
        reference: None,
        base_currency: Currency::EUR,
        currency: Currency::EUR,
        fx_rate: FxRate::ONE,
        lines,
        tax_tags: Vec::new(),
        source: None,
        reverses: None,
        closes_year: false,
        opens_year: false,
        status: EntryStatus::Draft,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: Timestamp::default(),
        updated_at: Timestamp::default(),
    }
}

fn rent() -> Entry {
    draft(10, vec![line("6210000", "800.00"), line("5720000", "-800.00")])
}

fn tag(kind: TagKind, base: &str, quota: &str) -> TaxTag {
    TaxTag {
        kind,
        tax_code: "es_vat_21".parse().expect("a tax code"),
        base: euros(base),
        quota: euros(quota),
        deductible_quota: None,
        tax_date: date!(2025 - 01 - 31),
        particulars: Particulars::default(),
        contact: Some(id(70)),
        posted_contact: None,
    }
}

/// An invoice of 1,000.00 with 21 % VAT.
fn sale(number: u128) -> Entry {
    let lines = vec![line("4300000", "1210.00"), line("7050000", "-1000.00"), line("4770000", "-210.00")];
    Entry {
        kind: EntryKind::Sales,
        tax_tags: vec![tag(TagKind::VatOutput, "1000.00", "210.00")],
        source: Some(Source::new("invoice", "inv_1", "issue").expect("plain")),
        ..draft(number, lines)
    }
}

fn year() -> FiscalYear {
    let span = Span::new(date!(2025 - 01 - 01), date!(2025 - 12 - 31)).expect("a year");
    let (id, company) = (id::<FiscalYearId>(2025), id::<AccountId>(1));
    FiscalYear {
        id,
        company,
        name: "2025".to_owned(),
        span,
        status: YearStatus::Open,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: Timestamp::default(),
        updated_at: Timestamp::default(),
    }
}

fn post(entry: Entry, head: Option<Head>) -> Result<Entry, PostRefused> {
    let books = Books { locks: &Locks::default(), year: &year(), head };
    entry.post(&accounts(), &books, at(0), None)
}

fn head(entry: &Entry) -> Head {
    let posting = entry.status.posting().expect("posted");
    Head { year: posting.year, number: posting.number, hash: posting.hash }
}

fn reversal(number: u128, date: Date) -> Reversal {
    Reversal { id: id::<JournalEntryId>(number), date, description: None, tax_date: None }
}

fn reverse(entry: Entry, reversal: Reversal, head: Option<Head>) -> Result<Reversed, ReverseRefused> {
    let books = Books { locks: &Locks::default(), year: &year(), head };
    let mut next = 1_000;
    entry.reverse(reversal, &books, at(1), None, || {
        next += 1;
        id::<JournalLineId>(next)
    })
}

/// The findings as `field code`.
fn findings(errors: &ValidationErrors) -> Vec<String> {
    errors.0.iter().map(|error| format!("{} {}", error.field, error.code)).collect()
}

/// What posting finds in an entry.
fn invalid(entry: Entry) -> Vec<String> {
    match post(entry, None) {
        Err(PostRefused::Invalid(errors)) => findings(&errors),
        other => panic!("expected findings, not {other:?}"),
    }
}
