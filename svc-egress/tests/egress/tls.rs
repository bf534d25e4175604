//! Certificates, names and failures of TLS.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::pki_types::PrivateKeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use svc_egress::{CertificateDer, ConfigError, EgressConfig, HyperSender};
use svc_webhooks::ports::{Outgoing, SendError};
use tokio::io::AsyncWriteExt;
use tokio::time;
use tokio_rustls::TlsAcceptor;

use crate::support::{AMPLE, FakeDns, Outcome, Receiver, exempt_loopback, post, post_within, read_request};

/// A TLS receiver with a certificate of its own for `hooks.test`.
struct TlsReceiver {
    receiver: Receiver,
    certificate: CertificateDer<'static>,
    pem: String,
    /// The names that clients asked for (SNI).
    asked_for: Arc<Mutex<Vec<Option<String>>>>,
}

/// How a receiver treats its clients.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Answers,
    /// They must show a certificate of their own.
    AsksForCertificates,
    /// Nothing that they send is read.
    ReadsNothing,
}

impl TlsReceiver {
    async fn start() -> Self {
        Self::start_with(Manner::Answers).await
    }

    async fn start_with(manner: Manner) -> Self {
        let made = rcgen::generate_simple_self_signed(["hooks.test".to_owned()]).unwrap();
        let certificate = made.cert.der().clone();
        let pem = made.cert.pem();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).unwrap();
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        let verifier = match manner {
            Manner::AsksForCertificates => clients.build().unwrap(),
            Manner::Answers | Manner::ReadsNothing => WebPkiClientVerifier::no_client_auth(),
        };
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![certificate.clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let asked_for = Arc::new(Mutex::new(Vec::new()));
        let names = Arc::clone(&asked_for);
        let receiver = Receiver::start(move |stream| {
            let (acceptor, names) = (acceptor.clone(), Arc::clone(&names));
            async move {
                let mut stream = match acceptor.accept(stream).into_fallible().await {
                    Ok(stream) => stream,
                    Err((error, mut stream)) => {
                        // Closing at once could destroy the alert on its way to the client.
                        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
                        return Err(error);
                    }
                };
                names.lock().unwrap().push(stream.get_ref().1.server_name().map(str::to_owned));
                if manner == Manner::ReadsNothing {
                    std::future::pending::<()>().await;
                }
                loop {
                    read_request(&mut stream).await?;
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await?;
                    stream.flush().await?;
                }
            }
        })
        .await;
        Self { receiver, certificate, pem, asked_for }
    }

    fn url(&self, name: &str) -> String {
        format!("https://{name}:{}/", self.receiver.address.port())
    }

    fn trusted(&self) -> EgressConfig {
        exempt_loopback().extra_roots(vec![self.certificate.clone()])
    }
}

fn sender(config: EgressConfig, name: &str) -> HyperSender {
    HyperSender::with_resolver(config, FakeDns::with(name, &[&["127.0.0.1"]])).unwrap()
}

#[tokio::test]
async fn an_extra_root_is_trusted_and_the_name_of_the_url_is_asked_for() {
    let server = TlsReceiver::start().await;

    for host in ["hooks.test", "hooks.test."] {
        let answer = sender(server.trusted(), "hooks.test").outcome(post(&server.url(host))).await.unwrap();
        assert_eq!((answer.status, answer.body.as_ref()), (200, b"ok".as_ref()));
    }

    assert_eq!(
        *server.asked_for.lock().unwrap(),
        [Some("hooks.test".to_owned()), Some("hooks.test".to_owned())]
    );
}

