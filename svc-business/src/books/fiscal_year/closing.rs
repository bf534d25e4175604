//! Closing a year with its entries, and opening it again.

use svc_core::error::StoreError;
use svc_core::refused::Refused;
use svc_core::wire::Form;
use svc_core::wire_request;
use thiserror::Error;

use super::{
    CloseRefused, ClosingEntries, ClosingLine, ClosingLines, FiscalYear, ReopenRefused, YearRefused,
    YearStatus, judge_place,
};
use crate::books::default_accounts::Purpose;
use crate::books::entry::{Entry, EntryKind, PostRefused, ReverseRefused};
use crate::books::journal::{Posting, entry_of};
use crate::record::Opened;

wire_request! {
    /// How a year is closed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CloseRequest as "FiscalYearClose" {
        /// Whether the year after it is added when there is none: its balances are opened there. True when left out.
        pub create_next: Option<bool> => Form::ANY.json("true"),
    }
}

/// Why a year is not closed or opened again.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ClosingRefused {
    /// The year cannot be closed.
    #[error(transparent)]
    Close(#[from] CloseRefused),
    /// The year cannot be opened again.
    #[error(transparent)]
    Reopen(#[from] ReopenRefused),
    /// One of its entries cannot be posted.
    #[error(transparent)]
    Post(#[from] PostRefused),
    /// One of its entries cannot be reversed.
    #[error(transparent)]
    Reverse(#[from] ReverseRefused),
    /// The books name no account for the result of the year: `no_result_account`, a conflict.
    #[error("the books have no default account for `result`: name one first")]
    NoResultAccount,
}

/// Closes a year that was opened [alone](crate::record::alone): posts the entries that bring its balances to zero and
/// open them in the next year. Emits `journal_entry.create` and `journal_entry.post` for each of them.
///
/// # Errors
/// [`Refused`] with [`ClosingRefused`]; nothing was changed.
pub async fn close(
    opened: Opened<'_, FiscalYear>,
    request: CloseRequest,
) -> Result<FiscalYear, Refused<ClosingRefused>> {
    let (home, year) = (&opened.home, &opened.before);
    let years = home.unit.fiscal_years().of_company(year.company).await?;
    let previous = years.iter().find(|other| other.span.precedes(year.span));
    let first_day_after = year.span.end().next_day();
    let next = years.iter().find(|other| year.span.precedes(other.span)).cloned();
    let next = match (next, year.span.following()) {
        (Some(next), _) => next,
        (None, Some(span)) if request.create_next != Some(false) => {
            judge_place(&years, span)?;
            home.add(FiscalYear::blank(year.company, home.call, span)).await?
        }
        (None, _) => {
            let date = first_day_after.unwrap_or(year.span.end());
            return Err(Refused::Own(PostRefused::Year(YearRefused::None { date }).into()));
        }
    };
    let mut posting = Posting::open(home, &[year.span.end(), next.span.start()]).await.map_err(own)?;
    let drafts = home.unit.journal().drafts_in(year.company, year.span).await?;
    year.judge_close(drafts, previous).map_err(|refused| Refused::Own(refused.into()))?;
    let result = posting.book.default_accounts.find(Purpose::Result);
    let result = result.ok_or(Refused::Own(ClosingRefused::NoResultAccount))?;
    let currency = home.company.base_currency;
    let balances = home.unit.ledger().balances(year.company, currency, year.span).await?;
    let lines = ClosingLines::of(&balances, result, currency).map_err(StoreError::from)?;
    let mut entries = ClosingEntries::default();
    for (kind, what, lines, entry, date) in [
        (
            EntryKind::Regularisation,
            "Regularización",
            lines.regularisation,
            &mut entries.regularisation,
            year.span.end(),
        ),
        (EntryKind::Closing, "Cierre", lines.closing, &mut entries.closing, year.span.end()),
        (EntryKind::Opening, "Apertura después de", lines.opening, &mut entries.opening, next.span.start()),
    ] {
        if !lines.is_empty() {
            let drafted = drafted(&opened, (kind, what), date, &lines);
            *entry = Some(posting.add(drafted).await.map_err(own)?.id);
        }
    }
    posting.finish().await?;
    let closed = year.clone().close(entries, home.call.now, home.call.actor.user());
    opened.save(closed.map_err(|refused| Refused::Own(refused.into()))?).await
}

/// Opens a closed year that was opened [alone](crate::record::alone) again: reverses the entries that closed it. Whether its
/// result was declared is judged by the taxes. Emits `journal_entry.create` and `journal_entry.post` for each reversal and
/// `journal_entry.update` for what it reverses.
///
/// # Errors
/// [`Refused`] with [`ClosingRefused`]; nothing was changed.
pub(crate) async fn reopen(opened: Opened<'_, FiscalYear>) -> Result<FiscalYear, Refused<ClosingRefused>> {
    let (home, year) = (&opened.home, &opened.before);
    let years = home.unit.fiscal_years().of_company(year.company).await?;
    let next = years.iter().find(|other| year.span.precedes(other.span));
    let locks = crate::books::book::find::<ClosingRefused>(home).await?.locks;
    let reopened = year.clone().reopen(next, &locks);
    let (reopened, entries) = reopened.map_err(|refused| Refused::Own(refused.into()))?;
    // The year takes entries again from here on, those that undo its closing first.
    let reopened = opened.save::<ClosingRefused>(reopened).await?;
    let dates: Vec<_> =
        [Some(year.span.end()), next.map(|next| next.span.start())].into_iter().flatten().collect();
    let mut posting = Posting::open(home, &dates).await.map_err(own)?;
    for id in entries.iter() {
        let entry = home.unit.journal().find(home.call.scope, id).await?;
        let entry = entry.ok_or_else(|| StoreError::backend("an entry that closed the year is missing"))?;
        let date = entry.date;
        posting.reverse(entry, date, None).await.map_err(|refused| refused.map(Into::into))?;
    }
    posting.finish().await?;
    Ok(reopened)
}

fn drafted(
    opened: &Opened<'_, FiscalYear>,
    (kind, what): (EntryKind, &str),
    date: time::Date,
    lines: &[ClosingLine],
) -> Entry {
    let (home, year) = (&opened.home, &opened.before);
    let description = format!("{what} {}", year.name);
    let lines = lines.iter().map(|line| (line.account, line.contact, line.movement));
    let entry = entry_of(home, kind, date, description, lines);
    let opens_year = kind == EntryKind::Opening;
    Entry { closes_year: !opens_year, opens_year, ..entry }
}

fn own(refused: Refused<PostRefused>) -> Refused<ClosingRefused> {
    refused.map(ClosingRefused::Post)
}

impl YearStatus {
    /// Since when and by whom it is closed, and what closing posted.
    #[must_use]
    pub const fn closed(
        &self,
    ) -> Option<(svc_core::clock::Timestamp, Option<svc_core::id::UserId>, &ClosingEntries)> {
        match self {
            Self::Open => None,
            Self::Closed { at, by, entries } => Some((*at, *by, entries)),
        }
    }
}
