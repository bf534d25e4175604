//! The accept loop over real sockets.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Extension;
use axum::routing::{get, post};
use svc_http::server::{Ended, Limits, Peer, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

fn echo() -> Router {
    let peer = |Extension(Peer(peer)): Extension<Peer>| async move { peer.ip().to_string() };
    Router::new().route("/", get(peer)).route("/body", post(|body: String| async move { body }))
}

async fn start(limits: Limits) -> String {
    let (listener, address) = listen().await;
    tokio::spawn(serve(listener, echo(), limits, pending()));
    address
}

/// Sends bytes and reads until the server closes.
async fn converse(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn requests_know_their_peer() {
    let address = start(Limits::default()).await;
    let answer = converse(&address, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("127.0.0.1"), "{answer}");
}

#[tokio::test]
async fn two_lengths_in_one_request_are_refused_in_either_order() {
    let address = start(Limits::default()).await;
    let (length, coding) = ("Content-Length: 4\r\n", "Transfer-Encoding: chunked\r\n");
    for (first, second) in [(length, coding), (coding, length)] {
        let head = format!("POST /body HTTP/1.1\r\nHost: x\r\n{first}{second}\r\n");
        let answer = converse(&address, &format!("{head}0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "nothing after it is read as a request: {answer}");
    }
    let answer = converse(
        &address,
        "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok"), "{answer}");
}

#[tokio::test]
async fn slow_and_silent_clients_are_let_go() {
    let address = start(Limits::default().header_read_timeout(Duration::from_millis(100))).await;
    for start in ["", "PRI * HT", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow:"] {
        let answer = tokio::time::timeout(Duration::from_secs(10), converse(&address, start)).await;
        assert!(answer.is_ok_and(|answer| !answer.contains("200")), "{start:?} held the connection");
    }
}

#[tokio::test]
async fn too_many_or_too_large_headers_are_refused() {
    let address = start(Limits::default()).await;
    let many = "X-Many: a\r\n".repeat(65);
    let large = format!("X-Large: {}\r\n", "a".repeat(70_000));
    for headers in [many, large] {
        let answer = converse(&address, &format!("GET / HTTP/1.1\r\nHost: x\r\n{headers}\r\n")).await;
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 431") || answer.starts_with("HTTP/1.1 400"),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn a_connection_beyond_the_cap_waits_for_a_free_slot() {
    let address = start(Limits::default().connections(1)).await;
    let first = TcpStream::connect(&address).await.unwrap();
    let waiting = converse(&address, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let mut waiting = std::pin::pin!(waiting);
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut waiting).await.is_err());
    drop(first);
    assert!(waiting.await.starts_with("HTTP/1.1 200"));
}

/// A router whose one handler tells that it started and ends when it is let.
fn held() -> (Router, Arc<Notify>, Arc<Notify>) {
    let (started, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, wait) = (started.clone(), go.clone());
    let handler = move || {
        let (tell, wait) = (tell.clone(), wait.clone());
        async move {
            tell.notify_one();
            wait.notified().await;
            "done"
        }
    };
    (Router::new().route("/", get(handler)), started, go)
}

#[tokio::test]
async fn a_shutdown_finishes_what_is_in_flight_and_takes_nothing_new() {
    let (listener, address) = listen().await;
    let (router, started, go) = held();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(serve(listener, router, Limits::default(), async move {
        stopped.await.ok();
    }));
    let request = tokio::spawn({
        let address = address.clone();
        async move { converse(&address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").await }
    });
    started.notified().await;
    stop.send(()).unwrap();
    while TcpStream::connect(&address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    go.notify_one();
    assert!(request.await.unwrap().ends_with("done"));
    assert_eq!(server.await.unwrap(), Ended::Drained);
}

#[tokio::test]
async fn a_shutdown_cuts_what_does_not_end_in_time() {
    let (listener, address) = listen().await;
    let (router, started, _go) = held();
    let (stop, stopped) = oneshot::channel::<()>();
    let limits = Limits::default().grace(Duration::from_millis(50));
    let server = tokio::spawn(serve(listener, router, limits, async move {
        stopped.await.ok();
    }));
    let request = tokio::spawn(async move { converse(&address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").await });
    started.notified().await;
    stop.send(()).unwrap();
    assert_eq!(server.await.unwrap(), Ended::Cut);
    assert_eq!(request.await.unwrap(), "");
}
