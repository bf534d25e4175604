//! What must never be reached is not reached, by any way round.

use std::net::IpAddr;

use svc_egress::{EgressConfig, HyperSender};
use svc_webhooks::ports::{HttpSender, Refusal, SendError};

use crate::support::{Canary, FakeDns, Outcome, Receiver, endpoint, exempt_loopback, exempt_sender, post};

/// The canary's port is open to public targets too: only its address protects it.
fn strict(canary: &Canary) -> EgressConfig {
    EgressConfig::default().ports(vec![canary.port()])
}

fn loopback(address: &str) -> Refusal {
    Refusal::NotPublic { address: address.parse().unwrap(), reason: "loopback" }
}

#[tokio::test]
async fn a_canary_on_loopback_is_unreached_under_every_spelling() {
    let canary = Canary::new();
    let sender = HyperSender::new(strict(&canary)).unwrap();
    let port = canary.port();

    for host in
        ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0", "[::1]", "[::ffff:127.0.0.1]", "localhost"]
    {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            let outcome = sender.outcome(post(&url)).await;
            assert!(matches!(outcome, Err(SendError::Refused(_))), "{url}: {outcome:?}");
        }
    }

    canary.assert_unreached();
}

#[tokio::test]
async fn a_name_that_turns_to_loopback_after_the_check_is_refused_at_sending() {
    let canary = Canary::new();
    let dns = FakeDns::with("hooks.example.com", &[&["93.184.216.34"], &["127.0.0.1"]]);
    let sender = HyperSender::with_resolver(strict(&canary), dns).unwrap();
    let url = format!("https://hooks.example.com:{}/", canary.port());

    assert_eq!(sender.check(&endpoint(&url)).await, Ok(()));
    let outcome = sender.outcome(post(&url)).await;

    assert_eq!(outcome, Err(SendError::Refused(loopback("127.0.0.1"))));
    canary.assert_unreached();
}

#[tokio::test]
async fn one_loopback_answer_among_public_ones_refuses_the_name() {
    let canary = Canary::new();
    let dns = FakeDns::with("hooks.example.com", &[&["127.0.0.1", "93.184.216.34", "2606:2800:220:1::1"]]);
    let sender = HyperSender::with_resolver(strict(&canary), dns).unwrap();

    let outcome = sender.outcome(post(&format!("https://hooks.example.com:{}/", canary.port()))).await;

    assert_eq!(outcome, Err(SendError::Refused(loopback("127.0.0.1"))));
    canary.assert_unreached();
}

#[tokio::test]
async fn the_open_socket_is_judged_by_its_peer_and_not_by_the_address_asked_for() {
    // Linux takes 0.0.0.0 for this host: the peer is 127.0.0.1, which is not exempt.
    let receiver = Receiver::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let config = EgressConfig::default().exempt(vec!["0.0.0.0/32".parse().unwrap()]);
    let sender = HyperSender::new(config).unwrap();

    let outcome = sender.outcome(post(&format!("http://0.0.0.0:{}/", receiver.address.port()))).await;

    // Refused as what a target that is not exempt must not be: plain http.
    assert_eq!(outcome, Err(SendError::Refused(Refusal::NotHttps)));
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let canary = Canary::new();
    for status in [301, 302, 303, 307, 308] {
        let answer = format!(
            "HTTP/1.1 {status} Elsewhere\r\nlocation: http://127.0.0.1:{}/\r\ncontent-length: 0\r\n\r\n",
            canary.port()
        );
        let receiver = Receiver::answering(answer).await;

        let answer = exempt_sender().outcome(post(&receiver.url())).await.unwrap();

        assert_eq!(answer.status, status);
    }
    canary.assert_unreached();
}

#[tokio::test]
async fn a_target_is_exempt_by_address_only_when_every_answer_is() {
    let receiver = Receiver::answering("HTTP/1.1 204 No Content\r\n\r\n").await;
    let url = format!("http://receiver:{}/", receiver.address.port());
    let inside = FakeDns::with("receiver", &[&["127.0.0.1"]]);
    let mixed = FakeDns::with("receiver", &[&["127.0.0.1", "93.184.216.34"]]);

    let exempt = HyperSender::with_resolver(exempt_loopback(), inside).unwrap();
    let refused = HyperSender::with_resolver(exempt_loopback(), mixed).unwrap();

    assert_eq!(exempt.outcome(post(&url)).await.map(|answer| answer.status), Ok(204));
    assert_eq!(refused.outcome(post(&url)).await, Err(SendError::Refused(Refusal::NotHttps)));
    assert_eq!(receiver.connections(), 1);
}

#[tokio::test]
async fn without_exemptions_an_internal_name_is_not_even_looked_up() {
    let dns = FakeDns::with("db.internal", &[&["93.184.216.34"], &["127.0.0.1"]]);
    let sender = HyperSender::with_resolver(EgressConfig::default(), dns.clone()).unwrap();

    let outcome = sender.check(&endpoint("https://db.internal/")).await;

    assert_eq!(outcome, Err(Refusal::InternalName("db.internal".to_owned())));
    let first: Vec<IpAddr> = svc_egress::Resolver::resolve(&*dns, "db.internal").await.unwrap();
    assert_eq!(first, ["93.184.216.34".parse::<IpAddr>().unwrap()], "the first answer is still unused");
}

#[tokio::test]
async fn a_name_without_addresses_is_a_dns_failure() {
    let sender = HyperSender::with_resolver(EgressConfig::default(), FakeDns::with("x", &[])).unwrap();

    assert_eq!(sender.outcome(post("https://gone.example.com/")).await, Err(SendError::Dns));
    assert_eq!(
        sender.check(&endpoint("https://gone.example.com/")).await,
        Err(Refusal::Unresolvable("gone.example.com".to_owned()))
    );
}
