//! The entries of documents and payments.

mod payment;

use std::collections::BTreeMap;

use proptest::prelude::*;
use svc_business::books::account::{AccountCode, CodeLength, TaxRole};
use svc_business::books::asset::class::AssetClass;
use svc_business::books::chart::Chart;
use svc_business::books::default_accounts::{DefaultAccounts, Purpose};
use svc_business::books::entry::{
    Entry, EntryKind, KnownAccount, KnownAccounts, TagKind, TaxTag, judge_draft, judge_tags,
};
use svc_business::purchases::approve::ApproveTerms;
use svc_business::purchases::document::{Content, DocType, SupplierDocument};
use svc_business::purchases::journal::{JournalRefused, JournalSetting, approval_entry};
use svc_business::purchases::supplier::{SupplierType, WithholdingKey};
use svc_business::trade::calculation::TaxAdjustment;
use svc_business::trade::{Discount, ItemType, Supply};
use svc_core::error::Validator;
use svc_core::money::Currency;
use svc_testkit::business::sample;
use svc_testkit::property::cases;
use time::macros::date;

use super::documents::{
    DAY, Facts, ONE, approve, content, credit, euros, foreign, ids, invoice, lines, percent, received,
};

fn accounts() -> DefaultAccounts {
    DefaultAccounts::of(Chart::EsPgcPymes, CodeLength::default())
}

fn setting(accounts: &DefaultAccounts) -> JournalSetting<'_> {
    JournalSetting { accounts, payable: None, code_length: CodeLength::default(), ids: ids() }
}

pub(crate) fn entry(document: &SupplierDocument) -> Entry {
    let entry =
        approval_entry(document, &setting(&accounts())).expect("approved").expect("it moves something");
    judge(&entry);
    entry
}

/// Lines as `account signed foreign`, debit above zero.
pub(crate) fn moved(entry: &Entry) -> Vec<String> {
    let line = |line: &svc_business::books::entry::Line| {
        let foreign = line.amount_currency.map(|amount| format!(" {amount}")).unwrap_or_default();
        format!("{} {}{foreign}", line.account.as_str(), line.movement.signed())
    };
    entry.lines.iter().map(line).collect()
}

/// Tags as `kind code base quota`, and what can be deducted where that is not all.
fn tagged(entry: &Entry) -> Vec<String> {
    let tag = |tag: &TaxTag| {
        let part = tag.deductible_quota.map(|part| format!(" {part}")).unwrap_or_default();
        format!("{} {} {} {}{part}", tag.kind, tag.tax_code, tag.base, tag.quota)
    };
    entry.tax_tags.iter().map(tag).collect()
}

/// The books take it: balanced, with tags that are what the accounts of VAT get.
fn judge(entry: &Entry) {
    let known = |account: AccountCode| {
        let role = |digits, role| account.starts_with(digits).then_some(role);
        let tax_role = role("477", TaxRole::OutputVat).or(role("472", TaxRole::InputVat));
        let shared = account.starts_with("40") || account.starts_with("41");
        (account, KnownAccount { postable: true, active: true, tax_role, shared })
    };
    let accounts: KnownAccounts = entry.lines.iter().map(|line| known(line.account)).collect();
    let mut validator = Validator::new();
    judge_draft(&mut validator, entry, &accounts);
    judge_tags(&mut validator, entry, &accounts);
    validator.finish().expect("the books take it");
    assert!(entry.totals().expect("in range").is_balanced(), "{:?}", moved(entry));
}

fn worked() -> SupplierDocument {
    let mut lines = lines(&[
        ("10", "85.50", "10", "es_in_21", "15"),
        ("3", "19.999", "0", "es_in_21", "0"),
        ("1", "12.345", "0", "es_in_4", "0"),
    ]);
    lines.iter_mut().skip(1).for_each(|line| line.item_type = ItemType::Good);
    let discount = Discount::Percent(percent("5"));
    let content = Content::new(Currency::EUR, false, lines, Some(discount), Vec::new()).expect("valid");
    SupplierDocument { content, ..received(DocType::Invoice, &[]) }
}

