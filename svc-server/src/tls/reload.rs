//! Puts a new pair in the place of the old one.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use svc_core::clock::Clock;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::sleep;

use super::pair::{Broken, Contents, Pair};
use crate::config::PemFiles;
use crate::metric;
use tokio_util::sync::CancellationToken;

/// How often the files are looked at.
pub(crate) const EVERY: Duration = Duration::from_secs(10);

/// The pair in place, asked at every handshake.
pub(super) struct Served(RwLock<Arc<CertifiedKey>>);

/// Looks at the files and puts what they hold in place.
pub(crate) struct Keeper {
    files: PemFiles,
    clock: Arc<dyn Clock>,
    served: Arc<Served>,
    seen: Contents,
    /// What is wrong with the files at present, told once.
    trouble: Option<String>,
}

/// Why the files are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It was time to.
    Time,
    /// The operator asked with a signal, and reads the result in the log.
    Signal,
}

/// What a look led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    /// Nothing new.
    Same,
    /// Handshakes take the new pair from now on.
    Replaced,
    /// The files cannot be used; the pair before stays.
    Kept,
}

impl Keeper {
    /// Reads the files for the first time.
    pub(super) fn start(files: PemFiles, clock: Arc<dyn Clock>) -> Result<Self, Broken> {
        let seen = Contents::read(&files)?;
        let pair = seen.pair(&files)?;
        if pair.has_ended(clock.now()) {
            tracing::warn!(cert = %files.cert.display(), "the certificate has expired: clients will refuse it");
        }
        metric::tls_certificate(pair.until);
        metric::tls_trouble(false);
        let served = Arc::new(Served(RwLock::new(pair.key)));
        Ok(Self { files, clock, served, seen, trouble: None })
    }

    pub(super) fn served(&self) -> Arc<Served> {
        Arc::clone(&self.served)
    }

    /// Looks again and again until shutdown.
    pub(crate) async fn run(mut self, every: Duration, asked: CancellationToken) {
        let mut hangups = signal(SignalKind::hangup())
            .inspect_err(|error| tracing::warn!(%error, "SIGHUP cannot be watched: new TLS files are found by looking"))
            .ok();
        loop {
            let hangup = async {
                match &mut hangups {
                    Some(hangups) => hangups.recv().await,
                    None => std::future::pending().await,
                }
            };
            let cause = tokio::select! {
                () = asked.cancelled() => return,
                _ = hangup => Cause::Signal,
                () = sleep(every) => Cause::Time,
            };
            // Reading may block, on a network's file system above all.
            let looked = tokio::task::spawn_blocking(move || {
                self.look(cause);
                self
            });
            match looked.await {
                Ok(keeper) => self = keeper,
                // The runtime is ending, or a panic was logged by the hook.
                Err(_) => return,
            }
        }
    }

    /// Looks once.
    pub(super) fn look(&mut self, cause: Cause) -> Looked {
        match self.fresh(cause) {
            Ok(None) => {
                self.trouble = None;
                metric::tls_trouble(false);
                Looked::Same
            }
            Ok(Some(pair)) => {
                let until = pair.until.map(|until| until.to_string());
                tracing::info!(?cause, until, "new TLS files are in use");
                metric::tls_certificate(pair.until);
                metric::tls_reloaded();
                metric::tls_trouble(false);
                *self.served.0.write().unwrap_or_else(PoisonError::into_inner) = pair.key;
                self.trouble = None;
                Looked::Replaced
            }
            Err(broken) => {
                let text = broken.to_string();
                if cause == Cause::Signal || self.trouble.as_ref() != Some(&text) {
                    tracing::error!(?cause, "the TLS certificate stays as it was: {text}");
                }
                metric::tls_trouble(true);
                self.trouble = Some(text);
                Looked::Kept
            }
        }
    }

    /// The pair that the files hold, when it is another one than before.
    fn fresh(&mut self, cause: Cause) -> Result<Option<Pair>, Broken> {
        let found = Contents::read(&self.files)?;
        if found == self.seen && cause == Cause::Time {
            return Ok(None);
        }
        let pair = found.pair(&self.files)?;
        if pair.has_ended(self.clock.now()) {
            return Err(Broken::ended(&self.files));
        }
        // Only what works is remembered, so that going back to it is nothing new.
        self.seen = found;
        Ok(Some(pair))
    }
}

impl ResolvesServerCert for Served {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl std::fmt::Debug for Served {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Served").finish_non_exhaustive()
    }
}
