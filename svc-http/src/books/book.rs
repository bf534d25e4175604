//! GET /books, and GET and PATCH /books/{companyId}

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::books::account::AccountCode;
use svc_business::books::book::{self, Book, BookFilter, Mode, Subledger};
use svc_business::books::chart::Chart;
use svc_business::record;
use svc_core::clock::Timestamp;
use svc_core::id::AccountId;
use svc_core::page::{PageRules, Sort};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::json::Update;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, LIMIT, PAGE, Param};

pub(super) const PARAMS: [Param; 3] = [PAGE, LIMIT, COMPANY];

wire_view! {
    /// The books of a company.
    #[derive(Debug)]
    pub(crate) struct View as "Book" {
        /// That of the company.
        id: AccountId,
        object: &'static str => Form::one_of(&["book"]),
        company_id: AccountId,
        version: i64,
        /// The chart that they started from.
        chart: Chart,
        /// ISO 4217: the currency of the company.
        base_currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// Digits of an account that takes entries.
        account_code_length: u8 => Form::range(6, 12).number(7),
        /// Whether customers and suppliers share accounts.
        subledger_mode: Subledger,
        /// The day on which fiscal years begin: MM-DD.
        fiscal_year_start: String => Form::pattern("^[0-9]{2}-[0-9]{2}$").example("01-01"),
        /// Accounts by what they are for.
        default_accounts: BTreeMap<String, AccountCode> => Form::ANY.json(r#"{"bank":"5720000"}"#),
        /// Nothing dated up to this day changes any more.
        lock_date: Option<String> => Form::DATE.json("null"),
        /// The last day of the periods whose returns were submitted: no tax tag up to it changes.
        tax_lock_date: Option<String> => Form::DATE.json("null"),
        /// As `lockDate`, and only moves forward.
        hard_lock_date: Option<String> => Form::DATE.json("null"),
        /// What the service writes by itself.
        automation: AutomationView,
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// What the service writes into the journal by itself.
    #[derive(Debug)]
    struct AutomationView as "BookAutomation" {
        sales: Mode,
        purchases: Mode,
        payments: Mode,
        depreciation: Mode,
        tax_settlement: Mode,
        auto_reconcile: bool,
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let request = req.query.page(PageRules::USUAL)?;
    let (scope, business) = (&req.caller.principal.scope, &req.app.business);
    let filter = BookFilter { companies: req.companies()? };
    let page = business.books().page(scope, &filter, &Sort::default(), request).await?;
    let ids: Vec<AccountId> = page.items.iter().map(|book| book.company).collect();
    let companies = business.accounts().find_all(scope, &ids).await?;
    let currency = |book: &Book| companies.iter().find(|company| company.id == book.company);
    let view = |book: &Book| {
        let company = currency(book).ok_or_else(Problem::internal)?;
        Ok::<_, Problem>(View::of(book, company.base_currency.code()))
    };
    Ok(Answer::plain(StatusCode::OK, &Listed::try_of(&page, view)?))
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let found = req.app.business.books().find(&scope, company).await?;
    answer(&req, &found.ok_or_else(Problem::not_found)?).await
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let call = req.call_in(&scope);
    let opened = record::alone::<Book>(unit.as_ref(), call, company, &[], &req.if_match()).await?;
    let Update(input) = req.json()?;
    let updated = book::update(opened, input).await?;
    unit.commit().await?;
    answer(&req, &updated).await
}

async fn answer(req: &ApiRequest, book: &Book) -> Result<Answer, Problem> {
    let company = req.company_of(&req.caller.principal.scope, book.company).await?;
    let view = View::of(book, company.base_currency.code());
    Ok(Answer::plain(StatusCode::OK, &view).of(book.company).version(book.version))
}

impl View {
    fn of(book: &Book, base_currency: &'static str) -> Self {
        let date = |date: Option<time::Date>| date.map(|date| date.to_string());
        Self {
            id: book.company,
            object: Book::NAME,
            company_id: book.company,
            version: book.version.as_i64(),
            chart: book.chart,
            base_currency,
            account_code_length: book.code_length.digits(),
            subledger_mode: book.subledger,
            fiscal_year_start: book.year_start.to_string(),
            default_accounts: book
                .default_accounts
                .iter()
                .map(|(what, code)| (what.to_string(), code))
                .collect(),
            lock_date: date(book.locks.lock),
            tax_lock_date: date(book.locks.tax),
            hard_lock_date: date(book.locks.hard),
            automation: AutomationView {
                sales: book.automation.sales,
                purchases: book.automation.purchases,
                payments: book.automation.payments,
                depreciation: book.automation.depreciation,
                tax_settlement: book.automation.tax_settlement,
                auto_reconcile: book.automation.auto_reconcile,
            },
            external_id: book.extension.external_id.clone(),
            metadata: book.extension.metadata.clone(),
            created_at: book.created_at,
            updated_at: book.updated_at,
        }
    }
}
