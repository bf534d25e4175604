//! Saying what a movement stands for.

use svc_core::audit::Who;
use svc_core::error::ValidationErrors;
use svc_core::id::JournalEntryId;
use svc_core::money::MoneyError;
use svc_core::refused::Refused;

use super::ReconcileRefused;
use super::chosen::Chosen;
use super::entry::{Booked, entry, exchanged};
use super::known::{self, Counted, finding};
use super::read::{Part, Wish, Wished, read};
use crate::bank::movement::{
    Allocation, BankMovement, BankMovementStatus, MovementState, Reconciliation, Target,
};
use crate::books::book::Mode;
use crate::books::bookkeeping::Books;
use crate::catalogue::event;
use crate::invoicing::Ids;
use crate::invoicing::journal::exchange;
use crate::ports::{DynBooksUnit, DynTreasuryUnit};
use crate::record::{Home, Opened, replace};

pub(super) type Outcome<T> = Result<T, Refused<ReconcileRefused>>;

/// Says what a movement stands for that was [opened](super::open) with that. Payments are recorded for the documents, and
/// one entry for what has none; both are of the day of the movement. Emits what payments and entries emit, and
/// `reconciliation.confirm`.
///
/// # Errors
/// [`Refused`] with [`ReconcileRefused`]; findings on `allocations` and `fxRate`. Nothing was changed.
pub async fn reconcile(
    unit: &DynTreasuryUnit,
    opened: Opened<'_, BankMovement>,
    chosen: &Chosen,
) -> Outcome<BankMovement> {
    let (home, before) = (opened.home.within(unit), &opened.before);
    let status = before.state.status();
    if status != BankMovementStatus::Pending {
        return Err(Refused::Own(ReconcileRefused::NotPending(status)));
    }
    let wish = read(before, home.company.base_currency, chosen)?;
    let counted = known::counted(&home, ("bankAccountId", before.bank_account)).await??;
    let mut work = Work { home: &home, movement: before, counted: &counted, wish: &wish, booked: Vec::new() };
    let mut allocations = Vec::new();
    for (at, part) in wish.parts.iter().enumerate() {
        let target = work.stand_for(part).await;
        let target = target.map_err(|refused| refused.within(&format!("allocations[{at}]")))?;
        allocations.push(Allocation { amount: part.amount, target });
    }
    let entry = work.book().await?;
    let (at, by) = (home.call.now, home.call.actor.user());
    let is_automatic = matches!(home.call.actor.who, Who::Service(_));
    let known = Reconciliation { at, by, is_automatic, allocations, entry };
    let after = BankMovement { state: MovementState::Reconciled(Box::new(known)), ..before.clone() };
    let after = replace(opened.home.unit, home.call, before, after).await?;
    opened.home.publish(const { event("reconciliation.confirm") }, &after, None).await?;
    Ok(after)
}

/// What is being done.
pub(super) struct Work<'w, 'u> {
    pub(super) home: &'w Home<'u, DynTreasuryUnit>,
    pub(super) movement: &'w BankMovement,
    pub(super) counted: &'w Counted,
    pub(super) wish: &'w Wish,
    /// What is to be booked at the end.
    pub(super) booked: Vec<Booked>,
}

impl<'u> Work<'_, 'u> {
    /// Does what a part needs.
    async fn stand_for(&mut self, part: &Part) -> Outcome<Target> {
        let (home, amount) = (self.home, part.amount);
        match &part.target {
            Wished::Invoice(id) => self.pay_sales(*id, amount).await,
            Wished::SupplierDocument(id) => self.pay_purchase(*id, amount).await,
            Wished::Payment(id) => self.match_payment(*id, amount).await,
            Wished::JournalLine(line) => {
                known::judge_line(home, self.movement, self.counted, (*line, amount)).await??;
                Ok(Target::JournalLine { line: *line })
            }
            Wished::Account { account, contact, description } => {
                known::judge_account(home, *account, *contact).await??;
                let (account, contact, description) = (*account, *contact, description.clone());
                let booked = Booked::new(amount, account);
                self.booked.push(Booked { contact, description: description.clone(), ..booked });
                Ok(Target::Account { account, description })
            }
            Wished::Transfer(account) => {
                let other = known::counted(home, ("id", *account)).await??;
                if other.account.id == self.movement.bank_account {
                    return Err(finding("id", "not_allowed", "must be another bank account").into());
                }
                known::judge_transfer(home, self.movement, [self.counted, &other], amount).await??;
                self.booked.push(Booked::new(amount, other.code));
                Ok(Target::Transfer { account: other.account.id })
            }
            Wished::TaxReturn(id) => self.pay_return(*id, amount).await,
        }
    }

    /// Books what no payment has an entry for.
    async fn book(&self) -> Outcome<Option<JournalEntryId>> {
        if self.booked.is_empty() {
            return Ok(None);
        }
        let ids = Ids { now: self.home.call.now, random: self.home.call.random };
        let (base, fx_rate) = (self.home.company.base_currency, self.wish.fx_rate);
        let beyond =
            |error: MoneyError| ValidationErrors::one("allocations", "out_of_range", error.to_string());
        let books = self.books().await?;
        let exchanged = exchanged(base, fx_rate, &self.booked).map_err(beyond)?;
        let exchanged = match exchange(exchanged) {
            Some(purpose) => {
                let account = books.book.default_accounts.need(purpose);
                let account =
                    account.map_err(|missing| Refused::Own(ReconcileRefused::NoAccount(missing)))?;
                Some((account, exchanged))
            }
            None => None,
        };
        let money = (self.counted.code, fx_rate);
        let entry = entry(self.movement, base, money, (&self.booked, exchanged), &ids);
        let Some(entry) = entry.map_err(beyond)? else { return Ok(None) };
        let written = books.write(Mode::Post, Some(entry)).await;
        written.map_err(|refused| refused.map(ReconcileRefused::Books))
    }

    /// The books of the company.
    pub(super) async fn books(&self) -> Outcome<Books<'u>> {
        let books = Books::open(self.home.within(self.home.unit as &DynBooksUnit)).await;
        books.map_err(|refused| refused.map(ReconcileRefused::Books))
    }
}
