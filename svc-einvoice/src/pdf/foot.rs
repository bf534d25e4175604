//! What stands below the sums, and on each page.

use super::canvas::{BOTTOM, Canvas, LEFT, Mark, RIGHT, Style};
use super::format::grouped;
use super::texts::means;
use super::{Options, Sheet, Standing};

impl Sheet<'_> {
    /// Payment, reasons of exemptions, notes.
    pub(super) fn foot(&self, canvas: &mut Canvas) {
        let (invoice, texts) = (self.invoice, self.texts);
        let payment = &invoice.payment;
        let mut how = Vec::new();
        how.extend(payment.method.map(|method| means(invoice.language, method).to_owned()));
        how.extend(payment.iban.as_deref().map(|iban| format!("IBAN {}", grouped(iban))));
        how.extend(payment.bic.as_deref().map(|bic| format!("BIC {bic}")));
        how.extend(payment.remittance.as_deref().map(|text| format!("{}: {text}", texts.remittance)));
        paragraph(canvas, texts.payment, &how.join(" · "));
        paragraph(canvas, "", payment.terms.as_deref().unwrap_or_default());
        for exemption in invoice.taxes.iter().filter_map(|tax| tax.exemption.as_ref()) {
            paragraph(canvas, texts.tax, &exemption.reason);
        }
        if let Some(base) = invoice.base.filter(|base| !base.rate.is_zero()) {
            let rate = self.format.number(base.rate);
            paragraph(canvas, texts.exchange, &format!("1 {} = {rate} {}", invoice.currency, base.currency));
        }
        paragraph(canvas, texts.notes, &invoice.notes.join("\n"));
    }

    /// Who, which page of how many, and whether the document counts.
    pub(super) fn page_marks(&self, canvas: &mut Canvas, options: Options) {
        let count = canvas.pages.len();
        let seller = &self.invoice.seller;
        let who = [Some(seller.name.as_str()), self.tax_id(seller)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" · ");
        let pages = std::mem::take(&mut canvas.pages);
        for (page, at) in pages.into_iter().zip(1_usize..) {
            canvas.pages.push(Vec::new());
            let across = match options.standing {
                Standing::Draft => Some(self.texts.draft),
                Standing::Voided => Some(self.texts.voided),
                Standing::Issued => None,
            };
            if let Some(text) = across {
                canvas.mark(Mark::Across { text: text.to_owned(), size: 96.0 });
            }
            if let Some(marks) = canvas.pages.last_mut() {
                marks.extend(page);
            }
            canvas.rule(LEFT, BOTTOM + 10.0, RIGHT - LEFT);
            let who = canvas.faces.of(Style::LABEL.weight).lines(&who, Style::LABEL.size, 330.0);
            canvas.left(LEFT, BOTTOM + 14.0, Style::LABEL, who.first().map_or("", String::as_str));
            let page = format!("{} {at} {} {count}", self.texts.page, self.texts.of);
            let number = &self.invoice.number;
            let which = if number.is_empty() { page } else { format!("{number} · {page}") };
            canvas.right(RIGHT, BOTTOM + 14.0, Style::LABEL, &which);
        }
    }
}

/// A label, and beside it a text over as many lines and pages as it takes.
fn paragraph(canvas: &mut Canvas, label: &str, text: &str) {
    let style = Style::BODY;
    let indent = 92.0;
    let lines = canvas.faces.of(style.weight).lines(text, style.size, RIGHT - LEFT - indent);
    for (line, at) in lines.iter().zip(0_usize..) {
        canvas.make_room(style.leading());
        if at == 0 {
            canvas.left(LEFT, canvas.y + 0.8, Style::LABEL, label);
        }
        canvas.left(LEFT + indent, canvas.y, style, line);
        canvas.y += style.leading();
    }
    if !lines.is_empty() {
        canvas.y += 3.0;
    }
}
