//! The verbs of envelopes, each within a unit of work that has the envelope alone.

mod draft;

use svc_core::refused::Refused;

pub use self::draft::{create, delete, update};
use super::machine::EnvelopeRefused;

/// A reason of the machine as that of a verb.
fn own<T>(outcome: Result<T, EnvelopeRefused>) -> Result<T, Refused<EnvelopeRefused>> {
    outcome.map_err(Refused::Own)
}
