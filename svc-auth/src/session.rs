//! Signed-in people: passwords, sessions and what protects both.
//!
//! What each part does:
//!
//! 1. [`sign_in`] compares a password and opens a [`Session`]. The browser gets
//!    its [`SessionValue`] in a cookie; the store keeps a fingerprint of it.
//! 2. At each request [`resume`] finds the session again, and reads anew whether
//!    its person may sign in and what they are in their companies: a
//!    [`SignedIn`] is true for one request and kept for none.
//! 3. Requests that change something also carry the [`CsrfToken`] of the session.
//! 4. [`sign_out`] ends one session, [`change_password`] all others of the
//!    person, [`set_password`] all of them. A sign-in that is under way with the
//!    old password meanwhile is refused.
//! 5. [`list_sessions`] shows a person where they are signed in, [`end_session`]
//!    ends one of those, [`sign_out_everywhere`] all.
//! 6. With a [`SecondFactor`], [`enrol`], [`sign_in`] leads as far as the password
//!    does, and [`complete_sign_in`] asks for a code.
//! 7. Who forgot the password sets a new one by a link in a mail: [`admit_reset`], [`offer_reset`], [`reset_password`].

mod argon2id;
mod change_password;
mod compare;
mod csrf;
mod device;
mod note;
mod password;
mod proof;
mod reset;
mod resume;
mod rules;
mod second_factor;
mod sessions;
mod set_password;
mod sign_in;
mod sign_out;
mod signed_in;
mod state;
mod throttle;
mod value;

pub use self::argon2id::{Argon2id, ParametersError};
pub use self::change_password::{ChangePasswordError, change_password};
pub use self::csrf::CsrfToken;
pub use self::device::Device;
pub use self::password::{Password, PasswordHash, PasswordText};
pub use self::proof::ProofError;
pub use self::reset::{
    AdmitResetError, FirstPasswordError, PasswordReset, ResetError, ResetValue, admit_reset, find_reset,
    offer_reset, reset_password, set_first_password,
};
pub use self::resume::resume;
pub use self::rules::check_password;
pub use self::second_factor::{
    CompleteError, EnrolError, ManageError, RecoveryCode, RemoveError, SecondFactor, SignInCode, TotpSecret,
    complete_sign_in, confirm_enrolment, enrol, remove_second_factor, renew_recovery_codes,
    turn_off_second_factor,
};
pub use self::sessions::{end_session, list_sessions, sign_out_everywhere};
pub use self::set_password::{SetPasswordError, set_password};
pub use self::sign_in::{SignIn, SignInError, SignInRequest, sign_in};
pub use self::sign_out::sign_out;
pub use self::signed_in::SignedIn;
pub use self::state::{Lifetime, Session};
pub use self::throttle::Throttle;
pub use self::value::SessionValue;
