//! The lines: what they must be, and what they come to before the discount of the document.

use std::cmp::Reverse;

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::{Amount, Currency, MoneyError};

use super::{Document, MOST_LINES};
use crate::trade::{Quantity, Rate, TaxCode, UnitPrice};

/// The highest rate of a withholding: the top of the scale for work (Ley 35/2006 art. 101).
const MOST_WITHHELD: Rate = Rate::tenths(470);

/// What is computed of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// How much; not zero. [`Quantity::ONE`] for a line that does not say.
    pub quantity: Quantity,
    /// The price of one.
    pub unit_price: UnitPrice,
    /// What is taken off this line; zero for nothing.
    pub discount_percent: Rate,
    /// The tax, as it is on the day on which it falls due.
    pub tax: &'static TaxCode,
    /// What the customer keeps back and pays to the tax office (IRPF), up to 47 %; zero for nothing.
    pub withholding_rate: Rate,
}

/// The figures of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineFigures {
    /// The tax.
    pub tax: &'static TaxCode,
    /// The rate that is withheld, or zero.
    pub withholding_rate: Rate,
    /// Quantity times unit price.
    pub gross: Amount,
    /// That without the discount of the line.
    pub net: Amount,
    /// Its share of the discount of the document.
    pub document_discount_share: Amount,
    /// What it adds to the base of its tax. Net without the share, and without tax where prices include it.
    pub tax_base: Amount,
}

impl LineFigures {
    /// Net without the share of the discount.
    pub(super) fn discounted(&self) -> Result<Amount, MoneyError> {
        self.net.minus(self.document_discount_share)
    }

    /// Its place among lines that have an equal claim to a minor unit, first all that decides which total the unit
    /// is counted in: the order of the lines in the document must not (I-09). Two lines of one standing are alike
    /// in everything, and the earlier one comes first.
    pub(super) fn standing(&self) -> impl Ord + use<> {
        (self.tax, Reverse(self.withholding_rate), Reverse(self.net.minor().unsigned_abs()))
    }
}

/// Checks the lines and computes each.
pub(super) fn figures(document: &Document) -> Result<Vec<LineFigures>, ValidationErrors> {
    let count = document.lines.len();
    let mut validator = Validator::new();
    validator.require(count > 0, "lines", "required", "must have at least one line");
    validator.require(count <= MOST_LINES, "lines", "too_many", "must have at most 500 lines");
    validator.finish()?;
    let mut validator = Validator::new();
    let mut figures = Vec::with_capacity(count);
    for (at, line) in document.lines.iter().enumerate() {
        let field = format!("lines[{at}]");
        rules(&mut validator, &field, line);
        match line.figures(document.currency) {
            Ok(line) => figures.push(line),
            Err(_) => validator.fail(field, "out_of_range", "quantity times unitPrice is out of range"),
        }
    }
    validator.finish()?;
    Ok(figures)
}

fn rules(validator: &mut Validator, field: &str, line: &Line) {
    let some = line.quantity != Quantity::ZERO;
    validator.require(some, &format!("{field}.quantity"), "out_of_range", "must not be zero");
    let message = format!("must be at most {MOST_WITHHELD}");
    let usual = line.withholding_rate <= MOST_WITHHELD;
    validator.require(usual, &format!("{field}.withholdingRate"), "out_of_range", message);
}

impl Line {
    /// Rounded twice: the product, and the discount of it.
    fn figures(&self, currency: Currency) -> Result<LineFigures, MoneyError> {
        let (quantity, price) =
            (i128::from(self.quantity.millionths()), i128::from(self.unit_price.millionths()));
        let exact = quantity.checked_mul(price).ok_or(MoneyError::Range)?;
        // Millionths times millionths, in minor units.
        let places = 12_u32.checked_sub(currency.digits());
        let unit = places.and_then(|places| 10_i128.checked_pow(places)).ok_or(MoneyError::Range)?;
        let gross = Amount::from_ratio(exact, unit, currency)?;
        let net = gross.minus(self.discount_percent.of(gross)?)?;
        Ok(LineFigures {
            tax: self.tax,
            withholding_rate: self.withholding_rate,
            gross,
            net,
            document_discount_share: Amount::zero(currency),
            tax_base: net,
        })
    }
}
