//! `/treasury/bank-accounts`

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use http::StatusCode;
use svc_business::bank::{
    self, BankAccount, BankAccountFilter, BankAccountInput, BankAccountSort, BankAccountStatus,
    BankAccountType,
};
use svc_business::party::Iban;
use svc_business::record;
use svc_core::id::AccountId;
use svc_core::money::Amount;
use svc_core::page::PageRules;
use svc_core::pii::Pii;

use super::bank_account_view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::books::Held;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::problem::{Code, Problem};
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, UPDATED_SINCE};

const SORT: [(&str, BankAccountSort); 2] =
    [("name", BankAccountSort::Name), ("updatedAt", BankAccountSort::UpdatedAt)];

pub(super) const PARAMS: [Param; 9] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of name, updatedAt; `-` in front for descending."),
    Param::new("status", Kind::OneOf(BankAccountStatus::NAMES), "Only this status."),
    Param::new("type", Kind::OneOf(BankAccountType::NAMES), "Only this type."),
    Param::new("iban", Kind::Text, "Only with this number; needs a token that sees personal data."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let filter = BankAccountFilter {
        companies: req.companies()?,
        status: query.parse("status")?,
        kind: query.parse("type")?,
        iban: iban(&req)?,
        external_id: query.text("externalId")?.map(str::to_owned),
        updated_since: query.updated_since()?,
    };
    let scope = &req.caller.principal.scope;
    let page = req.app.business.bank_accounts().page(scope, &filter, &sort, request).await?;
    let mut books = BTreeMap::<AccountId, Held>::new();
    for account in &page.items {
        if let Entry::Vacant(place) = books.entry(account.company) {
            place.insert(books_of(&req, account).await?);
        }
    }
    let held = page.items.iter().map(|account| Ok((account.id, held(books.get(&account.company), account)?)));
    let held = held.collect::<Result<BTreeMap<_, _>, Problem>>()?;
    Ok(Answer::personal(StatusCode::OK, move |access| {
        Listed::of(&page, |account| View::of(account, held.get(&account.id).copied().flatten(), access))
    }))
}

/// The number that the query filters by, which a token without personal data cannot.
fn iban(req: &ApiRequest) -> Result<Option<Pii<Iban>>, Problem> {
    if req.query.text("iban")?.is_some() && !req.access().is_full() {
        let detail = "filtering by iban needs a token with the option to see personal data";
        let problem = Problem::new(Code::PersonalDataFilter, detail);
        return Err(problem.at("iban", "personal_data_required", detail));
    }
    Ok(req.query.parse::<Iban>("iban")?.map(Pii::new))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<BankAccountInput> { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<BankAccount>(unit.as_ref(), req.call(), company).await?;
    let created = bank::create(&home, &input).await?;
    let location = format!("/treasury/bank-accounts/{}", created.id);
    let answer = answer(&req, StatusCode::CREATED, created).await?;
    pending.finish(unit, answer.location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.bank_accounts().find(&req.caller.principal.scope, req.id("id")?).await?;
    answer(&req, StatusCode::OK, found.ok_or_else(Problem::not_found)?).await
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::open::<BankAccount>(unit.as_ref(), req.call(), id, &expected).await?;
    let Update(input) = req.json()?;
    let updated = bank::update(opened, &input).await?;
    unit.commit().await?;
    answer(&req, StatusCode::OK, updated).await
}

async fn answer(req: &ApiRequest, status: StatusCode, account: BankAccount) -> Result<Answer, Problem> {
    let held = held(Some(&books_of(req, &account).await?), &account)?;
    let (company, version) = (account.company, account.version);
    let answer = Answer::personal(status, move |access| View::of(&account, held, access));
    Ok(answer.of(company).version(version))
}

/// What the accounts of financial assets and debts (group 5) of a company hold.
async fn books_of(req: &ApiRequest, account: &BankAccount) -> Result<Held, Problem> {
    let scope = &req.caller.principal.scope;
    Held::at(req, scope, account.company, None, "5".parse().ok()).await
}

fn held(books: Option<&Held>, account: &BankAccount) -> Result<Option<Amount>, Problem> {
    let (Some(books), Some(code)) = (books, account.account) else { return Ok(None) };
    books.balance(code).map(Some)
}
