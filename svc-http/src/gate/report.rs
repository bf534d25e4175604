//! Routes for secret scanners, which sign the body with the key that the operator gave them.
//!
//! In this order:
//!
//! 1. Without a key there is no such route, 404.
//! 2. An address with too many failed authentications waits, 429.
//! 3. One header `X-SVC-Signature` is there, 401.
//! 4. When the body was read: the signature is of the form that webhooks have,
//!    at most five minutes old, and made with the key over exactly these
//!    bytes, 401.
//!
//! Each 401 counts against the address, as a bad token does.

use std::net::IpAddr;
use std::sync::Arc;

use svc_core::clock::Timestamp;
use svc_core::pii::PiiAccess;
use svc_webhooks::signature::verify;

use super::{Arrival, Caller, Gate, Notice};
use crate::app::App;
use crate::problem::{Code, Problem};
use crate::scanning::key::ScanningKey;

/// Name of the header with the signature.
pub(crate) const SIGNATURE: &str = "x-svc-signature";

/// Lets signed reports in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByReport;

/// A caller who says that it has the key; the body shows whether it is true.
pub(crate) struct Reporter {
    app: Arc<App>,
    key: ScanningKey,
    signature: String,
    from: Option<IpAddr>,
    now: Timestamp,
}

impl Gate for ByReport {
    type Caller = Reporter;

    async fn admit(&self, arrival: &Arrival) -> Result<Reporter, Problem> {
        let (app, from) = (arrival.app.clone(), arrival.from);
        let key = app.settings.scanning_key.clone().ok_or_else(Problem::unknown_path)?;
        app.authenticator.may_try(from)?;
        let mut lines = arrival.parts.headers.get_all(SIGNATURE).iter();
        let (Some(line), None) = (lines.next(), lines.next()) else {
            app.authenticator.count_failure(from);
            return Err(Problem::new(
                Code::SignatureInvalid,
                "sign the body: send one header X-SVC-Signature",
            ));
        };
        // A line that is no text is malformed where it is judged, as an empty one is.
        let signature = line.to_str().unwrap_or_default().to_owned();
        Ok(Reporter { app, key, signature, from, now: arrival.context.now })
    }

    fn notice(&self) -> Notice {
        Notice {
            access: "report",
            permission: None,
            schemes: &["scanner"],
            csrf: false,
            limits: false,
            sentence: "Needs the operator's key for secret scanners; without one there is no such route."
                .to_owned(),
        }
    }
}

impl Caller for Reporter {
    fn access(&self) -> PiiAccess {
        PiiAccess::Masked
    }

    fn check_body(&self, body: &[u8]) -> Result<(), Problem> {
        let verified = verify(self.key.expose(), &self.signature, body, self.now.unix_seconds());
        verified.map_err(|error| {
            self.app.authenticator.count_failure(self.from);
            Problem::signature_invalid(error)
        })
    }
}
