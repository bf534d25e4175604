//! What reports show line by line: only what is posted, of the days and the company that are asked for.

use svc_business::books::entry::{Entry, Particulars, TagKind, TaxTag};
use svc_business::books::report::{AgedSide, DueQuery, LedgerQuery, Period};
use svc_business::trade::Supply;
use svc_core::money::Currency;
use time::macros::date;

use super::books::{code, entry, posted, put, with_books};
use super::{Storage, attempt};
use crate::business::sample::{at, euros, everything};

fn days(from: time::Date, to: time::Date) -> Period {
    Period::new(from, to).expect("in order")
}

/// Lines are found by days, account, prefix and contact, in the order of dates, numbers and positions; what came
/// before is summed by contact.
pub async fn ledger_lines_are_those_of_the_days(storage: Storage) {
    let (company, year, [client, other]) = with_books(&storage).await;
    let on = |number, day, contact| entry(company.id, number, day, contact);
    let mut first = posted(on(20, date!(2025 - 01 - 10), client), &year, 2);
    if let Some(line) = first.lines.first_mut() {
        line.description = Some("Banco".to_owned());
    }
    let same_day = posted(on(21, date!(2025 - 01 - 10), other), &year, 1);
    let later = posted(on(22, date!(2025 - 02 - 01), client), &year, 3);
    put(&storage, &[first.clone(), same_day.clone(), later.clone(), on(23, date!(2025 - 01 - 10), client)])
        .await;
    let january = days(date!(2025 - 01 - 01), date!(2025 - 01 - 31));
    let all = LedgerQuery { period: january, account: None, prefix: None, contact: None };
    let found = async |asked: LedgerQuery, limit| {
        let lines = storage.journal().ledger_lines(company.id, Currency::EUR, &asked, limit).await;
        let lines = lines.expect("lines");
        lines.into_iter().map(|(account, line)| (line.entry_number, account, line)).collect::<Vec<_>>()
    };
    let lines = found(all, 10).await;
    let order: Vec<_> = lines.iter().map(|(number, account, _)| (*number, *account)).collect();
    let (bank, customers) = (code("5720000"), code("4300000"));
    assert_eq!(order, [(1, bank), (1, customers), (2, bank), (2, customers)]);
    let texts: Vec<_> = lines.iter().map(|(_, _, line)| line.description.as_str()).collect();
    assert_eq!(texts, ["Cobro 21", "Cobro 21", "Banco", "Cobro 20"]);
    let [.., (_, _, last)] = lines.as_slice() else { panic!("four lines") };
    assert_eq!((last.entry, last.contact), (first.id, Some(client)));
    assert_eq!((last.date, last.movement.signed()), (first.date, euros(-100)));
    assert_eq!(found(all, 3).await.len(), 3);
    for (asked, wanted) in [
        (LedgerQuery { account: Some(bank), ..all }, vec![(1, bank), (2, bank)]),
        (LedgerQuery { prefix: Some(code("43")), ..all }, vec![(1, customers), (2, customers)]),
        (LedgerQuery { contact: Some(other), ..all }, vec![(1, customers)]),
        (LedgerQuery { account: Some(bank), contact: Some(other), ..all }, vec![]),
    ] {
        let lines = found(asked, 10).await;
        assert_eq!(lines.iter().map(|(number, account, _)| (*number, *account)).collect::<Vec<_>>(), wanted);
    }
    let before = async |day| {
        let sums =
            storage.journal().contact_sums(company.id, Currency::EUR, client, day).await.expect("sums");
        sums.iter().map(|sum| (sum.account, sum.debit.minor() - sum.credit.minor())).collect::<Vec<_>>()
    };
    assert_eq!(before(date!(2025 - 01 - 10)).await, []);
    assert_eq!(before(date!(2025 - 01 - 11)).await, [(customers, -100)]);
    assert_eq!(before(date!(2025 - 03 - 01)).await, [(customers, -200)]);
}

