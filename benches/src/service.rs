//! The service as the server wires it, over SQLite, with a token in use.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
use svc_auth::authenticate::Authenticator;
use svc_auth::limit::{LeasedLimiter, Limits};
use svc_auth::session::Lifetime;
use svc_auth::token::{CreateRequest, Pepper, Peppers, Policy, create};
use svc_business::catalogue;
use svc_business::ports::AccountUnit as _;
use svc_core::audit::Actor;
use svc_core::clock::Clock;
use svc_core::id::{AccountId, UserId};
use svc_core::pii::PiiAccess;
use svc_core::role::Role;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::unit::{CallContext, UnitOfWork as _};
use svc_http::server::{self, serve};
use svc_http::{App, BlockingHasher, Settings, router};
use svc_storage_seaorm::Database;
use svc_testkit::audit::noted;
use svc_testkit::business::sample::{bare_account, everything, membership, user};
use svc_testkit::content::MemoryContent;
use svc_testkit::fakes::FakeSender;
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::retry::RetrySchedule;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use crate::sqlite;

/// Budgets that no benchmark uses up; those of the server cost the same arithmetic.
const LIMITS: Limits = Limits { per_minute: u32::MAX, per_month: 1 << 50 };

/// A service with one company and one token.
pub struct Service {
    /// The checks on every request.
    pub authenticator: Arc<Authenticator>,
    /// The whole API.
    pub router: Router,
    /// `Bearer svc_live_…`
    pub authorization: String,
}

impl Service {
    /// Wires one over a new database in a folder.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn start(folder: &Path) -> Self {
        let database = sqlite(folder).await;
        let peppers = Peppers::new(Pepper::new(1, [5; 32]), Vec::new());
        let authorization = token(&database, &peppers, 1, "contacts:contacts.read").await;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let limiter = Arc::new(LeasedLimiter::new(database.budgets(), LIMITS));
        let authenticator =
            Arc::new(Authenticator::new(database.auth(), limiter, Arc::clone(&clock), peppers.clone()));
        let router = router(App {
            business: database.business(),
            webhooks: database.webhooks(),
            replays: database.replays(),
            idempotency: database.idempotency(),
            authenticator: Arc::clone(&authenticator),
            auth: database.auth(),
            sessions: database.sessions(),
            hasher: Arc::new(BlockingHasher::default()),
            peppers,
            policy: Policy::of(catalogue::permissions()),
            events: Arc::new(catalogue::events()),
            lifetime: Lifetime::default(),
            oauth: None,
            contents: Arc::new(MemoryContent::new(Arc::clone(&clock))),
            ceremony_key: svc_testkit::business::envelopes::key(),
            audit: database.audit(),
            audit_keys: database.audit_keys(),
            sender: Arc::new(FakeSender::new()),
            attempts: AttemptConfig::new(
                Duration::from_secs(10),
                RetrySchedule::STANDARD,
                "https://api.example.com".to_owned(),
            ),
            clock,
            random: Arc::new(OsRandom),
            settings: Settings::default(),
        });
        Self { authenticator, router, authorization }
    }
}

/// Serves a router on a free port of this machine for as long as the process lives.
///
/// # Panics
/// When no port is free.
pub async fn served(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("a bound port");
    tokio::spawn(serve(listener, router, server::Limits::default(), std::future::pending()));
    address
}

/// Makes the process write a log and collect metrics as the server does; the lines go nowhere.
///
/// # Panics
/// When it does so already.
pub fn observed() {
    let log = tracing_subscriber::fmt().with_env_filter(EnvFilter::new("info")).with_writer(io::sink);
    log.json().flatten_event(true).init();
    PrometheusBuilder::new()
        .set_buckets_for_metric(
            Matcher::Suffix("_seconds".to_owned()),
            &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0],
        )
        .expect("there are buckets")
        .install_recorder()
        .expect("the first one");
}

/// A company and its holder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Company {
    pub(crate) account: AccountId,
    holder: UserId,
}

/// The company of this number with its holder, and a token of theirs that sees personal data masked: what goes into
/// `Authorization`.
pub(crate) async fn token(database: &Database, peppers: &Peppers, number: u128, permission: &str) -> String {
    let company = company(database, number).await;
    format!("Bearer {}", token_of(database, peppers, company, permission, false).await)
}

/// The company of this number.
pub(crate) async fn company(database: &Database, number: u128) -> Company {
    let (company, holder) = (bare_account(number), user(number, &format!("ana{number}@example.com")));
    let unit = database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &company).await.expect("inserted");
    unit.people().insert_user(&holder).await.expect("inserted");
    let held = membership(number, company.id, holder.id, Role::Holder);
    unit.people().insert_membership(&held).await.expect("inserted");
    noted(&*unit, company.id).await.expect("written down");
    unit.commit().await.expect("committed");
    Company { account: company.id, holder: holder.id }
}

/// A token of a company.
pub(crate) async fn token_of(
    database: &Database,
    peppers: &Peppers,
    company: Company,
    permission: &str,
    personal_data: bool,
) -> String {
    let request = CreateRequest {
        name: "Shop sync".to_owned(),
        permissions: vec![permission.to_owned()],
        personal_data,
        allowed_ips: vec!["127.0.0.0/8".to_owned()],
        expires_at: None,
        primary: company.account,
        companies: Vec::new(),
        groups: Vec::new(),
        creator: Some(company.holder),
    };
    let scope = everything();
    let now = SystemClock.now();
    let call = CallContext {
        scope: &scope,
        access: PiiAccess::Masked,
        actor: &Actor::OPERATOR,
        now,
        random: &OsRandom,
    };
    let unit = database.auth().begin().await.expect("a unit");
    let (_, value) =
        create(&*unit, call, request, peppers, &Policy::of(catalogue::permissions())).await.expect("created");
    unit.commit().await.expect("committed");
    value.expose().to_owned()
}
