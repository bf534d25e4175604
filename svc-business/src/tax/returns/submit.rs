//! Filing a return, and what the tax agency said of it.

use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, Validator};
use svc_core::refused::Refused;
use svc_tax_forms::Model;
use time::{Date, Duration};

use super::figures::books_version;
use super::payment::paid_against;
use super::{
    Figures, Outcome, OutcomeRequest, ReturnKind, ReturnRefused, ReturnStatus, Submission, SubmitRequest,
    TaxReturn, WarningCode, rate, settlement,
};
use crate::books::book::Book;
use crate::books::bookkeeping::Books;
use crate::books::lock::Locks;
use crate::catalogue::event;
use crate::party::line;
use crate::ports::DynTaxUnit;
use crate::record::{Home, Opened, replace};

/// So far back filed returns are looked for, and so many of them: those of every month of ten years, and their corrections.
const REACH: Duration = Duration::days(10 * 366);
const MOST: u32 = 1_000;

/// Whether the tax agency took a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `accepted`
    Accepted,
    /// `rejected`
    Rejected,
}

svc_core::wire_names!(Verdict { Accepted = "accepted", Rejected = "rejected" });

/// Says that a return was filed, which was opened together with the one that it corrects. What VAT comes to is settled in the
/// books, as they say, and their tax lock date moves to the end of its period. Emits `tax_return.submit`.
///
/// # Errors
/// [`Refused`] with [`ReturnRefused`]; findings on the members of the request. Nothing was changed.
pub async fn submit(
    opened: Opened<'_, TaxReturn>,
    input: &SubmitRequest,
) -> Result<TaxReturn, Refused<ReturnRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let mut validator = Validator::new();
    let receipt =
        input.receipt_number.as_deref().and_then(|text| line(&mut validator, "receiptNumber", text, 50));
    let csv = input.csv.as_deref().and_then(|text| code(&mut validator, text));
    let at = filed_at(&mut validator, input.submitted_at.as_deref(), home.call.now);
    validator.finish()?;
    let status = before.status;
    let Some(figures) = before.figures.as_ref().filter(|_| status == ReturnStatus::Prepared) else {
        return ReturnRefused::NotPrepared { status }.refuse();
    };
    let blocking: Vec<WarningCode> = figures
        .warnings
        .iter()
        .map(|warning| warning.code)
        .filter(|code| code.is_blocking(before.model))
        .collect();
    if !blocking.is_empty() {
        return ReturnRefused::Incomplete(blocking).refuse();
    }
    replaced(home, before).await?;
    // Before the books are looked at: what is posted after this waits, and finds the tax lock.
    let books = books(home, before.model).await?;
    let has_moved = books_version(home.unit.journal(), before).await? != figures.books;
    let rates = rate::changed(home.unit.tax_profiles(), std::slice::from_ref(before)).await?;
    if has_moved || !rates.is_empty() {
        return ReturnRefused::Stale.refuse();
    }
    let (settlement, account) = match &books {
        Some(books) => {
            let settled = settled(home, before).await?;
            let entry = settlement::entry(&books.home, &books.book, before, figures, settled.as_ref())?;
            let mode = books.book.automation.tax_settlement;
            let written =
                books.write(mode, entry).await.map_err(|refused| refused.map(ReturnRefused::Books))?;
            lock(&books.home, &books.book, books.book.locks.submitted(before.period.to())).await?;
            let purpose = paid_against(before.model, figures.result.kind).filter(|_| written.is_some());
            let account = purpose.and_then(|purpose| books.book.default_accounts.find(purpose));
            (written, account)
        }
        None => (None, None),
    };
    let by = home.call.actor.user();
    let channel = input.channel;
    let submission = Submission { at, by, channel, receipt, csv, settlement, account };
    let submitted = opened.replace(TaxReturn {
        status: ReturnStatus::Submitted,
        submission: Some(submission),
        submissions: before.submissions.saturating_add(1),
        ..before.clone()
    });
    let submitted = submitted.await?;
    home.publish(const { event("tax_return.submit") }, &submitted, None).await?;
    Ok(submitted)
}

/// What a return corrects, where the books have settled the VAT of it.
async fn settled(home: &Home<'_, DynTaxUnit>, of: &TaxReturn) -> Result<Option<Figures>, StoreError> {
    let (mut figures, mut next) = (None, of.corrects);
    while let Some(id) = next {
        let found = home.unit.tax_returns().find(home.call.scope, id).await?;
        let Some(found) = found.filter(|found| found.status.is_filed()) else { return Ok(None) };
        // One that moved nothing beyond the one before it has no settlement of its own.
        let is_settled = found.submission.as_ref().is_some_and(|one| one.settlement.is_some());
        next = found.corrects;
        figures = figures.or(found.figures);
        if is_settled {
            return Ok(figures);
        }
    }
    Ok(None)
}

