//! Ports meet adapters here, and nowhere else.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use svc_business::catalogue;
use svc_business::mail::Mailer;
use svc_worker::Deliverer;

use svc_auth::authenticate::Authenticator;
use svc_auth::limit::LeasedLimiter;
use svc_auth::oauth::Issuer;
use svc_auth::ports::PasswordHasher;
use svc_auth::session::Lifetime;
use svc_auth::token::Policy;
use svc_core::clock::Clock;
use svc_core::content::ContentStore;
use svc_core::random::RandomSource;
use svc_core::system::{OsRandom, SystemClock};
use svc_egress::{EgressConfig, HyperSender};
use svc_files::Files;
use svc_http::{BlockingHasher, Oauth};
use svc_pades::PlatformSealer;
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::ports::HttpSender;

use crate::budgets::CountedBudgets;
use crate::client_documents::GuardedDocuments;
use svc_web::FirstRun;

use crate::commands::operator::Operator;
use crate::config::{FileSettings, MailSettings, Settings, WebhookSettings};
use crate::failure::Failure;
use crate::metric::DelivererMetrics;
use crate::read_authority::AuthorSights;
use crate::sealer;
use crate::store::Store;

/// Connections to receivers that are kept: half of them, what one host may have, are as many as there are
/// attempts under way.
const MOST_KEPT: usize = 1_024;

/// Everything that the API and the workers need.
#[derive(Clone)]
pub(crate) struct Wiring {
    /// The database.
    pub(crate) store: Arc<Store>,
    /// Validator requests.
    pub(crate) authenticator: Arc<Authenticator>,
    /// Holds this process's share of the budgets.
    pub(crate) limiter: Arc<LeasedLimiter>,
    /// Sends webhooks.
    pub(crate) sender: Arc<dyn HttpSender>,
    /// Sends mail.
    pub(crate) mailer: Arc<dyn Mailer>,
    /// Base of links.
    pub(crate) public_url: String,
    /// How webhooks are attempted.
    pub(crate) attempts: AttemptConfig,
    /// The wall clock.
    pub(crate) clock: Arc<dyn Clock>,
    /// The generator of the operating system.
    pub(crate) random: Arc<dyn RandomSource>,
    /// How long people stay signed in.
    pub(crate) lifetime: Lifetime,
    policy: Policy,
    hasher: Arc<dyn PasswordHasher>,
    pub(crate) oauth: Option<Arc<Oauth>>,
    /// Whose pages may call `/mcp`.
    allowed_origins: Vec<Issuer>,
    http: svc_http::Settings,
    /// The contents of files.
    pub(crate) contents: Arc<dyn ContentStore>,
    /// What signed files are sealed with beside the master key.
    pub(crate) sealer: Option<Arc<PlatformSealer>>,
}

