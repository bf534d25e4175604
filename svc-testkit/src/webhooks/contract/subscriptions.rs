//! Cases of subscriptions and of units of work.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use futures_util::future::join_all;
use svc_core::error::StoreError;
use svc_core::id::{TypedId as _, UserId};
use svc_core::page::PageRules;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{ClaimRequest, DeliveryFilter};
use svc_webhooks::subscription::{Author, CustomHeaders, SigningSecret, State, Subscription};

use super::{CONTACT, MANY, Storage, add, assert_idle, first_page, queued, remove, replace};
use crate::audit::{assert_unwritten, noted};
use crate::webhooks::sample::{Samples, scope};

fn renamed(before: &Subscription, name: &str) -> Subscription {
    Subscription { name: name.to_owned(), version: before.version.next(), ..before.clone() }
}

async fn insert(storage: Storage<'_>, subscription: &Subscription, most: u32) -> Result<bool, StoreError> {
    let unit = storage.begin().await?;
    let added = unit.subscriptions().insert(subscription, most).await?;
    noted(&*unit, subscription.account).await?;
    unit.commit().await?;
    Ok(added)
}

pub async fn a_subscription_comes_back_as_it_was_stored(storage: Storage<'_>) {
    let samples = Samples::new(1);
    let plain = samples.subscription(samples.account(), &["invoice.pay", CONTACT, "envelope.sent"]);
    let headers = [("X-Api-Key", "k \"1\" \\ ~"), ("authorization", "Bearer a.b")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let before = Subscription { headers: CustomHeaders::from_stored(headers), ..plain };
    let scope = scope([before.account]);
    add(storage, &before).await;
    let found = storage.subscriptions().find(&scope, before.id).await.expect("find");
    assert_eq!(found.as_ref(), Some(&before));

    let after = Subscription {
        endpoint: Endpoint::parse("https://other.example.com/").expect("a valid URL"),
        secret: SigningSecret::generate(samples.random()),
        headers: CustomHeaders::default(),
        state: State::Inactive,
        updated_at: samples.now(),
        ..renamed(&before, "Añil & «co»")
    };
    replace(storage, &before, &after).await.expect("replace");
    let found = storage.subscriptions().find(&scope, before.id).await.expect("find");
    assert_eq!(found, Some(after));
}

pub async fn a_subscription_keeps_who_answers_for_it(storage: Storage<'_>) {
    let samples = Samples::new(65);
    let mut before = samples.subscription(samples.account(), &[CONTACT]);
    let scope = scope([before.account]);
    add(storage, &before).await;
    let person = UserId::generate(samples.now(), samples.random());
    for author in [Author::Person(person), Author::Service, before.author] {
        let after = Subscription { author, ..renamed(&before, "Again") };
        replace(storage, &before, &after).await.expect("replace");
        let found = storage.subscriptions().find(&scope, before.id).await.expect("find");
        assert_eq!(found.as_ref(), Some(&after));
        before = after;
    }
}

pub async fn an_account_has_at_most_its_cap(storage: Storage<'_>) {
    let samples = Samples::new(2);
    let [ours, theirs] = [samples.account(), samples.account()];
    let [first, second, third] = [ours; 3].map(|account| samples.subscription(account, &[CONTACT]));
    assert!(insert(storage, &first, 2).await.expect("insert"));
    assert!(insert(storage, &second, 2).await.expect("insert"));
    assert!(!insert(storage, &third, 2).await.expect("insert"), "the cap is reached");
    assert_eq!(storage.subscriptions().find(&scope([ours]), third.id).await.expect("find"), None);
    let neighbour = samples.subscription(theirs, &[CONTACT]);
    assert!(insert(storage, &neighbour, 2).await.expect("insert"), "each account has its own cap");

    remove(storage, &first).await.expect("remove");
    assert!(insert(storage, &third, 2).await.expect("insert"), "a removal makes room");
}

pub async fn inserts_at_once_do_not_pass_the_cap(storage: Storage<'_>) {
    let samples = Samples::new(3);
    let account = samples.account();
    let wanted: Vec<_> = (0..8).map(|_| samples.subscription(account, &[CONTACT])).collect();
    let outcomes = join_all(wanted.iter().map(|subscription| insert(storage, subscription, 3))).await;
    let added = outcomes.iter().filter(|outcome| matches!(outcome, Ok(true))).count();
    let stored = storage.subscriptions().page(&scope([account]), first_page()).await.expect("page").total;
    assert_eq!(stored, added as u64, "{outcomes:?}");
    assert!((1..=3).contains(&added), "{outcomes:?}");
    for outcome in outcomes {
        assert!(
            matches!(outcome, Ok(_) | Err(StoreError::Conflict | StoreError::Busy | StoreError::Undone)),
            "{outcome:?}"
        );
    }
}

pub async fn a_change_of_another_version_conflicts(storage: Storage<'_>) {
    let samples = Samples::new(4);
    let first = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &first).await;
    let second = renamed(&first, "second");
    replace(storage, &first, &second).await.expect("replace");

    let late = replace(storage, &first, &renamed(&first, "late")).await;
    assert!(matches!(late, Err(StoreError::Conflict)), "{late:?}");
    let removal = remove(storage, &first).await;
    assert!(matches!(removal, Err(StoreError::Conflict)), "{removal:?}");
    let found = storage.subscriptions().find(&scope([first.account]), first.id).await.expect("find");
    assert_eq!(found, Some(second));
    let unknown = samples.subscription(first.account, &[CONTACT]);
    let absent = replace(storage, &unknown, &renamed(&unknown, "absent")).await;
    assert!(matches!(absent, Err(StoreError::Conflict)), "{absent:?}");
}

