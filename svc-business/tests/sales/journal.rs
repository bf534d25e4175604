//! The entries of documents and payments.

use std::collections::BTreeMap;

use proptest::prelude::*;
use svc_business::books::account::{AccountCode, CodeLength, TaxRole};
use svc_business::books::chart::Chart;
use svc_business::books::default_accounts::{DefaultAccounts, Purpose};
use svc_business::books::entry::{
    Entry, EntryKind, KnownAccount, KnownAccounts, Particulars, TaxTag, judge_draft, judge_tags,
};
use svc_business::contact::PaymentMethod;
use svc_business::sales::document::{
    Content, DocType, ItemType, Method, Plan, ReasonCode, SalesDocument, Status,
};
use svc_business::sales::journal::{
    JournalRefused, JournalSetting, issue_entry, offset_entry, payment_entry,
};
use svc_business::sales::pay::{NewPayment, OffsetTerms, offset};
use svc_business::sales::rectify::{Rectify, RectifyLines};
use svc_business::trade::{Discount, ExemptionCode, Supply};
use svc_core::error::Validator;
use svc_core::money::{Amount, Currency};
use svc_testkit::property::cases;

use super::documents::{DAY, content, draft, euros, ids, invoice, issue, issue_over, lines, rate};
use super::payments::{full_credit, of};

fn accounts() -> DefaultAccounts {
    DefaultAccounts::of(Chart::EsPgcPymes, CodeLength::default())
}

fn setting(accounts: &DefaultAccounts) -> JournalSetting<'_> {
    JournalSetting { accounts, receivable: None, reductions: None, ids: ids() }
}

fn entry(document: &SalesDocument) -> Entry {
    issue_entry(document, &[], &setting(&accounts())).expect("issued").expect("it moves something")
}

/// Lines as `account signed foreign`, debit above zero.
fn moved(entry: &Entry) -> Vec<String> {
    let line = |line: &svc_business::books::entry::Line| {
        let foreign = line.amount_currency.map(|amount| format!(" {amount}")).unwrap_or_default();
        format!("{} {}{foreign}", line.account.as_str(), line.movement.signed())
    };
    entry.lines.iter().map(line).collect()
}

/// Tags as `kind code base quota`.
fn tagged(entry: &Entry) -> Vec<String> {
    entry
        .tax_tags
        .iter()
        .map(|tag| format!("{} {} {} {}", tag.kind, tag.tax_code, tag.base, tag.quota))
        .collect()
}

/// The books take it: balanced, with tags that are what the accounts of VAT get.
fn judge(entry: &Entry) {
    let known = |account: AccountCode| {
        let tax_role = account.starts_with("477").then_some(TaxRole::OutputVat);
        let shared = account.starts_with("43");
        (account, KnownAccount { postable: true, active: true, tax_role, shared })
    };
    let accounts: KnownAccounts = entry.lines.iter().map(|line| known(line.account)).collect();
    let mut validator = Validator::new();
    judge_draft(&mut validator, entry, &accounts);
    judge_tags(&mut validator, entry, &accounts);
    validator.finish().expect("the books take it");
    assert!(entry.totals().expect("in range").is_balanced(), "{:?}", moved(entry));
}

fn worked() -> SalesDocument {
    let mut lines = lines(&[
        ("10", "85.50", "10", "es_vat_21", "15"),
        ("3", "19.999", "0", "es_vat_21", "0"),
        ("1", "12.345", "0", "es_vat_4", "0"),
    ]);
    lines.iter_mut().skip(1).for_each(|line| line.item_type = ItemType::Good);
    let mut document = draft(DocType::Invoice, &[]);
    let discount = Discount::Percent("5".parse().expect("a rate"));
    let currency = document.content.currency();
    document.content = Content::new(currency, false, lines, Some(discount)).expect("valid");
    issue(document)
}

#[test]
fn the_worked_example_is_booked_to_the_cent() {
    let document = worked();
    let entry = entry(&document);
    judge(&entry);
    let expected =
        ["4300000 856.07", "4730000 109.65", "4770000 -165.96", "7050000 -731.03", "7000000 -68.73"];
    assert_eq!(moved(&entry), expected);
    let totals = entry.totals().expect("in range");
    assert_eq!((totals.debit, totals.credit), (euros("965.72"), euros("965.72")));
    let expected = [
        "vat_output es_vat_21 788.03 165.49",
        "vat_output es_vat_4 11.73 0.47",
        "withholding_borne es_irpf_15 731.03 109.65",
    ];
    assert_eq!(tagged(&entry), expected);
    assert_eq!((entry.kind, entry.date), (EntryKind::Sales, DAY));
    let source = entry.source.as_ref().map(ToString::to_string);
    assert_eq!(source, Some(format!("invoice/{}/issue", document.id)));
    assert_eq!(entry.description, "F2025-00001 Ferretería Sol SL");
    let customer = &entry.lines[0];
    assert_eq!((customer.contact, customer.due_date), (document.contact, document.due_date()));
}

