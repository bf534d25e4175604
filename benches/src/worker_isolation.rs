//! What a receiver that is silent and one that drips cost 50 healthy ones, through the worker of the library: in a service
//! that publishes in transactions of its own and embeds the deliverer, as `docs/embedding.md` shows it.
//!
//! Phases alternate, since the machine drifts: the healthy ones alone, and beside the two. What counts are medians over
//! the seconds of all phases of a kind, as in [`isolation`](crate::isolation).

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sea_orm::{ConnectOptions, DatabaseConnection};
use svc_core::clock::Clock as _;
use svc_core::event::{Event, EventCatalogue, EventDeclaration, Member};
use svc_core::id::SubscriptionId;
use svc_core::random;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Tenant;
use svc_egress::{EgressConfig, HyperSender};
use svc_storage_seaorm::{Database, Keys, Schema, outbox};
use svc_testkit::hostile::{Certificates, HostileReceiver, Stage, corpus};
use svc_webhooks::management::Webhooks;
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::{CreateRequest, UpdateRequest};
use svc_worker::Deliverer;

use crate::faults::{Engine, Report, progress};
use crate::isolation::compare;
use crate::traffic::{Healthy, Latencies, Published, latencies};

type Failure = Box<dyn Error + Send + Sync>;

const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order")
    .with(&[Member::count("total_cents", "What the order comes to, in cents.")]);
/// Tenants of the service.
const TENANTS: u16 = 5;
/// Healthy receivers of each tenant, each of every order.
const HEALTHY_EACH: u16 = 10;
/// Receivers that never answer, as the corpus names them.
const HOSTILE: [&str; 2] = ["reads the request and says nothing", "drips a header"];
/// Those that do not answer are asked again soon.
const SCHEDULE: RetrySchedule = RetrySchedule::of(&[Duration::from_secs(2); 5]);
/// What arrives later counts as lost.
const PATIENCE: Duration = Duration::from_mins(1);
/// Longer than an attempt, with all that was told before: the next phase begins as the first did.
const QUIET: Duration = Duration::from_secs(12);

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Phases of each kind.
    pub rounds: usize,
    /// Each phase is so long.
    pub span: Duration,
    /// Orders a second; each makes 10 healthy deliveries.
    pub rate: u32,
}

/// Runs it on an empty database.
///
/// # Panics
/// When the service cannot start, publish or switch a subscription.
pub async fn run(engine: Engine, url: &str, plan: Plan) -> Report {
    let mut report = Report::new(format!("isolation by the library's worker on {engine:?}"), 0);
    measure(url, plan, &mut report).await.expect("the service works");
    report
}

async fn measure(url: &str, plan: Plan, report: &mut Report) -> Result<(), Failure> {
    let healthy = Healthy::start().await;
    let stage = Stage {
        tick: Duration::from_secs(1),
        elsewhere: "http://127.0.0.1:9/".to_owned(),
        certificates: Certificates::generate(),
    };
    let mut hostile = Vec::new();
    for behaviour in corpus().into_iter().filter(|one| HOSTILE.contains(&one.name)) {
        hostile.push(HostileReceiver::start(behaviour, &stage).await?);
    }
    assert_eq!(hostile.len(), HOSTILE.len(), "the corpus has both");

    let shop = Shop::open(url).await?;
    for number in 0..TENANTS * HEALTHY_EACH {
        shop.subscribe(&tenant(number), &healthy.url(number)).await?;
    }
    let mut unanswered = Vec::new();
    for (number, receiver) in (0..).zip(&hostile) {
        let one = (tenant(number), shop.subscribe(&tenant(number), &receiver.url_by_address()).await?);
        shop.switch(&one, false).await?;
        unanswered.push(one);
    }
    let delivering = Deliverer::builder(shop.database.webhooks(), Arc::clone(&shop.sender) as _)
        .schedule(SCHEDULE)
        .woken_by(shop.database.events_committed())
        .build()
        .start();

    let (mut alone, mut beside, mut lost) = (Vec::new(), Vec::new(), 0);
    // The first phase warms up, and counts for nothing.
    for phase in 0..=2 * plan.rounds {
        // Each kind comes first and second: the tables grow meanwhile.
        let hostile_too = phase > 0 && (phase.div_ceil(2) + phase) % 2 == 1;
        for one in unanswered.iter().filter(|_| hostile_too) {
            shop.switch(one, true).await?;
        }
        let published = shop.publish(plan).await?;
        let orders: Vec<_> = published.iter().map(|one| one.contact.clone()).collect();
        let told = healthy.told(&orders, HEALTHY_EACH.into(), PATIENCE).await;
        for one in unanswered.iter().filter(|_| hostile_too) {
            shop.switch(one, false).await?;
        }
        tokio::time::sleep(if hostile_too { QUIET } else { Duration::ZERO }).await;
        let Ok(told) = told.map_err(|missing| lost += missing) else { continue };
        let seconds: Vec<_> =
            published.chunks(plan.rate as usize).map(|some| latencies(some, &told)).collect();
        let middle = Latencies::median(&seconds);
        let name = if hostile_too { "beside the two" } else { "alone" };
        progress(&format!("{name:>14}: p50 {:?}, p99 {:?}", middle.p50, middle.p99));
        if phase > 0 {
            if hostile_too { &mut beside } else { &mut alone }.extend(seconds);
        }
    }
    delivering.stop().await;

    report.shown("healthy receivers", TENANTS * HEALTHY_EACH);
    report.shown("healthy deliveries a second", plan.rate * u32::from(HEALTHY_EACH));
    compare(report, &alone, &[("beside a silent one and one that drips", &beside)]);
    report.most("healthy deliveries lost", lost, 0);
    let asked = hostile.iter().map(HostileReceiver::taken).min().unwrap_or_default();
    report.least("requests that each of the two left without an answer", asked, plan.rounds);
    shop.database.close().await;
    Ok(())
}

