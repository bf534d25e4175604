//! What a return declares of each party, what its boxes are from, and its file.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Value, json};
use svc_business::books::entry::TagKind;
use svc_business::books::report::Language;
use svc_business::tax::returns::{
    self, ReturnParty, ReturnRefused, ReturnSource, TaxPeriod, TaxReturn, export,
};
use svc_core::id::{ContactId, JournalEntryId};
use svc_core::page::{Page, PageRules};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::wire::{Described, Form, Parts};
use svc_core::wire_view;

use super::return_view::PERIOD;
use super::returns::{LANG, find, language};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::{Code, Problem};
use crate::query::{Kind, LIMIT, PAGE, Param};

pub(super) const PAGES: [Param; 2] = [PAGE, LIMIT];

/// Rows of a file at most.
const MOST: u32 = 100_000;

const AMOUNT: Form = Form::ANY.example("1000.00");

wire_view! {
    /// What a return declares of a party: as the contact was when the return was prepared.
    #[derive(Debug)]
    pub(super) struct PartyView as "TaxReturnParty" {
        contact_id: Option<ContactId>,
        /// Masked but for its ends.
        tax_id: Option<Shown<String>>,
        /// Surnames first.
        name: String => Form::ANY.example("Ferretería Sol SL"),
        /// ISO 3166-1 alpha-2.
        country: String => Form::pattern("^[A-Z]{2}$").example("ES"),
        /// The two digits of a Spanish province.
        province: Option<String> => Form::ANY.example("28"),
        /// The key of the tax agency.
        key: String => Form::ANY.example("B"),
        /// What is declared apart under the same key.
        mark: Option<String> => Form::ANY.json("null"),
        /// The period that the row corrects, on model 349.
        corrects: Option<CorrectedView> => Form::ANY.json("null"),
        /// By column: the base, what was withheld, the amount of the year and of each quarter.
        amounts: BTreeMap<String, String> => Form::ANY.json(r#"{"amount":"4840.00"}"#),
    }
}

wire_view! {
    /// A period that is corrected.
    #[derive(Debug)]
    struct CorrectedView as "TaxReturnCorrected" {
        year: i64 => Form::ANY.number(2025),
        period: String => PERIOD,
    }
}

wire_view! {
    /// What a box was computed from: a tax tag of a posted entry, or what an account moved.
    #[derive(Debug)]
    pub(super) struct SourceView as "TaxReturnSource" {
        /// The entry of the tag.
        entry_id: Option<JournalEntryId>,
        /// The number of the entry in its year.
        entry_number: Option<u64> => Form::ANY.number(12),
        /// The day on which the entry counts.
        date: Option<String> => Form::DATE,
        /// The paper that the entry refers to.
        reference: Option<String> => Form::ANY.example("F2025-0001"),
        kind: Option<TagKind> => Form::ANY.example("vat_output"),
        tax_code: Option<String> => Form::ANY.example("es_vat_21"),
        /// When the tax fell due.
        tax_date: Option<String> => Form::DATE,
        base: Option<String> => AMOUNT,
        quota: Option<String> => AMOUNT.example("210.00"),
        /// With whom.
        contact_id: Option<ContactId>,
        /// The account, of a box that is a balance.
        account_code: Option<String> => Form::ANY.json("null"),
        /// Debits less credits of the account.
        balance: Option<String> => Form::ANY.json("null"),
    }
}

pub(super) async fn parties(req: ApiRequest) -> Result<Answer, Problem> {
    let found = find(&req).await?;
    let request = req.query.page(PageRules::USUAL)?;
    let from = u32::try_from(request.offset()).unwrap_or(u32::MAX);
    let items = req.app.business.tax_returns().parties(&found, from, request.limit()).await?;
    let total = found.figures.as_ref().map_or(0, |figures| u64::from(figures.parties));
    let page = Page { items, total, request };
    Ok(Answer::personal(StatusCode::OK, move |access| {
        Listed::of(&page, |party| PartyView::of(party, access))
    }))
}

pub(super) async fn sources(req: ApiRequest) -> Result<Answer, Problem> {
    let found = find(&req).await?;
    let request = req.query.page(PageRules::USUAL)?;
    let code: String = req.in_path("code")?;
    let (business, scope) = (req.app.business.as_ref(), &req.caller.principal.scope);
    let company = req.company_of(scope, found.company).await?;
    let said = found.said.clone();
    let computation = returns::compute(business, scope, &company, &found, said).await?;
    let sources = computation.sources(&code).ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&Page::of_all(sources, request), SourceView::of)))
}

impl PartyView {
    fn of(of: &ReturnParty, access: PiiAccess) -> Self {
        let corrected = |period: TaxPeriod| CorrectedView {
            year: period.year().into(),
            period: period.period().to_string(),
        };
        Self {
            contact_id: of.contact,
            tax_id: of.tax_id.as_ref().map(|tax_id| tax_id.show(access)),
            name: of.name.clone(),
            country: of.country.clone(),
            province: of.province.clone(),
            key: of.key.clone(),
            mark: of.mark.clone(),
            corrects: of.corrects.map(corrected),
            amounts: of.amounts.iter().map(|(column, amount)| (column.clone(), amount.to_string())).collect(),
        }
    }
}

