//! A plain axum service with API tokens: svc-auth alone, with permissions, tenants and a storage of its own.
//!
//! `cargo run -p svc-examples --bin tokens` makes a token, sends requests with it and without, before and after
//! a restart, revokes it, prints what was answered, and ends.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::{Extension, Router};
use http_body_util::BodyExt as _;
use svc_auth::authenticate::Authenticator;
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::ports::{AuthStorage as _, StandAlone};
use svc_auth::token::{Pepper, Peppers, TokenValue};
use svc_core::clock::Clock as _;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId as _};
use svc_core::random;
use svc_core::system::{OsRandom, SystemClock};
use svc_examples::tokens::app::{issue, revoke, routes};
use svc_examples::tokens::guard::Guard;
use svc_examples::tokens::store::FileStore;
use svc_examples::tokens::tenants::Tenants;
use tower::ServiceExt as _;

type Failure = Box<dyn Error + Send + Sync>;

/// The service, from the file of its tokens to its routes.
struct Service {
    store: FileStore,
    authenticator: Arc<Authenticator>,
    routes: Router,
}

impl Service {
    fn start(file: &Path, tenants: &Tenants, peppers: &Peppers) -> Result<Self, Failure> {
        let store = FileStore::open(file, Arc::new(StandAlone(tenants.clone())))?;
        let limiter = Arc::new(MemoryLimiter::new(Limits::default()));
        let authenticator =
            Authenticator::new(Arc::new(store.clone()), limiter, Arc::new(SystemClock), peppers.clone());
        let authenticator = Arc::new(authenticator);
        let guard = Guard { authenticator: Arc::clone(&authenticator), trusted_proxies: Arc::default() };
        Ok(Self { store, authenticator, routes: routes(&guard) })
    }

    /// Sends a request and prints the answer. In earnest it comes over TLS, by
    /// `axum::serve` of `into_make_service_with_connect_info::<SocketAddr>()`, which names the peer.
    #[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
    async fn call(&self, request: &str, token: Option<&TokenValue>) -> Result<(), Failure> {
        let (method, path) = request.split_once(' ').ok_or("a method and a path")?;
        let mut message = Request::builder().method(method).uri(path);
        if let Some(token) = token {
            message = message.header("authorization", format!("Bearer {}", token.expose()));
        }
        let message = message.header("content-type", "application/json");
        let message = message.body(Body::from(r#"{"name":"plan.pdf"}"#))?;
        let peer = Extension(ConnectInfo(SocketAddr::from((Ipv4Addr::LOCALHOST, 4711))));
        let response = self.routes.clone().layer(peer).oneshot(message).await?;
        let status = response.status();
        let body = String::from_utf8(response.into_body().collect().await?.to_bytes().into())?;
        println!("{request}: {} {body}", status.as_u16());
        Ok(())
    }
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn main() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("tokens.json");
    // A real service keeps its pepper, on another disk than the file.
    let peppers = Peppers::new(Pepper::new(1, random::bytes(&OsRandom)), Vec::new());
    let (tenants, acme) = (Tenants::default(), AccountId::generate(SystemClock.now(), &OsRandom));
    tenants.admit(acme, "Acme SL");

    let service = Service::start(&file, &tenants, &peppers)?;
    let keeping = tokio::spawn(keep_up(service.store.clone(), Arc::clone(&service.authenticator)));
    let here = (SystemClock.now(), &OsRandom as _);
    let (_, writes) = issue(&service.store, &peppers, acme, &["archive:files.*"], here).await?;
    let (id, reads) = issue(&service.store, &peppers, acme, &["archive:files.read"], here).await?;
    println!("a token, shown this once: {}…", &reads.expose()[..12]);
    service.call("GET /files", None).await?;
    service.call("POST /files", Some(&reads)).await?;
    service.call("POST /files", Some(&writes)).await?;
    service.call("GET /files", Some(&reads)).await?;
    keeping.abort();
    write_uses(&service.store, &service.authenticator).await?;
    drop(service);

    let service = Service::start(&file, &tenants, &peppers)?;
    println!("restarted");
    service.call("GET /me", Some(&reads)).await?;
    revoke(&service.store, acme, id, here).await?;
    service.authenticator.forget();
    service.call("GET /me", Some(&reads)).await?;
    tenants.remove(acme);
    service.authenticator.refresh().await?;
    service.call("GET /me", Some(&writes)).await?;
    Ok(())
}

/// Every two seconds: notices what changed elsewhere, and writes last uses in one batch.
async fn keep_up(store: FileStore, authenticator: Arc<Authenticator>) {
    let mut ticks = tokio::time::interval(Duration::from_secs(2));
    loop {
        ticks.tick().await;
        for outcome in [authenticator.refresh().await, write_uses(&store, &authenticator).await] {
            outcome.unwrap_or_else(|error| report(&error));
        }
    }
}

async fn write_uses(store: &FileStore, authenticator: &Authenticator) -> Result<(), StoreError> {
    let uses = authenticator.take_uses();
    if uses.is_empty() {
        return Ok(());
    }
    let unit = store.begin().await?;
    unit.tokens().touch(&uses).await?;
    unit.commit().await
}

#[expect(clippy::print_stderr, reason = "an example prints to its terminal")]
fn report(error: &StoreError) {
    eprintln!("{error}");
}
