//! The accept loop over real sockets.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Extension;
use axum::http::StatusCode;
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

const GET: &str = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// Starts a server with the router of [`held`].
async fn start_held(limits: Limits) -> (String, Arc<Notify>, Arc<Notify>) {
    let (listener, address) = listen().await;
    let (router, started, go) = held();
    tokio::spawn(serve(listener, router, limits, pending()));
    (address, started, go)
}

/// Asks for something that the server is at work for.
async fn at_work(address: &str, started: &Notify) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(GET.as_bytes()).await.unwrap();
    started.notified().await;
    stream
}

#[tokio::test]
async fn a_connection_beyond_the_cap_waits_while_all_are_at_work() {
    let (address, started, go) = start_held(Limits::default().connections(1)).await;
    let _first = at_work(&address, &started).await;
    let mut waiting = std::pin::pin!(converse(&address, GET));
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut waiting).await.is_err());
    go.notify_one();
    let freed = async {
        started.notified().await;
        go.notify_one();
    };
    assert!(tokio::join!(&mut waiting, freed).0.ends_with("done"));
}

#[tokio::test]
async fn an_idle_connection_makes_room_for_the_next() {
    let address = start(Limits::default().connections(1)).await;
    let mut idle = TcpStream::connect(&address).await.unwrap();
    assert!(converse(&address, GET).await.starts_with("HTTP/1.1 200"));
    assert_eq!(idle.read(&mut [0]).await.unwrap_or_default(), 0, "it was let go");
}

#[tokio::test]
async fn one_address_holds_so_many_connections_and_no_more() {
    let (address, started, go) = start_held(Limits::default().of_address(2)).await;
    let held = [at_work(&address, &started).await, at_work(&address, &started).await];
    assert_eq!(converse(&address, GET).await, "", "it is closed at once");
    go.notify_one();
    drop(held);
}

#[tokio::test]
async fn a_client_that_only_keeps_http2_alive_is_let_go() {
    let limits =
        Limits::default().idle(Duration::from_millis(100)).header_read_timeout(Duration::from_mins(1));
    let address = start(limits).await;
    for never_ended in
        [Vec::new(), frame(1, 0, 1, &[0x82]), [frame(1, 0, 1, &[0x82]), frame(6, 0, 0, &[0; 8])].concat()]
    {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(&[PREFACE, &frame(4, 0, 0, &[]), &never_ended].concat()).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut Vec::new())).await;
        assert!(ended.is_ok(), "{never_ended:?} held the connection");
    }
}

#[tokio::test]
async fn an_answer_that_is_never_read_does_not_hold_its_connection() {
    let large = Router::new().route("/", get(|| async { vec![b'x'; 64 << 20] }));
    let (listener, address) = listen().await;
    let limits = Limits::default().answer(Duration::from_millis(200)).idle(Duration::from_millis(200));
    tokio::spawn(serve(listener, large, limits, pending()));

    // HTTP/1: the client sends its request and reads nothing for a while.
    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut read = Vec::new();
    stream.read_to_end(&mut read).await.ok();
    assert!(!read.is_empty() && read.len() < 64 << 20, "{} bytes: it was cut", read.len());

    // HTTP/2 with windows of no bytes (SETTINGS_INITIAL_WINDOW_SIZE).
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let no_window = frame(4, 0, 0, &[0, 4, 0, 0, 0, 0]);
    let head = [0x82, 0x86, 0x84, 0x41, 1, b'x'];
    stream.write_all(&[PREFACE, &no_window, &frame(1, 5, 1, &head)].concat()).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut Vec::new())).await;
    assert!(ended.is_ok(), "it held the connection");
}

#[tokio::test]
async fn an_old_connection_takes_no_further_request() {
    let address = start(Limits::default().age(Duration::from_millis(200))).await;
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(10), async {
        let mut buffer = [0; 1024];
        loop {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.ok();
            if stream.read(&mut buffer).await.unwrap_or_default() == 0 {
                return;
            }
        }
    });
    assert!(ended.await.is_ok(), "requests one after the other held the connection");
}

#[tokio::test]
async fn a_request_names_one_host() {
    let address = start(Limits::default()).await;
    for hosts in ["", "Host: x\r\nHost: y\r\n"] {
        let answer = converse(&address, &format!("GET / HTTP/1.1\r\n{hosts}\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("one Host header"), "{answer}");
    }
    let old = converse(&address, "GET / HTTP/1.0\r\n\r\n").await;
    assert!(old.starts_with("HTTP/1.0 200"), "{old}");
}

#[tokio::test]
async fn a_refusal_of_a_large_body_reaches_a_client_that_sends_before_it_reads() {
    let refusing = Router::new().route("/", post(|| async { StatusCode::UNAUTHORIZED }));
    let (listener, address) = listen().await;
    tokio::spawn(serve(listener, refusing, Limits::default(), pending()));
    let body = "x".repeat(900_000);
    let told = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let chunked = format!("Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    for rest in [told, chunked] {
        for _ in 0..10 {
            let request = format!("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{rest}");
            let answer = converse(&address, &request).await;
            assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
        }
    }
    // One that asks first is answered at once, and sends nothing.
    let asking = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\nExpect: 100-continue\r\n\r\n";
    let answer = converse(&address, asking).await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}

/// What a client of HTTP/2 begins with (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A frame of HTTP/2 (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}
