//! What the checks on every request cost, and what is left of the speed of a
//! bare server that answers the same bytes.
//!
//! Ends with 1 when a target is missed.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use http::header::CONTENT_TYPE;
use svc_auth::authenticate::Access;
use svc_benches::{Load, Service, median, observed, requests_per_second, served};
use svc_core::permission::Permission;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A warm check costs no more.
const CHECK_TARGET: Duration = Duration::from_micros(2);
/// At least this part of the bare server's requests a second is left.
const RATIO_TARGET: f64 = 0.6;

const CHECKS: u32 = 200;
const CHECK_ROUNDS: usize = 2_001;
const CONNECTIONS: usize = 16;
const LOAD_ROUNDS: usize = 15;
const LOAD_SPAN: Duration = Duration::from_millis(300);

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
pub(crate) async fn start() -> ExitCode {
    observed();
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path()).await;

    let check = warm_check(&service).await;
    println!(
        "warm authenticate and authorise: {} ns a request (at most {} wanted)",
        check.as_nanos(),
        CHECK_TARGET.as_nanos()
    );

    let whoami = format!(
        "GET /api/v1/auth/whoami HTTP/1.1\r\nhost: localhost\r\nauthorization: {}\r\n\r\n",
        service.authorization
    );
    let ours = served(service.router.clone()).await;
    let body = body(ours, &whoami).await;
    let bare = Router::new().route(
        "/api/v1/auth/whoami",
        get(move || {
            let body = body.clone();
            async move { ([(CONTENT_TYPE, "application/json")], body) }
        }),
    );
    let bare = served(bare).await;
    let load =
        |to| Load { to, request: Arc::from(whoami.as_bytes()), connections: CONNECTIONS, span: LOAD_SPAN };
    let (mut ratios, mut speeds) = (Vec::new(), Vec::new());
    for _ in 0..LOAD_ROUNDS {
        let (bare, ours) = (requests_per_second(&load(bare)).await, requests_per_second(&load(ours)).await);
        ratios.push(ours / bare);
        speeds.push((bare, ours));
    }
    let ratio = median(ratios);
    let best = speeds.iter().fold((0.0_f64, 0.0_f64), |best, one| (best.0.max(one.0), best.1.max(one.1)));
    println!(
        "GET /auth/whoami: {:.0} % of the requests of a bare handler (at least {:.0} wanted), median of {LOAD_ROUNDS} \
         rounds; best rounds {:.0} and {:.0} a second",
        ratio * 100.0,
        RATIO_TARGET * 100.0,
        best.1,
        best.0
    );
    if check <= CHECK_TARGET && ratio >= RATIO_TARGET {
        return ExitCode::SUCCESS;
    }
    println!("a target is missed");
    ExitCode::FAILURE
}

/// What one request costs whose token is cached, on one thread.
async fn warm_check(service: &Service) -> Duration {
    let access = Access::Permission(Permission::of("contacts:contacts.read"));
    let (header, source) = (Some(&*service.authorization), "127.0.0.1".parse().ok());
    let mut rounds = Vec::with_capacity(CHECK_ROUNDS);
    for _ in 0..CHECK_ROUNDS {
        let start = Instant::now();
        for _ in 0..CHECKS {
            service.authenticator.admit(header, access, source).await.expect("a good token");
        }
        rounds.push(start.elapsed() / CHECKS);
    }
    median(rounds)
}

/// The body of the answer to a request.
async fn body(to: std::net::SocketAddr, request: &str) -> String {
    let request = request.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    let mut stream = TcpStream::connect(to).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("read");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    answer.split_once("\r\n\r\n").expect("a whole answer").1.to_owned()
}
