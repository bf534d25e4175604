//! Documents for tests.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use svc_business::books::entry::FxRate;
use svc_business::books::lock::Locks;
use svc_business::sales::document::{
    Acceptance, Content, Customer, DocType, Ids, Issuer, ItemType, Kind, Line, Plan, SalesDocument, Status,
    UnitCode,
};
use svc_business::sales::issue::{IssueSetting, IssueTerms, Issued, SimplifiedLimit};
use svc_business::sales::series::Series;
use svc_business::trade::TaxCode;
use svc_core::error::ValidationErrors;
use svc_core::id::SalesDocumentId;
use svc_core::money::{Amount, Currency};
use svc_core::random::RandomSource;
use svc_core::resource::Version;
use svc_testkit::business::sample;
use time::Date;
use time::macros::date;

/// The day on which tests issue.
pub(crate) const DAY: Date = date!(2025 - 03 - 14);
/// Books without a lock.
pub(crate) const OPEN: Locks = Locks { lock: None, tax: None, hard: None };

/// A line: quantity, unit price, discount in percent, tax code, rate of withholding.
pub(crate) type Texts<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str);

/// Other bytes with each call, the same in each run.
struct Counter(AtomicU64);

impl RandomSource for Counter {
    fn fill(&self, bytes: &mut [u8]) {
        let count = self.0.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        bytes.iter_mut().rev().zip(count.iter().rev()).for_each(|(byte, digit)| *byte = *digit);
    }
}

pub(crate) fn ids() -> Ids<'static> {
    static RANDOM: Counter = Counter(AtomicU64::new(1));
    Ids { now: sample::at(0), random: &RANDOM }
}

pub(crate) fn euros(text: &str) -> Amount {
    Amount::parse(text, Currency::EUR).expect("an amount")
}

pub(crate) fn rate(text: &str) -> FxRate {
    text.parse().expect("a rate")
}

pub(crate) fn lines(texts: &[Texts<'_>]) -> Vec<Line> {
    let line = |(quantity, price, discount, code, withholding): &Texts<'_>| {
        let tax = TaxCode::find(code, DAY).expect("a tax code");
        Line {
            id: ids().make(),
            description: "Consulting".to_owned(),
            quantity: quantity.parse().expect("a quantity"),
            unit: UnitCode::default(),
            unit_price: price.parse().expect("a price"),
            discount_percent: discount.parse().expect("a rate"),
            tax,
            exemption: tax.exemptions.first().copied(),
            withholding_rate: withholding.parse().expect("a rate"),
            account: None,
            item_type: ItemType::Service,
            tags: BTreeMap::new(),
        }
    };
    texts.iter().map(line).collect()
}

pub(crate) fn content(currency: &str, texts: &[Texts<'_>]) -> Content {
    let currency = currency.parse().expect("a currency");
    Content::new(currency, false, lines(texts), None).expect("valid lines")
}

pub(crate) fn kind(doc_type: DocType) -> Kind {
    match doc_type {
        DocType::Invoice => Kind::Invoice,
        DocType::SimplifiedInvoice => Kind::SimplifiedInvoice,
        DocType::Proforma => Kind::Proforma,
        DocType::Quote => Kind::Quote { acceptance: Acceptance::Pending },
        DocType::Rectifying => panic!("a rectifying document is made of its original"),
    }
}

/// A draft for one customer, in euros.
pub(crate) fn draft(doc_type: DocType, texts: &[Texts<'_>]) -> SalesDocument {
    SalesDocument {
        id: ids().make(),
        company: sample::id(1),
        kind: kind(doc_type),
        status: Status::Draft { plan: Plan::default() },
        contact: Some(sample::contact_id(1)),
        content: content("EUR", texts),
        base_currency: Currency::EUR,
        operation_date: None,
        notes: None,
        internal_notes: None,
        reference: None,
        payment_method: None,
        iban: None,
        source: None,
        tags: Vec::new(),
        extension: svc_business::party::Extension::default(),
        version: Version::FIRST,
        created_at: sample::at(0),
        updated_at: sample::at(0),
    }
}

pub(crate) fn customer() -> Customer {
    let mut contact = sample::organization(sample::id(1), 1, "Ferretería Sol SL");
    let company = sample::account(1);
    contact.tax_id = company.tax_id;
    contact.address = company.address;
    Customer::of(&contact, company.country)
}

/// A setting in which nothing stands against an issue.
pub(crate) fn setting(series: Series) -> IssueSetting<'static> {
    IssueSetting {
        today: DAY,
        ids: ids(),
        series,
        customer: Some(customer()),
        issuer: Issuer::of(&sample::account(1)),
        term_days: 30,
        simplified_limit: SimplifiedLimit::Usual,
        locks: &OPEN,
        originals: Vec::new(),
    }
}

/// Issues a draft in a new series.
pub(crate) fn issue(draft: SalesDocument) -> SalesDocument {
    issue_over(draft, Vec::new()).document
}

/// Issues a draft that puts these right.
pub(crate) fn issue_over(draft: SalesDocument, originals: Vec<SalesDocument>) -> Issued {
    let series = super::series::series(1, "F", &[draft.doc_type()]);
    let setting = IssueSetting { originals, ..setting(series) };
    draft.issue(IssueTerms::default(), setting).expect("nothing stands against it")
}

pub(crate) fn invoice(texts: &[Texts<'_>]) -> SalesDocument {
    issue(draft(DocType::Invoice, texts))
}

/// Findings as `field code`, in order.
pub(crate) fn findings(invalid: &ValidationErrors) -> Vec<String> {
    invalid.0.iter().map(|error| format!("{} {}", error.field, error.code)).collect()
}

pub(crate) fn unknown() -> SalesDocumentId {
    sample::id(99)
}
