use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_testkit::audit::noted;
use svc_testkit::fakes::SeededRandom;
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::delivery::DispatchReport;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::flow::FIRST_WINDOW;
use svc_webhooks::ports::{Answer, Claimed, Exchange, Outgoing, Refusal, Wish};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::Subscription;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::*;
use crate::shutdown;

const CREATED: &str = "contact.create";
const UPDATED: &str = "contact.update";

/// Answers at once, but never for events of one kind, and with a failure for those of another.
struct Sender {
    never: &'static str,
    fails: &'static str,
    sent: mpsc::UnboundedSender<String>,
}

#[async_trait]
impl HttpSender for Sender {
    async fn check(&self, _: &Endpoint) -> Result<(), Refusal> {
        Ok(())
    }

    async fn send(&self, request: Outgoing) -> Exchange {
        let event = request.headers.iter().find(|(name, _)| *name == "X-SVC-Webhook-Event");
        let event = event.map(|(_, value)| value.clone()).expect("each request names its event");
        self.sent.send(event.clone()).expect("the test looks on");
        if event == self.never {
            std::future::pending::<()>().await;
        }
        let status = if event == self.fails { 500 } else { 200 };
        Exchange::ended(Ok(Answer::bare(status)))
    }
}

/// Storage with a subscription to each kind of event, and so many events of each in the outbox.
async fn storage(samples: &Samples, events: &[(&str, usize)]) -> (MemoryWebhooks, Vec<Subscription>) {
    let storage = MemoryWebhooks::new();
    let mut subscriptions = Vec::new();
    for (kind, count) in events {
        let account = samples.account();
        let subscription = samples.subscription(account, &[kind]);
        let unit = storage.begin().await.expect("begun");
        assert!(unit.subscriptions().insert(&subscription, 1).await.expect("added"));
        noted(&*unit, account).await.expect("noted");
        unit.commit().await.expect("committed");
        subscriptions.push(subscription);
        let events: Vec<_> = (0..*count).map(|_| samples.event(account, kind)).collect();
        storage.append(&events);
    }
    (storage, subscriptions)
}

