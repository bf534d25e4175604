//! How SQLite reads pages: by an index that gives the order, however long the list.

use sea_orm::sea_query::{Asterisk, Expr, Func};
use sea_orm::{DatabaseBackend, QuerySelect, QueryTrait};
use svc_core::audit::{Action, Filter};
use svc_core::event::{EventDeclaration, EventType};
use svc_core::id::SubscriptionId;
use svc_core::page::PageRules;
use svc_core::tenant::Scope;
use svc_testkit::catalogue::events;
use svc_testkit::webhooks::sample::scope;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::{DeliveryFilter, EventFilter};

use super::{Fixture, explained, fixture};
use crate::audit::read;
use crate::auth::tokens;
use crate::statement::Sql;
use crate::webhooks::{event_log, log, purge};
use crate::window::Window;

impl Fixture {
    pub(super) async fn plan(&self, sql: Sql) -> Vec<String> {
        explained(&self.store.conn, sql.statement()).await
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
            assert_flat(&fixture.plan(page).await, "svc_audit_records_order");
        }
    }
}

#[tokio::test]
async fn no_page_of_tokens_reads_or_sorts_what_it_skips() {
    let fixture = fixture().await;
    let (scope, windows) = fixture.windows();
    for window in windows {
        let page = tokens::page(Sql::new(&fixture.store.conn, ""), &scope, window);
        assert_flat(&fixture.plan(page).await, "svc_tokens_primary");
    }
}

impl Fixture {
    /// How a page of a delivery log is read.
    async fn log_plan(&self, filter: &DeliveryFilter, window: Window) -> Vec<String> {
        let (scope, _) = self.windows();
        let id: SubscriptionId = self.samples.subscription(self.samples.account(), &["contact.create"]).id;
        self.plan(log::page(Sql::new(&self.store.conn, ""), &scope, id, filter, window)).await
    }
}

/// A step looks rows up by this index, with this condition.
fn assert_looks_up(steps: &[String], index: &str) {
    assert!(
        steps.iter().any(|step| step.starts_with("SEARCH") && step.contains(index)),
        "{index}: {steps:#?}"
    );
    assert!(!steps.iter().any(|step| step.starts_with("SCAN svc_deliveries")), "{steps:#?}");
}

#[tokio::test]
async fn no_page_of_a_delivery_log_reads_or_sorts_what_it_skips() {
    let fixture = fixture().await;
    let now = fixture.samples.now();
    let of_a_day = DeliveryFilter { from: Some(now), before: Some(now), ..DeliveryFilter::default() };
    for window in fixture.windows().1 {
        for (filter, span) in [
            (&DeliveryFilter::default(), "(subscription_id=?)"),
            (&of_a_day, "(subscription_id=? AND id>? AND id<?)"),
        ] {
            let steps = fixture.log_plan(filter, window).await;
            assert_looks_up(&steps, &format!("COVERING INDEX svc_deliveries_log {span}"));
            assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:#?}");
        }
    }
}

#[tokio::test]
async fn a_delivery_log_narrowed_by_what_changes_reads_its_own_span_and_nothing_else() {
    let fixture = fixture().await;
    let now = fixture.samples.now();
    let (from, before) = (Some(now), Some(now));
    let (status, event_type) = (Some(Status::Failed), Some(EventType::of("contact.create")));
    let filter = DeliveryFilter { status, event_type, from, before, event: None };
    for window in fixture.windows().1 {
        let steps = fixture.log_plan(&filter, window).await;
        assert_looks_up(&steps, "INDEX svc_deliveries_log (subscription_id=? AND id>? AND id<?)");
        assert!(steps.iter().filter(|step| step.contains("TEMP B-TREE")).count() <= 1, "{steps:#?}");
    }
}

#[tokio::test]
async fn a_delivery_log_narrowed_to_an_event_reads_the_deliveries_of_that_event() {
    let fixture = fixture().await;
    let event = fixture.samples.event(fixture.samples.account(), "contact.create").id;
    let filter = DeliveryFilter { event: Some(event), ..DeliveryFilter::default() };
    for window in fixture.windows().1 {
        let steps = fixture.log_plan(&filter, window).await;
        assert_looks_up(&steps, "svc_deliveries_single (event_id=?");
        assert_looks_up(&steps, "svc_deliveries_by_hand (event_id=?");
    }
}

#[tokio::test]
async fn the_log_of_events_is_counted_and_skipped_in_its_indexes_alone() {
    let fixture = fixture().await;
    let (scope, windows) = fixture.windows();
    let all = EventFilter {
        companies: Vec::new(),
        types: events().all().map(EventDeclaration::kind).collect(),
        object: None,
        from: None,
        before: None,
    };
    let of_an_object = EventFilter { object: Some("con_1".to_owned()), ..all.clone() };
    for (filter, index) in [
        (&all, "COVERING INDEX svc_events_log (account_id=?)"),
        (&of_an_object, "COVERING INDEX svc_events_object (account_id=? AND object_id=?)"),
    ] {
        let matching = event_log::matching(&scope, filter);
        let counted = matching.clone().select_only().expr(Func::count(Expr::col(Asterisk)));
        let pages = windows.map(|window| event_log::ids(matching.clone(), window));
        // Either index counts without a look at rows; one of them gives the order too.
        let looks =
            pages.map(|page| (page, index)).into_iter().chain([(counted, "COVERING INDEX svc_events_")]);
        for (look, index) in looks {
            let steps = explained(&fixture.store.conn, look.build(DatabaseBackend::Sqlite)).await;
            assert!(steps.iter().any(|step| step.contains(index)), "{index}: {steps:#?}");
            assert!(!steps.iter().any(|step| step.contains("ORDER BY")), "{steps:#?}");
        }
    }
}

#[tokio::test]
async fn a_purge_reads_the_front_of_the_primary_keys() {
    let fixture = fixture().await;
    let (conn, now) = (&fixture.store.conn, fixture.samples.now());
    for (purge, table) in [
        (purge::old_deliveries(Sql::new(conn, ""), now, 1_000), "svc_deliveries"),
        (purge::old_events(Sql::new(conn, ""), now, 1_000), "svc_events"),
    ] {
        let steps = fixture.plan(purge).await;
        let first = format!("SEARCH {table} USING");
        assert!(steps.iter().any(|step| step.starts_with(&first) && step.ends_with("(id<?)")), "{steps:#?}");
        assert!(
            !steps.iter().any(|step| step.contains("TEMP B-TREE") || step.starts_with("SCAN")),
            "{steps:#?}"
        );
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
