//! What is told of an exchange, however it ended: its class, its steps, its address, what was heard.

use std::io;

use svc_egress::{EgressConfig, HyperSender};
use svc_webhooks::ports::{Answer, AnswerHeaders, ErrorClass, Exchange, HttpSender, Timings};
use tokio::io::AsyncWriteExt;
use tokio::time;

use crate::support::{Canary, FakeDns, Receiver, exempt_loopback, exempt_sender, post, read_request};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

/// A name that leads to this machine.
fn by_name() -> HyperSender {
    HyperSender::with_resolver(exempt_loopback(), FakeDns::with("hooks.test", &[&["127.0.0.1"]])).unwrap()
}

fn named(port: u16) -> String {
    format!("http://hooks.test:{port}/")
}

/// Which of the steps have a time: name, connection, TLS, first byte.
fn steps(exchange: &Exchange) -> [bool; 4] {
    let Timings { dns, connect, tls, first_byte, total } = exchange.timings;
    let opening: std::time::Duration = [dns, connect, tls].into_iter().flatten().sum();
    let until_the_head = first_byte.unwrap_or(total);
    assert!(opening <= until_the_head && until_the_head <= total, "{:?}", exchange.timings);
    [dns, connect, tls, first_byte].map(|step| step.is_some())
}

/// An exchange that goes as far as it can before its time is over.
async fn cut_off(sender: HyperSender, url: &str) -> Exchange {
    let request = post(url);
    let deadline = request.timeout;
    let exchange = tokio::spawn(async move { sender.send(request).await });
    // On one machine and one thread everything that can happen does so between a few yields.
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    time::pause();
    time::advance(deadline).await;
    time::resume();
    exchange.await.unwrap()
}

async fn silent_after(heard: &'static str) -> Receiver {
    Receiver::start(move |mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(heard.as_bytes()).await?;
        std::future::pending::<io::Result<()>>().await
    })
    .await
}

#[tokio::test]
async fn only_the_exchange_that_opened_the_connection_tells_how_it_was_opened() {
    let receiver = Receiver::answering(OK).await;
    let (sender, url) = (by_name(), named(receiver.address.port()));

    let first = sender.send(post(&url)).await;
    // The connection is on its way back to the pool; a request that comes too early opens another one.
    let mut later = sender.send(post(&url)).await;
    while later.timings.connect.is_some() {
        later = sender.send(post(&url)).await;
    }

    assert_eq!((steps(&first), first.error_class()), ([true, true, false, true], None));
    assert_eq!((steps(&later), later.error_class()), ([false, false, false, true], None));
    assert_eq!((first.peer, later.peer), (Some(receiver.address), Some(receiver.address)));
}

#[tokio::test]
async fn an_address_in_the_url_takes_no_time_to_resolve() {
    let receiver = Receiver::answering(OK).await;

    let exchange = exempt_sender().send(post(&receiver.url())).await;

    assert_eq!(steps(&exchange), [false, true, false, true]);
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_of_the_class_dns() {
    let exchange = by_name().send(post("https://gone.example.com/")).await;

    assert_eq!(exchange.error_class(), Some(ErrorClass::Dns));
    assert_eq!((steps(&exchange), exchange.peer), ([true, false, false, false], None));
}

#[tokio::test]
async fn an_address_that_is_not_public_is_of_the_class_refused_and_was_not_tried() {
    let dns = FakeDns::with("hooks.example.com", &[&["10.0.0.1"]]);
    let sender = HyperSender::with_resolver(EgressConfig::default(), dns).unwrap();

    let exchange = sender.send(post("https://hooks.example.com/")).await;

    assert_eq!(exchange.error_class(), Some(ErrorClass::Refused));
    assert_eq!((steps(&exchange), exchange.peer), ([true, false, false, false], None));
}

#[tokio::test]
async fn a_port_where_nothing_listens_is_of_the_class_connect_and_its_address_is_told() {
    let port = Receiver::answering(OK).await.address.port();
    // Nothing listens at this address; at the others something may.
    let dns = FakeDns::with("hooks.test", &[&["127.0.0.3", "127.0.0.2"]]);
    let sender = HyperSender::with_resolver(exempt_loopback(), dns).unwrap();

    let exchange = sender.send(post(&named(port))).await;

    assert_eq!(exchange.error_class(), Some(ErrorClass::Connect));
    assert_eq!(steps(&exchange), [true, true, false, false]);
    assert_eq!(exchange.peer.map(|peer| peer.to_string()), Some(format!("127.0.0.2:{port}")));
}

#[tokio::test]
async fn a_server_without_tls_is_of_the_class_tls() {
    let receiver = Receiver::start(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await?;
        std::future::pending::<io::Result<()>>().await
    })
    .await;

    let exchange = by_name().send(post(&format!("https://hooks.test:{}/", receiver.address.port()))).await;

    assert_eq!(exchange.error_class(), Some(ErrorClass::Tls));
    assert_eq!((steps(&exchange), exchange.peer), ([true, true, true, false], Some(receiver.address)));
}

