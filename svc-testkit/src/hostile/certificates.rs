//! Certificates, good and bad, made anew for each run.

use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use super::Certificate;

/// The host of every hostile receiver; a resolver must answer 127.0.0.1 for it.
pub const HOST: &str = "hostile.test";

/// What the receivers show in handshakes.
#[derive(Clone)]
pub struct Certificates {
    good: Shown,
    unknown: Shown,
    other_host: Shown,
    expired: Shown,
}

#[derive(Clone)]
struct Shown {
    certificate: CertificateDer<'static>,
    acceptor: TlsAcceptor,
}

impl Certificates {
    /// New ones.
    #[must_use]
    pub fn generate() -> Self {
        let mut expired = params(HOST);
        expired.not_before = date_time_ymd(2020, 1, 1);
        expired.not_after = date_time_ymd(2020, 12, 31);
        Self {
            good: Shown::new(&params(HOST)),
            unknown: Shown::new(&params(HOST)),
            other_host: Shown::new(&params("other.test")),
            expired: Shown::new(&expired),
        }
    }

    /// What to trust for the corpus: all but the one of an unknown authority, so that
    /// nothing but its one fault speaks against each.
    #[must_use]
    pub fn roots(&self) -> Vec<CertificateDer<'static>> {
        [&self.good, &self.other_host, &self.expired].map(|shown| shown.certificate.clone()).to_vec()
    }

    pub(super) fn acceptor(&self, certificate: Certificate) -> TlsAcceptor {
        let shown = match certificate {
            Certificate::Good => &self.good,
            Certificate::Unknown => &self.unknown,
            Certificate::OtherHost => &self.other_host,
            Certificate::Expired => &self.expired,
        };
        shown.acceptor.clone()
    }
}

impl std::fmt::Debug for Certificates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certificates").finish_non_exhaustive()
    }
}

fn params(host: &str) -> CertificateParams {
    CertificateParams::new([host.to_owned()]).expect("a host name")
}

impl Shown {
    fn new(params: &CertificateParams) -> Self {
        let key = KeyPair::generate().expect("a key");
        let cert = params.self_signed(&key).expect("a certificate");
        let certificate = cert.der().clone();
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("aws-lc-rs supports every default version of TLS")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], key)
            .expect("a certificate and its key");
        Self { certificate, acceptor: TlsAcceptor::from(Arc::new(config)) }
    }
}
