//! UBL, written and read back.

use svc_einvoice::model::{Invoice, Kind, Language, TaxCategory};
use svc_einvoice::{WriteError, exchange_form, ubl};

use crate::{document, documents, rare};

/// What UBL does not tell.
fn told(invoice: &Invoice) -> Invoice {
    let mut told = exchange_form(invoice).expect("its amounts can be counted");
    told.language = Language::Spanish;
    told
}

#[test]
fn every_document_reads_back_as_it_was_written() {
    let mut count = 0;
    for named in documents::all() {
        match ubl::write(&named.invoice) {
            Ok(bytes) => {
                let reading = ubl::read(&bytes).expect("what was written can be read");
                assert_eq!(reading.invoice, told(&named.invoice), "{}", named.name);
                assert_eq!(reading.missing, [], "{}", named.name);
                count += 1;
            }
            Err(error) => assert!(
                named.invoice.kind == Kind::Quote || named.invoice.buyer.is_none(),
                "{}: {error}",
                named.name
            ),
        }
    }
    assert_eq!(count, 58);
}

#[test]
fn what_is_rare_reads_back_too() {
    let invoice = rare();
    let reading = ubl::read(&ubl::write(&invoice).expect("valid")).expect("valid");
    assert_eq!((reading.invoice, reading.missing), (invoice, Vec::new()));
}

#[test]
fn the_worked_vector_has_its_figures() {
    let text = String::from_utf8(ubl::write(&document("vector")).expect("valid")).expect("UTF-8");
    for expected in [
        ">841.85</cbc:LineExtensionAmount>",
        ">42.09</cbc:AllowanceTotalAmount>",
        ">788.03</cbc:TaxableAmount>",
        ">165.49</cbc:TaxAmount>",
        ">11.73</cbc:TaxableAmount>",
        ">0.47</cbc:TaxAmount>",
        ">799.76</cbc:TaxExclusiveAmount>",
        ">165.96</cbc:TaxAmount>",
        ">965.72</cbc:TaxInclusiveAmount>",
        ">109.65</cbc:PrepaidAmount>",
        ">856.07</cbc:PayableAmount>",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
}

#[test]
fn what_takes_back_is_a_credit_note_and_what_adds_is_none() {
    let root = |name: &str| String::from_utf8(ubl::write(&document(name)).expect("valid")).expect("UTF-8");
    let less = root("corrective-less");
    assert!(less.contains("<CreditNote ") && less.contains(">381<") && !less.contains(">-329"), "{less}");
    let more = root("corrective-more");
    assert!(more.contains("<Invoice ") && more.contains(">384<"));
    assert!(root("corrective-substitution").contains(">384<"));
}

#[test]
fn a_quote_is_no_invoice() {
    assert_eq!(
        ubl::write(&document("quote")),
        Err(WriteError::Unsupported { format: "EN 16931", what: "a quote" })
    );
}

#[test]
fn who_owes_the_tax_has_a_number() {
    for (category, rates) in [(TaxCategory::IntraCommunity, true), (TaxCategory::ReverseCharge, false)] {
        let mut invoice = document("vector");
        for tax in &mut invoice.taxes {
            tax.tax.category = category;
        }
        let write = |vat_number: Option<&str>, registration: Option<&str>| {
            let mut invoice = invoice.clone();
            let buyer = invoice.buyer.as_mut().expect("a buyer");
            (buyer.vat_number, buyer.registration) =
                (vat_number.map(str::to_owned), registration.map(str::to_owned));
            !matches!(ubl::write(&invoice), Err(WriteError::Missing { term: "BT-48", .. }))
        };
        assert!(write(Some("DE136695976"), None) && !write(None, None));
        assert_eq!(write(None, Some("1234")), !rates, "a registration is enough under reverse charge alone");
    }
}
