//! TLS of the API, from PEM files.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use crate::config::TlsFiles;
use crate::failure::Failure;

/// Reads certificate and key; HTTP/2 and HTTP/1.1 are offered.
pub(crate) fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, Failure> {
    let chain: Vec<_> = CertificateDer::pem_file_iter(&files.cert)
        .and_then(Iterator::collect)
        .map_err(|error| unusable("SVC_TLS__CERT", &files.cert, &error))?;
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| unusable("SVC_TLS__KEY", &files.key, &error))?;
    // Named outright: the process has no default provider that it could rely on.
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("aws-lc-rs supports every default version of TLS")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| unusable("SVC_TLS__CERT", &files.cert, &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn unusable(variable: &str, path: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::caused("tls_unusable", &format!("{} cannot be used for TLS", path.display()), error)
        .hint(format!("{variable} names a PEM file; certificate and key must belong together"))
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::ServerName;
    use rustls::{ClientConfig, RootCertStore};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio_rustls::TlsConnector;

    use super::*;

    fn files(folder: &Path) -> (TlsFiles, CertificateDer<'static>) {
        let made = rcgen::generate_simple_self_signed(["svc.example.com".to_owned()]).expect("a certificate");
        let files = TlsFiles { cert: folder.join("cert.pem"), key: folder.join("key.pem") };
        std::fs::write(&files.cert, made.cert.pem()).expect("written");
        std::fs::write(&files.key, made.signing_key.serialize_pem()).expect("written");
        (files, made.cert.der().clone())
    }

    fn client(root: CertificateDer<'static>) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        roots.add(root).expect("a certificate");
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("supported")
            .with_root_certificates(roots)
            .with_no_client_auth();
        TlsConnector::from(Arc::new(config))
    }

    #[tokio::test]
    async fn a_client_that_trusts_the_certificate_is_served() {
        let folder = tempfile::tempdir().expect("a folder");
        let (files, root) = files(folder.path());
        let acceptor = acceptor(&files).expect("usable");
        let (near, far) = tokio::io::duplex(16 * 1024);
        let name = ServerName::try_from("svc.example.com").expect("a name");
        let (served, connected) =
            tokio::join!(acceptor.accept(far), async { client(root).connect(name, near).await });
        let (mut served, mut connected) = (served.expect("accepted"), connected.expect("connected"));
        connected.write_all(b"hello").await.expect("sent");
        connected.flush().await.expect("sent");
        let mut heard = [0; 5];
        served.read_exact(&mut heard).await.expect("received");
        assert_eq!(&heard, b"hello");
    }

    #[test]
    fn a_key_of_another_certificate_and_a_missing_file_are_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mine, _) = files(folder.path());
        let other = tempfile::tempdir().expect("a folder");
        let (theirs, _) = files(other.path());
        let mixed = TlsFiles { cert: mine.cert.clone(), key: theirs.key };
        assert_eq!(acceptor(&mixed).err().map(|failure| failure.code()), Some("tls_unusable"));
        let missing = TlsFiles { cert: mine.cert, key: folder.path().join("none.pem") };
        let failure = acceptor(&missing).err().expect("refused");
        assert!(failure.message().contains("none.pem"), "{failure}");
    }
}
