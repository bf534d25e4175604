//! Issuing a document.

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::TypedId as _;
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use uuid::Uuid;

use super::SalesRefused;
use super::bookkeeping;
use super::reference::{customer, find_originals, ids, lock, series_of};
use crate::books::book::Mode;
use crate::catalogue::event;
use crate::ports::DynSalesUnit;
use crate::record::{Home, Opened, replace};
use crate::sales::document::{Action, Customer, DocType, Issue, Issuer, SalesDocument, Status};
use crate::sales::history::{HistoryKind, note};
use crate::sales::input::IssueRequest;
use crate::sales::issue::{IssueSetting, IssueTerms, Issued, SimplifiedLimit};
use crate::sales::journal::{JournalRefused, issue_entry};
use crate::sales::rules::read_issue;
use crate::sales::series::{Series, find_default};
use crate::sales::verifactu::{Compliance, registration};

/// What stands for the chain of the records of a company, when it is locked.
pub(super) const CHAIN: (Uuid, Lock) = (Uuid::from_u128(0x5665_7269_2a46_6163_7475), Lock::Exclusive);

/// A document that is issued and not kept yet, with what its issue changed beside it.
pub(super) struct Ready {
    pub(super) document: SalesDocument,
    series: Series,
    /// What it puts right, as it was and as it is to be.
    originals: Vec<(SalesDocument, SalesDocument)>,
}

/// Issues a draft that was opened [alone](crate::record::alone): it gets the next number of its series, its record for
/// the tax office and its entry in the journal. Emits invoice.issue, invoice.update for each document that it puts
/// right, and what its entry emits.
///
/// # Errors
/// [`Refused`] with [`SalesRefused`]; nothing was changed, and no number was used.
pub async fn issue(
    opened: Opened<'_, SalesDocument>,
    request: IssueRequest,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let home = &opened.home;
    let ready = issued(home, opened.before.clone(), &request).await?;
    let document = opened.replace(ready.document.clone()).await?;
    ready.keep_beside(home, &document).await?;
    Ok(document)
}

impl Ready {
    /// Keeps what the issue changed beside the document.
    pub(super) async fn keep_beside(
        self,
        home: &Home<'_, DynSalesUnit>,
        document: &SalesDocument,
    ) -> Result<(), Refused<SalesRefused>> {
        home.unit.series().set_last(&self.series).await?;
        let number = document.issue_data().map(|issue| issue.number.to_string());
        for (before, after) in self.originals {
            let after = replace(home.unit, home.call, &before, after).await?;
            note(home, &after, HistoryKind::Rectified, number.clone()).await?;
        }
        note(home, document, HistoryKind::Issued, number).await?;
        Ok(())
    }
}

/// Issues a draft; its entry is written, the rest is not kept yet. Emits invoice.issue, invoice.update for
/// each document that it puts right, and what the entry emits.
pub(super) async fn issued(
    home: &Home<'_, DynSalesUnit>,
    draft: SalesDocument,
    request: &IssueRequest,
) -> Result<Ready, Refused<SalesRefused>> {
    draft.plan(Action::Issue).map_err(|wrong| Refused::Own(wrong.into()))?;
    let draft = draft.counted_in(home.company.base_currency);
    let terms = read_issue(request)?;
    let (series, before) = locked(home, &draft, request).await?;
    let books = bookkeeping::open(home).await?;
    let contact = customer(home, &draft).await?;
    let setting = IssueSetting {
        today: home.company.local_date(home.call.now),
        ids: ids(home),
        series,
        customer: contact.as_ref().map(|contact| Customer::of(contact, home.company.country)),
        issuer: Issuer::of(&home.company),
        term_days: contact.as_ref().map_or(0, |contact| contact.payment_term_days),
        simplified_limit: simplified_limit(home, &draft).await?,
        locks: &books.book.locks,
        originals: before.clone(),
    };
    let Issued { document, series, originals } = judged(draft, terms, setting)?;
    let document = registered(home, document).await?;
    let entry = match books.book.automation.sales {
        Mode::Off => None,
        Mode::Draft | Mode::Post => {
            issue_entry(&document, &originals, &bookkeeping::setting(&books, contact.as_ref(), ids(home)))
                .map_err(own)?
        }
    };
    // Told first: the entry comes of it.
    home.publish(const { event("invoice.issue") }, &document, None).await?;
    for original in &originals {
        home.publish(const { event("invoice.update") }, original, None).await?;
    }
    let journal_entry = books.write(books.book.automation.sales, entry).await.map_err(bookkeeping::own)?;
    let document = with_issue(document, |issue| Issue { journal_entry, ..issue });
    let pairs = originals.into_iter().filter_map(|after| {
        let before = before.iter().find(|before| before.id == after.id)?.clone();
        Some((before, after))
    });
    Ok(Ready { document, series, originals: pairs.collect() })
}

