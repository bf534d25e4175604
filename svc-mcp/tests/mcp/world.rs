//! Two companies with their people, who let assistants act for them.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Method, Request};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use svc_auth::authenticate::Authenticator;
use svc_auth::calls::CallRecord;
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::oauth::{CodeVerifier, Grant, Pair, PairValues, RedirectUri, Stage};
use svc_auth::session::Lifetime;
use svc_auth::token::{
    Connection, ConnectionRole, CreateRequest, Lifecycle, Pepper, Peppers, Token, TokenValue, create,
};
use svc_business::account::Account;
use svc_business::{founding, membership};
use svc_core::audit::Actor;
use svc_core::clock::Clock;
use svc_core::id::{AccountId, GrantId, RegisteredClientId, TokenId, TypedId as _, UserId};
use svc_core::mark::Mark;
use svc_core::pii::PiiAccess;
use svc_core::resource::Expected;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_http::server::Peer;
use svc_http::{App, Oauth, Pages, Settings};
use svc_storage_seaorm::{Database, Keys, Settings as DatabaseSettings, Synchronous};
use svc_testkit::audit::noted;
use svc_testkit::auth::token;
use svc_testkit::business::sample;
use svc_testkit::catalogue::{events, policy, roles};
use svc_testkit::content::MemoryContent;
use svc_testkit::fakes::{CheapHasher, FakeDocuments, FakeSender, ManualClock, SeededRandom};
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::retry::RetrySchedule;
use tempfile::TempDir;
use tower::ServiceExt as _;

const ISSUER: &str = "http://127.0.0.1:8080";

pub(crate) struct World {
    pub(crate) database: Database,
    pub(crate) clock: ManualClock,
    pub(crate) authenticator: Arc<Authenticator>,
    /// It can issue invoices; its people have each role.
    pub(crate) acme: AccountId,
    /// Of others.
    pub(crate) beta: AccountId,
    oauth: Arc<Oauth>,
    router: Router,
    random: Arc<SeededRandom>,
    peppers: Peppers,
    _folder: TempDir,
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) json: Value,
}

/// Which revision of the protocol a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    Initialized,
    Stateless,
}

/// A person by the role that they have in Acme.
pub(crate) fn person(role: Role) -> UserId {
    let number = Role::ALL.iter().position(|known| *known == role).expect("a role");
    sample::id(10 + u128::try_from(number).expect("small"))
}

