//! Signing a notification, and verifying one (specification, part 6.3).
//!
//! Both ends are here, over plain text and bytes, so that a receiver written
//! in Rust needs nothing else of this crate.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

/// How far `t` may differ from the receiver's clock, in seconds.
pub const TOLERANCE_SECONDS: u64 = 300;

/// The value of `X-SVC-Webhook-Signature` for a body sent at Unix second `t`: `t=<unix>,sha256=<hex>`.
#[must_use]
pub fn sign(secret: &str, t: i64, body: &[u8]) -> String {
    let mut header = format!("t={t},sha256=");
    for byte in mac(secret, &t.to_string(), body).finalize().into_bytes() {
        write!(header, "{byte:02x}").expect("writing to a String never fails");
    }
    header
}

/// Why a notification is not to be trusted.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum VerifyError {
    /// Not `t=<unix>,sha256=<hex>`.
    #[error("the signature header is not of the form t=<unix>,sha256=<hex>")]
    Malformed,
    /// `t` differs from the clock by more than the tolerance.
    #[error("the signature is too old or from the future")]
    OutsideTolerance,
    /// Another secret or another body.
    #[error("the signature does not match")]
    Mismatch,
}

/// Checks a signature header against the exact bytes received.
///
/// `body` must be the bytes as they came, not parsed and written again;
/// `now_unix` is the receiver's clock in Unix seconds. The comparison takes the
/// same time whatever differs.
///
/// # Errors
/// [`VerifyError`]; a receiver answers 400 to each.
pub fn verify(secret: &str, header: &str, body: &[u8], now_unix: i64) -> Result<(), VerifyError> {
    let (t, tag) = parse(header).ok_or(VerifyError::Malformed)?;
    let sent_at: i64 = t.parse().map_err(|_| VerifyError::Malformed)?;
    if now_unix.abs_diff(sent_at) > TOLERANCE_SECONDS {
        return Err(VerifyError::OutsideTolerance);
    }
    // The digits of `t` go in as they were received: "07" is not "7".
    mac(secret, t, body).verify_slice(&tag).map_err(|_| VerifyError::Mismatch)
}

/// The digits of `t` and the bytes of `sha256`.
fn parse(header: &str) -> Option<(&str, [u8; 32])> {
    let (t, hex) = header.strip_prefix("t=")?.split_once(",sha256=")?;
    let decimal = !t.is_empty() && t.bytes().all(|letter| letter.is_ascii_digit());
    decimal.then_some((t, decode_hex(hex)?))
}

fn decode_hex(text: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = (nibble(*high)? << 4) | nibble(*low)?;
    }
    Some(bytes)
}

fn nibble(letter: u8) -> Option<u8> {
    char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn mac(secret: &str, t: &str, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes a key of any length");
    mac.update(t.as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_form_is_read() {
        let hex = "ab".repeat(32);
        assert!(parse(&format!("t=1,sha256={hex}")).is_some());
        assert!(parse(&format!("t=1,sha256={}", hex.to_uppercase())).is_some());
        for header in [
            String::new(),
            format!("t=,sha256={hex}"),
            format!("t=+1,sha256={hex}"),
            format!("t=-1,sha256={hex}"),
            format!("t= 1,sha256={hex}"),
            format!("t=1, sha256={hex}"),
            format!("t=1,sha256={hex}0"),
            format!("t=1,sha256={hex},v=2"),
            format!("t=1,sha256={}", hex.replacen('a', "g", 1)),
            format!("t=1,sha256={}", hex.replacen("ab", "+1", 1)),
            format!("sha256={hex},t=1"),
            format!("T=1,sha256={hex}"),
        ] {
            assert_eq!(verify("whsec_x", &header, b"", 1), Err(VerifyError::Malformed), "{header}");
        }
    }

    #[test]
    fn the_tolerance_ends_after_300_seconds_in_both_directions_and_never_overflows() {
        let now = 1_738_314_900;
        for (t, outcome) in [
            (now - 300, Ok(())),
            (now + 300, Ok(())),
            (now - 301, Err(VerifyError::OutsideTolerance)),
            (now + 301, Err(VerifyError::OutsideTolerance)),
            (i64::MAX, Err(VerifyError::OutsideTolerance)),
        ] {
            assert_eq!(verify("whsec_x", &sign("whsec_x", t, b"{}"), b"{}", now), outcome, "{t}");
        }
        let latest = sign("whsec_x", i64::MAX, b"{}");
        assert_eq!(verify("whsec_x", &latest, b"{}", i64::MIN), Err(VerifyError::OutsideTolerance));
        let beyond = latest.replace(&i64::MAX.to_string(), "9223372036854775808");
        assert_eq!(verify("whsec_x", &beyond, b"{}", now), Err(VerifyError::Malformed));
    }
}