impl Wiring {
    /// Connects ports and adapters for an API that listens on `bound`.
    pub(crate) fn new(settings: &Settings, store: Arc<Store>, bound: SocketAddr) -> Result<Self, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let public_url = settings.public_url(bound);
        let sender = sender(&settings.webhooks)?;
        let oauth = oauth(settings, &public_url, &store)?;
        let budgets = Arc::new(CountedBudgets(store.database.budgets()));
        let limiter = Arc::new(LeasedLimiter::new(budgets, settings.limits));
        let (auth, peppers) = (store.database.auth(), store.keys.peppers());
        let authenticator = Authenticator::new(auth, Arc::clone(&limiter) as _, Arc::clone(&clock), peppers)
            .with_connections(store.database.oauth(), catalogue::roles())
            .with_failures_per_minute(settings.failures_per_minute);
        Ok(Self {
            authenticator: Arc::new(authenticator),
            limiter,
            sender: Arc::new(sender),
            mailer: match &settings.mail {
                MailSettings::Server(mailer) => Arc::clone(mailer) as _,
                MailSettings::Folder(mailer) => Arc::new(mailer.clone()),
            },
            public_url: public_url.clone(),
            attempts: AttemptConfig::new(
                settings.webhooks.timeout,
                settings.webhooks.schedule.clone(),
                public_url.clone(),
            ),
            clock,
            random: Arc::new(OsRandom),
            lifetime: settings.lifetime,
            policy: settings.policy.clone(),
            hasher: Arc::new(BlockingHasher::default()),
            oauth,
            allowed_origins: settings.mcp.allowed_origins.clone(),
            contents: contents(&settings.files)?,
            sealer: settings.seal.as_ref().map(sealer::read).transpose()?.map(Arc::new),
            http: svc_http::Settings::default()
                .max_file_bytes(settings.files.max_bytes)
                .public_url(public_url)
                .trusted_proxies(settings.trusted_proxies.clone())
                .client_ip_header(settings.client_ip_header.clone())
                .forwarded_proto_header(settings.forwarded_proto_header.clone())
                .scanning_key(settings.scanning_key.clone()),
            store,
        })
    }

    /// The operator at work in this process.
    pub(crate) fn operator(&self) -> Operator {
        Operator::with(Arc::clone(&self.store), self.policy.clone(), Arc::clone(&self.hasher))
    }

    /// What sends webhooks, and keeps ended deliveries for so long.
    pub(crate) fn deliverer(&self, keep: Duration) -> Deliverer {
        let database = &self.store.database;
        let events = Arc::new(catalogue::events());
        let readers = AuthorSights::new(database.auth(), events, catalogue::roles(), Arc::clone(&self.clock));
        Deliverer::builder(database.webhooks(), Arc::clone(&self.sender))
            .readers(Arc::new(readers))
            .replays(database.replays())
            .attempts(self.attempts.clone())
            .woken_by(database.events_committed())
            .observed_by(Arc::new(DelivererMetrics))
            .keep(keep)
            .clock(Arc::clone(&self.clock))
            .random(Arc::clone(&self.random))
            .build()
    }

    /// The API, and the client area beside it.
    pub(crate) fn router(&self, first_run: Option<Arc<FirstRun>>) -> axum::Router {
        let app = svc_http::App {
            business: self.store.database.business(),
            webhooks: self.store.database.webhooks(),
            replays: self.store.database.replays(),
            events: Arc::new(catalogue::events()),
            idempotency: self.store.database.idempotency(),
            authenticator: Arc::clone(&self.authenticator),
            auth: self.store.database.auth(),
            sessions: self.store.database.sessions(),
            hasher: Arc::clone(&self.hasher),
            peppers: self.store.keys.peppers(),
            policy: self.policy.clone(),
            lifetime: self.lifetime,
            oauth: self.oauth.clone(),
            contents: Arc::clone(&self.contents),
            ceremony_key: self.store.keys.ceremony_key(),
            audit: self.store.database.audit(),
            audit_keys: self.store.database.audit_keys(),
            sender: Arc::clone(&self.sender),
            attempts: self.attempts.clone(),
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
            settings: self.http.clone(),
        };
        svc_http::router_with(app, |door| {
            let mcp = svc_mcp::routes(&door, &self.allowed_origins);
            let mut pages = match first_run {
                Some(first_run) => svc_web::pages_with(door, first_run),
                None => svc_web::pages(door),
            };
            pages.routes = pages.routes.merge(mcp);
            pages
        })
    }
}

/// Where contents of files are kept.
fn contents(settings: &FileSettings) -> Result<Arc<dyn ContentStore>, Failure> {
    let files = Files::open(&settings.url, Arc::new(SystemClock), Arc::new(OsRandom)).map_err(|error| {
        // The URL is not told: a person who does not know better writes keys into it.
        Failure::caused("files_unusable", "`files.url` cannot be used", &error).hint("set SVC_FILES__URL")
    })?;
    Ok(files.into())
}

/// The authorization server of assistants. It is found at the root of its origin, so there is none where the public URL
/// has a path, or is plain HTTP of another machine.
fn oauth(settings: &Settings, public_url: &str, store: &Store) -> Result<Option<Arc<Oauth>>, Failure> {
    let Ok(issuer) = public_url.parse::<Issuer>() else {
        tracing::info!(public_url, "assistants are not served: `public_url` is no origin of https");
        return Ok(None);
    };
    let config = EgressConfig::default().exempt(settings.mcp.exempt_targets.clone());
    let sender = trusting(config, settings.mcp.extra_roots.as_deref(), "SVC_MCP__EXTRA_ROOTS")?;
    let documents = Arc::new(GuardedDocuments(sender));
    Ok(Some(Arc::new(Oauth::new(issuer, store.database.oauth(), documents))))
}

/// What sends webhooks, with no connection open yet.
pub(crate) fn sender(settings: &WebhookSettings) -> Result<HyperSender, Failure> {
    let config = EgressConfig::default()
        .exempt(settings.exempt_targets.clone())
        .ports(settings.ports.clone())
        .most_kept(MOST_KEPT);
    trusting(config, settings.extra_roots.as_deref(), "SVC_WEBHOOKS__EXTRA_ROOTS")
}

/// A sender that trusts the authorities in this file too, which this variable names.
fn trusting(mut config: EgressConfig, roots: Option<&Path>, variable: &str) -> Result<HyperSender, Failure> {
    if let Some(path) = roots {
        let unusable = |error: &(dyn std::error::Error + 'static)| {
            let what = format!("{} holds no authorities that can be trusted", path.display());
            Failure::caused("extra_roots_unusable", &what, error)
                .hint(format!("{variable} names a PEM file of certificates"))
        };
        let text = std::fs::read(path).map_err(|error| unusable(&error))?;
        config.trust_pem(&text).map_err(|error| unusable(&error))?;
    }
    HyperSender::new(config).map_err(|error| Failure::caused("egress", "requests cannot be sent", &error))
}
