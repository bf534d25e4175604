//! By substitution: the document takes the place of the originals, with what is due of them.

use svc_core::money::{Amount, MoneyError};
use time::Date;

use super::{RectifyRefused, Settled};
use crate::books::entry::FxRate;
use crate::sales::document::{
    Action, Effect, Ids, Issue, Means, Payment, RectifiedBy, Replaced, SalesDocument, SettlementError,
};

pub(super) fn settle(
    draft: &SalesDocument,
    originals: Vec<SalesDocument>,
    date: Date,
    ids: &Ids<'_>,
) -> Result<Settled, RectifyRefused> {
    judge_complete(&originals)?;
    let replaced = replaced(draft, &originals)?;
    let payment = begin(draft, &originals, date, ids)?;
    let originals = originals.into_iter().map(|original| replace(draft, original, date, ids));
    let originals = originals.collect::<Result<_, _>>()?;
    Ok(Settled { originals, replaced: Some(replaced), payment })
}

/// What rectified an original by differences must be replaced with it, or it would count on.
fn judge_complete(originals: &[SalesDocument]) -> Result<(), RectifyRefused> {
    for original in originals {
        let rectified = &original.issued(Action::Rectify)?.rectifications;
        let named = |id| originals.iter().any(|other| other.id == id);
        if rectified.iter().any(|one| !named(one.document)) {
            return Err(RectifyRefused::Over { document: Some(original.id), tax_code: None });
        }
    }
    Ok(())
}

fn replaced(draft: &SalesDocument, originals: &[SalesDocument]) -> Result<Replaced, MoneyError> {
    let currency = draft.content.currency();
    let taxes = || originals.iter().flat_map(|original| &original.content.figures().taxes);
    Ok(Replaced {
        base: Amount::sum(taxes().map(|tax| tax.base), currency)?,
        quota: Amount::sum(taxes().map(|tax| tax.quota), currency)?,
        surcharge_quota: Amount::sum(taxes().map(|tax| tax.surcharge_quota), currency)?,
    })
}

/// The payment that the substitute begins with: what has been paid of the originals.
fn begin(
    draft: &SalesDocument,
    originals: &[SalesDocument],
    date: Date,
    ids: &Ids<'_>,
) -> Result<Option<Payment>, RectifyRefused> {
    let paid = Amount::sum(originals.iter().map(SalesDocument::paid), draft.content.currency())?;
    let payable = draft.content.totals().payable;
    if !(payable.minor().min(0)..=payable.minor().max(0)).contains(&paid.minor()) {
        return Err(RectifyRefused::PaidExceeds { paid, payable });
    }
    let Some(first) = originals.first().filter(|_| paid.minor() != 0) else { return Ok(None) };
    let base = draft.base_currency;
    let settlements = originals.iter().filter_map(|original| original.issue_data());
    let settled = settlements.map(|issue| issue.settlement.settled(base)).collect::<Result<Vec<_>, _>>()?;
    let fx_rate = draft.fx_rate().ok_or(MoneyError::Range)?;
    let payment = moved(first, paid, Amount::sum(settled, base)?, fx_rate, date, ids);
    Ok(Some(payment))
}

/// The original, settled by a payment of what is due.
fn replace(
    draft: &SalesDocument,
    original: SalesDocument,
    date: Date,
    ids: &Ids<'_>,
) -> Result<SalesDocument, RectifyRefused> {
    let issue = original.issued(Action::Rectify)?.clone();
    let due = issue.settlement.due();
    let settlement = if due.minor() == 0 {
        issue.settlement
    } else {
        let payable = original.in_base(original.content.totals().payable)?;
        let left = payable.minus(issue.settlement.settled(original.base_currency)?)?;
        let payment = moved(draft, due, left, issue.fx_rate, date, ids);
        issue.settlement.with(payment).map_err(|error| match error {
            SettlementError::Money(error) => error,
            // What is due never exceeds itself.
            SettlementError::Exceeds => MoneyError::Range,
        })?
    };
    let by = RectifiedBy { document: draft.id, effect: Effect::Substitution };
    let rectifications = issue.rectifications.into_iter().chain([by]).collect();
    Ok(original.with_issue(Issue { settlement, rectifications, ..issue }))
}

fn moved(
    other: &SalesDocument,
    amount: Amount,
    settled: Amount,
    fx_rate: FxRate,
    date: Date,
    ids: &Ids<'_>,
) -> Payment {
    Payment {
        id: ids.make(),
        amount,
        date,
        means: Means::Replacement { document: other.id },
        fx_rate,
        settled,
        reference: None,
        recorded_at: ids.now,
    }
}
