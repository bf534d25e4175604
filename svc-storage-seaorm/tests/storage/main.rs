//! SQLite and PostgreSQL against the contracts of every port, and against the
//! traps that each engine is known for.

mod both;
mod contracts;
mod failures;
mod fresh;
mod life;
mod postgres_traps;
mod scale;
mod sqlite_traps;
mod units;
