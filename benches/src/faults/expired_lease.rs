//! A server that is stopped in the middle of its attempts for longer than its leases hold, and goes on then.
//!
//! 1. The first server has attempts under way that the receiver does not answer, and is stopped (SIGSTOP).
//! 2. A second server starts. When the leases have ended it makes the attempts itself, and they arrive.
//! 3. The receiver answers the held attempts too, and the first server goes on (SIGCONT). All that it wants to
//!    write down is stale: nothing of the log changes, and it counts each.

use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use super::{Client, Manner, Process, Receiver, Report, Site, progress, settled, subscribe, until};

/// First attempts that are under way to one receiver at a time.
const WINDOW: usize = 4;
const STOPPED: &str = "stopped.example";

/// Runs it on a PostgreSQL database.
pub async fn run(server: &Path, url: &str, subscriptions: u16, seed: u64) -> Report {
    // The lease is the time of an attempt and 20 s.
    let site = Site::postgres(server, url).with("SVC_WEBHOOKS__TIMEOUT", "5s");
    let token = site.bootstrap().await;
    let manner = Manner { held: Some(STOPPED.to_owned()), ..Manner::default() };
    let receiver = Receiver::open(manner, seed).await;
    let first = site.serve(STOPPED).await;
    let logs = subscribe(first.api, &token, &["contact.create"], receiver.urls(subscriptions)).await;
    for number in 0..WINDOW {
        create(&first, &token, &format!("Acme {number}")).await;
    }
    let held = WINDOW * usize::from(subscriptions);
    until("the attempts are under way", async || receiver.count() == held).await;
    first.signal("STOP").await;
    let stopped = Instant::now();
    progress(&format!("{held} attempts under way, stopped; their leases end in 25 s"));

    let second = site.serve("second.example").await;
    until("the second server has delivered all", async || {
        receiver.count() >= 2 * held && second.is_idle().await
    })
    .await;
    let took_over = stopped.elapsed();
    let before = log(&second, &token, &logs).await;

    receiver.release();
    first.signal("CONT").await;
    let stale = || first.metric("svc_webhook_stale_settlements_total");
    until("the first server has settled what it had", async || stale().await >= exact(held)).await;
    let after = log(&second, &token, &logs).await;
    // Both go on to work.
    create(&first, &token, "Acme after it").await;
    until("what comes after it arrives", async || receiver.count() >= 2 * held + usize::from(subscriptions))
        .await;
    settled(&first).await;

    let mut report = Report::new("a server stopped past its leases", seed);
    report.shown("attempts under way as it was stopped", held);
    report.shown("delivered by the other one after, s", format!("{:.1}", took_over.as_secs_f64()));
    let delivered = before.iter().filter(|one| is_delivered_at_once(one)).count();
    report.least("delivered by the other one, one attempt each in the log", delivered, held);
    let stale = stale().await;
    report.so("what the stopped one settled is stale, all of it", (stale - exact(held)).abs() < 0.5);
    let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    report.most("deliveries in the log that it changed", changed, 0);
    report.most("deliveries in the log that it added", after.len().abs_diff(before.len()), 0);
    let arrivals = receiver.count();
    report.most("arrivals", arrivals, 2 * held + usize::from(subscriptions));
    let stale_of_second = second.metric("svc_webhook_stale_settlements_total").await;
    report.so("nothing of the other one is stale", stale_of_second == 0.0);
    for server in [first, second] {
        assert!(server.stop().await.success(), "a server ends in good order:\n{}", site.log());
    }
    report
}

async fn create(server: &Process, token: &str, name: &str) {
    let body = format!(r#"{{"kind":"organization","legalName":"{name}"}}"#);
    let answer = Client::new(token).post(server.api, "/api/v1/contacts", None, &body).await;
    let answer = answer.expect("answered");
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
}

/// The deliveries of each subscription, as the log shows them.
async fn log(server: &Process, token: &str, subscriptions: &[String]) -> Vec<Value> {
    let mut client = Client::new(token);
    let mut deliveries = Vec::new();
    for subscription in subscriptions {
        let path = format!("/api/v1/webhooks/subscriptions/{subscription}/deliveries?limit=200");
        let answer = client.get(server.api, &path).await.expect("answered");
        let page: Value = serde_json::from_slice(&answer.body).expect("JSON");
        deliveries.extend(page.get("items").and_then(Value::as_array).expect("a list").iter().cloned());
    }
    deliveries
}

fn is_delivered_at_once(delivery: &Value) -> bool {
    delivery.get("status").is_some_and(|status| status == "delivered")
        && delivery.get("attempts").is_some_and(|attempts| attempts == 1)
}

#[expect(clippy::cast_precision_loss, reason = "a count of attempts")]
fn exact(count: usize) -> f64 {
    count as f64
}
