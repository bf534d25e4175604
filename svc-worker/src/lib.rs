#![doc = include_str!("../README.md")]

mod builder;
mod cleaner;
mod deliverer;
mod observer;
mod replayer;
mod task;

pub use self::builder::Builder;
pub use self::observer::{Observer, Step};
pub use self::task::{Deliverer, Running, SLOTS};