/// Entries of some days come part by part, each with its lines; drafts are left out.
pub async fn entries_of_days_are_read_in_parts(storage: Storage) {
    let (company, year, [client, _]) = with_books(&storage).await;
    let on = |number, day| entry(company.id, number, day, client);
    let entries = [
        posted(on(20, date!(2025 - 01 - 10)), &year, 2),
        posted(on(21, date!(2025 - 01 - 31)), &year, 1),
        posted(on(22, date!(2025 - 02 - 01)), &year, 3),
        on(23, date!(2025 - 01 - 15)),
    ];
    put(&storage, &entries).await;
    let [first, second, third, _] = entries;
    let january = days(date!(2025 - 01 - 10), date!(2025 - 01 - 31));
    let read = async |period, after, limit| {
        storage.journal().posted_within(company.id, period, after, limit).await.expect("entries")
    };
    assert_eq!(read(january, None, 10).await, [first.clone(), second.clone()]);
    assert_eq!(read(january, None, 1).await, std::slice::from_ref(&first));
    let after = |entry: &Entry| Some((entry.date, entry.status.posting().expect("posted").number));
    assert_eq!(read(january, after(&first), 10).await, std::slice::from_ref(&second));
    assert!(read(january, after(&second), 10).await.is_empty());
    let february = days(date!(2025 - 02 - 01), date!(2025 - 02 - 28));
    assert_eq!(read(february, None, 10).await, [third]);
}

/// What is open with a contact is what its posted lines add up to when a day ends, whatever was posted for later days;
/// what closes a year or opens the next one is left out. Merged contacts have what both had.
pub async fn what_is_open_is_kept_by_contact(storage: Storage) {
    let (company, year, [client, other]) = with_books(&storage).await;
    let on = |number, day, contact| entry(company.id, number, day, contact);
    let first = posted(on(20, date!(2025 - 01 - 10), client), &year, 1);
    let again = posted(on(21, date!(2025 - 02 - 10), client), &year, 2);
    let late = posted(on(22, date!(2025 - 03 - 01), other), &year, 3);
    let mut alone = posted(on(23, date!(2025 - 03 - 02), client), &year, 4);
    if let Some(line) = alone.lines.last_mut() {
        (line.contact, line.posted_contact) = (None, None);
    }
    let mut back = posted(on(24, date!(2025 - 03 - 03), other), &year, 5);
    for line in &mut back.lines {
        line.movement = line.movement.mirrored();
    }
    let closing = posted(Entry { closes_year: true, ..on(25, date!(2025 - 01 - 31), client) }, &year, 6);
    let opening = posted(Entry { opens_year: true, ..on(27, date!(2025 - 02 - 01), client) }, &year, 7);
    let draft = on(26, date!(2025 - 01 - 10), client);
    put(&storage, &[first, again, late, alone, back, closing, opening, draft]).await;
    let open = async |side, day| {
        let found = storage.journal().open_balances(company.id, Currency::EUR, side, day).await;
        let mut found: Vec<_> =
            found.expect("balances").iter().map(|open| (open.contact, open.balance.minor())).collect();
        found.sort();
        found
    };
    let customers = async |day| open(AgedSide::Receivables, day).await;
    assert_eq!(customers(date!(2025 - 01 - 09)).await, []);
    assert_eq!(customers(date!(2025 - 01 - 10)).await, [(Some(client), -100)]);
    assert_eq!(customers(date!(2025 - 02 - 28)).await, [(Some(client), -200)]);
    let mut march = [(Some(client), -200), (Some(other), -100)];
    march.sort();
    assert_eq!(customers(date!(2025 - 03 - 01)).await, march);
    let end = date!(2025 - 12 - 31);
    assert_eq!(customers(end).await, [(None, -100), (Some(client), -200)]);
    assert!(open(AgedSide::Payables, end).await.is_empty());
    let both = storage.contacts().find_all(&everything(), &[client, other]).await.expect("found");
    let of = |id| both.iter().find(|contact| contact.id == id).expect("there").clone();
    attempt!(storage, |unit| unit.contacts().repoint(&of(client), &of(other), at(50))).expect("repoint");
    assert_eq!(customers(end).await, [(None, -100), (Some(other), -200)]);
}

