//! Documents that a movement pays.

use svc_core::id::{SalesDocumentId, SupplierDocumentId};
use svc_core::money::{Amount, Currency};
use svc_core::refused::Refused;

use super::ReconcileRefused;
use super::known::{purchase, sale};
use super::reconcile::{Outcome, Work};
use crate::bank::BankAccountType;
use crate::bank::movement::{Target, without_ibans};
use crate::contact::PaymentMethod;
use crate::invoicing::NewPayment;
use crate::ports::{DynPurchaseUnit, DynSalesUnit};
use crate::purchases::operations::PurchaseRefused;
use crate::sales::operations::SalesRefused;
use crate::{purchases, sales};

/// Characters of a payment's reference at most.
const MOST_REFERENCE: usize = 200;

impl Work<'_, '_> {
    /// Records the payment of a sales document.
    pub(super) async fn pay_sales(&self, id: SalesDocumentId, amount: Amount) -> Outcome<Target> {
        let document = sale(self.home, id).await??;
        let new = self.payment(amount, document.content.currency(), document.base_currency);
        let home = self.home.within(self.home.unit as &DynSalesUnit);
        let paid = sales::operations::record_payment(&home, &document, new, Some(self.counted.code)).await;
        let paid = paid.map_err(of_sales)?;
        Ok(Target::Invoice { document: id, payment: paid.payment.id })
    }

    /// Records the payment of a supplier document: what the account loses pays it.
    pub(super) async fn pay_purchase(&self, id: SupplierDocumentId, amount: Amount) -> Outcome<Target> {
        let document = purchase(self.home, id).await??;
        let new = self.payment(amount.negated(), document.content.currency(), document.base_currency);
        let home = self.home.within(self.home.unit as &DynPurchaseUnit);
        let paid =
            purchases::operations::record_payment(&home, &document, new, Some(self.counted.code)).await;
        let paid = paid.map_err(of_purchases)?;
        Ok(Target::SupplierDocument { document: id, payment: paid.payment.id })
    }

    /// How money moves on an account of this kind.
    const fn method(&self) -> PaymentMethod {
        match self.counted.account.kind {
            BankAccountType::Bank | BankAccountType::Other => PaymentMethod::Transfer,
            BankAccountType::Cash => PaymentMethod::Cash,
            BankAccountType::Card => PaymentMethod::Card,
        }
    }

    /// A payment of a document by the movement, which says at which rate where the document is in another currency than the
    /// books.
    fn payment(&self, amount: Amount, document: Currency, base: Currency) -> NewPayment {
        let first = self.movement.references.first();
        NewPayment {
            amount,
            date: self.movement.booking_date,
            method: self.method(),
            bank_account: Some(self.movement.bank_account),
            movement: Some(self.movement.id),
            fx_rate: (document != base).then_some(self.wish.fx_rate),
            // Documents show it to masked callers too.
            reference: first.map(|text| without_ibans(text).chars().take(MOST_REFERENCE).collect()),
        }
    }
}

/// Broken rules of a payment are those of its part.
fn of_sales(refused: Refused<SalesRefused>) -> Refused<ReconcileRefused> {
    if let Refused::Own(SalesRefused::Pay(sales::pay::PayRefused::Invalid(invalid))) = refused {
        Refused::Invalid(invalid)
    } else {
        refused.map(ReconcileRefused::Sales)
    }
}

fn of_purchases(refused: Refused<PurchaseRefused>) -> Refused<ReconcileRefused> {
    if let Refused::Own(PurchaseRefused::Pay(purchases::pay::PayRefused::Invalid(invalid))) = refused {
        Refused::Invalid(invalid)
    } else {
        refused.map(ReconcileRefused::Purchases)
    }
}