pub async fn of_two_changes_at_once_one_wins(storage: Storage<'_>) {
    let samples = Samples::new(5);
    let before = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &before).await;
    let [left, right] = ["left", "right"].map(|name| renamed(&before, name));
    let outcomes = join_all([replace(storage, &before, &left), replace(storage, &before, &right)]).await;
    let winners: Vec<_> =
        [left, right].into_iter().zip(&outcomes).filter_map(|(s, o)| o.is_ok().then_some(s)).collect();
    assert_eq!(winners.len(), 1, "{outcomes:?}");
    let found = storage.subscriptions().find(&scope([before.account]), before.id).await.expect("find");
    assert_eq!(found.as_ref(), winners.first());
}

pub async fn a_conflict_undoes_the_whole_unit(storage: Storage<'_>) {
    let samples = Samples::new(6);
    let first = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &first).await;
    replace(storage, &first, &renamed(&first, "second")).await.expect("replace");
    let unit = storage.begin().await.expect("begin");
    unit.outbox().publish(&[samples.event(first.account, CONTACT)]).await.expect("publish");
    let late = unit.subscriptions().replace(first.version, &renamed(&first, "late")).await;
    assert!(matches!(late, Err(StoreError::Conflict)), "{late:?}");
    drop(unit);
    assert_idle(storage).await;
}

pub async fn a_dropped_unit_leaves_nothing(storage: Storage<'_>) {
    let samples = Samples::new(7);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    let event = samples.event(subscription.account, CONTACT);
    let unit = storage.begin().await.expect("begin");
    unit.subscriptions().insert(&subscription, MANY).await.expect("insert");
    unit.outbox().publish(std::slice::from_ref(&event)).await.expect("publish");
    unit.deliveries().insert(&[samples.delivery(&event, &subscription)], None).await.expect("insert");
    drop(unit);

    let scope = scope([subscription.account]);
    assert_eq!(storage.subscriptions().find(&scope, subscription.id).await.expect("find"), None);
    assert_idle(storage).await;
    assert!(insert(storage, &subscription, 1).await.expect("insert"), "the unit holds nothing");
}

pub async fn a_unit_sees_its_own_changes(storage: Storage<'_>) {
    let samples = Samples::new(8);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    let event = samples.event(subscription.account, CONTACT);
    let delivery = samples.delivery(&event, &subscription);
    let scope = scope([subscription.account]);
    let unit = storage.begin().await.expect("begin");
    unit.subscriptions().insert(&subscription, MANY).await.expect("insert");
    unit.outbox().publish(std::slice::from_ref(&event)).await.expect("publish");
    unit.deliveries().insert(std::slice::from_ref(&delivery), None).await.expect("insert");
    let seen = unit.subscriptions().find(&scope, subscription.id).await.expect("find");
    assert_eq!(seen.as_ref(), Some(&subscription));
    let seen = unit.deliveries().find(&scope, delivery.id).await.expect("find");
    assert_eq!(seen.map(|logged| logged.delivery), Some(delivery));
    noted(&*unit, subscription.account).await.expect("noted");
    unit.commit().await.expect("commit");
}

pub async fn a_change_without_its_audit_entry_does_not_commit(storage: Storage<'_>) {
    let samples = Samples::new(13);
    let stored = samples.subscription(samples.account(), &[CONTACT]);
    let (added, scope) = (samples.subscription(stored.account, &[CONTACT]), scope([stored.account]));
    add(storage, &stored).await;

    let unit = storage.begin().await.expect("begin");
    unit.subscriptions().insert(&added, MANY).await.expect("insert");
    assert_unwritten(&unit.commit().await);
    let unit = storage.begin().await.expect("begin");
    unit.subscriptions().replace(stored.version, &renamed(&stored, "silent")).await.expect("replace");
    assert_unwritten(&unit.commit().await);
    let unit = storage.begin().await.expect("begin");
    unit.subscriptions().remove(&stored).await.expect("remove");
    assert_unwritten(&unit.commit().await);

    let found = storage.subscriptions().page(&scope, first_page()).await.expect("page");
    assert_eq!(found.items, std::slice::from_ref(&stored));
    remove(storage, &stored).await.expect("with an entry it commits");
}

