//! Receivers that are slow, endless or rude.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use svc_egress::{EgressConfig, HyperSender, Resolver};
use svc_webhooks::ports::{HttpSender, Refusal, SendError};
use tokio::io::AsyncWriteExt;
use tokio::time::{Duration, Instant, sleep};

use crate::support::{Outcome, Receiver, endpoint, exempt_sender, post, post_within, read_request};

#[tokio::test]
async fn a_silent_receiver_ends_with_the_deadline() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        std::future::pending().await
    })
    .await;

    assert_eq!(exempt_sender().outcome(post_within(&receiver.url(), 200)).await, Err(SendError::Timeout));
}

#[tokio::test]
async fn a_receiver_that_never_reads_ends_with_the_deadline() {
    let receiver = Receiver::start(|stream| async move {
        let _open = stream;
        std::future::pending().await
    })
    .await;
    let mut request = post_within(&receiver.url(), 200);
    request.body = vec![b'x'; 32 * 1024 * 1024].into();

    assert_eq!(exempt_sender().outcome(request).await, Err(SendError::Timeout));
}

#[tokio::test]
async fn dripping_headers_do_not_extend_the_deadline() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        drip(&mut stream, b"HTTP/1.1 200 OK\r\nx-slow: ").await
    })
    .await;

    assert_eq!(exempt_sender().outcome(post_within(&receiver.url(), 200)).await, Err(SendError::Timeout));
}

#[tokio::test]
async fn a_dripping_body_does_not_extend_the_deadline() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        drip(&mut stream, b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n").await
    })
    .await;

    assert_eq!(exempt_sender().outcome(post_within(&receiver.url(), 200)).await, Err(SendError::Timeout));
}

#[tokio::test]
async fn endless_interim_answers_are_an_error_before_the_deadline() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        loop {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
    })
    .await;

    assert_protocol_error(&receiver).await;
}

#[tokio::test(start_paused = true)]
async fn a_name_server_that_never_answers_is_waited_for_only_so_long() {
    let sender = HyperSender::with_resolver(EgressConfig::default(), Arc::new(SilentDns)).unwrap();
    let url = "https://hooks.example.com/";

    let started = Instant::now();
    assert_eq!(sender.outcome(post_within(url, 3_000)).await, Err(SendError::Timeout));
    assert_eq!(started.elapsed().as_secs(), 3, "the caller's deadline");

    let started = Instant::now();
    assert_eq!(sender.outcome(post_within(url, 3_600_000)).await, Err(SendError::Timeout));
    assert_eq!(started.elapsed().as_secs(), 10, "the connector's own");

    let started = Instant::now();
    let unresolvable = Refusal::Unresolvable("hooks.example.com".to_owned());
    assert_eq!(sender.check(&endpoint(url)).await, Err(unresolvable));
    assert_eq!(started.elapsed().as_secs(), 5, "the check's");
}

struct SilentDns;

#[async_trait]
impl Resolver for SilentDns {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        std::future::pending().await
    }
}

/// A byte every 20 ms: a deadline per read would never pass.
async fn drip(stream: &mut tokio::net::TcpStream, start: &[u8]) -> io::Result<()> {
    stream.write_all(start).await?;
    loop {
        stream.write_all(b"x").await?;
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn of_an_endless_body_16_kib_are_read() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
        loop {
            stream.write_all(&[b'x'; 4096]).await?;
        }
    })
    .await;

    let answer = exempt_sender().outcome(post(&receiver.url())).await.unwrap();

    assert_eq!((answer.status, answer.body.len()), (200, 16 * 1024));
}

#[tokio::test]
async fn of_endless_chunks_16_kib_are_read() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n").await?;
        loop {
            stream.write_all(b"3\r\nabc\r\n").await?;
        }
    })
    .await;

    let answer = exempt_sender().outcome(post(&receiver.url())).await.unwrap();

    assert_eq!((answer.status, answer.body.len()), (500, 16 * 1024));
    assert!(answer.body.starts_with(b"abcabc"));
}

#[tokio::test]
async fn a_compressed_answer_is_not_unpacked() {
    let receiver = Receiver::answering(
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x0babc",
    )
    .await;

    let answer = exempt_sender().outcome(post(&receiver.url())).await.unwrap();

    assert_eq!(answer.body, b"\x1f\x0bab"[..]);
}

#[tokio::test]
async fn a_flood_of_headers_is_an_error() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
        loop {
            stream.write_all(b"x-flood: 1\r\n").await?;
        }
    })
    .await;

    assert_protocol_error(&receiver).await;
}

#[tokio::test]
async fn more_headers_than_allowed_are_an_error_even_if_they_end() {
    for (count, fits) in [(64, true), (65, false)] {
        let headers = "x-many: 1\r\n".repeat(count - 1);
        let receiver =
            Receiver::answering(format!("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n{headers}\r\n")).await;

        let outcome = exempt_sender().outcome(post(&receiver.url())).await;

        assert_eq!(outcome.is_ok(), fits, "{count} headers: {outcome:?}");
    }
}

#[tokio::test]
async fn one_endless_header_is_an_error() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\nx-long: ").await?;
        loop {
            stream.write_all(&[b'x'; 4096]).await?;
        }
    })
    .await;

    assert_protocol_error(&receiver).await;
}

#[tokio::test]
async fn an_answer_that_is_not_http_is_a_protocol_error() {
    for answer in
        ["SSH-2.0-OpenSSH_9.6\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\x15\x03\x01\x00\x02\x02\x28\r\n\r\n"]
    {
        assert_protocol_error(&Receiver::answering(answer).await).await;
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_is_a_protocol_error() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc").await
    })
    .await;

    assert_protocol_error(&receiver).await;
}

async fn assert_protocol_error(receiver: &Receiver) {
    let outcome = exempt_sender().outcome(post(&receiver.url())).await;
    let Err(SendError::Protocol(reason)) = outcome else { panic!("{outcome:?}") };
    // hyper's outermost text is "client error (SendRequest)", which explains nothing.
    assert!(!reason.contains("client error"), "{reason}");
}
