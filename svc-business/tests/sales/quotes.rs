//! Quotes, and what becomes of them.

use svc_business::sales::document::{Acceptance, ConvertRefused, DocType, SalesDocument, State, Status};
use svc_business::sales::quote::QuoteRefused;
use svc_testkit::business::sample;

use super::documents::{OPEN, Texts, draft, ids, invoice, issue};

const ONE: Texts<'static> = ("1", "100.00", "0", "es_vat_21", "0");

fn quote() -> SalesDocument {
    issue(draft(DocType::Quote, &[ONE]))
}

#[test]
fn a_quote_is_answered_once() {
    let accepted = quote().accept().expect("pending");
    assert_eq!(accepted.kind.acceptance(), Some(Acceptance::Accepted));
    assert_eq!(accepted.reject(), Err(QuoteRefused::Answered(Acceptance::Accepted)));
    let rejected = quote().reject().expect("pending");
    assert_eq!(rejected.accept(), Err(QuoteRefused::Answered(Acceptance::Rejected)));
    assert_eq!(invoice(&[ONE]).accept(), Err(QuoteRefused::NotQuote));
    assert!(matches!(draft(DocType::Quote, &[ONE]).accept(), Err(QuoteRefused::State(_))));
    let voided = quote().void("Mistake", sample::at(1), &OPEN).expect("a quote is in no books");
    assert!(matches!(voided.accept(), Err(QuoteRefused::State(_))));
}

#[test]
fn a_quote_expires_after_its_last_day_unless_something_was_made_of_it() {
    let quote = quote();
    let due = quote.due_date().expect("issued");
    let later = due.next_day().expect("a day");
    assert_eq!(quote.clone().expire(due, false), Err(QuoteRefused::Holds));
    assert_eq!(quote.clone().expire(later, true), Err(QuoteRefused::Holds));
    let expired = quote.expire(later, false).expect("pending");
    assert_eq!(expired.kind.acceptance(), Some(Acceptance::Expired));
    let refused = ConvertRefused::Quote(Acceptance::Expired);
    assert_eq!(expired.convert(DocType::Invoice, &ids()), Err(refused));
}

#[test]
fn an_invoice_is_made_of_a_quote_or_a_proforma() {
    let quote = quote();
    for doc_type in [DocType::Invoice, DocType::SimplifiedInvoice, DocType::Proforma] {
        let made = quote.convert(doc_type, &ids()).expect("pending");
        assert_eq!((made.doc_type(), made.state(), made.source), (doc_type, State::Draft, Some(quote.id)));
        assert_eq!(made.content.figures(), quote.content.figures());
        assert_ne!(made.content.lines()[0].id, quote.content.lines()[0].id);
    }
    let proforma = issue(draft(DocType::Proforma, &[ONE]));
    proforma.convert(DocType::Invoice, &ids()).expect("issued");
    let types = |from, to| Err(ConvertRefused::Types { from, to });
    let outcome = proforma.convert(DocType::Proforma, &ids());
    assert_eq!(outcome, types(DocType::Proforma, DocType::Proforma));
    let outcome = invoice(&[ONE]).convert(DocType::Quote, &ids());
    assert_eq!(outcome, types(DocType::Invoice, DocType::Quote));
    let outcome = draft(DocType::Quote, &[ONE]).convert(DocType::Invoice, &ids());
    assert!(matches!(outcome, Err(ConvertRefused::State(_))));
}

#[test]
fn a_duplicate_begins_anew() {
    let mut original = quote().accept().expect("pending");
    original.extension.external_id = Some("crm-1".to_owned());
    let copy = original.duplicate(&ids());
    assert_eq!(copy.kind.acceptance(), Some(Acceptance::Pending));
    assert!(matches!(copy.status, Status::Draft { .. }) && copy.extension.external_id.is_none());
    assert_eq!((copy.source, copy.contact), (Some(original.id), original.contact));
}
