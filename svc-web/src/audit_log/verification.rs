//! The verification of a company's log from the page: part by part, one at a time for each company.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_core::audit::{Broken, Fault, Finding, Mark, PartFinding, Verifier};
use svc_core::id::AccountId;
use svc_http::Problem;

use crate::frame::{Frame, Place};
use crate::gate::{Administrator, Seen};
use crate::page;
use crate::texts::{AuditLog, filled};

/// Entries of one part: a second of work, at most.
const MOST: u64 = 100_000;

/// Companies whose log this process verifies at present.
static UNDER_WAY: Mutex<BTreeSet<AccountId>> = Mutex::new(BTreeSet::new());

#[derive(Template)]
#[template(path = "audit_log/verification.html")]
struct View {
    f: Frame,
    busy: bool,
    result: Option<Told>,
}

/// What a part came to, in words.
struct Told {
    /// `good`, `bad`, or none while there is more.
    class: &'static str,
    title: &'static str,
    text: String,
    /// What is wrong.
    fault: Option<String>,
    /// The last entry that fits.
    last: Option<(u64, String)>,
    /// What the next part begins with.
    next: Option<String>,
}

/// GET /companies/{company}/audit-log/verification
pub(crate) async fn show(seen: Seen<Administrator>) -> Result<Response, Problem> {
    page::ok(&View { f: Frame::of(&seen, Place::Audit), busy: false, result: None })
}

/// POST /companies/{company}/audit-log/verification
pub(crate) async fn verify(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, account) = (seen.visit.app(), seen.at().company.id);
    let Some(_turn) = Turn::of(account) else {
        let view = View { f: Frame::of(&seen, Place::Audit), busy: true, result: None };
        return page::with(StatusCode::TOO_MANY_REQUESTS, &view);
    };
    // A mark of another company, or none that reads, begins anew.
    let after: Option<Mark> = seen.visit.form().text("after").parse().ok();
    let after = after.filter(|mark| mark.account == account);
    let verifier = Verifier { reader: &*app.audit, keys: &app.audit_keys, expected: &[] };
    let found = verifier.verify_part(account, after.as_ref(), MOST).await?;
    let first = after.map_or(1, |mark| mark.number.saturating_add(1));
    let result = Some(told(found, first, &seen.texts().audit_log));
    page::ok(&View { f: Frame::of(&seen, Place::Audit), busy: false, result })
}

fn told(found: PartFinding, first: u64, t: &AuditLog) -> Told {
    let span = |text: &str, last: u64| filled(&filled(text, first.min(last)), last);
    match found {
        PartFinding::Further(mark) => Told {
            class: "",
            title: t.so_far,
            text: span(t.so_far_text, mark.number),
            fault: None,
            last: None,
            next: Some(mark.to_string()),
        },
        PartFinding::Ended(Finding { last, fault }) => {
            let text = match (last.map(|head| head.number), &fault) {
                (Some(last), None) => span(t.verified_text, last),
                (Some(last), Some(_)) => span(t.fits, last),
                (None, _) => t.fits_none.to_owned(),
            };
            Told {
                class: if fault.is_some() { "bad" } else { "good" },
                title: if fault.is_some() { t.broken } else { t.verified },
                text,
                fault: fault.map(|fault| wrong(&fault, t)),
                last: last.map(|head| (head.number, head.seal.to_string())),
                next: None,
            }
        }
    }
}

/// What is wrong with a log.
fn wrong(fault: &Fault, t: &AuditLog) -> String {
    match fault {
        Fault::Chain(Broken::Seal { number }) | Fault::Other(number) => filled(t.broken_at, number),
        Fault::Chain(Broken::Number { expected, .. } | Broken::Cut { expected, .. }) => {
            filled(t.broken_gone, expected)
        }
        Fault::Gone(number) => filled(t.broken_gone, number),
        Fault::Chain(Broken::UnknownKey { number, .. }) => filled(t.broken_key, number),
        Fault::Beyond(number) => filled(t.broken_beyond, number),
        Fault::Unreadable(_) => t.broken_unreadable.to_owned(),
        Fault::Headless(_) => t.broken_headless.to_owned(),
        Fault::Missing => t.broken_missing.to_owned(),
    }
}

/// The only verification of a company, until it is dropped.
struct Turn(AccountId);

impl Turn {
    fn of(account: AccountId) -> Option<Self> {
        let first = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).insert(account);
        // Made only then: one that is dropped ends the turn.
        first.then(|| Self(account))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_has_one_verification_at_a_time() {
        let [one, other] = [1, 2].map(|number| format!("acc_{number:026}").parse().expect("an id"));
        let turn = Turn::of(one);
        assert!(turn.is_some() && Turn::of(one).is_none() && Turn::of(other).is_some());
        drop(turn);
        assert!(Turn::of(one).is_some());
    }
}
