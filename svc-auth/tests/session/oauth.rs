//! Ana lets an assistant act for her, and the assistant comes for its tokens.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use svc_auth::oauth::{
    Asked, AuthorizationRequest, Client, ClientMetadata, CodeVerifier, ConnectError, Connected, Given,
    Issuer, Presented, RedirectUri, Terms, TokenError, connect, exchange, forget_ended, refresh, revoke,
};
use svc_auth::ports::{OauthStorage, Standing};
use svc_auth::token::{ClientId, ConnectionRole, Lifecycle, Policy, Status, Token};
use svc_core::audit::Actor;
use svc_core::id::{AccountId, RegisteredClientId, TypedId as _};
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_testkit::audit::noted;
use svc_testkit::auth::{MemoryAuth, MemoryOauth};
use svc_testkit::business::sample::everything;
use svc_testkit::catalogue::policy;

use crate::test_app::TestApp;

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const REDIRECT: &str = "http://localhost:33418/cb";

pub(crate) struct Assistant {
    pub(crate) app: TestApp,
    pub(crate) auth: MemoryAuth,
    pub(crate) storage: MemoryOauth,
    pub(crate) client: Client,
    issuer: Issuer,
    policy: Policy,
}

impl Assistant {
    /// One that has registered itself.
    pub(crate) async fn new() -> Self {
        let app = TestApp::new();
        let auth = app.storage.auth().clone();
        let storage = MemoryOauth::beside(&auth);
        let metadata = ClientMetadata {
            client_name: Some("Desk".to_owned()),
            redirect_uris: vec!["http://localhost/cb".to_owned()],
            ..ClientMetadata::default()
        };
        let client = metadata.register().expect("in order").client(app.now(), &app.random);
        let unit = storage.begin().await.expect("a unit");
        let client = unit.clients().register(&client).await.expect("registered");
        unit.commit().await.expect("committed");
        let issuer = "https://svc.example".parse().expect("an issuer");
        Self { app, auth, storage, client, issuer, policy: policy() }
    }

    fn request(&self) -> AuthorizationRequest {
        let parameters = [
            ("response_type", "code"),
            ("client_id", &self.client.id.to_string()),
            ("redirect_uri", REDIRECT),
            ("state", "s1"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        Asked::read(&parameters).expect("read").judge(&self.client, &self.issuer).expect("in order")
    }

    async fn grant_in(&self, company: AccountId) -> Result<Connected, Refused<ConnectError>> {
        self.grant_as(company, ConnectionRole::Operator).await
    }

    async fn grant_as(
        &self,
        company: AccountId,
        role: ConnectionRole,
    ) -> Result<Connected, Refused<ConnectError>> {
        let (person, _) = self.app.sign_in().await;
        let (scope, actor) = (everything(), person.actor(None, None));
        let call = self.call(&scope, &actor);
        let unit = self.storage.begin().await?;
        let terms = Terms { company, role, expires_at: None };
        let asked = (&self.client, &self.request());
        let connected =
            connect(&*unit, call, &person, asked, terms, (&self.app.peppers, &self.policy)).await?;
        unit.commit().await?;
        Ok(connected)
    }

    pub(crate) async fn grant(&self) -> Connected {
        self.grant_in(self.app.beta).await.expect("Ana is a member of Beta")
    }

    pub(crate) fn call<'a>(&'a self, scope: &'a Scope, actor: &'a Actor) -> CallContext<'a> {
        CallContext { scope, access: PiiAccess::Masked, actor, now: self.app.now(), random: &self.app.random }
    }

    async fn exchange(&self, code: &str) -> Result<Given, TokenError> {
        self.exchange_with(code, VERIFIER).await
    }

    async fn exchange_with(&self, code: &str, verifier: &str) -> Result<Given, TokenError> {
        let (redirect, verifier) =
            (RedirectUri::parse(REDIRECT).unwrap(), CodeVerifier::parse(verifier).unwrap());
        let presented = Presented { client: &self.client.id, redirect: Some(&redirect), verifier: &verifier };
        let (scope, actor) = (everything(), Actor::service("oauth"));
        exchange(&self.storage, self.call(&scope, &actor), code, presented, &self.app.peppers).await
    }

