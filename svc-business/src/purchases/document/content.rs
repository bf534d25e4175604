//! The lines of a document with their figures.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::{Amount, Currency, MoneyError};
use time::Date;

use super::{DocType, Line};
use crate::trade::calculation::{
    Calculation, Deduction, Document, LineDeduction, LineFigures, TaxAdjustment, Totals, draft,
};
use crate::trade::{Discount, ItemType, Rate, Supply, TaxCategory, TaxCode};

/// From which value on goods are investment goods, in minor units (Ley 37/1992 art. 108.dos.5.º).
const INVESTMENT: i64 = 300_506;

/// The lines of a document with their figures, which are computed when it is made: the two never disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    lines: Vec<Line>,
    discount: Option<Discount>,
    adjustments: Vec<TaxAdjustment>,
    figures: Calculation,
}

impl Content {
    /// Computes the figures of these lines, with the quotas that the document itself states; without any line they are
    /// zero.
    ///
    /// # Errors
    /// Those of [`draft`] and of [`Calculation::adjusted`].
    pub fn new(
        currency: Currency,
        prices_include_tax: bool,
        lines: Vec<Line>,
        discount: Option<Discount>,
        adjustments: Vec<TaxAdjustment>,
    ) -> Result<Self, ValidationErrors> {
        let computed = lines.iter().map(Line::computed).collect();
        let figures = draft(&Document { currency, prices_include_tax, lines: computed, discount })?;
        let figures = if adjustments.is_empty() { figures } else { figures.adjusted(&adjustments)? };
        Ok(Self { lines, discount, adjustments, figures })
    }

    /// The currency of all amounts.
    #[must_use]
    pub const fn currency(&self) -> Currency {
        self.figures.currency
    }

    /// Whether unit prices include tax.
    #[must_use]
    pub const fn prices_include_tax(&self) -> bool {
        self.figures.prices_include_tax
    }

    /// The lines, at most 500.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// What is taken off the whole.
    #[must_use]
    pub const fn discount(&self) -> Option<Discount> {
        self.discount
    }

    /// The quotas that the document itself states.
    #[must_use]
    pub fn adjustments(&self) -> &[TaxAdjustment] {
        &self.adjustments
    }

    /// What follows from these.
    #[must_use]
    pub const fn figures(&self) -> &Calculation {
        &self.figures
    }

    /// The sums.
    #[must_use]
    pub const fn totals(&self) -> &Totals {
        &self.figures.totals
    }

    /// What of its tax can be deducted, in a document of this type of a company with this pro-rata: nothing of one that
    /// gives no right to it.
    ///
    /// # Errors
    /// [`MoneyError`], which figures of a document do not meet.
    pub fn deduction(&self, doc_type: DocType, pro_rata: Rate) -> Result<Deduction, MoneyError> {
        let right = doc_type.is_registered();
        let lines = self.lines.iter().zip(&self.figures.lines);
        let alike = |(line, figures): (&Line, &LineFigures)| LineDeduction {
            percent: if right { line.deductible_percent.unwrap_or(pro_rata) } else { Rate::ZERO },
            supply: supply(line, figures.tax_base),
        };
        self.figures.deduction(&lines.map(alike).collect::<Vec<_>>())
    }

    /// Whether the company owes some of its tax itself.
    #[must_use]
    pub fn is_self_assessed(&self) -> bool {
        self.lines.iter().any(|line| line.tax.self_assessed)
    }

    /// The same with taxes as they are on this day.
    ///
    /// # Errors
    /// `invalid_tax_code` on `lines[0].taxCode` when a tax does not hold on that day, and those of [`Content::new`].
    pub fn retaxed(&self, on: Date) -> Result<Self, ValidationErrors> {
        if self.lines.iter().all(|line| line.tax.holds(on)) {
            return Ok(self.clone());
        }
        let mut validator = Validator::new();
        let mut lines = self.lines.clone();
        for (at, line) in lines.iter_mut().enumerate() {
            if let Some(tax) = TaxCode::find(line.tax.code, on) {
                line.tax = tax;
            } else {
                let message = format!("there is no tax {} on {on}", line.tax.code);
                validator.fail(format!("lines[{at}].taxCode"), "invalid_tax_code", message);
            }
        }
        validator.finish()?;
        let adjustments = self.adjustments.clone();
        Self::new(self.currency(), self.prices_include_tax(), lines, self.discount, adjustments)
    }
}

/// What a line is, where returns tell it apart: what comes from another member state, and investment goods.
///
/// A good with the class of an asset is one from the value on that the law names (Ley 37/1992 art. 108.dos.5.º). Domestic
/// purchases at 21 % have a code of their own for them.
fn supply(line: &Line, base: Amount) -> Option<Supply> {
    let is_within = line.tax.category == TaxCategory::IntraCommunity;
    let is_asset = line.asset_class.is_some() && line.item_type == ItemType::Good;
    let is_worth_it = base.minor() >= INVESTMENT;
    let alike = |tax: &TaxCode| tax.rate == line.tax.rate && tax.self_assessed == line.tax.self_assessed;
    let has_own_code = || TaxCode::all().iter().any(|tax| tax.investment && alike(tax));
    if line.tax.investment || (is_asset && is_worth_it && !has_own_code()) {
        return Some(Supply::Investment);
    }
    is_within.then_some(match line.item_type {
        ItemType::Good => Supply::Goods,
        ItemType::Service => Supply::Services,
    })
}
