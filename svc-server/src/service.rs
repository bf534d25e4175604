//! The running service: API, workers and admin port, from start to a clean end.
//!
//! Shutdown: the API stops accepting and finishes its requests, the workers
//! finish their attempts, and only then the admin port and the database
//! close. A part that ends on its own, by a panic above all, takes the whole
//! process down with a message: half a service that looks alive is worse.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use svc_business::job::JobKind;
use svc_core::error::chain;

use metrics_exporter_prometheus::PrometheusHandle;
use svc_auth::authenticate::Authenticator;
use svc_auth::limit::LeasedLimiter;
use svc_core::system::OsRandom;
use svc_http::Oauth;
use svc_http::server::{self, Ended, Limits};
use svc_web::FirstRun;
use tokio::net::TcpListener;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::admin_port::{self, Health};
use crate::admin_socket::{self, AdminSocket, Opened};
use crate::config::{DatabaseUrl, Settings};
use crate::failure::Failure;
use crate::first_run;

use crate::notice_folder::NoticeFolder;
use crate::store::{Schema, Store};
use crate::tls;
use crate::wiring::Wiring;
use crate::workers;

/// Longest time from the wish to end to the end.
const LONGEST_SHUTDOWN: Duration = Duration::from_secs(25);
/// For requests of the API that are under way then.
const REQUEST_GRACE: Duration = Duration::from_secs(20);
/// The same for ports of this machine only, where nothing takes long.
const LOCAL_GRACE: Duration = Duration::from_secs(1);

/// What this process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Roles {
    /// Everything.
    All,
    /// The API without sending webhooks.
    ApiOnly,
    /// Sending webhooks without the API.
    DispatchOnly,
}

impl Roles {
    fn has_api(self) -> bool {
        matches!(self, Self::All | Self::ApiOnly)
    }

    fn dispatches(self) -> bool {
        matches!(self, Self::All | Self::DispatchOnly)
    }
}

/// A service that runs.
pub(crate) struct Service {
    /// Where the API listens; `None` without one.
    pub(crate) api: Option<SocketAddr>,
    /// The path of the page that founds the first company, where there is none yet: a secret.
    pub(crate) first_run: Option<String>,
    /// Where metrics and health checks are.
    pub(crate) admin: SocketAddr,
    parts: Parts,
    asked: CancellationToken,
    admin_asked: CancellationToken,
    store: Arc<Store>,
    limiter: Arc<LeasedLimiter>,
    authenticator: Arc<Authenticator>,
    oauth: Option<Arc<Oauth>>,
}

