//! A service of one's own that sends signed webhooks: storage on SQLite, the
//! delivery rules of svc-webhooks, guarded HTTP by svc-egress.
//!
//! `cargo run -p svc-examples --bin embed -- https://hooks.example.com/mine`

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use svc_worker::Deliverer;

use svc_core::audit::Actor;
use svc_core::clock::Clock as _;
use svc_core::event::{Event, EventCatalogue, EventDeclaration, Member};
use svc_core::id::{AccountId, TokenId, TypedId as _};
use svc_core::page::PageRules;
use svc_core::permission::Grants;
use svc_core::pii::PiiAccess;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Scope;
use svc_core::unit::{CallContext, UnitOfWork as _};
use svc_egress::{EgressConfig, HyperSender};
use svc_storage_seaorm::{Database, Keys, Settings};
use svc_webhooks::ports::{DeliveryFilter, LoggedDelivery};
use svc_webhooks::subscription::{self, CreateRequest, Draft, Subscribable};

/// What this service tells of.
const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order")
    .described("order placed")
    .with(&[Member::count("total_cents", "What the order comes to, in cents.")]);

#[tokio::main]
#[expect(clippy::print_stdout, reason = "an example prints to its terminal")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("name the https URL of a receiver")?;
    let folder = tempfile::tempdir()?;
    let keys = Keys::new(1, svc_core::random::bytes(&OsRandom));
    let database =
        Database::open(&Settings::new(format!("sqlite://{}/mine.db", folder.path().display()), keys)).await?;
    database.migrate(SystemClock.now()).await?;
    let sender = Arc::new(HyperSender::new(EgressConfig::default())?);

    // A company subscribes. What needs the network is checked before the unit of work begins.
    let now = SystemClock.now();
    let company = AccountId::generate(now, &OsRandom);
    let events = vec![PLACED.name().into()];
    let request =
        CreateRequest { name: "Mine".into(), url, events, headers: BTreeMap::new(), in_flight: None };
    let (catalogue, held) = (EventCatalogue::new([PLACED])?, Grants::none());
    let subscribable = Subscribable { catalogue: &catalogue, held: &held };
    let draft = Draft::check(request, subscribable, &*sender).await?;
    let scope = scope_of(company);
    let call = CallContext {
        scope: &scope,
        access: PiiAccess::Masked,
        actor: &Actor::OPERATOR,
        now,
        random: &OsRandom,
    };
    let unit = database.begin().await?;
    let token = TokenId::generate(now, &OsRandom);
    let subscription = subscription::create(&*unit, call, company, token, draft).await?;
    unit.commit().await?;
    println!("the receiver verifies with {}", subscription.secret.expose());

    // Something changes: the change and its event commit together.
    let now = SystemClock.now();
    let unit = database.begin().await?;
    let order = Event::new(&PLACED, company, "1001", now, &OsRandom).with("total_cents", 4_200);
    unit.outbox().publish(&[order]).await?;
    unit.commit().await?;

    // A service runs this as a task, until it is asked to end; it then ends in good order.
    Deliverer::builder(database.webhooks(), sender)
        .user_agent_address("+https://example.com")
        .woken_by(database.events_committed())
        .build()
        .run(tokio::time::sleep(Duration::from_secs(2)))
        .await;
    let page = PageRules::USUAL.page(None, None)?;
    let filter = DeliveryFilter::default();
    let log = database.webhooks().deliveries().page(&scope, subscription.id, &filter, page).await?;
    for LoggedDelivery { delivery, .. } in log.items {
        println!("{} is {:?} after {} attempts", delivery.event_type, delivery.status(), delivery.attempts);
    }
    database.close().await;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "this service has checked its caller by its own means")]
fn scope_of(company: AccountId) -> Scope {
    Scope::granted([company])
}
