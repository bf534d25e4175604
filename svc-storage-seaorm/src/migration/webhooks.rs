//! Tables of events and the outbox, of subscriptions and their receivers, the delivery log, the queue and replays.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Creates the tables.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let mut statements = written(engine, [EVENTS, SUBSCRIPTIONS, LOG, QUEUE, REPLAYS].concat().iter());
    if engine == DatabaseBackend::Postgres {
        statements.push(ATTEMPTS_WITHOUT_A_DAY.to_owned());
    }
    statements
}

/// Creates the table of subscriptions that were removed, whose log is forgotten bit by bit.
pub(crate) fn removed(engine: DatabaseBackend) -> Vec<String> {
    written(
        engine,
        ["CREATE TABLE svc_removed_subscriptions (id {uuid} NOT NULL PRIMARY KEY){strict}"].iter(),
    )
}

const EVENTS: &[&str] = &[
    "CREATE TABLE svc_events (
        id {uuid} NOT NULL PRIMARY KEY,
        type text NOT NULL,
        occurred_at {big} NOT NULL,
        account_id {uuid},
        object_id text NOT NULL,
        body {bytes} NOT NULL
    ){strict}",
    // Ids begin with the instant at which they were made: what is old is at the front of the primary key, and
    // the order of ids is that of time. The log of events is read, counted and skipped in indexes alone, always
    // narrowed to types, so the type is in each.
    "CREATE INDEX svc_events_log ON svc_events (account_id, id, type)",
    "CREATE INDEX svc_events_object ON svc_events (account_id, object_id, id, type)",
    // Ids of the same millisecond have no order among themselves; the position keeps the order in
    // which events were published.
    "CREATE TABLE svc_outbox (
        position {counted},
        event_id {uuid} NOT NULL,
        CONSTRAINT svc_outbox_event UNIQUE (event_id)
    ){hot}",
];

const SUBSCRIPTIONS: &[&str] = &[
    // `secret` and `headers` are sealed; `headers` is null when there are none, `active_since` while no events
    // are delivered. `in_flight` is how many deliveries are under way at most. `created_by` is the token that answers
    // for it, `created_by_person` the person; both are null when the service does.
    "CREATE TABLE svc_subscriptions (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        name text NOT NULL,
        url text NOT NULL,
        events text NOT NULL,
        secret {bytes} NOT NULL,
        headers {bytes},
        in_flight {small} NOT NULL DEFAULT 32,
        active_since {big},
        created_by {uuid},
        created_by_person {uuid},
        version {big} NOT NULL,
        created_at {big} NOT NULL,
        updated_at {big} NOT NULL
    ){strict}",
    "CREATE INDEX svc_subscriptions_order ON svc_subscriptions (account_id, created_at, id)",
    // Counted by half days: `half_day` is the number of the present one, `earlier_…` is of the one before.
    "CREATE TABLE svc_subscription_health (
        subscription_id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        half_day {big} NOT NULL,
        successes {big} NOT NULL,
        failures {big} NOT NULL,
        earlier_successes {big} NOT NULL,
        earlier_failures {big} NOT NULL,
        last_success_at {big},
        last_failure_at {big},
        last_error text,
        consecutive_failures {big} NOT NULL,
        asked_until {big}
    ){hot}",
];

const LOG: &[&str] = &[
    // What changes with an attempt is in no index. What is old is at the front of the primary key, for ids
    // begin with the instant at which they were made.
    "CREATE TABLE svc_deliveries (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        subscription_id {uuid} NOT NULL,
        event_id {uuid} NOT NULL,
        event_type text NOT NULL,
        automatic {bool} NOT NULL,
        attempts {small} NOT NULL,
        max_attempts {small} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        next_attempt_at {big},
        ended_at {big},
        last_status_code {int},
        last_error text,
        last_duration_us {big},
        created_at {big} NOT NULL,
        CHECK ((status < 2) = (next_attempt_at IS NOT NULL)),
        CHECK ((status >= 2) = (ended_at IS NOT NULL))
    ){hot}",
    "CREATE INDEX svc_deliveries_log ON svc_deliveries (subscription_id, id)",
    // Together these two find the deliveries of an event; the first also keeps them single.
    "CREATE UNIQUE INDEX svc_deliveries_single ON svc_deliveries (event_id, subscription_id) WHERE automatic",
    "CREATE INDEX svc_deliveries_by_hand ON svc_deliveries (event_id) WHERE NOT automatic",
    // In this order no row has a gap between its columns. See `webhooks::partitions` for the days.
    "CREATE TABLE svc_delivery_attempts (
        delivery_id {uuid} NOT NULL,
        started_at {big} NOT NULL,
        duration_us {big} NOT NULL,
        status_code {int},
        first_byte_us {int},
        number {small} NOT NULL,
        error_class {small},
        dns_us {int},
        connect_us {int},
        tls_us {int},
        truncated {bool},
        error text,
        peer {bytes},
        answer_headers {bytes},
        answer_body {bytes},
        PRIMARY KEY (delivery_id, number)
    ){days}",
];

/// Attempts of a day for which there is no part.
const ATTEMPTS_WITHOUT_A_DAY: &str =
    "CREATE TABLE svc_delivery_attempts_rest PARTITION OF svc_delivery_attempts DEFAULT";

const QUEUE: &[&str] = &[
    // Small rows, one index beside the key: a claim rewrites the lease columns alone, which are in no index.
    "CREATE TABLE svc_delivery_queue (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        subscription_id {uuid} NOT NULL,
        event_id {uuid} NOT NULL,
        attempt {small} NOT NULL,
        due_at {big} NOT NULL,
        lease_until {big},
        lease_token {big},
        CHECK ((lease_until IS NULL) = (lease_token IS NULL))
    ){hot}",
    "CREATE INDEX svc_delivery_queue_lane ON svc_delivery_queue (subscription_id, (attempt > 0), due_at)",
    // Two lanes for each subscription that has something waiting.
    // `due_at` is never later than the first delivery of the lane can be claimed; null when none waits.
    "CREATE TABLE svc_delivery_lanes (
        subscription_id {uuid} NOT NULL,
        retry {bool} NOT NULL,
        due_at {big},
        PRIMARY KEY (subscription_id, retry)
    ){hot}",
    "CREATE INDEX svc_delivery_lanes_due ON svc_delivery_lanes (due_at) WHERE due_at IS NOT NULL",
];

const REPLAYS: &[&str] = &[
    // `source` and `types` are JSON. `due_at` is null once it has ended; the place is that of an event
    // (an id alone) or of a delivery (the instant at which it was made, and its id).
    "CREATE TABLE svc_replays (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL,
        subscription_id {uuid} NOT NULL,
        source text NOT NULL,
        types text NOT NULL,
        from_at {big},
        until_at {big} NOT NULL,
        asked_at {big} NOT NULL,
        matched {big} NOT NULL,
        sent {big} NOT NULL,
        status {small} NOT NULL CHECK (status BETWEEN 0 AND 3),
        place_at {big},
        place_id {uuid},
        due_at {big},
        ended_at {big},
        version {big} NOT NULL,
        CHECK ((status = 0) = (due_at IS NOT NULL)),
        CHECK ((status = 0) = (ended_at IS NULL))
    ){strict}",
    "CREATE INDEX svc_replays_due ON svc_replays (due_at, id) WHERE due_at IS NOT NULL",
    "CREATE INDEX svc_replays_order ON svc_replays (subscription_id, asked_at DESC, id DESC)",
    "CREATE INDEX svc_replays_age ON svc_replays (ended_at) WHERE ended_at IS NOT NULL",
];
