//! Codes of a device: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, which every app knows.

use std::fmt;

use svc_core::clock::Timestamp;
use svc_core::random::{self, RandomSource};
use totp_rs::{Builder, Totp};
use zeroize::Zeroizing;

/// Bits of a secret: as many as the hash has (RFC 4226, section 4).
const BYTES: usize = 20;

/// What a device and the service share: 160 random bits.
///
/// It neither serialises nor prints.
///
/// ```compile_fail,E0277
/// # use svc_auth::session::TotpSecret;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<TotpSecret>();
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret(Zeroizing<[u8; BYTES]>);

impl TotpSecret {
    /// A new one.
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self(Zeroizing::new(random::bytes(random)))
    }

    /// Takes a stored one.
    #[must_use]
    pub fn from_stored(bytes: [u8; BYTES]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Its bytes, for storage.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// As a person types it into an app that has no camera: base 32 (RFC 4648).
    #[must_use]
    pub fn to_base32(&self) -> Zeroizing<String> {
        Zeroizing::new(self.totp(None, "").secret().to_base32())
    }

    /// What an app reads from a picture: `otpauth://totp/…` of an issuer, such as the name of the service, and a
    /// person's e-mail address. A colon, which would end the issuer, is left out of both.
    #[must_use]
    pub fn to_uri(&self, issuer: &str, account: &str) -> Zeroizing<String> {
        let [issuer, account] = [issuer, account].map(|text| text.replace(':', " "));
        Zeroizing::new(self.totp(Some(issuer), &account).to_url().unwrap_or_default())
    }

    /// The code at an instant.
    #[must_use]
    pub fn code_at(&self, at: Timestamp) -> String {
        self.totp(None, "").generate(seconds(at)).to_string()
    }

    /// The step of time that a code is of: the present one, the one before or the one after it, as clocks differ.
    pub(super) fn step_of(&self, code: &str, now: Timestamp) -> Option<u64> {
        let digits: Zeroizing<String> =
            Zeroizing::new(code.chars().filter(|sign| !sign.is_whitespace()).collect());
        let is_code = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_code.then(|| self.totp(None, "").check(&digits, seconds(now))).flatten()
    }

    fn totp(&self, issuer: Option<String>, account: &str) -> Totp {
        let builder = Builder::new().with_secret(*self.0).with_skew(1).with_account_name(account);
        builder.with_issuer(issuer).build_noncompliant()
    }
}

fn seconds(at: Timestamp) -> u64 {
    u64::try_from(at.unix_micros() / 1_000_000).unwrap_or_default()
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> TotpSecret {
        TotpSecret::from_stored(*b"12345678901234567890")
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_micros(seconds * 1_000_000)
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B has eight digits; the last six are the code of six.
        for (seconds, code) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (2_000_000_000, "279037")]
        {
            assert_eq!(secret().code_at(at(seconds)), code);
        }
    }

    #[test]
    fn a_code_is_of_its_step_or_of_a_neighbour() {
        let code = secret().code_at(at(90));
        let of = |seconds| secret().step_of(&code, at(seconds));
        assert_eq!([of(59), of(60), of(90), of(149), of(150)], [None, Some(3), Some(3), Some(3), None]);
        let spaced = format!(" {} {} ", &code[..3], &code[3..]);
        assert_eq!(secret().step_of(&spaced, at(90)), Some(3));
        for wrong in ["", "1234567", "12345a", "１２３４５６", "+12345"] {
            assert_eq!(secret().step_of(wrong, at(90)), None, "{wrong}");
        }
    }

    #[test]
    fn an_app_reads_the_secret() {
        assert_eq!(secret().to_base32().as_str(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(
            secret().to_uri("Svc: books", "ana@example.com").as_str(),
            "otpauth://totp/Svc%20%20books:ana%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Svc%20%20books"
        );
        assert_eq!(format!("{:?}", secret()), "TotpSecret(***)");
    }
}
