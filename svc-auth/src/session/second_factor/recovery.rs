//! Recovery codes: each signs a person in once without the device.

use std::fmt;

use svc_core::random::{self, RandomSource};
use zeroize::Zeroizing;

use crate::token::{Fingerprint, Peppers, Secret};

/// How many a person is given.
const NUMBER: usize = 10;
/// Signs of a code, without its dashes: 80 random bits, so that one keyed hash is enough to keep.
const SIGNS: usize = 16;
/// None of them is mistaken for another one.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

/// One of them in clear text: shown once, never stored.
///
/// It neither serialises nor prints.
///
/// ```compile_fail,E0277
/// # use svc_auth::session::RecoveryCode;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<RecoveryCode>();
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(Zeroizing<String>);

impl RecoveryCode {
    /// A set of new ones, and what is kept of them.
    pub(super) fn set(peppers: &Peppers, random: &dyn RandomSource) -> (Vec<Self>, Vec<Fingerprint>) {
        (0..NUMBER)
            .map(|_| Self::generate(random))
            .map(|code| (code.clone(), peppers.fingerprint(&code)))
            .unzip()
    }

    fn generate(random: &dyn RandomSource) -> Self {
        let bytes = Zeroizing::new(random::bytes::<SIGNS>(random));
        let sign = |byte: &u8| ALPHABET.get(usize::from(*byte) % ALPHABET.len()).copied().map(char::from);
        Self(Zeroizing::new(bytes.iter().filter_map(sign).collect()))
    }

    /// Reads a typed one: case, spaces and dashes do not count. `None` for what cannot be one.
    pub(super) fn parse(typed: &str) -> Option<Self> {
        let mut code = Zeroizing::new(String::with_capacity(SIGNS));
        for sign in typed.chars().filter(|sign| !sign.is_whitespace() && *sign != '-') {
            if code.len() == SIGNS || !sign.is_ascii_alphanumeric() {
                return None;
            }
            code.push(sign.to_ascii_lowercase());
        }
        (code.len() == SIGNS).then_some(Self(code))
    }

    /// As it is shown: `abcd-efgh-jkmn-pqrs`.
    #[must_use]
    pub fn shown(&self) -> Zeroizing<String> {
        let mut shown = Zeroizing::new(String::with_capacity(SIGNS + 3));
        for (place, sign) in self.0.chars().enumerate() {
            if place > 0 && place % 4 == 0 {
                shown.push('-');
            }
            shown.push(sign);
        }
        shown
    }
}

impl Secret for RecoveryCode {
    fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = RecoveryCode::parse("ABCD-efgh jkmn-pqrs").expect("a code");
        assert_eq!(code.shown().as_str(), "abcd-efgh-jkmn-pqrs");
        for wrong in ["", "123456", "abcd-efgh-jkmn-pqr", "abcd-efgh-jkmn-pqrst", "äbcd-efgh-jkmn-pqrs"] {
            assert!(RecoveryCode::parse(wrong).is_none(), "{wrong}");
        }
    }
}
