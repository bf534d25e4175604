//! `/treasury/bank-movements`

use http::StatusCode;
use svc_business::bank::BankAccount;
use svc_business::bank::import::{ManualImport, add_by_hand};
use svc_business::bank::movement::{
    self, BankMovement, BankMovementFilter, BankMovementSort, BankMovementStatus, Direction,
};
use svc_business::record;
use svc_core::error::ValidationErrors;
use svc_core::id::{BankAccountId, BankMovementImportId};
use svc_core::page::PageRules;
use svc_core::refused::Refused;
use svc_core::resource::Expected;

use super::imports;
use super::movement_view::MovementView;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Update;
use crate::list::Listed;
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, TEXT, UPDATED_SINCE, text_in};

const SORT: [(&str, BankMovementSort); 3] = [
    ("bookingDate", BankMovementSort::BookingDate),
    ("amount", BankMovementSort::Amount),
    ("updatedAt", BankMovementSort::UpdatedAt),
];

pub(super) const PARAMS: [Param; 14] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "One of bookingDate, amount, updatedAt; `-` in front for descending."),
    text_in!("the description, the counterparty's name and the references, apart from IBANs"),
    Param::new("bankAccountId", Kind::id::<BankAccountId>(), "Only of this account."),
    Param::new("importId", Kind::id::<BankMovementImportId>(), "Only those that came with this import."),
    Param::new("status", Kind::OneOf(BankMovementStatus::NAMES), "Only this status."),
    Param::new("direction", Kind::OneOf(Direction::NAMES), "Only what the account gained, or what it lost."),
    Param::new(
        "minAmount",
        Kind::Text,
        "Only of this size or more: without the sign, whatever the currency.",
    ),
    Param::new(
        "maxAmount",
        Kind::Text,
        "Only of this size or less: without the sign, whatever the currency.",
    ),
    UPDATED_SINCE,
    Param::new("from", Kind::Date, "Booked on this date or later."),
    Param::new("to", Kind::Date, "Booked on this date or earlier."),
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let (from, to) = query.dates()?;
    let filter = BankMovementFilter {
        companies: req.companies()?,
        bank_account: query.parse("bankAccountId")?,
        import: query.parse("importId")?,
        status: query.parse("status")?,
        direction: query.parse("direction")?,
        min_amount: query.parse("minAmount")?,
        max_amount: query.parse("maxAmount")?,
        from,
        to,
        updated_since: query.updated_since()?,
        text: query.text(TEXT)?.map(str::to_owned),
    };
    let scope = &req.caller.principal.scope;
    let page = req.app.business.bank_movements().page(scope, &filter, &sort, request).await?;
    Ok(Answer::personal(StatusCode::OK, move |access| {
        Listed::of(&page, |movement| MovementView::of(movement, access))
    }))
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let ManualImport { bank_account_id, movements } = req.json()?;
    let unit = req.app.business.begin().await?;
    let opened =
        record::alone::<BankAccount>(unit.as_ref(), req.call(), bank_account_id, &[], &Expected::Any);
    let opened = opened.await.map_err(|refused| {
        if matches!(refused, Refused::NotFound) { unknown_account().into() } else { Problem::from(refused) }
    })?;
    let import = add_by_hand(&opened, &movements).await?;
    drop(opened);
    let location = imports::location(&import);
    pending.finish(unit, imports::answer(StatusCode::CREATED, import).location(&location)).await
}

fn unknown_account() -> ValidationErrors {
    let message = "no bank account within reach has this id";
    ValidationErrors::one("bankAccountId", "unknown_reference", message)
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.bank_movements().find(&req.caller.principal.scope, req.id("id")?).await?;
    Ok(answer(found.ok_or_else(Problem::not_found)?))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::open::<BankMovement>(unit.as_ref(), req.call(), id, &expected).await?;
    let Update(input) = req.json()?;
    let updated = movement::update(opened, input).await?;
    unit.commit().await?;
    Ok(answer(updated))
}

pub(super) fn answer(movement: BankMovement) -> Answer {
    let (company, version) = (movement.company, movement.version);
    let answer = Answer::personal(StatusCode::OK, move |access| MovementView::of(&movement, access));
    answer.of(company).version(version)
}
