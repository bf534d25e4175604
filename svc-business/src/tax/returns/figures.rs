//! What a return comes to by the books as they are.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::{ContactId, TaxReturnId};
use svc_core::money::MoneyError;
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_tax_forms::{ComputeError, Computed, Facts, Form, LedgerFact, PartyRow, Previous, Reference};
use time::Duration;

use super::refusal::MOST_TAGS;
use super::warning::{WarningCode, Warnings};
use super::{Figures, ReturnBox, ReturnParty, ReturnRefused, Said, TaxReturn, Waiting, kept, rate};
use crate::account::Account;
use crate::books::JournalReader;
use crate::books::ledger::{Sum, Sums};
use crate::books::report::{Counted, CountedIn, Period, contacts_of};
use crate::contact::Contact;
use crate::ports::TaxStorage;
use crate::tax::facts::{self, Tags};

/// So many tags are asked for, to see whether there are more than a return is computed from.
const ONE_MORE: u32 = 100_001;
/// So far back earlier returns are read: they are corrected for four years (Ley 58/2003, article 66).
const REACH: Duration = Duration::days(4 * 366);
/// Earlier returns that are read at most.
const EARLIER: u32 = 500;
/// Rows of an earlier declaration that are read at most.
const ROWS: u32 = 100_000;

/// What a return comes to by the books as they are, with what each figure is from.
#[derive(Debug)]
pub struct Computation {
    /// The return, and the version of it, that was computed.
    pub of: (TaxReturnId, Version),
    /// What a person said of it.
    pub(super) said: Said,
    /// How many postings it was computed from.
    pub(super) books: u64,
    pub(super) computed: Computed,
    pub(super) tags: Tags,
    pub(super) ledger: Vec<LedgerFact>,
    pub(super) warnings: Warnings,
    pub(super) parties: Vec<ReturnParty>,
}

/// Computes a return with what a person says of it.
///
/// It reads what is committed, outside of any unit of work: posting goes on meanwhile, and what is posted after the first look
/// makes the return stale.
///
/// # Errors
/// [`Refused`] with [`ReturnRefused::TooMany`] or [`ReturnRefused::NotComputable`]; findings on `boxes`.
pub async fn compute<S: TaxStorage + ?Sized>(
    storage: &S,
    scope: &Scope,
    company: &Account,
    of: &TaxReturn,
    said: Said,
) -> Result<Computation, Refused<ReturnRefused>> {
    let form = form(of)?;
    let books = books_version(storage.journal(), of).await?;
    let (first, last) = form.reads(&of.period);
    let days = Period::new(first, last).map_err(StoreError::backend)?;
    let found = storage.journal().tags_within(company.id, days, ONE_MORE).await?;
    if found.len() > MOST_TAGS {
        return ReturnRefused::TooMany.refuse();
    }
    let tags = Tags::from(found);
    let contacts = contacts_of(storage, scope, tags.contacts()).await?;
    let read = tags.read(&contacts.iter().map(|(id, contact)| (*id, facts::party(contact))).collect());
    let ledger = if form.reads_ledger() { ledger(storage, company, days).await? } else { Vec::new() };
    let (earlier, open) = earlier(storage, of, form).await?;
    let facts = Facts { tax: &read.facts, ledger: &ledger };
    let rate = rate::given((storage.tax_profiles(), storage.tax_returns()), scope, of).await?;
    let manual = match rate {
        Some((code, rate)) => said.manual().unless_said(code, rate),
        None => said.manual(),
    };
    let computed = form.compute(&of.period, &facts, &manual, &earlier);
    let computed = computed.map_err(|error| not_computed(of, error))?;
    let mut warnings = Warnings::default();
    warnings.add(WarningCode::UnknownTaxCode, read.unknown.len());
    warnings.computed(&computed.warnings);
    warnings.add(WarningCode::EarlierNotFiled, open);
    let parties = computed.parties.iter().map(|row| party(row, &contacts)).collect();
    Ok(Computation { of: (of.id, of.version), said, books, computed, tags, ledger, warnings, parties })
}

