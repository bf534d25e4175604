//! Request budgets that many draw from at once.

use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use svc_auth::limit::Limits;
use svc_auth::ports::{BudgetStore, Draw, Drawn};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TypedId};
use svc_storage_seaorm::Engine;
use uuid::Uuid;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW};

on_both! {
    many_at_once_draw_the_whole_budget_and_no_more
    what_is_given_back_while_others_draw_is_used_once
    a_refused_draw_writes_nothing
}

const LIMITS: Limits = Limits { per_minute: 100, per_month: 150 };

fn company(number: u128) -> AccountId {
    AccountId::from_uuid(Uuid::from_u128(number))
}

async fn draw(store: &dyn BudgetStore, wanted: u32, unused: u32, now: Timestamp) -> Drawn {
    let draw = Draw { wanted, unused, drawn_at: NOW };
    store.draw(company(1), draw, LIMITS, now).await.expect("drawn")
}

async fn many_at_once_draw_the_whole_budget_and_no_more(fresh: &Fresh) {
    let nodes = fresh.nodes().await;
    // The first draws of all race for the row itself.
    for (minute, expected) in [(0, 100), (1, 50)] {
        let now = NOW.plus(Duration::from_secs(60 * minute));
        let drawing = nodes.iter().cycle().take(24).map(|node| {
            let store = node.budgets();
            tokio::spawn(async move {
                let mut sum = 0;
                loop {
                    let drawn = draw(&*store, 7, 0, now).await;
                    if drawn.granted == 0 {
                        return sum;
                    }
                    sum += drawn.granted;
                }
            })
        });
        let granted: u32 = join_all(drawing).await.into_iter().map(|sum| sum.expect("no panic")).sum();
        assert_eq!(granted, expected, "minute {minute}");
    }
    // Another company has budgets of its own.
    let other = Draw { wanted: 7, unused: 0, drawn_at: NOW };
    let drawn = fresh.database.budgets().draw(company(2), other, LIMITS, NOW).await.expect("drawn");
    assert_eq!(drawn, Drawn { granted: 7, minute_used: 7, month_used: 7 });
}

async fn what_is_given_back_while_others_draw_is_used_once(fresh: &Fresh) {
    let nodes = fresh.nodes().await;
    let working = nodes.iter().cycle().take(12).map(|node| {
        let store = node.budgets();
        tokio::spawn(async move {
            // Each uses all but two of what it was granted, and gives those back with the next draw.
            let (mut used, mut unused) = (0, 0);
            for _ in 0..6 {
                let granted = draw(&*store, 5, unused, NOW).await.granted;
                unused = granted.min(2);
                used += granted - unused;
            }
            draw(&*store, 0, unused, NOW).await;
            used
        })
    });
    let used: u32 = join_all(working).await.into_iter().map(|used| used.expect("no panic")).sum();
    assert!((50..=100).contains(&used), "{used}");
    let left = draw(&*fresh.database.budgets(), 1_000, 0, NOW).await;
    assert_eq!((left.granted, left.minute_used), (100 - used, 100));
}

async fn a_refused_draw_writes_nothing(fresh: &Fresh) {
    let (store, raw) = (fresh.database.budgets(), fresh.raw().await);
    let engine = fresh.database.engine();
    draw(&*store, 100, 0, NOW).await;
    let before = stamp(&raw, engine).await;
    let refused = draw(&*store, 5, 0, NOW).await;
    assert_eq!(refused, Drawn { granted: 0, minute_used: 100, month_used: 100 });
    // An unknown company with no budget at all, and leftovers of a minute that is over for good.
    let nothing = Limits { per_minute: 0, per_month: 0 };
    let asked = Draw { wanted: 5, unused: 0, drawn_at: NOW };
    assert_eq!(store.draw(company(2), asked, nothing, NOW).await.expect("drawn").granted, 0);
    let stale = Draw { wanted: 0, unused: 9, drawn_at: NOW.minus(Duration::from_hours(24 * 60)) };
    store.draw(company(1), stale, LIMITS, NOW).await.expect("drawn");
    assert_eq!(stamp(&raw, engine).await, before);
    draw(&*store, 0, 1, NOW).await;
    assert_ne!(stamp(&raw, engine).await, before, "a draw that gives something back is written");
}

/// What changes with every write: of the rows' versions and locks on PostgreSQL, of the file on SQLite.
async fn stamp(raw: &DatabaseConnection, engine: Engine) -> Vec<String> {
    let sql = match engine {
        Engine::Postgres => "SELECT concat(xmin, ' ', xmax, ' ', ctid) FROM svc_request_budgets ORDER BY 1",
        Engine::Sqlite => "SELECT CAST(data_version AS text) FROM pragma_data_version",
    };
    let rows =
        raw.query_all_raw(Statement::from_string(raw.get_database_backend(), sql)).await.expect("read");
    rows.iter().map(|row| row.try_get_by_index(0).expect("text")).collect()
}
