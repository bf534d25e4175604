//! `/books/{companyId}/accounts`

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::books::account::{AccountCode, AccountType, NormalBalance, TaxRole};
use svc_business::books::ledger::{self, LedgerAccount, LedgerFilter, LedgerSort, LedgerStatus};
use svc_business::record;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, LedgerAccountId};
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::held::Held;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

/// 200 accounts, at most 500 (specification, 4.3).
const PAGES: PageRules = PageRules { default: 200, max: 500 };

const SORT: [(&str, LedgerSort); 2] = [("code", LedgerSort::Code), ("updatedAt", LedgerSort::UpdatedAt)];

const BOOLEAN: Kind = Kind::OneOf(&["true", "false"]);

pub(super) const PARAMS: [Param; 12] = [
    PAGE,
    LIMIT,
    Param::new("sort", Kind::Text, "One of code, updatedAt; `-` in front for descending."),
    text_in!("the code and the name"),
    Param::new("prefix", Kind::Text, "Only codes that begin with these digits."),
    Param::new("type", Kind::OneOf(AccountType::NAMES), "Only this type."),
    Param::new("postable", BOOLEAN, "Only accounts that take entries, or only headings."),
    Param::new("status", Kind::OneOf(LedgerStatus::NAMES), "Only this status."),
    Param::new("nonZero", BOOLEAN, "Whether to leave out accounts that hold nothing."),
    Param::new("asOf", Kind::Date, "The day at whose end the balances are; today when left out."),
    Param::new("externalId", Kind::Text, "Only with this external id."),
    UPDATED_SINCE,
];

wire_view! {
    /// An account or a heading of a ledger.
    #[derive(Debug)]
    pub(crate) struct View as "LedgerAccount" {
        id: LedgerAccountId,
        object: &'static str => Form::one_of(&["ledger_account"]),
        company_id: AccountId,
        version: i64,
        code: AccountCode => Form::ANY.example("6290000"),
        name: String => Form::ANY.example("Otros servicios"),
        r#type: AccountType,
        /// The side on which it grows.
        normal_balance: NormalBalance,
        /// Whether it takes entries; a heading does not.
        postable: bool,
        /// Whether its lines are matched with each other.
        reconcilable: bool,
        /// The tax that it counts.
        tax_role: Option<TaxRole> => Form::ANY.json("null"),
        status: LedgerStatus,
        /// What it holds: debit minus credit, in the base currency. A heading holds what the accounts below it do.
        balance: String => Form::ANY.example("1210.00"),
        /// The day at whose end it holds that.
        as_of: String => Form::DATE,
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let query = &req.query;
    let request = query.page(PAGES)?;
    let sort = query.sort(&SORT)?;
    let sort = Sort(sort.0.or(Some((LedgerSort::Code, Direction::Ascending))));
    let text = |name| Ok::<_, Problem>(query.text(name)?.map(str::to_owned));
    let mut filter = LedgerFilter {
        companies: vec![company],
        prefix: query.parse("prefix")?,
        account_type: query.parse("type")?,
        postable: query.parse("postable")?,
        status: query.parse("status")?,
        codes: None,
        text: text(TEXT)?,
        external_id: text("externalId")?,
        updated_since: query.updated_since()?,
    };
    let (non_zero, as_of) = (query.parse::<bool>("nonZero")?, query.date("asOf")?);
    let held = Held::at(&req, &scope, company, as_of, filter.prefix).await?;
    if non_zero == Some(true) {
        filter.codes = Some(held.codes());
    }
    let page = req.app.business.ledger().page(&scope, &filter, &sort, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::try_of(&page, |account| View::of(account, &held))?))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (company, scope) = req.books()?;
    let Create { input, .. } = req.json()?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<LedgerAccount>(unit.as_ref(), req.call_in(&scope), company).await?;
    let created = ledger::create(home, input).await?;
    let held = Held::at(&req, &scope, company, None, Some(created.code)).await?;
    let location = format!("/books/{company}/accounts/{}", created.id);
    let answer = answer(StatusCode::CREATED, &created, &held)?.location(&location);
    pending.finish(unit, answer).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let found = req.app.business.ledger().find(&scope, req.id("id")?).await?;
    let account = found.ok_or_else(Problem::not_found)?;
    let held = Held::at(&req, &scope, company, None, Some(account.code)).await?;
    answer(StatusCode::OK, &account, &held)
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let (company, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::alone::<LedgerAccount>(unit.as_ref(), call, id, &[], &req.if_match()).await?;
    let Update(input) = req.json()?;
    let updated = ledger::update(opened, input).await?;
    unit.commit().await?;
    let held = Held::at(&req, &scope, company, None, Some(updated.code)).await?;
    answer(StatusCode::OK, &updated, &held)
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let (_, scope) = req.books()?;
    let unit = req.app.business.begin().await?;
    let (call, id) = (req.call_in(&scope), req.id("id")?);
    let opened = record::alone::<LedgerAccount>(unit.as_ref(), call, id, &[], &req.if_match()).await?;
    ledger::delete(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}

fn answer(status: StatusCode, account: &LedgerAccount, held: &Held) -> Result<Answer, Problem> {
    Ok(Answer::plain(status, &View::of(account, held)?).of(account.company).version(account.version))
}

impl View {
    fn of(account: &LedgerAccount, held: &Held) -> Result<Self, Problem> {
        Ok(Self {
            id: account.id,
            object: LedgerAccount::NAME,
            company_id: account.company,
            version: account.version.as_i64(),
            code: account.code,
            name: account.name.clone(),
            r#type: account.account_type,
            normal_balance: account.normal_balance(),
            postable: account.postable,
            reconcilable: account.reconcilable,
            tax_role: account.tax_role,
            status: account.status,
            balance: held.balance(account.code)?.to_string(),
            as_of: held.as_of.to_string(),
            external_id: account.extension.external_id.clone(),
            metadata: account.extension.metadata.clone(),
            created_at: account.created_at,
            updated_at: account.updated_at,
        })
    }
}
