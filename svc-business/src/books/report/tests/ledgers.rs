use svc_core::clock::Timestamp;
use svc_core::id::{JournalEntryId, TypedId};
use uuid::Uuid;

use super::*;
use crate::books::entry::{self, Entry, EntryHash, EntryKind, EntryStatus, FxRate, Line, Posting};

fn id<T: TypedId>(number: u128) -> T {
    T::from_uuid(Uuid::from_u128(number))
}

fn moves(minor: i64) -> entry::Movement {
    entry::Movement::of_balance(cents(minor)).expect("not zero")
}

fn posted(date: Date, number: u64, minor: i64) -> PostedLine {
    PostedLine {
        date,
        entry: id(number.into()),
        entry_number: number,
        description: format!("=entry {number}"),
        contact: None,
        movement: moves(minor),
    }
}

fn ledger(opening: i64, lines: Vec<PostedLine>, period: Period) -> LedgerAccount {
    let lines = AccountLines { account: account("5720000"), opening: cents(opening), lines };
    let ledger = GeneralLedger::of(period, Currency::EUR, vec![lines]).expect("in range");
    ledger.accounts.into_iter().next().expect("an account")
}

#[test]
fn a_balance_runs_from_line_to_line() {
    let (march, april) = (date!(2025 - 03 - 15), date!(2025 - 04 - 10));
    let lines = vec![posted(april, 2, -300), posted(march, 7, 500), posted(april, 1, 100)];
    let account = ledger(1_000, lines, year());
    let running: Vec<(u64, i64)> =
        account.lines.iter().map(|line| (line.entry_number, line.balance.minor())).collect();
    assert_eq!(running, [(7, 1_500), (1, 1_600), (2, 1_300)]);
    assert_eq!((account.opening_balance, account.closing_balance), (cents(1_000), cents(1_300)));
}

#[test]
fn accounts_of_a_ledger_are_in_the_order_of_their_codes() {
    let lines = |code| AccountLines {
        account: account(code),
        opening: cents(0),
        lines: vec![posted(date!(2025 - 03 - 15), 1, -500)],
    };
    let accounts = vec![lines("5720000"), lines("4300000")];
    let ledger = GeneralLedger::of(year(), Currency::EUR, accounts).expect("in range");
    let entry = id::<JournalEntryId>(1);
    let wanted = format!(
        "accountCode,accountName,date,entryId,entryNumber,description,contactId,debit,credit,balance\r\n\
         4300000,account 4300000,2025-03-15,{entry},1,'=entry 1,,0.00,5.00,-5.00\r\n\
         5720000,account 5720000,2025-03-15,{entry},1,'=entry 1,,0.00,5.00,-5.00\r\n"
    );
    assert_eq!(ledger.csv(), wanted);
    let json = serde_json::to_value(&ledger).expect("plain");
    assert_eq!(json["accounts"][0]["lines"][0]["credit"], "5.00");
    assert_eq!(json["accounts"][0]["lines"][0]["contactId"], serde_json::Value::Null);
}

fn entry_of(number: u64, date: Date, status: EntryStatus) -> Entry {
    let line = |account: &str, minor| Line {
        id: id(900),
        account: code(account),
        movement: moves(minor),
        amount_currency: None,
        contact: None,
        posted_contact: None,
        description: None,
        due_date: None,
        posted_due_date: None,
        dimensions: BTreeMap::new(),
    };
    Entry {
        id: id(number.into()),
        company: id(1),
        kind: EntryKind::Manual,
        date,
        description: "Rent".to_owned(),
        reference: None,
        base_currency: Currency::EUR,
        currency: Currency::EUR,
        fx_rate: FxRate::ONE,
        lines: vec![line("6210000", 80_000), line("5720000", -80_000)],
        tax_tags: Vec::new(),
        source: None,
        reverses: None,
        closes_year: false,
        opens_year: false,
        status,
        extension: crate::party::Extension::default(),
        version: svc_core::resource::Version::FIRST,
        created_at: Timestamp::default(),
        updated_at: Timestamp::default(),
    }
}

fn posting(number: u64) -> EntryStatus {
    let (year, hash) = (id(2025), EntryHash::from_bytes([0; 32]));
    let posting = Posting { year, number, previous_hash: None, hash, at: Timestamp::default(), by: None };
    EntryStatus::Posted { posting }
}

#[test]
fn a_journal_has_what_counts_by_date() {
    let (march, april) = (date!(2025 - 03 - 15), date!(2025 - 04 - 10));
    let entries = [
        entry_of(1, april, posting(1)),
        entry_of(2, march, posting(2)),
        entry_of(3, march, EntryStatus::Draft),
        entry_of(4, date!(2026 - 01 - 01), posting(1)),
    ];
    let journal = Journal::of(year(), Currency::EUR, &entries, &names()).expect("in range");
    let numbers: Vec<u64> = journal.entries.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers, [2, 1]);
    assert_eq!(journal.entries[0].total, cents(80_000));
    let second = journal.csv().lines().nth(1).map(str::to_owned).expect("a row");
    let entry = id::<JournalEntryId>(2);
    assert_eq!(
        second,
        format!("{entry},2,2025-03-15,manual,Rent,,6210000,Arrendamientos y cánones,,800.00,0.00")
    );
    let json = serde_json::to_value(&journal).expect("plain");
    assert_eq!(json["entries"][0]["lines"][1]["accountCode"], "5720000");
}

proptest! {
    #[test]
    fn days_that_follow_each_other_have_the_lines_of_all(
        moved in prop::collection::vec((0_i64..365, 1_i64..1_000_000), 0..30),
        split in 1_i64..365,
        opening in -1_000_000_i64..1_000_000,
    ) {
        let day = |days| date!(2025 - 01 - 01) + Duration::days(days);
        let lines: Vec<PostedLine> =
            moved.iter().zip(1..).map(|((days, minor), number)| posted(day(*days), number, *minor)).collect();
        let whole = ledger(opening, lines.clone(), year());
        let first = ledger(opening, lines.clone(), period(year().from(), day(split - 1)));
        let second = ledger(first.closing_balance.minor(), lines, period(day(split), year().to()));
        prop_assert_eq!([first.lines, second.lines].concat(), whole.lines);
        prop_assert_eq!(second.closing_balance, whole.closing_balance);
    }
}