impl Computation {
    /// The figures that a return is prepared with, and its rows of parties.
    pub(super) fn figures(
        self,
        at: svc_core::clock::Timestamp,
        drafts: u64,
        waiting: Waiting,
    ) -> (Figures, Vec<ReturnParty>) {
        let mut warnings = self.warnings;
        warnings.waiting(drafts, waiting);
        let of_box = |one: svc_tax_forms::ComputedBox| ReturnBox {
            code: one.code,
            value: one.value,
            origin: one.origin,
        };
        let figures = Figures {
            at,
            books: self.books,
            boxes: self.computed.boxes.into_iter().map(of_box).collect(),
            result: self.computed.result,
            warnings: warnings.finish(),
            parties: u32::try_from(self.parties.len()).unwrap_or(u32::MAX),
        };
        (figures, self.parties)
    }
}

/// How many postings a return would be computed from by now.
///
/// # Errors
/// When the store failed.
pub(super) async fn books_version(journal: &dyn JournalReader, of: &TaxReturn) -> Result<u64, StoreError> {
    let counts = journal.counted(&counted(of)).await?;
    Ok(counts.into_iter().fold(0, u64::saturating_add))
}

/// What is counted to see whether a return is stale: what was posted never changes, so a number says it.
pub(super) fn counted(of: &TaxReturn) -> Vec<CountedIn> {
    let Some(form) = Form::find(of.model, &of.period) else { return Vec::new() };
    let (first, last) = form.reads(&of.period);
    let Ok(period) = Period::new(first, last) else { return Vec::new() };
    let entries = form.reads_ledger().then_some(Counted::Entries);
    let what = std::iter::once(Counted::Tags).chain(entries);
    what.map(|what| CountedIn { company: of.company, what, period }).collect()
}

/// Those of these returns that are stale: entries that they count were posted since they were prepared, or the company has
/// another rate of corporate tax.
///
/// # Errors
/// When the store failed.
pub async fn stale<S: TaxStorage + ?Sized>(
    storage: &S,
    returns: &[TaxReturn],
) -> Result<BTreeSet<TaxReturnId>, StoreError> {
    let asked: BTreeSet<CountedIn> =
        returns.iter().filter(|one| one.figures.is_some()).flat_map(counted).collect();
    let asked: Vec<_> = asked.into_iter().collect();
    let counts = storage.journal().counted(&asked).await?;
    let counts: BTreeMap<CountedIn, u64> = asked.into_iter().zip(counts).collect();
    let now = |of: &TaxReturn| {
        counted(of)
            .iter()
            .filter_map(|one| counts.get(one))
            .fold(0_u64, |sum, count| sum.saturating_add(*count))
    };
    let is_stale = |of: &&TaxReturn| of.figures.as_ref().is_some_and(|figures| figures.books != now(of));
    let mut stale: BTreeSet<_> = returns.iter().filter(is_stale).map(|of| of.id).collect();
    stale.extend(rate::changed(storage.tax_profiles(), returns).await?);
    Ok(stale)
}

fn form(of: &TaxReturn) -> Result<&'static Form, StoreError> {
    Form::find(of.model, &of.period).ok_or_else(|| StoreError::backend("a return without a form"))
}

/// What each account moved in some days, what closes a year left out.
async fn ledger<S: TaxStorage + ?Sized>(
    storage: &S,
    company: &Account,
    days: Period,
) -> Result<Vec<LedgerFact>, StoreError> {
    let sums = async |through| {
        let asked = Sums { through, closings_before: days.from(), prefix: None };
        storage.ledger().sums(company.id, company.base_currency, &asked).await
    };
    let balance = |sum: &Sum| Ok::<_, MoneyError>((sum.account, sum.debit.minus(sum.credit)?));
    let before = match days.from().previous_day() {
        Some(day) => sums(day).await?,
        None => Vec::new(),
    };
    let before = before.iter().map(balance).collect::<Result<BTreeMap<_, _>, _>>()?;
    let fact = |sum: &Sum| {
        let (account, balance) = balance(sum)?;
        let balance = match before.get(&account) {
            Some(before) => balance.minus(*before)?,
            None => balance,
        };
        let reference = Reference(format!("{ACCOUNT}{account}"));
        Ok(LedgerFact { account: account.to_string(), balance, reference })
    };
    Ok(sums(days.to()).await?.iter().map(fact).collect::<Result<_, MoneyError>>()?)
}