impl World {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let settings =
            DatabaseSettings::new(url, Keys::new(1, [7; 32])).sqlite_synchronous(Synchronous::Normal);
        let database = Database::open(&settings).await.unwrap();
        database.migrate(sample::at(0)).await.unwrap();
        let (clock, random) = (ManualClock::at(sample::at(0)), Arc::new(SeededRandom::new(11)));
        let peppers = Peppers::new(Pepper::new(1, [9; 32]), vec![]);
        let limiter = Arc::new(MemoryLimiter::new(Limits { per_minute: 10_000, per_month: 1_000_000 }));
        let ticks: Arc<dyn Clock> = Arc::new(clock.clone());
        let authenticator = Authenticator::new(database.auth(), limiter, ticks.clone(), peppers.clone())
            .with_connections(database.oauth(), roles());
        let authenticator = Arc::new(authenticator);
        let oauth = Oauth::new(ISSUER.parse().unwrap(), database.oauth(), Arc::new(FakeDocuments::new()));
        let oauth = Arc::new(oauth);
        let app = App {
            business: database.business(),
            webhooks: database.webhooks(),
            replays: database.replays(),
            events: Arc::new(events().clone()),
            idempotency: database.idempotency(),
            authenticator: Arc::clone(&authenticator),
            auth: database.auth(),
            sessions: database.sessions(),
            hasher: Arc::new(CheapHasher::new()),
            peppers: peppers.clone(),
            policy: policy(),
            lifetime: Lifetime::default(),
            oauth: Some(Arc::clone(&oauth)),
            contents: Arc::new(MemoryContent::new(ticks.clone())),
            ceremony_key: svc_testkit::business::envelopes::key(),
            audit: database.audit(),
            audit_keys: database.audit_keys(),
            sender: Arc::new(FakeSender::new()),
            attempts: AttemptConfig::new(Duration::from_secs(10), RetrySchedule::STANDARD, String::new()),
            clock: ticks,
            random: random.clone(),
            settings: Settings::default(),
        };
        let router = svc_http::router_with(app, |door| Pages {
            routes: svc_mcp::routes(&door, &["http://localhost:6274".parse().unwrap()]),
            not_found: |_, _| Box::pin(async { unreachable!("no test asks for a page") }),
        });
        let [acme, beta] = [1, 2].map(sample::id);
        let world = Self {
            database,
            clock,
            authenticator,
            acme,
            beta,
            oauth,
            router,
            random,
            peppers,
            _folder: folder,
        };
        world.seed().await;
        world
    }

    async fn seed(&self) {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        for number in [1, 2] {
            unit.accounts().insert(&scope, &sample::bare_account(number)).await.unwrap();
        }
        let before = sample::bare_account(1);
        founding::begin(unit.as_ref(), self.call(&scope), &before).await.unwrap();
        let known = sample::account(1);
        let (tax_id, address) = (known.tax_id, known.address);
        let acme = Account { tax_id, address, version: before.version.next(), ..before.clone() };
        unit.accounts().replace(&scope, &before, &acme).await.unwrap();
        for role in Role::ALL {
            let number = person(role);
            let user = svc_business::user::User {
                id: number,
                ..sample::user(10, &format!("{}@example.com", role.name()))
            };
            unit.people().insert_user(&user).await.unwrap();
            membership::add(unit.as_ref(), self.call(&scope), Role::Holder, self.acme, user.id, role)
                .await
                .unwrap();
        }
        unit.commit().await.unwrap();
    }

    pub(crate) fn call<'a>(&'a self, scope: &'a Scope) -> CallContext<'a> {
        let now = self.clock.now();
        CallContext { scope, access: PiiAccess::Masked, actor: &Actor::OPERATOR, now, random: &*self.random }
    }

    /// An assistant that this person lets do this much in Acme: its credential, and an access token.
    pub(crate) async fn connected(&self, of: Role, role: ConnectionRole) -> (Token, String) {
        let now = self.clock.now();
        let client = svc_auth::token::ClientId::Registered(RegisteredClientId::generate(now, &*self.random));
        let code = TokenValue::generate_marked(Mark::of("mcp_ac_"), &*self.random);
        let plain = token(svc_core::random::bytes::<1>(&*self.random)[0].into(), person(of), self.acme);
        let credential = Token {
            id: TokenId::generate(now, &*self.random),
            connection: Some(Connection { client: client.clone(), role }),
            grants: role.grants(),
            personal_data: true,
            fingerprint: self.peppers.fingerprint(&code),
            expires_at: None,
            allowed_ips: svc_auth::ip::AllowedIps::default(),
            ..plain
        };
        let grant = Grant {
            id: GrantId::generate(now, &*self.random),
            credential: credential.id,
            client,
            redirect: RedirectUri::parse("http://localhost/cb").unwrap(),
            challenge: CodeVerifier::parse(&"a".repeat(43)).unwrap().challenge(),
            code: self.peppers.fingerprint(&code),
            code_until: now.plus(Duration::from_mins(1)),
            stage: Stage::Coded,
        };
        let values = PairValues::generate(&*self.random);
        let pair = Pair::of(grant.id, &values, &self.peppers, None, now);
        let unit = self.database.oauth().begin().await.unwrap();
        unit.tokens().insert(&credential).await.unwrap();
        unit.grants().add(&grant).await.unwrap();
        unit.grants().advance(&grant, &Grant { stage: Stage::Exchanged, ..grant.clone() }).await.unwrap();
        unit.grants().give(&pair).await.unwrap();
        noted(&*unit, self.acme).await.unwrap();
        unit.commit().await.unwrap();
        (credential, values.access.expose().to_owned())
    }

    /// The same, its access token alone.
    pub(crate) async fn assistant(&self, of: Role, role: ConnectionRole) -> String {
        self.connected(of, role).await.1
    }

    /// A token of Ana with these permissions.
    pub(crate) async fn token(&self, permissions: &[&str], allowed_ips: &[&str]) -> String {
        let request = CreateRequest {
            name: "Shop sync".into(),
            permissions: permissions.iter().map(|&name| name.to_owned()).collect(),
            personal_data: true,
            allowed_ips: allowed_ips.iter().map(|&range| range.to_owned()).collect(),
            expires_at: None,
            primary: self.acme,
            companies: Vec::new(),
            groups: Vec::new(),
            creator: Some(person(Role::Holder)),
        };
        let scope = sample::everything();
        let unit = self.database.auth().begin().await.unwrap();
        let made = create(&*unit, self.call(&scope), request, &self.peppers, &policy()).await;
        let (_, value) = made.unwrap();
        unit.commit().await.unwrap();
        value.expose().to_owned()
    }

    pub(crate) async fn move_to(&self, credential: &Token, lifecycle: Lifecycle) {
        let unit = self.database.auth().begin().await.unwrap();
        let before = unit.tokens().find(credential.id).await.unwrap().unwrap();
        let after = Token { lifecycle, version: before.version.next(), ..before.clone() };
        unit.tokens().replace(before.version, &after).await.unwrap();
        noted(&*unit, self.acme).await.unwrap();
        unit.commit().await.unwrap();
        self.authenticator.forget();
    }

    /// Ends what a person is in Acme.
    pub(crate) async fn leave(&self, role: Role) {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        let found = unit.people().membership(self.acme, person(role)).await.unwrap().unwrap();
        let opened =
            membership::open(unit.as_ref(), self.call(&scope), self.acme, found.id, &Expected::Any).await;
        membership::end(opened.unwrap(), Role::Holder).await.unwrap();
        unit.commit().await.unwrap();
        self.authenticator.forget();
    }

    /// Sends a message with these headers beside the usual ones.
    pub(crate) async fn send(
        &self,
        token: Option<&str>,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = Request::builder().method(Method::POST).uri("/mcp");
        if headers.iter().all(|(name, _)| *name != "host") {
            request = request.header("host", "127.0.0.1:8080");
        }
        request = request.header("content-type", "application/json");
        request = request.header("accept", "application/json, text/event-stream");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.answer(request.body(body.into()).unwrap()).await
    }

    /// Asks as the browser of a page of this origin does before it sends a request.
    pub(crate) async fn preflight(&self, origin: &str) -> Answer {
        let request = Request::builder().method(Method::OPTIONS).uri("/mcp").header("origin", origin);
        let request =
            request.header("access-control-request-method", "POST").header("host", "127.0.0.1:8080");
        self.answer(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn answer(&self, mut request: Request<Body>) -> Answer {
        request.extensions_mut().insert(Peer(SocketAddr::from((Ipv4Addr::LOCALHOST, 40_000))));
        let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let json = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        Answer { status: parts.status.as_u16(), headers: parts.headers, json }
    }

    /// Sends a request as a client of this revision does that can do nothing more than ask.
    pub(crate) async fn ask(&self, era: Era, token: &str, method: &str, params: Value) -> Answer {
        self.ask_with(era, token, (method, params), json!({})).await
    }

    /// The same with these capabilities.
    pub(crate) async fn ask_with(
        &self,
        era: Era,
        token: &str,
        (method, mut params): (&str, Value),
        capabilities: Value,
    ) -> Answer {
        let mut headers = Vec::new();
        match era {
            Era::Initialized => headers.push(("mcp-protocol-version", "2025-11-25")),
            Era::Stateless => {
                headers.extend([("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)]);
                params["_meta"] = json!({
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": { "name": "desk", "version": "1.0" },
                    "io.modelcontextprotocol/clientCapabilities": capabilities,
                });
            }
        }
        let name = params["name"].as_str().or(params["uri"].as_str()).unwrap_or_default().to_owned();
        if era == Era::Stateless && !name.is_empty() {
            headers.push(("mcp-name", &name));
        }
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        self.send(Some(token), &headers, body.to_string()).await
    }

    /// Calls a tool.
    pub(crate) async fn tool(&self, token: &str, name: &str, arguments: Value) -> Answer {
        self.ask(Era::Initialized, token, "tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// What was written down of the calls of a credential, the newest first.
    pub(crate) async fn calls(&self, credential: TokenId) -> Vec<CallRecord> {
        self.oauth.calls().flush().await.unwrap();
        self.database.oauth().calls().last(credential, 100).await.unwrap()
    }

    /// Every tool that exists.
    pub(crate) fn tools() -> Vec<&'static str> {
        let reading = "company_overview search contacts_find suppliers_find accounts_find cases_find invoices_find \
                       supplier_documents_find journal_entries_find fixed_assets_find bank_accounts_find bank_movements_find \
                       tax_returns_find notices_find files_find data_room_find envelopes_find reconciliation_suggest \
                       tax_profile_get file_read";
        let saving = "contact_save supplier_save case_save invoice_draft_save supplier_document_save \
                      journal_entry_draft_save fixed_asset_save envelope_draft_save reconciliation_apply \
                      tax_return_prepare notice_update file_upload_link";
        let committing = "invoice_issue invoice_cancel journal_entry_post tax_return_submit data_room_share \
                          envelope_send webhook_manage record_delete";
        [reading, saving, committing].into_iter().flat_map(|names| names.split(' ')).collect()
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// The structured content of a call that went well, which the text says too.
    #[track_caller]
    pub(crate) fn content(&self) -> &Value {
        assert_eq!(self.status, 200, "{}", self.json);
        let result = &self.json["result"];
        assert_ne!(result["isError"], true, "{result}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        &result["structuredContent"]
    }

    /// What a call was refused with.
    #[track_caller]
    pub(crate) fn refused(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.json);
        let result = &self.json["result"];
        assert_eq!(result["isError"], true, "{}", self.json);
        serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
    }
}
