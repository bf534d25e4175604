use svc_webhooks::clock::Timestamp;
use svc_webhooks::signature::{Verified, Verifier, VerifyError};

/// The event of a genuine notification. `headers` are names and values as they came, `body` the exact bytes.
fn verify<'a>(
    verifier: &Verifier, // Verifier::new([secret])
    headers: &[(&str, &str)],
    body: &'a [u8],
    now: Timestamp,
) -> Result<Verified<'a>, VerifyError> {
    verifier.verify(headers.iter().copied(), body, now)
}