#[test]
fn the_worked_example_is_booked_to_the_cent() {
    let document = approve(worked());
    let entry = entry(&document);
    let expected =
        ["6290000 731.03", "6000000 68.73", "4720000 165.96", "4751000 -109.65", "4000000 -856.07"];
    assert_eq!(moved(&entry), expected);
    let totals = entry.totals().expect("in range");
    assert_eq!((totals.debit, totals.credit), (euros("965.72"), euros("965.72")));
    let expected = [
        "vat_input es_in_21 788.03 165.49",
        "vat_input es_in_4 11.73 0.47",
        "withholding_practised es_irpf_professional_15 731.03 109.65",
    ];
    assert_eq!(tagged(&entry), expected);
    assert_eq!((entry.kind, entry.date), (EntryKind::Purchase, DAY));
    let source = entry.source.as_ref().map(ToString::to_string);
    assert_eq!(source, Some(format!("supplier_document/{}/approve", document.id)));
    assert_eq!(entry.description, "2025/0815 Papelera Norte SL");
    assert_eq!(entry.reference.as_deref(), Some("2025/0815"));
    let supplier = entry.lines.last().expect("lines");
    assert_eq!((supplier.contact, supplier.due_date), (Some(sample::contact_id(1)), document.due_date()));
}

#[test]
fn tax_that_cannot_be_deducted_is_cost() {
    let facts = Facts { pro_rata: percent("60"), ..Facts::default() };
    let entry = entry(&facts.approve(received(DocType::Invoice, &[ONE])));
    assert_eq!(moved(&entry), ["6290000 108.40", "4720000 12.60", "4000000 -121.00"]);
    assert_eq!(tagged(&entry), ["vat_input es_in_21 100.00 21.00 12.60"]);

    // One line says its share, another one is under the pro-rata.
    let mut lines = lines(&[ONE, ("1", "50.00", "0", "es_in_21", "0")]);
    lines[0].deductible_percent = Some(percent("100"));
    lines[1].account = Some("6220000".parse().expect("a code"));
    let document = SupplierDocument { content: content("EUR", lines), ..received(DocType::Invoice, &[]) };
    let entry = self::entry(&facts.approve(document));
    assert_eq!(moved(&entry), ["6290000 100.00", "6220000 54.20", "4720000 27.30", "4000000 -181.50"]);
    let expected = ["vat_input es_in_21 100.00 21.00", "vat_input es_in_21 50.00 10.50 6.30"];
    assert_eq!(tagged(&entry), expected);
}

#[test]
fn an_expense_deducts_nothing_and_tells_no_return() {
    let entry = entry(&approve(received(DocType::Expense, &[ONE])));
    assert_eq!(moved(&entry), ["6290000 121.00", "4000000 -121.00"]);
    assert!(entry.tax_tags.is_empty());
}

#[test]
fn tax_that_the_company_owes_itself_is_input_and_output() {
    for code in ["es_in_intra_21", "es_in_reverse_21"] {
        let document = received(DocType::Invoice, &[("1", "100.00", "0", code, "0")]);
        let document = SupplierDocument { operation_date: Some(date!(2025 - 03 - 01)), ..document };
        let entry = entry(&approve(document));
        let expected = ["6290000 100.00", "4720000 21.00", "4770000 -21.00", "4000000 -100.00"];
        assert_eq!(moved(&entry), expected);
        let expected = [format!("vat_input {code} 100.00 21.00"), format!("vat_output {code} 100.00 21.00")];
        assert_eq!(tagged(&entry), expected);
        let dates: Vec<_> = entry.tax_tags.iter().map(|tag| tag.tax_date).collect();
        assert_eq!(dates, [DAY, date!(2025 - 03 - 01)]);
    }
    let facts = Facts { pro_rata: percent("60"), ..Facts::default() };
    let document = received(DocType::Invoice, &[("1", "100.00", "0", "es_in_intra_21", "0")]);
    let entry = entry(&facts.approve(document));
    let expected = ["6290000 108.40", "4720000 12.60", "4770000 -21.00", "4000000 -100.00"];
    assert_eq!(moved(&entry), expected);
}

#[test]
fn tags_tell_what_returns_tell_apart() {
    let mut lines = lines(&[
        ("1", "100.00", "0", "es_in_intra_21", "0"),
        ("1", "50.00", "0", "es_in_intra_21", "0"),
        ("1", "4000.00", "0", "es_in_intra_21", "0"),
    ]);
    lines[0].item_type = ItemType::Good;
    lines[2].item_type = ItemType::Good;
    lines[2].asset_class = Some(AssetClass::Machinery);
    let content = Content::new(Currency::EUR, false, lines, None, Vec::new()).expect("valid");
    let document = SupplierDocument { content, ..received(DocType::Invoice, &[]) };
    let entry = entry(&approve(document));
    let told = |entry: &Entry| {
        let supply = |tag: &TaxTag| tag.particulars.supply.map_or("-", Supply::name);
        entry
            .tax_tags
            .iter()
            .map(|tag| format!("{} {} {}", tag.kind, supply(tag), tag.quota))
            .collect::<Vec<_>>()
    };
    let expected = [
        "vat_input goods 21.00",
        "vat_input services 10.50",
        "vat_input investment 840.00",
        "vat_output goods 21.00",
        "vat_output services 10.50",
        "vat_output investment 840.00",
    ];
    assert_eq!(told(&entry), expected);
    let back = self::entry(&credit(&[ONE]));
    assert!(back.tax_tags.iter().all(|tag| tag.particulars.rectifies == Some(tag.tax_date)));
}

