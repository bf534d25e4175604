//! Accounting: ledgers and entries kept whole, and found by every filter.

use std::collections::BTreeMap;

use svc_business::account::Account;
use svc_business::books::account::{AccountCode, AccountType};
use svc_business::books::book::{Book, BookFilter, Subledger, begin};
use svc_business::books::entry::{
    Entry, EntryHash, EntryKind, EntryStatus, FxRate, Head, Line, Movement, Particulars, Posting, Source,
    TagKind, TaxTag,
};
use svc_business::books::fiscal_year::FiscalYear;
use svc_business::books::journal::{EntryFilter, EntrySort, EntryStatusFilter, LineFilter, LineSort};
use svc_business::books::ledger::{LedgerAccount, LedgerFilter, LedgerSort, LedgerStatus};
use svc_business::party::Extension;
use svc_business::trade::{ExemptionCode, Supply};
use svc_core::audit::Actor;
use svc_core::id::{AccountId, ContactId, JournalEntryId};
use svc_core::money::Currency;
use svc_core::page::{Direction, Sort};
use svc_core::pii::PiiAccess;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use time::Date;
use time::macros::date;

use super::{Storage, assert_conflict, assert_taken, attempt, insert_accounts, put_contacts, whole};
use crate::business::sample::{at, bare_account, euros, everything, extension, id, organization, scope};
use crate::fakes::SeededRandom;

/// A company with books, their year, and two contacts.
pub(super) async fn with_books(storage: &Storage) -> (Account, FiscalYear, [ContactId; 2]) {
    let company = bare_account(1);
    insert_accounts(storage, std::slice::from_ref(&company)).await;
    start(storage, &company).await;
    let contacts = [10, 11].map(|number| organization(company.id, number, "Cliente SL"));
    put_contacts(storage, &contacts).await;
    let years = storage.fiscal_years().of_company(company.id).await.expect("years");
    let [year] = years.as_slice() else { panic!("one year, not {years:?}") };
    (company, year.clone(), contacts.map(|contact| contact.id))
}

async fn start(storage: &Storage, company: &Account) -> Book {
    let (scope, random, actor) = (everything(), SeededRandom::new(5), Actor::service("contract"));
    let access = PiiAccess::Masked;
    let call = CallContext { scope: &scope, access, actor: &actor, now: at(0), random: &random };
    let unit = storage.begin().await.expect("begin");
    let book = begin(unit.as_ref(), call, company).await.expect("books");
    unit.commit().await.expect("commit");
    book
}

pub(super) fn code(text: &str) -> AccountCode {
    text.parse().expect("a code")
}

pub(super) fn line(number: u128, account: &str, minor: i64, contact: Option<ContactId>) -> Line {
    Line {
        id: id(number),
        account: code(account),
        movement: Movement::of_balance(euros(minor)).expect("not zero"),
        amount_currency: None,
        contact,
        posted_contact: contact,
        description: None,
        due_date: None,
        posted_due_date: None,
        dimensions: BTreeMap::new(),
    }
}

/// An entry of 100 cents from a customer to the bank.
pub(super) fn entry(company: AccountId, number: u128, day: Date, contact: ContactId) -> Entry {
    Entry {
        id: id(number),
        company,
        kind: EntryKind::Manual,
        date: day,
        description: format!("Cobro {number}"),
        reference: None,
        base_currency: Currency::EUR,
        currency: Currency::EUR,
        fx_rate: FxRate::ONE,
        lines: vec![
            line(number * 10, "5720000", 100, None),
            line(number * 10 + 1, "4300000", -100, Some(contact)),
        ],
        tax_tags: Vec::new(),
        source: None,
        reverses: None,
        closes_year: false,
        opens_year: false,
        status: EntryStatus::Draft,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(0),
    }
}

