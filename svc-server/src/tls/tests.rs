use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Extension;
use axum::routing::get;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use svc_http::server::{Limits, Transport, serve_tls};
use svc_testkit::fakes::ManualClock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::sync::CancellationToken;

use super::reload::{Cause, Looked};
use super::*;

/// 2025-01-31.
fn clock() -> Arc<dyn Clock> {
    Arc::new(ManualClock::at(svc_core::clock::Timestamp::from_unix_seconds(1_738_281_600)))
}

fn files(folder: &Path) -> PemFiles {
    PemFiles { cert: folder.join("cert.pem"), key: folder.join("key.pem") }
}

/// Writes a new pair that is valid to the end of `year`; answers its certificate.
fn replace(files: &PemFiles, year: i32) -> CertificateDer<'static> {
    let mut wanted = rcgen::CertificateParams::new(["svc.example.com".to_owned()]).expect("valid");
    wanted.not_after = rcgen::date_time_ymd(year, 12, 31);
    let key = rcgen::KeyPair::generate().expect("a key");
    let made = wanted.self_signed(&key).expect("signed");
    std::fs::write(&files.cert, made.pem()).expect("written");
    std::fs::write(&files.key, key.serialize_pem()).expect("written");
    made.der().clone()
}

/// A client that trusts this certificate alone.
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

/// A server over the pair in the files.
async fn start(files: &PemFiles) -> (SocketAddr, Keeper) {
    let (acceptor, keeper) = acceptor(files, clock()).expect("usable");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let told = async |Extension(transport): Extension<Transport>| format!("{transport:?}");
    let router = Router::new().route("/", get(told));
    let handshake = move |stream| {
        let acceptor = acceptor.clone();
        async move { acceptor.accept(stream).await }
    };
    tokio::spawn(serve_tls(listener, router, Limits::default(), std::future::pending(), handshake));
    (address, keeper)
}

/// Connects, when the server shows the certificate that the client trusts.
async fn connect(
    address: SocketAddr,
    root: &CertificateDer<'static>,
) -> std::io::Result<TlsStream<TcpStream>> {
    let name = ServerName::try_from("svc.example.com").expect("a name");
    let stream = TcpStream::connect(address).await.expect("the port is open");
    client(root.clone()).connect(name, stream).await
}

/// One request on a connection that stays open.
async fn ask(connection: &mut TlsStream<TcpStream>) -> String {
    connection.write_all(b"GET / HTTP/1.1\r\nHost: svc.example.com\r\n\r\n").await.expect("sent");
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\nTls") {
        let read = connection.read_buf(&mut answer).await.expect("received");
        assert_ne!(read, 0, "closed after {:?}", String::from_utf8_lossy(&answer));
    }
    String::from_utf8(answer).expect("text")
}

#[tokio::test]
async fn new_handshakes_see_the_new_certificate_and_an_open_connection_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = files(folder.path());
    let first = replace(&files, 2030);
    let (address, mut keeper) = start(&files).await;
    let mut kept = connect(address, &first).await.expect("trusted");
    assert!(ask(&mut kept).await.starts_with("HTTP/1.1 200"), "and requests know that they came over TLS");

    let second = replace(&files, 2031);
    assert!(connect(address, &second).await.is_err(), "the files were not read again yet");
    assert_eq!(keeper.look(Cause::Time), Looked::Replaced);
    connect(address, &second).await.expect("trusted");
    assert!(connect(address, &first).await.is_err(), "the old certificate is gone");
    assert!(ask(&mut kept).await.starts_with("HTTP/1.1 200"));
    assert_eq!(keeper.look(Cause::Time), Looked::Same);
    assert_eq!(keeper.look(Cause::Signal), Looked::Replaced, "a signal always reloads");
}

#[tokio::test]
async fn a_pair_that_cannot_be_used_changes_nothing_until_it_is_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = files(folder.path());
    let first = replace(&files, 2030);
    let good = [&files.cert, &files.key].map(|path| std::fs::read(path).expect("there"));
    let (address, mut keeper) = start(&files).await;
    let mut kept = connect(address, &first).await.expect("trusted");

    let break_it: [(&str, &dyn Fn()); 6] = [
        ("no certificate", &|| std::fs::write(&files.cert, "").expect("written")),
        ("junk", &|| std::fs::write(&files.cert, "-----BEGIN CERTIFICATE-----\njunk").expect("written")),
        ("no key", &|| std::fs::write(&files.key, "junk").expect("written")),
        ("a certificate alone is new", &|| {
            replace(&files, 2031);
            std::fs::write(&files.key, &good[1]).expect("written");
        }),
        ("expired", &|| drop(replace(&files, 2020))),
        ("a file is gone", &|| std::fs::remove_file(&files.cert).expect("there")),
    ];
    for (what, break_it) in break_it {
        break_it();
        for cause in [Cause::Time, Cause::Time, Cause::Signal] {
            assert_eq!(keeper.look(cause), Looked::Kept, "{what}");
        }
        connect(address, &first).await.expect("the old pair stays");
        ask(&mut kept).await;
        std::fs::write(&files.cert, &good[0]).expect("written");
        std::fs::write(&files.key, &good[1]).expect("written");
        assert_eq!(keeper.look(Cause::Time), Looked::Same, "{what} was taken back");
    }
    let second = replace(&files, 2031);
    assert_eq!(keeper.look(Cause::Time), Looked::Replaced);
    connect(address, &second).await.expect("trusted");
}

#[tokio::test]
async fn the_keeper_finds_new_files_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = files(folder.path());
    replace(&files, 2030);
    let (address, keeper) = start(&files).await;
    let asked = CancellationToken::new();
    let keeping = tokio::spawn(keeper.run(Duration::from_millis(1), asked.clone()));
    let second = replace(&files, 2031);
    let found = async { while connect(address, &second).await.is_err() {} };
    tokio::time::timeout(Duration::from_secs(30), found).await.expect("found in time");
    asked.cancel();
    keeping.await.expect("it ends when it is asked to");
}

#[test]
fn a_start_with_files_that_cannot_be_used_is_refused_with_the_file_and_the_variable() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [mine, theirs] = [0, 1].map(|at| files(folders[at].path()));
    replace(&mine, 2030);
    replace(&theirs, 2030);
    let refused = |files: &PemFiles| acceptor(files, clock()).err().expect("refused");
    let mixed = refused(&PemFiles { cert: mine.cert.clone(), key: theirs.key });
    assert_eq!(mixed.code(), "tls_unusable");
    assert!(mixed.message().contains("key.pem") && mixed.message().contains("KeyMismatch"), "{mixed}");
    let missing = refused(&PemFiles { cert: mine.cert, key: folders[0].path().join("none.pem") });
    assert!(missing.message().contains("none.pem"), "{missing}");
    assert!(missing.hint_text().is_some_and(|hint| hint.contains("SVC_TLS__KEY")));
}
