//! A client area over a SQLite file: Ana holds Acme and Beta, Ben administers Acme, Carl keeps its books, and Dora
//! holds Gamma, which has nothing to do with them.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::middleware::map_request;
use http::header::{COOKIE, LOCATION, SET_COOKIE};
use http::{Method, Request};
use http_body_util::BodyExt;
use svc_auth::authenticate::Authenticator;
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::session::{Lifetime, set_password};
use svc_auth::token::{Pepper, Peppers};
use svc_business::account::{self, Account, AccountStatus};
use svc_business::membership;
use svc_core::audit::{Actor, AuditReader};
use svc_core::clock::Clock;
use svc_core::event::Event;
use svc_core::id::AccountId;
use svc_core::pii::PiiAccess;
use svc_core::resource::Expected;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_http::server::Peer;
use svc_http::{App, Oauth, Settings};
use svc_storage_seaorm::{Database, Keys, Settings as DatabaseSettings, Synchronous};
use svc_testkit::business::sample;
use svc_testkit::catalogue::{events, policy};
use svc_testkit::content::MemoryContent;
use svc_testkit::fakes::{CheapHasher, FakeDocuments, FakeSender, ManualClock, SeededRandom};
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::retry::RetrySchedule;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::page::{Form, Page};

pub(crate) const PASSWORD: &str = "correct horse battery staple";

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// Number, address, and role by company.
pub(crate) type Known = (u128, &'static str, &'static [(u128, Role)]);

pub(crate) const PEOPLE: [Known; 4] = [
    (11, "ana@example.com", &[(1, Role::Holder), (2, Role::Holder)]),
    (12, "ben@example.com", &[(1, Role::Administrator)]),
    (13, "carl@example.com", &[(1, Role::Accountant)]),
    (14, "dora@example.com", &[(3, Role::Holder)]),
];

pub(crate) struct TestArea {
    pub(crate) router: Router,
    pub(crate) database: Database,
    pub(crate) clock: ManualClock,
    pub(crate) acme: AccountId,
    pub(crate) beta: AccountId,
    pub(crate) random: Arc<SeededRandom>,
    _folder: TempDir,
}

impl TestArea {
    pub(crate) async fn new() -> Self {
        Self::with(["Acme", "Beta", "Gamma"], FakeSender::new().always(204)).await
    }