pub(super) fn posted(entry: Entry, year: &FiscalYear, number: u64) -> Entry {
    let hash = EntryHash::from_bytes([u8::try_from(number).unwrap_or(0); 32]);
    let posting = Posting { year: year.id, number, previous_hash: None, hash, at: at(1), by: None };
    Entry { status: EntryStatus::Posted { posting }, ..entry }
}

pub(super) async fn put(storage: &Storage, entries: &[Entry]) {
    let unit = storage.begin().await.expect("begin");
    for entry in entries {
        unit.journal().insert(&everything(), entry).await.expect("insert an entry");
    }
    unit.commit().await.expect("commit");
}

async fn find(storage: &Storage, id: JournalEntryId) -> Option<Entry> {
    storage.journal().find(&everything(), id).await.expect("find")
}

/// Books begin with a chart and a year, come back whole and change at their version.
pub async fn books_come_back_whole(storage: Storage) {
    insert_accounts(&storage, &[bare_account(2)]).await;
    let (company, year, _) = with_books(&storage).await;
    assert_eq!(storage.books().missing(10).await.expect("read"), [id(2)]);
    let book = storage.books().find(&everything(), company.id).await.expect("find").expect("books");
    assert_eq!((year.span.start(), year.span.end()), (date!(2025 - 01 - 01), date!(2025 - 12 - 31)));
    let after = Book {
        subledger: Subledger::Individual,
        locks: book.locks.locked_to(Some(date!(2025 - 01 - 31))).submitted(date!(2024 - 12 - 31)),
        extension: extension("books"),
        version: book.version.next(),
        ..book.clone()
    };
    attempt!(storage, |unit| unit.books().replace(&everything(), &book, &after)).expect("replace");
    assert_eq!(storage.books().find(&everything(), company.id).await.expect("find"), Some(after.clone()));
    assert_conflict(&attempt!(storage, |unit| unit.books().replace(&everything(), &book, &after)));
    assert_eq!(storage.books().find(&scope(&[id(3)]), company.id).await.expect("find"), None);
    let listed = storage.books().page(&everything(), &BookFilter::default(), &Sort::default(), whole()).await;
    assert_eq!(listed.expect("page").items, [after]);
    let closed = FiscalYear { name: "Ejercicio".to_owned(), version: year.version.next(), ..year.clone() };
    attempt!(storage, |unit| unit.fiscal_years().replace(&everything(), &year, &closed)).expect("replace");
    assert_eq!(storage.fiscal_years().of_company(company.id).await.expect("years"), [closed]);
}