#[tokio::test]
async fn a_receiver_that_says_nothing_is_of_the_class_timeout() {
    let receiver = silent_after("").await;

    let exchange = cut_off(exempt_sender(), &receiver.url()).await;

    assert_eq!(exchange.error_class(), Some(ErrorClass::Timeout));
    assert_eq!((steps(&exchange), exchange.peer), ([false, true, false, false], Some(receiver.address)));
    assert_eq!(exchange.answer(), None);
}

#[tokio::test]
async fn a_handshake_without_an_end_counts_up_to_the_deadline() {
    let silent = Canary::new();

    let url = format!("https://hooks.test:{}/", silent.port());
    let exchange = cut_off(by_name(), &url).await;

    assert_eq!(exchange.error_class(), Some(ErrorClass::Timeout));
    assert_eq!(steps(&exchange), [true, true, true, false]);
    assert_eq!(exchange.peer.map(|peer| peer.port()), Some(silent.port()));
}

#[tokio::test]
async fn answers_that_are_no_success_are_of_the_classes_status_and_redirect() {
    for (status, class) in [(301, ErrorClass::Redirect), (404, ErrorClass::Status), (503, ErrorClass::Status)]
    {
        let receiver =
            Receiver::answering(format!("HTTP/1.1 {status} Oh\r\ncontent-length: 2\r\n\r\nno")).await;

        let exchange = exempt_sender().send(post(&receiver.url())).await;

        assert_eq!((exchange.error_class(), exchange.status()), (Some(class), Some(status)));
        assert_eq!(steps(&exchange), [false, true, false, true]);
    }
}

#[tokio::test]
async fn no_http_is_of_the_class_body() {
    let receiver = Receiver::answering("SSH-2.0-OpenSSH_9.6\r\n\r\n").await;

    let exchange = exempt_sender().send(post(&receiver.url())).await;

    assert_eq!((exchange.error_class(), exchange.status()), (Some(ErrorClass::Body), None));
    assert_eq!(exchange.peer, Some(receiver.address));
}

#[tokio::test]
async fn of_an_answer_that_breaks_off_the_beginning_is_told() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\nx-note: a\r\ncontent-length: 10\r\n\r\nabc").await
    })
    .await;
    let cut_by_the_deadline =
        silent_after("HTTP/1.1 200 OK\r\nx-note: a\r\ncontent-length: 10\r\n\r\nabc").await;

    let broken = exempt_sender().send(post(&receiver.url())).await;
    let late = cut_off(exempt_sender(), &cut_by_the_deadline.url()).await;

    for (exchange, class) in [(broken, ErrorClass::Body), (late, ErrorClass::Timeout)] {
        assert_eq!((exchange.error_class(), exchange.status()), (Some(class), Some(200)));
        assert_eq!(steps(&exchange), [false, true, false, true]);
        let answer = exchange.answer().unwrap();
        assert_eq!((answer.body.as_ref(), answer.headers.iter().count()), (&b"abc"[..], 2));
    }
}

#[tokio::test]
async fn headers_come_in_their_order_and_without_credentials() {
    let receiver = Receiver::answering(
        "HTTP/1.1 200 OK\r\nX-B: 1\r\nset-cookie: id=let-me-in\r\nx-a: <script>\r\nx-b: 2\r\ncontent-length: 0\r\n\r\n",
    )
    .await;

    let exchange = exempt_sender().send(post(&receiver.url())).await;

    let expected: [(&str, &[u8]); 5] = [
        ("x-b", b"1"),
        ("x-b", b"2"),
        ("set-cookie", AnswerHeaders::HIDDEN),
        ("x-a", b"<script>"),
        ("content-length", b"0"),
    ];
    let answer = exchange.result.unwrap();
    assert_eq!(answer.headers.iter().collect::<Vec<_>>(), expected);
    assert!(!answer.headers.is_incomplete());
}

#[tokio::test]
async fn more_bytes_of_headers_than_are_kept_do_not_fail_the_exchange() {
    let long = "x".repeat(AnswerHeaders::MOST_BYTES);
    let receiver =
        Receiver::answering(format!("HTTP/1.1 204 No Content\r\nx-long: {long}\r\nx-short: 1\r\n\r\n")).await;

    let answer = exempt_sender().send(post(&receiver.url())).await.result.unwrap();

    assert!(answer.headers.is_incomplete());
    assert_eq!(answer.headers.iter().collect::<Vec<_>>(), [("x-short", &b"1"[..])]);
}

#[tokio::test]
async fn a_body_is_truncated_only_when_there_was_more() {
    for (length, truncated) in [(Answer::MOST_BODY_BYTES, false), (Answer::MOST_BODY_BYTES + 1, true)] {
        let body = "x".repeat(length);
        let receiver =
            Receiver::answering(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}")).await;

        let answer = exempt_sender().send(post(&receiver.url())).await.result.unwrap();

        assert_eq!((answer.body.len(), answer.truncated), (Answer::MOST_BODY_BYTES, truncated));
    }
}
