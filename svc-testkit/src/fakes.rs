//! Stand-ins for the world: a clock moved by hand, repeatable randomness, a scripted network.

mod clock;
mod random;
mod sender;

pub use self::clock::ManualClock;
pub use self::random::SeededRandom;
pub use self::sender::FakeSender;