/// Accounts are listed in the order of their codes and found by every filter; a code is had once.
pub async fn every_filter_and_order_of_a_ledger_holds(storage: Storage) {
    let (company, _, _) = with_books(&storage).await;
    let all = storage.ledger().all(company.id).await.expect("all");
    assert!(all.len() > 700 && all.is_sorted_by_key(|account| account.code));
    let own = LedgerAccount {
        id: id(70),
        code: code("6299999"),
        name: "Ñandúes".to_owned(),
        status: LedgerStatus::Archived,
        extension: extension("own"),
        ..all.iter().find(|account| account.code == code("6290000")).expect("in the chart").clone()
    };
    attempt!(storage, |unit| unit.ledger().insert(&everything(), &own)).expect("insert");
    let clash = LedgerAccount { id: id(71), extension: Extension::default(), ..own.clone() };
    assert_taken(&attempt!(storage, |unit| unit.ledger().insert(&everything(), &clash)), "code");
    let by_code = Sort(Some((LedgerSort::Code, Direction::Descending)));
    let list = async |filter: LedgerFilter| {
        let page = storage.ledger().page(&everything(), &filter, &by_code, whole()).await.expect("page");
        (page.total, page.items)
    };
    let of = LedgerFilter { companies: vec![company.id], ..LedgerFilter::default() };
    let count = u64::try_from(all.len()).expect("few") + 1;
    assert_eq!(list(of.clone()).await.0, count);
    let prefix = list(LedgerFilter { prefix: Some(code("629")), ..of.clone() }).await;
    assert_eq!((prefix.0, prefix.1.first()), (2, Some(&own)));
    for filter in [
        LedgerFilter { status: Some(LedgerStatus::Archived), ..of.clone() },
        LedgerFilter { text: Some("ñandu".to_owned()), ..of.clone() },
        LedgerFilter { text: Some("299999".to_owned()), ..of.clone() },
        LedgerFilter { external_id: own.extension.external_id.clone(), ..of.clone() },
        LedgerFilter { codes: Some(vec![own.code]), ..of.clone() },
    ] {
        assert_eq!(list(filter).await, (1, vec![own.clone()]));
    }
    let expense =
        LedgerFilter { account_type: Some(AccountType::Expense), postable: Some(true), ..of.clone() };
    let (total, items) = list(expense).await;
    assert!(items.iter().all(|account| account.account_type == AccountType::Expense && account.postable));
    assert_eq!(total, u64::try_from(items.len()).expect("few"));
    assert_eq!(list(LedgerFilter { codes: Some(Vec::new()), ..of.clone() }).await.0, 0);
    assert_eq!(list(LedgerFilter { updated_since: Some(at(1)), ..of }).await.0, 0);
    let known = storage.ledger().with_codes(company.id, &[own.code, code("1")]).await.expect("known");
    assert_eq!(known.len(), 2);
    attempt!(storage, |unit| unit.ledger().erase(&everything(), &own)).expect("erase");
    assert_eq!(storage.ledger().find(&everything(), own.id).await.expect("find"), None);
}

/// Every member of an entry comes back, as a draft, posted and reversed, lines and tags in their order.
pub async fn an_entry_comes_back_whole(storage: Storage) {
    let (company, year, [client, other]) = with_books(&storage).await;
    let mut full = entry(company.id, 20, date!(2025 - 01 - 31), client);
    full.reference = Some("F-1".to_owned());
    full.source = Some(Source::new("invoice", "inv_1", "issue").expect("plain"));
    full.extension = extension("entry");
    if let Some(line) = full.lines.first_mut() {
        line.description = Some("Banco".to_owned());
        line.due_date = Some(date!(2025 - 02 - 28));
        line.dimensions = BTreeMap::from([("project".to_owned(), "roof".to_owned())]);
        line.amount_currency = Some(euros(100));
    }
    full.tax_tags = vec![TaxTag {
        kind: TagKind::VatInput,
        tax_code: "es_in_21".parse().expect("a tax code"),
        base: euros(-100),
        quota: euros(-21),
        deductible_quota: Some(euros(-10)),
        tax_date: date!(2025 - 01 - 30),
        particulars: Particulars {
            exemption: Some(ExemptionCode::E5),
            supply: Some(Supply::Services),
            rectifies: Some(date!(2024 - 12 - 31)),
        },
        contact: Some(client),
        posted_contact: Some(other),
    }];
    put(&storage, std::slice::from_ref(&full)).await;
    assert_eq!(find(&storage, full.id).await, Some(full.clone()));
    let mut counted = posted(Entry { version: full.version.next(), ..full.clone() }, &year, 1);
    counted.lines.swap(0, 1);
    attempt!(storage, |unit| unit.journal().replace(&everything(), &full, &counted)).expect("replace");
    assert_eq!(find(&storage, full.id).await, Some(counted.clone()));
    let Some(posting) = counted.status.posting().copied() else { panic!("it is posted") };
    let status = EntryStatus::Reversed { posting, by: id(21) };
    let undone = Entry { status, version: counted.version.next(), ..counted.clone() };
    attempt!(storage, |unit| unit.journal().replace(&everything(), &counted, &undone)).expect("replace");
    assert_eq!(find(&storage, full.id).await, Some(undone.clone()));
    assert_eq!(
        storage.journal().made_by(company.id, &full.source.clone().expect("it has one")).await.expect("read"),
        Some(undone.clone())
    );
    assert_conflict(&attempt!(storage, |unit| unit.journal().replace(&everything(), &counted, &undone)));
    let twice = Entry { source: full.source, ..entry(company.id, 22, date!(2025 - 02 - 01), client) };
    assert_taken(&attempt!(storage, |unit| unit.journal().insert(&everything(), &twice)), "source");
    let draft = entry(company.id, 23, date!(2025 - 02 - 01), client);
    put(&storage, std::slice::from_ref(&draft)).await;
    attempt!(storage, |unit| unit.journal().erase(&everything(), &draft)).expect("erase");
    assert_eq!(find(&storage, draft.id).await, None);
}

