//! A certificate chain with its private key, as the files hold them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use secrecy::zeroize::Zeroizing;
use svc_core::clock::Timestamp;

use super::validity;
use crate::config::PemFiles;

/// What both files hold, to tell whether they changed.
#[derive(PartialEq, Eq)]
pub(super) struct Contents {
    chain: Vec<u8>,
    key: Zeroizing<Vec<u8>>,
}

/// A pair that handshakes can be made with.
#[derive(Clone)]
pub(crate) struct Pair {
    /// Chain and key.
    pub(super) key: Arc<CertifiedKey>,
    /// When the certificate ends; `None` when it does not tell in a form known here.
    pub(crate) until: Option<Timestamp>,
}

/// Why a pair cannot be used. The text tells nothing of the key.
#[derive(Debug)]
pub(crate) struct Broken {
    /// The variable that names the file.
    pub(super) variable: &'static str,
    path: PathBuf,
    reason: String,
}

impl Contents {
    pub(super) fn read(files: &PemFiles) -> Result<Self, Broken> {
        let read = |variable, path: &Path| {
            std::fs::read(path).map_err(|error| Broken::new(variable, path, error.to_string()))
        };
        let chain = read(CERT, &files.cert)?;
        Ok(Self { chain, key: Zeroizing::new(read(KEY, &files.key)?) })
    }

    pub(super) fn pair(&self, files: &PemFiles) -> Result<Pair, Broken> {
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.chain)
            .collect::<Result<_, _>>()
            .map_err(|error| Broken::new(CERT, &files.cert, error.to_string()))?;
        let until = match chain.first() {
            Some(leaf) => validity::ends(leaf),
            None => return Err(Broken::new(CERT, &files.cert, "holds no certificate")),
        };
        // Told without the parser's own words, which may quote the file.
        let key = PrivateKeyDer::from_pem_slice(&self.key)
            .map_err(|_| Broken::new(KEY, &files.key, "holds no private key"))?;
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let key = CertifiedKey::from_der(chain, key, &provider)
            .map_err(|error| Broken::new(KEY, &files.key, error.to_string()))?;
        Ok(Pair { key: Arc::new(key), until })
    }
}

const CERT: &str = "SVC_TLS__CERT";
const KEY: &str = "SVC_TLS__KEY";

impl Pair {
    /// Reads the files.
    pub(crate) fn read(files: &PemFiles) -> Result<Self, Broken> {
        Contents::read(files)?.pair(files)
    }

    /// Whether clients refuse the certificate by now.
    pub(crate) fn has_ended(&self, now: Timestamp) -> bool {
        self.until.is_some_and(|until| until < now)
    }
}

impl Broken {
    fn new(variable: &'static str, path: &Path, reason: impl Into<String>) -> Self {
        Self { variable, path: path.to_owned(), reason: reason.into() }
    }

    /// A certificate whose time is over.
    pub(super) fn ended(files: &PemFiles) -> Self {
        Self::new(CERT, &files.cert, "the certificate has expired")
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be used for TLS: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for Broken {}
