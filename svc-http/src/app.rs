//! What the API is wired to.

use std::sync::Arc;

use http::HeaderName;
use ipnet::IpNet;
use svc_auth::authenticate::Authenticator;
use svc_auth::ports::{AuthStorage, PasswordHasher, SessionStorage};
use svc_auth::session::Lifetime;
use svc_auth::token::{Peppers, Policy};
use svc_business::ports::BusinessStorage;
use svc_business::signature::key::CeremonyKey;
use svc_core::audit::{AuditReader, ChainKeys};
use svc_core::clock::Clock;
use svc_core::content::ContentStore;
use svc_core::event::EventCatalogue;
use svc_core::idempotency::IdempotencyStore;
use svc_core::random::RandomSource;
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::ports::{HttpSender, ReplayStorage, WebhookStorage};

use crate::oauth::Oauth;
use crate::scanning::key::ScanningKey;

/// Every port that the API works with, and its settings.
///
/// The replies that [`Self::idempotency`] hands out are kept by units of
/// `business`, `webhooks`, `replays` and `auth`, so the five must share one database.
pub struct App {
    /// Companies, contacts, groups and people.
    pub business: Arc<dyn BusinessStorage>,
    /// Subscriptions and deliveries.
    pub webhooks: Arc<dyn WebhookStorage>,
    /// Replays of them.
    pub replays: Arc<dyn ReplayStorage>,
    /// The events that can be subscribed to.
    pub events: Arc<EventCatalogue>,
    /// Claims of requests that carry an `Idempotency-Key`.
    pub idempotency: Arc<dyn IdempotencyStore>,
    /// The checks on every request.
    pub authenticator: Arc<Authenticator>,
    /// Tokens, for the client area.
    pub auth: Arc<dyn AuthStorage>,
    /// Sessions, passwords and people.
    pub sessions: Arc<dyn SessionStorage>,
    /// Hashes passwords, off the threads that serve requests: see [`crate::BlockingHasher`].
    pub hasher: Arc<dyn PasswordHasher>,
    /// What fingerprints of tokens and sessions are made with.
    pub peppers: Peppers,
    /// What the operator asks of every new token.
    pub policy: Policy,
    /// How long sessions live.
    pub lifetime: Lifetime,
    /// The authorization server of assistants; `None` without.
    pub oauth: Option<Arc<Oauth>>,
    /// The contents of files.
    pub contents: Arc<dyn ContentStore>,
    /// What the links of people who sign are made with.
    pub ceremony_key: CeremonyKey,
    /// Reads the audit log.
    pub audit: Arc<dyn AuditReader>,
    /// What its records are sealed with, to verify them.
    pub audit_keys: ChainKeys,
    /// Judges the URLs of subscriptions, and sends test events.
    pub sender: Arc<dyn HttpSender>,
    /// How test events are sent.
    pub attempts: AttemptConfig,
    /// Tells the instant of each request.
    pub clock: Arc<dyn Clock>,
    /// Where new ids and secrets come from.
    pub random: Arc<dyn RandomSource>,
    /// What an operator may choose.
    pub settings: Settings,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// What an operator may choose about the API.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Base of links, without a slash at the end: `https://api.example.com`. Its path, if it has one, is the prefix
    /// below which the router is mounted: `https://shop.example/admin`.
    pub public_url: String,
    /// Proxies whose forwarding headers are believed; those of others are not looked at.
    pub trusted_proxies: Vec<IpNet>,
    /// The one header in which they name the client, in the form of `X-Forwarded-For`.
    pub client_ip_header: HeaderName,
    /// The one header in which they say `https` when the client came over TLS.
    pub forwarded_proto_header: HeaderName,
    /// Largest JSON body, in bytes.
    pub max_json_bytes: usize,
    /// Largest file, in bytes.
    pub max_file_bytes: u64,
    /// What secret scanners sign their reports with; `None` takes no reports.
    pub scanning_key: Option<ScanningKey>,
}

impl Settings {
    /// With links that begin so.
    #[must_use]
    pub fn public_url(self, public_url: impl Into<String>) -> Self {
        Self { public_url: public_url.into(), ..self }
    }

    /// With these proxies, whose forwarding headers are believed.
    #[must_use]
    pub fn trusted_proxies(self, trusted_proxies: Vec<IpNet>) -> Self {
        Self { trusted_proxies, ..self }
    }

    /// With this header, in which they name the client.
    #[must_use]
    pub fn client_ip_header(self, client_ip_header: HeaderName) -> Self {
        Self { client_ip_header, ..self }
    }

    /// With this header, in which they name the scheme.
    #[must_use]
    pub fn forwarded_proto_header(self, forwarded_proto_header: HeaderName) -> Self {
        Self { forwarded_proto_header, ..self }
    }

    /// With JSON bodies of at most so many bytes.
    #[must_use]
    pub fn max_json_bytes(self, max_json_bytes: usize) -> Self {
        Self { max_json_bytes, ..self }
    }

    /// With files of at most so many bytes.
    #[must_use]
    pub fn max_file_bytes(self, max_file_bytes: u64) -> Self {
        Self { max_file_bytes, ..self }
    }

    /// With this key of secret scanners, whose reports are taken then.
    #[must_use]
    pub fn scanning_key(self, scanning_key: Option<ScanningKey>) -> Self {
        Self { scanning_key, ..self }
    }

    /// The path below which the API is mounted, without a slash at its end; empty at the root.
    #[must_use]
    pub fn prefix(&self) -> &str {
        let after_scheme = self.public_url.split_once("://").map_or("", |(_, rest)| rest);
        let path = after_scheme.find('/').and_then(|at| after_scheme.get(at..));
        path.unwrap_or_default().trim_end_matches('/')
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            public_url: "http://127.0.0.1:8080".to_owned(),
            trusted_proxies: Vec::new(),
            client_ip_header: HeaderName::from_static("x-forwarded-for"),
            forwarded_proto_header: HeaderName::from_static("x-forwarded-proto"),
            max_json_bytes: 1024 * 1024,
            max_file_bytes: 25 * 1024 * 1024,
            scanning_key: None,
        }
    }
}