/// Entries and lines are found by every filter, in the order of days, numbers and positions.
pub async fn every_filter_and_order_of_a_journal_holds(storage: Storage) {
    let (company, year, [client, other]) = with_books(&storage).await;
    let made = |number, day, contact| entry(company.id, number, day, contact);
    let late = posted(made(20, date!(2025 - 02 - 01), client), &year, 1);
    let early = posted(made(21, date!(2025 - 01 - 31), other), &year, 2);
    let draft =
        Entry { kind: EntryKind::Bank, updated_at: at(90), ..made(22, date!(2025 - 03 - 01), client) };
    put(&storage, &[late.clone(), early.clone(), draft.clone()]).await;
    let of = EntryFilter { companies: vec![company.id], ..EntryFilter::default() };
    let by_date = Sort(Some((EntrySort::Date, Direction::Ascending)));
    let entries = async |filter: EntryFilter| {
        let page = storage.journal().page(&everything(), &filter, &by_date, whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        page.items.iter().map(|entry| entry.id).collect::<Vec<_>>()
    };
    assert_eq!(entries(of.clone()).await, [early.id, late.id, draft.id]);
    for filter in [
        EntryFilter { status: Some(EntryStatusFilter::Draft), ..of.clone() },
        EntryFilter { kind: Some(EntryKind::Bank), ..of.clone() },
        EntryFilter { from: Some(date!(2025 - 02 - 02)), ..of.clone() },
        EntryFilter { updated_since: Some(at(90)), ..of.clone() },
        EntryFilter { text: Some("cobro 22".to_owned()), ..of.clone() },
    ] {
        assert_eq!(entries(filter).await, [draft.id]);
    }
    assert_eq!(entries(EntryFilter { to: Some(date!(2025 - 01 - 31)), ..of.clone() }).await, [early.id]);
    let none = EntryFilter {
        source_type: Some("invoice".to_owned()),
        source_id: Some("inv_1".to_owned()),
        ..of.clone()
    };
    assert!(entries(none).await.is_empty());
    assert!(entries(EntryFilter { external_id: Some("none".to_owned()), ..of }).await.is_empty());
    assert_eq!(storage.journal().drafts_in(company.id, year.span).await.expect("count"), 1);
    assert!(storage.journal().has_entries(company.id).await.expect("read"));

    let of = LineFilter { companies: vec![company.id], ..LineFilter::default() };
    let order = Sort(Some((LineSort::Date, Direction::Ascending)));
    let lines = async |filter: LineFilter| {
        let page = storage.journal().lines(&everything(), &filter, &order, whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        page.items.iter().map(|line| (line.entry, line.position)).collect::<Vec<_>>()
    };
    let counted = [(early.id, 0), (early.id, 1), (late.id, 0), (late.id, 1)];
    assert_eq!(lines(of.clone()).await, counted);
    let drafts = LineFilter { statuses: vec![EntryStatusFilter::Draft], ..of.clone() };
    assert_eq!(lines(drafts).await, [(draft.id, 0), (draft.id, 1)]);
    let (bank, customers) = (Some(code("5720000")), Some(code("43")));
    for (filter, wanted) in [
        (LineFilter { account: bank, ..of.clone() }, vec![(early.id, 0), (late.id, 0)]),
        (LineFilter { prefix: customers, ..of.clone() }, vec![(early.id, 1), (late.id, 1)]),
        (LineFilter { contact: Some(client), ..of.clone() }, vec![(late.id, 1)]),
        (LineFilter { entry: Some(late.id), ..of.clone() }, vec![(late.id, 0), (late.id, 1)]),
        (LineFilter { kind: Some(EntryKind::Bank), ..of.clone() }, vec![]),
        (LineFilter { text: Some("cobro 21".to_owned()), ..of.clone() }, vec![(early.id, 0), (early.id, 1)]),
        (LineFilter { text: Some("nothing".to_owned()), ..of.clone() }, vec![]),
        (LineFilter { updated_since: Some(at(90)), ..of.clone() }, vec![]),
        (LineFilter { from: Some(date!(2025 - 02 - 01)), account: bank, ..of.clone() }, vec![(late.id, 0)]),
        (LineFilter { to: Some(date!(2025 - 01 - 31)), ..of.clone() }, vec![(early.id, 0), (early.id, 1)]),
    ] {
        assert_eq!(lines(filter.clone()).await, wanted, "{filter:?}");
    }
    let read = storage.journal().posted_after(company.id, year.id, 0, 10).await.expect("read");
    assert_eq!(read, [late, early]);
}

/// Each year keeps its last number; two entries never have the same one.
pub async fn numbers_are_given_once(storage: Storage) {
    let (company, year, [client, _]) = with_books(&storage).await;
    assert_eq!(storage.journal().head(company.id, year.id).await.expect("head"), None);
    let first = posted(entry(company.id, 20, date!(2025 - 01 - 10), client), &year, 1);
    for number in [1, 2] {
        let head = Head { year: year.id, number, hash: EntryHash::from_bytes([7; 32]) };
        attempt!(storage, |unit| unit.journal().set_head(company.id, head)).expect("kept");
        assert_eq!(storage.journal().head(company.id, year.id).await.expect("head"), Some(head));
    }
    assert!(storage.accounts().uses_base_currency(company.id).await.expect("read"));
    put(&storage, std::slice::from_ref(&first)).await;
    let same = posted(entry(company.id, 21, date!(2025 - 01 - 11), client), &year, 1);
    let outcome = attempt!(storage, |unit| unit.journal().insert(&everything(), &same));
    assert!(outcome.is_err(), "the number is given twice");
    assert_eq!(find(&storage, same.id).await, None);
}

/// Lines follow a contact that is merged, all of an entry, and keep with whom they were posted.
pub async fn lines_follow_their_contacts(storage: Storage) {
    let (company, year, [absorbed, survivor]) = with_books(&storage).await;
    let mut both = posted(entry(company.id, 20, date!(2025 - 01 - 10), absorbed), &year, 1);
    let shares = [(200, 60, absorbed), (201, -100, absorbed), (202, 40, survivor)];
    both.lines = shares.map(|(number, minor, contact)| line(number, "4300000", minor, Some(contact))).into();
    put(&storage, std::slice::from_ref(&both)).await;
    let contacts = storage.contacts().find_all(&everything(), &[absorbed, survivor]).await.expect("found");
    let of = |id| contacts.iter().find(|contact| contact.id == id).expect("there").clone();
    let (from, to) = (of(absorbed), of(survivor));
    assert!(attempt!(storage, |unit| unit.contacts().is_referenced(&from)).expect("read"));
    attempt!(storage, |unit| unit.contacts().repoint(&from, &to, at(50))).expect("repoint");
    let found = find(&storage, both.id).await.expect("there");
    let with: Vec<_> = found.lines.iter().map(|line| (line.contact, line.posted_contact)).collect();
    let [one, other] = [Some(absorbed), Some(survivor)];
    assert_eq!(with, [(other, one), (other, one), (other, other)]);
    assert_eq!(found.version, both.version.next());
}
