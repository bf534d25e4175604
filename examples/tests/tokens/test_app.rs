//! The service of the example with its data in a folder of its own and a clock moved by hand.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Request, StatusCode};
use axum::{Extension, Router};
use http_body_util::BodyExt as _;
use serde_json::Value;
use svc_auth::authenticate::Authenticator;
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::ports::AuthStorage as _;
use svc_auth::token::{Pepper, Peppers, Token, TokenValue};
use svc_core::audit::{Action, Actor, ChainKey, ChainKeys, Entry};
use svc_core::clock::Clock as _;
use svc_core::pii::PiiAccess;
use svc_core::unit::CallContext;
use svc_examples::tokens::app::{first_token, routes};
use svc_examples::tokens::guard::Guard;
use svc_examples::tokens::store::FileStore;
use svc_testkit::business::sample::everything;
use svc_testkit::fakes::{ManualClock, SeededRandom};
use tempfile::TempDir;
use tower::ServiceExt as _;

pub(crate) struct TestApp {
    folder: TempDir,
    pub(crate) store: FileStore,
    pub(crate) authenticator: Arc<Authenticator>,
    pub(crate) clock: ManualClock,
    random: SeededRandom,
    pub(crate) value: TokenValue,
    app: Router,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

pub(crate) fn keys() -> ChainKeys {
    ChainKeys::new(ChainKey::new(1, [3; 32]), Vec::new())
}

pub(crate) fn open(folder: &Path) -> FileStore {
    FileStore::open(folder.join("state.json"), keys()).expect("the file is sound")
}

impl TestApp {
    /// The service with its first token and these requests per minute.
    pub(crate) async fn new(per_minute: u32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (clock, random) = (ManualClock::default(), SeededRandom::new(7));
        let store = open(folder.path());
        let peppers = Peppers::new(Pepper::new(1, [9; 32]), Vec::new());
        let value = first_token(&store, &peppers, clock.now(), &random).await.expect("a token");
        let limits = Limits { per_minute, ..Limits::default() };
        let limiter = Arc::new(MemoryLimiter::new(limits));
        let storage = Arc::new(store.clone());
        let authenticator = Authenticator::new(storage, limiter, Arc::new(clock.clone()), peppers);
        let authenticator = Arc::new(authenticator);
        let trusted_proxies = ["10.0.0.0/8".parse().expect("a range")].into();
        let guard = Guard { authenticator: Arc::clone(&authenticator), trusted_proxies };
        let peer: SocketAddr = "10.0.0.1:4711".parse().expect("an address");
        let app = routes(&guard).layer(Extension(ConnectInfo(peer)));
        Self { folder, store, authenticator, clock, random, value, app }
    }

    /// The storage as another process would open it.
    pub(crate) fn reopened(&self) -> FileStore {
        open(self.folder.path())
    }

    /// The bytes of everything on disk.
    pub(crate) fn disk(&self) -> Vec<u8> {
        let files = std::fs::read_dir(self.folder.path()).expect("the folder");
        files.flat_map(|file| std::fs::read(file.expect("a file").path()).expect("its content")).collect()
    }

    /// The only token.
    pub(crate) fn token(&self) -> Token {
        self.store.state().tokens.values().next().expect("the first token").clone()
    }

    /// Changes the only token past the use cases, and forgets what is cached.
    pub(crate) async fn change(&self, change: impl FnOnce(Token) -> Token) {
        let before = self.token();
        let after = Token { version: before.version.next(), ..change(before.clone()) };
        let scope = everything();
        let call = CallContext {
            scope: &scope,
            access: PiiAccess::Masked,
            actor: &Actor::OPERATOR,
            now: self.clock.now(),
            random: &self.random,
        };
        let entry = Entry::new::<()>(call, before.primary, Action::TokenUpdate, before.id, (None, None));
        let unit = self.store.begin().await.expect("a unit");
        unit.tokens().replace(before.version, &after).await.expect("replaced");
        unit.audit().append(&[entry]).await.expect("told");
        unit.commit().await.expect("committed");
        self.authenticator.forget();
    }

    /// Sends a request with these headers from behind the service's own proxy.
    pub(crate) async fn send(&self, request: &str, headers: &[(&str, &str)]) -> Answer {
        let (method, path) = request.split_once(' ').expect("a method and a path");
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let json = request.headers_ref().is_some_and(|headers| headers.contains_key("content-type"));
        let body = if json { Body::from(r#"{"name":"plan.pdf"}"#) } else { Body::empty() };
        let response = self.app.clone().oneshot(request.body(body).expect("a request")).await;
        let (head, body) = response.expect("infallible").into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Answer { status: head.status, headers: head.headers, body }
    }

    /// Sends a request with the first token.
    pub(crate) async fn call(&self, request: &str) -> Answer {
        self.send(request, &[("authorization", &self.bearer())]).await
    }

    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.value.expose())
    }
}

impl Answer {
    /// Status and `code` of a problem.
    pub(crate) fn problem(&self) -> (u16, &str) {
        let member = |name| self.body.get(name).expect("a member of every problem");
        let kind = self.headers.get("content-type").expect("a type");
        assert_eq!(kind, "application/problem+json");
        assert_eq!(*member("status"), self.status.as_u16());
        (self.status.as_u16(), member("code").as_str().expect("a code"))
    }
}