impl Service {
    /// Binds the ports, brings the schema up to date and starts every part.
    pub(crate) async fn start(
        settings: &Settings,
        roles: Roles,
        metrics: PrometheusHandle,
    ) -> Result<Self, Failure> {
        let api = if roles.has_api() {
            settings.may_serve()?;
            Some(bind("listen", settings.listen).await?)
        } else {
            None
        };
        let admin_port = bind("admin_listen", settings.admin_listen).await?;
        let store = Arc::new(open(settings).await?);
        // On a large database it takes a while, and the start does not wait for it.
        tokio::spawn(warn_of_missing_keys(Arc::clone(&store)));
        let asked = CancellationToken::new();
        let admin_asked = CancellationToken::new();

        let bound = api.as_ref().map(address).transpose()?;
        let wiring = Wiring::new(settings, Arc::clone(&store), bound.unwrap_or(settings.listen))?;
        let mut parts = Parts::default();
        let first_run = first_run(&wiring).await.filter(|_| api.is_some());
        let first_run_path = first_run.as_ref().map(|run| run.path());
        if let Some(listener) = api {
            let tls = match &settings.tls {
                None => None,
                Some(files) => {
                    let (acceptor, keeper) = tls::acceptor(files, Arc::clone(&wiring.clock))?;
                    parts.start("the keeper of TLS files", keeper.run(tls::EVERY, asked.clone()));
                    Some(acceptor)
                }
            };
            let limits = Limits::default().grace(REQUEST_GRACE).proxies(settings.trusted_proxies.clone());
            parts.start("the API", serve_api(listener, wiring.router(first_run), tls, limits, asked.clone()));
            parts.start("the keeper of tokens", workers::authority::run(wiring.clone(), asked.clone()));
        }
        if roles.dispatches() {
            let (deliverer, end) = (wiring.deliverer(settings.webhooks.keep), asked.clone());
            parts.start("the deliverer", async move { deliverer.run(end.cancelled()).await });
            parts.start("the cleaner", workers::cleaner::run(wiring.clone(), asked.clone()));
            if let Some(folder) = settings.notices.clone() {
                let run = workers::notices::run(wiring.clone(), NoticeFolder::new(folder), asked.clone());
                parts.start("the folder of notices", run);
            }
            for kind in JobKind::ALL {
                parts.start(kind.name(), workers::jobs::run(wiring.clone(), kind, asked.clone()));
            }
        }
        if let DatabaseUrl::Sqlite(path) = &settings.database {
            match AdminSocket::bind(path) {
                Ok(socket) => {
                    let serve = admin_socket::serve(socket, wiring.clone(), asked.clone());
                    parts.start("the admin socket", serve);
                }
                // What the server is there for works without.
                Err(error) => tracing::warn!(
                    "commands that change something are refused while this server runs: {}",
                    chain(&error)
                ),
            }
        }
        parts.start("the metrics", workers::upkeep(metrics.clone(), asked.clone()));

        let admin = address(&admin_port)?;
        let (limiter, oauth) = (Arc::clone(&wiring.limiter), wiring.oauth.clone());
        let authenticator = Arc::clone(&wiring.authenticator);
        let health = Health { store: Arc::clone(&store), metrics, clock: wiring.clock, asked: asked.clone() };
        parts.admin.spawn(serve(admin_port, admin_port::router(health), admin_asked.clone()));
        Ok(Self {
            api: bound,
            first_run: first_run_path,
            admin,
            parts,
            asked,
            admin_asked,
            store,
            limiter,
            authenticator,
            oauth,
        })
    }

    /// What the service keeps.
    pub(crate) fn store(&self) -> Arc<Store> {
        Arc::clone(&self.store)
    }

    /// Runs until `end` comes, then ends in good order.
    pub(crate) async fn run_until<T>(mut self, end: impl Future<Output = T>) -> Result<T, Failure> {
        let outcome = tokio::select! {
            value = end => Ok(value),
            failure = self.parts.first_to_end() => Err(failure),
        };
        self.asked.cancel();
        let ended = timeout(LONGEST_SHUTDOWN, self.parts.all_ended()).await;
        if ended.is_err() {
            tracing::warn!("some parts did not end in time and were stopped");
        }
        // Only now does no part call or draw any more.
        workers::authority::write_calls(self.oauth.as_deref()).await;
        workers::authority::write_remaining_uses(&self.store, &self.authenticator).await;
        if let Err(error) = self.limiter.give_back().await {
            tracing::warn!("unused budgets cannot be given back: {}", chain(&error));
        }
        self.admin_asked.cancel();
        self.parts.stop().await;
        self.store.database.close().await;
        outcome
    }
}

/// The tasks of the service by their names.
#[derive(Default)]
struct Parts {
    tasks: JoinSet<()>,
    names: HashMap<Id, &'static str>,
    admin: JoinSet<()>,
}

impl Parts {
    fn start(&mut self, name: &'static str, part: impl Future<Output = ()> + Send + 'static) {
        let handle = self.tasks.spawn(part);
        self.names.insert(handle.id(), name);
    }

    /// The part that ended without being asked to, as a failure.
    async fn first_to_end(&mut self) -> Failure {
        let name = tokio::select! {
            Some(ended) = self.tasks.join_next_with_id() => self.name(id_of(&ended)),
            Some(_) = self.admin.join_next() => "the admin port",
            else => "everything",
        };
        Failure::new("part_stopped", format!("{name} stopped unexpectedly"))
            .hint("the log tells where; nothing that was committed is lost, start the server again")
    }

