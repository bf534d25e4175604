//! `/treasury/imports`, and the statement of a bank account.

use http::StatusCode;
use serde_json::{Value, json};
use svc_business::bank::BankAccount;
use svc_business::bank::import::{
    BankMovementImport, BankMovementImportFilter, BankMovementImportSort, ImportFormat, ImportStatus,
    Imported, Reading, StatementFile, StatementMapping, import as take_over,
};
use svc_business::record;
use svc_core::id::BankAccountId;
use svc_core::page::PageRules;
use svc_core::resource::Expected;
use svc_core::wire::{Described, Parts};
use svc_core::wire_names;
use tokio::sync::Semaphore;

use super::import_view::ImportView;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::list::Listed;
use crate::multipart::{Form, read_in_turn};
use crate::problem::Problem;
use crate::query::{COMPANY, Kind, LIMIT, PAGE, Param, UPDATED_SINCE};

/// The longest body: a statement with up to 200,000 movements.
pub(super) const MOST_BYTES: usize = 25 * 1024 * 1024;

/// Files that are read at a time.
static READING: Semaphore = Semaphore::const_new(2);

const FILE: &str = "file";
const FORMAT: &str = "format";
const MAPPING: &str = "mapping";

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(crate) struct StatementForm;

impl Described for StatementForm {
    fn schema(parts: &mut Parts) -> Value {
        let mapping = StatementMapping::schema(parts);
        parts.named::<Self>("BankStatementImport", |_| {
            json!({
                "type": "object",
                "required": [FILE],
                "additionalProperties": false,
                "properties": {
                    FILE: {
                        "type": "string",
                        "format": "binary",
                        "description": "The statement as the bank gives it.",
                        "examples": ["Fecha;Concepto;Importe\r\n15/01/2026;Recibo luz;-84,20\r\n"],
                    },
                    FORMAT: {
                        "type": "string",
                        "enum": GivenFormat::NAMES,
                        "default": GivenFormat::Auto.name(),
                        "description": "How it is written; `auto` finds that out.",
                    },
                    MAPPING: mapping,
                },
            })
        })
    }
}

/// What a client says of the format of its file.
#[derive(Clone, Copy, Debug)]
enum GivenFormat {
    /// Nothing.
    Auto,
    /// Norma 43.
    N43,
    /// camt.053.
    Camt053,
    /// A table.
    Csv,
}

wire_names!(GivenFormat { Auto = "auto", N43 = "n43", Camt053 = "camt053", Csv = "csv" });

pub(super) async fn import(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (id, scope) = (req.id("id")?, &req.caller.principal.scope);
    let account = req.app.business.bank_accounts().find(scope, id).await?.ok_or_else(Problem::not_found)?;
    let mut form = Form::read(&req.headers, req.body.clone(), &[FILE, FORMAT, MAPPING]).await?;
    let format = match form.value::<GivenFormat>(FORMAT, "auto, n43, camt053 or csv")? {
        None | Some(GivenFormat::Auto) => None,
        Some(named) => named.name().parse().ok(),
    };
    let reading = Reading { format, mapping: form.json(MAPPING)? };
    let (file, currency) = (form.file(FILE)?, account.currency);
    let read = move || StatementFile::read(file.name, file.bytes.into(), reading, currency);
    let file = read_in_turn(&READING, read).await??;
    let unit = req.app.business.begin().await?;
    let opened = record::alone::<BankAccount>(unit.as_ref(), req.call(), id, &[], &Expected::Any).await?;
    let (status, import) = match take_over(&opened, file).await? {
        Imported::Earlier(import) => (StatusCode::OK, import),
        Imported::New(import) => match import.status {
            ImportStatus::Completed => (StatusCode::CREATED, import),
            ImportStatus::Processing => (StatusCode::ACCEPTED, import),
        },
    };
    drop(opened);
    let location = location(&import);
    pending.finish(unit, answer(status, import).location(&location)).await
}

const SORT: [(&str, BankMovementImportSort); 1] = [("updatedAt", BankMovementImportSort::UpdatedAt)];

pub(super) const PARAMS: [Param; 8] = [
    PAGE,
    LIMIT,
    COMPANY,
    Param::new("sort", Kind::Text, "updatedAt; `-` in front for descending."),
    Param::new("bankAccountId", Kind::id::<BankAccountId>(), "Only into this account."),
    Param::new("status", Kind::OneOf(ImportStatus::NAMES), "Only this status."),
    Param::new("format", Kind::OneOf(ImportFormat::NAMES), "Only this format."),
    UPDATED_SINCE,
];

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let query = &req.query;
    let (request, sort) = (query.page(PageRules::USUAL)?, query.sort(&SORT)?);
    let filter = BankMovementImportFilter {
        companies: req.companies()?,
        bank_account: query.parse("bankAccountId")?,
        status: query.parse("status")?,
        format: query.parse("format")?,
        updated_since: query.updated_since()?,
    };
    let scope = &req.caller.principal.scope;
    let page = req.app.business.bank_imports().page(scope, &filter, &sort, request).await?;
    Ok(Answer::personal(StatusCode::OK, move |access| {
        Listed::of(&page, |import| ImportView::of(import, access))
    }))
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.bank_imports().find(&req.caller.principal.scope, req.id("id")?).await?;
    Ok(answer(StatusCode::OK, found.ok_or_else(Problem::not_found)?))
}

/// Where an import is read.
pub(super) fn location(import: &BankMovementImport) -> String {
    format!("/treasury/imports/{}", import.id)
}

pub(super) fn answer(status: StatusCode, import: BankMovementImport) -> Answer {
    let (company, version) = (import.company, import.version);
    let answer = Answer::personal(status, move |access| ImportView::of(&import, access));
    answer.of(company).version(version)
}
