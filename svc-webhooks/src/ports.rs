//! What the rules need from outside: storage and HTTP.

mod fan_out;
mod queue;
mod sender;
mod storage;

pub use self::fan_out::{FanOut, FannedOut, Place, Waiting};
pub use self::queue::{Claimed, DeliveryQueue, Lease, Leased, Notification, QueueDepth, Settlement, Wish};
pub use self::sender::{Answer, HttpSender, Outgoing, Refusal, SendError};
pub use self::storage::{
    DeliveryFilter, DeliveryReader, DeliveryStore, Hold, LoggedDelivery, SubscriptionReader,
    SubscriptionStore, WebhookStorage, WebhookUnit,
};
