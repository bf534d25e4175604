//! A shop of its own: axum, SeaORM with a table of its own, and signed webhooks for its own event, published in the
//! transaction of its own change.
//!
//! `cargo run -p svc-examples --bin orders` places two orders, one of which rolls back, delivers what committed to a
//! receiver of its own, prints it, and ends.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use http_body_util::BodyExt as _;
use sea_orm::{
    ActiveModelTrait as _, ConnectionTrait as _, DatabaseConnection, EntityTrait as _, PaginatorTrait as _,
    Set, SqliteTransactionMode, TransactionOptions, TransactionTrait as _,
};
use serde::{Deserialize, Serialize};
use svc_core::audit::Actor;
use svc_core::clock::Clock as _;
use svc_core::event::{Event, EventCatalogue, EventDeclaration, Member};
use svc_core::id::{AccountId, TokenId, TypedId as _};
use svc_core::permission::Grants;
use svc_core::pii::PiiAccess;
use svc_core::random;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_egress::{EgressConfig, HyperSender};
use svc_storage_seaorm::{Database, Keys, Schema, outbox};
use svc_webhooks::signature::Verifier;
use svc_webhooks::subscription::{self, CreateRequest, Draft, Subscribable};
use svc_worker::Deliverer;
use tokio::sync::mpsc;
use tower::ServiceExt as _;

/// The table of the shop.
mod order {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "orders")]
    pub(crate) struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub total_cents: i64,
    }

    #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What the shop tells of.
const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order")
    .described("order placed")
    .with(&[Member::count("total_cents", "What the order comes to, in cents.")]);

struct Shop {
    pool: DatabaseConnection,
    webhooks: Database,
    sender: Arc<HyperSender>,
    tenant: AccountId,
}

#[derive(Serialize, Deserialize)]
struct Order {
    total_cents: i64,
    /// Whether the shop changes its mind before it commits.
    regret: bool,
}

/// POST /orders: the order and its event commit together, or neither does.
async fn place(State(shop): State<Arc<Shop>>, Json(wanted): Json<Order>) -> Result<String, Failed> {
    let transaction = shop.pool.begin_with_options(immediate()).await?;
    let order = order::ActiveModel { total_cents: Set(wanted.total_cents), ..Default::default() };
    let order = order.insert(&transaction).await?;
    let event = Event::new(&PLACED, shop.tenant, order.id, SystemClock.now(), &OsRandom);
    outbox::publish(&transaction, &[event.with("total_cents", order.total_cents)]).await?;
    if wanted.regret {
        transaction.rollback().await?;
    } else {
        transaction.commit().await?;
        shop.webhooks.published();
    }
    Ok(order.id.to_string())
}

