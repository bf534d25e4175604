//! An entry as a response carries it. Nothing in it is masked.

use std::collections::{BTreeMap, BTreeSet};

use http::StatusCode;
use svc_business::books::account::AccountCode;
use svc_business::books::entry::{Entry, EntryKind, EntryStatus, Line, Source, TagKind, TaxTag, Totals};
use svc_business::books::ledger::LedgerAccount;
use svc_business::trade::{ExemptionCode, Supply};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId, FiscalYearId, JournalEntryId, JournalLineId, UserId};
use svc_core::money::Amount;
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

/// A decimal string.
const AMOUNT: Form = Form::ANY.example("1210.00");

wire_view! {
    /// An entry of the journal with its lines.
    #[derive(Debug)]
    pub(crate) struct View as "JournalEntry" {
        #[serde(flatten)]
        [flat] summary: Summary,
        /// In their order.
        lines: Vec<LineView>,
        /// What it means for taxes.
        tax_tags: Vec<TagView> => Form::ANY.json("[]"),
        /// SHA-256 over what it moves and the hash of the entry before it; null for a draft.
        hash: Option<String> => Form::pattern("^[0-9a-f]{64}$").json("null"),
        /// The hash of the entry before it in the year; null for the first.
        previous_hash: Option<String> => Form::pattern("^[0-9a-f]{64}$").json("null"),
    }
}