#[test]
fn an_import_books_the_tax_alone() {
    let document = received(DocType::ImportVat, &[("1", "1000.00", "0", "es_in_import_21", "0")]);
    let entry = entry(&approve(document.clone()));
    assert_eq!(moved(&entry), ["4720000 210.00", "4000000 -210.00"]);
    assert_eq!(tagged(&entry), ["vat_input es_in_import_21 1000.00 210.00"]);
    let facts = Facts { pro_rata: percent("50"), ..Facts::default() };
    let entry = self::entry(&facts.approve(document));
    assert_eq!(moved(&entry), ["6290000 105.00", "4720000 105.00", "4000000 -210.00"]);
}

#[test]
fn a_credit_note_changes_sides() {
    let (bought, back) = (entry(&invoice(&[ONE])), entry(&credit(&[ONE])));
    for (bought, back) in bought.lines.iter().zip(&back.lines) {
        assert_eq!((bought.account, bought.movement), (back.account, back.movement.mirrored()));
    }
    assert_eq!(tagged(&back), ["vat_input es_in_21 -100.00 -21.00"]);
}

#[test]
fn a_stated_quota_is_what_is_booked() {
    let quota = euros("21.03");
    let adjustments = vec![TaxAdjustment { tax_code: "es_in_21".to_owned(), quota }];
    let content = Content::new(Currency::EUR, false, lines(&[ONE]), None, adjustments).expect("near");
    let document = SupplierDocument { content, ..received(DocType::Invoice, &[]) };
    let entry = entry(&approve(document));
    assert_eq!(moved(&entry), ["6290000 100.00", "4720000 21.03", "4000000 -121.03"]);
    assert_eq!(tagged(&entry), ["vat_input es_in_21 100.00 21.03"]);
}

#[test]
fn the_supplier_decides_the_account_of_the_debt_and_the_return_of_what_is_withheld() {
    let mut facts = Facts::default();
    facts.supplier.supplier_type = SupplierType::Creditor;
    facts.supplier.withholding_key = WithholdingKey::Rent;
    let rent = received(DocType::Invoice, &[("1", "1000.00", "0", "es_in_21", "19")]);
    let document = facts.approve(rent);
    let entry = entry(&document);
    let expected = ["6290000 1000.00", "4720000 210.00", "4751000 -190.00", "4100000 -1020.00"];
    assert_eq!(moved(&entry), expected);
    assert_eq!(tagged(&entry)[1], "withholding_practised es_irpf_rent_19 1000.00 190.00");
    let accounts = accounts();
    let own = "4100042".parse().ok();
    let setting = JournalSetting { payable: own, ..setting(&accounts) };
    let entry = approval_entry(&document, &setting).expect("approved").expect("it moves something");
    assert_eq!(moved(&entry)[3], "4100042 -1020.00");
}

#[test]
fn what_comes_to_nothing_has_no_entry() {
    let accounts = accounts();
    let setting = setting(&accounts);
    let free = invoice(&[("1", "100.00", "100", "es_in_21", "0")]);
    assert_eq!(approval_entry(&free, &setting), Ok(None));
    let open = received(DocType::Invoice, &[ONE]);
    assert!(matches!(approval_entry(&open, &setting), Err(JournalRefused::State(_))));
    let none = DefaultAccounts::default();
    let missing = approval_entry(&invoice(&[ONE]), &JournalSetting { accounts: &none, ..setting });
    assert!(matches!(missing, Err(JournalRefused::Account(_))));
    // Nothing moves, but a return has one tax less and another one more.
    let both = [("1", "100.00", "0", "es_in_exempt", "0"), ("-1", "100.00", "0", "ic_igic_0", "0")];
    let entry = entry(&invoice(&both));
    assert_eq!(moved(&entry), ["6290000 100.00", "6290000 -100.00"]);
}

#[test]
fn cents_of_conversion_go_to_the_largest_cost() {
    let mut lines = lines(&[("1", "10.05", "0", "es_in_21", "0"), ("1", "0.15", "0", "es_in_21", "0")]);
    lines[1].item_type = ItemType::Good;
    let document = foreign(DocType::Invoice, &[], "0.925");
    let document = approve(SupplierDocument { content: content("USD", lines), ..document });
    let entry = entry(&document);
    let expected = ["6290000 9.29 10.05", "6000000 0.14 0.15", "4720000 1.98 2.14", "4000000 -11.41 -12.34"];
    assert_eq!(moved(&entry), expected);
    assert_eq!(document.base_payable(), Some(euros("11.41")));
}

