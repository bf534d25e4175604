#![doc = include_str!("../README.md")]

mod compose;
mod envelope;
mod folder;
mod guest;
mod invitation;
mod job;
mod language;
mod message;
mod person;
mod smtp;

pub use self::compose::{ComposeError, compose};
pub use self::envelope::{Ceremonies, carry_out_envelope, compose_envelope};
pub use self::folder::FolderMailer;
pub use self::guest::{carry_out_guest, compose_guest};
pub use self::invitation::carry_out_invitation;
pub use self::job::{ATTEMPTS, Ended, carry_out};
pub use self::message::{InvalidSender, Sender};
pub use self::person::{ResetLinks, carry_out_person};
pub use self::smtp::{InvalidSmtpUrl, SmtpMailer};