/// Charges and payments are summed by the day on which they are due, the last days of each contact first.
pub async fn what_is_due_is_summed_by_days(storage: Storage) {
    let (company, year, [client, other]) = with_books(&storage).await;
    let on = |number, day, contact| entry(company.id, number, day, contact);
    let mut paid = posted(on(20, date!(2025 - 01 - 10), client), &year, 1);
    if let Some(line) = paid.lines.last_mut() {
        line.due_date = Some(date!(2025 - 02 - 10));
    }
    let again = posted(on(21, date!(2025 - 02 - 10), client), &year, 2);
    let before = posted(on(22, date!(2025 - 01 - 20), client), &year, 3);
    let third = posted(on(23, date!(2025 - 01 - 25), other), &year, 4);
    let late = posted(on(24, date!(2025 - 03 - 01), other), &year, 5);
    let closing = posted(Entry { closes_year: true, ..on(25, date!(2025 - 01 - 31), client) }, &year, 6);
    let mut alone = posted(on(26, date!(2025 - 01 - 02), client), &year, 7);
    if let Some(line) = alone.lines.last_mut() {
        (line.contact, line.posted_contact) = (None, None);
        line.movement = line.movement.mirrored();
    }
    if let Some(line) = alone.lines.first_mut() {
        line.movement = line.movement.mirrored();
    }
    let draft = on(27, date!(2025 - 01 - 10), client);
    put(&storage, &[paid, again, before, third, late, closing, alone, draft]).await;
    let as_of = date!(2025 - 02 - 28);
    let due = async |side, debits, days| {
        let asked = DueQuery { side, as_of, debits, days };
        let contacts = [Some(client), None, Some(other)];
        let sums = storage.journal().due_sums(company.id, Currency::EUR, asked, &contacts).await;
        let mut sums: Vec<_> = sums.expect("sums");
        sums.sort_by_key(|sum| sum.due);
        sums.iter().map(|sum| (sum.contact, sum.due, sum.amount.minor())).collect::<Vec<_>>()
    };
    let (customers, suppliers) = (AgedSide::Receivables, AgedSide::Payables);
    let last = [(Some(other), date!(2025 - 01 - 25), 100), (Some(client), date!(2025 - 02 - 10), 200)];
    assert_eq!(due(customers, false, 1).await, last);
    let all = [&[(Some(client), date!(2025 - 01 - 20), 100)], last.as_slice()].concat();
    assert_eq!(due(customers, false, 8).await, all);
    assert_eq!(due(customers, true, 8).await, [(None, date!(2025 - 01 - 02), 100)]);
    assert!(due(suppliers, true, 8).await.is_empty());
}

/// Tags of posted entries are found by the dates on which taxes fall due.
pub async fn tags_come_with_their_entries(storage: Storage) {
    let (company, year, [client, other]) = with_books(&storage).await;
    let tag = |day| TaxTag {
        kind: TagKind::VatInput,
        tax_code: "es_in_21".parse().expect("a tax code"),
        base: euros(-100),
        quota: euros(-21),
        deductible_quota: Some(euros(-10)),
        tax_date: day,
        particulars: Particulars { supply: Some(Supply::Investment), ..Particulars::default() },
        contact: Some(client),
        posted_contact: Some(other),
    };
    let (march, april) = (date!(2025 - 03 - 31), date!(2025 - 04 - 01));
    let mut tagged = posted(entry(company.id, 20, date!(2025 - 02 - 01), client), &year, 7);
    tagged.reference = Some("P-7".to_owned());
    tagged.tax_tags = vec![tag(march), tag(april)];
    let mut draft = entry(company.id, 21, date!(2025 - 02 - 01), client);
    draft.tax_tags = vec![tag(march)];
    put(&storage, &[tagged.clone(), draft]).await;
    let read = async |from, to, limit| {
        storage.journal().tags_within(company.id, days(from, to), limit).await.expect("tags")
    };
    let quarter = read(date!(2025 - 01 - 01), march, 10).await;
    let [found] = quarter.as_slice() else { panic!("one tag, not {quarter:?}") };
    assert_eq!((found.entry, found.number, found.date), (tagged.id, 7, tagged.date));
    assert_eq!((found.reference.as_deref(), &found.tag), (Some("P-7"), &tag(march)));
    assert_eq!(read(march, april, 10).await.len(), 2);
    assert_eq!(read(march, april, 1).await.len(), 1);
}
