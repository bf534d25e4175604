//! What sales and purchases have in common: quantities, prices, discounts, taxes, and the figures of a document.
//!
//! An invoice that a company issues and one that it receives are computed by the same rules, so these stand
//! beside both areas, not in one of them. Nothing here reads a store or a clock: the same document always has the
//! same figures.
//!
//! - [`Quantity`], [`UnitPrice`], [`Rate`], [`Discount`]: what a line is made of, exact decimals.
//! - [`ItemType`], [`UnitCode`]: what a line is about, and what its quantity counts.
//! - [`TaxCode`]: the taxes of Spain as data with dates, found by code and date.
//! - [`calculation`]: from the lines of a document to the amount that is due.

#![warn(clippy::arithmetic_side_effects)]

pub mod calculation;
mod discount;
mod item;
mod tax_code;
mod values;

pub use self::discount::{Discount, DiscountType, InvalidDiscount};
pub use self::item::{InvalidUnit, ItemType, Supply, UnitCode};
pub use self::tax_code::{ExemptionCode, Side, TaxCategory, TaxCode};
pub use self::values::{InvalidQuantity, InvalidRate, InvalidUnitPrice, Quantity, Rate, UnitPrice};
