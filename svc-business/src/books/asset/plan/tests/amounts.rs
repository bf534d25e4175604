use svc_core::error::Validator;

use super::*;
use crate::books::asset::class::AssetClass;

#[test]
fn straight_line_by_days_has_a_part_of_a_month_on_each_end() {
    let plan = plan(&terms());
    assert_eq!(plan.instalments.len(), 37);
    let amounts = amounts(&plan);
    assert_eq!((amounts[0].as_str(), amounts[36].as_str()), ("13.71", "11.29"));
    assert!(amounts[1..36].iter().all(|amount| amount == "25.00"));
    assert_eq!(sum(&plan), 90_000);
    let last = plan.instalments[36];
    assert_eq!((last.period, last.from, last.to), (37, date!(2028 - 01 - 01), date!(2028 - 01 - 14)));
    assert_eq!((last.accumulated, last.carrying), (euros("900.00"), euros("100.00")));
}

#[test]
fn a_first_month_that_counts_whole_leaves_none_at_the_end() {
    let whole = scheduled(terms(), |schedule| Schedule { proration: Proration::FullMonth, ..schedule });
    let plan = plan(&whole);
    assert_eq!(amounts(&plan), vec!["25.00"; 36]);
    assert_eq!(plan.instalments[35].to, date!(2027 - 12 - 31));
}

#[test]
fn an_asset_of_the_first_of_a_month_has_whole_months() {
    let plan = plan(&Terms { in_service: date!(2025 - 02 - 01), ..terms() });
    assert_eq!(amounts(&plan), vec!["25.00"; 36]);
    assert_eq!(plan.instalments[35].to, date!(2028 - 01 - 31));
}

#[test]
fn instalments_follow_quarters_and_years() {
    let every = |frequency| scheduled(terms(), |schedule| Schedule { frequency, ..schedule });
    let quarters = plan(&every(Frequency::Quarterly));
    assert_eq!(quarters.instalments.len(), 13);
    assert_eq!(amounts(&quarters)[..2], ["63.71", "75.00"]);
    assert_eq!(quarters.instalments[0].to, date!(2025 - 03 - 31));
    let years = plan(&every(Frequency::Yearly));
    assert_eq!(amounts(&years), ["288.71", "300.00", "300.00", "11.29"]);
}

#[test]
fn years_of_a_plan_are_fiscal_years() {
    let fiscal = scheduled(terms(), |schedule| Schedule {
        frequency: Frequency::Yearly,
        year_start: Month::July,
        ..schedule
    });
    let ends: Vec<Date> = plan(&fiscal).instalments.iter().map(|instalment| instalment.to).collect();
    assert_eq!(
        ends,
        [date!(2025 - 06 - 30), date!(2026 - 06 - 30), date!(2027 - 06 - 30), date!(2028 - 01 - 14)]
    );
}

fn yearly(pattern: Pattern, months: u16) -> Vec<String> {
    let terms = Terms { residual: euros("0.00"), in_service: date!(2025 - 01 - 01), ..terms() };
    let frequency = Frequency::Yearly;
    amounts(&plan(&scheduled(terms, |schedule| Schedule {
        pattern,
        life: life(months),
        frequency,
        ..schedule
    })))
}

#[test]
fn a_declining_balance_loses_a_percentage_of_what_is_left() {
    // 3 years: 33.3 % times 1.5.
    assert_eq!(yearly(Pattern::DecliningBalance, 36), ["500.00", "250.00", "250.00"]);
    // 5 years: 20 % times 2.
    assert_eq!(yearly(Pattern::DecliningBalance, 60), ["400.00", "240.00", "144.00", "86.40", "129.60"]);
    // 8 years: 12.5 % times 2.5.
    assert_eq!(yearly(Pattern::DecliningBalance, 96)[..3], ["312.50", "214.84", "147.71"]);
    // A life of one year has its last year first.
    assert_eq!(yearly(Pattern::DecliningBalance, 12), ["1000.00"]);
}

#[test]
fn a_declining_balance_stops_at_the_residual_value() {
    let half = Terms { residual: euros("600.00"), in_service: date!(2025 - 01 - 01), ..terms() };
    let declining = scheduled(half, |schedule| Schedule {
        pattern: Pattern::DecliningBalance,
        frequency: Frequency::Yearly,
        ..schedule
    });
    // The percentage alone would take 500.00.
    assert_eq!(amounts(&plan(&declining)), ["400.00"]);
}

#[test]
fn a_sum_of_years_weighs_them_either_way() {
    let weighed = |weights| yearly(Pattern::SumOfYears(weights), 48);
    assert_eq!(weighed(YearWeights::Descending), ["400.00", "300.00", "200.00", "100.00"]);
    assert_eq!(weighed(YearWeights::Ascending), ["100.00", "200.00", "300.00", "400.00"]);
    assert_eq!(yearly(Pattern::SumOfYears(YearWeights::Descending), 36), ["500.00", "333.33", "166.67"]);
}

#[test]
fn months_within_a_year_of_a_pattern_lose_the_same() {
    let terms = Terms { residual: euros("0.00"), in_service: date!(2025 - 01 - 01), ..terms() };
    let monthly = scheduled(terms, |schedule| Schedule { pattern: Pattern::DecliningBalance, ..schedule });
    let amounts = amounts(&plan(&monthly));
    assert_eq!(amounts[..3], ["41.67", "41.66", "41.67"]);
    assert_eq!(amounts[12..15], ["20.83", "20.84", "20.83"]);
}

#[test]
fn what_was_lost_before_takes_the_place_of_the_first_instalments() {
    let migrated = plan(&Terms { opening_accumulated: euros("50.00"), ..terms() });
    // 13.71 and 25.00 are covered, and 11.29 of the third.
    assert_eq!(amounts(&migrated)[..2], ["13.71", "25.00"]);
    assert_eq!(migrated.instalments[0].period, 3);
    assert_eq!(migrated.instalments[0].accumulated, euros("63.71"));
    assert_eq!(sum(&migrated), 85_000);
}

#[test]
fn land_has_no_plan() {
    assert_eq!(plan(&Terms { schedule: None, ..terms() }), Plan::default());
    assert_eq!(Method::None.pattern(YearWeights::Descending), None);
}

#[test]
fn a_life_past_the_end_of_the_calendar_has_no_plan() {
    let late = Terms { in_service: date!(9998 - 01 - 01), ..terms() };
    assert_eq!(Plan::of(&late, &[]), Err(PlanError::Calendar));
}

#[test]
fn terms_are_judged_by_their_members() {
    let judged = |terms: Terms, class| {
        let mut validator = Validator::new();
        terms.judge(&mut validator, class);
        let errors = validator.finish().err().map_or_else(Vec::new, |errors| errors.0);
        errors.into_iter().map(|error| format!("{} {}", error.field, error.code)).collect::<Vec<_>>()
    };
    assert_eq!(judged(terms(), AssetClass::Machinery), [""; 0]);
    let free = Terms { cost: euros("0.00"), residual: euros("0.00"), ..terms() };
    assert_eq!(judged(free, AssetClass::Machinery), ["cost out_of_range"]);
    let worthy = Terms { residual: euros("1000.01"), ..terms() };
    assert_eq!(judged(worthy, AssetClass::Machinery), ["residualValue out_of_range"]);
    let gone = Terms { opening_accumulated: euros("900.01"), ..terms() };
    assert_eq!(judged(gone, AssetClass::Machinery), ["openingAccumulated out_of_range"]);
    assert_eq!(judged(terms(), AssetClass::Land), ["method not_allowed"]);
}