impl SourceView {
    fn of(of: &ReturnSource) -> Self {
        match of {
            ReturnSource::Tag(tagged) => Self {
                entry_id: Some(tagged.entry),
                entry_number: Some(tagged.number),
                date: Some(tagged.date.to_string()),
                reference: tagged.reference.clone(),
                kind: Some(tagged.tag.kind),
                tax_code: Some(tagged.tag.tax_code.to_string()),
                tax_date: Some(tagged.tag.tax_date.to_string()),
                base: Some(tagged.tag.base.to_string()),
                quota: Some(tagged.tag.quota.to_string()),
                contact_id: tagged.tag.contact,
                account_code: None,
                balance: None,
            },
            ReturnSource::Account { code, balance } => Self {
                entry_id: None,
                entry_number: None,
                date: None,
                reference: None,
                kind: None,
                tax_code: None,
                tax_date: None,
                base: None,
                quota: None,
                contact_id: None,
                account_code: Some(code.clone()),
                balance: Some(balance.to_string()),
            },
        }
    }
}

/// Described by hand: it is no JSON.
#[derive(Debug)]
pub(super) struct ReturnFile;

impl Described for ReturnFile {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("TaxReturnFile", |_| {
            json!({
                "type": "string",
                "description": "A table, or the records of the tax agency.",
                "examples": ["code,label,amount\r\n07,Base,1000.00\r\n"],
            })
        })
    }
}

/// What a return is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    /// Its boxes as a table: `csv`
    #[default]
    Csv,
    /// Its rows of parties as a table: `parties`
    Parties,
    /// The records of the tax agency: `aeat`
    Aeat,
}

svc_core::wire_names!(Format { Csv = "csv", Parties = "parties", Aeat = "aeat" });

pub(super) const FILE: [Param; 5] = [
    Param::new(
        "format",
        Kind::OneOf(Format::NAMES),
        "csv of the boxes, csv of the rows of parties, or the file of the tax agency (models 347 and 349); csv when left out.",
    ),
    LANG,
    Param::new(
        "declarationNumber",
        Kind::Text,
        "Of the file of the tax agency: the number of the declaration, 13 digits that begin with the model.",
    ),
    Param::new("contactName", Kind::Text, "Of the file of the tax agency: whom it may call, surnames first."),
    Param::new("contactPhone", Kind::Text, "Of the file of the tax agency: nine digits."),
];

pub(super) async fn file(req: ApiRequest) -> Result<Answer, Problem> {
    let found = find(&req).await?;
    let (format, lang) = (req.query.parse::<Format>("format")?.unwrap_or_default(), language(&req)?);
    let rows = match format {
        Format::Csv => Vec::new(),
        Format::Parties | Format::Aeat => {
            if !req.access().is_full() {
                let detail = "the file names parties with their tax ids, which the token does not see";
                return Err(Problem::new(Code::PersonalDataWithheld, detail));
            }
            req.app.business.tax_returns().parties(&found, 0, MOST).await?
        }
    };
    let Some(computed) = returns::computed(&found, &rows)? else {
        return Err(ReturnRefused::NotPrepared { status: found.status }.into());
    };
    let labels = match lang {
        Language::Es => export::Language::Spanish,
        Language::En => export::Language::English,
    };
    let (bytes, media, suffix) = match format {
        Format::Csv => (export::csv(&computed, labels).into_bytes(), "text/csv", "csv"),
        Format::Parties => (export::csv_of_parties(&computed).into_bytes(), "text/csv", "csv"),
        Format::Aeat => {
            let declarant = declarant(&req, &found).await?;
            let written = export::file(&computed, &declarant);
            (written.map_err(|error| not_written(&error))?, "text/plain; charset=iso-8859-1", "txt")
        }
    };
    let name = format!("{}-{}-{}.{suffix}", found.model, found.period.year(), found.period.period());
    Ok(Answer::file(StatusCode::OK, bytes, media, &name).of(found.company))
}

async fn declarant(req: &ApiRequest, of: &TaxReturn) -> Result<export::Declarant, Problem> {
    let text = |name| req.query.text(name).map(|text| text.unwrap_or_default().trim().to_owned());
    let (number, contact, phone) = (text("declarationNumber")?, text("contactName")?, text("contactPhone")?);
    let digits = |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(&number, 13) || !number.starts_with(of.model.name()) {
        return Err(Problem::parameter(
            "declarationNumber",
            format!("expected 13 digits that begin with {}", of.model),
        ));
    }
    if contact.is_empty() {
        return Err(Problem::parameter(
            "contactName",
            "must name whom the tax agency may call, surnames first",
        ));
    }
    if !digits(&phone, 9) {
        return Err(Problem::parameter("contactPhone", "expected nine digits"));
    }
    let company = req.company_of(&req.caller.principal.scope, of.company).await?;
    let (tax_id, proof) = (company.tax_id.as_ref(), req.access().proof());
    let tax_id = tax_id.zip(proof).map(|(tax_id, proof)| tax_id.revealed(proof).as_str().to_owned());
    Ok(export::Declarant {
        tax_id: tax_id.unwrap_or_default(),
        name: company.legal_name,
        phone,
        contact,
        number,
    })
}

/// The layout has no place for the return.
fn not_written(error: &export::ExportError) -> Problem {
    Problem::new(Code::NotExchangeable, error.to_string())
}
