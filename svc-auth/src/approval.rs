//! Approvals: what an assistant may only do once a person has agreed to just that (specification, part 5.5).
//!
//! An assistant that calls for what commits its company is told to wait, and its person is shown what would be done. An
//! [`Approval`] stands for that one call: it is bound to the credential and to a [`CallDigest`] of all that the call says,
//! so that another credential, or the same call with one letter changed, finds none. It ends five minutes after it was
//! asked for, decided or used.
//!
//! [`present`] is what a call begins with: it uses an approval that was given, or tells how far it is. [`ask`] asks for
//! one, [`answer`] takes what the person said in the client itself, and [`decide`] what they said in the client area.
//! A use is one conditional change of the stored row. The same call again within the five minutes is let through again, to
//! be carried out under [`Approval::id`] as the key under which it is done once. [`end`] ends an approval whose call was
//! refused, or whose record is no longer as it was shown.

mod ask;
mod decide;
mod digest;
mod machine;

pub use self::ask::{AskError, MOST_OPEN, Standing, answer, ask, end, known, present};
pub use self::decide::{DecideError, decide, open};
pub use self::digest::CallDigest;
pub use self::machine::{Approval, LIFE, Refusal, Shown, Stage, Used};
