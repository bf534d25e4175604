//! Approvals: what an assistant may only do once a person has agreed to just that (specification, part 5.5).
//!
//! An assistant that calls for what commits its company is told to wait, and its person is shown what would be done. An
//! [`Approval`] stands for that one call: it is bound to the credential and to a [`CallDigest`] of all that the call says,
//! so that another credential, or the same call with one letter changed, finds none. It ends five minutes after it was
//! asked for, decided or used.

mod digest;
mod machine;

pub use self::digest::CallDigest;
pub use self::machine::{Approval, LIFE, Refusal, Shown, Stage, Used};
