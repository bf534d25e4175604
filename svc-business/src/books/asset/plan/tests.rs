mod amounts;
mod invariants;
mod replan;

use svc_core::id::TypedId;
use svc_core::money::{Amount, Currency};
use time::macros::date;
use time::{Date, Month};
use uuid::Uuid;

use super::*;

fn euros(text: &str) -> Amount {
    Amount::parse(text, Currency::EUR).expect("an amount")
}

/// 36 months from 2025-01-15 by days, monthly; cost 1,000.00 and residual value 100.00.
fn terms() -> Terms {
    let schedule = Schedule {
        pattern: Pattern::StraightLine,
        life: life(36),
        frequency: Frequency::Monthly,
        proration: Proration::Daily,
        year_start: Month::January,
    };
    Terms {
        cost: euros("1000.00"),
        residual: euros("100.00"),
        opening_accumulated: euros("0.00"),
        in_service: date!(2025 - 01 - 15),
        schedule: Some(schedule),
    }
}

fn life(months: u16) -> Life {
    Life::new(months).expect("in range")
}

/// The terms with another schedule.
fn scheduled(terms: Terms, change: impl FnOnce(Schedule) -> Schedule) -> Terms {
    Terms { schedule: terms.schedule.map(change), ..terms }
}

fn plan(terms: &Terms) -> Plan {
    Plan::of(terms, &[]).expect("a plan")
}

fn amounts(plan: &Plan) -> Vec<String> {
    plan.instalments.iter().map(|instalment| instalment.amount.to_string()).collect()
}

fn sum(plan: &Plan) -> i64 {
    plan.instalments.iter().map(|instalment| instalment.amount.minor()).sum()
}

/// The first instalments of a plan, posted.
fn posted(plan: &Plan, count: usize) -> Vec<PostedInstalment> {
    let entry = |instalment: &Instalment| TypedId::from_uuid(Uuid::from_u128(instalment.period.into()));
    let post = |instalment: &Instalment| PostedInstalment {
        period: instalment.period,
        from: instalment.from,
        to: instalment.to,
        amount: instalment.amount,
        entry: entry(instalment),
    };
    plan.instalments.iter().take(count).map(post).collect()
}
