//! The third act: the bank tells who paid, the quarter is declared, a contract is signed.

pub(super) mod bank;
pub(super) mod contract;
pub(super) mod vat;