fn deliverer(storage: &MemoryWebhooks, samples: &Samples, sender: Sender) -> Deliverer {
    let config =
        AttemptConfig::new(Duration::from_secs(10), RetrySchedule::STANDARD, "http://localhost".to_owned());
    Deliverer {
        storage: Arc::new(storage.clone()),
        sender: Arc::new(sender),
        clock: Arc::new(samples.clock().clone()),
        random: Arc::new(SeededRandom::new(9)),
        config: Arc::new(config),
        committed: Arc::new(Notify::new()),
    }
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_hangs_has_its_first_window_and_holds_up_nobody_else() {
    let samples = Samples::new(1);
    let (storage, subscriptions) = storage(&samples, &[(UPDATED, 900), (CREATED, 3_000)]).await;
    let (sent, mut arrivals) = mpsc::unbounded_channel();
    let (trigger, asked) = shutdown::channel();
    let running =
        tokio::spawn(deliverer(&storage, &samples, Sender { never: UPDATED, fails: "", sent }).run(asked));

    let (mut hanging, mut arrived) = (0, 0);
    while arrived < 3_000 {
        match arrivals.recv().await.expect("sent").as_str() {
            CREATED => arrived += 1,
            _ => hanging += 1,
        }
    }
    assert_eq!(hanging, FIRST_WINDOW, "nothing was answered, so nothing more is tried");
    trigger.pull();
    running.await.expect("it ends although some attempts never do");

    let left = storage.queue().claim(&Wish::any(5_000), samples.now(), Duration::from_secs(1)).await;
    let left = left.expect("claimed").leased;
    assert_eq!(left.len(), 900, "the others were settled, and what hung or waited was given back");
    assert!(left.iter().all(|leased| leased.delivery.attempts == 0));
    assert!(left.iter().all(|leased| leased.delivery.subscription == subscriptions[0].id));
}

#[tokio::test(start_paused = true)]
async fn what_is_committed_while_the_queue_is_idle_is_sent_without_a_claim() {
    let samples = Samples::new(2);
    let (storage, subscriptions) = storage(&samples, &[(CREATED, 0)]).await;
    let (sent, mut arrivals) = mpsc::unbounded_channel();
    let (trigger, asked) = shutdown::channel();
    let deliverer = deliverer(&storage, &samples, Sender { never: UPDATED, fails: "", sent });
    let committed = Arc::clone(&deliverer.committed);
    let running = tokio::spawn(deliverer.run(asked));
    tokio::time::sleep(Duration::from_mins(1)).await;

    let asleep = Instant::now();
    storage.append(&[samples.event(subscriptions[0].account, CREATED)]);
    committed.notify_one();
    assert_eq!(arrivals.recv().await.as_deref(), Some(CREATED));
    assert_eq!(Instant::now(), asleep, "no timer had to pass");
    trigger.pull();
    running.await.expect("it ends");
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_only_fails_is_asked_for_something_new_once_in_each_rest() {
    let samples = Samples::new(3);
    let (storage, subscriptions) = storage(&samples, &[(UPDATED, 900), (CREATED, 600)]).await;
    let (sent, mut arrivals) = mpsc::unbounded_channel();
    let (trigger, asked) = shutdown::channel();
    let sender = Sender { never: "", fails: UPDATED, sent };
    let running = tokio::spawn(deliverer(&storage, &samples, sender).run(asked));
    let mut arrived = async |rest: Duration| {
        samples.clock().advance(rest);
        // Enough for every timer of the deliverer; the clock of the deliveries stands still meanwhile.
        tokio::time::sleep(Duration::from_secs(10)).await;
        let (mut failed, mut fine) = (0, 0);
        while let Ok(event) = arrivals.try_recv() {
            *(if event == UPDATED { &mut failed } else { &mut fine }) += 1;
        }
        (failed, fine)
    };

    assert_eq!(
        arrived(Duration::ZERO).await,
        (5, 600),
        "it rests from the fifth failure on, and nobody else"
    );
    for millis in [94, 188, 375, 750, 1_500, 3_000, 3_000] {
        assert_eq!(arrived(Duration::from_millis(millis)).await, (1, 0), "after {millis} ms");
    }
    trigger.pull();
    running.await.expect("it ends");

    // What a server that starts now reads of it.
    let left = storage.queue().claim(&Wish::any(1), samples.now(), Duration::from_secs(1)).await;
    let standing = left.expect("claimed").leased[0].standing;
    assert_eq!(standing.consecutive_failures, 12);
    let health =
        storage.subscriptions().health(&scope([subscriptions[1].account]), &[subscriptions[1].id]).await;
    assert_eq!(health.expect("read")[&subscriptions[1].id].present.successes, 600);
}

#[tokio::test(start_paused = true)]
async fn steps_that_need_what_another_holds_end_together() {
    let samples = Samples::new(4);
    let (storage, _) = storage(&samples, &[]).await;
    let (sent, _arrivals) = mpsc::unbounded_channel();
    let deliverer = deliverer(&storage, &samples, Sender { never: "", fails: "", sent });
    let mut work = Work::new(&deliverer.config.schedule);
    let (mut fan_out, mut claim, mut settle) = (FanOut::new(), Claim::new(), Settle::new());
    let writer = Arc::new(tokio::sync::Mutex::new(()));
    let held = |writer: &Arc<tokio::sync::Mutex<()>>| {
        let writer = Arc::clone(writer);
        async move {
            let _turn = writer.lock().await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let (first, second, third) = (held(&writer), held(&writer), held(&writer));
    settle.step.begin(async move {
        first.await;
        (Vec::new(), Ok(0))
    });
    claim.step.begin(async move {
        second.await;
        Ok((Claimed::default(), Timestamp::default(), None))
    });
    fan_out.step.begin(async move {
        third.await;
        Ok((DispatchReport::default(), Vec::new()))
    });
    assert!(timeout(Duration::ZERO, settle.step.done()).await.is_err(), "it holds the writer now");

    let ended = deliverer.end_steps(&mut work, fan_out, claim, settle);
    timeout(Duration::from_secs(1), ended).await.expect("none waits for one that stands still");
}
