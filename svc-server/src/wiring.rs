//! Ports meet adapters here, and nowhere else.

use std::net::SocketAddr;
use std::sync::Arc;

use svc_auth::authenticate::Authenticator;
use svc_auth::limit::MemoryLimiter;
use svc_core::clock::Clock;
use svc_core::random::RandomSource;
use svc_egress::{EgressConfig, HyperSender};
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::ports::HttpSender;

use crate::config::Settings;
use crate::failure::Failure;
use crate::store::Store;
use crate::system::{OsRandom, SystemClock};

/// Largest JSON body of a request: domain part 1.6.
const MAX_JSON_BYTES: usize = 1024 * 1024;

/// Everything that the API and the workers need.
#[derive(Clone)]
pub(crate) struct Wiring {
    /// The database.
    pub(crate) store: Arc<Store>,
    /// Checks requests.
    pub(crate) authenticator: Arc<Authenticator>,
    /// Sends webhooks.
    pub(crate) sender: Arc<dyn HttpSender>,
    /// How webhooks are attempted.
    pub(crate) attempts: AttemptConfig,
    /// The wall clock.
    pub(crate) clock: Arc<dyn Clock>,
    /// The generator of the operating system.
    pub(crate) random: Arc<dyn RandomSource>,
    http: HttpSettings,
}

/// What the API needs of the settings.
#[derive(Clone)]
struct HttpSettings {
    public_url: String,
    trusted_proxies: Vec<ipnet::IpNet>,
    client_ip_header: String,
    behind_proxy: bool,
}

impl Wiring {
    /// Connects ports and adapters for an API that listens on `bound`.
    pub(crate) fn new(settings: &Settings, store: Arc<Store>, bound: SocketAddr) -> Result<Self, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let public_url = settings.public_url(bound);
        let egress =
            EgressConfig { exempt: settings.webhooks.exempt_targets.clone(), ..EgressConfig::default() };
        let sender = HyperSender::new(egress)
            .map_err(|error| Failure::caused("egress", "webhooks cannot be sent", &error))?;
        let limiter = Arc::new(MemoryLimiter::new(settings.limits));
        let authenticator =
            Authenticator::new(store.database.auth(), limiter, Arc::clone(&clock), store.keys.peppers());
        Ok(Self {
            authenticator: Arc::new(authenticator),
            sender: Arc::new(sender),
            attempts: AttemptConfig::new(
                settings.webhooks.timeout,
                settings.webhooks.schedule,
                public_url.clone(),
            ),
            clock,
            random: Arc::new(OsRandom),
            http: HttpSettings {
                public_url,
                trusted_proxies: settings.trusted_proxies.clone(),
                client_ip_header: settings.client_ip_header.clone(),
                behind_proxy: settings.behind_proxy,
            },
            store,
        })
    }

    /// The API.
    pub(crate) fn router(&self) -> axum::Router {
        let HttpSettings { public_url, trusted_proxies, client_ip_header, behind_proxy } = self.http.clone();
        svc_http::router(svc_http::App {
            business: self.store.database.business(),
            webhooks: self.store.database.webhooks(),
            idempotency: self.store.database.idempotency(),
            authenticator: Arc::clone(&self.authenticator),
            sender: Arc::clone(&self.sender),
            attempts: self.attempts.clone(),
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
            settings: svc_http::Settings {
                public_url,
                trusted_proxies,
                client_ip_header,
                behind_proxy,
                max_json_bytes: MAX_JSON_BYTES,
            },
        })
    }
}
