//! What an assistant may do with its access token: as much as Ana lets it, and as she may herself.

use std::sync::Arc;
use std::time::Duration;

use svc_auth::authenticate::{Access, Authenticator, Denied};
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::oauth::Given;
use svc_auth::ports::{AuthStorage as _, Standing};
use svc_auth::principal::Principal;
use svc_auth::token::{ConnectionRole, CreateRequest, Lifecycle, TokenValue, create};
use svc_core::pii::PiiAccess;
use svc_core::role::Role;
use svc_testkit::catalogue::{permission, policy, roles};

use crate::oauth::Assistant;

/// The checks of a service with this assistant.
pub(crate) struct Checks {
    pub(crate) assistant: Assistant,
    authenticator: Authenticator,
}

impl Checks {
    pub(crate) async fn new() -> Self {
        let assistant = Assistant::new().await;
        let limiter = Arc::new(MemoryLimiter::new(Limits::default()));
        let (storage, clock) = (Arc::new(assistant.auth.clone()), Arc::new(assistant.app.clock.clone()));
        let authenticator = Authenticator::new(storage, limiter, clock, assistant.app.peppers.clone())
            .with_connections(Arc::new(assistant.storage.clone()), roles());
        Self { assistant, authenticator }
    }

    async fn admit(&self, value: &TokenValue) -> Result<Arc<Principal>, Denied> {
        // As after a change: nothing is known from before.
        self.authenticator.forget();
        let header = format!("Bearer {}", value.expose());
        let admitted = self.authenticator.admit_assistant(Some(&header), None).await;
        admitted.map(|admitted| admitted.principal).map_err(|rejected| rejected.denied)
    }

    /// A new connection of Ana, as it calls.
    pub(crate) async fn connected(&self) -> Arc<Principal> {
        let (_, given) = self.assistant.connect().await;
        self.admit(&given.values.access).await.expect("she is a member")
    }

    /// Ana has another role in Beta.
    async fn as_role(&self, role: Role, given: &Given) -> Arc<Principal> {
        let app = &self.assistant.app;
        self.assistant.auth.put_standing(app.ana, app.beta, Standing::Member(role));
        self.admit(&given.values.access).await.expect("she is a member")
    }

    /// A token of Ana for Acme.
    async fn token(&self, allowed_ips: &[&str]) -> TokenValue {
        let app = &self.assistant.app;
        let request = CreateRequest {
            name: "Shop sync".into(),
            permissions: vec!["full".into()],
            personal_data: false,
            allowed_ips: allowed_ips.iter().map(|&range| range.to_owned()).collect(),
            expires_at: None,
            primary: app.acme,
            companies: Vec::new(),
            groups: Vec::new(),
            creator: Some(app.ana),
        };
        let (person, _) = app.sign_in().await;
        let (scope, actor) = (person.administered(), person.actor(None, None));
        let unit = self.assistant.auth.begin().await.expect("a unit");
        let call = self.assistant.call(&scope, &actor);
        let (_, value) = create(&*unit, call, request, &app.peppers, &policy()).await.expect("made");
        unit.commit().await.expect("committed");
        value
    }
}

#[tokio::test]
async fn an_assistant_may_do_what_its_role_and_its_person_may() {
    let checks = Checks::new().await;
    let (credential, given) = checks.assistant.connect().await;
    let accountant = checks.as_role(Role::Accountant, &given).await;
    assert_eq!(accountant.token, credential.id);
    assert_eq!(accountant.connection, credential.connection);
    assert_eq!(accountant.scope.companies(), Some(&[checks.assistant.app.beta].into()));
    let may = |principal: &Principal, name| principal.grants.cover(permission(name));
    assert!(may(&accountant, "accounting:journal.create") && may(&accountant, "sales:invoices.read"));
    assert!(!may(&accountant, "sales:invoices.create"));
    assert!(matches!(accountant.access, PiiAccess::Full(_)));

    let auditor = checks.as_role(Role::Auditor, &given).await;
    assert!(may(&auditor, "accounting:journal.read") && !may(&auditor, "accounting:journal.create"));
    assert!(matches!(auditor.access, PiiAccess::Masked));
    let employee = checks.as_role(Role::Employee, &given).await;
    assert!(may(&employee, "sales:invoices.create") && !may(&employee, "sales:invoices.issue"));
    let holder = checks.as_role(Role::Holder, &given).await;
    assert!(policy().permissions.all().all(|known| holder.grants.cover(known)));

    // A role that only reads keeps its person's other rights to itself.
    let reader = checks.assistant.connect_as(ConnectionRole::ReadOnly).await.1;
    let reading = checks.as_role(Role::Holder, &reader).await;
    assert!(may(&reading, "sales:invoices.read") && !may(&reading, "sales:invoices.create"));
}

