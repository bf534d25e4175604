//! A shop of its own: axum, SeaORM with a table of its own, and signed webhooks for its own event, published in the
//! transaction of its own change.
//!
//! `cargo run -p svc-examples --bin orders` places two orders, one of which rolls back, delivers what committed to a
//! receiver of its own, prints it, and ends.

use std::error::Error;
use std::sync::Arc;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use sea_orm::{
    ActiveModelTrait as _, ConnectionTrait as _, DatabaseConnection, EntityTrait as _, PaginatorTrait as _,
    Set,
};
use svc_core::clock::Clock as _;
use svc_core::event::{Event, EventCatalogue, EventDeclaration, Member};
use svc_core::random;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Tenant;
use svc_egress::{EgressConfig, HyperSender};
use svc_examples::demo::{Failed, Receiver, call};
use svc_storage_seaorm::{Database, Keys, Schema, outbox};
use svc_webhooks::management::Webhooks;
use svc_webhooks::subscription::CreateRequest;
use svc_worker::Deliverer;

/// The table of the shop.
mod order {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "orders")]
    pub(crate) struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub total_cents: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// What the shop tells of.
const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order")
    .with(&[Member::count("total_cents", "What the order comes to, in cents.")]);

struct Shop {
    pool: DatabaseConnection,
    database: Database,
    webhooks: Webhooks,
}

/// POST /orders with a customer, a total, and whether the shop regrets before it commits: the order and its event commit
/// together, or neither does.
async fn place(
    State(shop): State<Arc<Shop>>,
    Json(wanted): Json<(String, i64, bool)>,
) -> Result<String, Failed> {
    let (customer, total_cents, regrets) = wanted;
    let transaction = outbox::begin(&shop.pool).await?;
    let order = order::ActiveModel { total_cents: Set(total_cents), ..Default::default() };
    let order = order.insert(&transaction).await?;
    let event = Event::new(&PLACED, Tenant::named(customer)?, order.id, SystemClock.now(), &OsRandom);
    outbox::publish(&transaction, &[event.with("total_cents", total_cents)]).await?;
    if regrets {
        return Err("the shop regrets".into());
    }
    transaction.commit().await?;
    shop.database.published();
    Ok(order.id.to_string())
}

/// POST /subscriptions with a customer and the URL of a receiver: answers the secret that it verifies with.
async fn subscribe(
    State(shop): State<Arc<Shop>>,
    Json(wanted): Json<(String, String)>,
) -> Result<String, Failed> {
    let request = CreateRequest::new("Receiver", wanted.1, [PLACED.name()]);
    let made = shop.webhooks.of(Tenant::named(wanted.0)?).subscribe(request).await?;
    Ok(made.secret.expose().to_owned())
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn main() -> Result<(), Box<dyn Error>> {
    // What every service has: a pool and its tables.
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite://{}/shop.db?mode=rwc", folder.path().display());
    let pool = sea_orm::Database::connect(url).await?;
    pool.execute_unprepared("CREATE TABLE orders (id integer PRIMARY KEY, total_cents bigint)").await?;

    // What webhooks need: tables beside those, a sender, and a task that delivers. A real service keeps its key.
    let keys = Keys::new(1, random::bytes(&OsRandom));
    let database = Database::from_connection(&pool, keys, Schema::webhooks()).await?;
    database.migrate(SystemClock.now()).await?;
    let exempt = vec!["127.0.0.0/8".parse()?]; // for the receiver of this example, which is at home
    let sender = Arc::new(HyperSender::new(EgressConfig::default().exempt(exempt))?);
    let deliverer = Deliverer::builder(database.webhooks(), Arc::clone(&sender) as _);
    let delivering = deliverer.woken_by(database.events_committed()).build().start();
    let webhooks = Webhooks::new(database.webhooks(), sender, EventCatalogue::new([PLACED])?);

    let shop = Arc::new(Shop { pool, database, webhooks });
    let routes = Router::new().route("/orders", post(place)).route("/subscriptions", post(subscribe));
    let routes = routes.with_state(Arc::clone(&shop));

    let mut receiver = Receiver::listen().await?;
    receiver.knows(call(&routes, "/subscriptions", &("anna", &receiver.url)).await?)?;
    call(&routes, "/orders", &("anna", 1_250, true)).await.expect_err("rolled back");
    let kept = call(&routes, "/orders", &("anna", 4_200, false)).await?;
    println!("order {kept} was told of, and verified: {}", receiver.next().await?);
    println!("orders kept: {}", order::Entity::find().count(&shop.pool).await?);

    delivering.stop().await;
    assert!(receiver.is_empty(), "what was rolled back is not told");
    Ok(())
}
