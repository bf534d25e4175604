//! What delivers reads no table as a whole, however many rows a statement is about: so what a step of the
//! queue costs on SQLite does not grow with what is kept.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use svc_core::event::Event;
use svc_core::outbox::Outbox;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{
    Answer, ClaimRequest, DeliveryStore, Exchange, FanOut, InitialLease, Lease, OutboxPosition, ReplayReader,
    ReplayStore,
};
use svc_webhooks::replay::{Ended, Look, Selection, Source};
use svc_webhooks::subscription::Subscription;

use super::{Fixture, explained, fixture};
use crate::outbox::ReadsReceivers;
use crate::store::SeaStore;

/// Has every statement explained before it runs.
struct Explaining {
    conn: DatabaseConnection,
    plans: Mutex<Vec<Plan>>,
}

struct Plan {
    /// The statement, or its beginning.
    text: String,
    steps: Vec<String>,
}

impl Explaining {
    async fn explain(&self, statement: &Statement) {
        let steps = explained(&self.conn, statement.clone()).await;
        let text = statement.sql.chars().take(200).collect();
        self.plans.lock().unwrap_or_else(PoisonError::into_inner).push(Plan { text, steps });
    }

    /// What was explained since this was called last.
    fn plans(&self) -> Vec<Plan> {
        std::mem::take(&mut *self.plans.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl ConnectionTrait for Explaining {
    fn get_database_backend(&self) -> DbBackend {
        self.conn.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.explain(&statement).await;
        self.conn.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.execute_raw(Statement::from_string(self.get_database_backend(), sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.explain(&statement).await;
        self.conn.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.explain(&statement).await;
        self.conn.query_all_raw(statement).await
    }
}

/// Values that a statement was given.
const GIVEN: [&str; 4] =
    ["CONSTANT ROW", "CONSTANT ROWS", "VALUES CLAUSE", "json_each VIRTUAL TABLE INDEX 1:"];

/// Whether a step may read all that there is: what the statement was given or has selected itself, or the first
/// rows of the outbox, in its own order, up to a limit.
fn may_read_all(step: &str, of: &Plan) -> bool {
    let read = step.trim_start_matches("SCAN ");
    let selected = ["MATERIALIZE", "CO-ROUTINE"].map(|how| format!("{how} {read}"));
    GIVEN.iter().any(|given| step.ends_with(given))
        || of.steps.iter().any(|step| selected.contains(step))
        || (read == "svc_outbox" && of.text.contains("FROM svc_outbox ORDER BY position LIMIT ?"))
}

fn assert_looks_up(plans: &[Plan]) {
    for plan in plans {
        for step in &plan.steps {
            let (text, steps) = (&plan.text, &plan.steps);
            assert!(!step.starts_with("SCAN") || may_read_all(step, plan), "{step} of {text}: {steps:#?}");
            assert!(!step.contains("AUTOMATIC"), "{text}: {steps:#?}");
        }
    }
}

fn deliveries(fixture: &Fixture, events: &[Event], subscription: &Subscription) -> Vec<Delivery> {
    events.iter().map(|event| fixture.samples.delivery(event, subscription)).collect()
}

const LEASE: Duration = Duration::from_secs(30);

/// Sends so many events to three subscriptions: at once, from the queue, and by hand; each step is explained.
async fn assert_reads_no_table(events: usize) {
    let fixture = fixture().await;
    let samples = &fixture.samples;
    let store = SeaStore::new(
        Explaining { conn: fixture.store.conn.clone(), plans: Mutex::default() },
        fixture.store.sealer.clone(),
    );
    let account = samples.account();
    let mut subscriptions = Vec::new();
    for _ in 0..3 {
        let subscription = samples.subscription(account, &["contact.create"]);
        svc_webhooks::ports::SubscriptionStore::insert(&store, &subscription, 20).await.expect("added");
        subscriptions.push(subscription);
    }
    let [first, second, third] = subscriptions.as_slice() else { unreachable!("three were added") };
    let published: Vec<_> = (0..events).map(|_| samples.event(account, "contact.create")).collect();
    fixture.store.publish(&published).await.expect("published");

    let (waiting, _) = store.waiting_events(10_000).await.expect("read");
    let positions: Vec<OutboxPosition> = waiting.iter().map(|(position, _)| *position).collect();
    let initial_lease = InitialLease { lease: Lease(7), until: samples.now().plus(LEASE) };
    let queued = [second, third].map(|one| deliveries(&fixture, &published, one)).concat();
    let batch = FanOut { positions, leased: deliveries(&fixture, &published, first), queued, initial_lease };
    assert_eq!(store.fan_out(&batch).await.expect("fanned out").deliveries.len(), 3 * events);

    let claimed =
        store.claim(&ClaimRequest::any(10_000), samples.now(), LEASE).await.expect("claimed").leased;
    assert_eq!(claimed.len(), 2 * events);
    let (unused, attempted) = claimed.split_at(events);
    store.release(unused).await.expect("given back");
    let answers = [200, 500].map(|status| Exchange::ended(Ok(Answer::bare(status)))).into_iter().cycle();
    let settlements: Vec<_> =
        attempted.iter().zip(answers).map(|(one, answer)| samples.settled(one, answer)).collect();
    let settled = store.settle(&settlements).await.expect("settled");
    assert_eq!(usize::try_from(settled).expect("few"), events);
    store.next_due(&ClaimRequest::any(1)).await.expect("read");

    let selection = samples.selection(first);
    assert_eq!(store.count(&selection).await.expect("counted"), u64::try_from(events).expect("few"));
    let look = Look { after: None, until: selection.until, limit: 1_000, room: 1_000 };
    assert_eq!(store.look(&selection, &look).await.expect("read").len(), events.min(1_000));
    let by_hand = deliveries(&fixture, &published, first).into_iter();
    let by_hand: Vec<_> = by_hand.map(|one| Delivery { automatic: false, ..one }).collect();
    assert_eq!(DeliveryStore::insert(&store, &by_hand, None).await.expect("added").len(), events);

    let source = Source::Deliveries { ended: Ended::Failed, event: None, even_if_arrived: false };
    let failed = Selection { source, ..selection };
    store.count(&failed).await.expect("counted");
    store.look(&failed, &look).await.expect("read");
    assert_eq!(store.receivers_of(account).await.expect("read").len(), 3);

    let plans = store.conn.plans();
    for looked_up in
        ["SEARCH svc_deliveries USING", "SEARCH svc_delivery_queue USING", "SEARCH svc_subscriptions USING"]
    {
        let mut steps = plans.iter().flat_map(|plan| &plan.steps);
        assert!(steps.any(|step| step.starts_with(looked_up)), "explained: {looked_up}");
    }
    assert_looks_up(&plans);
}

#[tokio::test]
async fn a_few_deliveries_are_looked_up() {
    assert_reads_no_table(1).await;
    assert_reads_no_table(30).await;
}

#[tokio::test]
async fn hundreds_of_deliveries_are_looked_up_too() {
    assert_reads_no_table(1_000).await;
}