/// How large a simplified invoice of the company may be, as its tax profile says.
async fn simplified_limit(
    home: &Home<'_, DynSalesUnit>,
    draft: &SalesDocument,
) -> Result<SimplifiedLimit, StoreError> {
    if draft.doc_type() != DocType::SimplifiedInvoice {
        return Ok(SimplifiedLimit::default());
    }
    let profile = home.unit.tax_profiles().of_company(home.company.id).await?;
    let is_extended = profile.is_some_and(|profile| profile.extended_simplified);
    Ok(if is_extended { SimplifiedLimit::Extended } else { SimplifiedLimit::Usual })
}

fn judged(
    draft: SalesDocument,
    terms: IssueTerms,
    setting: IssueSetting<'_>,
) -> Result<Issued, Refused<SalesRefused>> {
    draft.issue(terms, setting).map_err(|refused| Refused::Own(refused.into()))
}

/// The series of the document and what it puts right, locked until they are kept.
async fn locked(
    home: &Home<'_, DynSalesUnit>,
    draft: &SalesDocument,
    request: &IssueRequest,
) -> Result<(Series, Vec<SalesDocument>), Refused<SalesRefused>> {
    let known = home.unit.series().of_company(home.company.id).await?;
    let named = request.series.or(draft.series());
    let chosen = match named {
        Some(id) => known.iter().find(|series| series.id == id),
        None => find_default(&known, draft.doc_type()),
    };
    let Some(chosen) = chosen.map(|series| series.id) else {
        let doc_type = draft.doc_type();
        let invalid = if named.is_some() {
            ValidationErrors::one("seriesId", "unknown_reference", "no series of the company has this id")
        } else {
            let message =
                format!("no active series numbers documents of the type {doc_type}: make one, or name one");
            ValidationErrors::one("seriesId", "required", message)
        };
        return Err(invalid.into());
    };
    let originals = draft.kind.rectification().map(|one| one.originals.clone()).unwrap_or_default();
    let mut records = vec![(chosen.uuid(), Lock::Exclusive)];
    records.extend(originals.iter().map(|id| (id.uuid(), Lock::Exclusive)));
    records.extend(draft.is_fiscal().then_some(CHAIN));
    lock(home, &records).await?;
    Ok((series_of(home, chosen).await?, find_originals(home, &originals).await?))
}

/// The document with its record for the tax office. The chain is locked.
async fn registered(
    home: &Home<'_, DynSalesUnit>,
    document: SalesDocument,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let subject = registration(&document).map_err(JournalRefused::from).map_err(own)?;
    let Some(subject) = subject else { return Ok(document) };
    let head = home.unit.sales().chain_head(home.company.id).await?;
    let compliance = Compliance::chained(subject, head, home.company.local_time(home.call.now));
    Ok(with_issue(document, |issue| Issue { compliance: Some(compliance), ..issue }))
}

fn with_issue(document: SalesDocument, change: impl FnOnce(Issue) -> Issue) -> SalesDocument {
    let status = match document.status {
        Status::Issued { issue } => Status::Issued { issue: Box::new(change(*issue)) },
        other @ (Status::Draft { .. } | Status::Voided { .. }) => other,
    };
    SalesDocument { status, ..document }
}

fn own(refused: JournalRefused) -> Refused<SalesRefused> {
    Refused::Own(refused.into())
}
