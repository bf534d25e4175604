//! The log tells more of each attempt, its attempts go by the day, and fewer indexes keep it.

use sea_orm::DatabaseBackend;

use super::types::written;

/// Adds what the log keeps, divides the attempts by days on PostgreSQL, and exchanges indexes.
pub(crate) fn statements(engine: DatabaseBackend) -> Vec<String> {
    let attempts = if engine == DatabaseBackend::Postgres { BY_DAYS } else { ONE_TABLE };
    let mut statements = written(engine, attempts);
    statements.extend(written(engine, INDEXES));
    statements
}

/// Ids begin with the instant at which they were made, and both ages are that of an id: what is old is at
/// the front of the primary key.
const INDEXES: &[&str] = &[
    "DROP INDEX deliveries_age",
    "DROP INDEX events_age",
    "DROP INDEX deliveries_order",
    "CREATE INDEX deliveries_log ON deliveries (subscription_id, id)",
    "CREATE INDEX events_log ON events (account_id, id)",
];

const ONE_TABLE: &[&str] = &[
    "ALTER TABLE delivery_attempts ADD COLUMN first_byte_us {int}",
    "ALTER TABLE delivery_attempts ADD COLUMN error_class {small}",
    "ALTER TABLE delivery_attempts ADD COLUMN dns_us {int}",
    "ALTER TABLE delivery_attempts ADD COLUMN connect_us {int}",
    "ALTER TABLE delivery_attempts ADD COLUMN tls_us {int}",
    "ALTER TABLE delivery_attempts ADD COLUMN peer {bytes}",
    "ALTER TABLE delivery_attempts ADD COLUMN truncated {bool}",
    "ALTER TABLE delivery_attempts ADD COLUMN answer_headers {bytes}",
    "ALTER TABLE delivery_attempts ADD COLUMN answer_body {bytes}",
];

/// See `webhooks::partitions` for how the days go on.
const BY_DAYS: &[&str] = &[
    "ALTER TABLE delivery_attempts RENAME TO delivery_attempts_before",
    "ALTER INDEX delivery_attempts_pkey RENAME TO delivery_attempts_before_pkey",
    "ALTER TABLE delivery_attempts_before
        ADD COLUMN first_byte_us {int},
        ADD COLUMN error_class {small},
        ADD COLUMN dns_us {int},
        ADD COLUMN connect_us {int},
        ADD COLUMN tls_us {int},
        ADD COLUMN peer {bytes},
        ADD COLUMN truncated {bool},
        ADD COLUMN answer_headers {bytes},
        ADD COLUMN answer_body {bytes}",
    // In this order no row has a gap between its columns.
    "CREATE TABLE delivery_attempts (
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
    ) PARTITION BY RANGE (delivery_id)",
    "CREATE TABLE delivery_attempts_rest PARTITION OF delivery_attempts DEFAULT",
    // What there is stays where it is and becomes the part before the day after the newest delivery. One
    // that a clock far ahead has made does not keep that part from ever ending: its attempts go to the rest.
    "DO $$
    DECLARE
        newest bigint;
        bound uuid;
    BEGIN
        SELECT ('x' || left(replace(delivery_id::text, '-', ''), 12))::bit(48)::bigint INTO newest
            FROM delivery_attempts_before ORDER BY delivery_id DESC LIMIT 1;
        IF newest IS NULL THEN
            DROP TABLE delivery_attempts_before;
            RETURN;
        END IF;
        newest := least(newest, extract(epoch FROM now())::bigint * 1000 + 86400000);
        bound := rpad(lpad(to_hex((newest / 86400000 + 1) * 86400000), 12, '0'), 32, '0')::uuid;
        WITH ahead AS (DELETE FROM delivery_attempts_before WHERE delivery_id >= bound RETURNING
            delivery_id, started_at, duration_us, status_code, number, error)
        INSERT INTO delivery_attempts_rest (delivery_id, started_at, duration_us, status_code, number, error)
            SELECT delivery_id, started_at, duration_us, status_code, number, error FROM ahead;
        EXECUTE format('ALTER TABLE delivery_attempts ATTACH PARTITION delivery_attempts_before
            FOR VALUES FROM (MINVALUE) TO (%L)', bound);
    END $$",
];
