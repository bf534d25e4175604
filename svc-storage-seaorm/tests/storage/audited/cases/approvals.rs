//! Approvals of calls.

use std::sync::Arc;

use svc_auth::approval::{self, Approval, CallDigest};
use svc_auth::authenticate::{Access, Authenticator};
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_core::audit::Action;
use svc_testkit::fakes::ManualClock;

use crate::audited::test_app::{Case, TestApp};
use crate::fresh::{NOW, keys};

/// The person decides in the client area, or says it in the client that calls.
pub(super) async fn decided(app: &TestApp, action: Action) -> Vec<Case> {
    let storage = app.database.oauth();
    let (token, value) = app.valued_token().await;
    let limiter = Arc::new(MemoryLimiter::new(Limits::default()));
    let clock = Arc::new(ManualClock::at(NOW));
    let authenticator = Authenticator::new(app.database.auth(), limiter, clock, keys().peppers());
    let header = format!("Bearer {}", value.expose());
    let caller =
        authenticator.admit(Some(&header), Access::AnyToken, None).await.expect("a good token").principal;
    assert_eq!(caller.token, token.id);

    let signed_in = app.signed_in().await;
    let approves = action == Action::ApprovalApprove;
    let ask = async |call: &str| -> Approval {
        let digest = CallDigest::of(&[call]);
        let about = (app.acme, "invoice_issue");
        approval::ask(&*storage, app.call(), (&caller, digest), about, vec![]).await.expect("asked")
    };
    let (one, other) = (ask("one").await, ask("other").await);
    let before = app.heads().await;
    approval::decide(&*storage, app.call(), &signed_in, one.id, approves).await.expect("decided");
    let by_page = Case::new("approval::decide", app.since(&before).await, [(app.acme, action)]);
    let before = app.heads().await;
    let said = approval::answer(&*storage, app.call(), (&caller, other.call), other.id, approves).await;
    assert!(said.is_ok(), "{said:?}");
    let by_client = Case::new("approval::answer", app.since(&before).await, [(app.acme, action)]);
    vec![by_page, by_client]
}
