//! What follows from a return.

use svc_core::money::{Amount, Currency};
use svc_core::wire_names;

use super::boxes::ComputedBox;
use super::manual::Manual;
use crate::form::Form;
use crate::period::TaxPeriod;

/// What follows from a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaxResult {
    /// The kind.
    pub kind: ResultKind,
    /// How much, without its sign; zero where nothing follows.
    pub amount: Amount,
}

/// The kind of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultKind {
    /// The company pays: `payable`
    Payable,
    /// The company is paid: `refundable`
    Refundable,
    /// Later returns are less by it: `to_offset`
    ToOffset,
    /// Nothing is paid: `zero`
    Zero,
    /// The model pays nothing ever: `informative`
    Informative,
}

wire_names!(ResultKind {
    Payable = "payable",
    Refundable = "refundable",
    ToOffset = "to_offset",
    Zero = "zero",
    Informative = "informative",
});

pub(super) fn of(form: &Form, period: &TaxPeriod, boxes: &[ComputedBox], manual: &Manual) -> TaxResult {
    let rule = &form.definition().result;
    let nothing = Amount::zero(Currency::EUR);
    let Some(code) = &rule.code else {
        return TaxResult { kind: ResultKind::Informative, amount: nothing };
    };
    let found = boxes.iter().find(|one| &one.code == code);
    let amount = found.and_then(|one| one.value.amount()).unwrap_or(nothing);
    let kind = match amount.minor() {
        1.. => ResultKind::Payable,
        0 => ResultKind::Zero,
        _ => match manual.wants_refund().filter(|_| rule.choice) {
            Some(true) => ResultKind::Refundable,
            Some(false) => ResultKind::ToOffset,
            None => rule.negative_last.filter(|_| period.period().is_last()).unwrap_or(rule.negative),
        },
    };
    match kind {
        ResultKind::Payable => TaxResult { kind, amount },
        ResultKind::Refundable | ResultKind::ToOffset => TaxResult { kind, amount: amount.negated() },
        ResultKind::Zero | ResultKind::Informative => TaxResult { kind, amount: nothing },
    }
}
