//! `/treasury/bank-accounts`

use std::collections::{BTreeSet, HashMap};

use http::StatusCode;
use svc_business::bank::{
    self, BankAccount, BankAccountFilter, BankAccountInput, BankAccountSort, BankAccountStatus,
    BankAccountType,
};
use svc_business::party::Iban;
use svc_business::record;
use svc_core::id::BankAccountId;
use svc_core::money::Amount;
use svc_core::page::PageRules;
use svc_core::pii::Pii;
use time::Date;

use super::bank_account_view::{Figures, View};
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
    let figures = figures(&req, &page.items).await?;
    Ok(Answer::personal(StatusCode::OK, move |access| {
        let of = |account: &BankAccount| figures.get(&account.id).copied().unwrap_or_default();
        Listed::of(&page, |account| View::of(account, of(account), access))
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
    let figures = figures(req, std::slice::from_ref(&account)).await?;
    let figures = figures.get(&account.id).copied().unwrap_or_default();
    let (company, version) = (account.company, account.version);
    let answer = Answer::personal(status, move |access| View::of(&account, figures, access));
    Ok(answer.of(company).version(version))
}

/// What the books and the bank say of each of these accounts.
async fn figures(
    req: &ApiRequest,
    accounts: &[BankAccount],
) -> Result<HashMap<BankAccountId, Figures>, Problem> {
    let (scope, storage) = (&req.caller.principal.scope, &req.app.business);
    let ids: Vec<BankAccountId> = accounts.iter().map(|account| account.id).collect();
    let statements = storage.bank_imports().last_statements(scope, &ids, None).await?;
    let pending = storage.bank_movements().pending(scope, &ids).await?;
    let held = held(req, accounts, None).await?;
    let of = |id: &BankAccountId| Figures {
        held: held.get(id).copied(),
        statement: statements.get(id).copied(),
        pending: pending.get(id).copied().unwrap_or_default(),
    };
    Ok(ids.iter().map(|id| (*id, of(id))).collect())
}

/// What the ledger says that each of these accounts holds at the end of a day; today when none is named.
pub(super) async fn held(
    req: &ApiRequest,
    accounts: &[BankAccount],
    as_of: Option<Date>,
) -> Result<HashMap<BankAccountId, Amount>, Problem> {
    let scope = &req.caller.principal.scope;
    let mut held = HashMap::new();
    for company in accounts.iter().map(|account| account.company).collect::<BTreeSet<_>>() {
        let own = accounts.iter().filter(|account| account.company == company);
        let codes: Vec<_> = own.filter_map(|account| Some((account.id, account.account?))).collect();
        let prefix = match codes.as_slice() {
            [] => continue,
            [(_, code)] => Some(*code),
            _ => FINANCIAL.parse().ok(),
        };
        let books = Held::at(req, scope, company, as_of, prefix).await?;
        for (id, code) in codes {
            held.insert(id, books.balance(code)?);
        }
    }
    Ok(held)
}
