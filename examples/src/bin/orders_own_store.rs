//! The shop of `orders` over a storage that it wrote itself: no database, the same promise.
//!
//! `cargo run -p svc-examples --bin orders_own_store` places two orders, one of which rolls back, delivers what committed
//! to a receiver of its own, prints it, and ends.

use std::error::Error;
use std::sync::Arc;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use svc_core::clock::Clock as _;
use svc_core::event::{Event, EventCatalogue, EventDeclaration, Member};
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Tenant;
use svc_core::unit::UnitOfWork as _;
use svc_egress::{EgressConfig, HyperSender};
use svc_examples::demo::{Failed, Receiver, call};
use svc_examples::own_store::OwnStore;
use svc_webhooks::management::Webhooks;
use svc_webhooks::subscription::CreateRequest;
use svc_worker::Deliverer;

/// What the shop tells of.
const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order")
    .with(&[Member::count("total_cents", "What the order comes to, in cents.")]);

struct Shop {
    store: OwnStore,
    webhooks: Webhooks,
}

/// POST /orders with a customer, a total, and whether the shop regrets before it commits: the order and its event commit
/// together, or neither does.
async fn place(
    State(shop): State<Arc<Shop>>,
    Json(wanted): Json<(String, i64, bool)>,
) -> Result<String, Failed> {
    let (customer, total_cents, regrets) = wanted;
    let unit = shop.store.unit().await;
    let order = unit.place(total_cents);
    let event = Event::new(&PLACED, Tenant::named(customer)?, order, SystemClock.now(), &OsRandom);
    unit.outbox().publish(&[event.with("total_cents", total_cents)]).await?;
    if regrets {
        return Err("the shop regrets".into());
    }
    Box::new(unit).commit().await?;
    Ok(order.to_string())
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
    let store = OwnStore::default();
    let exempt = vec!["127.0.0.0/8".parse()?]; // for the receiver of this example, which is at home
    let sender = Arc::new(HyperSender::new(EgressConfig::default().exempt(exempt))?);
    let deliverer = Deliverer::builder(Arc::new(store.clone()), Arc::clone(&sender) as _);
    let delivering = deliverer.woken_by(store.published()).build().start();
    let webhooks = Webhooks::new(Arc::new(store.clone()), sender, EventCatalogue::new([PLACED])?);

    let shop = Arc::new(Shop { store, webhooks });
    let routes = Router::new().route("/orders", post(place)).route("/subscriptions", post(subscribe));
    let routes = routes.with_state(Arc::clone(&shop));

    let mut receiver = Receiver::listen().await?;
    receiver.knows(call(&routes, "/subscriptions", &("anna", &receiver.url)).await?)?;
    call(&routes, "/orders", &("anna", 1_250, true)).await.expect_err("rolled back");
    let kept = call(&routes, "/orders", &("anna", 4_200, false)).await?;
    println!("order {kept} was told of, and verified: {}", receiver.next().await?);
    println!("orders kept: {}", shop.store.orders());

    delivering.stop().await;
    assert!(receiver.is_empty(), "what was rolled back is not told");
    Ok(())
}
