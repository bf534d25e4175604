//! The rules of webhooks over in-memory storage, a clock moved by hand and a scripted receiver.

mod audit;
mod backoff;
mod delivery;
mod fair;
mod headers;
mod management;
mod model;
mod names;
mod replay;
mod replay_model;
mod requests;
mod scheduler;
mod subscriptions;
mod test_app;
mod test_events;
mod trickle;
