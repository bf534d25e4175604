//! The form in which documents are exchanged.

use std::collections::BTreeSet;

use svc_core::money::Amount;
use svc_einvoice::exchange_form;
use svc_einvoice::model::TaxCategory;

use crate::{document, documents};

#[test]
fn the_sums_of_every_document_hold() {
    for named in documents::all() {
        let invoice = exchange_form(&named.invoice).expect("its amounts can be counted");
        let sum = |amounts: Vec<Amount>| Amount::sum(amounts, invoice.currency).expect("in range");
        for tax in &invoice.taxes {
            let lines =
                sum(invoice.lines.iter().filter(|line| line.tax == tax.tax).map(|line| line.net).collect());
            let discounts = invoice.discounts.iter().filter(|discount| discount.tax == tax.tax);
            let discount = sum(discounts.map(|discount| discount.amount).collect());
            assert_eq!(lines.minus(discount), Ok(tax.base), "{}", named.name);
        }
        assert_eq!(
            sum(invoice.taxes.iter().map(|tax| tax.base).collect()),
            invoice.totals.taxable,
            "{}",
            named.name
        );
        assert_eq!(
            sum(invoice.lines.iter().map(|line| line.net).collect()),
            invoice.totals.lines,
            "{}",
            named.name
        );
    }
}

#[test]
fn every_line_comes_to_its_price_times_its_quantity() {
    for named in documents::all() {
        let invoice = exchange_form(&named.invoice).expect("its amounts can be counted");
        for line in &invoice.lines {
            assert!(!line.unit_price.is_sign_negative(), "{}", named.name);
            let gross = Amount::round(line.unit_price * line.quantity, invoice.currency).expect("in range");
            assert_eq!(gross.minus(line.discount), Ok(line.net), "{}: {}", named.name, line.description);
        }
    }
}

#[test]
fn a_rate_is_there_once_and_nothing_stands_beside_what_is_not_subject() {
    for named in documents::all() {
        let invoice = exchange_form(&named.invoice).expect("its amounts can be counted");
        let rates: BTreeSet<_> = invoice.taxes.iter().map(|tax| tax.tax).collect();
        assert_eq!(rates.len(), invoice.taxes.len(), "{}", named.name);
        let outside = rates.iter().filter(|rate| rate.category == TaxCategory::NotSubject).count();
        assert!(outside == 0 || rates.len() == 1, "{}", named.name);
    }
}

#[test]
fn what_is_in_that_form_stays_as_it_is() {
    for name in ["vector", "surcharge", "corrective-less", "export-dollars"] {
        assert_eq!(exchange_form(&document(name)), Ok(document(name)), "{name}");
    }
}
