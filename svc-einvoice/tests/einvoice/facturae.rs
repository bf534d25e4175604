//! Facturae, written and read back.

use svc_einvoice::model::{Exemption, Invoice, Kind, TaxCategory};
use svc_einvoice::{exchange_form, facturae};

use crate::{document, documents, rare};

/// What Facturae tells: no delivery, its own units, a VAT number of all that are in Spain.
fn told(invoice: &Invoice) -> Invoice {
    let mut told = exchange_form(invoice).expect("its amounts can be counted");
    told.delivery = None;
    for line in told.lines.iter_mut().filter(|line| line.unit == "MON") {
        "ZZ".clone_into(&mut line.unit);
    }
    for party in [Some(&mut told.seller), told.buyer.as_mut()].into_iter().flatten() {
        if party.vat_number.is_none() && party.address.country == "ES" {
            party.vat_number = party.registration.take();
        }
    }
    told
}

#[test]
fn every_document_reads_back_as_it_was_written() {
    let mut count = 0;
    for named in documents::all() {
        match facturae::write(&named.invoice) {
            Ok(bytes) => {
                let reading = facturae::read(&bytes).expect("what was written can be read");
                assert_eq!(reading.invoice, told(&named.invoice), "{}", named.name);
                assert_eq!(reading.missing, [], "{}", named.name);
                count += 1;
            }
            Err(error) => assert!(
                matches!(named.invoice.kind, Kind::Quote | Kind::Proforma) || named.invoice.buyer.is_none(),
                "{}: {error}",
                named.name
            ),
        }
    }
    assert_eq!(count, 57);
}

#[test]
fn what_is_rare_reads_back_too() {
    let mut invoice = rare();
    let reading = facturae::read(&facturae::write(&invoice).expect("valid")).expect("valid");
    // The price is that of one unit.
    (invoice.lines[1].unit_price, invoice.lines[1].price_quantity) =
        ("0.25".parse().expect("a decimal"), 1.into());
    assert_eq!((reading.invoice, reading.missing), (invoice, Vec::new()));
}

#[test]
fn the_worked_vector_has_its_figures() {
    let text = String::from_utf8(facturae::write(&document("vector")).expect("valid")).expect("UTF-8");
    for expected in [
        "<TotalGrossAmount>841.85<",
        "<TotalGeneralDiscounts>42.09<",
        "<TotalGrossAmountBeforeTaxes>799.76<",
        "<TotalTaxOutputs>165.96<",
        "<TotalTaxesWithheld>109.65<",
        "<InvoiceTotal>856.07<",
        "<TotalExecutableAmount>856.07<",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
}

#[test]
fn a_number_is_never_cut() {
    let mut invoice = document("vector");
    invoice.number = "F".repeat(21);
    assert!(facturae::write(&invoice).is_err());
}

#[test]
fn taxes_of_zero_percent_are_told_apart() {
    let mut invoice = document("zero-rate");
    let line = invoice.lines.first().expect("a line").clone();
    let tax = invoice.taxes.iter().find(|tax| tax.tax == line.tax).expect("its tax").clone();
    let rate = svc_einvoice::model::TaxRate::of(TaxCategory::Exempt, line.tax.rate);
    let exemption = Some(Exemption { code: "VATEX-EU-132".to_owned(), reason: "Exenta".to_owned() });
    invoice.lines.push(svc_einvoice::model::Line { tax: rate, ..line });
    invoice.taxes.push(svc_einvoice::model::Tax { tax: rate, exemption, ..tax });
    let read = facturae::read(&facturae::write(&invoice).expect("valid")).expect("valid").invoice;
    assert_eq!(read.taxes, invoice.taxes);
}