#[tokio::test]
async fn a_certificate_of_an_unknown_authority_is_a_tls_failure_even_for_exempt_targets() {
    let server = TlsReceiver::start().await;

    let outcome = sender(exempt_loopback(), "hooks.test").outcome(post(&server.url("hooks.test"))).await;

    assert!(matches!(outcome, Err(SendError::Tls(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_a_tls_failure() {
    let server = TlsReceiver::start().await;

    let by_name = sender(server.trusted(), "other.test").outcome(post(&server.url("other.test"))).await;
    let by_address = sender(server.trusted(), "other.test").outcome(post(&server.url("127.0.0.1"))).await;

    assert!(matches!(by_name, Err(SendError::Tls(_))), "{by_name:?}");
    assert!(matches!(by_address, Err(SendError::Tls(_))), "{by_address:?}");
}

#[tokio::test]
async fn a_server_that_wants_a_client_certificate_is_a_tls_failure() {
    // In TLS 1.3 the handshake is over for the client before the server objects.
    let server = TlsReceiver::start_with(Manner::AsksForCertificates).await;

    let outcome = sender(server.trusted(), "hooks.test").outcome(post(&server.url("hooks.test"))).await;

    assert!(matches!(outcome, Err(SendError::Tls(_))), "{outcome:?}");
}

#[tokio::test]
async fn https_to_a_server_without_tls_is_a_tls_failure() {
    let receiver = Receiver::start(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await?;
        std::future::pending::<io::Result<()>>().await
    })
    .await;
    let url = format!("https://hooks.test:{}/", receiver.address.port());

    let outcome = sender(exempt_loopback(), "hooks.test").outcome(post(&url)).await;

    assert!(matches!(outcome, Err(SendError::Tls(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_handshake_that_stalls_ends_with_the_deadline() {
    let receiver = Receiver::start(|stream| async move {
        let _open = stream;
        std::future::pending::<io::Result<()>>().await
    })
    .await;
    let url = format!("https://hooks.test:{}/", receiver.address.port());

    let outcome = sender(exempt_loopback(), "hooks.test").outcome(post_within(&url, 200)).await;

    assert_eq!(outcome, Err(SendError::Timeout));
}

#[tokio::test]
async fn roots_can_be_read_from_pem() {
    let server = TlsReceiver::start().await;
    let mut config = exempt_loopback();

    config.trust_pem(server.pem.as_bytes()).unwrap();

    let answer = sender(config, "hooks.test").outcome(post(&server.url("hooks.test"))).await;
    assert_eq!(answer.map(|answer| answer.status), Ok(200));
}

#[test]
fn roots_that_cannot_be_read_are_named_at_once() {
    let mut config = EgressConfig::default();
    assert!(matches!(config.trust_pem(b"no certificate"), Err(ConfigError::NoCertificate)));
    assert!(matches!(config.trust_pem(b"-----BEGIN CERTIFICATE-----\nAAAA"), Err(ConfigError::Pem(_))));

    let extra_roots = vec![CertificateDer::from(b"junk".to_vec())];
    let refused = HyperSender::new(EgressConfig::default().extra_roots(extra_roots));
    assert!(matches!(refused, Err(ConfigError::Root(_))));
}

#[tokio::test]
async fn an_exchange_ends_when_nothing_of_the_request_leaves() {
    let server = TlsReceiver::start_with(Manner::ReadsNothing).await;
    let sender = sender(server.trusted(), "hooks.test");
    // More than both sides of a connection have room for.
    let large = Outgoing {
        body: vec![b'x'; 64 << 20].into(),
        timeout: Duration::from_hours(1),
        ..post(&server.url("hooks.test"))
    };

    let sending = tokio::spawn(async move { sender.outcome(large).await });
    while server.asked_for.lock().unwrap().is_empty() {
        time::sleep(Duration::from_millis(10)).await;
    }
    // As much leaves as there is room for, then the clock goes on by more than a stall may take.
    for _ in 0..3 {
        time::sleep(Duration::from_millis(300)).await;
        time::pause();
        time::advance(Duration::from_secs(16)).await;
        time::resume();
    }

    let ended = time::timeout(AMPLE, sending).await.expect("long before its deadline");
    assert_eq!(ended.unwrap(), Err(SendError::Timeout));
}
