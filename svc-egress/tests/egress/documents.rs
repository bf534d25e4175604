//! Documents are read by GET, with the same limits as answers to what is sent.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_egress::{EgressConfig, HyperSender};
use svc_webhooks::ports::{Exchange, Refusal, SendError};
use tokio::io::AsyncWriteExt as _;
use url::Url;

use crate::support::{AMPLE, Canary, Receiver, exempt_sender, read_request};

async fn fetch(sender: &HyperSender, url: &str) -> Exchange {
    sender.fetch(&Url::parse(url).unwrap(), "application/json", AMPLE).await
}

#[tokio::test]
async fn a_document_is_asked_for_by_its_media_type_and_a_redirect_is_an_answer() {
    let heard = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&heard);
    let receiver = Receiver::start(move |mut stream| {
        let kept = Arc::clone(&kept);
        async move {
            let request = read_request(&mut stream).await?;
            kept.lock().unwrap().push_str(&request);
            stream
                .write_all(
                    b"HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 2\r\n\r\n{}",
                )
                .await
        }
    })
    .await;
    let answer = fetch(&exempt_sender(), &receiver.url()).await.result.unwrap();
    assert_eq!((answer.status, &*answer.body, answer.truncated), (302, b"{}".as_slice(), false));
    let heard = heard.lock().unwrap().to_lowercase();
    assert!(heard.starts_with("get /hook?a=1 http/1.1\r\n"), "{heard}");
    for line in ["accept: application/json\r\n", "accept-encoding: identity\r\n", "user-agent: svc-egress/"] {
        assert!(heard.contains(line), "{heard}");
    }
    assert!(!heard.contains("content-length"), "{heard}");
}

#[tokio::test]
async fn a_document_comes_from_public_addresses_in_so_many_bytes_and_in_time() {
    let canary = Canary::new();
    let guarded = HyperSender::new(EgressConfig::default()).unwrap();
    let refused = fetch(&guarded, &format!("https://127.0.0.1:{}/c", canary.port())).await;
    let error = refused.result.expect_err("not public").error;
    assert!(matches!(error, SendError::Refused(Refusal::NotPublic { .. } | Refusal::Port(_))), "{error:?}");
    canary.assert_unreached();

    let long = format!("HTTP/1.1 200 OK\r\ncontent-length: 20000\r\n\r\n{}", "x".repeat(20_000));
    let receiver = Receiver::answering(long).await;
    let answer = fetch(&exempt_sender(), &receiver.url()).await.result.unwrap();
    assert_eq!((answer.body.len(), answer.truncated), (16 * 1024, true));

    let silent = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await?;
        std::future::pending().await
    })
    .await;
    let url = Url::parse(&silent.url()).unwrap();
    let late = exempt_sender().fetch(&url, "application/json", Duration::from_millis(200)).await;
    assert!(matches!(late.result.expect_err("late").error, SendError::Timeout));
}
