//! What one company publishes by thousands holds up no event of another.

use svc_testkit::audit::noted;
use svc_testkit::fakes::SeededRandom;
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::dispatch_once;
use svc_webhooks::ports::{ClaimRequest, WebhookStorage as _};
use svc_webhooks::retry::RetrySchedule;

const EVENT: &str = "contact.create";

#[tokio::test]
async fn companies_take_turns_and_a_round_is_short() {
    let (samples, storage) = (Samples::new(1), MemoryWebhooks::new());
    let [loud, quiet] = [(); 2].map(|()| samples.account());
    for account in [loud, quiet] {
        let subscription = samples.subscription(account, &[EVENT]);
        let unit = storage.begin().await.expect("begun");
        assert!(unit.subscriptions().insert(&subscription, 1).await.expect("added"));
        noted(&*unit, account).await.expect("noted");
        unit.commit().await.expect("committed");
    }
    let many: Vec<_> = (0..1_250).map(|_| samples.event(loud, EVENT)).collect();
    storage.append(&many);
    let few: Vec<_> = (0..3).map(|_| samples.event(quiet, EVENT)).collect();
    storage.append(&few);

    let (random, schedule) = (SeededRandom::new(2), RetrySchedule::STANDARD);
    let round =
        async || dispatch_once(&storage, &schedule, samples.now(), &random, 5_000).await.expect("done");
    let first = round().await;
    assert_eq!((first.deliveries, first.more), (500, true));
    let claim = ClaimRequest::any(5_000);
    let claimed = storage.queue().claim(&claim, samples.now(), std::time::Duration::from_secs(30)).await;
    let of_quiet: Vec<_> =
        claimed.expect("claimed").leased.into_iter().map(|one| one.delivery.event).collect();
    assert!(few.iter().all(|event| of_quiet.contains(&event.id)), "they are in the first round");
    assert_eq!((round().await.deliveries, round().await.deliveries), (500, 253));
    assert!(!round().await.more);
}