    async fn refresh(&self, token: &str) -> Result<Given, TokenError> {
        let (scope, actor) = (everything(), Actor::service("oauth"));
        refresh(&self.storage, self.call(&scope, &actor), token, &self.client.id, &self.app.peppers).await
    }

    pub(crate) async fn revoke(&self, token: &str) {
        let (scope, actor) = (everything(), Actor::service("oauth"));
        let by = Some(&self.client.id);
        revoke(&self.storage, self.call(&scope, &actor), token, by, &self.app.peppers)
            .await
            .expect("a store");
    }

    /// The tokens of a new connection.
    pub(crate) async fn connect(&self) -> (Token, Given) {
        self.connect_as(ConnectionRole::Operator).await
    }

    /// The same in this role.
    pub(crate) async fn connect_as(&self, role: ConnectionRole) -> (Token, Given) {
        let connected = self.grant_as(self.app.beta, role).await.expect("Ana is a member of Beta");
        let given = self.exchange(connected.code.expose()).await.expect("a good code");
        (connected.credential, given)
    }

    async fn credential(&self, token: &Token) -> Token {
        self.storage.credentials().find(token.id).await.expect("read").expect("it is there")
    }

    pub(crate) async fn move_to(&self, token: &Token, lifecycle: Lifecycle) {
        let before = self.credential(token).await;
        let after = Token { lifecycle, version: before.version.next(), ..before.clone() };
        let unit = self.storage.begin().await.expect("a unit");
        unit.tokens().replace(before.version, &after).await.expect("replaced");
        noted(&*unit, before.primary).await.expect("noted");
        unit.commit().await.expect("committed");
    }
}

fn invalid(answer: &Result<Given, TokenError>) -> bool {
    matches!(answer, Err(TokenError::InvalidGrant))
}

#[tokio::test]
async fn a_grant_makes_a_connection_whose_code_buys_tokens_once() {
    let assistant = Assistant::new().await;
    let connected = assistant.grant().await;
    let code = connected.code.expose();
    assert!(code.starts_with("mcp_ac_"));
    assert_eq!(
        assistant.request().granted(&connected.code, &assistant.issuer),
        format!("{REDIRECT}?code={code}&state=s1&iss=https%3A%2F%2Fsvc.example")
    );
    let credential = assistant.credential(&connected.credential).await;
    assert_eq!(credential, connected.credential);
    assert_eq!((&*credential.name, credential.primary), ("Desk", assistant.app.beta));
    assert_eq!(
        credential.connection.as_ref().map(|connection| connection.role),
        Some(ConnectionRole::Operator)
    );

    let given = assistant.exchange(code).await.expect("a good code");
    assert_eq!(
        (given.scopes.to_string(), given.expires_in),
        ("mcp:read mcp:write offline_access".into(), Duration::from_hours(1))
    );
    let candidates = assistant.app.peppers.candidates(&given.values.access);
    let (grant, pair) = assistant.storage.grants().by_access(&candidates).await.unwrap().expect("kept");
    assert_eq!((grant.credential, pair.grant), (credential.id, grant.id));

    // A second client has the code and the proof: all that came of it ends.
    assert!(invalid(&assistant.exchange(code).await));
    assert_eq!(assistant.credential(&credential).await.status(assistant.app.now()), Status::Revoked);
    assert!(invalid(&assistant.refresh(given.values.refresh.expose()).await));
    let log = assistant
        .auth
        .audit()
        .entries(assistant.app.beta)
        .iter()
        .map(|entry| entry.action.name())
        .collect::<Vec<_>>();
    assert_eq!(log, ["token.create", "token.revoke"]);
}

