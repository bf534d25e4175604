//! Who, to whom, and what: the top of the first page.

use qrcode::{Color, EcLevel, QrCode};

use super::Sheet;
use super::canvas::{Canvas, LEFT, Mark, RIGHT, Style, TOP, Tone};
use super::face::Weight;
use crate::error::WriteError;
use crate::model::{Kind, Party};

/// The side of the QR code: 34 mm, between the 30 and 40 of the order.
const QR_SIDE: f32 = 96.4;
/// In the address of an invoice whose record is not sent to the tax office; it has no caption below (art. 20).
const UNSENT: &str = "ValidarQRNoVerifactu";
/// Where the second column begins.
const MIDDLE: f32 = 312.0;

impl Sheet<'_> {
    pub(super) fn head(&self, canvas: &mut Canvas) -> Result<(), WriteError> {
        let title = Style { size: 17.0, weight: Weight::Bold, tone: Tone::Black };
        let mut edge = RIGHT;
        let mut below = TOP;
        if let Some(address) = &self.invoice.verification_url {
            below = self.qr(canvas, address)?;
            edge = RIGHT - QR_SIDE - 16.0;
        }
        let room = edge - LEFT;
        let mut y = canvas.block(LEFT, TOP - 4.0, room, title, self.texts.title(&self.invoice.kind));
        if !self.invoice.number.is_empty() {
            let number = Style { size: 11.0, weight: Weight::Bold, tone: Tone::Grey };
            y = canvas.block(LEFT, y, room, number, &self.invoice.number);
        }
        y += 12.0;
        let seller = &self.invoice.seller;
        y = canvas.block(LEFT, y, room, Style { size: 10.5, ..Style::STRONG }, &seller.name);
        y = self.party(canvas, LEFT, y, room.min(MIDDLE - LEFT - 16.0), seller);
        let top = y.max(below) + 14.0;
        canvas.rule(LEFT, top - 6.0, RIGHT - LEFT);
        let left = self.buyer(canvas, top);
        let right = self.facts(canvas, top);
        canvas.y = left.max(right) + 8.0;
        self.correction(canvas);
        Ok(())
    }

    /// The lines below a name.
    fn party(&self, canvas: &mut Canvas, x: f32, y: f32, width: f32, party: &Party) -> f32 {
        let address = &party.address;
        let town =
            [&address.postcode, &address.city].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
        let province = address.province.clone().filter(|province| Some(province) != address.city.as_ref());
        let place = [
            Some(town).filter(|town| !town.is_empty()),
            province,
            Some(address.country.clone()).filter(|_| !self.is_domestic()),
        ];
        let place =
            place.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        let number = self.tax_id(party).map(|number| format!("{}: {number}", self.texts.tax_number));
        let contact =
            [&party.email, &party.phone].into_iter().flatten().cloned().collect::<Vec<_>>().join(" · ");
        let lines = [
            party.trade_name.clone(),
            number,
            address.street.clone(),
            address.extra.clone(),
            Some(place),
            Some(contact),
        ];
        let mut y = y;
        for line in lines.into_iter().flatten().filter(|line| !line.is_empty()) {
            y = canvas.block(x, y, width, Style::BODY, &line);
        }
        y
    }

    /// All that is named is in Spain.
    fn is_domestic(&self) -> bool {
        let home = |party: &Party| party.address.country == "ES";
        home(&self.invoice.seller) && self.invoice.buyer.as_ref().is_none_or(home)
    }

    /// The tax number; within Spain it has no prefix of a country.
    pub(super) fn tax_id<'p>(&self, party: &'p Party) -> Option<&'p str> {
        let number = party.tax_id()?;
        Some(if self.is_domestic() { number.strip_prefix("ES").unwrap_or(number) } else { number })
    }

    fn buyer(&self, canvas: &mut Canvas, top: f32) -> f32 {
        let Some(buyer) = &self.invoice.buyer else { return top };
        let width = MIDDLE - LEFT - 16.0;
        let y = canvas.block(LEFT, top, width, Style::LABEL, self.texts.buyer);
        let y = canvas.block(LEFT, y, width, Style { size: 10.5, ..Style::STRONG }, &buyer.name);
        self.party(canvas, LEFT, y, width, buyer)
    }

    /// Dates and references, a label and a value each.
    fn facts(&self, canvas: &mut Canvas, top: f32) -> f32 {
        let (invoice, texts) = (self.invoice, self.texts);
        let day = |date| self.format.date(date);
        let period = invoice.period.map(|period| format!("{} – {}", day(period.start), day(period.end)));
        let facts = [
            (texts.number, Some(invoice.number.clone()).filter(|number| !number.is_empty())),
            (texts.issued, invoice.issue_date.map(day)),
            (texts.operation, invoice.operation_date.map(day)),
            (texts.period, period),
            (texts.due, invoice.payment.due_date.map(day)),
            (texts.order, invoice.references.order.clone()),
            (texts.contract, invoice.references.contract.clone()),
            (texts.reference, invoice.references.buyer.clone()),
        ];
        let mut y = top;
        for (label, value) in facts {
            let Some(value) = value else { continue };
            canvas.left(MIDDLE, y + 0.8, Style::LABEL, label);
            y = canvas.block(MIDDLE + 92.0, y, RIGHT - MIDDLE - 92.0, Style::BODY, &value);
        }
        y
    }

    /// What a corrective invoice corrects, and why.
    fn correction(&self, canvas: &mut Canvas) {
        let Kind::Corrective(correction) = &self.invoice.kind else { return };
        let named = correction.corrects.iter().map(|preceding| match preceding.date {
            Some(date) => format!("{} ({})", preceding.number, self.format.date(date)),
            None => preceding.number.clone(),
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let law = correction.reason.map(|reason| format!(" · {}", reason.code())).unwrap_or_default();
        let how = self.texts.method(correction.method);
        let reason =
            if correction.text.is_empty() { String::new() } else { format!(" · {}", correction.text) };
        let text = format!("{}: {named} · {how}{law}{reason}", self.texts.corrects);
        let y = canvas.block(LEFT, canvas.y, RIGHT - LEFT, Style::STRONG, &text);
        canvas.y = y + 6.0;
    }

    /// The QR code in the upper right corner with its captions; answers what comes below it.
    fn qr(&self, canvas: &mut Canvas, address: &str) -> Result<f32, WriteError> {
        let failed = |error| WriteError::Layout(format!("the QR code: {error}"));
        let code = QrCode::with_error_correction_level(address, EcLevel::M).map_err(failed)?;
        let left = RIGHT - QR_SIDE;
        let top = TOP + 8.0;
        let modules = u16::try_from(code.width()).unwrap_or(u16::MAX);
        let side = QR_SIDE / f32::from(modules);
        let mut corners = Vec::new();
        for row in 0..modules {
            for column in 0..modules {
                if code[(usize::from(column), usize::from(row))] == Color::Dark {
                    corners.push((left + f32::from(column) * side, top + f32::from(row) * side));
                }
            }
        }
        canvas.mark(Mark::Squares { corners, side });
        canvas.centred(left + QR_SIDE / 2.0, TOP - 6.0, Style::SMALL, self.texts.qr_above);
        if !address.contains(UNSENT) {
            let caption = Style { size: 8.0, ..Style::STRONG };
            canvas.centred(left + QR_SIDE / 2.0, top + QR_SIDE + 4.0, caption, self.texts.qr_below);
        }
        Ok(top + QR_SIDE + 16.0)
    }
}
