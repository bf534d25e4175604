//! Stand-ins for the world: a clock moved by hand, cheap password hashes, repeatable randomness, a
//! scripted network.

mod clock;
mod documents;
mod hasher;
mod random;
mod sender;

pub use self::clock::ManualClock;
pub use self::documents::FakeDocuments;
pub use self::hasher::CheapHasher;
pub use self::random::SeededRandom;
pub use self::sender::FakeSender;