#[tokio::test]
async fn a_code_that_is_seen_by_others_is_of_no_use_to_them() {
    let assistant = Assistant::new().await;
    let code = assistant.grant().await.code;
    for wrong in ["a".repeat(43), format!("{VERIFIER}x")] {
        assert!(invalid(&assistant.exchange_with(code.expose(), &wrong).await));
    }
    let given = assistant.exchange(code.expose()).await.expect("still good");
    // Nor afterwards: without the proof nothing ends.
    assert!(invalid(&assistant.exchange_with(code.expose(), &"a".repeat(43)).await));
    assert!(assistant.refresh(given.values.refresh.expose()).await.is_ok());
    let late = assistant.grant().await.code;
    assistant.app.clock.advance(Duration::from_mins(1));
    assert!(invalid(&assistant.exchange(late.expose()).await));
    for junk in ["", "mcp_ac_", "svc_live_x", given.values.access.expose()] {
        assert!(invalid(&assistant.exchange(junk).await), "{junk}");
        assert!(invalid(&assistant.refresh(junk).await), "{junk}");
    }
}

#[tokio::test]
async fn of_twenty_exchanges_of_one_code_one_succeeds() {
    let assistant = Arc::new(Assistant::new().await);
    let code = assistant.grant().await.code;
    let answers = join_all((0..20).map(|_| assistant.exchange(code.expose()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert_eq!(answers.iter().filter(|answer| invalid(answer)).count(), 19);
}

#[tokio::test]
async fn refreshes_at_the_same_time_and_within_a_minute_have_one_answer() {
    let assistant = Assistant::new().await;
    let (credential, first) = assistant.connect().await;
    let answers = join_all((0..5).map(|_| assistant.refresh(first.values.refresh.expose()))).await;
    let answers: Vec<_> = answers.into_iter().map(|answer| answer.expect("given")).collect();
    let second = answers.first().expect("five").clone();
    assert!(answers.iter().all(|answer| *answer == second) && second.values != first.values);
    assistant.app.clock.advance(Duration::from_secs(59));
    let again = assistant.refresh(first.values.refresh.expose()).await.expect("given again");
    assert_eq!((again.values, again.expires_in), (second.values.clone(), Duration::from_secs(3_600 - 59)));
    let third = assistant.refresh(second.values.refresh.expose()).await.expect("the next");
    assert_ne!(third.values, second.values);
    // A minute after its first use, the client that comes with it is another one.
    assistant.app.clock.advance(Duration::from_secs(1));
    assert!(invalid(&assistant.refresh(first.values.refresh.expose()).await));
    assert!(invalid(&assistant.refresh(third.values.refresh.expose()).await));
    assert_eq!(assistant.credential(&credential).await.status(assistant.app.now()), Status::Revoked);
}

#[tokio::test]
async fn a_connection_ends_when_its_client_holds_nothing_that_counts() {
    let assistant = Assistant::new().await;
    let (held, never_fetched) = (assistant.connect().await.0, assistant.grant().await.credential);
    let ended = async || {
        let (scope, actor) = (Scope::none(), Actor::service("clean"));
        let unit = assistant.storage.begin().await.unwrap();
        let ended = forget_ended(&*unit, assistant.call(&scope, &actor), 100).await.unwrap();
        unit.commit().await.unwrap();
        ended
    };
    let status = async |token| assistant.credential(token).await.status(assistant.app.now());
    // A minute for the code, and one for clocks that differ.
    assistant.app.clock.advance(Duration::from_mins(2));
    assert_eq!(ended().await, 0);
    assistant.app.clock.advance(Duration::from_secs(1));
    assert_eq!(ended().await, 1);
    assert_eq!((status(&never_fetched).await, status(&held).await), (Status::Revoked, Status::Active));
    // Its refresh token waits for thirty days.
    assistant.app.clock.advance(Duration::from_secs(30 * 86_400 - 61));
    assert_eq!(ended().await, 0);
    assistant.app.clock.advance(Duration::from_secs(1));
    assert_eq!((ended().await, ended().await), (1, 0));
    assert_eq!(status(&held).await, Status::Revoked);
    let log = assistant.auth.audit().entries(assistant.app.beta);
    let revoked = log.iter().filter(|entry| entry.action.name() == "token.revoke").count();
    assert_eq!(revoked, 2);
}

#[tokio::test]
async fn while_a_connection_is_off_nothing_is_used_up() {
    let assistant = Assistant::new().await;
    let (credential, first) = assistant.connect().await;
    let refresh = first.values.refresh.expose();
    assistant.move_to(&credential, Lifecycle::Disabled).await;
    assert!(invalid(&assistant.refresh(refresh).await));
    assistant.move_to(&credential, Lifecycle::Active).await;
    assistant.auth.end_standing(assistant.app.ana, assistant.app.beta);
    assert!(invalid(&assistant.refresh(refresh).await));
    assistant.auth.put_standing(assistant.app.ana, assistant.app.beta, Standing::Member(Role::Employee));
    assistant.app.clock.advance(Duration::from_hours(24));
    let second = assistant.refresh(refresh).await.expect("it goes on");
    assistant.app.clock.advance(Duration::from_hours(30 * 24));
    assert!(invalid(&assistant.refresh(second.values.refresh.expose()).await));
}

#[tokio::test]
async fn a_client_ends_its_connection_with_either_token_and_no_other_does() {
    for refresh in [false, true] {
        let assistant = Assistant::new().await;
        let (credential, given) = assistant.connect().await;
        let stranger = Assistant {
            client: Client { id: "https://x.example/c".parse().unwrap(), ..assistant.client.clone() },
            ..assistant
        };
        let token = if refresh { given.values.refresh.expose() } else { given.values.access.expose() };
        stranger.revoke(token).await;
        stranger.revoke("mcp_at_junk").await;
        assert_eq!(stranger.credential(&credential).await.status(stranger.app.now()), Status::Active);
        let grant_client = credential.connection.as_ref().map(|connection| connection.client.clone());
        let owner =
            Assistant { client: Client { id: grant_client.unwrap(), ..stranger.client.clone() }, ..stranger };
        owner.revoke(token).await;
        owner.revoke(token).await;
        assert_eq!(owner.credential(&credential).await.status(owner.app.now()), Status::Revoked);
        assert!(invalid(&owner.refresh(given.values.refresh.expose()).await));
    }
}

#[tokio::test]
async fn nothing_is_given_for_a_company_of_others_or_one_without_api_access() {
    let assistant = Assistant::new().await;
    let unknown = AccountId::from_uuid(uuid::Uuid::from_u128(404));
    let answer = assistant.grant_in(unknown).await;
    assert!(matches!(answer, Err(Refused::Own(ConnectError::NotMember(id))) if id == unknown), "{answer:?}");
    assistant.auth.put_api_access(assistant.app.beta, false);
    let answer = assistant.grant_in(assistant.app.beta).await;
    assert!(matches!(answer, Err(Refused::Own(ConnectError::ApiAccessOff(_)))), "{answer:?}");
    assert!(assistant.grant_in(assistant.app.acme).await.is_ok());
}

#[tokio::test]
async fn a_client_that_registers_again_is_the_same_and_one_that_was_forgotten_is_invalid() {
    let assistant = Assistant::new().await;
    let (_, given) = assistant.connect().await;
    let unit = assistant.storage.begin().await.unwrap();
    let other = RegisteredClientId::generate(assistant.app.now(), &assistant.app.random);
    let again = Client { id: ClientId::Registered(other), ..assistant.client.clone() };
    assert_eq!(unit.clients().register(&again).await.unwrap().id, assistant.client.id);
    let later = assistant.app.now().plus(Duration::from_hours(1));
    assert_eq!(unit.clients().purge_clients(later).await.unwrap(), 0, "it has a connection");
    unit.commit().await.unwrap();
    let unknown = Assistant { client: again, ..assistant };
    let answer = unknown.refresh(given.values.refresh.expose()).await;
    assert!(matches!(answer, Err(TokenError::InvalidClient)), "{answer:?}");
}
