//! SQLite and PostgreSQL against the contracts of every port, and against the
//! traps that each engine is known for.

mod alone;
mod audit;
mod audited;
mod both;
mod budgets;
mod closing;
mod contracts;
mod credentials;
mod embedded;
mod failures;
mod fresh;
mod life;
mod log;
mod master_keys;
mod newer;
mod outbox;
mod postgres_traps;
mod posting;
mod read_only;
mod scale;
mod sessions;
mod simulation;
mod sqlite_traps;
mod statements;
mod tampering;
mod token_machine;
mod units;
mod webhook_machine;
