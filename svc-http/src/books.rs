//! `/books`.

mod accounts;
mod aged;
mod asset_plan;
mod asset_routes;
mod asset_run;
mod asset_view;
mod assets;
mod book;
mod entries;
mod entry_view;
mod fiscal_years;
mod general_ledger;
mod held;
mod journal_report;
mod lines;
mod scope;
mod statements;
mod trial_balance;
mod vat_register;
mod verification;

use http::StatusCode;
use svc_business::books::book::BookInput;
use svc_business::books::fiscal_year::{CloseRequest, FiscalYearInput};
use svc_business::books::journal::{BulkRequest, EntryInput, ReverseRequest};
use svc_business::books::ledger::LedgerAccountInput;
use svc_business::catalogue::permission;

pub(crate) use self::held::Held;
pub(crate) use self::scope::out_of_range;
use crate::api::{self, Route, delete, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;

const BOOKS_READ: ByToken = ByToken::With(permission("accounting:books.read"));
const BOOKS_UPDATE: ByToken = ByToken::With(permission("accounting:books.update"));
const ACCOUNTS_READ: ByToken = ByToken::With(permission("accounting:accounts.read"));
const ACCOUNTS_CREATE: ByToken = ByToken::With(permission("accounting:accounts.create"));
const ACCOUNTS_UPDATE: ByToken = ByToken::With(permission("accounting:accounts.update"));
const ACCOUNTS_DELETE: ByToken = ByToken::With(permission("accounting:accounts.delete"));
const JOURNAL_READ: ByToken = ByToken::With(permission("accounting:journal.read"));
const JOURNAL_CREATE: ByToken = ByToken::With(permission("accounting:journal.create"));
const JOURNAL_UPDATE: ByToken = ByToken::With(permission("accounting:journal.update"));
const JOURNAL_POST: ByToken = ByToken::With(permission("accounting:journal.post"));
const JOURNAL_DELETE: ByToken = ByToken::With(permission("accounting:journal.delete"));
const YEARS_READ: ByToken = ByToken::With(permission("accounting:fiscal_years.read"));
const YEARS_CREATE: ByToken = ByToken::With(permission("accounting:fiscal_years.create"));
const YEARS_CLOSE: ByToken = ByToken::With(permission("accounting:fiscal_years.close"));
const REPORTS_READ: ByToken = ByToken::With(permission("accounting:reports.read"));

const AGED: &str = "By contacts, from lines that are due on their `dueDate` or else on their date; what was paid settles \
     what was due first.";

const BOOK: &str = "/books/{companyId}";
const ACCOUNT: &str = "/books/{companyId}/accounts/{id}";
const ENTRY: &str = "/books/{companyId}/journal-entries/{id}";

pub(crate) fn routes() -> Vec<Route> {
    [books(), accounts(), years(), journal(), asset_routes::routes(), reports()]
        .into_iter()
        .flatten()
        .collect()
}

fn books() -> Vec<Route> {
    vec![
        api::get("/books", BOOKS_READ, "List books, one for each company")
            .params(&book::PARAMS)
            .answers::<Listed<book::View>>(StatusCode::OK)
            .to(book::list),
        api::get(BOOK, BOOKS_READ, "Get the books of a company")
            .answers::<book::View>(StatusCode::OK)
            .versioned()
            .to(book::get),
        patch(BOOK, BOOKS_UPDATE, "Change the books of a company")
            .about(
                "`chart` and `accountCodeLength` change only while the books have no entry, no fixed asset and no \
                 account that was added or changed: 409 `books_in_use`. A patch that changes nothing keeps the version; no change emits \
                 an event.",
            )
            .body::<Update<BookInput>>()
            .answers::<book::View>(StatusCode::OK)
            .versioned()
            .to(book::update),
    ]
}

fn accounts() -> Vec<Route> {
    vec![
        api::get("/books/{companyId}/accounts", ACCOUNTS_READ, "List the accounts of a ledger")
            .about("In the order of their codes, each with what it holds at the end of `asOf`, today when left out.")
            .params(&accounts::PARAMS)
            .answers::<Listed<accounts::View>>(StatusCode::OK)
            .to(accounts::list),
        post("/books/{companyId}/accounts", ACCOUNTS_CREATE, "Add an account or a heading to a ledger")
            .body::<Create<LedgerAccountInput>>()
            .creates::<accounts::View>()
            .to(accounts::create),
        api::get(ACCOUNT, ACCOUNTS_READ, "Get an account of a ledger")
            .about("With what it holds today.")
            .answers::<accounts::View>(StatusCode::OK)
            .versioned()
            .to(accounts::get),
        patch(ACCOUNT, ACCOUNTS_UPDATE, "Change an account of a ledger")
            .about("Its code stays once entries, a bank account or default accounts use it: 409 `account_in_use`.")
            .body::<Update<LedgerAccountInput>>()
            .answers::<accounts::View>(StatusCode::OK)
            .versioned()
            .to(accounts::update),
        delete(ACCOUNT, ACCOUNTS_DELETE, "Erase an account that nothing uses")
            .answers_nothing()
            .versioned()
            .to(accounts::delete),
    ]
}

fn years() -> Vec<Route> {
    vec![
        api::get("/books/{companyId}/fiscal-years", YEARS_READ, "List fiscal years")
            .params(&fiscal_years::PARAMS)
            .answers::<Listed<fiscal_years::View>>(StatusCode::OK)
            .to(fiscal_years::list),
        post("/books/{companyId}/fiscal-years", YEARS_CREATE, "Add a fiscal year")
            .about("It begins on the day after another one ends, or ends on the day before one begins.")
            .body::<Create<FiscalYearInput>>()
            .creates::<fiscal_years::View>()
            .to(fiscal_years::create),
        api::get("/books/{companyId}/fiscal-years/{id}", YEARS_READ, "Get a fiscal year")
            .answers::<fiscal_years::View>(StatusCode::OK)
            .versioned()
            .to(fiscal_years::get),
        post("/books/{companyId}/fiscal-years/{id}/close", YEARS_CLOSE, "Close a fiscal year")
            .about(
                "Posts the regularisation (groups 6 and 7 to the result) and the closing on its last day, and the \
                 opening on the first day of the next year, which is added unless `createNext` is false.",
            )
            .body::<CloseRequest>()
            .answers::<fiscal_years::View>(StatusCode::OK)
            .versioned()
            .to(fiscal_years::close),
        post("/books/{companyId}/fiscal-years/{id}/reopen", YEARS_CLOSE, "Open a closed fiscal year again")
            .about("Reverses the entries that closed it; the next year must be open.")
            .answers::<fiscal_years::View>(StatusCode::OK)
            .versioned()
            .to(fiscal_years::reopen),
    ]
}

fn journal() -> Vec<Route> {
    vec![
        api::get("/books/{companyId}/journal-lines", JOURNAL_READ, "List the lines of a journal")
            .about("Those of posted and reversed entries, which count, unless `entryStatus` says otherwise.")
            .params(&lines::PARAMS)
            .answers::<Listed<lines::View>>(StatusCode::OK)
            .to(lines::list),
        api::get("/books/{companyId}/journal-entries", JOURNAL_READ, "List journal entries")
            .about("Without their lines.")
            .params(&entries::PARAMS)
            .answers::<Listed<entry_view::Summary>>(StatusCode::OK)
            .to(entries::list),
        post("/books/{companyId}/journal-entries", JOURNAL_CREATE, "Write a journal entry")
            .about(
                "A draft, which may be unbalanced; with `post` it is posted at once, which takes \
                 `accounting:journal.post` as well.",
            )
            .body::<Create<EntryInput>>()
            .creates::<entry_view::View>()
            .to(entries::create),
        post("/books/{companyId}/journal-entries/bulk", JOURNAL_CREATE, "Write many journal entries")
            .about("All of them or none, in one commit; each emits what the single call would.")
            .body::<BulkRequest>()
            .answers::<entries::Written>(StatusCode::OK)
            .to(entries::bulk),
        api::get(ENTRY, JOURNAL_READ, "Get a journal entry")
            .answers::<entry_view::View>(StatusCode::OK)
            .versioned()
            .to(entries::get),
        patch(ENTRY, JOURNAL_UPDATE, "Change a journal entry")
            .about(
                "A draft that was written by hand changes as a whole; a posted entry only by `description`, \
                 `reference`, `externalId` and `metadata`: 409 `entry_posted`.",
            )
            .body::<Update<EntryInput>>()
            .answers::<entry_view::View>(StatusCode::OK)
            .versioned()
            .to(entries::update),
        delete(ENTRY, JOURNAL_DELETE, "Erase a draft that was written by hand")
            .answers_nothing()
            .versioned()
            .to(entries::delete),
        post("/books/{companyId}/journal-entries/{id}/post", JOURNAL_POST, "Post a draft")
            .about("It gets the next number of its fiscal year and never changes what it moves again.")
            .answers::<entry_view::View>(StatusCode::OK)
            .versioned()
            .to(entries::post),
        post(
            "/books/{companyId}/journal-entries/{id}/reverse",
            JOURNAL_POST,
            "Undo a posted entry by another one",
        )
        .about("Answers the reversal: the same lines on the other side, posted.")
        .body::<ReverseRequest>()
        .creates::<entry_view::View>()
        .to(entries::reverse),
    ]
}

fn reports() -> Vec<Route> {
    vec![
        api::get("/books/{companyId}/reports/trial-balance", REPORTS_READ, "Trial balance (*sumas y saldos*)")
            .about("What each account held before `from`, what moved it until `to`, and what it holds then.")
            .params(&trial_balance::PARAMS)
            .answers::<trial_balance::View>(StatusCode::OK)
            .or_as(statements::CSV)
            .to(trial_balance::get),
        api::get("/books/{companyId}/reports/balance-sheet", REPORTS_READ, "Balance sheet (*balance de situación*)")
            .about("By the model of small companies in Spain; the result of an open year stands in equity.")
            .params(&statements::AS_OF)
            .answers::<statements::SheetView>(StatusCode::OK)
            .or_as(statements::CSV)
            .to(statements::balance_sheet),
        api::get(
            "/books/{companyId}/reports/profit-and-loss",
            REPORTS_READ,
            "Profit and loss account (*cuenta de pérdidas y ganancias*)",
        )
        .about("By the model of small companies in Spain.")
        .params(&statements::DAYS)
        .answers::<statements::AccountView>(StatusCode::OK)
        .or_as(statements::CSV)
        .to(statements::profit_and_loss),
        api::get("/books/{companyId}/reports/general-ledger", REPORTS_READ, "General ledger (*libro mayor*)")
            .about(
                "Every line of the accounts that held something before `from` or moved since; at most 50,000 lines, so \
                 that more are asked for in parts.",
            )
            .params(&general_ledger::PARAMS)
            .answers::<general_ledger::View>(StatusCode::OK)
            .or_as(statements::CSV)
            .to(general_ledger::get),
        api::get("/books/{companyId}/reports/journal", REPORTS_READ, "Journal (*libro diario*)")
            .about("Posted entries by their dates; at most 50,000 lines, so that more are asked for in parts.")
            .params(&journal_report::PARAMS)
            .answers::<journal_report::View>(StatusCode::OK)
            .or_as(statements::CSV)
            .to(journal_report::get),
        api::get("/books/{companyId}/reports/aged-receivables", REPORTS_READ, "What customers owe by its age")
            .about(AGED)
            .params(&aged::PARAMS)
            .answers::<aged::View>(StatusCode::OK)
            .or_as(statements::CSV)
            .to(aged::receivables),
        api::get("/books/{companyId}/reports/aged-payables", REPORTS_READ, "What suppliers are owed by its age")
            .about(AGED)
            .params(&aged::PARAMS)
            .answers::<aged::View>(StatusCode::OK)
            .or_as(statements::CSV)
            .to(aged::payables),
        api::get(
            "/books/{companyId}/reports/vat-register",
            REPORTS_READ,
            "VAT register (*libro registro de facturas*)",
        )
        .about("A row for each tax of each posted entry with tax tags, by the dates on which taxes fell due.")
        .params(&vat_register::PARAMS)
        .answers::<vat_register::View>(StatusCode::OK)
        .or_as(statements::CSV)
        .personal()
        .to(vat_register::get),
        api::get("/books/{companyId}/verification", REPORTS_READ, "Verify the journal of a company")
            .about(
                "Reads every posted entry and computes anew what it adds up to, its hash and its place in the chain of \
                 its year.",
            )
            .answers::<verification::View>(StatusCode::OK)
            .to(verification::verify_all),
    ]
}
