//! What is sold, and what is taken off or put on top of the whole.

use rust_decimal::Decimal;
use svc_core::money::Amount;

use super::TaxRate;

/// A line (BG-25).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is (BT-153, BT-154).
    pub description: String,
    /// How much (BT-129).
    pub quantity: Decimal,
    /// The unit by UN/ECE recommendation 20: `C62` for pieces, `HUR` for hours (BT-130).
    pub unit: String,
    /// The price of [`price_quantity`](Self::price_quantity) units (BT-146).
    pub unit_price: Decimal,
    /// How many units the price is for, nearly always one (BT-149).
    pub price_quantity: Decimal,
    /// The discount as a percentage, where it is given as one (BT-138).
    pub discount_percent: Option<Decimal>,
    /// What is taken off this line (BT-136).
    pub discount: Amount,
    /// What is put on top of this line (BT-141).
    pub charge: Amount,
    /// What it comes to: quantity × price − discount + charge (BT-131).
    pub net: Amount,
    /// What it adds to the base of its tax when prices include tax: its net without tax and without its share of
    /// the discount of the document. `None` in all other documents.
    pub net_without_tax: Option<Amount>,
    /// What it is taxed with (BG-30).
    pub tax: TaxRate,
    /// Percent that the buyer withholds of it (IRPF), else zero. No part of EN 16931.
    pub withholding_rate: Decimal,
}

/// What is taken off or put on top of a whole document, as far as it concerns one tax (BG-20, BG-21).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// What it is for (BT-97, BT-104).
    pub reason: String,
    /// As a percentage of the lines, where it is given as one (BT-94, BT-101).
    pub percent: Option<Decimal>,
    /// How much (BT-92, BT-99).
    pub amount: Amount,
    /// The tax whose base it changes (BT-95, BT-102).
    pub tax: TaxRate,
}
