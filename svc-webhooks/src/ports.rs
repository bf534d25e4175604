//! What the rules need from outside: storage and HTTP.

mod answer;
mod events;
mod exchange;
mod fan_out;
mod overview;
mod queue;
mod replays;
mod sender;
mod storage;

pub use self::answer::{Answer, AnswerHeaders};
pub use self::events::{DeliveryCounts, EventFilter, EventReader, LoggedEvent};
pub use self::exchange::{ErrorClass, Exchange, Failure, Timings};
pub use self::fan_out::{FanOut, FannedOut, Place, Waiting};
pub use self::overview::{Count, DueLane, Latest, Overview, QueueDepth};
pub use self::queue::{Claimed, DeliveryQueue, Lease, Leased, Left, Notification, Settlement, Wish};
pub use self::replays::{DueReplay, ReplayReader, ReplayStore};
pub use self::sender::{HttpSender, Outgoing, Refusal, SendError};
pub use self::storage::{
    DeliveryFilter, DeliveryReader, DeliveryStore, Hold, LoggedDelivery, SubscriptionReader,
    SubscriptionStore, WebhookStorage, WebhookUnit,
};
