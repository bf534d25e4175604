//! The lines of a document with their figures.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::Currency;
use time::Date;

use super::{Ids, Line};
use crate::trade::calculation::{Calculation, Document, Totals, draft};
use crate::trade::{Discount, ExemptionCode, TaxCode};

/// The lines of a document with their figures, which are computed when it is made: the two never disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    lines: Vec<Line>,
    discount: Option<Discount>,
    figures: Calculation,
}

impl Content {
    /// Computes the figures of these lines; without any, of a draft, they are zero.
    ///
    /// # Errors
    /// Those of [`draft`], and `exemption_mixed` on `lines[1].exemptionCode` when the lines of one tax give
    /// different reasons, for a tax has one.
    pub fn new(
        currency: Currency,
        prices_include_tax: bool,
        lines: Vec<Line>,
        discount: Option<Discount>,
    ) -> Result<Self, ValidationErrors> {
        judge_exemptions(&lines)?;
        let computed = lines.iter().map(Line::computed).collect();
        let figures = draft(&Document { currency, prices_include_tax, lines: computed, discount })?;
        Ok(Self { lines, discount, figures })
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

    /// The reason why this tax is not charged; all lines of a tax give the same.
    #[must_use]
    pub fn exemption(&self, tax: &TaxCode) -> Option<ExemptionCode> {
        self.lines.iter().find(|line| line.tax == tax).and_then(|line| line.exemption)
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
        Self::new(self.currency(), self.prices_include_tax(), lines, self.discount)
    }

    /// The same with new ids of its lines.
    pub(crate) fn copied(&self, ids: &Ids<'_>) -> Self {
        let lines = self.lines.iter().map(|line| Line { id: ids.make(), ..line.clone() }).collect();
        Self { lines, ..self.clone() }
    }

    /// What takes this back: every figure is exactly the negative (I-10).
    ///
    /// # Errors
    /// None of figures that could be computed.
    pub(crate) fn negated(&self, ids: &Ids<'_>) -> Result<Self, ValidationErrors> {
        let lines = self.lines.iter().map(|line| line.negated(ids.make())).collect();
        Self::new(self.currency(), self.prices_include_tax(), lines, self.discount.map(Discount::negated))
    }
}

fn judge_exemptions(lines: &[Line]) -> Result<(), ValidationErrors> {
    let mut validator = Validator::new();
    for (at, line) in lines.iter().enumerate() {
        let first = lines.iter().take(at).find(|first| first.tax == line.tax);
        let same = first.is_none_or(|first| first.exemption == line.exemption);
        let field = format!("lines[{at}].exemptionCode");
        let message = "the lines of one tax give the same reason";
        validator.require(same, &field, "exemption_mixed", message);
    }
    validator.finish()
}
