//! Whom the client of S3 trusts.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use crate::files::OpenError;

/// Trust in the roots of browsers, and in the certificates of this file in PEM.
pub(super) fn config(bundle: Option<&Path>) -> Result<ClientConfig, OpenError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = bundle {
        let unread = || OpenError::Address(format!("AWS_CA_BUNDLE={} is no file in PEM", path.display()));
        for certificate in CertificateDer::pem_file_iter(path).map_err(|_| unread())? {
            roots.add(certificate.map_err(|_| unread())?).map_err(|_| unread())?;
        }
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| OpenError::Setup(error.into()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
