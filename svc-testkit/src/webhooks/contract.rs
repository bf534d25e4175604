//! What every webhook storage does.

mod attempts;
mod events;
mod health;
mod hours;
mod lanes;
mod log;
mod outbox;
mod overview;
mod queue;
mod replays;
mod selections;
mod subscriptions;

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::page::{PageRequest, PageRules};
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{
    Answer, ClaimRequest, Exchange, FanOut, InitialLease, Lease, Leased, OutboxPosition, Settlement,
    WebhookStorage,
};
use svc_webhooks::subscription::Subscription;

use crate::audit::noted;
use crate::contract::contract;
use crate::webhooks::sample::Samples;

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the webhook storage contract.
    ///
    /// `make` names an `async fn()` that gives an empty storage: anything that
    /// dereferences to a [`WebhookStorage`], for example `Arc<dyn WebhookStorage>`
    /// or a guard that also keeps a temporary folder. With `try_make` it gives an
    /// `Option`, and `None` (the engine is not on this machine) ends the case: the
    /// function says so on the console. Put it in a module of its own, as the test
    /// functions are named for their cases.
    ///
    /// The cases publish events through `begin()` and `unit.outbox()`, never hold
    /// two units open in one task, and make up their companies and tokens: the
    /// storage of webhooks must not refer to rows of other crates. Replays and the
    /// overview have contracts of their own,
    /// [`webhook_replay_contract!`](crate::webhook_replay_contract) and
    /// [`webhook_overview_contract!`](crate::webhook_overview_contract).
    ///
    /// ```
    /// mod memory {
    ///     async fn make() -> Box<svc_testkit::webhooks::MemoryWebhooks> {
    ///         Box::default()
    ///     }
    ///     svc_testkit::webhook_storage_contract! { make: make }
    /// }
    /// ```
    webhook_storage_contract by contract_tests at webhooks::cases {
        subscriptions:
            a_subscription_comes_back_as_it_was_stored,
            a_subscription_keeps_who_answers_for_it,
            an_account_has_at_most_its_cap,
            inserts_at_once_do_not_pass_the_cap,
            a_change_of_another_version_conflicts,
            of_two_changes_at_once_one_wins,
            a_conflict_undoes_the_whole_unit,
            a_dropped_unit_leaves_nothing,
            a_unit_sees_its_own_changes,
            a_change_without_its_audit_entry_does_not_commit,
            subscriptions_of_other_companies_are_absent,
            subscriptions_come_oldest_first,
            only_active_subscriptions_of_the_accounts_are_active,
            removal_drops_secret_queue_and_log;
        outbox:
            events_are_taken_oldest_first_and_once,
            events_of_one_unit_keep_their_order,
            events_that_were_only_looked_at_stay,
            events_wait_beside_the_active_subscriptions_of_their_companies,
            a_fan_out_leaves_out_what_another_one_took,
            from_a_place_nothing_but_its_event_is_taken,
            more_events_than_were_asked_for_are_told_of,
            a_fan_out_leaves_out_subscriptions_that_were_removed_or_switched_off,
            what_a_fan_out_leased_cannot_be_claimed_until_the_lease_ends,
            units_at_once_never_take_the_same_event,
            an_event_is_fanned_out_once_per_subscription;
        queue:
            nothing_is_claimed_before_it_is_due,
            the_longest_due_is_claimed_first,
            a_lease_is_exclusive,
            claims_at_once_never_overlap,
            an_ended_lease_can_be_claimed_again,
            a_tenant_with_an_id_of_its_own_is_matched_by_account_and_sent_by_name,
            a_stale_settlement_changes_nothing,
            a_settlement_requeues_or_ends_the_delivery,
            settlements_are_counted_one_by_one,
            a_commit_undoes_nothing_that_was_settled_beside_it,
            a_claim_shows_the_present_subscription,
            a_released_lease_can_be_claimed_at_once,
            only_the_holder_releases,
            a_delivery_added_under_a_lease_is_its_adders,
            next_due_is_the_earliest_claim;
        lanes:
            a_claim_takes_from_every_subscription,
            all_that_is_due_is_claimed_in_the_end,
            a_claim_takes_no_more_of_a_subscription_than_there_is_room_for,
            first_and_later_attempts_share_the_room_of_their_subscription,
            later_attempts_can_be_left_out_of_a_claim;
        health:
            health_is_what_its_rule_says,
            only_attempts_that_were_settled_count,
            what_is_leased_brings_the_standing_of_its_receiver,
            a_removed_or_moved_subscription_has_no_health,
            settlements_at_once_count_every_attempt,
            first_attempts_to_receivers_in_backoff_can_be_left_out;
        log:
            deliveries_come_newest_first_with_totals,
            the_log_can_be_narrowed,
            deliveries_of_other_companies_are_absent,
            purge_forgets_ended_deliveries_only,
            purge_stops_at_its_limit,
            purge_spares_what_was_made_at_its_instant_or_later;
        hours:
            an_hour_tells_how_its_deliveries_went,
            an_hour_is_counted_and_looked_at_up_to_its_limits;
        attempts:
            an_attempt_comes_back_with_all_that_was_told_of_it,
            attempts_of_every_class_are_kept_side_by_side,
            attempts_are_found_however_room_was_made_for_them,
            attempts_are_counted_up_to_as_many_as_a_delivery_may_have;
        events:
            the_log_of_events_comes_newest_first_as_they_were_published,
            the_log_of_events_tells_what_became_of_them,
            the_log_of_events_can_be_narrowed,
            an_event_of_the_log_is_found_within_its_scope,
            purge_forgets_old_events_that_nothing_needs;
    }
}

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the contract of replays, for a storage that has them.
    ///
    /// `make` and `try_make` are those of [`webhook_storage_contract!`](crate::webhook_storage_contract), and
    /// give what dereferences to a [`ReplayStorage`](svc_webhooks::ports::ReplayStorage).
    webhook_replay_contract by contract_tests at webhooks::replay_cases {
        replays:
            a_replay_comes_back_as_it_was_stored,
            a_subscription_has_only_so_many_open_replays,
            replays_come_newest_first_to_their_company_alone,
            a_step_of_another_version_conflicts,
            the_replay_that_is_due_longest_has_its_turn,
            a_due_replay_tells_how_many_first_attempts_wait,
            steps_at_once_send_nothing_twice_and_leave_nothing_out,
            removal_drops_replays,
            old_replays_are_forgotten_open_ones_never,
            a_replay_without_its_audit_entry_does_not_commit;
        selections:
            a_replay_looks_at_the_events_of_its_company_in_its_window,
            a_replay_selects_ended_deliveries_by_what_is_asked,
            a_replay_selects_each_event_once_and_none_that_arrived_later;
    }
}

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the contract of a queue that tells what it holds.
    ///
    /// `make` and `try_make` are those of [`webhook_storage_contract!`](crate::webhook_storage_contract), and
    /// give what dereferences to a [`QueueOverview`](svc_webhooks::ports::QueueOverview).
    webhook_overview_contract by contract_tests at webhooks::overview_cases {
        overview:
            depth_counts_the_outbox_and_the_queue,
            a_count_stops_at_its_limit_and_says_so,
            an_overview_lists_the_lanes_that_are_longest_due,
            an_overview_tells_how_the_latest_deliveries_went;
    }
}

