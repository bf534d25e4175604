//! Tags of a quarter, and the boxes of the returns that read them.

use svc_core::id::TypedId;
use svc_core::money::Currency;
use svc_tax_forms::{Computed, Facts, Form, Manual, Model, Previous, TaxPeriod};
use time::Date;
use time::macros::date;
use uuid::Uuid;

use super::*;
use crate::books::entry::Particulars;
use crate::trade::ExemptionCode;

const FEBRUARY: Date = date!(2025 - 02 - 14);

fn euros(text: &str) -> Amount {
    Amount::parse(text, Currency::EUR).expect("an amount")
}

fn id<I: TypedId>(number: u128) -> I {
    I::from_uuid(Uuid::from_u128(number))
}

/// A tag of an entry with this number.
fn tagged(number: u64, kind: TagKind, code: &str, base: &str, quota: &str) -> TaggedEntry {
    let tag = TaxTag {
        kind,
        tax_code: code.parse().expect("a tax code"),
        base: euros(base),
        quota: euros(quota),
        deductible_quota: None,
        tax_date: FEBRUARY,
        particulars: Particulars::default(),
        contact: Some(id(u128::from(number))),
        posted_contact: None,
    };
    TaggedEntry {
        entry: id(u128::from(number)),
        number,
        date: FEBRUARY,
        reference: None,
        received: None,
        tag,
    }
}

fn with(one: TaggedEntry, particulars: Particulars) -> TaggedEntry {
    TaggedEntry { tag: TaxTag { particulars, ..one.tag }, ..one }
}

/// Every contact is a company of Madrid.
fn parties(tags: &Tags) -> BTreeMap<ContactId, Party> {
    let party = |contact: ContactId| Party {
        id: contact.to_string(),
        tax_id: Some("B12345674".to_owned()),
        name: "SOL SL".to_owned(),
        country: "ES".to_owned(),
        province: Some("28".to_owned()),
    };
    tags.contacts().into_iter().map(|contact| (contact, party(contact))).collect()
}

fn computed(model: Model, period: &str, tags: &Tags) -> Computed {
    let period = TaxPeriod::new(2025, period.parse().expect("a period")).expect("a year");
    let read = tags.read(&parties(tags));
    assert_eq!(read.unknown, []);
    let form = Form::find(model, &period).expect("a form");
    let facts = Facts { tax: &read.facts, ledger: &[] };
    form.compute(&period, &facts, &Manual::new(), &Previous::default()).expect("computed")
}

fn boxes(computed: &Computed, codes: &[&str]) -> Vec<String> {
    codes.iter().map(|code| computed.value(code).expect("a box").to_string()).collect()
}

#[test]
fn every_kind_of_tag_is_in_its_boxes() {
    let rectifies = Particulars { rectifies: Some(date!(2024 - 12 - 31)), ..Particulars::default() };
    let supply = |supply| Particulars { supply: Some(supply), ..Particulars::default() };
    let place = Particulars { exemption: Some(ExemptionCode::N2), ..Particulars::default() };
    let tags = Tags::from(vec![
        tagged(1, TagKind::VatOutput, "es_vat_21", "1000.00", "210.00"),
        tagged(2, TagKind::VatOutput, "es_vat_10_re", "100.00", "10.00"),
        tagged(2, TagKind::SurchargeOutput, "es_vat_10_re", "100.00", "1.40"),
        with(tagged(3, TagKind::VatOutput, "es_vat_21", "-50.00", "-10.50"), rectifies),
        with(tagged(4, TagKind::VatInput, "es_in_intra_21", "200.00", "42.00"), supply(Supply::Goods)),
        with(tagged(4, TagKind::VatOutput, "es_in_intra_21", "200.00", "42.00"), supply(Supply::Goods)),
        tagged(5, TagKind::VatInput, "es_in_21", "300.00", "63.00"),
        tagged(6, TagKind::VatInput, "es_in_21_inv", "4000.00", "840.00"),
        tagged(7, TagKind::VatInput, "es_in_import_21", "10.00", "2.10"),
        tagged(8, TagKind::VatOutput, "es_export", "70.00", "0.00"),
        with(tagged(9, TagKind::VatOutput, "es_intra_supply", "80.00", "0.00"), supply(Supply::Services)),
        with(tagged(10, TagKind::VatOutput, "es_not_subject", "90.00", "0.00"), place),
    ]);
    let vat = computed(Model::M303, "1T", &tags);
    let codes = ["07", "09", "04", "06", "19", "21", "14", "15", "10", "11", "27"];
    let expected = [
        "1000.00", "210.00", "100.00", "10.00", "100.00", "1.40", "-50.00", "-10.50", "200.00", "42.00",
        "252.90",
    ];
    assert_eq!(boxes(&vat, &codes), expected);
    let codes = ["28", "29", "30", "31", "32", "33", "36", "37", "45", "46", "59", "60", "120"];
    let expected = [
        "300.00", "63.00", "4000.00", "840.00", "10.00", "2.10", "200.00", "42.00", "947.10", "-694.20",
        "80.00", "70.00", "90.00",
    ];
    assert_eq!(boxes(&vat, &codes), expected);
    // A box leads back to its tags.
    let sources: Vec<_> = vat.sources("09").into_iter().filter_map(|one| tags.get(one)).collect();
    assert_eq!(sources.iter().map(|one| one.number).collect::<Vec<_>>(), [1]);
}

#[test]
fn what_was_withheld_goes_to_the_return_of_its_income() {
    let tags = Tags::from(vec![
        tagged(1, TagKind::VatInput, "es_in_21", "1000.00", "210.00"),
        tagged(1, TagKind::WithholdingPractised, "es_irpf_professional_15", "1000.00", "150.00"),
        tagged(2, TagKind::VatInput, "es_in_21", "4000.00", "840.00"),
        tagged(2, TagKind::WithholdingPractised, "es_irpf_rent_19", "4000.00", "760.00"),
        tagged(3, TagKind::VatInput, "es_in_21", "5000.00", "1050.00"),
    ]);
    let activities = computed(Model::M111, "1T", &tags);
    assert_eq!(boxes(&activities, &["07", "08", "09", "30"]), ["1", "1000.00", "150.00", "150.00"]);
    let rent = computed(Model::M115, "1T", &tags);
    assert_eq!(boxes(&rent, &["01", "02", "03"]), ["1", "4000.00", "760.00"]);
    // Operations on which tax is withheld are declared by 190 and 180, so 347 has the third one alone.
    let parties = computed(Model::M347, "0A", &tags);
    assert_eq!(boxes(&parties, &["01", "02"]), ["1", "6050.00"]);
}

#[test]
fn a_tax_that_no_table_has_is_told() {
    let tags = Tags::from(vec![
        tagged(1, TagKind::VatOutput, "gb_vat_20", "1000.00", "200.00"),
        tagged(2, TagKind::VatOutput, "es_vat_21", "1000.00", "210.00"),
    ]);
    let read = tags.read(&parties(&tags));
    let unknown: Vec<_> = read.unknown.iter().filter_map(|one| tags.get(one)).collect();
    assert_eq!(unknown.iter().map(|one| one.number).collect::<Vec<_>>(), [1]);
    assert_eq!(read.facts.len(), 1);
}
