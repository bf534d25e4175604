//! What movements of bank accounts paid of returns, each as a row of its own.

use svc_business::tax::returns::{ReturnPayment, TaxReturn};
use svc_core::money::{Amount, Currency};

use crate::business::cell::Cell;
use crate::business::record::Child;
use crate::value::broken;

/// The payments of a return.
pub(super) const CHILD: Child<TaxReturn> = Child {
    table: "svc_tax_return_payments",
    owner: "return_id",
    of_company: true,
    columns: &["movement_id", "amount", "paid_on"],
    references: &[],
    rows: |of| {
        let row = |payment: &ReturnPayment| {
            vec![payment.movement.put(), payment.amount.minor().put(), payment.date.put()]
        };
        of.payments.iter().map(row).collect()
    },
    add: Some(|of, row| {
        let amount = Amount::from_minor(Cell::take(row, "amount")?, Currency::EUR);
        of.payments.push(ReturnPayment {
            movement: Cell::take(row, "movement_id")?,
            amount: amount.map_err(|_| broken("tax_return_payments.amount"))?,
            date: Cell::take(row, "paid_on")?,
        });
        Ok(())
    }),
};

/// What is left of a return, as bank accounts gain it, in cents; zero where nothing is, or ever was.
pub(super) fn outstanding(of: &TaxReturn) -> i64 {
    of.due().map_or(0, Amount::minor)
}