#[tokio::test]
async fn an_access_token_ends_with_its_hour_its_connection_and_the_membership() {
    let checks = Checks::new().await;
    let (assistant, app) = (&checks.assistant, &checks.assistant.app);
    let (credential, given) = assistant.connect().await;
    let access = &given.values.access;
    assert!(checks.admit(access).await.is_ok());
    assistant.move_to(&credential, Lifecycle::Disabled).await;
    assert!(matches!(checks.admit(access).await, Err(Denied::TokenDisabled)));
    assistant.move_to(&credential, Lifecycle::Active).await;
    assert!(checks.admit(access).await.is_ok());
    assistant.auth.end_standing(app.ana, app.beta);
    assert!(matches!(checks.admit(access).await, Err(Denied::CreatorLostRole)));
    assistant.auth.put_standing(app.ana, app.beta, Standing::Member(Role::Employee));
    assert!(checks.admit(access).await.is_ok());

    app.clock.advance(Duration::from_secs(3_599));
    assert!(checks.admit(access).await.is_ok());
    app.clock.advance(Duration::from_secs(1));
    assert!(matches!(checks.admit(access).await, Err(Denied::TokenExpired)));
    // While it is cached as well.
    let (_, given) = assistant.connect().await;
    assert!(checks.admit(&given.values.access).await.is_ok());
    let header = format!("Bearer {}", given.values.access.expose());
    app.clock.advance(Duration::from_hours(1));
    let late = checks.authenticator.admit_assistant(Some(&header), None).await;
    assert!(matches!(late.map_err(|rejected| rejected.denied), Err(Denied::TokenExpired)));

    let (_, given) = assistant.connect().await;
    assistant.revoke(given.values.access.expose()).await;
    assert!(matches!(checks.admit(&given.values.access).await, Err(Denied::TokenInvalid)));
    for other in [&given.values.refresh, &assistant.grant().await.code] {
        assert!(matches!(checks.admit(other).await, Err(Denied::TokenInvalid)));
    }
}

#[tokio::test]
async fn an_access_token_is_for_assistants_and_a_token_with_a_list_of_addresses_is_not() {
    let checks = Checks::new().await;
    let (_, given) = checks.assistant.connect().await;
    let header = format!("Bearer {}", given.values.access.expose());
    let refused = checks.authenticator.admit(Some(&header), Access::AnyToken, None).await;
    assert!(matches!(refused.map_err(|rejected| rejected.denied), Err(Denied::TokenInvalid)));

    let free = checks.admit(&checks.token(&[]).await).await.expect("it works");
    assert!(free.connection.is_none());
    let bound = checks.token(&["203.0.113.0/24"]).await;
    assert!(matches!(checks.admit(&bound).await, Err(Denied::IpRestrictedToken)));
    let header = format!("Bearer {}", bound.expose());
    let from = Some("203.0.113.9".parse().expect("an address"));
    let rejected =
        checks.authenticator.admit_assistant(Some(&header), from).await.expect_err("from anywhere");
    assert!(matches!(rejected.denied, Denied::IpRestrictedToken) && rejected.limits.is_some());
    // The API takes it from there.
    assert!(checks.authenticator.admit(Some(&header), Access::AnyToken, from).await.is_ok());
}
