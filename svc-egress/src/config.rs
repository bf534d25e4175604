//! What an operator can set.

use std::sync::Arc;

use ipnet::IpNet;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, pem};
use rustls::{ClientConfig, RootCertStore};
use thiserror::Error;

use crate::policy::EgressPolicy;

/// Settings of a [`crate::HyperSender`]. The default reaches the public internet only.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EgressConfig {
    /// Blocks that may be reached although they are not public, over http too and on any port.
    pub exempt: Vec<IpNet>,
    /// Ports that public targets may use.
    pub ports: Vec<u16>,
    /// Connections that are kept for more than one exchange, over all hosts, of which one host has half at
    /// most while they are idle. One that is opened while there are so many carries a single exchange.
    pub most_kept: usize,
    /// Certificates to trust beside the public authorities: a company's own, for example.
    pub extra_roots: Vec<CertificateDer<'static>>,
}

impl Default for EgressConfig {
    fn default() -> Self {
        let EgressPolicy { exempt, ports } = EgressPolicy::default();
        Self { exempt, ports, most_kept: 512, extra_roots: Vec::new() }
    }
}

/// Why settings cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The text holds no certificate in PEM form.
    #[error("no PEM certificate found")]
    NoCertificate,
    /// The text is broken PEM.
    #[error("the PEM text is broken")]
    Pem(#[source] pem::Error),
    /// One of the extra roots is no certificate.
    #[error("an extra root certificate cannot be read")]
    Root(#[source] rustls::Error),
}

impl EgressConfig {
    /// With these blocks that may be reached although they are not public.
    #[must_use]
    pub fn exempt(self, exempt: Vec<IpNet>) -> Self {
        Self { exempt, ..self }
    }

    /// With these ports for public targets.
    #[must_use]
    pub fn ports(self, ports: Vec<u16>) -> Self {
        Self { ports, ..self }
    }

    /// With at most so many connections that are kept.
    #[must_use]
    pub fn most_kept(self, most_kept: usize) -> Self {
        Self { most_kept, ..self }
    }

    /// With these certificates beside the public authorities.
    #[must_use]
    pub fn extra_roots(self, extra_roots: Vec<CertificateDer<'static>>) -> Self {
        Self { extra_roots, ..self }
    }

    /// Trusts every certificate of a PEM text in addition.
    ///
    /// # Errors
    /// When the text is broken or holds no certificate; nothing is trusted then.
    pub fn trust_pem(&mut self, text: &[u8]) -> Result<(), ConfigError> {
        let found: Vec<_> =
            CertificateDer::pem_slice_iter(text).collect::<Result<_, _>>().map_err(ConfigError::Pem)?;
        if found.is_empty() {
            return Err(ConfigError::NoCertificate);
        }
        self.extra_roots.extend(found);
        Ok(())
    }

    pub(crate) fn into_parts(self) -> Result<(EgressPolicy, ClientConfig), ConfigError> {
        let Self { exempt, ports, extra_roots, most_kept: _ } = self;
        Ok((EgressPolicy { exempt, ports }, tls(extra_roots)?))
    }
}

/// TLS with aws-lc-rs, named outright: the process may have another default, or none.
fn tls(extra_roots: Vec<CertificateDer<'static>>) -> Result<ClientConfig, ConfigError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for root in extra_roots {
        roots.add(root).map_err(ConfigError::Root)?;
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("aws-lc-rs supports every default version of TLS")
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(tls)
}
