//! Jobs: what is done later, without a request.
//!
//! A job is put beside the change that asks for it and commits with it, so neither is there without the other. A worker
//! [claims](JobStore::claim) what is due for a while, does it in units of work of its own, and then ends the job or puts
//! it off. Should the worker die, the job is due again once its claim has run out, so what a job does may be repeated, and
//! has to be idempotent. A worker whose claim ran out changes nothing about the job any more. Several servers share one
//! store; each job is one server's at a time.
//!
//! A job is known by its kind and a key: put again, it stays as it is. One that has ended is kept for a week, for people
//! to see, and so that a key is used once.

mod ports;
mod retry;
mod state;

pub use self::ports::{JobReader, JobStore};
pub use self::retry::wait_after;
pub use self::state::{Job, JobKind, JobLook, JobOverview, NewJob, Outcome, Run};
