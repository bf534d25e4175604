use super::*;

fn of(lines: &[Posted], period: Period, query: TrialBalanceQuery) -> TrialBalance {
    let movements = movements(lines, period);
    TrialBalance::of(period, Currency::EUR, &movements, &names(), query).expect("in range")
}

fn at(level: Level) -> TrialBalanceQuery {
    TrialBalanceQuery { level, ..TrialBalanceQuery::default() }
}

/// A sale of 1,000.00 in March that is paid in April.
fn sale() -> Vec<Posted> {
    let (march, april) = (date!(2025 - 03 - 15), date!(2025 - 04 - 10));
    vec![
        line(march, "4300000", 121_000),
        line(march, "7050000", -100_000),
        line(march, "4770000", -21_000),
        line(april, "5720000", 121_000),
        line(april, "4300000", -121_000),
    ]
}

fn april() -> Period {
    period(date!(2025 - 04 - 01), date!(2025 - 04 - 30))
}

#[test]
fn a_row_has_what_was_before_what_moved_and_what_is_left() {
    let balance = of(&sale(), april(), TrialBalanceQuery::default());
    let wanted = "code,name,openingBalance,debit,credit,closingBalance\r\n\
                  4300000,account 4300000,1210.00,0.00,1210.00,0.00\r\n\
                  4770000,account 4770000,-210.00,0.00,0.00,-210.00\r\n\
                  5720000,account 5720000,0.00,1210.00,0.00,1210.00\r\n\
                  7050000,account 7050000,-1000.00,0.00,0.00,-1000.00\r\n";
    assert_eq!(balance.csv(), wanted);
    assert_eq!(balance.totals.debit, balance.totals.credit);
}

#[test]
fn accounts_are_added_up_under_their_headings() {
    let balance = of(&sale(), year(), at(Level::Group));
    let rows: Vec<(String, &str, i64)> = balance
        .rows
        .iter()
        .map(|row| (row.code.to_string(), row.name.as_str(), row.figures.closing_balance.minor()))
        .collect();
    let wanted = [
        ("4".to_owned(), "Acreedores y deudores por operaciones comerciales", -21_000),
        ("5".to_owned(), "Cuentas financieras", 121_000),
        ("7".to_owned(), "Ventas e ingresos", -100_000),
    ];
    assert_eq!(rows, wanted);
    assert_eq!(of(&sale(), year(), at(Level::Account)).rows[0].name, "Clientes");
}

#[test]
fn rows_without_figures_can_be_left_out() {
    let mut lines = sale();
    lines.push(line(date!(2025 - 02 - 01), "6210000", 0));
    let codes = |non_zero| {
        let query = TrialBalanceQuery { non_zero, ..TrialBalanceQuery::default() };
        of(&lines, april(), query).rows.len()
    };
    assert_eq!((codes(false), codes(true)), (5, 4));
}

#[test]
fn what_closes_a_year_counts_only_when_it_is_asked_for() {
    let end = date!(2025 - 12 - 31);
    let mut lines = sale();
    for (account, minor) in [("7050000", 100_000), ("1290000", -100_000)] {
        lines.push(Posted { closes: true, ..line(end, account, minor) });
    }
    let result = |closing| {
        let balance = of(&lines, year(), TrialBalanceQuery { closing, ..TrialBalanceQuery::default() });
        let row = balance.rows.iter().find(|row| row.code == code("7050000")).expect("a row");
        row.figures.closing_balance.minor()
    };
    assert_eq!(result(Closing::excluded(true)), -100_000);
    assert_eq!(result(Closing::excluded(false)), 0);
}

#[test]
fn a_trial_balance_serialises_with_decimal_strings() {
    let balance = of(&sale(), april(), at(Level::Subgroup));
    let json = serde_json::to_value(&balance).expect("plain");
    assert_eq!(json["from"], "2025-04-01");
    assert_eq!(json["currency"], "EUR");
    assert_eq!(json["rows"][0]["code"], "43");
    assert_eq!(json["rows"][0]["openingBalance"], "1210.00");
    assert_eq!(json["totals"]["debit"], "1210.00");
}

#[test]
fn levels_are_1_to_4_or_full() {
    let parsed: Vec<Level> =
        ["1", "2", "3", "4", "full"].iter().map(|text| text.parse().expect("one")).collect();
    let wanted = [Level::Group, Level::Subgroup, Level::Account, Level::Subaccount, Level::Full];
    assert_eq!(parsed, wanted);
    for text in ["0", "5", "Full", ""] {
        assert_eq!(text.parse::<Level>(), Err(LevelError), "{text}");
    }
    assert_eq!(Period::new(date!(2025 - 02 - 01), date!(2025 - 01 - 31)), Err(PeriodError));
}

proptest! {
    #[test]
    fn debits_are_credits_whatever_the_days(lines in journals(), from in 0_i64..365, days in 0_i64..365) {
        let from = date!(2025 - 01 - 01) + Duration::days(from);
        let period = period(from, from + Duration::days(days));
        for level in [Level::Group, Level::Subgroup, Level::Account, Level::Subaccount, Level::Full] {
            let balance = of(&lines, period, at(level));
            prop_assert_eq!(balance.totals.debit, balance.totals.credit);
            prop_assert_eq!(balance.totals.opening_balance.minor(), 0);
            prop_assert_eq!(balance.totals.closing_balance.minor(), 0);
            let of_rows = |figure: fn(&Figures) -> Amount| balance.rows.iter().map(|row| figure(&row.figures).minor()).sum::<i64>();
            prop_assert_eq!(of_rows(|figures| figures.debit), balance.totals.debit.minor());
            prop_assert_eq!(of_rows(|figures| figures.credit), balance.totals.credit.minor());
            prop_assert_eq!(of_rows(|figures| figures.closing_balance), 0);
        }
    }

    #[test]
    fn days_that_follow_each_other_add_up(lines in journals(), split in 1_i64..365) {
        let middle = date!(2025 - 01 - 01) + Duration::days(split);
        let before = period(year().from(), middle - Duration::days(1));
        let after = period(middle, year().to());
        let figures = |period| -> BTreeMap<AccountCode, Figures> {
            let rows = of(&lines, period, TrialBalanceQuery::default()).rows;
            rows.into_iter().map(|row| (row.code, row.figures)).collect()
        };
        let (first, second, whole) = (figures(before), figures(after), figures(year()));
        prop_assert_eq!(second.len(), whole.len());
        for (code, whole) in whole {
            let second = second[&code];
            let (debit, credit, closing) = first.get(&code).map_or((0, 0, 0), |first| {
                (first.debit.minor(), first.credit.minor(), first.closing_balance.minor())
            });
            prop_assert_eq!(debit + second.debit.minor(), whole.debit.minor());
            prop_assert_eq!(credit + second.credit.minor(), whole.credit.minor());
            prop_assert_eq!(closing, second.opening_balance.minor());
            prop_assert_eq!(second.closing_balance, whole.closing_balance);
        }
    }
}