wire_view! {
    /// An entry of the journal without its lines.
    #[derive(Debug)]
    pub(crate) struct Summary as "JournalEntrySummary" {
        id: JournalEntryId,
        object: &'static str => Form::one_of(&["journal_entry"]),
        company_id: AccountId,
        version: i64,
        /// Counted without gaps in the fiscal year, in the order of posting; null for a draft.
        number: Option<u64> => Form::ANY.json("null"),
        /// The year that counts it; null for a draft.
        fiscal_year_id: Option<FiscalYearId> => Form::ANY.json("null"),
        /// The day on which it counts.
        date: String => Form::DATE,
        kind: EntryKind,
        status: &'static str => Form::one_of(EntryStatus::NAMES),
        description: String => Form::ANY.example("Alquiler de enero"),
        reference: Option<String>,
        /// ISO 4217: the currency of the lines.
        base_currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// ISO 4217: the currency of what it records.
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// Units of the base currency for one of `currency`.
        fx_rate: String => Form::ANY.example("1"),
        total_debit: String => AMOUNT,
        total_credit: String => AMOUNT,
        /// Whether both sides are the same, and more than zero.
        is_balanced: bool,
        /// Debit minus credit.
        difference: String => AMOUNT.example("0.00"),
        /// What made it; null for one that was written by hand.
        source: Option<SourceView> => Form::ANY.json("null"),
        /// The entry that it undoes.
        reverses_id: Option<JournalEntryId> => Form::ANY.json("null"),
        /// The entry that undoes it.
        reversed_by_id: Option<JournalEntryId> => Form::ANY.json("null"),
        posted_at: Option<Timestamp> => Form::ANY.json("null"),
        /// The person who posted it; null for an integration.
        posted_by: Option<UserId> => Form::ANY.json("null"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// What made an entry.
    #[derive(Debug)]
    struct SourceView as "JournalEntrySource" {
        /// The kind of record.
        r#type: String => Form::ANY.example("invoice"),
        id: String => Form::ID,
        /// Which of the record's entries it is.
        role: String => Form::ANY.example("issue"),
    }
}

wire_view! {
    /// A line of an entry.
    #[derive(Debug)]
    pub(crate) struct LineView as "JournalEntryLine" {
        id: JournalLineId,
        /// Its place in the entry, from 0.
        position: usize,
        account_code: AccountCode => Form::ANY.example("6210000"),
        account_name: String,
        /// In the base currency; `0.00` on a credit.
        debit: String => AMOUNT,
        /// In the base currency; `0.00` on a debit.
        credit: String => AMOUNT.example("0.00"),
        /// The same in the entry's own currency.
        amount_currency: Option<String> => Form::ANY.json("null"),
        /// With whom.
        contact_id: Option<ContactId> => Form::ANY.json("null"),
        description: Option<String>,
        due_date: Option<String> => Form::DATE.json("null"),
        /// What the company sorts it by.
        dimensions: BTreeMap<String, String> => Form::ANY.json(r#"{"project":"roof"}"#),
    }
}

wire_view! {
    /// What an entry means for a tax.
    #[derive(Debug)]
    struct TagView as "TaxTag" {
        kind: TagKind,
        tax_code: String => Form::ANY.example("es_vat_21"),
        base: String => AMOUNT,
        quota: String => AMOUNT.example("254.10"),
        /// How much of the tax can be deducted; null for all of it.
        deductible_quota: Option<String> => Form::ANY.json("null"),
        tax_date: String => Form::DATE,
        /// Why no tax is charged, of a code that has several reasons.
        exemption_code: Option<ExemptionCode> => Form::ANY.json("null"),
        /// What is supplied, where returns tell it apart.
        supply: Option<Supply> => Form::ANY.json("null"),
        /// Of a tag that rectifies an earlier document: when the tax of that one fell due.
        rectifies: Option<String> => Form::DATE.json("null"),
        contact_id: Option<ContactId> => Form::ANY.json("null"),
    }
}

/// A single entry as an answer, with the names of its accounts.
pub(super) async fn answer(req: &ApiRequest, status: StatusCode, entry: &Entry) -> Result<Answer, Problem> {
    let names = Names::of(req, entry.company, entry.lines.iter().map(|line| line.account).collect()).await?;
    Ok(Answer::plain(status, &View::of(entry, &names)).of(entry.company).version(entry.version))
}

/// The names of accounts.
pub(super) struct Names(Vec<LedgerAccount>);

impl Names {
    pub(super) async fn of(
        req: &ApiRequest,
        company: AccountId,
        codes: BTreeSet<AccountCode>,
    ) -> Result<Self, Problem> {
        let codes: Vec<_> = codes.into_iter().collect();
        Ok(Self(req.app.business.ledger().with_codes(company, &codes).await?))
    }

    fn find(&self, code: AccountCode) -> String {
        let account = self.0.iter().find(|account| account.code == code);
        account.map(|account| account.name.clone()).unwrap_or_default()
    }
}

impl View {
    pub(super) fn of(entry: &Entry, names: &Names) -> Self {
        let posting = entry.status.posting();
        let lines = entry.lines.iter().enumerate();
        Self {
            summary: Summary::of(entry),
            lines: lines.map(|(position, line)| LineView::of(position, line, names)).collect(),
            tax_tags: entry.tax_tags.iter().map(TagView::of).collect(),
            hash: posting.map(|posting| posting.hash.to_string()),
            previous_hash: posting.and_then(|posting| posting.previous_hash).map(|hash| hash.to_string()),
        }
    }
}

impl Summary {
    pub(super) fn of(entry: &Entry) -> Self {
        let zero = Amount::zero(entry.base_currency);
        // What was kept has sums within range.
        let totals = entry.totals().unwrap_or(Totals { debit: zero, credit: zero });
        let posting = entry.status.posting();
        let reversed_by_id = match entry.status {
            EntryStatus::Draft | EntryStatus::Posted { .. } => None,
            EntryStatus::Reversed { by, .. } => Some(by),
        };
        let source = |source: &Source| SourceView {
            r#type: source.kind().to_owned(),
            id: source.id().to_owned(),
            role: source.role().to_owned(),
        };
        Self {
            id: entry.id,
            object: Entry::NAME,
            company_id: entry.company,
            version: entry.version.as_i64(),
            number: posting.map(|posting| posting.number),
            fiscal_year_id: posting.map(|posting| posting.year),
            date: entry.date.to_string(),
            kind: entry.kind,
            status: entry.status.name(),
            description: entry.description.clone(),
            reference: entry.reference.clone(),
            base_currency: entry.base_currency.code(),
            currency: entry.currency.code(),
            fx_rate: entry.fx_rate.to_string(),
            total_debit: totals.debit.to_string(),
            total_credit: totals.credit.to_string(),
            is_balanced: totals.is_balanced(),
            difference: totals.difference().unwrap_or(zero).to_string(),
            source: entry.source.as_ref().map(source),
            reverses_id: entry.reverses,
            reversed_by_id,
            posted_at: posting.map(|posting| posting.at),
            posted_by: posting.and_then(|posting| posting.by),
            external_id: entry.extension.external_id.clone(),
            metadata: entry.extension.metadata.clone(),
            created_at: entry.created_at,
            updated_at: entry.updated_at,
        }
    }
}

impl LineView {
    pub(super) fn of(position: usize, line: &Line, names: &Names) -> Self {
        Self {
            id: line.id,
            position,
            account_code: line.account,
            account_name: names.find(line.account),
            debit: line.movement.debited().to_string(),
            credit: line.movement.credited().to_string(),
            amount_currency: line.amount_currency.map(|amount| amount.to_string()),
            contact_id: line.contact,
            description: line.description.clone(),
            due_date: line.due_date.map(|date| date.to_string()),
            dimensions: line.dimensions.clone(),
        }
    }
}

impl TagView {
    fn of(tag: &TaxTag) -> Self {
        Self {
            kind: tag.kind,
            tax_code: tag.tax_code.to_string(),
            base: tag.base.to_string(),
            quota: tag.quota.to_string(),
            deductible_quota: tag.deductible_quota.map(|quota| quota.to_string()),
            tax_date: tag.tax_date.to_string(),
            exemption_code: tag.particulars.exemption,
            supply: tag.particulars.supply,
            rectifies: tag.particulars.rectifies.map(|date| date.to_string()),
            contact_id: tag.contact,
        }
    }
}