    /// Waits for every part but the admin port.
    async fn all_ended(&mut self) {
        while let Some(ended) = self.tasks.join_next_with_id().await {
            if ended.is_err() {
                tracing::error!(part = self.name(id_of(&ended)), "panicked while it ended");
            }
        }
    }

    /// Stops whatever still runs.
    async fn stop(&mut self) {
        self.tasks.shutdown().await;
        // The admin port was asked to end; a scraper that holds on is cut off.
        let ended =
            timeout(Duration::from_secs(1), async { while self.admin.join_next().await.is_some() {} });
        if ended.await.is_err() {
            self.admin.shutdown().await;
        }
    }

    fn name(&self, id: Id) -> &'static str {
        self.names.get(&id).copied().unwrap_or("a part of the server")
    }
}

fn id_of(ended: &Result<(Id, ()), JoinError>) -> Id {
    match ended {
        Ok((id, ())) => *id,
        Err(error) => error.id(),
    }
}

/// Opens the database, unless a running server has it.
async fn open(settings: &Settings) -> Result<Store, Failure> {
    match admin_socket::open(settings, Schema::Migrate).await? {
        Opened::Here(store) => Ok(store),
        Opened::ByServer { taken, .. } => Err(taken),
    }
}

/// A server without a company refuses every request, which may also mean that it has the wrong database.
/// The right to found the first company, where there is none yet.
async fn first_run(wiring: &Wiring) -> Option<Arc<FirstRun>> {
    match first_run::is_open(&wiring.store).await {
        Ok(true) => {
            tracing::warn!(
                "there is no company yet: found one in a browser by the link that the API prints at its start, or with \
                 `svc-server bootstrap --legal-name NAME --email ADDRESS`, in this folder or with the same settings"
            );
            Some(Arc::new(FirstRun::new(Arc::new(wiring.clone()), &OsRandom)))
        }
        Ok(false) => None,
        Err(error) => {
            tracing::debug!("whether there is a company is not known: {}", chain(&error));
            None
        }
    }
}

/// Tokens and secrets of a key that is not there fail one by one: better said at the start.
async fn warn_of_missing_keys(store: Arc<Store>) {
    match store.missing_keys().await {
        Ok(missing) if missing.is_empty() => {}
        Ok(missing) => tracing::warn!(
            ?missing,
            "what is stored needs master keys that are not listed in SVC_MASTER_KEYS_OLD"
        ),
        Err(error) => tracing::debug!("what needs which master key is not known: {}", chain(&error)),
    }
}

/// Serves the API, over TLS when the server does it itself.
async fn serve_api(
    listener: TcpListener,
    router: axum::Router,
    tls: Option<TlsAcceptor>,
    limits: Limits,
    asked: CancellationToken,
) {
    let ended = match tls {
        None => server::serve(listener, router, limits, asked.cancelled()).await,
        Some(tls) => {
            let handshake = move |stream| {
                let tls = tls.clone();
                async move { tls.accept(stream).await }
            };
            server::serve_tls(listener, router, limits, asked.cancelled(), handshake).await
        }
    };
    match ended {
        Ended::Drained => {}
        Ended::Cut => tracing::warn!("requests did not end in time and were cut"),
    }
}

/// Serves plain HTTP on a port of this machine until shutdown is asked for.
pub(crate) async fn serve(listener: TcpListener, router: axum::Router, asked: CancellationToken) {
    let limits = Limits::default().grace(LOCAL_GRACE);
    server::serve(listener, router, limits, asked.cancelled()).await;
}

/// Binds a port, and names the setting when that fails.
pub(crate) async fn bind(setting: &str, wanted: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(wanted).await.map_err(|error| {
        let failure = Failure::caused("port_taken", &format!("`{setting}` cannot be {wanted}"), &error);
        failure.hint(format!(
            "stop what uses the port, or choose another one with SVC_{}",
            setting.to_uppercase()
        ))
    })
}

/// The address that a port was bound to.
pub(crate) fn address(listener: &TcpListener) -> Result<SocketAddr, Failure> {
    listener
        .local_addr()
        .map_err(|error| Failure::caused("port_unknown", "the bound port cannot be read", &error))
}