    /// Whose companies are called like this, and whose receivers answer so.
    pub(crate) async fn with(names: [&str; 3], sender: FakeSender) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let settings =
            DatabaseSettings::new(url, Keys::new(1, [7; 32])).sqlite_synchronous(Synchronous::Normal);
        let database = Database::open(&settings).await.unwrap();
        database.migrate(sample::at(0)).await.unwrap();
        let (clock, random) = (ManualClock::at(sample::at(0)), Arc::new(SeededRandom::new(11)));
        let router = router(&database, &clock, &random, Arc::new(sender), database.audit());
        let [acme, beta] = [1, 2].map(sample::id);
        let area = Self { router, database, clock, acme, beta, random, _folder: folder };
        area.seed(names).await;
        area
    }

    async fn seed(&self, names: [&str; 3]) {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        for (number, name) in (1..).zip(names) {
            let mut company = sample::bare_account(number);
            name.clone_into(&mut company.legal_name);
            unit.accounts().insert(&scope, &company).await.unwrap();
        }
        for (number, email, roles) in PEOPLE {
            let user = sample::user(number, email);
            unit.people().insert_user(&user).await.unwrap();
            for (company, role) in roles {
                let (company, call) = (sample::id(*company), self.call(&scope));
                membership::add(unit.as_ref(), call, Role::Holder, company, user.id, *role).await.unwrap();
            }
        }
        unit.commit().await.unwrap();
        let hash = CheapHasher::new().stored(PASSWORD);
        let unit = self.database.sessions().begin().await.unwrap();
        for (number, ..) in PEOPLE {
            set_password(unit.as_ref(), self.call(&scope), sample::id(number), hash.clone()).await.unwrap();
        }
        unit.commit().await.unwrap();
    }

    pub(crate) fn call<'a>(&'a self, scope: &'a Scope) -> CallContext<'a> {
        let now = self.clock.now();
        CallContext { scope, access: PiiAccess::Masked, actor: &Actor::OPERATOR, now, random: &*self.random }
    }

    /// Switches API access of a company, as the operator does.
    pub(crate) async fn set_api_access(&self, company: AccountId, on: bool) {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        account::set_api_access(unit.as_ref(), self.call(&scope), company, on).await.unwrap();
        unit.commit().await.unwrap();
    }

    /// Closes a company, as its holder does.
    pub(crate) async fn close(&self, company: AccountId) {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        let opened = account::alone(unit.as_ref(), self.call(&scope), company, &Expected::Any);
        account::deactivate(opened.await.unwrap(), None).await.unwrap();
        unit.commit().await.unwrap();
    }

    /// Closes a company as it is: with what a deactivation would wait for.
    pub(crate) async fn shut(&self, company: AccountId) {
        let scope = sample::everything();
        let before = self.database.business().accounts().find(&scope, company).await.unwrap().unwrap();
        let status = AccountStatus::Deactivated { at: self.clock.now() };
        let after = Account { status, version: before.version.next(), ..before.clone() };
        let unit = self.database.business().begin().await.unwrap();
        unit.accounts().replace(&scope, &before, &after).await.unwrap();
        unit.commit().await.unwrap();
    }

    /// Something happens in Acme.
    pub(crate) async fn publish(&self, kind: &str) {
        let event =
            Event::new(events().find(kind).unwrap(), self.acme, "con_1", self.clock.now(), &*self.random);
        let unit = self.database.webhooks().begin().await.unwrap();
        unit.outbox().publish(&[event]).await.unwrap();
        unit.commit().await.unwrap();
    }

    /// The same area, where the audit log reads as this says.
    pub(crate) fn reading(mut self, audit: Arc<dyn AuditReader>) -> Self {
        let sender = Arc::new(FakeSender::new().always(204));
        self.router = router(&self.database, &self.clock, &self.random, sender, audit);
        self
    }

    /// A browser that has been nowhere yet.
    pub(crate) fn browser(&self) -> Browser {
        Browser { router: self.router.clone(), cookies: Mutex::default(), language: "en", agent: FIREFOX }
    }

    /// The browser of a person who signed in by the page.
    pub(crate) async fn signed_in(&self, name: &str) -> Browser {
        self.signed_in_with(self.browser(), name).await
    }

    /// The same with a browser of its own.
    pub(crate) async fn signed_in_with(&self, browser: Browser, name: &str) -> Browser {
        let page = browser.get("/sign-in").await;
        let form =
            page.form("/sign-in").with("email", &format!("{name}@example.com")).with("password", PASSWORD);
        let page = browser.submit(&form).await;
        assert_eq!(page.status, 200, "{}", page.html);
        browser
    }
}

pub(crate) fn peppers() -> Peppers {
    Peppers::new(Pepper::new(1, [9; 32]), vec![])
}

fn router(
    database: &Database,
    clock: &ManualClock,
    random: &Arc<SeededRandom>,
    sender: Arc<FakeSender>,
    audit: Arc<dyn AuditReader>,
) -> Router {
    let peppers = peppers();
    let limiter = Arc::new(MemoryLimiter::new(Limits { per_minute: 10_000, per_month: 1_000_000 }));
    let clock: Arc<dyn Clock> = Arc::new(clock.clone());
    let authenticator = Authenticator::new(database.auth(), limiter, clock.clone(), peppers.clone());
    let app = App {
        business: database.business(),
        webhooks: database.webhooks(),
        replays: database.replays(),
        events: Arc::new(events().clone()),
        idempotency: database.idempotency(),
        authenticator: Arc::new(authenticator),
        auth: database.auth(),
        sessions: database.sessions(),
        hasher: Arc::new(CheapHasher::new()),
        peppers,
        policy: policy(),
        lifetime: Lifetime::default(),
        oauth: Some(Arc::new(Oauth::new(
            "http://127.0.0.1:8080".parse().unwrap(),
            database.oauth(),
            Arc::new(FakeDocuments::new()),
        ))),
        contents: Arc::new(MemoryContent::new(clock.clone())),
        ceremony_key: svc_testkit::business::envelopes::key(),
        audit,
        audit_keys: database.audit_keys(),
        sender,
        attempts: AttemptConfig::new(Duration::from_secs(10), RetrySchedule::STANDARD, String::new()),
        clock,
        random: random.clone(),
        settings: Settings::default(),
    };
    svc_http::router_with(app, svc_web::pages).layer(map_request(|mut request: Request<Body>| async {
        request.extensions_mut().insert(Peer(SocketAddr::from((Ipv4Addr::LOCALHOST, 40_000))));
        request
    }))
}