/// A service with a pool of its own.
struct Shop {
    pool: DatabaseConnection,
    database: Database,
    sender: Arc<HyperSender>,
    webhooks: Webhooks,
}

impl Shop {
    async fn open(url: &str) -> Result<Self, Failure> {
        let mut options = ConnectOptions::new(url.to_owned());
        options.sqlx_logging(false);
        let pool = sea_orm::Database::connect(options).await?;
        let database = Database::from_connection(&pool, Keys::new(1, [7; 32]), Schema::webhooks()).await?;
        database.migrate(SystemClock.now()).await?;
        let exempt = vec!["127.0.0.0/8".parse()?];
        let sender = Arc::new(HyperSender::new(EgressConfig::default().exempt(exempt))?);
        let catalogue = EventCatalogue::new([PLACED])?;
        let webhooks = Webhooks::new(database.webhooks(), Arc::clone(&sender) as _, catalogue);
        Ok(Self { pool, database, sender, webhooks })
    }

    async fn subscribe(&self, tenant: &Tenant, url: &str) -> Result<SubscriptionId, Failure> {
        let request = CreateRequest::new("Receiver", url, [PLACED.name()]);
        Ok(self.webhooks.of(tenant.clone()).subscribe(request).await?.id)
    }

    async fn switch(&self, (tenant, id): &(Tenant, SubscriptionId), active: bool) -> Result<(), Failure> {
        let request = UpdateRequest { active: Some(active), ..UpdateRequest::default() };
        self.webhooks.of(tenant.clone()).change(*id, request).await?;
        Ok(())
    }

    async fn publish(&self, plan: Plan) -> Result<Vec<Published>, Failure> {
        let (start, between) = (Instant::now(), Duration::from_secs(1) / plan.rate);
        let mut published = Vec::new();
        while start.elapsed() < plan.span {
            let number = u32::try_from(published.len())?;
            let due = start + between * number;
            tokio::time::sleep_until(due.into()).await;
            published.push(Published { contact: self.place(number).await?, due });
        }
        Ok(published)
    }

    async fn place(&self, number: u32) -> Result<String, Failure> {
        let order = random::bytes::<16>(&OsRandom).map(|byte| format!("{byte:02x}")).concat();
        let tenant = tenant(u16::try_from(number % u32::from(TENANTS))?);
        let event = Event::new(&PLACED, tenant, &order, SystemClock.now(), &OsRandom);
        let transaction = outbox::begin(&self.pool).await?;
        outbox::publish(&transaction, &[event.with("total_cents", i64::from(number) * 100)]).await?;
        transaction.commit().await?;
        self.database.published();
        Ok(order)
    }
}

fn tenant(number: u16) -> Tenant {
    Tenant::named(format!("customer-{}", number % TENANTS)).expect("visible ASCII")
}
