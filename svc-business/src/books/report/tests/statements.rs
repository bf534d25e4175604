use super::*;

fn column(period: Period, movements: &[Movement]) -> Column<'_> {
    Column { period, movements }
}

fn balance_sheet(lines: &[Posted], period: Period, closing: Closing) -> BalanceSheet {
    let movements = movements(lines, period);
    let column = column(period, &movements);
    BalanceSheet::of(Currency::EUR, &column, None, closing, Language::Es).expect("in range")
}

fn profit_and_loss(lines: &[Posted], period: Period) -> ProfitAndLoss {
    let movements = movements(lines, period);
    let column = column(period, &movements);
    ProfitAndLoss::of(Currency::EUR, &column, None, Closing::Excluded, Language::Es).expect("in range")
}

fn all(sections: &[Section]) -> Vec<&Section> {
    sections.iter().flat_map(|section| [vec![section], all(&section.children)].concat()).collect()
}

fn find<'a>(sections: &'a [Section], key: &str) -> &'a Section {
    all(sections).into_iter().find(|section| section.key == key).unwrap_or_else(|| panic!("no line {key}"))
}

/// Capital of 3,000.00; equipment of 1,200.00 that lost 300.00; a sale of 1,000.00; rent of 400.00 on credit; and
/// 150.00 drawn by a partner.
fn small_company() -> Vec<Posted> {
    let day = date!(2025 - 06 - 30);
    let entries = [
        ("5720000", "1000000", 300_000),
        ("2170000", "5720000", 120_000),
        ("6810000", "2817000", 30_000),
        ("4300000", "7050000", 100_000),
        ("6210000", "4100000", 40_000),
        ("5510000", "5720000", 15_000),
    ];
    let lines = entries
        .into_iter()
        .flat_map(|(debit, credit, minor)| [line(day, debit, minor), line(day, credit, -minor)]);
    lines.collect()
}

#[test]
fn a_small_company_has_a_balance_sheet() {
    let sheet = balance_sheet(&small_company(), year(), Closing::Excluded);
    let amount = |key| find(&sheet.sections, key).amount.to_string();
    assert_eq!(amount("property_plant_equipment"), "900.00");
    assert_eq!(amount("trade_receivables"), "1000.00");
    assert_eq!(amount("current_financial_investments"), "150.00");
    assert_eq!(amount("cash"), "1650.00");
    assert_eq!(amount("issued_capital"), "3000.00");
    assert_eq!(amount("result_of_the_year"), "300.00");
    assert_eq!(amount("other_payables"), "400.00");
    assert_eq!(sheet.total_assets.to_string(), "3700.00");
    assert_eq!(sheet.total_equity_and_liabilities, sheet.total_assets);
    assert_eq!(find(&sheet.sections, "result_of_the_year").label, "Resultado del ejercicio");
}

#[test]
fn a_small_company_has_a_profit_and_loss_account() {
    let account = profit_and_loss(&small_company(), year());
    let amount = |key| find(&account.sections, key).amount.to_string();
    assert_eq!(amount("turnover"), "1000.00");
    assert_eq!(amount("other_operating_expenses"), "-400.00");
    assert_eq!(amount("depreciation"), "-300.00");
    assert_eq!(account.results.operating_result.to_string(), "300.00");
    assert_eq!(account.results.result.to_string(), "300.00");
}

#[test]
fn taxes_and_interest_come_after_the_operating_result() {
    let day = date!(2025 - 06 - 30);
    let entries = [("4300000", 100_000), ("7000000", -100_000), ("6623000", 1_000), ("5720000", -1_000)];
    let tax = [("6300000", 25_000), ("4752000", -25_000)];
    let lines: Vec<Posted> =
        entries.iter().chain(&tax).map(|(code, minor)| line(day, code, *minor)).collect();
    let Results { operating_result, financial_result, result_before_tax, result } =
        profit_and_loss(&lines, year()).results;
    let results =
        [operating_result, financial_result, result_before_tax, result].map(|amount| amount.to_string());
    assert_eq!(results, ["1000.00", "-10.00", "990.00", "740.00"]);
}

#[test]
fn a_closed_year_still_shows_its_result() {
    let mut lines = small_company();
    let end = date!(2025 - 12 - 31);
    for (account, minor) in
        [("6810000", -30_000), ("7050000", 100_000), ("6210000", -40_000), ("1290000", -30_000)]
    {
        lines.push(Posted { closes: true, ..line(end, account, minor) });
    }
    let result = |closing| {
        let sheet = balance_sheet(&lines, year(), closing);
        assert_eq!(sheet.total_assets, sheet.total_equity_and_liabilities);
        find(&sheet.sections, "result_of_the_year").amount
    };
    assert_eq!(result(Closing::Excluded), cents(30_000));
    assert_eq!(result(Closing::Included), cents(30_000));
    assert_eq!(profit_and_loss(&lines, year()).results.result, cents(30_000));
}