/// Judges that a return which takes the place of another one finds nothing paid of that.
async fn replaced(home: &Home<'_, DynTaxUnit>, of: &TaxReturn) -> Result<(), Refused<ReturnRefused>> {
    let Some(id) = of.corrects.filter(|_| of.kind == ReturnKind::Substitute) else { return Ok(()) };
    let found = home.unit.tax_returns().find(home.call.scope, id).await?;
    match found.filter(|found| !found.payments.is_empty()) {
        Some(found) => ReturnRefused::Paid { of: found.id }.refuse(),
        None => Ok(()),
    }
}

/// Writes down what the tax agency said of a return. When it refused the return, its settlement is undone, and the tax lock date
/// is the last day of those that stay filed. Emits `tax_return.update`.
///
/// # Errors
/// [`Refused`] with [`ReturnRefused::NotSubmitted`]; findings on the members of the request. Nothing was changed.
pub async fn outcome(
    opened: Opened<'_, TaxReturn>,
    input: &OutcomeRequest,
) -> Result<TaxReturn, Refused<ReturnRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let mut validator = Validator::new();
    let message = input.message.as_deref().and_then(|text| line(&mut validator, "message", text, 500));
    validator.finish()?;
    let status = before.status;
    let Some(submission) = before.submission.as_ref().filter(|_| status == ReturnStatus::Submitted) else {
        return ReturnRefused::NotSubmitted { status }.refuse();
    };
    let status = match input.outcome {
        Verdict::Accepted => ReturnStatus::Accepted,
        Verdict::Rejected if !before.payments.is_empty() => {
            return ReturnRefused::Paid { of: before.id }.refuse();
        }
        Verdict::Rejected => {
            take_back(home, before, submission).await?;
            ReturnStatus::Rejected
        }
    };
    let outcome = Some(Outcome { at: home.call.now, message });
    opened.save(TaxReturn { status, outcome, ..before.clone() }).await
}

/// Undoes what the submission of a return did in the books.
async fn take_back(
    home: &Home<'_, DynTaxUnit>,
    of: &TaxReturn,
    submission: &Submission,
) -> Result<(), Refused<ReturnRefused>> {
    let Some(books) = books(home, of.model).await? else { return Ok(()) };
    let locks = books.book.locks;
    let tax = match locks.tax {
        Some(last) => filed_until(home, of, last).await?,
        None => None,
    };
    let locks = Locks { tax, ..locks };
    lock(&books.home, &books.book, locks).await?;
    // On its own day: when the period is settled again, its accounts hold the new settlement alone.
    let entry = books.find(submission.settlement).await?;
    let undone = books.undo_as_of_then(entry, locks).await;
    undone.map_err(|refused| refused.map(ReturnRefused::Books))
}

/// The last day of the last period up to a day of which another return of this model is filed.
async fn filed_until(
    home: &Home<'_, DynTaxUnit>,
    of: &TaxReturn,
    last: Date,
) -> Result<Option<Date>, StoreError> {
    let days = (last.saturating_sub(REACH), last);
    let others = home.unit.tax_returns().ending(of.company, &[of.model], days, MOST).await?;
    let filed = others.iter().filter(|one| one.id != of.id && one.status.is_filed());
    Ok(filed.map(|one| one.period.to()).max())
}

/// The books of the company, held alone, where a return of this model changes them.
async fn books<'u>(
    home: &Home<'u, DynTaxUnit>,
    model: Model,
) -> Result<Option<Books<'u>>, Refused<ReturnRefused>> {
    if model != Model::M303 {
        return Ok(None);
    }
    let books = Books::alone(home.within(home.unit)).await;
    books.map(Some).map_err(|refused| refused.map(ReturnRefused::Books))
}

/// Moves the tax lock date of the books.
async fn lock(
    home: &Home<'_, crate::ports::DynBooksUnit>,
    book: &Book,
    locks: Locks,
) -> Result<(), StoreError> {
    if locks != book.locks {
        replace(home.unit, home.call, book, Book { locks, ..book.clone() }).await?;
    }
    Ok(())
}

fn code(validator: &mut Validator, text: &str) -> Option<String> {
    let holds = (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let message = "expected 1 to 40 letters and digits, as the receipt has them";
    validator.require(holds, "csv", "invalid_value", message).then(|| text.to_owned())
}

/// When a return was filed.
fn filed_at(validator: &mut Validator, text: Option<&str>, now: Timestamp) -> Timestamp {
    let Some(text) = text else { return now };
    let at = validator.take("submittedAt", "invalid_instant", text.parse::<Timestamp>()).unwrap_or(now);
    validator.require(at <= now, "submittedAt", "out_of_range", "must not be later than now");
    at
}
