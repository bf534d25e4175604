//! Cases of what the log tells of attempts.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::collections::BTreeMap;
use std::time::Duration;

use svc_webhooks::delivery::{Attempt, Delivery, Status};
use svc_webhooks::ports::{
    Answer, AnswerHeaders, ClaimRequest, DeliveryFilter, ErrorClass, Exchange, FanOut, InitialLease, Lease,
    LoggedDelivery, Refusal, SendError, Settlement, Timings,
};

use super::log::{LEASE, settle_all};
use super::{CONTACT, MANY, Storage, add, answered, enqueue, first_page, publish, queue_more, queued};
use crate::webhooks::sample::{Samples, scope};

/// Claims everything that is due and settles it with these exchanges; answers the attempts as they were given.
async fn exchange_all(
    storage: Storage<'_>,
    samples: &Samples,
    exchanges: Vec<Exchange>,
) -> Vec<LoggedDelivery> {
    let leased =
        storage.queue().claim(&ClaimRequest::any(MANY), samples.now(), LEASE).await.expect("claim").leased;
    assert_eq!(leased.len(), exchanges.len());
    let settlements: Vec<_> =
        leased.iter().zip(exchanges).map(|(leased, exchange)| samples.settled(leased, exchange)).collect();
    assert_eq!(storage.queue().settle(&settlements).await.expect("settle"), leased.len() as u64);
    let logged = |settled: Settlement| LoggedDelivery {
        delivery: settled.delivery,
        attempts: settled.attempt.into_iter().collect(),
    };
    settlements.into_iter().map(logged).collect()
}

fn told() -> Exchange {
    let mut headers = AnswerHeaders::default();
    headers.push("x-odd", b"\xff\x00 <b>");
    headers.push("set-cookie", b"let me in");
    headers.push("x-long", &[b'x'; AnswerHeaders::MOST_BYTES]);
    let body = [b"\x00\xfe\"\\{}", vec![b'x'; Answer::MOST_BODY_BYTES - 6].as_slice()].concat();
    let timings = Timings {
        dns: Some(Duration::from_micros(1_234)),
        connect: Some(Duration::from_micros(5_678)),
        tls: Some(Duration::from_micros(9)),
        first_byte: Some(Duration::from_millis(10)),
        total: Duration::from_micros(12_345),
    };
    let answer = Answer { status: 500, headers, body: body.into(), truncated: true };
    let peer = "[2001:db8::1]:8443".parse().ok();
    Exchange { result: Ok(answer), timings, peer }
}

pub async fn an_attempt_comes_back_with_all_that_was_told_of_it(storage: Storage<'_>) {
    let samples = Samples::new(56);
    let (subscription, deliveries) = queued(storage, &samples, 1).await;
    let mut expected = exchange_all(storage, &samples, vec![told()]).await.remove(0);
    samples.clock().advance(Duration::from_mins(1));
    let bare = Exchange { peer: "127.0.0.1:80".parse().ok(), ..Exchange::ended(Ok(Answer::bare(204))) };
    let again = exchange_all(storage, &samples, vec![bare]).await.remove(0);
    expected.delivery = again.delivery;
    expected.attempts.extend(again.attempts);

    let scope = scope([subscription.account]);
    let found = storage.deliveries().find(&scope, deliveries[0].id).await.expect("find");
    assert_eq!(found.as_ref(), Some(&expected));
    let body = found.and_then(|logged| logged.attempts[0].answer.clone()).expect("an answer").body;
    assert_eq!(body.len(), Answer::MOST_BODY_BYTES);

    let all = DeliveryFilter::default();
    let page = storage.deliveries().page(&scope, subscription.id, &all, first_page()).await.expect("page");
    expected.attempts = expected.attempts.into_iter().map(Attempt::without_answer).collect();
    assert_eq!(page.items, [expected], "a page leaves answers out, and nothing else");
}

pub async fn attempts_of_every_class_are_kept_side_by_side(storage: Storage<'_>) {
    let samples = Samples::new(57);
    let exchanges: Vec<Exchange> = [
        Err(SendError::Dns),
        Err(SendError::Refused(Refusal::NotHttps)),
        Err(SendError::Connect("refused".to_owned())),
        Err(SendError::Tls("expired".to_owned())),
        Err(SendError::Timeout),
        Ok(Answer::bare(404)),
        Ok(Answer::bare(301)),
        Err(SendError::Protocol("no HTTP".to_owned())),
        Ok(Answer::bare(200)),
    ]
    .map(Exchange::ended)
    .into();
    let (subscription, _) = queued(storage, &samples, exchanges.len()).await;
    let expected = exchange_all(storage, &samples, exchanges).await;
    let scope = scope([subscription.account]);
    let mut classes = Vec::new();
    for logged in expected {
        let found = storage.deliveries().find(&scope, logged.delivery.id).await.expect("find");
        classes.extend(found.iter().flat_map(|found| &found.attempts).filter_map(|one| one.error_class));
        assert_eq!(found, Some(logged));
    }
    assert_eq!(classes, ErrorClass::ALL);
}

