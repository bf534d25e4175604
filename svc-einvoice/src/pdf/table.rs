//! The table of the lines.

use svc_core::money::{Amount, MoneyError};

use super::Sheet;
use super::canvas::{BOTTOM, Canvas, LEFT, Mark, RIGHT, Style, Tone};
use super::face::Weight;
use super::texts::category;
use crate::model::{Line, TaxRate};

/// Right edges of the columns of figures.
const QUANTITY: f32 = LEFT + 246.0;
const PRICE: f32 = LEFT + 330.0;
const DISCOUNT: f32 = LEFT + 366.0;
const TAX: f32 = LEFT + 432.0;
/// Room between columns.
const GAP: f32 = 4.0;
/// What the line with the sum that is carried forward takes.
const CARRIED: f32 = 18.0;
/// The most lines of a text that are kept on one page.
const TOGETHER: usize = 12;

impl Sheet<'_> {
    pub(super) fn lines(&self, canvas: &mut Canvas) -> Result<(), MoneyError> {
        let leading = Style::BODY.leading();
        let mut sum = Amount::zero(self.invoice.currency);
        canvas.make_room(60.0);
        self.column_heads(canvas);
        for line in &self.invoice.lines {
            let width = QUANTITY - LEFT - 50.0;
            let texts = canvas.faces.of(Weight::Regular).lines(&line.description, Style::BODY.size, width);
            let texts = if texts.is_empty() { vec![String::new()] } else { texts };
            let first = if texts.len() <= TOGETHER { height(texts.len(), leading) } else { leading };
            if canvas.y + first + CARRIED > BOTTOM {
                self.carry(canvas, sum);
            }
            self.figures(canvas, line);
            // Above: the sum that a page break within this line carries is that before it.
            for (text, at) in texts.iter().zip(0_usize..) {
                if at > 0 && canvas.y + leading + CARRIED > BOTTOM {
                    self.carry(canvas, sum);
                }
                canvas.left(LEFT + GAP, canvas.y, Style::BODY, text);
                canvas.y += leading;
            }
            sum = sum.plus(line.net)?;
            canvas.y += 3.0;
            canvas.rule(LEFT, canvas.y, RIGHT - LEFT);
            canvas.y += 3.0;
        }
        canvas.y += 8.0;
        Ok(())
    }

    fn column_heads(&self, canvas: &mut Canvas) {
        let (y, texts) = (canvas.y, self.texts);
        let head = Style { size: 8.0, ..Style::STRONG };
        let price = if self.invoice.prices_include_tax { texts.price_with_tax } else { texts.price };
        canvas.mark(Mark::Area { x: LEFT, y, width: RIGHT - LEFT, height: 17.0, tone: Tone::Shade });
        canvas.left(LEFT + GAP, y + 3.0, head, texts.description);
        for (edge, text) in [
            (QUANTITY, texts.quantity),
            (PRICE, price),
            (DISCOUNT, texts.discount),
            (TAX, texts.tax),
            (RIGHT - GAP, texts.amount),
        ] {
            canvas.right(edge, y + 3.0, head, text);
        }
        canvas.y += 21.0;
    }

    fn figures(&self, canvas: &mut Canvas, line: &Line) {
        let y = canvas.y;
        let format = self.format;
        canvas.right(QUANTITY, y, Style::BODY, &format.number(line.quantity));
        canvas.right(PRICE, y, Style::BODY, &format.price(line.unit_price));
        let discount = match line.discount_percent {
            Some(percent) => Some(format.percent(percent)),
            None => {
                Some(line.discount).filter(|amount| amount.minor() != 0).map(|amount| format.amount(amount))
            }
        };
        canvas.right(DISCOUNT, y, Style::BODY, &discount.unwrap_or_default());
        canvas.right(TAX, y, Style::BODY, &self.short_rate(&line.tax));
        canvas.right(RIGHT - GAP, y, Style::BODY, &format.amount(line.net));
    }

    /// `21 %`, `21 + 5,2 %`, or what the tax is where there is none to charge.
    fn short_rate(&self, tax: &TaxRate) -> String {
        if tax.category.needs_reason() {
            return category(self.invoice.language, tax.category).to_owned();
        }
        if tax.surcharge_rate.is_zero() {
            return self.format.percent(tax.rate);
        }
        format!("{} + {}", self.format.number(tax.rate), self.format.percent(tax.surcharge_rate))
    }

    /// Ends the page with the sum so far, and begins the next one with it.
    fn carry(&self, canvas: &mut Canvas, sum: Amount) {
        self.sum(canvas, self.texts.carried, sum);
        canvas.turn_page();
        self.column_heads(canvas);
        self.sum(canvas, self.texts.brought, sum);
        canvas.y += 4.0;
    }

    fn sum(&self, canvas: &mut Canvas, label: &str, sum: Amount) {
        canvas.right(TAX, canvas.y, Style::STRONG, label);
        canvas.right(RIGHT - GAP, canvas.y, Style::STRONG, &self.format.amount(sum));
        canvas.y += Style::STRONG.leading();
    }
}

/// What so many lines of a text take. Tables are short: no count is beyond what a float holds.
fn height(lines: usize, leading: f32) -> f32 {
    f32::from(u16::try_from(lines).unwrap_or(u16::MAX)) * leading
}
