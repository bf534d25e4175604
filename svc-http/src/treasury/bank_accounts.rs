//! `/treasury/bank-accounts`

use std::collections::{BTreeMap, BTreeSet};

use http::StatusCode;
use svc_business::bank::{
    self, BankAccount, BankAccountFilter, BankAccountInput, BankAccountSort, BankAccountStatus,
    BankAccountType,
};
use svc_business::books::account::AccountCode;
use svc_business::party::Iban;
use svc_business::record;
use svc_core::id::AccountId;
use svc_core::page::PageRules;
use svc_core::pii::Pii;

use super::bank_account_view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::books::Held;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::problem::Problem;
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

/// The group of the accounts that count money and what is owed.
const FINANCIAL: &str = "5";

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let filter = BankAccountFilter {
        companies: req.companies()?,
        status: query.parse("status")?,
        kind: query.parse("type")?,
        iban: {
            query.unmasked("iban", req.access())?;
            query.parse("iban")?.map(Pii::<Iban>::new)
        },
        external_id: query.text("externalId")?.map(str::to_owned),
        updated_since: query.updated_since()?,
    };
    let scope = &req.caller.principal.scope;
    let page = req.app.business.bank_accounts().page(scope, &filter, &sort, request).await?;
    let mut balances = BTreeMap::new();
    for company in page.items.iter().map(|account| account.company).collect::<BTreeSet<_>>() {
        let held = books(&req, company, FINANCIAL.parse().ok()).await?;
        for account in page.items.iter().filter(|account| account.company == company) {
            if let Some(code) = account.account {
                balances.insert(account.id, held.balance(code)?);
            }
        }
    }
    Ok(Answer::personal(StatusCode::OK, move |access| {
        Listed::of(&page, |account| View::of(account, balances.get(&account.id).copied(), access))
    }))
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
    let held = match account.account {
        Some(code) => Some(books(req, account.company, Some(code)).await?.balance(code)?),
        None => None,
    };
    let (company, version) = (account.company, account.version);
    let answer = Answer::personal(status, move |access| View::of(&account, held, access));
    Ok(answer.of(company).version(version))
}

/// What the accounts of a company hold whose codes begin so.
async fn books(req: &ApiRequest, company: AccountId, prefix: Option<AccountCode>) -> Result<Held, Problem> {
    Held::at(req, &req.caller.principal.scope, company, None, prefix).await
}
