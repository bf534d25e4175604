#![doc = include_str!("../README.md")]

mod compose;
mod folder;
mod job;
mod message;
mod smtp;

pub use self::compose::{ComposeError, compose};
pub use self::folder::FolderMailer;
pub use self::job::{ATTEMPTS, Ended, carry_out};
pub use self::message::{InvalidSender, Sender};
pub use self::smtp::{InvalidSmtpUrl, SmtpMailer};