#[test]
fn a_credit_changes_sides() {
    let original = worked();
    let credit = issue_over(full_credit(&original), vec![original.clone()]).document;
    let (sale, back) = (entry(&original), entry(&credit));
    judge(&back);
    for (sale, back) in sale.lines.iter().zip(&back.lines) {
        assert_eq!((sale.account, sale.movement), (back.account, back.movement.mirrored()));
    }
    assert_eq!(tagged(&back)[0], "vat_output es_vat_21 -788.03 -165.49");
    let accounts = accounts();
    let reductions = accounts.find(Purpose::SalesReturns);
    let setting = JournalSetting { reductions, ..setting(&accounts) };
    let back = issue_entry(&credit, &[], &setting).expect("issued").expect("it moves something");
    judge(&back);
    assert_eq!(moved(&back)[3..], ["7080000 799.76"]);
}

#[test]
fn a_surcharge_is_vat_with_a_tag_of_its_own() {
    let entry = entry(&invoice(&[("1", "100.00", "0", "es_vat_21_re", "0")]));
    judge(&entry);
    assert_eq!(moved(&entry), ["4300000 126.20", "4770000 -26.20", "7050000 -100.00"]);
    let expected = ["vat_output es_vat_21_re 100.00 21.00", "surcharge_output es_vat_21_re 100.00 5.20"];
    assert_eq!(tagged(&entry), expected);
}

#[test]
fn what_is_no_invoice_or_comes_to_nothing_has_no_entry() {
    let accounts = accounts();
    let setting = setting(&accounts);
    let quote = issue(draft(DocType::Quote, &[("1", "100.00", "0", "es_vat_21", "0")]));
    assert_eq!(issue_entry(&quote, &[], &setting), Ok(None));
    let free = invoice(&[("1", "100.00", "100", "es_vat_21", "0")]);
    assert_eq!(issue_entry(&free, &[], &setting), Ok(None));
    // Nothing moves, but a return has an exempt sale and an export less.
    let moved_tax =
        invoice(&[("1", "100.00", "0", "es_exempt", "0"), ("-1", "100.00", "0", "es_export", "0")]);
    let both = entry(&moved_tax);
    judge(&both);
    assert_eq!(moved(&both), ["7050000 -100.00", "7050000 100.00"]);
    let draft = draft(DocType::Invoice, &[]);
    assert!(matches!(issue_entry(&draft, &[], &setting), Err(JournalRefused::State(_))));
    let none = DefaultAccounts::default();
    let missing = issue_entry(&worked(), &[], &JournalSetting { accounts: &none, ..setting });
    assert_eq!(missing, Err(JournalRefused::Account(Purpose::Receivable)));
}

