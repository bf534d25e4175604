//! The data room: files that a company shows to others, in sections (specification, domain part 10.2).
//!
//! An entry pins one version of a file: what is uploaded later is not shown by it. The file is held meanwhile, and leaves
//! the data room by the entry alone. Entries do not change; one that is wrong is taken away, and added anew.
//!
//! An entry has a place in its [section](Section), from 1, which is never given again, so that the index that people quote
//! goes on to mean the same file. Each time that its content is given, a [view](DataRoomView) is committed before the first
//! byte goes out.
//!
//! Guests, such as advisers and buyers, have no account: a [grant](DataRoomGrant) lets one into sections, by a link that is sent
//! by mail, and until a day. Who opens the link proves by a code that the mail is theirs.

mod add;
mod grant;
mod guest;
mod input;
mod letter;
mod open;
mod ports;
mod section;
mod sections;
mod show;
mod state;

pub use self::add::{Stamping, Unstampable, add, add_uploaded, remove};
pub use self::grant::{
    DataRoomGrant, DataRoomGrantFilter, DataRoomGrantSort, GrantState, LONGEST_GRANT, MOST_OPEN_GRANTS,
};
pub use self::guest::{GuestRefused, PASS_LASTS, prove_code, request_code, show_guest, viewed_by_guest};
pub use self::input::DataRoomFileInput;
pub use self::letter::{GuestLetter, GuestMailKind, guest_letter_of};
pub use self::open::{GrantInput, GrantRefused, extend, grant, revoke};
pub use self::ports::{DataRoomGrantReader, DataRoomGrantStore, DataRoomReader, DataRoomStore};
pub use self::section::{MOST_DEPTH, MOST_LENGTH, Section, SectionError};
pub use self::sections::{MOST_SECTIONS, Sections, SectionsError};
pub use self::show::{NotShown, Showing, show, viewed};
pub use self::state::{
    DataRoomFile, DataRoomFilter, DataRoomSort, DataRoomView, MOST_VIEWS, ViewChannel, Viewer,
};
