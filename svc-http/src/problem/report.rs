//! Refusals of reports that are not signed as they must be.

use svc_webhooks::signature::VerifyError;

use super::{Code, Problem};

impl Problem {
    /// The words of webhooks do not fit here.
    pub(crate) fn signature_invalid(error: VerifyError) -> Self {
        let detail = match error {
            VerifyError::MalformedHeader(part) => {
                format!("X-SVC-Signature is not t=<unix>,sha256=<hex>: {part}")
            }
            VerifyError::TooOld { .. } | VerifyError::InTheFuture { .. } => error.to_string(),
            // All but the first are about what only notifications have.
            VerifyError::Mismatch
            | VerifyError::MissingHeader(_)
            | VerifyError::MalformedBody { .. }
            | VerifyError::IdMismatch => {
                "another key signed this, or other bytes: sign `<t>.<body>` with the key of this service"
                    .to_owned()
            }
        };
        Self::new(Code::SignatureInvalid, detail)
    }
}
