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
use svc_auth::ports::{AuthStorage as _, StandAlone};
use svc_auth::token::{Pepper, Peppers, Token, TokenValue};
use svc_core::clock::Clock as _;
use svc_core::id::{AccountId, TokenId, TypedId as _};
use svc_examples::tokens::app::{issue, routes};
use svc_examples::tokens::guard::Guard;
use svc_examples::tokens::store::FileStore;
use svc_examples::tokens::tenants::Tenants;
use svc_testkit::fakes::{ManualClock, SeededRandom};
use tempfile::TempDir;
use tower::ServiceExt as _;

pub(crate) struct TestApp {
    folder: TempDir,
    pub(crate) store: FileStore,
    pub(crate) authenticator: Arc<Authenticator>,
    pub(crate) clock: ManualClock,
    pub(crate) tenants: Tenants,
    pub(crate) tenant: AccountId,
    id: TokenId,
    pub(crate) value: TokenValue,
    app: Router,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

fn open(folder: &Path, tenants: &Tenants) -> std::io::Result<FileStore> {
    let directory = Arc::new(StandAlone(tenants.clone()));
    FileStore::open(&folder.join("tokens.json"), directory)
}

impl TestApp {
    /// The service with its first token and these requests per minute.
    pub(crate) async fn new(per_minute: u32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (clock, random) = (ManualClock::default(), SeededRandom::new(7));
        let (tenants, tenant) = (Tenants::default(), AccountId::generate(clock.now(), &random));
        tenants.admit(tenant, "Acme SL");
        let store = open(folder.path(), &tenants).expect("no file yet");
        let peppers = Peppers::new(Pepper::new(1, [9; 32]), Vec::new());
        let here = (clock.now(), &random as _);
        let issued = issue(&store, &peppers, tenant, &["archive:files.*"], here).await;
        let (id, value) = issued.expect("a token");
        let limits = Limits { per_minute, ..Limits::default() };
        let limiter = Arc::new(MemoryLimiter::new(limits));
        let storage = Arc::new(store.clone());
        let authenticator = Authenticator::new(storage, limiter, Arc::new(clock.clone()), peppers);
        let authenticator = Arc::new(authenticator);
        let trusted_proxies = ["10.0.0.0/8".parse().expect("a range")].into();
        let guard = Guard { authenticator: Arc::clone(&authenticator), trusted_proxies };
        let peer: SocketAddr = "10.0.0.1:4711".parse().expect("an address");
        let app = routes(&guard).layer(Extension(ConnectInfo(peer)));
        Self { folder, store, authenticator, clock, tenants, tenant, id, value, app }
    }

    /// The storage as another process would open it.
    pub(crate) fn reopened(&self) -> FileStore {
        self.try_reopened().expect("the file is sound")
    }

    pub(crate) fn try_reopened(&self) -> std::io::Result<FileStore> {
        open(self.folder.path(), &self.tenants)
    }

    /// Puts something else in the place of the file.
    pub(crate) fn overwrite(&self, text: &str) {
        std::fs::write(self.folder.path().join("tokens.json"), text).expect("written");
    }

    /// The bytes of everything on disk.
    pub(crate) fn disk(&self) -> Vec<u8> {
        let files = std::fs::read_dir(self.folder.path()).expect("the folder");
        files.flat_map(|file| std::fs::read(file.expect("a file").path()).expect("its content")).collect()
    }

    /// The only token.
    pub(crate) async fn token(&self) -> Token {
        self.kept(&self.store).await
    }

    /// The only token, as a storage has it.
    pub(crate) async fn kept(&self, store: &FileStore) -> Token {
        store.tokens().find(self.id).await.expect("read").expect("it was issued")
    }

    /// Changes the only token past the use cases, and forgets what is cached.
    pub(crate) async fn change(&self, change: impl FnOnce(Token) -> Token) {
        let before = self.token().await;
        let after = Token { version: before.version.next(), ..change(before.clone()) };
        let unit = self.store.begin().await.expect("a unit");
        unit.tokens().replace(before.version, &after).await.expect("replaced");
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
