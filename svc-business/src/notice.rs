//! Notices of public bodies: what the tax office and others notify a company of (specification, domain part 9.5).
//!
//! A notification is to be accessed within ten natural days; then it counts as rejected, and the act as served (Ley 39/2015,
//! article 43). Accessing and rejecting have legal effect on the person that does it, so people do that and no programs.
//! A [`connector`] brings notices from elsewhere.

mod change;
pub mod connector;
mod create;
mod input;
mod ports;
mod refer;
mod state;
mod term;

pub use self::change::{NoticeRefused, access, expire, reject, update};
pub use self::create::create;
pub use self::input::{NoticePatch, NoticeRequest};
pub use self::ports::{NoticeReader, NoticeStore};
pub use self::state::{
    Notice, NoticeFilter, NoticeKind, NoticeSort, NoticeSource, NoticeStatus, NoticeStatusFilter,
};
