//! What a movement may stand for: proposals with a score and the reasons for it. The same facts give the same proposals in the
//! same order.

mod clue;
mod facts;
mod gather;
mod score;
mod state;
#[cfg(test)]
mod tests;

pub use self::facts::{DueReturn, Facts};
pub use self::gather::Sources;
pub use self::score::{propose, sure};
pub use self::state::{Proposal, ProposedPart, ProposedTarget, Reason};

/// Proposals for a movement at most: the best ones.
pub const MOST: usize = 10;
