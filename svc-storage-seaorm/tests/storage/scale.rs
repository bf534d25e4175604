//! Many rows at once: limits of a statement, and workers side by side.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait as _, TransactionTrait as _};
use svc_core::clock::Timestamp;
use svc_core::unit::UnitOfWork;
use svc_testkit::audit::noted;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{ClaimRequest, Count, Settlement, WebhookUnit};
use tokio::time::timeout;

use crate::both::on_both;
use crate::fresh::{Fresh, postgres};

on_both! {
    twenty_thousand_deliveries_go_in_at_once
    workers_side_by_side_never_claim_the_same_delivery
}

/// One subscription with so many deliveries, all due now; answers when the oldest became so.
async fn fill(fresh: &Fresh, samples: &Samples, many: usize) -> Timestamp {
    let subscription = samples.subscription(samples.account(), &["contact.create"]);
    let events: Vec<_> = (0..many).map(|_| samples.event(subscription.account, "contact.create")).collect();
    let deliveries: Vec<Delivery> =
        events.iter().map(|event| samples.delivery(event, &subscription)).collect();
    let unit = fresh.database.begin().await.expect("a unit");
    assert!(unit.subscriptions().insert(&subscription, 20).await.expect("inserted"));
    unit.outbox().publish(&events).await.expect("published");
    unit.deliveries().insert(&deliveries, None).await.expect("inserted");
    // A second time: every one of them is there already.
    unit.deliveries().insert(deliveries.split_at(10).0, None).await.expect("ignored");
    noted(&*unit, subscription.account).await.expect("noted");
    unit.commit().await.expect("committed");
    deliveries.iter().filter_map(Delivery::next_attempt_at).min().expect("some are due")
}

async fn twenty_thousand_deliveries_go_in_at_once(fresh: &Fresh) {
    let samples = Samples::new(9);
    let oldest = fill(fresh, &samples, 20_000).await;
    let storage = fresh.database.queue_overview();
    let depth = storage.depth(samples.now()).await.expect("read");
    let counts = [depth.events, depth.queued, depth.due].map(|count| (count.is_exact(), count.least()));
    assert_eq!(counts, [(false, Count::EXACT); 3]);
    // The outbox is in one piece, so the span of its positions is its length.
    assert_eq!((depth.events.about(), depth.oldest_due), (20_000, Some(oldest)));
    let claimed = storage
        .queue()
        .claim(&ClaimRequest::any(5_000), samples.now(), Duration::from_secs(30))
        .await
        .expect("claimed")
        .leased;
    assert_eq!(claimed.len(), 5_000);
    let later = samples.now().plus(Duration::from_secs(1));
    let settlements: Vec<Settlement> = claimed.into_iter().map(|leased| ended(leased, later)).collect();
    assert_eq!(storage.queue().settle(&settlements).await.expect("settled"), 5_000);
    assert_eq!(storage.queue().settle(&settlements).await.expect("stale"), 0);
    assert_eq!(storage.depth(later).await.expect("read").queued.least(), Count::EXACT);
    assert_eq!(
        storage.queue().purge(later.plus(Duration::from_secs(1)), 4_000).await.expect("purged"),
        4_000
    );
}

fn ended(leased: svc_webhooks::ports::Leased, at: Timestamp) -> Settlement {
    let delivery = leased.delivery.cancel(at, "subscription_inactive").expect("it had not ended");
    Settlement { lease: leased.lease, delivery, attempt: None, asked_until: None }
}

async fn workers_side_by_side_never_claim_the_same_delivery(fresh: &Fresh) {
    let samples = Samples::new(10);
    fill(fresh, &samples, 300).await;
    let storage = fresh.database.queue_overview();
    let worker = || async {
        let mut seen = Vec::new();
        loop {
            let claimed = storage
                .queue()
                .claim(&ClaimRequest::any(7), samples.now(), Duration::from_secs(30))
                .await
                .expect("claimed")
                .leased;
            if claimed.is_empty() && storage.depth(samples.now()).await.expect("read").oldest_due.is_none() {
                return seen;
            }
            seen.extend(claimed.into_iter().map(|leased| leased.delivery.id));
        }
    };
    let all: Vec<_> = join_all((0..4).map(|_| worker())).await.into_iter().flatten().collect();
    assert_eq!(all.len(), 300);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 300);
}

/// Deliveries whose leases have ended may be settled just now, in another order than that of a claim.
#[tokio::test]
async fn a_claim_passes_what_another_unit_holds_and_takes_it_later() {
    let Some(fresh) = postgres().await else { return };
    let samples = Samples::new(11);
    fill(&fresh, &samples, 100).await;
    let storage = fresh.database.queue_overview();
    let claim = async |at: Timestamp| {
        let request = ClaimRequest::any(200);
        let claim = storage.queue().claim(&request, at, Duration::from_secs(30));
        // Below the lock timeout, and long enough for a machine that does much else.
        timeout(Duration::from_secs(8), claim)
            .await
            .expect("waits for no other unit")
            .expect("claimed")
            .leased
            .len()
    };
    assert_eq!(claim(samples.now()).await, 100);

    let ended = samples.now().plus(Duration::from_mins(1));
    let raw = fresh.raw().await;
    let settling = raw.begin().await.expect("begun");
    let sql = "DELETE FROM svc_delivery_queue WHERE id IN \
               (SELECT id FROM svc_delivery_queue ORDER BY id DESC LIMIT 40)";
    settling.execute_unprepared(sql).await.expect("held");
    assert_eq!(claim(ended).await, 60);
    settling.rollback().await.expect("given up");
    assert_eq!(claim(ended).await, 40);
}