fn substitute(original: &SalesDocument, texts: &[super::documents::Texts<'_>]) -> (SalesDocument, Entry) {
    let how = Rectify {
        method: Method::Substitution,
        reason_code: ReasonCode::R4,
        reason: "Wrong price".to_owned(),
        lines: RectifyLines::Lines(lines(texts)),
    };
    let draft = original.rectify(how, &ids()).expect("issued");
    let new = issue_over(draft, vec![original.clone()]).document;
    let accounts = accounts();
    let entry = issue_entry(&new, std::slice::from_ref(original), &setting(&accounts));
    (new, entry.expect("issued").expect("it moves something"))
}

#[test]
fn a_substitution_posts_what_it_changes() {
    let original = invoice(&[("10", "10.00", "0", "es_vat_21", "15")]);
    let (_, entry) = substitute(&original, &[("8", "10.00", "0", "es_vat_21", "15")]);
    judge(&entry);
    let expected = ["4300000 -21.20", "4730000 -3.00", "4770000 4.20", "7050000 20.00"];
    assert_eq!(moved(&entry), expected);
    let expected = ["vat_output es_vat_21 -20.00 -4.20", "withholding_borne es_irpf_15 -20.00 -3.00"];
    assert_eq!(tagged(&entry), expected);
    // Another tax of the same rate: no account moves, but returns learn of it.
    let export = invoice(&[("1", "10.00", "0", "es_export", "0")]);
    let (_, entry) = substitute(&export, &[("1", "10.00", "0", "es_intra_supply", "0")]);
    judge(&entry);
    let expected = ["vat_output es_intra_supply 10.00 0.00", "vat_output es_export -10.00 0.00"];
    assert_eq!(tagged(&entry), expected);
}

#[test]
fn tags_tell_what_returns_tell_apart() {
    let mut goods =
        lines(&[("1", "10.00", "0", "es_intra_supply", "0"), ("1", "5.00", "0", "es_intra_supply", "0")]);
    goods[0].item_type = ItemType::Good;
    for line in &mut goods {
        line.exemption = Some(ExemptionCode::E5);
    }
    let mut document = draft(DocType::Invoice, &[]);
    document.content = Content::new(Currency::EUR, false, goods, None).expect("valid");
    let original = issue(document);
    let told = |entry: &Entry| {
        let tag = |tag: &TaxTag| (tag.particulars, tag.base.to_string());
        entry.tax_tags.iter().map(tag).collect::<Vec<_>>()
    };
    let particulars = |supply| Particulars { exemption: Some(ExemptionCode::E5), supply, rectifies: None };
    let [goods, services] = [Supply::Goods, Supply::Services].map(|supply| particulars(Some(supply)));
    assert_eq!(told(&entry(&original)), [(goods, "10.00".to_owned()), (services, "5.00".to_owned())]);
    // All tags of what puts a document right say when the tax of that one fell due.
    let (_, entry) = substitute(&original, &[("1", "10.00", "0", "es_export", "0")]);
    let day = original.tag_date();
    assert!(day.is_some() && entry.tax_tags.iter().all(|tag| tag.particulars.rectifies == day));
    let changed: Vec<_> = told(&entry).into_iter().map(|(_, base)| base).collect();
    assert_eq!(changed, ["10.00", "-10.00", "-5.00"]);
}

fn foreign(texts: &[super::documents::Texts<'_>], fx_rate: &str) -> SalesDocument {
    let mut document = draft(DocType::Invoice, &[]);
    document.content = content("USD", texts);
    let plan = Plan { fx_rate: Some(rate(fx_rate)), ..Plan::default() };
    issue(SalesDocument { status: Status::Draft { plan }, ..document })
}

#[test]
fn cents_of_conversion_go_to_the_largest_sale() {
    // 10.05 + 0.15 at 21 % are 12.34: at 0.925 the parts are 11.41, 1.98, 9.30 and 0.14.
    let mut lines = lines(&[("1", "10.05", "0", "es_vat_21", "0"), ("1", "0.15", "0", "es_vat_21", "0")]);
    lines[1].item_type = ItemType::Good;
    let mut document = draft(DocType::Invoice, &[]);
    document.content = Content::new("USD".parse().expect("a currency"), false, lines, None).expect("valid");
    let plan = Plan { fx_rate: Some(rate("0.925")), ..Plan::default() };
    let document = issue(SalesDocument { status: Status::Draft { plan }, ..document });
    let entry = entry(&document);
    judge(&entry);
    let expected =
        ["4300000 11.41 12.34", "4770000 -1.98 -2.14", "7050000 -9.29 -10.05", "7000000 -0.14 -0.15"];
    assert_eq!(moved(&entry), expected);
    assert_eq!(document.base_payable(), Some(euros("11.41")));
}

#[test]
fn payments_go_to_cash_the_bank_or_what_is_not_explained_yet() {
    let document = invoice(&[("1", "100.00", "0", "es_export", "0")]);
    let accounts = accounts();
    let setting = setting(&accounts);
    let bank: AccountCode = "5720001".parse().expect("a code");
    for (method, bank, account) in [
        (PaymentMethod::Cash, None, "5700000"),
        // A till of the company's own.
        (PaymentMethod::Cash, Some(bank), "5720001"),
        (PaymentMethod::Transfer, Some(bank), "5720001"),
        (PaymentMethod::Transfer, None, "5550000"),
    ] {
        let new = NewPayment { method, ..of(euros("40.00")) };
        let (document, payment) = document.clone().pay(new, &ids()).expect("a part");
        let entry = payment_entry(&document, &payment, bank, &setting).expect("issued").expect("money");
        judge(&entry);
        assert_eq!(moved(&entry), [format!("{account} 40.00"), "4300000 -40.00".to_owned()]);
        let source = entry.source.as_ref().map(ToString::to_string);
        assert_eq!(source, Some(format!("payment/{}/payment", payment.id)));
    }
}

#[test]
fn a_rate_that_changed_until_the_payment_is_a_gain_or_a_loss() {
    let accounts = accounts();
    let setting = setting(&accounts);
    let document = foreign(&[("1", "100.00", "0", "es_export", "0")], "0.9");
    for (paid_at, third) in
        [("0.95", Some("7680000 -5.00 0.00")), ("0.85", Some("6680000 5.00 0.00")), ("0.9", None)]
    {
        let amount = Amount::parse("100.00", "USD".parse().expect("a currency")).expect("an amount");
        let new = NewPayment { fx_rate: Some(rate(paid_at)), ..of(amount) };
        let (document, payment) = document.clone().pay(new, &ids()).expect("all");
        let entry = payment_entry(&document, &payment, None, &setting).expect("issued").expect("money");
        judge(&entry);
        assert_eq!(moved(&entry)[1], "4300000 -90.00 -100.00");
        assert_eq!(moved(&entry).get(2).map(String::as_str), third);
    }
}

#[test]
fn an_offset_moves_the_debt_from_one_document_to_the_other() {
    let original = invoice(&[("1", "100.00", "0", "es_export", "0")]);
    let credit = issue_over(full_credit(&original), vec![original.clone()]).document;
    let terms = OffsetTerms { amount: euros("-40.00"), date: DAY, reference: None };
    let paired = offset(credit, original, &terms, &ids()).expect("one customer");
    let ((credit, mine), (invoice, theirs)) = (&paired.one, &paired.other);
    let accounts = accounts();
    let setting = setting(&accounts);
    let entry = offset_entry((credit, mine), (invoice, theirs), &setting).expect("issued").expect("both");
    judge(&entry);
    assert_eq!(moved(&entry), ["4300000 40.00", "4300000 -40.00"]);
    assert_eq!(payment_entry(credit, mine, None, &setting), Ok(None));
}

proptest! {
    #![proptest_config(cases(200))]

    /// I-13, in euros and out of another currency: the customer owes what is payable, the accounts of VAT get what the
    /// tags say, and a credit undoes it.
    #[test]
    fn the_customer_owes_what_is_payable(
        parts in prop::collection::vec((1_i64..50, 0_i64..9_999, 0_usize..4, any::<bool>(), any::<bool>()), 1..8),
        rate in prop_oneof![Just(None), (1_000_000_i64..400_000_000).prop_map(Some)],
    ) {
        const CODES: [&str; 4] = ["es_vat_21", "es_vat_10_re", "es_export", "es_vat_4"];
        let texts: Vec<_> = parts
            .iter()
            .map(|(quantity, cents, ..)| (quantity.to_string(), format!("{}.{:02}", cents / 100, cents % 100)))
            .collect();
        let lines: Vec<_> = parts
            .iter()
            .zip(&texts)
            .map(|((.., code, withheld, _), (quantity, price))| {
                let withheld = if *withheld { "15" } else { "0" };
                (quantity.as_str(), price.as_str(), "3", CODES[*code], withheld)
            })
            .collect();
        let rate = rate.map(|units: i64| format!("{}.{:08}", units / 100_000_000, units % 100_000_000));
        let mut document = match &rate {
            Some(rate) => foreign(&lines, rate),
            None => invoice(&lines),
        };
        let mut lines = document.content.lines().to_vec();
        for (line, (.., good)) in lines.iter_mut().zip(&parts) {
            line.item_type = if *good { ItemType::Good } else { ItemType::Service };
        }
        let content = &document.content;
        document.content = Content::new(content.currency(), false, lines, None).expect("valid");
        let accounts = accounts();
        let made = issue_entry(&document, &[], &setting(&accounts)).expect("issued");
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
        prop_assert_eq!(sums.get("4300000").copied().unwrap_or(0), payable.minor());
        let vat = sums.get("4770000").copied().unwrap_or(0);
        if rate.is_none() {
            prop_assert_eq!(-vat, document.content.totals().tax.minor());
        }
        let quotas: i64 = made
            .tax_tags
            .iter()
            .filter(|tag| tag.kind != svc_business::books::entry::TagKind::WithholdingBorne)
            .map(|tag| tag.quota.minor())
            .sum();
        prop_assert_eq!(-vat, quotas);

        let mut credit = full_credit(&document);
        if let (Status::Draft { plan }, Some(issue)) = (&mut credit.status, document.issue_data()) {
            plan.fx_rate = rate.as_ref().map(|_| issue.fx_rate);
        }
        let back = entry(&issue_over(credit, vec![document]).document);
        judge(&back);
        let turned: Vec<_> = back.lines.iter().map(|line| (line.account, line.movement.mirrored())).collect();
        let sale: Vec<_> = made.lines.iter().map(|line| (line.account, line.movement)).collect();
        prop_assert_eq!(turned, sale);
    }
}
