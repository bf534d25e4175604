//! Documents for tests.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use svc_business::books::entry::FxRate;
use svc_business::books::lock::Locks;
use svc_business::contact::Contact;
use svc_business::purchases::approve::{ApproveSetting, ApproveTerms};
use svc_business::purchases::document::{
    Content, DocType, Ids, Line, Origin, Plan, Status, SupplierDocument, SupplierNumber,
};
use svc_business::purchases::register::Register;
use svc_business::purchases::supplier::Supplier;
use svc_business::trade::{ItemType, Rate, TaxCode, UnitCode};
use svc_core::error::ValidationErrors;
use svc_core::money::{Amount, Currency};
use svc_core::random::RandomSource;
use svc_testkit::business::sample;
use time::Date;
use time::macros::date;

/// The day on which documents are issued and received.
pub(crate) const DAY: Date = date!(2025 - 03 - 14);
/// Books without a lock.
pub(crate) const OPEN: Locks = Locks { lock: None, tax: None, hard: None };

/// A line: quantity, unit price, discount in percent, tax code, rate of withholding.
pub(crate) type Texts<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str);

/// 121.00 with tax.
pub(crate) const ONE: Texts<'static> = ("1", "100.00", "0", "es_in_21", "0");

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

pub(crate) fn percent(text: &str) -> Rate {
    text.parse().expect("a rate")
}

pub(crate) fn fx(text: &str) -> FxRate {
    text.parse().expect("a rate of exchange")
}

pub(crate) fn lines(texts: &[Texts<'_>]) -> Vec<Line> {
    let line = |(quantity, price, discount, code, withholding): &Texts<'_>| Line {
        id: ids().make(),
        description: "Paper".to_owned(),
        quantity: quantity.parse().expect("a quantity"),
        unit: UnitCode::default(),
        unit_price: price.parse().expect("a price"),
        discount_percent: percent(discount),
        tax: TaxCode::find(code, DAY).expect("a tax code"),
        deductible_percent: None,
        withholding_rate: percent(withholding),
        account: None,
        item_type: ItemType::Service,
        asset_class: None,
        tags: BTreeMap::new(),
    };
    texts.iter().map(line).collect()
}

pub(crate) fn content(currency: &str, lines: Vec<Line>) -> Content {
    let currency = currency.parse().expect("a currency");
    Content::new(currency, false, lines, None, Vec::new()).expect("valid lines")
}

pub(crate) fn contact() -> Contact {
    let mut contact = sample::organization(sample::id(1), 1, "Papelera Norte SL");
    contact.roles.clear();
    contact.payment_term_days = 30;
    contact
}

pub(crate) fn supplier() -> Supplier {
    Supplier { id: sample::id(1), ..Supplier::blank(sample::id(1), contact().id, &ids()) }
}

/// A document of one supplier, in euros, with everything that an approval wants.
pub(crate) fn received(doc_type: DocType, texts: &[Texts<'_>]) -> SupplierDocument {
    let blank = SupplierDocument::blank(sample::id(1), Currency::EUR, Origin::Manual, DAY, &ids());
    SupplierDocument {
        doc_type,
        supplier: Some(sample::id(1)),
        number: Some(SupplierNumber::from_stored("2025/0815".to_owned())),
        content: content("EUR", lines(texts)),
        ..blank
    }
}

/// The same in dollars, at this rate.
pub(crate) fn foreign(doc_type: DocType, texts: &[Texts<'_>], rate: &str) -> SupplierDocument {
    let plan = Plan { fx_rate: Some(fx(rate)), ..Plan::default() };
    let status = Status::Received { plan };
    SupplierDocument { content: content("USD", lines(texts)), status, ..received(doc_type, &[]) }
}

/// What an approval is judged by where nothing stands against it.
pub(crate) struct Facts {
    pub(crate) supplier: Supplier,
    pub(crate) contact: Contact,
    pub(crate) pro_rata: Rate,
    pub(crate) register: Register,
    pub(crate) locks: Locks,
    pub(crate) terms: ApproveTerms,
    pub(crate) today: Date,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            supplier: supplier(),
            contact: contact(),
            pro_rata: Rate::MAX,
            register: Register::new(sample::id(1), 2025),
            locks: OPEN,
            terms: ApproveTerms::default(),
            today: DAY,
        }
    }
}

impl Facts {
    pub(crate) fn setting(&self) -> ApproveSetting<'_> {
        ApproveSetting {
            today: self.today,
            ids: ids(),
            supplier: Some((&self.supplier, &self.contact)),
            home: sample::account(1).country,
            pro_rata: self.pro_rata,
            register: self.register,
            locks: &self.locks,
        }
    }

    pub(crate) fn approve(&self, document: SupplierDocument) -> SupplierDocument {
        document.approve(self.terms, &self.setting()).expect("nothing stands against it").document
    }
}

pub(crate) fn approve(document: SupplierDocument) -> SupplierDocument {
    Facts::default().approve(document)
}

pub(crate) fn invoice(texts: &[Texts<'_>]) -> SupplierDocument {
    approve(received(DocType::Invoice, texts))
}

/// What takes the same lines back.
pub(crate) fn credit(texts: &[Texts<'_>]) -> SupplierDocument {
    let mut lines = lines(texts);
    for line in &mut lines {
        line.quantity = line.quantity.negated();
    }
    let document = received(DocType::CreditNote, &[]);
    approve(SupplierDocument { content: content("EUR", lines), ..document })
}

/// Findings as `field code`, in order.
pub(crate) fn findings(invalid: &ValidationErrors) -> Vec<String> {
    invalid.0.iter().map(|error| format!("{} {}", error.field, error.code)).collect()
}
