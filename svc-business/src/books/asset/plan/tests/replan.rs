use super::*;

#[test]
fn what_is_posted_of_the_terms_changes_nothing() {
    let fresh = plan(&terms());
    let going_on = Plan::of(&terms(), &posted(&fresh, 5)).expect("a plan");
    assert_eq!(amounts(&going_on), amounts(&fresh));
    assert_eq!(going_on.instalments[4].status.name(), "posted");
    assert_eq!(going_on.instalments[5], fresh.instalments[5]);
    assert_eq!(going_on.depreciated_through(), Some(date!(2025 - 05 - 31)));
    assert_eq!(fresh.depreciated_through(), None);
}

#[test]
fn a_longer_life_spreads_what_is_left_over_what_is_left_of_it() {
    let first = Terms { in_service: date!(2025 - 01 - 01), ..terms() };
    let done = posted(&plan(&first), 12);
    let longer = scheduled(first, |schedule| Schedule { life: life(72), ..schedule });
    let plan = Plan::of(&longer, &done).expect("a plan");
    // 300.00 are posted; 600.00 are left for 60 months.
    assert_eq!(amounts(&plan)[..12], vec!["25.00"; 12]);
    assert_eq!(amounts(&plan)[12..], vec!["10.00"; 60]);
    assert_eq!((plan.instalments[12].period, plan.instalments[12].from), (13, date!(2026 - 01 - 01)));
}

#[test]
fn another_residual_value_changes_only_what_is_to_come() {
    let first = Terms { in_service: date!(2025 - 01 - 01), ..terms() };
    let done = posted(&plan(&first), 12);
    let plan = Plan::of(&Terms { residual: euros("460.00"), ..first }, &done).expect("a plan");
    assert_eq!(amounts(&plan)[12..], vec!["10.00"; 24]);
    let refused = Plan::of(&Terms { residual: euros("700.01"), ..first }, &done);
    let (accumulated, depreciable) = (euros("300.00"), euros("299.99"));
    assert_eq!(refused, Err(PlanError::Exceeded { accumulated, depreciable }));
}

#[test]
fn a_life_that_is_over_already_leaves_one_instalment() {
    let first = Terms { in_service: date!(2025 - 01 - 01), ..terms() };
    let done = posted(&plan(&first), 12);
    let short = scheduled(first, |schedule| Schedule { life: life(6), ..schedule });
    let plan = Plan::of(&short, &done).expect("a plan");
    assert_eq!(amounts(&plan)[12..], ["600.00"]);
    assert_eq!(
        (plan.instalments[12].from, plan.instalments[12].to),
        (date!(2026 - 01 - 01), date!(2026 - 01 - 31))
    );
}

#[test]
fn an_asset_that_has_lost_all_loses_no_more() {
    let fresh = plan(&terms());
    let done = posted(&fresh, fresh.instalments.len());
    let plan = Plan::of(&terms(), &done).expect("a plan");
    assert_eq!(plan.due(date!(2099 - 12 - 31)).count(), 0);
    let longer = scheduled(terms(), |schedule| Schedule { life: life(72), ..schedule });
    assert_eq!(Plan::of(&longer, &done).expect("a plan").instalments, plan.instalments);
}

#[test]
fn instalments_are_due_when_their_period_has_ended() {
    let fresh = plan(&terms());
    let going_on = Plan::of(&terms(), &posted(&fresh, 2)).expect("a plan");
    let due: Vec<u32> = going_on.due(date!(2025 - 05 - 30)).map(|instalment| instalment.period).collect();
    assert_eq!(due, [3, 4]);
}

#[test]
fn an_asset_that_leaves_loses_value_up_to_that_day() {
    let first = Terms { in_service: date!(2025 - 01 - 01), ..terms() };
    let done = posted(&plan(&first), 2);
    let until = Plan::until(&first, &done, date!(2025 - 04 - 15)).expect("a plan");
    assert_eq!(amounts(&until)[2..], ["25.00", "12.50"]);
    assert_eq!(until.instalments[3].to, date!(2025 - 04 - 15));
    // Where months count whole, the one in which it leaves does not count.
    let whole = scheduled(first, |schedule| Schedule { proration: Proration::FullMonth, ..schedule });
    let until = Plan::until(&whole, &done, date!(2025 - 04 - 15)).expect("a plan");
    assert_eq!(amounts(&until)[2..], ["25.00"]);
}
