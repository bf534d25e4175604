//! Documents of every kind, written, read back and held against their figures.

mod cii;
#[path = "../documents/all.rs"]
mod documents;
mod exchange;
#[cfg(all(feature = "pdf", feature = "factur-x"))]
mod factur_x;
mod facturae;
mod hostile;
#[cfg(feature = "pdf")]
mod pdf;
mod ubl;

/// A corrective invoice with everything that is rare: a charge, a price for several units, several corrected invoices.
#[expect(clippy::indexing_slicing, reason = "the document is known")]
fn rare() -> svc_einvoice::model::Invoice {
    use svc_core::money::{Amount, Currency};
    use svc_einvoice::model::{Adjustment, Kind, Preceding};

    let amount = |text: &str| Amount::parse(text, Currency::EUR).expect("an amount");
    let mut invoice = document("corrective-more");
    let Kind::Corrective(correction) = &mut invoice.kind else { unreachable!("it is corrective") };
    correction.corrects.push(Preceding { number: "F2025-00032".to_owned(), date: None });
    correction
        .corrects
        .push(Preceding { number: "F2025-00033".to_owned(), ..correction.corrects[0].clone() });
    // 3 × 19.999 → 60.00; 12 of 100 units for 25.00 → 3.00, and 1.00 on top of that.
    let mut second = invoice.lines[0].clone();
    (second.quantity, second.unit_price, second.price_quantity) = (12.into(), 25.into(), 100.into());
    (second.charge, second.net) = (amount("1.00"), amount("4.00"));
    let tax = second.tax;
    invoice.lines.push(second);
    let reason = "Portes".to_owned();
    invoice.charges = vec![Adjustment { reason, percent: None, amount: amount("6.00"), tax }];
    (invoice.taxes[0].base, invoice.taxes[0].quota) = (amount("70.00"), amount("14.70"));
    let totals = &mut invoice.totals;
    (totals.lines, totals.charge, totals.taxable) = (amount("64.00"), amount("6.00"), amount("70.00"));
    (totals.tax, totals.total, totals.payable) = (amount("14.70"), amount("84.70"), amount("84.70"));
    (totals.paid, totals.due) = (amount("4.70"), amount("80.00"));
    invoice.payment.terms = Some("A 30 días, sin descuento".to_owned());
    invoice.payment.remittance = Some("R2025-00007".to_owned());
    invoice.payment.bic = Some("CAIXESBBXXX".to_owned());
    invoice.references.buyer = Some("Dpto. 7".to_owned());
    invoice.verification_url = Some("https://example.com/?a=1&b=2".to_owned());
    invoice
}

/// One of the sixty.
fn document(name: &str) -> svc_einvoice::model::Invoice {
    let named = documents::all().into_iter().find(|named| named.name == name);
    named.expect("there is a document of this name").invoice
}
