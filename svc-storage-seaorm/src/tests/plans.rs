//! How SQLite reads pages: by an index that gives the order, however long the list.

use sea_orm::{ConnectionTrait, Statement};
use svc_core::audit::{Action, Filter};
use svc_core::page::PageRules;
use svc_core::tenant::Scope;
use svc_testkit::webhooks::sample::scope;

use super::{Fixture, fixture};
use crate::audit::read;
use crate::auth::tokens;
use crate::business::rows::Window;
use crate::statement::Sql;

impl Fixture {
    async fn plan(&self, sql: Sql) -> Vec<String> {
        let statement = sql.statement();
        let plan = Statement { sql: format!("EXPLAIN QUERY PLAN {}", statement.sql), ..statement };
        let steps = self.store.conn.query_all_raw(plan).await.expect("a plan");
        steps.iter().map(|step| step.try_get("", "detail").expect("a step")).collect()
    }

    /// Windows near both ends of a long list of one company.
    fn windows(&self) -> (Scope, [Window; 2]) {
        let page = |number| PageRules::USUAL.page(Some(number), Some(50)).expect("a page");
        let windows = [2, 399].map(|number| Window::of(page(number), 20_000).expect("within the list"));
        (scope([self.samples.account()]), windows)
    }
}

/// The page is picked from the index; only its own rows are read and put in order.
fn assert_flat(steps: &[String], index: &str) {
    assert!(steps.iter().any(|step| step.contains(&format!("COVERING INDEX {index} "))), "{steps:#?}");
    assert_eq!(steps.iter().filter(|step| step.contains("TEMP B-TREE")).count(), 1, "{steps:#?}");
    assert!(!steps.iter().any(|step| step.starts_with("SCAN")), "{steps:#?}");
}

#[tokio::test]
async fn no_page_of_the_audit_log_reads_or_sorts_what_it_skips() {
    let fixture = fixture().await;
    let (scope, windows) = fixture.windows();
    let narrowed = Filter {
        action: Some(Action::TokenRotate),
        subject: Some("tok_1".to_owned()),
        from: Some(fixture.samples.now()),
        until: Some(fixture.samples.now()),
    };
    for window in windows {
        for filter in [&Filter::default(), &narrowed] {
            let page = read::page(Sql::new(&fixture.store.conn, ""), &scope, filter, window);
            assert_flat(&fixture.plan(page).await, "audit_records_order");
        }
    }
}

#[tokio::test]
async fn no_page_of_tokens_reads_or_sorts_what_it_skips() {
    let fixture = fixture().await;
    let (scope, windows) = fixture.windows();
    for window in windows {
        let page = tokens::page(Sql::new(&fixture.store.conn, ""), &scope, window);
        assert_flat(&fixture.plan(page).await, "tokens_primary");
    }
}

#[tokio::test]
async fn a_scope_of_many_companies_is_one_value_of_the_statement() {
    let fixture = fixture().await;
    let (_, [window, _]) = fixture.windows();
    let texts = [2, 40].map(|many| {
        let scope = scope((0..many).map(|_| fixture.samples.account()));
        tokens::page(Sql::new(&fixture.store.conn, ""), &scope, window).statement().sql
    });
    let [few, many] = texts;
    assert_eq!(few, many);
}