proptest! {
    #![proptest_config(cases(200))]

    /// I-13, in euros and out of another currency: the supplier is owed what is payable, the accounts of VAT
    /// get what the tags say, and a credit note undoes it.
    #[test]
    fn the_supplier_is_owed_what_is_payable(
        parts in prop::collection::vec(
            (1_i64..50, 0_i64..9_999, 0_usize..5, any::<bool>(), prop::option::of(0_u32..=100)),
            1..8,
        ),
        pro_rata in 0_u32..=100,
        rate in prop_oneof![Just(None), (1_000_000_i64..400_000_000).prop_map(Some)],
    ) {
        const CODES: [&str; 5] = ["es_in_21", "es_in_10", "es_in_intra_21", "es_in_exempt", "es_in_21_inv"];
        let texts: Vec<_> = parts
            .iter()
            .map(|(quantity, cents, ..)| (quantity.to_string(), format!("{}.{:02}", cents / 100, cents % 100)))
            .collect();
        let texts: Vec<_> = parts
            .iter()
            .zip(&texts)
            .map(|((.., code, withheld, _), (quantity, price))| {
                let withheld = if *withheld { "15" } else { "0" };
                (quantity.as_str(), price.as_str(), "3", CODES[*code], withheld)
            })
            .collect();
        let mut lines = lines(&texts);
        for (line, (.., percent_of)) in lines.iter_mut().zip(&parts) {
            line.deductible_percent = percent_of.map(|share| percent(&share.to_string()));
        }
        let (code, text) = match rate {
            Some(units) => ("USD", format!("{}.{:08}", units / 100_000_000, units % 100_000_000)),
            None => ("EUR", "1".to_owned()),
        };
        let facts = Facts { pro_rata: percent(&pro_rata.to_string()), ..Facts::default() };
        let of_type = |doc_type, lines| {
            let document = foreign(doc_type, &[], &text);
            SupplierDocument { content: content(code, lines), ..document }
        };
        let document = facts.approve(of_type(DocType::Invoice, lines.clone()));
        let made = approval_entry(&document, &setting(&accounts())).expect("approved");
        let payable = document.base_payable().expect("in range");
        let Some(made) = made else {
            prop_assert_eq!(payable.minor(), 0);
            return Ok(());
        };
        judge(&made);
        let mut sums = BTreeMap::<String, i64>::new();
        for line in &made.lines {
            *sums.entry(line.account.as_str().to_owned()).or_default() += line.movement.signed().minor();
        }
        let sum = |account: &str| sums.get(account).copied().unwrap_or(0);
        prop_assert_eq!(-sum("4000000"), payable.minor());
        let tagged = |kind| {
            let of_kind = made.tax_tags.iter().filter(move |tag| tag.kind == kind);
            of_kind.map(|tag| tag.deductible().minor()).sum::<i64>()
        };
        prop_assert_eq!(sum("4720000"), tagged(TagKind::VatInput));
        prop_assert_eq!(-sum("4770000"), tagged(TagKind::VatOutput));
        if rate.is_none() {
            let deductible = document.deduction().expect("in range").deductible(Currency::EUR).expect("in range");
            prop_assert_eq!(sum("4720000"), deductible.minor());
            prop_assert_eq!(-sum("4751000"), document.content.totals().withholding.minor());
        }

        for line in &mut lines {
            line.quantity = line.quantity.negated();
        }
        let back = entry(&facts.approve(of_type(DocType::CreditNote, lines)));
        let turned: Vec<_> = back.lines.iter().map(|line| (line.account, line.movement.mirrored())).collect();
        let bought: Vec<_> = made.lines.iter().map(|line| (line.account, line.movement)).collect();
        prop_assert_eq!(turned, bought);
    }
}

#[test]
fn the_day_of_accounting_dates_entry_and_deduction() {
    let terms = ApproveTerms { accounting_date: Some(date!(2025 - 04 - 02)), accept_late_tax: false };
    let facts = Facts { terms, today: date!(2025 - 04 - 10), ..Facts::default() };
    let entry = entry(&facts.approve(received(DocType::Invoice, &[ONE])));
    assert_eq!((entry.date, entry.tax_tags[0].tax_date), (date!(2025 - 04 - 02), date!(2025 - 04 - 02)));
    assert_eq!(accounts().find(Purpose::InputVat), Some(entry.lines[1].account));
}
