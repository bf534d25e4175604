//! The one form of a signature, `X-SVC-Webhook-Signature` by default.

use std::time::Duration;

use hmac::Mac as _;

use super::VerifyError;

/// Most digits of `t`: every JSON number of that many is exact in every language,
/// and the year 9999 has twelve.
const MOST_DIGITS: usize = 15;

/// A signature as it was received.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signature<'a> {
    /// `t`, in Unix seconds.
    pub(super) t: i64,
    /// `t` as it was written: these digits were signed, and "07" is not "7".
    digits: &'a [u8],
    tag: [u8; 32],
}

impl<'a> Signature<'a> {
    /// Reads `t=<unix>,sha256=<hex>`, exactly.
    ///
    /// Nothing is trimmed, and no part may be absent, repeated or unknown: what
    /// a lenient reader makes of a strange header is what an attacker tries.
    pub(super) fn parse(header: &'a [u8]) -> Result<Self, VerifyError> {
        let malformed = VerifyError::MalformedHeader;
        let rest = header.strip_prefix(b"t=").ok_or(malformed("it does not begin with t="))?;
        let comma = rest.iter().position(|byte| *byte == b',').ok_or(malformed("it has no comma"))?;
        let (digits, rest) = rest.split_at(comma);
        let rest = rest.strip_prefix(b",sha256=").ok_or(malformed("the second part is not sha256="))?;
        let t = decimal(digits).ok_or(malformed("t is not 1 to 15 decimal digits"))?;
        let tag = tag(rest).ok_or(malformed("sha256 is not 64 hexadecimal digits"))?;
        Ok(Self { t, digits, tag })
    }

    /// Whether `t` is within `tolerance` of `now`, both ends included.
    pub(super) fn check_age(&self, now: i64, tolerance: Duration) -> Result<(), VerifyError> {
        let apart = Duration::from_secs(now.abs_diff(self.t));
        if apart.as_secs() <= tolerance.as_secs() {
            Ok(())
        } else if self.t < now {
            Err(VerifyError::TooOld { age: apart, tolerance })
        } else {
            Err(VerifyError::InTheFuture { ahead: apart, tolerance })
        }
    }

    /// Whether `secret` made this signature over `body`; compared in constant time.
    pub(super) fn matches(&self, secret: &str, body: &[u8]) -> bool {
        super::mac(secret, self.digits, body).verify_slice(&self.tag).is_ok()
    }
}

fn decimal(digits: &[u8]) -> Option<i64> {
    let exact = !digits.is_empty() && digits.len() <= MOST_DIGITS;
    let text = std::str::from_utf8(digits).ok()?;
    // `parse` alone would also take a sign.
    (exact && digits.iter().all(u8::is_ascii_digit)).then(|| text.parse().ok())?
}

fn tag(hex: &[u8]) -> Option<[u8; 32]> {
    let (pairs, rest) = hex.as_chunks::<2>();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_malformed_part_is_named() {
        let hex = "ab".repeat(32);
        for (header, part) in [
            (String::new(), "begin"),
            (format!("T=1,sha256={hex}"), "begin"),
            ("t=1".to_owned(), "comma"),
            (format!("t=1,sha512={hex}"), "second part"),
            (format!("t=1, sha256={hex}"), "second part"),
            (format!("t=1,t=1,sha256={hex}"), "second part"),
            (format!("t=,sha256={hex}"), "decimal"),
            (format!("t=-1,sha256={hex}"), "decimal"),
            (format!("t=1234567890123456,sha256={hex}"), "decimal"),
            (format!("t=1,sha256={hex}0"), "hexadecimal"),
            (format!("t=1,sha256={}", hex.replacen("ab", "+1", 1)), "hexadecimal"),
        ] {
            let error = Signature::parse(header.as_bytes()).expect_err(&header).to_string();
            assert!(error.contains(part), "{header}: {error}");
        }
    }

    #[test]
    fn the_age_never_overflows() {
        let header = format!("t=999999999999999,sha256={}", "ab".repeat(32));
        let signature = Signature::parse(header.as_bytes()).expect("well formed");
        for now in [i64::MIN, i64::MAX] {
            assert!(signature.check_age(now, Duration::from_mins(5)).is_err());
            assert_eq!(signature.check_age(now, Duration::MAX), Ok(()));
        }
    }
}