#[test]
fn each_column_is_laid_out_by_its_own_balances() {
    let (june, july) = (date!(2025 - 06 - 30), date!(2025 - 07 - 31));
    let lines = [
        line(june, "5510000", 1_000),
        line(june, "5720000", -1_000),
        line(july, "5510000", -3_000),
        line(july, "5720000", 3_000),
    ];
    let (first, second) = (period(june, june), period(july, july));
    let (before, now) = (movements(&lines, first), movements(&lines, second));
    let sheet = BalanceSheet::of(
        Currency::EUR,
        &column(second, &now),
        Some(&column(first, &before)),
        Closing::Excluded,
        Language::En,
    )
    .expect("in range");
    assert_eq!((sheet.as_of, sheet.comparative), (july, Some(june)));
    let amounts = |key| {
        let section = find(&sheet.sections, key);
        (section.amount.minor(), section.comparative.map(Amount::minor))
    };
    assert_eq!(amounts("current_financial_investments"), (0, Some(1_000)));
    assert_eq!(amounts("other_current_debts"), (2_000, Some(0)));
    assert!(sheet.csv().contains("\r\ncash,current_assets,Cash and cash equivalents,20.00,-10.00\r\n"));
}

#[test]
fn results_are_compared_with_those_of_other_days() {
    let (june, july) = (date!(2025 - 06 - 30), date!(2025 - 07 - 31));
    let lines = [
        line(june, "7000000", -1_000),
        line(june, "5720000", 1_000),
        line(july, "7000000", -300),
        line(july, "5720000", 300),
    ];
    let (first, second) = (period(june, june), period(july, july));
    let (before, now) = (movements(&lines, first), movements(&lines, second));
    let account = ProfitAndLoss::of(
        Currency::EUR,
        &column(second, &now),
        Some(&column(first, &before)),
        Closing::Excluded,
        Language::En,
    )
    .expect("in range");
    let json = serde_json::to_value(&account).expect("plain");
    assert_eq!((&json["result"], &json["comparative"]["result"]), (&"3.00".into(), &"10.00".into()));
    assert_eq!(json["sections"][0]["children"][0]["key"], "turnover");
    assert_eq!(json["comparative"]["to"], "2025-06-30");
    assert!(account.csv().starts_with("key,parent,label,amount,comparative\r\noperating_result,,"));
}

proptest! {
    #[test]
    fn assets_are_equity_and_liabilities_on_any_day(lines in journals(), from in 0_i64..365, days in 0_i64..365) {
        let from = date!(2025 - 01 - 01) + Duration::days(from);
        let sheet = balance_sheet(&lines, period(from, from + Duration::days(days)), Closing::Excluded);
        prop_assert_eq!(sheet.total_assets, sheet.total_equity_and_liabilities);
    }

    #[test]
    fn the_result_is_all_of_groups_6_and_7(lines in journals()) {
        let won: i64 = lines.iter().filter(|line| line.account.starts_with(['6', '7'])).map(|line| -line.minor).sum();
        let account = profit_and_loss(&lines, year());
        prop_assert_eq!(account.results.result.minor(), won);
        let held: i64 = lines.iter().filter(|line| line.account.starts_with("129")).map(|line| -line.minor).sum();
        let sheet = balance_sheet(&lines, year(), Closing::Excluded);
        prop_assert_eq!(find(&sheet.sections, "result_of_the_year").amount.minor(), won + held);
    }

    #[test]
    fn a_line_is_what_it_counts_and_what_is_below_it(lines in journals()) {
        let sheet = balance_sheet(&lines, year(), Closing::Excluded);
        for section in all(&sheet.sections).into_iter().filter(|section| !section.children.is_empty()) {
            let below: i64 = section.children.iter().map(|child| child.amount.minor()).sum();
            prop_assert_eq!(section.amount.minor(), below, "{}", section.key);
        }
    }

    #[test]
    fn results_of_days_that_follow_each_other_add_up(lines in journals(), split in 1_i64..365) {
        let middle = date!(2025 - 01 - 01) + Duration::days(split);
        let result = |from, to| profit_and_loss(&lines, period(from, to)).results.result.minor();
        let (first, last) = (year().from(), year().to());
        let both = result(first, middle - Duration::days(1)) + result(middle, last);
        prop_assert_eq!(both, result(first, last));
    }
}
