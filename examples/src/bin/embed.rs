//! A service of one's own that sends signed webhooks: storage on SQLite, the
//! delivery rules of svc-webhooks, guarded HTTP by svc-egress.
//!
//! `cargo run -p svc-examples --bin embed -- https://hooks.example.com/mine`

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use svc_core::audit::Actor;
use svc_core::clock::Clock as _;
use svc_core::event::{Event, EventCatalogue, EventDeclaration, Member};
use svc_core::id::{AccountId, TokenId, TypedId as _};
use svc_core::permission::Grants;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::{CallContext, UnitOfWork as _};
use svc_egress::{EgressConfig, HyperSender};
use svc_examples::{SystemRandom, WallClock};
use svc_storage_seaorm::{Database, Keys, Settings};
use svc_webhooks::delivery::{AttemptConfig, attempt_once, dispatch_once};
use svc_webhooks::retry::RetrySchedule;
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
    let keys = Keys::new(1, svc_core::random::bytes(&SystemRandom));
    let database =
        Database::open(&Settings::new(format!("sqlite://{}/mine.db", folder.path().display()), keys)).await?;
    database.migrate(WallClock.now()).await?;
    let sender = Arc::new(HyperSender::new(EgressConfig::default())?);

    // A company subscribes. What needs the network is checked before the unit of work begins.
    let now = WallClock.now();
    let company = AccountId::generate(now, &SystemRandom);
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
        random: &SystemRandom,
    };
    let unit = database.begin().await?;
    let token = TokenId::generate(now, &SystemRandom);
    let subscription = subscription::create(&*unit, call, company, token, draft).await?;
    unit.commit().await?;
    println!("the receiver verifies with {}", subscription.secret.expose());

    // Something changes: the change and its event commit together.
    let now = WallClock.now();
    let unit = database.begin().await?;
    let order = Event::new(&PLACED, company, "1001", now, &SystemRandom).with("total_cents", 4_200);
    unit.outbox().publish(&[order]).await?;
    unit.commit().await?;

    // Two steps that a service repeats in a loop of its own.
    let storage = database.webhooks();
    dispatch_once(&*storage, WallClock.now(), &SystemRandom, 100).await?;
    let config =
        AttemptConfig::new(Duration::from_secs(10), RetrySchedule::STANDARD, "https://example.com".into());
    let report = attempt_once(storage.queue(), &*sender, &WallClock, &config, 100).await?;
    println!("{report:?}");
    database.close().await;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "this service has checked its caller by its own means")]
fn scope_of(company: AccountId) -> Scope {
    Scope::granted([company])
}
