use svc_core::pii::{Pii, PiiAccess, Reveal};

use super::*;
use crate::books::entry::{Particulars, TagKind, TaxTag};
use crate::party::TaxId;

fn tag(kind: TagKind, tax_code: &str, tax_date: Date, base: i64, quota: i64) -> TaxTag {
    TaxTag {
        kind,
        tax_code: tax_code.parse().expect("a tax code"),
        base: cents(base),
        quota: cents(quota),
        deductible_quota: None,
        tax_date,
        particulars: Particulars::default(),
        contact: None,
        posted_contact: None,
    }
}

fn document(number: &str, issue_date: Date, tags: Vec<TaxTag>) -> VatDocument {
    VatDocument {
        number: number.to_owned(),
        issue_date,
        register_number: None,
        contact: None,
        contact_name: "Cliente, S.L.".to_owned(),
        tax_id: Some(Pii::new(TaxId::from_stored("B12345674".to_owned()))),
        tags,
    }
}

fn register(side: VatSide, documents: &[VatDocument]) -> VatRegister {
    VatRegister::of(year(), Currency::EUR, side, documents, PiiAccess::Masked).expect("in range")
}

const MARCH: Date = date!(2025 - 03 - 15);

/// An invoice at two rates, with surcharge, and one that rectifies it in part.
fn sales() -> Vec<VatDocument> {
    let april = date!(2025 - 04 - 10);
    let invoice = vec![
        tag(TagKind::VatOutput, "es_vat_21", MARCH, 100_000, 21_000),
        tag(TagKind::VatOutput, "es_vat_10_re", MARCH, 50_000, 5_000),
        tag(TagKind::SurchargeOutput, "es_vat_10_re", MARCH, 50_000, 700),
        tag(TagKind::WithholdingBorne, "es_irpf_15", MARCH, 100_000, 15_000),
    ];
    let credit = vec![tag(TagKind::VatOutput, "es_vat_21", april, -20_000, -4_200)];
    vec![document("R-1", april, credit), document("F-1", MARCH, invoice)]
}

#[test]
fn a_document_has_a_row_for_each_tax() {
    let register = register(VatSide::Output, &sales());
    let wanted = "registerNumber,documentNumber,issueDate,taxDate,contactId,contactName,taxId,taxCode,rate,base,quota,\
                  surcharge,deductibleQuota\r\n\
                  1,F-1,2025-03-15,2025-03-15,,\"Cliente, S.L.\",B******74,es_vat_10_re,10,500.00,50.00,7.00,0.00\r\n\
                  1,F-1,2025-03-15,2025-03-15,,\"Cliente, S.L.\",B******74,es_vat_21,21,1000.00,210.00,0.00,0.00\r\n\
                  2,R-1,2025-04-10,2025-04-10,,\"Cliente, S.L.\",B******74,es_vat_21,21,-200.00,-42.00,0.00,0.00\r\n";
    assert_eq!(register.csv(), wanted);
}

#[test]
fn rows_are_added_up_by_rate() {
    let register = register(VatSide::Output, &sales());
    let rates: Vec<(Option<String>, i64, i64)> = register
        .rates
        .iter()
        .map(|total| {
            (total.rate.map(|rate| rate.to_string()), total.figures.base.minor(), total.figures.quota.minor())
        })
        .collect();
    assert_eq!(rates, [(Some("10".to_owned()), 50_000, 5_000), (Some("21".to_owned()), 80_000, 16_800)]);
    assert_eq!((register.totals.base.minor(), register.totals.surcharge.minor()), (130_000, 700));
}

#[test]
fn what_cannot_be_deducted_stays_in_the_quota() {
    let mixed = TaxTag {
        deductible_quota: Some(cents(10_500)),
        ..tag(TagKind::VatInput, "es_in_21", MARCH, 100_000, 21_000)
    };
    let figures = register(VatSide::Input, &[document("A/7", MARCH, vec![mixed])]).totals;
    assert_eq!((figures.quota.minor(), figures.deductible_quota.minor()), (21_000, 10_500));
}

#[test]
fn a_reverse_charge_is_in_both_registers() {
    let tags = vec![
        tag(TagKind::VatInput, "es_in_reverse_21", MARCH, 100_000, 21_000),
        tag(TagKind::VatOutput, "es_in_reverse_21", MARCH, 100_000, 21_000),
    ];
    let documents = [document("A/7", MARCH, tags)];
    for side in VatSide::ALL {
        assert_eq!(register(side, &documents).totals.quota, cents(21_000), "{side}");
    }
}

#[test]
fn documents_of_other_days_or_taxes_have_no_number() {
    let late =
        document("F-0", MARCH, vec![tag(TagKind::VatOutput, "es_vat_21", date!(2024 - 12 - 31), 1, 1)]);
    let bought = document("F-00", MARCH, vec![tag(TagKind::VatInput, "es_in_21", MARCH, 1, 1)]);
    let mut documents = sales();
    documents.extend([late, bought]);
    assert_eq!(register(VatSide::Output, &documents), register(VatSide::Output, &sales()));
}

#[test]
fn a_tax_that_is_not_in_the_table_has_no_rate() {
    let unknown = vec![tag(TagKind::VatOutput, "xx_vat", MARCH, 100, 7)];
    let register = register(VatSide::Output, &[document("F-1", MARCH, unknown)]);
    assert_eq!((register.rows[0].rate, register.rates[0].rate), (None, None));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test is the authority that lets tax ids be seen")]
fn a_tax_id_is_shown_as_the_caller_may_see_it() {
    let shown = |access| {
        let register =
            VatRegister::of(year(), Currency::EUR, VatSide::Output, &sales(), access).expect("in range");
        serde_json::to_value(&register).expect("plain")["rows"][0]["taxId"].clone()
    };
    assert_eq!(shown(PiiAccess::Masked), "B******74");
    assert_eq!(shown(PiiAccess::Full(Reveal::granted())), "B12345674");
}

proptest! {
    #[test]
    fn registers_of_days_that_follow_each_other_add_up(
        tags in prop::collection::vec((0_i64..365, prop::sample::select(vec!["es_vat_21", "es_vat_10"]), -1_000_000_i64..1_000_000), 0..20),
        split in 1_i64..365,
    ) {
        let day = |days| date!(2025 - 01 - 01) + Duration::days(days);
        let documents: Vec<VatDocument> = tags
            .iter()
            .map(|(days, tax, base)| document("F", day(*days), vec![tag(TagKind::VatOutput, tax, day(*days), *base, base / 5)]))
            .collect();
        let totals = |from, to| {
            let register = VatRegister::of(period(from, to), Currency::EUR, VatSide::Output, &documents, PiiAccess::Masked);
            let figures = register.expect("in range").totals;
            (figures.base.minor(), figures.quota.minor())
        };
        let (first, second) = (totals(year().from(), day(split - 1)), totals(day(split), year().to()));
        let whole = totals(year().from(), year().to());
        prop_assert_eq!((first.0 + second.0, first.1 + second.1), whole);
    }
}
