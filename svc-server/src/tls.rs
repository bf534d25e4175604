//! TLS of the API, from PEM files that may be replaced while the server runs.
//!
//! The files are read at the start, where a fault ends the server, and again
//! on SIGHUP and whenever their content changes. A handshake takes the pair
//! that is in place at that moment, so a connection that is open goes on under
//! the pair that it began with. A pair that cannot be used changes nothing but
//! the log and the metrics.

mod pair;
mod reload;
mod validity;

use std::sync::Arc;

use rustls::ServerConfig;
use svc_core::clock::Clock;
use tokio_rustls::TlsAcceptor;

pub(crate) use self::pair::{Broken, Pair};
pub(crate) use self::reload::{EVERY, Keeper};
use crate::config::PemFiles;
use crate::failure::Failure;

/// Reads certificate and key; answers what handshakes are made with, and the one who keeps it fresh.
/// HTTP/2 and HTTP/1.1 are offered.
pub(crate) fn acceptor(files: &PemFiles, clock: Arc<dyn Clock>) -> Result<(TlsAcceptor, Keeper), Failure> {
    let keeper = Keeper::start(files.clone(), clock)?;
    // Named outright: the process has no default provider that it could rely on.
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("aws-lc-rs supports every default version of TLS")
        .with_no_client_auth()
        .with_cert_resolver(keeper.served());
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok((TlsAcceptor::from(Arc::new(config)), keeper))
}

impl From<Broken> for Failure {
    fn from(broken: Broken) -> Self {
        let hint = format!("{} names a PEM file; certificate and key must belong together", broken.variable);
        Self::new("tls_unusable", broken.to_string()).hint(hint)
    }
}

#[cfg(test)]
mod tests;
