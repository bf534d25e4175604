//! The figures of a document, from its lines to the amount that is due.
//!
//! [`calculate`] is one pure function for sales and purchases alike (specification, domain part 5.2):
//!
//! 1. *Lines.* gross = round(quantity × unit price); net = gross − round(gross × discount percent).
//! 2. *Discount.* That of the document, D, is a percentage of Σ net, rounded, or an amount. It is shared over the
//!    lines in proportion to their net by largest remainder, so that the shares sum to D exactly.
//! 3. *Taxes.* The lines of one tax make a group. Its base is Σ (net − share); quota and surcharge are
//!    round(base × rate).
//! 4. *Withholdings.* round(base × rate) for each rate, of the tax bases of its lines: tax is not withheld on tax.
//! 5. *Totals* are sums of these, never rounded again.
//!
//! When prices include tax, Σ (net − share) of a group is what the customer pays: base = round(that / (1 + rate +
//! surcharge)), surcharge = round(base × its rate), and the quota is what remains, so a price of 10.00 stays 10.00.
//! The base of a group is then shared over its lines, again by largest remainder.
//!
//! Nothing else is rounded, and always half away from zero. That is symmetric, so a document whose quantities and
//! discount have their signs turned has exactly the figures of the first one with theirs turned: it takes it back
//! (invariant I-10). Signs may be mixed, and sums may be zero.
//!
//! Taxes and withholdings are listed in an order of their own, and ties of the shares are broken by it, so the
//! order of the lines changes no total (I-09). Figures are integers of minor units, sums on the way are of 128
//! bits, and the bounds of [quantities and prices](crate::trade::Quantity) leave nothing to overflow: what is too
//! large is an error that names its line.

mod adjustment;
mod base;
mod deduction;
mod discount;
mod draft;
mod line;
mod share;
mod tax;
mod totals;
mod withholding;

use svc_core::error::ValidationErrors;
use svc_core::money::{Amount, Currency, MoneyError};

pub use self::adjustment::TaxAdjustment;
pub use self::deduction::{Deduction, DeductionFigures, LineDeduction};
pub use self::draft::draft;
pub use self::line::{Line, LineFigures};
pub use self::tax::TaxFigures;
pub use self::totals::Totals;
pub use self::withholding::WithholdingFigures;
use crate::trade::Discount;

/// Lines of a document at most.
pub const MOST_LINES: usize = 500;

/// What a document is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The currency of all its amounts.
    pub currency: Currency,
    /// Whether unit prices include the tax that the document charges, and its discount too.
    pub prices_include_tax: bool,
    /// What is sold or bought: 1 to [`MOST_LINES`].
    pub lines: Vec<Line>,
    /// What is taken off the whole.
    pub discount: Option<Discount>,
}

/// The figures of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calculation {
    /// The currency of all amounts.
    pub currency: Currency,
    /// Whether the lines include tax.
    pub prices_include_tax: bool,
    /// In the order of the document.
    pub lines: Vec<LineFigures>,
    /// One for each tax, in the order of [`TaxCode`](crate::trade::TaxCode).
    pub taxes: Vec<TaxFigures>,
    /// One for each rate above zero, the highest first.
    pub withholdings: Vec<WithholdingFigures>,
    /// The sums.
    pub totals: Totals,
}

/// Computes the figures of a document.
///
/// ```
/// use svc_business::trade::calculation::{Document, Line, calculate};
/// use svc_business::trade::{Quantity, Rate, TaxCode};
/// use svc_core::money::Currency;
/// use time::macros::date;
///
/// let line = Line {
///     quantity: "3".parse()?,
///     unit_price: "19.999".parse()?,
///     discount_percent: Rate::ZERO,
///     tax: TaxCode::find("es_vat_21", date!(2025-03-14)).expect("it holds on that day"),
///     withholding_rate: "15".parse()?,
/// };
/// let document =
///     Document { currency: Currency::EUR, prices_include_tax: false, lines: vec![line], discount: None };
/// let totals = calculate(&document)?.totals;
/// assert_eq!((totals.taxable.to_string(), totals.tax.to_string()), ("60.00".to_owned(), "12.60".to_owned()));
/// assert_eq!(totals.payable.to_string(), "63.60");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Every rule that the document breaks, with the member that breaks it: `lines` (`required`, `too_many`),
/// `lines[2].quantity` and `lines[2].withholdingRate` (`out_of_range`), `lines[2]` (`out_of_range`, quantity times
/// price is beyond an amount), `discount.value` (`out_of_range`, `invalid_currency`), and `lines` (`out_of_range`)
/// when a sum is beyond an amount.
pub fn calculate(document: &Document) -> Result<Calculation, ValidationErrors> {
    let mut lines = line::figures(document)?;
    let discount = discount::take(document, &mut lines)?;
    let taxes = tax::figures(document.currency, document.prices_include_tax, &lines);
    let basis = Basis {
        currency: document.currency,
        prices_include_tax: document.prices_include_tax,
        lines,
        discount,
        taxes: taxes.map_err(beyond_range)?,
    };
    basis.finish().map_err(beyond_range)
}

/// Everything that the rest follows from, once the taxes are known.
struct Basis {
    currency: Currency,
    prices_include_tax: bool,
    lines: Vec<LineFigures>,
    discount: Amount,
    taxes: Vec<TaxFigures>,
}

impl Basis {
    fn finish(mut self) -> Result<Calculation, MoneyError> {
        base::assign(self.prices_include_tax, &mut self.lines, &self.taxes)?;
        let withholdings = withholding::figures(self.currency, &self.lines)?;
        let totals = Totals::of(self.currency, &self.lines, self.discount, &self.taxes, &withholdings)?;
        Ok(Calculation {
            currency: self.currency,
            prices_include_tax: self.prices_include_tax,
            lines: self.lines,
            taxes: self.taxes,
            withholdings,
            totals,
        })
    }
}

/// Each line is in range, and a sum of them is not.
fn beyond_range(error: MoneyError) -> ValidationErrors {
    ValidationErrors::one("lines", "out_of_range", format!("the sum of the lines cannot be counted: {error}"))
}
