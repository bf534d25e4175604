//! TLS of the executable: certificates that are replaced while it serves.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};

use crate::harness::{PATIENCE, Site, await_that};

type Stream = StreamOwned<ClientConnection, TcpStream>;

/// Writes a new pair; answers its certificate.
fn replace(folder: &Path) -> CertificateDer<'static> {
    let names = ["svc.example.com", "127.0.0.1"].map(str::to_owned);
    let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).expect("written");
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).expect("written");
    made.cert.der().clone()
}

/// Connects, when the server shows the certificate that is trusted.
fn connect(address: SocketAddr, trusted: &CertificateDer<'static>) -> Option<Stream> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("supported")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("svc.example.com").expect("a name");
    let mut connection = ClientConnection::new(Arc::new(config), name).expect("a client");
    let mut stream = TcpStream::connect(address).expect("the port is open");
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    connection.complete_io(&mut stream).ok()?;
    Some(StreamOwned::new(connection, stream))
}

/// Asks on a connection that stays open; answers the head.
fn ask(stream: &mut Stream, token: &str) -> String {
    let request = format!(
        "GET /api/v1/auth/whoami HTTP/1.1\r\nHost: svc.example.com\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).expect("answered");
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).expect("text");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
    let mut body = vec![0; length.parse().expect("a number")];
    stream.read_exact(&mut body).expect("a body");
    head
}

#[test]
fn a_hangup_puts_a_new_certificate_in_use_and_open_connections_go_on() {
    let site = Site::new();
    let first = replace(site.path());
    let site = site.with("SVC_TLS__CERT", "cert.pem").with("SVC_TLS__KEY", "key.pem").with("SVC_LOG", "info");
    let [_, _, token] = site.bootstrap();
    let (server, log) = site.serve_logged();
    assert!(server.ready["api"].as_str().is_some_and(|api| api.starts_with("https://")));
    let mut kept = connect(server.address(), &first).expect("trusted");
    let head = ask(&mut kept, &token);
    assert!(
        head.starts_with("HTTP/1.1 200") && head.contains("strict-transport-security: max-age="),
        "{head}"
    );

    std::fs::write(site.path().join("cert.pem"), "junk").expect("written");
    server.signal("-HUP");
    log.await_line(&["the TLS certificate stays as it was", "Signal", "cert.pem", "ERROR"]);
    assert!(server.admin().get("/metrics").text.contains("svc_tls_files_unusable 1"));
    connect(server.address(), &first).expect("the certificate before is still shown");

    let second = replace(site.path());
    server.signal("-HUP");
    log.await_line(&["new TLS files are in use", "Signal", "until"]);
    await_that("the new certificate is shown", || connect(server.address(), &second).is_some());
    assert!(connect(server.address(), &first).is_none());
    assert!(ask(&mut kept, &token).starts_with("HTTP/1.1 200"));
    assert!(server.admin().get("/metrics").text.contains("svc_tls_files_unusable 0"));
    assert!(server.counted("svc_tls_reloads_total") > 0);
    drop(kept);
    server.stop();
}

#[test]
fn doctor_tells_until_when_the_certificate_is_good() {
    let site = Site::new();
    replace(site.path());
    let site = site.with("SVC_TLS__CERT", "cert.pem").with("SVC_TLS__KEY", "key.pem");
    let run = site.run(&["doctor"]);
    assert!(run.status.success() && run.stdout.contains("certificate: usable until 4096-01-01"), "{run:?}");
    std::fs::write(site.path().join("key.pem"), "junk").expect("written");
    let run = site.run(&["doctor"]);
    assert!(run.stdout.contains("key.pem cannot be used for TLS"), "{run:?}");
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn webhooks_trust_the_authorities_of_the_settings() {
    let inside = Site::new();
    replace(inside.path());
    let inside = inside.with("SVC_TLS__CERT", "cert.pem").with("SVC_TLS__KEY", "key.pem");
    inside.bootstrap();
    // It answers what it does not know with 404, which is answer enough.
    let receiver = inside.serve();
    let url = format!("https://{}/hook", receiver.address());

    let roots = inside.path().join("cert.pem").display().to_string();
    let trusting = Site::new().with("SVC_WEBHOOKS__EXTRA_ROOTS", &roots);
    for (site, status) in [(Site::new(), Value::Null), (trusting, json!(404))] {
        let [_, _, token] = site.bootstrap();
        let server = site.serve();
        let api = server.api(&token);
        let (subscription, _) = api.subscribe(&url, &["contact.create"]);
        let test = format!("/api/v1/webhooks/subscriptions/{subscription}/test");
        assert_eq!(api.post(&test, &json!({})).expect(200)["statusCode"], status);
        server.stop();
    }
    receiver.stop();
}

#[test]
fn a_file_without_authorities_is_said_by_doctor_and_ends_serve() {
    let site = Site::new().with("SVC_WEBHOOKS__EXTRA_ROOTS", "roots.pem");
    for content in [None, Some("junk")] {
        if let Some(content) = content {
            std::fs::write(site.path().join("roots.pem"), content).expect("written");
        }
        let run = site.run(&["doctor"]);
        assert!(run.stdout.contains("webhook authorities: roots.pem holds no authorities"), "{run:?}");
        assert_eq!(run.status.code(), Some(1));
        let run = site.run(&["serve"]);
        assert!(run.stderr.contains("SVC_WEBHOOKS__EXTRA_ROOTS names a PEM file"), "{run:?}");
    }
}
