//! The whole API below `/billing` of a service of one's own, over SQLite.
//!
//! `cargo run -p svc-examples --bin mount` founds a company with a token, serves its own route and the API on a free port,
//! asks both, prints the answers, and ends.

use std::error::Error;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use axum::routing::get;
use axum::{Json, Router};
use http_body_util::BodyExt as _;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use svc_auth::authenticate::Authenticator;
use svc_auth::limit::{LeasedLimiter, Limits};
use svc_auth::session::Lifetime;
use svc_auth::token::{self, FullRequest, Peppers, Policy, TokenValue};
use svc_business::account::{AccountInput, BootstrapRequest, LegalForm};
use svc_business::{catalogue, founding, user};
use svc_core::audit::Actor;
use svc_core::clock::Clock as _;
use svc_core::content::ContentStore;
use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_core::random;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Scope;
use svc_core::unit::{CallContext, UnitOfWork as _};
use svc_egress::{EgressConfig, HyperSender};
use svc_files::Files;
use svc_http::server::{self, serve};
use svc_http::{App, BlockingHasher};
use svc_storage_seaorm::{Database, Keys, Settings};
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::ports::HttpSender;
use svc_worker::Deliverer;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// The first company, its holder, and a token that may do everything there, in one commit.
async fn found(
    database: &Database,
    peppers: &Peppers,
    policy: &Policy,
) -> Result<TokenValue, Box<dyn Error>> {
    #[expect(clippy::disallowed_methods, reason = "the program begins its own database")]
    let scope = Scope::system("the first company");
    let (access, now) = (PiiAccess::Masked, SystemClock.now());
    let call = CallContext { scope: &scope, access, actor: &Actor::OPERATOR, now, random: &OsRandom };
    let input = AccountInput {
        legal_name: Patch::Value("Ferretería Sol SL".to_owned()),
        legal_form: Patch::Value(LegalForm::Sl),
        ..AccountInput::default()
    };
    let holder = user::CreateRequest { email: "ada@example.com".to_owned(), name: None, locale: None };
    let unit = database.begin().await?;
    let (company, holder) = founding::bootstrap(&*unit, call, BootstrapRequest { input, holder }).await?;
    let request = FullRequest { name: "shop".to_owned(), primary: company.id, creator: holder.id };
    let (_, value) = token::create_full(&*unit, call, request, peppers, policy).await?;
    unit.commit().await?;
    Ok(value)
}

/// The API over a database. `public_url` ends with the prefix that its router is nested below.
fn api(
    database: &Database,
    sender: Arc<dyn HttpSender>,
    keys: &Keys,
    policy: Policy,
    contents: Arc<dyn ContentStore>,
    public_url: String,
) -> Router {
    let limiter = Arc::new(LeasedLimiter::new(database.budgets(), Limits::default()));
    let authenticator = Authenticator::new(database.auth(), limiter, Arc::new(SystemClock), keys.peppers());
    svc_http::router(App {
        business: database.business(),
        webhooks: database.webhooks(),
        replays: database.replays(),
        events: Arc::new(catalogue::events()),
        idempotency: database.idempotency(),
        authenticator: Arc::new(authenticator),
        auth: database.auth(),
        sessions: database.sessions(),
        hasher: Arc::new(BlockingHasher::default()),
        peppers: keys.peppers(),
        policy,
        lifetime: Lifetime::default(),
        oauth: None,
        contents,
        ceremony_key: keys.ceremony_key(),
        audit: database.audit(),
        audit_keys: database.audit_keys(),
        sender,
        attempts: AttemptConfig::default(),
        clock: Arc::new(SystemClock),
        random: Arc::new(OsRandom),
        settings: svc_http::Settings::default().public_url(public_url),
    })
}

/// Sends a request and prints the answer; answers its headers.
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn ask(
    method: &str,
    url: &str,
    token: Option<&TokenValue>,
    body: &'static str,
) -> Result<HeaderMap, Box<dyn Error>> {
    let mut request = Request::builder().method(method).uri(url).header("content-type", "application/json");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {}", token.expose()));
    }
    let client = Client::builder(TokioExecutor::new()).build_http();
    let response = client.request(request.body(Body::from(body))?).await?;
    let (head, body) = response.into_parts();
    let body = String::from_utf8(body.collect().await?.to_bytes().into())?;
    println!("{method} {}: {} {body}", url.parse::<axum::http::Uri>()?.path(), head.status.as_u16());
    Ok(head.headers)
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn main() -> Result<(), Box<dyn Error>> {
    // The database of the API, and its first company. A real service keeps its key.
    let folder = tempfile::tempdir()?;
    let keys = Keys::new(1, random::bytes(&OsRandom));
    let (peppers, policy) = (keys.peppers(), Policy::of(catalogue::permissions()));
    let url = format!("sqlite://{}/billing.db", folder.path().display());
    let database = Database::open(&Settings::new(&url, keys.clone())).await?;
    database.migrate(SystemClock.now()).await?;
    let token = found(&database, &peppers, &policy).await?;

    // The program's own routes with the API among them, on one port, and a task that delivers the API's webhooks.
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let sender: Arc<dyn HttpSender> = Arc::new(HyperSender::new(EgressConfig::default())?);
    let deliverer = Deliverer::builder(database.webhooks(), Arc::clone(&sender)).replays(database.replays());
    let delivering = deliverer.woken_by(database.events_committed()).build().start();
    let address = format!("file://{}/files", folder.path().display());
    let contents = Files::open(&address, Arc::new(SystemClock), Arc::new(OsRandom))?.into();
    let api = api(&database, sender, &keys, policy, contents, format!("{origin}/billing"));
    let routes = Router::new().route("/hours", get(async || Json(["9-14", "17-20"]))).nest("/billing", api);
    let (stop, stopped) = oneshot::channel::<()>();
    let shutdown = async move { drop(stopped.await) };
    // `serve` says of each request where it came from, which the API asks for.
    let serving = tokio::spawn(serve(listener, routes, server::Limits::default(), shutdown));

    ask("GET", &format!("{origin}/hours"), None, "").await?;
    let contact = r#"{"kind":"organization","legalName":"Acme SL"}"#;
    let made = ask("POST", &format!("{origin}/billing/api/v1/contacts"), Some(&token), contact).await?;
    let location = made.get("location").ok_or("a created contact has a location")?.to_str()?;
    println!("Location: {location}");
    ask("GET", &format!("{origin}{location}"), Some(&token), "").await?;

    drop(stop);
    serving.await?;
    delivering.stop().await;
    database.close().await;
    Ok(())
}
