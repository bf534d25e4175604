#![doc = include_str!("../README.md")]

mod api;
mod approvals;
mod ask;
mod assets;
mod audit_log;
mod authorize;
mod ceremony;
mod companies;
mod deliveries;
mod errors;
mod event_log;
mod first_run;
mod frame;
mod gate;
mod home;
mod instant;
mod invitations;
mod language;
mod life;
mod members;
mod once;
mod page;
mod pager;
mod password;
mod preferences;
mod refusal;
mod replays;
mod second_factor;
mod sessions;
mod sign_in;
mod site;
mod subscriptions;
mod texts;
mod tokens;

pub use self::first_run::{FirstCompany, FirstRun, Founder};
pub use self::site::{pages, pages_with};
