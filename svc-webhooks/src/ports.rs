//! What the rules need from outside: storage and HTTP.
//!
//! A storage of webhooks is a [`WebhookStorage`]. Two more ports stand on top of it and need not be there:
//! [`ReplayStorage`] for the storage that can send past events again, [`QueueOverview`] for the one that tells
//! operators what waits.

mod answer;
mod events;
mod exchange;
mod fan_out;
mod hours;
mod overview;
mod queue;
mod readers;
mod replays;
mod sender;
mod storage;

pub use self::answer::{Answer, AnswerHeaders};
pub use self::events::{DeliveryCounts, EventFilter, EventReader, LoggedEvent};
pub use self::exchange::{ErrorClass, Exchange, Failure, Timings};
pub use self::fan_out::{FanOut, FannedOut, OutboxPosition, Waiting};
pub use self::hours::{HourOfDeliveries, HoursRequest, SeenDelivery};
pub use self::overview::{Count, DueLane, Latest, Overview, QueueDepth, QueueOverview};
pub use self::queue::{
    ClaimRequest, Claimed, DeliveryQueue, Lease, Leased, Notification, Remaining, Settlement,
};
pub use self::readers::{AsSubscribed, ReadAuthority};
pub use self::replays::{DueReplay, ReplayReader, ReplayStorage, ReplayStore, ReplayUnit};
pub use self::sender::{HttpSender, Outgoing, Refusal, SendError};
pub use self::storage::{
    DeliveryFilter, DeliveryReader, DeliveryStore, InitialLease, LoggedDelivery, SubscriptionReader,
    SubscriptionStore, WebhookStorage, WebhookUnit,
};