pub async fn attempts_are_found_however_room_was_made_for_them(storage: Storage<'_>) {
    let samples = Samples::new(58);
    let queue = storage.queue();
    let (subscription, early) = queued(storage, &samples, 2).await;
    settle_all(storage, &samples, &[200, 200]).await;
    queue.make_room(samples.now()).await.expect("made");
    // So far ahead that no call made room; then one does.
    samples.clock().advance(Duration::from_hours(24 * 400));
    let late = queue_more(storage, &samples, &subscription, 2).await;
    settle_all(storage, &samples, &[200, 200]).await;
    queue.make_room(samples.now()).await.expect("made");
    queue.make_room(samples.now()).await.expect("made already");
    let after = queue_more(storage, &samples, &subscription, 1).await;
    settle_all(storage, &samples, &[200]).await;

    let (scope, all) = (scope([subscription.account]), DeliveryFilter::default());
    let page = storage.deliveries().page(&scope, subscription.id, &all, first_page()).await.expect("page");
    let found: Vec<_> = page.items.iter().map(|one| (one.delivery.id, one.attempts.len())).collect();
    let newest_first = after.iter().chain(late.iter().rev()).chain(early.iter().rev());
    assert_eq!(found, newest_first.map(|one| (one.id, 1)).collect::<Vec<_>>());
}

pub async fn attempts_are_counted_up_to_as_many_as_a_delivery_may_have(storage: Storage<'_>) {
    let samples = Samples::new(59);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let events = [(); 3].map(|()| samples.event(subscription.account, CONTACT));
    publish(storage, &events).await;
    let [leased, waits, inserted] = [(1, 0), (2, 1), (3, 2)].map(|(max_attempts, at): (u8, usize)| {
        Delivery { max_attempts, ..samples.delivery(&events[at], &subscription) }
    });
    let mut present: BTreeMap<_, _> = [&leased, &waits, &inserted].map(|one| (one.id, one.clone())).into();
    // By each way in which a delivery comes to be.
    let waiting = storage.queue().waiting(MANY).await.expect("waiting").events;
    let fan_out = FanOut {
        positions: waiting.iter().map(|(position, _)| *position).collect(),
        leased: vec![leased],
        queued: vec![waits],
        initial_lease: InitialLease { lease: Lease(7), until: samples.now() },
    };
    storage.queue().fan_out(&fan_out).await.expect("fan out");
    enqueue(storage, &[inserted]).await;

    let (scope, all) = (scope([subscription.account]), DeliveryFilter::default());
    for round in 1_u8..=3 {
        let claimed = storage.queue().claim(&ClaimRequest::any(MANY), samples.now(), LEASE).await;
        let claimed: BTreeMap<_, _> =
            claimed.expect("claim").leased.into_iter().map(|one| (one.delivery.id, one)).collect();
        let open = present.values().filter(|one| one.max_attempts >= round);
        assert_eq!(claimed.values().map(|one| &one.delivery).collect::<Vec<_>>(), open.collect::<Vec<_>>());
        let settlements: Vec<_> = claimed.values().map(|one| answered(&samples, one, 500)).collect();
        storage.queue().settle(&settlements).await.expect("settle");
        present.extend(settlements.into_iter().map(|one| (one.delivery.id, one.delivery)));

        let page = storage.deliveries().page(&scope, subscription.id, &all, first_page()).await;
        let listed = page.expect("page").items.into_iter().map(|one| (one.delivery.id, one.delivery));
        assert_eq!(listed.collect::<BTreeMap<_, _>>(), present, "round {round}");
        for (id, expected) in &present {
            let found = storage.deliveries().find(&scope, *id).await.expect("find").expect("stored");
            assert_eq!((&found.delivery, found.attempts.len()), (expected, expected.attempts.into()));
        }
        samples.clock().advance(Duration::from_hours(13));
    }
    let ended = present.values().map(|one| (one.status(), one.attempts)).collect::<Vec<_>>();
    assert_eq!(ended, [1, 2, 3].map(|attempts| (Status::Failed, attempts)));
}
