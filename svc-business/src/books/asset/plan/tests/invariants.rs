use proptest::prelude::*;

use super::*;

fn patterns() -> impl Strategy<Value = Pattern> {
    prop::sample::select(vec![
        Pattern::StraightLine,
        Pattern::DecliningBalance,
        Pattern::SumOfYears(YearWeights::Descending),
        Pattern::SumOfYears(YearWeights::Ascending),
    ])
}

fn schedules() -> impl Strategy<Value = Schedule> {
    let frequency = prop::sample::select(Frequency::ALL.to_vec());
    let proration = prop::sample::select(Proration::ALL.to_vec());
    (patterns(), 1_u16..=180, frequency, proration, 1_u8..=12).prop_map(
        |(pattern, months, frequency, proration, month)| {
            let year_start = Month::try_from(month).expect("a month");
            Schedule { pattern, life: life(months), frequency, proration, year_start }
        },
    )
}

fn all_terms() -> impl Strategy<Value = Terms> {
    // Amounts below the number of months, everyday ones, and as large as amounts can be.
    let cost = prop_oneof![1_i64..200, 1_i64..100_000_000, 1_i64..=900_000_000_000_000];
    (cost, 0_u8..=100, 0_u8..=100, 0_i64..20_000, schedules()).prop_map(
        |(cost, residual, opening, day, schedule)| {
            let part = |whole: i64, percent: u8| {
                let part = i128::from(whole) * i128::from(percent) / 100;
                i64::try_from(part).expect("no more than the whole")
            };
            let cents = |minor| Amount::from_minor(minor, Currency::EUR).expect("in range");
            let residual = part(cost, residual);
            Terms {
                cost: cents(cost),
                residual: cents(residual),
                opening_accumulated: cents(part(cost - residual, opening)),
                in_service: date!(2000 - 01 - 01) + time::Duration::days(day),
                schedule: Some(schedule),
            }
        },
    )
}

fn check(terms: &Terms, plan: &Plan) -> Result<(), TestCaseError> {
    let whole = terms.cost.minor() - terms.residual.minor() - terms.opening_accumulated.minor();
    prop_assert_eq!(sum(plan), whole);
    let mut accumulated = terms.opening_accumulated.minor();
    let mut before: Option<Instalment> = None;
    for instalment in &plan.instalments {
        accumulated += instalment.amount.minor();
        prop_assert!(instalment.amount.minor() > 0);
        prop_assert_eq!(instalment.accumulated.minor(), accumulated);
        prop_assert_eq!(instalment.carrying.minor(), terms.cost.minor() - accumulated);
        prop_assert!(instalment.carrying.minor() >= terms.residual.minor());
        prop_assert!(instalment.from <= instalment.to);
        if let Some(before) = before {
            prop_assert!(before.to < instalment.from && before.period < instalment.period);
        }
        before = Some(*instalment);
    }
    Ok(())
}

proptest! {
    #[test]
    fn instalments_add_up_to_what_there_is_to_lose(terms in all_terms()) {
        check(&terms, &plan(&terms))?;
    }

    #[test]
    fn how_often_an_instalment_is_due_moves_no_sum(terms in all_terms()) {
        // Up to the end of a year, all frequencies have lost the same.
        let every = |frequency| plan(&scheduled(terms, |schedule| Schedule { frequency, ..schedule }));
        let (monthly, yearly) = (every(Frequency::Monthly), every(Frequency::Yearly));
        for year in &yearly.instalments {
            let mut months = monthly.instalments.iter().filter(|month| month.to <= year.to);
            prop_assert_eq!(months.next_back().map(|month| month.accumulated), Some(year.accumulated));
        }
    }

    #[test]
    fn posted_instalments_stay_whatever_the_terms_become(
        terms in all_terms(),
        schedule in schedules(),
        done in any::<prop::sample::Index>(),
        residual in 0_u8..=100,
    ) {
        let first = plan(&terms);
        let done = posted(&first, done.index(first.instalments.len() + 1));
        let lost: i64 = done.iter().map(|instalment| instalment.amount.minor()).sum();
        // At most what the asset is still worth.
        let worth = terms.cost.minor() - terms.opening_accumulated.minor() - lost;
        let residual = i64::try_from(i128::from(worth) * i128::from(residual) / 100).expect("no more");
        let residual = Amount::from_minor(residual, Currency::EUR).expect("in range");
        let changed = Terms { residual, schedule: Some(schedule), ..terms };
        let next = match Plan::of(&changed, &done) {
            // The exact fractions of the largest amounts leave their range.
            Err(PlanError::Money(_)) if terms.cost.minor() > 100_000_000 => return Ok(()),
            next => next.expect("a plan"),
        };
        check(&changed, &next)?;
        prop_assert_eq!(&posted(&next, done.len()), &done);
        prop_assert!(next.instalments.iter().take(done.len()).all(|one| one.status.name() == "posted"));
        prop_assert!(next.instalments.iter().skip(done.len()).all(|one| one.status.name() == "planned"));
    }

    #[test]
    fn posting_one_after_the_other_ends_where_the_plan_does(terms in all_terms()) {
        let first = plan(&terms);
        for count in 0..=first.instalments.len().min(40) {
            let going_on = Plan::of(&terms, &posted(&first, count)).expect("a plan");
            prop_assert_eq!(amounts(&going_on), amounts(&first));
        }
    }

    #[test]
    fn an_asset_that_leaves_has_lost_what_it_would_have_by_then(terms in all_terms(), days in 0_i64..8_000) {
        let date = terms.in_service + time::Duration::days(days);
        let until = Plan::until(&terms, &[], date).expect("a plan");
        let whole = plan(&terms);
        let at_most = whole.instalments.iter().find(|instalment| instalment.to >= date).map(|one| one.accumulated.minor());
        let at_least: i64 = whole.due(date).map(|instalment| instalment.amount.minor()).sum();
        prop_assert!(sum(&until) >= at_least);
        if let Some(at_most) = at_most {
            prop_assert!(sum(&until) + terms.opening_accumulated.minor() <= at_most);
        }
        prop_assert!(until.instalments.iter().all(|instalment| instalment.to <= date));
    }
}
