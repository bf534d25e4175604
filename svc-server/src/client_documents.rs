//! Documents of OAuth clients, read over the guarded sender.

use std::time::Duration;

use async_trait::async_trait;
use svc_auth::ports::{ClientDocuments, Document, Unreadable};
use svc_auth::token::DocumentUrl;
use svc_egress::HyperSender;
use svc_webhooks::ports::Answer;

/// For everything from name resolution to the last byte.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Reads them from public addresses.
#[derive(Clone, Debug)]
pub(crate) struct GuardedDocuments(pub(crate) HyperSender);

#[async_trait]
impl ClientDocuments for GuardedDocuments {
    async fn read(&self, url: &DocumentUrl) -> Result<Document, Unreadable> {
        let exchange = self.0.fetch(url.url(), "application/json", TIMEOUT).await;
        let answer = exchange.result.map_err(|failure| Unreadable(failure.error.to_string()))?;
        document(answer)
    }
}

fn document(answer: Answer) -> Result<Document, Unreadable> {
    match answer {
        Answer { truncated: true, .. } => {
            Err(Unreadable(format!("it has more than {} bytes", Answer::MOST_BODY_BYTES)))
        }
        Answer { status: 200, headers, body, .. } => {
            let control = headers.iter().find(|(name, _)| *name == "cache-control").map(|(_, line)| line);
            let max_age = control.and_then(|line| std::str::from_utf8(line).ok()).and_then(max_age);
            Ok(Document { max_age, body: body.into() })
        }
        Answer { status, .. } => Err(Unreadable(format!("its server answered {status}, not 200"))),
    }
}

/// How long others may keep it (RFC 9111, section 5.2.2); what must not be kept, not at all.
fn max_age(control: &str) -> Option<Duration> {
    let mut directives = control.split(',').map(|directive| directive.trim().to_ascii_lowercase());
    if directives.clone().any(|directive| directive == "no-store" || directive == "no-cache") {
        return Some(Duration::ZERO);
    }
    let seconds = directives.find_map(|directive| directive.strip_prefix("max-age=")?.parse().ok());
    seconds.map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_kept_as_long_as_its_server_says() {
        for (control, seconds) in [
            ("max-age=600", Some(600)),
            ("public, Max-Age=60 , immutable", Some(60)),
            ("max-age=600, no-store", Some(0)),
            ("max-age=soon", None),
            ("", None),
        ] {
            assert_eq!(max_age(control), seconds.map(Duration::from_secs), "{control}");
        }
    }
}
