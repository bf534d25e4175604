//! What new records are made with.

use svc_core::clock::Timestamp;
use svc_core::id::TypedId;
use svc_core::random::RandomSource;

/// What new records are made with.
#[derive(Clone, Copy)]
pub struct Ids<'a> {
    /// The instant of the call.
    pub now: Timestamp,
    /// Where ids come from.
    pub random: &'a dyn RandomSource,
}

impl Ids<'_> {
    /// A new id.
    #[must_use]
    pub fn make<I: TypedId>(&self) -> I {
        I::generate(self.now, self.random)
    }
}