/// A browser without scripts: it keeps cookies and follows redirects within the service.
pub(crate) struct Browser {
    router: Router,
    cookies: Mutex<Vec<(String, String)>>,
    pub(crate) language: &'static str,
    pub(crate) agent: &'static str,
}

impl Browser {
    pub(crate) async fn get(&self, path: &str) -> Page {
        self.go(Method::GET, path.to_owned(), String::new(), &[]).await
    }

    /// What a page gives that is no text.
    pub(crate) async fn get_bytes(&self, path: &str) -> (u16, Vec<u8>) {
        let (parts, body) = self.send(&Method::GET, path, String::new(), &[]).await.into_parts();
        (parts.status.as_u16(), body.collect().await.unwrap().to_bytes().to_vec())
    }

    /// Sends a form, and follows where its answer leads.
    pub(crate) async fn submit(&self, form: &Form) -> Page {
        self.submit_with(form, &[]).await
    }

    /// The same with headers of one's own, such as another `Origin`.
    pub(crate) async fn submit_with(&self, form: &Form, headers: &[(&str, &str)]) -> Page {
        self.go(Method::POST, form.action.clone(), form.body(), headers).await
    }

    async fn go(&self, method: Method, path: String, body: String, headers: &[(&str, &str)]) -> Page {
        let (mut method, mut path, mut body) = (method, path, body);
        for _ in 0..5 {
            let response = self.send(&method, &path, body, headers).await;
            let (parts, content) = response.into_parts();
            for line in parts.headers.get_all(SET_COOKIE) {
                self.keep(line.to_str().unwrap());
            }
            let location = parts.headers.get(LOCATION);
            if let Some(location) = location.filter(|location| location.as_bytes().starts_with(b"/")) {
                (method, path, body) = (Method::GET, location.to_str().unwrap().to_owned(), String::new());
                continue;
            }
            let bytes = content.collect().await.unwrap().to_bytes();
            let html = String::from_utf8(bytes.to_vec()).unwrap();
            return Page { status: parts.status.as_u16(), headers: parts.headers, path, html };
        }
        panic!("{path} leads round and round")
    }

    async fn send(
        &self,
        method: &Method,
        path: &str,
        body: String,
        headers: &[(&str, &str)],
    ) -> axum::response::Response {
        let mut request = Request::builder().method(method).uri(path).header("accept", "text/html");
        request = request.header("host", "localhost").header("accept-language", self.language);
        request = request.header("user-agent", self.agent);
        let cookies: Vec<String> = {
            let cookies = self.cookies.lock().unwrap();
            cookies.iter().map(|(name, value)| format!("{name}={value}")).collect()
        };
        if !cookies.is_empty() {
            request = request.header(COOKIE, cookies.join("; "));
        }
        if method == Method::POST {
            let usual =
                [("content-type", "application/x-www-form-urlencoded"), ("origin", "http://localhost")];
            for (name, value) in
                usual.iter().filter(|(usual, _)| headers.iter().all(|(name, _)| name != usual))
            {
                request = request.header(*name, *value);
            }
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()
    }

    /// Sends a request of a program, and reads its answer.
    pub(crate) async fn raw(&self, request: Request<Body>) -> (u16, Vec<u8>) {
        let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        (parts.status.as_u16(), body.collect().await.unwrap().to_bytes().to_vec())
    }

    fn keep(&self, line: &str) {
        let (pair, attributes) = line.split_once(';').unwrap_or((line, ""));
        let (name, value) = pair.split_once('=').unwrap();
        let mut cookies = self.cookies.lock().unwrap();
        cookies.retain(|(known, _)| known != name);
        if !attributes.contains("Max-Age=0") {
            cookies.push((name.to_owned(), value.to_owned()));
        }
    }

    /// The cookies that the browser has, by name.
    pub(crate) fn cookies(&self) -> Vec<String> {
        self.cookies.lock().unwrap().iter().map(|(name, _)| name.clone()).collect()
    }
}
