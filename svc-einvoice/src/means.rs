//! Codes of the means of payment (BT-81; code list UNCL 4461).

use crate::model::PaymentMethod;

/// The code that is written.
pub(crate) const fn code(method: PaymentMethod) -> &'static str {
    match method {
        PaymentMethod::Cash => "10",
        PaymentMethod::Cheque => "20",
        PaymentMethod::Transfer => "30",
        PaymentMethod::Card => "48",
        PaymentMethod::DirectDebit => "59",
        PaymentMethod::Offset => "97",
        PaymentMethod::Other => "1",
    }
}

/// What a code means here; the list has several for most.
pub(crate) fn method(code: &str) -> PaymentMethod {
    match code {
        "10" => PaymentMethod::Cash,
        "20" | "21" | "22" | "23" | "25" | "26" => PaymentMethod::Cheque,
        "30" | "31" | "42" | "58" => PaymentMethod::Transfer,
        "48" | "54" | "55" => PaymentMethod::Card,
        "49" | "59" => PaymentMethod::DirectDebit,
        "97" => PaymentMethod::Offset,
        _ => PaymentMethod::Other,
    }
}
