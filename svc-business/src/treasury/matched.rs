//! Payments that were recorded before, against which a movement stands.

use svc_core::error::ValidationErrors;
use svc_core::id::{PaymentId, SalesDocumentId, SupplierDocumentId};
use svc_core::money::Amount;
use svc_core::refused::Refused;

use super::ReconcileRefused;
use super::entry::{Booked, PAYMENT};
use super::known::{finding, purchase, sale};
use super::reconcile::{Outcome, Work};
use crate::bank::movement::{PaidDocument, Target};
use crate::invoicing::MatchRefused;
use crate::ports::{DynPurchaseUnit, DynSalesUnit};
use crate::{purchases, sales};

impl Work<'_, '_> {
    /// Says that the movement stands against a payment. Nothing is booked again, but for one that named no bank account.
    pub(super) async fn match_payment(&mut self, id: PaymentId, amount: Amount) -> Outcome<Target> {
        let (unit, company) = (self.home.unit, self.home.company.id);
        let sold = unit.sales().of_payment(company, id).await?;
        let (document, named_account) = if let Some(document) = sold {
            (PaidDocument::Sales(document), self.of_sales(document, id, amount).await?)
        } else {
            let bought = unit.supplier_documents().of_payment(company, id).await?;
            let document = bought.ok_or_else(|| refused(MatchRefused::NotFound))?;
            (PaidDocument::Purchase(document), self.of_purchases(document, id, amount).await?)
        };
        if !named_account {
            self.explain(id, amount).await?;
        }
        Ok(Target::Payment { payment: id, document, named_account })
    }

    /// Answers whether the payment named the bank account.
    async fn of_sales(&self, document: SalesDocumentId, id: PaymentId, amount: Amount) -> Outcome<bool> {
        let before = sale(self.home, document).await??;
        let (account, by) = (self.movement.bank_account, self.movement.id);
        let (after, payment) = before.clone().match_payment(id, account, by).map_err(refused)?;
        is_all(payment.amount, amount)?;
        let home = self.home.within(self.home.unit as &DynSalesUnit);
        sales::operations::change_payment(&home, &before, after).await?;
        Ok(matches!(payment.means, sales::document::Means::Money { bank_account: Some(_), .. }))
    }

    /// Answers whether the payment named the bank account.
    async fn of_purchases(
        &self,
        document: SupplierDocumentId,
        id: PaymentId,
        amount: Amount,
    ) -> Outcome<bool> {
        let before = purchase(self.home, document).await??;
        let (account, by) = (self.movement.bank_account, self.movement.id);
        let (after, payment) = before.clone().match_payment(id, account, by).map_err(refused)?;
        is_all(payment.amount.negated(), amount)?;
        let home = self.home.within(self.home.unit as &DynPurchaseUnit);
        purchases::operations::change(&home, &before, after).await?;
        Ok(matches!(payment.means, purchases::document::Means::Money { bank_account: Some(_), .. }))
    }

    /// Books what waits since the payment named no bank account: its entry moved the account of what is not explained yet,
    /// and is cleared by what it moved there.
    async fn explain(&mut self, id: PaymentId, amount: Amount) -> Outcome<()> {
        let books = self.books().await?;
        let Some(entry) = books.of_payment(id, PAYMENT).await? else { return Ok(()) };
        let entry = books.counting(entry).await?;
        let money = entry.and_then(|entry| entry.lines.iter().find(|line| line.moves(amount)).cloned());
        if let Some(money) = money.filter(|line| line.account != self.counted.code) {
            let known = Some(money.movement.signed());
            self.booked.push(Booked { known, ..Booked::new(amount, money.account) });
        }
        Ok(())
    }
}

fn is_all(payment: Amount, amount: Amount) -> Outcome<()> {
    if payment == amount {
        return Ok(());
    }
    Err(finding("amount", "amount_differs", "must be all of the payment").into())
}

fn refused(refused: MatchRefused) -> Refused<ReconcileRefused> {
    let code = match refused {
        MatchRefused::NotFound => "unknown_reference",
        MatchRefused::Reconciled => "already_reconciled",
        MatchRefused::OtherAccount => "other_bank_account",
        MatchRefused::InCash => "paid_in_cash",
    };
    ValidationErrors::one("id", code, refused.to_string()).into()
}