/// What references of accounts begin with; those of tags are digits.
pub(super) const ACCOUNT: &str = "account ";

/// What earlier returns carry over, and how many of the same model and year are not filed.
async fn earlier<S: TaxStorage + ?Sized>(
    storage: &S,
    of: &TaxReturn,
    form: &Form,
) -> Result<(Previous, usize), StoreError> {
    let mut models = form.reads_returns();
    models.insert(of.model);
    let models: Vec<_> = models.into_iter().collect();
    let days = (of.period.from().saturating_sub(REACH), of.period.to());
    let mut found = storage.tax_returns().ending(of.company, &models, days, EARLIER).await?;
    found.retain(|one| one.id != of.id);
    let is_open = |one: &&TaxReturn| {
        let before = one.model == of.model && one.period.year() == of.period.year();
        before && one.period.to() < of.period.from() && !one.status.is_filed()
    };
    let open = found.iter().filter(is_open).count();
    // Where a return of a period is filed, a correction that is not does not stand for it yet.
    let filed = found.iter().filter(|one| one.status.is_filed());
    let filed: BTreeSet<_> = filed.map(|one| (one.model, one.period)).collect();
    found.retain(|one| one.status.is_filed() || !filed.contains(&(one.model, one.period)));
    let mut previous = Vec::new();
    for one in &found {
        if let Some(result) = one.figures.as_ref().filter(|_| !is_refused(one)) {
            let parties = if form.corrects_parties() && one.model == of.model && result.parties > 0 {
                storage.tax_returns().parties(one, 0, ROWS).await?
            } else {
                Vec::new()
            };
            previous.push(kept::previous(one, result, &parties));
        }
    }
    Ok((Previous::new(previous), open))
}

const fn is_refused(one: &TaxReturn) -> bool {
    matches!(one.status, super::ReturnStatus::Rejected)
}

fn party(row: &PartyRow, contacts: &BTreeMap<ContactId, Contact>) -> ReturnParty {
    let contact: Option<ContactId> = row.party.id.parse().ok();
    let known = contact.and_then(|contact| contacts.get(&contact));
    ReturnParty {
        contact,
        tax_id: known.and_then(|contact| contact.tax_id.clone()),
        name: row.party.name.clone(),
        country: row.party.country.clone(),
        province: row.party.province.clone(),
        key: row.key.clone(),
        mark: row.mark.clone(),
        corrects: row.rectified,
        amounts: row.amounts.clone(),
    }
}

/// What a person said wrongly is a finding; what the books hold is a conflict.
fn not_computed(of: &TaxReturn, error: ComputeError) -> Refused<ReturnRefused> {
    let (code, kind) = match &error {
        ComputeError::NoBox { code } => (code, "unknown_box"),
        ComputeError::NotManual { code } => (code, "computed_box"),
        ComputeError::NotOfPeriod { code } => (code, "not_of_period"),
        ComputeError::Unit { code, .. } => (code, "invalid_value"),
        ComputeError::OutOfRange { code, .. } => (code, "out_of_range"),
        ComputeError::Period { .. } | ComputeError::TooLarge { .. } | ComputeError::Currency { .. } | _ => {
            return Refused::Own(ReturnRefused::NotComputable { model: of.model, error });
        }
    };
    Refused::Invalid(ValidationErrors::one(format!("boxes.{code}"), kind, error.to_string()))
}
