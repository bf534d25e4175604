use svc_core::error::Validator;

use super::*;

fn judged(entry: &Entry, accounts: &KnownAccounts) -> Vec<String> {
    let mut validator = Validator::new();
    judge_draft(&mut validator, entry, accounts);
    validator.finish().map_or_else(|errors| findings(&errors), |()| Vec::new())
}

#[test]
fn a_draft_may_be_unbalanced() {
    assert_eq!(judged(&draft(1, vec![line("6210000", "800.00")]), &accounts()), [""; 0]);
}

#[test]
fn a_line_names_an_active_account_that_takes_entries() {
    let lines = vec![line("6290001", "1.00"), line("6", "1.00"), line("5720000", "-2.00")];
    let mut known = accounts();
    known.get_mut(&code("5720000")).expect("in the chart").active = false;
    assert_eq!(
        judged(&draft(1, lines), &known),
        [
            "lines[0].accountCode unknown_reference",
            "lines[1].accountCode account_not_postable",
            "lines[2].accountCode account_archived",
        ]
    );
}

#[test]
fn an_account_that_contacts_share_needs_one() {
    let mut entry = sale(1);
    entry.lines[0].contact = None;
    // A simplified invoice names no customer.
    assert_eq!(judged(&entry, &accounts()), [""; 0]);
    entry.source = None;
    assert_eq!(judged(&entry, &accounts()), ["lines[0].contactId required"]);
    // What has no contact at the end of a year has none at the beginning of the next one.
    let carried = Entry { kind: EntryKind::Opening, tax_tags: Vec::new(), ..entry };
    assert_eq!(judged(&carried, &accounts()), [""; 0]);
}

#[test]
fn foreign_amounts_are_in_the_currency_of_the_entry_and_on_the_same_side() {
    let dollars: Currency = "USD".parse().expect("a currency");
    let foreign = |text| Some(Amount::parse(text, dollars).expect("an amount"));
    let mut entry = Entry { currency: dollars, ..rent() };
    entry.lines[0].amount_currency = foreign("860.00");
    entry.lines[1].amount_currency = foreign("860.00");
    assert_eq!(judged(&entry, &accounts()), ["lines[1].amountCurrency out_of_range"]);
    entry.lines[1].amount_currency = Some(euros("-800.00"));
    assert_eq!(judged(&entry, &accounts()), ["lines[1].amountCurrency invalid_currency"]);
    // The difference of a rate moves nothing in the foreign currency.
    entry.lines[1].amount_currency = foreign("0.00");
    assert_eq!(judged(&entry, &accounts()), [""; 0]);
}

#[test]
fn a_line_in_another_currency_is_refused_on_its_side() {
    let mut entry = rent();
    let pounds = Amount::parse("-800.00", "GBP".parse().expect("a currency")).expect("an amount");
    entry.lines[1].movement = Movement::of_balance(pounds).expect("not zero");
    assert_eq!(judged(&entry, &accounts()), ["lines[1].credit invalid_currency"]);
}

#[test]
fn texts_and_lines_have_their_limits() {
    let lines: Vec<Line> = (0..1_001).map(|_| line("6210000", "1.00")).collect();
    let mut entry = Entry { description: "x".repeat(501), ..draft(1, lines) };
    entry.lines[2].description = Some("é".repeat(501));
    assert_eq!(
        judged(&entry, &accounts()),
        ["description too_long", "lines too_many", "lines[2].description too_long"]
    );
    let closing = Entry { kind: EntryKind::Closing, description: String::new(), ..entry };
    assert_eq!(judged(&closing, &accounts()), ["lines[2].description too_long"]);
}