/// POST /subscriptions: a receiver's URL for the secret that it verifies with.
async fn subscribe(State(shop): State<Arc<Shop>>, Json(url): Json<String>) -> Result<String, Failed> {
    let (catalogue, held) = (EventCatalogue::new([PLACED])?, Grants::none());
    let request = CreateRequest {
        name: "Receiver".to_owned(),
        url,
        events: vec![PLACED.name().to_owned()],
        headers: BTreeMap::new(),
        in_flight: None,
    };
    let subscribable = Subscribable::new(&catalogue, &held);
    let draft = Draft::check(request, subscribable, &*shop.sender).await?;
    let (now, scope) = (SystemClock.now(), scope_of(shop.tenant));
    let (access, actor) = (PiiAccess::Masked, &Actor::OPERATOR);
    let call = CallContext { scope: &scope, access, actor, now, random: &OsRandom };
    let unit = shop.webhooks.webhooks().begin().await?;
    let token = TokenId::generate(now, &OsRandom);
    let made = subscription::create(&*unit, call, shop.tenant, token, draft).await?;
    unit.commit().await?;
    Ok(made.secret.expose().to_owned())
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn main() -> Result<(), Box<dyn Error>> {
    // What every service has: a pool and its tables.
    let folder = tempfile::tempdir()?;
    let pool =
        sea_orm::Database::connect(format!("sqlite://{}/shop.db?mode=rwc", folder.path().display())).await?;
    pool.execute_unprepared("CREATE TABLE orders (id integer PRIMARY KEY, total_cents bigint NOT NULL)")
        .await?;

    // What webhooks need: tables beside those, a sender, and a task that delivers. A real service keeps its key.
    let webhooks =
        Database::from_connection(&pool, Keys::new(1, random::bytes(&OsRandom)), Schema::webhooks()).await?;
    webhooks.migrate(SystemClock.now()).await?;
    let exempt = vec!["127.0.0.0/8".parse()?]; // for the receiver of this example, which is at home
    let sender = Arc::new(HyperSender::new(EgressConfig { exempt, ..EgressConfig::default() })?);
    let deliverer = Deliverer::builder(webhooks.webhooks(), Arc::clone(&sender) as _)
        .user_agent_address("https://shop.example")
        .woken_by(webhooks.events_committed())
        .build();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let delivering = tokio::spawn(deliverer.run(async { drop(ended.await) }));

    let tenant = AccountId::generate(SystemClock.now(), &OsRandom);
    let shop = Arc::new(Shop { pool, webhooks, sender, tenant });
    let routes = Router::new().route("/orders", post(place)).route("/subscriptions", post(subscribe));
    let routes = routes.with_state(Arc::clone(&shop));

    let (url, receiver, mut arrived) = receiver().await?;
    let secret = call(&routes, "/subscriptions", &url).await?;
    receiver.set(Verifier::new([secret])?).map_err(|_| "set once")?;
    call(&routes, "/orders", &Order { total_cents: 1_250, regret: true }).await?;
    let kept = call(&routes, "/orders", &Order { total_cents: 4_200, regret: false }).await?;
    let notification =
        tokio::time::timeout(Duration::from_secs(10), arrived.recv()).await?.unwrap_or_default();
    println!("order {kept} was told of, and verified: {notification}");
    println!("orders kept: {}", order::Entity::find().count(&shop.pool).await?);

    drop(end);
    delivering.await?;
    shop.webhooks.close().await;
    assert!(arrived.try_recv().is_err(), "what was rolled back is not told");
    Ok(())
}

/// The one writer of SQLite: who is about to write waits for it from the start. PostgreSQL has no such mode.
fn immediate() -> TransactionOptions {
    let sqlite_transaction_mode = Some(SqliteTransactionMode::Immediate);
    TransactionOptions { sqlite_transaction_mode, ..TransactionOptions::default() }
}

#[expect(clippy::disallowed_methods, reason = "the shop has checked its caller by its own means")]
fn scope_of(tenant: AccountId) -> Scope {
    Scope::granted([tenant])
}

/// A failure that a client cannot act on.
struct Failed(Box<dyn Error + Send + Sync>);

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, self.0.to_string()).into_response()
    }
}

/// Posts JSON to the routes of the shop.
async fn call(routes: &Router, path: &str, body: &(impl Serialize + Sync)) -> Result<String, Box<dyn Error>> {
    let request = Request::post(path).header("content-type", "application/json");
    let response = routes.clone().oneshot(request.body(Body::from(serde_json::to_vec(body)?))?).await?;
    let status = response.status();
    let text = String::from_utf8(response.into_body().collect().await?.to_bytes().into())?;
    if status.is_success() { Ok(text) } else { Err(format!("{path}: {status} {text}").into()) }
}

/// What the receiver verifies with, once it knows.
type Known = Arc<OnceLock<Verifier>>;

/// The service of a subscriber: its URL, what it verifies with, and the bodies that it believed.
async fn receiver() -> Result<(String, Known, mpsc::UnboundedReceiver<String>), Box<dyn Error>> {
    let (verifier, (sender, arrived)) = (Known::default(), mpsc::unbounded_channel());
    let known = Arc::clone(&verifier);
    let hook = move |headers: HeaderMap, body: Bytes| {
        let (known, sender) = (Arc::clone(&known), sender.clone());
        async move {
            let genuine =
                known.get().is_some_and(|known| known.verify(&headers, &body, SystemClock.now()).is_ok());
            let told = genuine && sender.send(String::from_utf8_lossy(&body).into_owned()).is_ok();
            if told { StatusCode::OK } else { StatusCode::BAD_REQUEST }
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/hook", listener.local_addr()?);
    tokio::spawn(axum::serve(listener, Router::new().route("/hook", post(hook))).into_future());
    Ok((url, verifier, arrived))
}
