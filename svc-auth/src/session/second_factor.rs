//! What a person proves beside the password: a code of their device (RFC 6238), or a recovery code when it is lost.
//!
//! What each part does:
//!
//! 1. [`enrol`] makes a secret for the device; it asks for nothing yet. [`confirm_enrolment`] takes the first code of the
//!    device, turns the second factor on, and gives out [`RecoveryCode`]s.
//! 2. From then on [`sign_in`](super::sign_in) opens a session that opens nothing, and [`complete_sign_in`] puts a whole
//!    one in its place when the code is right. Each code counts once (RFC 6238, section 5.2).
//! 3. [`renew_recovery_codes`] makes the old ones worthless, [`turn_off_second_factor`] ends it. Both, like [`enrol`], ask
//!    for the password: a session that was left open is not enough. [`remove_second_factor`] is for the operator.

mod complete;
mod enrol;
mod manage;
mod recovery;
mod totp;

use svc_core::clock::Timestamp;
use svc_core::id::UserId;
use svc_core::resource::Version;

pub use self::complete::{CompleteError, SignInCode, complete_sign_in};
pub use self::enrol::{EnrolError, confirm_enrolment, enrol};
pub use self::manage::{
    ManageError, RemoveError, remove_second_factor, renew_recovery_codes, turn_off_second_factor,
};
pub use self::recovery::RecoveryCode;
pub use self::totp::TotpSecret;
use crate::token::{Fingerprint, Peppers};

/// A person's second factor as it is kept.
///
/// It neither serialises nor prints.
///
/// ```
/// # use svc_auth::session::SecondFactor;
/// fn hidden<T: std::fmt::Debug>() {}
/// hidden::<SecondFactor>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::session::SecondFactor;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<SecondFactor>();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondFactor {
    /// Whose it is.
    pub user: UserId,
    /// What the device computes its codes from.
    pub secret: TotpSecret,
    /// Since when a code is asked for; `None` before the first one was right.
    pub confirmed_at: Option<Timestamp>,
    /// The step of time of the last code that counted: earlier ones, and it, count no more.
    pub last_step: u64,
    /// What is kept of the recovery codes that were not used yet.
    pub recovery: Vec<Fingerprint>,
    /// Counts its changes, uses among them.
    pub version: Version,
}

impl SecondFactor {
    /// Whether a code is asked for.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.confirmed_at.is_some()
    }

    /// What is left after this code was used; `None` for a wrong one.
    fn used(&self, peppers: &Peppers, code: &str, now: Timestamp) -> Option<Self> {
        let version = self.version.next();
        if let Some(step) = self.secret.step_of(code, now).filter(|step| *step > self.last_step) {
            return Some(Self { last_step: step, version, ..self.clone() });
        }
        let candidates = peppers.candidates(&RecoveryCode::parse(code)?);
        let place = self.recovery.iter().position(|kept| kept.is_among(&candidates))?;
        let mut recovery = self.recovery.clone();
        recovery.remove(place);
        Some(Self { recovery, version, ..self.clone() })
    }
}
