//! What a certificate says.

use cms::cert::x509::Certificate;
use cms::cert::x509::ext::pkix::KeyUsage;
use cms::cert::x509::time::Time;
use svc_core::clock::Timestamp;

/// From when on, and until when, it may be used.
pub(crate) fn validity(certificate: &Certificate) -> (Timestamp, Timestamp) {
    let instant = |time: Time| {
        let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
        Timestamp::from_unix_seconds(seconds)
    };
    let validity = certificate.tbs_certificate.validity;
    (instant(validity.not_before), instant(validity.not_after))
}

/// Whom it names (RFC 4514).
pub(crate) fn subject(certificate: &Certificate) -> String {
    certificate.tbs_certificate.subject.to_string()
}

/// Whether its key may sign: one without a key usage may do all (RFC 5280, section 4.2.1.3).
pub(crate) fn signs(certificate: &Certificate) -> bool {
    match certificate.tbs_certificate.get::<KeyUsage>() {
        Ok(Some((_, usage))) => usage.digital_signature() || usage.non_repudiation(),
        Ok(None) => true,
        Err(_) => false,
    }
}
