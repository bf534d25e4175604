mod unsettled;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_testkit::audit::noted;
use svc_testkit::fakes::{FakeSender, SeededRandom};
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::delivery::{DispatchReport, Product, attempt_once, dispatch_once};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::names::{HeaderPrefix, Mark, Names};
use svc_webhooks::ports::{Answer, ClaimRequest, Claimed, Exchange, Outgoing, Refusal};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::scheduler::FIRST_WINDOW;
use svc_webhooks::subscription::Subscription;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use svc_webhooks::ports::{HttpSender, WebhookStorage};

use super::steps::Steps;
use super::*;

const CREATED: &str = "contact.create";
const UPDATED: &str = "contact.update";

/// Answers after a time, but never for events of one kind, and with a failure for those of another.
struct Sender {
    takes: Duration,
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
        tokio::time::sleep(self.takes).await;
        let status = if event == self.fails { 500 } else { 200 };
        let mut exchange = Exchange::ended(Ok(Answer::bare(status)));
        exchange.timings.total = self.takes;
        exchange
    }
}

/// Storage with a subscription to each kind of event, and so many events of each in the outbox.
async fn storage(samples: &Samples, events: &[(&str, usize)]) -> (MemoryWebhooks, Vec<Subscription>) {
    let storage = MemoryWebhooks::new();
    let mut subscriptions = Vec::new();
    for (kind, _) in events {
        let account = samples.account();
        let mut subscription = samples.subscription(account, &[kind]);
        // Each receiver has a host of its own, which has answered before.
        let url = format!("https://hooks{}.example.com/svc", subscriptions.len());
        subscription.endpoint = Endpoint::parse(&url).expect("a URL");
        let unit = storage.begin().await.expect("begun");
        assert!(unit.subscriptions().insert(&subscription, 1).await.expect("added"));
        noted(&*unit, account).await.expect("noted");
        unit.commit().await.expect("committed");
        subscriptions.push(subscription);
        storage.append(&[samples.event(account, kind)]);
        let (clock, random) = (samples.clock(), SeededRandom::new(8));
        let dispatched = dispatch_once(&storage, &RetrySchedule::STANDARD, samples.now(), &random, 1).await;
        assert_eq!(dispatched.expect("fanned out").deliveries, 1);
        let (sender, config) = (FakeSender::new(), AttemptConfig::default());
        let attempted = attempt_once(storage.queue(), &sender, clock, &config, 1).await.expect("attempted");
        assert_eq!(attempted.delivered, 1);
    }
    for ((kind, count), Subscription { account, .. }) in events.iter().zip(&subscriptions) {
        let events: Vec<_> = (0..*count).map(|_| samples.event(*account, kind)).collect();
        storage.append(&events);
    }
    (storage, subscriptions)
}

fn delivering(storage: Arc<dyn WebhookStorage>, samples: &Samples, sender: Sender) -> Delivering {
    let config =
        AttemptConfig::new(Duration::from_secs(10), RetrySchedule::STANDARD, "http://localhost".to_owned());
    let built = crate::Deliverer::builder(storage, Arc::new(sender))
        .clock(Arc::new(samples.clock().clone()))
        .random(Arc::new(SeededRandom::new(9)))
        .attempts(config)
        .build();
    Delivering::new(&built.0)
}

