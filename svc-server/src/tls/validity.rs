//! When a certificate ends: the one thing of it that operators watch.

use rustls::pki_types::CertificateDer;
use svc_core::clock::Timestamp;
use time::PrimitiveDateTime;
use time::macros::format_description;

const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// `notAfter` (RFC 5280, section 4.1.2.5); `None` when the certificate has another form.
pub(super) fn ends(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let (SEQUENCE, whole, _) = element(certificate)? else { return None };
    let (SEQUENCE, mut signed, _) = element(whole)? else { return None };
    if let (VERSION, _, rest) = element(signed)? {
        signed = rest;
    }
    // Serial number, algorithm and issuer stand before the validity.
    for _ in 0..3 {
        (_, _, signed) = element(signed)?;
    }
    let (SEQUENCE, validity, _) = element(signed)? else { return None };
    let (_, _, after_the_start) = element(validity)?;
    let (form, text, _) = element(after_the_start)?;
    let text = std::str::from_utf8(text).ok()?;
    let whole_year = match form {
        GENERALIZED_TIME => text.to_owned(),
        // Two digits of the year: 50 to 99 are of the last century.
        UTC_TIME if text >= "50" => format!("19{text}"),
        UTC_TIME => format!("20{text}"),
        _ => return None,
    };
    let form = format_description!("[year][month][day][hour][minute][second]Z");
    let instant = PrimitiveDateTime::parse(&whole_year, form).ok()?.assume_utc();
    Some(Timestamp::from_unix_seconds(instant.unix_timestamp()))
}

/// The first element of a text in DER: its tag, its content, and what follows it.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let [tag, length, rest @ ..] = der else { return None };
    let (length, rest) = match usize::from(*length) {
        short @ 0..0x80 => (short, rest),
        long => {
            let (digits, rest) =
                rest.split_at_checked(long - 0x80).filter(|(digits, _)| digits.len() <= 4)?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(end: (i32, u8, u8)) -> CertificateDer<'static> {
        let mut wanted = rcgen::CertificateParams::new(["svc.example.com".to_owned()]).expect("valid");
        wanted.not_after = rcgen::date_time_ymd(end.0, end.1, end.2);
        let key = rcgen::KeyPair::generate().expect("a key");
        wanted.self_signed(&key).expect("signed").der().clone()
    }

    #[test]
    fn the_end_is_read_in_both_forms_of_time() {
        for (end, text) in [
            ((2031, 3, 9), "2031-03-09T00:00:00.000Z"),
            ((1999, 12, 31), "1999-12-31T00:00:00.000Z"),
            ((2150, 1, 2), "2150-01-02T00:00:00.000Z"),
        ] {
            assert_eq!(ends(&certificate(end)).map(|until| until.to_string()).as_deref(), Some(text));
        }
    }

    #[test]
    fn no_cut_certificate_is_read_or_does_harm() {
        let whole = certificate((2031, 3, 9));
        let told = ends(&whole);
        for length in 0..whole.len() {
            let cut = CertificateDer::from(whole.get(..length).unwrap_or_default().to_vec());
            assert_eq!(ends(&cut), None, "the outer length no longer fits");
        }
        for at in 0..whole.len() {
            let mut spoilt = whole.to_vec();
            spoilt[at] ^= 0xff;
            // Any answer will do; none may panic.
            let _: Option<Timestamp> = ends(&CertificateDer::from(spoilt));
        }
        assert!(told.is_some());
    }
}
