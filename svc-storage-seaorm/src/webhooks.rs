//! Storage of subscriptions, of the delivery log and of the queue.

mod attempt;
mod delivery;
pub(crate) mod event_log;
pub(crate) mod fan_out;
mod health;
mod hours;
mod lanes;
pub(crate) mod log;
pub(crate) mod overview;
mod partitions;
pub(crate) mod purge;
mod queue;
mod removed;
mod replays;
mod settle;
mod subscription;
pub(crate) mod subscriptions;