type Storage<'a> = &'a dyn WebhookStorage;

/// More subscriptions than any case adds.
const MANY: u32 = 1_000;

const CONTACT: &str = "contact.create";

fn first_page() -> PageRequest {
    PageRules::USUAL.page(None, None).expect("the default page")
}

async fn add(storage: Storage<'_>, subscription: &Subscription) {
    let unit = storage.begin().await.expect("begin");
    let added = unit.subscriptions().insert(subscription, MANY).await.expect("insert");
    assert!(added, "there is room for it");
    noted(&*unit, subscription.account).await.expect("noted");
    unit.commit().await.expect("commit");
}

async fn replace(
    storage: Storage<'_>,
    before: &Subscription,
    after: &Subscription,
) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    unit.subscriptions().replace(before.version, after).await?;
    noted(&*unit, after.account).await?;
    unit.commit().await
}

async fn remove(storage: Storage<'_>, subscription: &Subscription) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    unit.subscriptions().remove(subscription).await?;
    noted(&*unit, subscription.account).await?;
    unit.commit().await
}

/// Nothing waits: neither an event nor a delivery, due or not.
async fn assert_idle(storage: Storage<'_>) {
    assert_eq!(storage.queue().waiting(MANY).await.expect("waiting").events, []);
    let next = storage.queue().next_due(&ClaimRequest::any(MANY)).await.expect("next due");
    assert_eq!(next, None);
}

async fn publish(storage: Storage<'_>, events: &[Event]) {
    let unit = storage.begin().await.expect("begin");
    unit.outbox().publish(events).await.expect("publish");
    unit.commit().await.expect("commit");
}

/// Takes events out of the outbox without a delivery; answers those that no other call took before.
async fn take(storage: Storage<'_>, limit: u32) -> Result<Vec<Event>, StoreError> {
    let waiting = storage.queue().waiting(limit).await?.events;
    let positions = waiting.iter().map(|(position, _)| *position).collect();
    let done = storage.queue().fan_out(&batch(positions, &[])).await?;
    Ok(waiting.into_iter().map(|(_, event)| event).filter(|event| done.events.contains(&event.id)).collect())
}

/// A fan-out whose deliveries wait to be claimed.
fn batch(positions: Vec<OutboxPosition>, deliveries: &[Delivery]) -> FanOut {
    let initial_lease = InitialLease { lease: Lease(1), until: Timestamp::default() };
    FanOut { positions, leased: Vec::new(), queued: deliveries.to_vec(), initial_lease }
}

/// Empties the outbox and adds these deliveries.
async fn enqueue(storage: Storage<'_>, deliveries: &[Delivery]) {
    take(storage, MANY).await.expect("take");
    let unit = storage.begin().await.expect("begin");
    unit.deliveries().insert(deliveries, None).await.expect("insert");
    unit.commit().await.expect("commit");
}

/// A subscription with `count` deliveries in the queue, oldest first.
async fn queued(storage: Storage<'_>, samples: &Samples, count: usize) -> (Subscription, Vec<Delivery>) {
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let deliveries = queue_more(storage, samples, &subscription, count).await;
    (subscription, deliveries)
}

async fn queue_more(
    storage: Storage<'_>,
    samples: &Samples,
    subscription: &Subscription,
    count: usize,
) -> Vec<Delivery> {
    let events: Vec<_> = (0..count).map(|_| samples.event(subscription.account, CONTACT)).collect();
    publish(storage, &events).await;
    let deliveries: Vec<_> = events.iter().map(|event| samples.delivery(event, subscription)).collect();
    enqueue(storage, &deliveries).await;
    deliveries
}

/// The settlement of a leased delivery whose receiver answered `status` at the present instant.
fn answered(samples: &Samples, leased: &Leased, status: u16) -> Settlement {
    let mut exchange = Exchange::ended(Ok(Answer::bare(status)));
    exchange.timings.total = Duration::from_millis(42);
    samples.settled(leased, exchange)
}
