//! Storage of subscriptions, of the delivery log and of the queue.

mod delivery;
pub(crate) mod fan_out;
mod lanes;
mod log;
mod purge;
mod queue;
mod settle;
mod subscription;
mod subscriptions;
