//! The taxes and the sums.

use svc_core::money::{Amount, MoneyError};

use super::Sheet;
use super::canvas::{Canvas, LEFT, Mark, RIGHT, Style, Tone};
use super::face::Weight;
use super::texts::category;
use crate::model::Tax;

/// Right edges of the columns of the taxes.
const RATE: f32 = LEFT + 116.0;
const BASE: f32 = LEFT + 188.0;
const QUOTA: f32 = LEFT + 248.0;
const SURCHARGE: f32 = LEFT + 300.0;
/// Where the sums begin.
const SUMS: f32 = LEFT + 322.0;
const ROW: f32 = 14.0;

impl Sheet<'_> {
    pub(super) fn totals(&self, canvas: &mut Canvas) -> Result<(), MoneyError> {
        let sums = self.sums()?;
        let taxes = self.invoice.taxes.len();
        let rows = u16::try_from(taxes.max(sums.len())).unwrap_or(u16::MAX);
        canvas.make_room(f32::from(rows) * ROW + 40.0);
        let top = canvas.y;
        let left = self.taxes(canvas, top);
        let right = column(canvas, top, &sums);
        canvas.y = left.max(right) + 10.0;
        Ok(())
    }

    fn taxes(&self, canvas: &mut Canvas, top: f32) -> f32 {
        let texts = self.texts;
        let surcharged = self.invoice.taxes.iter().any(|tax| !tax.tax.surcharge_rate.is_zero());
        let head = Style { size: 8.0, ..Style::STRONG };
        let edge = if surcharged { SURCHARGE } else { QUOTA };
        canvas.mark(Mark::Area {
            x: LEFT,
            y: top,
            width: edge - LEFT + 4.0,
            height: 17.0,
            tone: Tone::Shade,
        });
        canvas.left(LEFT + 4.0, top + 3.0, head, texts.tax);
        let heads =
            [(RATE, texts.rate), (BASE, texts.base), (QUOTA, texts.quota), (SURCHARGE, texts.surcharge)];
        for (edge, text) in heads.into_iter().take(if surcharged { 4 } else { 3 }) {
            canvas.right(edge, top + 3.0, head, text);
        }
        let mut y = top + 21.0;
        for tax in &self.invoice.taxes {
            self.tax(canvas, y, tax);
            y += ROW;
        }
        y
    }

    fn tax(&self, canvas: &mut Canvas, y: f32, tax: &Tax) {
        let format = self.format;
        canvas.left(LEFT + 4.0, y, Style::BODY, category(self.invoice.language, tax.tax.category));
        let rate = if tax.tax.surcharge_rate.is_zero() {
            format.percent(tax.tax.rate)
        } else {
            format!("{} + {}", format.number(tax.tax.rate), format.percent(tax.tax.surcharge_rate))
        };
        canvas.right(RATE, y, Style::BODY, &rate);
        canvas.right(BASE, y, Style::BODY, &format.amount(tax.base));
        canvas.right(QUOTA, y, Style::BODY, &format.amount(tax.quota));
        if !tax.tax.surcharge_rate.is_zero() {
            canvas.right(SURCHARGE, y, Style::BODY, &format.amount(tax.surcharge));
        }
    }

    /// Labels and amounts, the last one being what is to be paid.
    fn sums(&self) -> Result<Vec<(String, String, bool)>, MoneyError> {
        let (invoice, texts, format) = (self.invoice, self.texts, self.format);
        let totals = &invoice.totals;
        let mut sums = Vec::new();
        let mut add = |label: String, amount: Amount, strong: bool| {
            let shown = if strong { format.money(amount) } else { format.amount(amount) };
            sums.push((label, shown, strong));
        };
        if totals.discount.minor() != 0 || totals.charge.minor() != 0 {
            add(texts.lines.to_owned(), totals.lines, false);
        }
        if totals.discount.minor() != 0 {
            let percent = invoice.discounts.first().and_then(|discount| discount.percent);
            let percent = percent.map(|percent| format!(" {}", format.percent(percent))).unwrap_or_default();
            add(format!("{}{percent}", texts.document_discount), totals.discount.negated(), false);
        }
        if totals.charge.minor() != 0 {
            add(texts.charges.to_owned(), totals.charge, false);
        }
        add(texts.taxable.to_owned(), totals.taxable, false);
        add(texts.taxes.to_owned(), totals.tax, false);
        add(texts.total.to_owned(), totals.total, true);
        for one in &invoice.withholdings {
            add(format!("{} {}", texts.withholding, format.percent(one.rate)), one.amount.negated(), false);
        }
        if totals.rounding.minor() != 0 {
            add(texts.rounding.to_owned(), totals.rounding, false);
        }
        if totals.paid.minor() != 0 {
            add(texts.paid.to_owned(), totals.paid.negated(), false);
        }
        if totals.due != totals.total {
            add(texts.to_pay.to_owned(), totals.due, true);
        }
        if let Some(base) = invoice.base.filter(|base| !base.rate.is_zero()) {
            add(format!("{} ({})", texts.total, base.currency), base.convert(totals.total)?, false);
            add(format!("{} ({})", texts.taxes, base.currency), base.tax, false);
        }
        Ok(sums)
    }
}

/// The sums, one below the other.
fn column(canvas: &mut Canvas, top: f32, sums: &[(String, String, bool)]) -> f32 {
    let mut y = top + 3.0;
    for (label, amount, strong) in sums {
        let style = if *strong { Style { size: 10.5, ..Style::STRONG } } else { Style::BODY };
        if *strong {
            canvas.mark(Mark::Area {
                x: SUMS - 4.0,
                y: y - 1.0,
                width: RIGHT - SUMS + 4.0,
                height: 17.0,
                tone: Tone::Shade,
            });
        }
        let label_style = Style { weight: if *strong { Weight::Bold } else { Weight::Regular }, ..style };
        canvas.left(SUMS, y, label_style, label);
        canvas.right(RIGHT - 4.0, y, style, amount);
        y += if *strong { ROW + 6.0 } else { ROW };
    }
    y
}