pub async fn subscriptions_of_other_companies_are_absent(storage: Storage<'_>) {
    let samples = Samples::new(9);
    let [ours, theirs] = [samples.account(), samples.account()].map(|account| {
        let subscription = samples.subscription(account, &[CONTACT]);
        (scope([account]), subscription)
    });
    add(storage, &ours.1).await;
    add(storage, &theirs.1).await;
    let reader = storage.subscriptions();
    assert_eq!(reader.find(&ours.0, theirs.1.id).await.expect("find"), None);
    assert_eq!(reader.find(&scope([]), ours.1.id).await.expect("find"), None);
    let page = reader.page(&ours.0, first_page()).await.expect("page");
    assert_eq!((page.total, page.items), (1, vec![ours.1]));
    let none = reader.page(&scope([]), first_page()).await.expect("page");
    assert_eq!((none.total, none.items.len()), (0, 0));
}

pub async fn subscriptions_come_oldest_first(storage: Storage<'_>) {
    let samples = Samples::new(10);
    let account = samples.account();
    let mut all = Vec::new();
    for _ in 0..5 {
        all.push(samples.subscription(account, &[CONTACT]));
    }
    for subscription in all.iter().rev() {
        add(storage, subscription).await;
    }
    for (number, expected) in [(1, &all[0..2]), (2, &all[2..4]), (3, &all[4..]), (4, &[])] {
        let request = PageRules::USUAL.page(Some(number), Some(2)).expect("valid");
        let page = storage.subscriptions().page(&scope([account]), request).await.expect("page");
        assert_eq!((page.total, page.items.as_slice()), (5, expected), "page {number}");
    }
}

pub async fn only_active_subscriptions_of_the_accounts_are_active(storage: Storage<'_>) {
    let samples = Samples::new(11);
    let [first, second, third] = [samples.account(), samples.account(), samples.account()];
    let off = Subscription { state: State::Inactive, ..samples.subscription(first, &[CONTACT]) };
    let [mut on, also_on, foreign] =
        [first, second, third].map(|account| samples.subscription(account, &[CONTACT]));
    for subscription in [&off, &on, &also_on, &foreign] {
        add(storage, subscription).await;
    }
    let mut active = storage.subscriptions().active(&[first, second]).await.expect("active");
    active.sort_by_key(|known| known.id);
    assert_eq!(active, [on.clone(), also_on.clone()]);
    assert_eq!(storage.subscriptions().active(&[]).await.expect("active"), []);

    let before = on.clone();
    on = Subscription { state: State::Inactive, ..renamed(&before, "off") };
    replace(storage, &before, &on).await.expect("replace");
    assert_eq!(storage.subscriptions().active(&[first, second]).await.expect("active"), [also_on]);
}

pub async fn removal_drops_secret_queue_and_log(storage: Storage<'_>) {
    let samples = Samples::new(12);
    let (kept, kept_deliveries) = queued(storage, &samples, 1).await;
    let (gone, deliveries) = queued(storage, &samples, 2).await;
    remove(storage, &gone).await.expect("remove");

    let both = scope([kept.account, gone.account]);
    assert_eq!(storage.subscriptions().find(&both, gone.id).await.expect("find"), None);
    for delivery in &deliveries {
        let found = storage.deliveries().find(&both, delivery.id).await.expect("find");
        assert_eq!(found, None);
    }
    let filter = DeliveryFilter::default();
    let log = storage.deliveries().page(&both, gone.id, &filter, first_page()).await.expect("page");
    assert_eq!(log.total, 0);
    // What it left is forgotten bit by bit, and nothing of others with it.
    let mut rounds = 0;
    while storage.queue().forget_removed(1).await.expect("forgotten") {
        rounds += 1;
    }
    assert!(rounds <= deliveries.len() + 1, "{rounds}");
    let now = samples.now();
    let claimed = storage
        .queue()
        .claim(&ClaimRequest::any(MANY), now, std::time::Duration::from_secs(1))
        .await
        .expect("claim")
        .leased;
    let claimed: Vec<_> = claimed.into_iter().map(|leased| leased.delivery).collect();
    assert_eq!(claimed, kept_deliveries, "what is queued for others stays");
}
