//! Tax returns that a movement pays, or refunds.

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::TaxReturnId;
use svc_core::money::Amount;
use svc_core::refused::Refused;
use svc_core::resource::ResourceReader;

use super::ReconcileRefused;
use super::entry::Booked;
use super::known::{UNKNOWN, finding};
use super::reconcile::{Outcome, Work};
use crate::bank::movement::{BankMovement, Target};
use crate::ports::{DynTaxUnit, DynTreasuryUnit};
use crate::record::{Home, replace};
use crate::tax::returns::{ReturnKind, ReturnPayment, TaxReturn};

/// Returns of one model whose periods end on one day at most: an ordinary one, and what corrects it.
const MOST_OF_PERIOD: u32 = 100;

impl Work<'_, '_> {
    /// Pays a return, or takes its refund, against the account that its settlement left it on.
    pub(super) async fn pay_return(&mut self, id: TaxReturnId, amount: Amount) -> Outcome<Target> {
        let home = self.home;
        let before = declared(home, id).await??;
        let (movement, date) = (self.movement.id, self.movement.booking_date);
        let after = before.clone().pay(ReturnPayment { movement, amount, date })?;
        if is_replaced(home, &before).await? {
            let message = "another return took its place: name that one";
            return Err(finding("id", "return_replaced", message).into());
        }
        let settled = before.submission.as_ref().and_then(|submission| submission.account);
        let account = match (settled, before.paid_against()) {
            (Some(account), _) => account,
            (None, Some(purpose)) => {
                let account = self.books().await?.book.default_accounts.need(purpose);
                account.map_err(|missing| Refused::Own(ReconcileRefused::NoAccount(missing)))?
            }
            (None, None) => return Err(StoreError::backend("a paid return without an account").into()),
        };
        let description = Some(name(&before));
        self.booked.push(Booked { description, ..Booked::new(amount, account) });
        replace(home.unit as &DynTaxUnit, home.call, &before, after).await?;
        Ok(Target::TaxReturn { declared: id })
    }
}

/// Takes back what a movement paid of a return.
pub(super) async fn take_back(
    home: &Home<'_, DynTreasuryUnit>,
    movement: &BankMovement,
    id: TaxReturnId,
    amount: Amount,
) -> Outcome<()> {
    let before = declared(home, id).await?.map_err(StoreError::backend)?;
    let after = before.clone().unpay(movement.id, amount);
    let after = after.ok_or_else(|| StoreError::backend("a return without the payment"))?;
    replace(home.unit as &DynTaxUnit, home.call, &before, after).await?;
    Ok(())
}

/// A return as the text of a line of the journal names it.
pub(super) fn name(of: &TaxReturn) -> String {
    format!("Modelo {} {} {}", of.model, of.period.period(), of.period.year())
}

/// A return of the company.
async fn declared(
    home: &Home<'_, DynTreasuryUnit>,
    id: TaxReturnId,
) -> Result<Result<TaxReturn, ValidationErrors>, StoreError> {
    let found = ResourceReader::<TaxReturn>::find(home.unit.tax_returns(), home.call.scope, id).await?;
    let found = found.filter(|declared| declared.company == home.company.id);
    Ok(found.ok_or_else(|| finding("id", "unknown_reference", UNKNOWN)))
}

/// Whether a return that was filed took the place of this one.
async fn is_replaced(home: &Home<'_, DynTreasuryUnit>, of: &TaxReturn) -> Result<bool, StoreError> {
    let (returns, end) = (home.unit.tax_returns(), of.period.to());
    let of_period = returns.ending(of.company, &[of.model], (end, end), MOST_OF_PERIOD).await?;
    let replaces = |other: &TaxReturn| {
        (other.corrects, other.kind, other.status.is_filed()) == (Some(of.id), ReturnKind::Substitute, true)
    };
    Ok(of_period.iter().any(replaces))
}