#[test]
fn a_builder_takes_product_and_address_in_any_order_and_names() {
    let (storage, sender) = (Arc::new(MemoryWebhooks::new()), Arc::new(FakeSender::new()));
    let names = Names::new(HeaderPrefix::of("X-Shop"), Mark::of("shopsec_"));
    let product = Product::of("Shop/2");
    let built = || crate::Deliverer::builder(storage.clone(), sender.clone()).names(names);
    let one = built().product(product).user_agent_address("https://shop.example").build();
    let other = built().user_agent_address("https://shop.example").product(product).build();
    assert_eq!(one.0.attempts, other.0.attempts);
    assert_eq!(one.0.attempts.user_agent.as_str(), "Shop/2 (+https://shop.example)");
    assert_eq!(one.0.attempts.names, names);
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_hangs_has_its_first_window_and_holds_up_no_other_one() {
    let samples = Samples::new(1);
    let (storage, subscriptions) = storage(&samples, &[(UPDATED, 900), (CREATED, 3_000)]).await;
    let (sent, mut arrivals) = mpsc::unbounded_channel();
    let asked = CancellationToken::new();
    let trigger = asked.clone();
    let running = tokio::spawn(
        delivering(
            Arc::new(storage.clone()),
            &samples,
            Sender { takes: Duration::ZERO, never: UPDATED, fails: "", sent },
        )
        .run(asked),
    );

    let (mut hanging, mut arrived) = (0, 0);
    while arrived < 3_000 {
        match arrivals.recv().await.expect("sent").as_str() {
            CREATED => arrived += 1,
            _ => hanging += 1,
        }
    }
    assert_eq!(hanging, FIRST_WINDOW, "nothing was answered, so nothing more is tried");
    trigger.cancel();
    running.await.expect("it ends although some attempts never do");

    let left = storage.queue().claim(&ClaimRequest::any(5_000), samples.now(), Duration::from_secs(1)).await;
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
    let asked = CancellationToken::new();
    let trigger = asked.clone();
    let delivering = delivering(
        Arc::new(storage.clone()),
        &samples,
        Sender { takes: Duration::ZERO, never: UPDATED, fails: "", sent },
    );
    let committed = Arc::clone(&delivering.parts.committed);
    let running = tokio::spawn(delivering.run(asked));
    tokio::time::sleep(Duration::from_mins(1)).await;

    let asleep = Instant::now();
    storage.append(&[samples.event(subscriptions[0].account, CREATED)]);
    committed.notify_one();
    assert_eq!(arrivals.recv().await.as_deref(), Some(CREATED));
    assert_eq!(Instant::now(), asleep, "no timer had to pass");
    trigger.cancel();
    running.await.expect("it ends");
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_only_fails_is_asked_for_something_new_once_in_each_backoff() {
    let samples = Samples::new(3);
    let (storage, subscriptions) = storage(&samples, &[(UPDATED, 900), (CREATED, 600)]).await;
    let (sent, mut arrivals) = mpsc::unbounded_channel();
    let asked = CancellationToken::new();
    let trigger = asked.clone();
    let sender = Sender { takes: Duration::ZERO, never: "", fails: UPDATED, sent };
    let running = tokio::spawn(delivering(Arc::new(storage.clone()), &samples, sender).run(asked));
    let mut arrived = async |pass: Duration| {
        samples.clock().advance(pass);
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
        "it is in backoff from the fifth failure on, and no other receiver is"
    );
    for millis in [94, 188, 375, 750, 1_500, 3_000, 3_000] {
        assert_eq!(arrived(Duration::from_millis(millis)).await, (1, 0), "after {millis} ms");
    }
    trigger.cancel();
    running.await.expect("it ends");

    // What a server that starts now reads of it.
    let left = storage.queue().claim(&ClaimRequest::any(1), samples.now(), Duration::from_secs(1)).await;
    let backoff = left.expect("claimed").leased[0].backoff;
    assert_eq!(backoff.consecutive_failures, 12);
    let health =
        storage.subscriptions().health(&scope([subscriptions[1].account]), &[subscriptions[1].id]).await;
    assert_eq!(health.expect("read")[&subscriptions[1].id].present.successes, 601);
}

#[tokio::test(start_paused = true)]
async fn room_that_a_receiver_gains_is_used_at_once() {
    let samples = Samples::new(5);
    let (storage, _) = storage(&samples, &[(CREATED, 92)]).await;
    let (sent, mut arrivals) = mpsc::unbounded_channel();
    let asked = CancellationToken::new();
    let trigger = asked.clone();
    let sender = Sender { takes: Duration::from_secs(1), never: "", fails: "", sent };
    let began = Instant::now();
    let running = tokio::spawn(delivering(Arc::new(storage.clone()), &samples, sender).run(asked));
    for _ in 0..92 {
        arrivals.recv().await.expect("sent");
    }
    let took = began.elapsed().as_millis();
    assert!((4_000..4_100).contains(&took), "4, 8, 16, 32 and 32 at a time, {took} ms");
    trigger.cancel();
    running.await.expect("it ends");
}

#[tokio::test(start_paused = true)]
async fn what_ends_after_the_shutdown_signal_is_settled_although_others_go_on() {
    let samples = Samples::new(6);
    let (storage, subscriptions) = storage(&samples, &[(UPDATED, 1), (CREATED, 1)]).await;
    let (sent, mut arrivals) = mpsc::unbounded_channel();
    let asked = CancellationToken::new();
    let trigger = asked.clone();
    let sender = Sender { takes: Duration::from_secs(1), never: UPDATED, fails: "", sent };
    let running = tokio::spawn(delivering(Arc::new(storage.clone()), &samples, sender).run(asked));
    for _ in 0..2 {
        arrivals.recv().await.expect("sent");
    }
    trigger.cancel();
    tokio::time::sleep(Duration::from_millis(1_050)).await;
    assert!(!running.is_finished(), "one attempt is under way");
    let Subscription { account, id, .. } = subscriptions[1];
    let health = storage.subscriptions().health(&scope([account]), &[id]).await.expect("read");
    assert_eq!(health[&id].present.successes, 2);
    running.await.expect("it ends");
}

#[tokio::test(start_paused = true)]
async fn steps_that_need_what_another_holds_end_together() {
    let samples = Samples::new(4);
    let (storage, _) = storage(&samples, &[]).await;
    let (sent, _arrivals) = mpsc::unbounded_channel();
    let delivering = delivering(
        Arc::new(storage.clone()),
        &samples,
        Sender { takes: Duration::ZERO, never: "", fails: "", sent },
    );
    let mut state = DelivererState::new(&delivering.parts);
    let mut steps = Steps::new();
    let writer = Arc::new(tokio::sync::Mutex::new(()));
    let held = |writer: &Arc<tokio::sync::Mutex<()>>| {
        let writer = Arc::clone(writer);
        async move {
            let _turn = writer.lock().await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let [first, second, third, fourth] = [(); 4].map(|()| held(&writer));
    steps.settle.job.begin(async move {
        first.await;
        (Vec::new(), Ok(0))
    });
    steps.claim.job.begin(async move {
        second.await;
        Ok((Claimed::default(), Timestamp::default(), None))
    });
    steps.fan_out.job.begin(async move {
        third.await;
        Ok((DispatchReport::default(), Vec::new()))
    });
    steps.give_back.job.begin(fourth);
    assert!(timeout(Duration::ZERO, steps.settle.job.finished()).await.is_err(), "it holds the writer now");

    let ended = delivering.end_steps(&mut state, &mut steps);
    timeout(Duration::from_secs(1), ended).await.expect("none waits for one that stands still");
}
