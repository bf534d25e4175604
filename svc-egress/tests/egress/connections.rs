//! Requests as they are written, and the connections that carry them.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_egress::HyperSender;
use svc_webhooks::names::HeaderName;
use svc_webhooks::ports::{Outgoing, SendError};
use svc_webhooks::subscription::CustomHeaders;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc;
use tokio::time;

use crate::support::{
    Canary, FakeDns, Outcome, Receiver, exempt_loopback, exempt_sender, post, post_within, read_request,
};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

#[tokio::test]
async fn a_request_carries_the_callers_headers_and_body_as_they_are() {
    let seen = Arc::new(Mutex::new(String::new()));
    let notes = Arc::clone(&seen);
    let receiver = Receiver::start(move |mut stream| {
        let notes = Arc::clone(&notes);
        async move {
            *notes.lock().unwrap() = read_request(&mut stream).await?;
            stream.write_all(OK).await
        }
    })
    .await;
    let mut request = post(&receiver.url());
    request.headers = vec![
        (HeaderName::of("Content-Type"), "application/json".to_owned()),
        (HeaderName::of("User-Agent"), "SVC-Webhooks/1.0 (https://svc.example)".to_owned()),
        (HeaderName::of("X-SVC-Webhook-Account-Id"), String::new()),
    ];
    request.body = br#"{"id":"evt_1"}"#[..].into();

    exempt_sender().outcome(request).await.unwrap();

    let expected = format!(
        "POST /hook?a=1 HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         user-agent: SVC-Webhooks/1.0 (https://svc.example)\r\nx-svc-webhook-account-id: \r\n\
         accept-encoding: identity\r\ncontent-length: 14\r\n\r\n{{\"id\":\"evt_1\"}}",
        receiver.address
    );
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[tokio::test]
async fn headers_of_the_subscription_come_after_the_others_and_replace_none() {
    let seen = Arc::new(Mutex::new(String::new()));
    let notes = Arc::clone(&seen);
    let receiver = Receiver::start(move |mut stream| {
        let notes = Arc::clone(&notes);
        async move {
            *notes.lock().unwrap() = read_request(&mut stream).await?;
            stream.write_all(OK).await
        }
    })
    .await;
    let custom = |pairs: &[(&str, &str)]| {
        CustomHeaders::from_stored(
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        )
    };
    let mut request = post(&receiver.url());
    request.custom = custom(&[("X-Api-Key", "k 1"), ("Authorization", "Bearer a")]);
    exempt_sender().outcome(request).await.unwrap();
    let sent = seen.lock().unwrap().clone();
    assert!(
        sent.contains(
            "x-svc-webhook-event: webhook.test\r\nauthorization: Bearer a\r\nx-api-key: k 1\r\naccept-encoding"
        ),
        "{sent}"
    );

    let canary = Canary::new();
    for (name, value) in [
        ("X-SVC-Webhook-Event", "other"),
        ("Host", "other.example"),
        ("Content-Length", "3"),
        ("X-Split", "a\r\nx-other: b"),
        ("X Space", "a"),
    ] {
        let mut request = post(&format!("http://127.0.0.1:{}/", canary.port()));
        request.custom = custom(&[(name, value)]);
        let outcome = exempt_sender().outcome(request).await;
        assert_eq!(outcome, Err(SendError::Protocol(format!("the header `{name}` cannot be sent"))));
    }
    canary.assert_unreached();
}

#[tokio::test]
async fn headers_that_would_change_the_framing_are_not_sent() {
    let canary = Canary::new();
    for (name, value) in [
        ("Transfer-Encoding", "chunked"),
        ("Content-Length", "3"),
        ("Host", "other.example"),
        ("Connection", "close"),
        ("Accept-Encoding", "gzip"),
        ("X-Split", "a\r\nx-other: b"),
    ] {
        let mut request = post(&format!("http://127.0.0.1:{}/", canary.port()));
        request.headers.push((HeaderName::of(name), value.to_owned()));

        let outcome = exempt_sender().outcome(request).await;

        assert_eq!(outcome, Err(SendError::Protocol(format!("the header `{name}` cannot be sent"))));
    }
    canary.assert_unreached();
}

#[tokio::test]
async fn connections_are_used_again() {
    let receiver = Receiver::answering(OK).await;
    let sender = exempt_sender();

    for _ in 0..50 {
        assert_eq!(sender.outcome(post(&receiver.url())).await.map(|answer| answer.status), Ok(200));
    }

    // hyper may open one more while the first is on its way back to the pool.
    assert!(receiver.connections() <= 2, "{}", receiver.connections());
}

#[tokio::test]
async fn no_more_connections_are_kept_than_allowed() {
    let sender = HyperSender::new(exempt_loopback().most_kept(3)).unwrap();
    let mut receivers = Vec::new();
    for _ in 0..5 {
        receivers.push(Receiver::answering(OK).await);
    }

    for _ in 0..4 {
        for receiver in &receivers {
            sender.outcome(post(&receiver.url())).await.unwrap();
        }
    }

    let opened: Vec<_> = receivers.iter().map(Receiver::connections).collect();
    assert_eq!(opened, [1, 1, 1, 4, 4]);
}

#[tokio::test]
async fn one_that_is_not_kept_closes_after_its_answer() {
    let (closed, mut heard) = mpsc::unbounded_channel();
    let receiver = Receiver::start(move |mut stream| {
        let closed = closed.clone();
        async move {
            while read_request(&mut stream).await.is_ok() {
                stream.write_all(OK).await?;
            }
            closed.send(()).map_err(io::Error::other)
        }
    })
    .await;
    let sender = HyperSender::new(exempt_loopback().most_kept(1)).unwrap();
    let kept = Receiver::answering(OK).await;
    sender.outcome(post(&kept.url())).await.unwrap();

    sender.outcome(post(&receiver.url())).await.unwrap();

    // Sooner than for want of use.
    time::timeout(Duration::from_secs(12), heard.recv())
        .await
        .expect("closed")
        .expect("by the receiver's task");
}

#[tokio::test]
async fn a_receiver_that_reads_nothing_does_not_keep_its_connection() {
    let deaf = Receiver::start(|stream| async move {
        let _open = stream;
        std::future::pending().await
    })
    .await;
    let receiver = Receiver::answering(OK).await;
    let sender = HyperSender::new(exempt_loopback().most_kept(1)).unwrap();
    // More than both sides of a connection have room for.
    let large = Outgoing { body: vec![b'x'; 64 << 20].into(), ..post_within(&deaf.url(), 200) };

    assert_eq!(sender.outcome(large).await, Err(SendError::Timeout));
    time::pause();
    time::advance(Duration::from_secs(16)).await;
    time::resume();

    // Its place is free: another connection is kept.
    for _ in 0..3 {
        sender.outcome(post(&receiver.url())).await.unwrap();
    }
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn a_connection_is_not_used_again_after_a_minute() {
    let receiver = Receiver::answering(OK).await;
    let sender = exempt_sender();
    let send = async || sender.outcome(post(&receiver.url())).await.unwrap();

    // Ten seconds apart, so that the connection is never idle for too long.
    for _ in 0..=6 {
        send().await;
        time::pause();
        time::advance(Duration::from_secs(10)).await;
        time::resume();
    }
    let within_the_minute = receiver.connections();
    send().await;
    send().await;

    assert_eq!((within_the_minute, receiver.connections()), (1, 2));
}

#[tokio::test]
async fn each_new_connection_asks_the_dns_again() {
    // The receiver closes after each answer, and the name moves away from the exempt block.
    let receiver =
        Receiver::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
    let dns = FakeDns::with("hooks.test", &[&["127.0.0.1"], &["10.0.0.1"]]);
    let sender = HyperSender::with_resolver(exempt_loopback(), dns).unwrap();
    let url = format!("http://hooks.test:{}/", receiver.address.port());

    let first = sender.outcome(post(&url)).await;
    let second = sender.outcome(post(&url)).await;

    assert_eq!(first.map(|answer| answer.status), Ok(200));
    assert!(matches!(second, Err(SendError::Refused(_))), "{second:?}");
}

#[tokio::test]
async fn the_next_address_is_tried_when_one_does_not_answer() {
    let receiver = Receiver::answering(OK).await;
    // Nothing listens on this port at 127.0.0.2.
    let dns = FakeDns::with("hooks.test", &[&["127.0.0.2", "127.0.0.1"]]);
    let sender = HyperSender::with_resolver(exempt_loopback(), dns).unwrap();

    let answer = sender.outcome(post(&format!("http://hooks.test:{}/", receiver.address.port()))).await;

    assert_eq!(answer.map(|answer| answer.status), Ok(200));
}

#[tokio::test]
async fn a_port_where_nothing_listens_is_a_connect_failure() {
    let port = Canary::new().port();

    let outcome = exempt_sender().outcome(post(&format!("http://127.0.0.1:{port}/"))).await;

    assert!(matches!(outcome, Err(SendError::Connect(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_connection_reset_instead_of_an_answer_is_a_protocol_failure() {
    let receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        // No lingering: the kernel sends a reset instead of an orderly end.
        stream.set_zero_linger()
    })
    .await;

    let outcome = exempt_sender().outcome(post(&receiver.url())).await;

    assert!(matches!(outcome, Err(SendError::Protocol(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_request_cut_by_its_deadline_leaves_the_sender_usable() {
    let receiver = Receiver::start(|mut stream| async move {
        let request = read_request(&mut stream).await?;
        if request.contains("/slow") {
            std::future::pending::<io::Result<()>>().await
        } else {
            stream.write_all(OK).await
        }
    })
    .await;
    let sender = exempt_sender();
    let slow = format!("http://{}/slow", receiver.address);

    assert_eq!(sender.outcome(post_within(&slow, 100)).await, Err(SendError::Timeout));
    assert_eq!(sender.outcome(post(&receiver.url())).await.map(|answer| answer.status), Ok(200));
}
