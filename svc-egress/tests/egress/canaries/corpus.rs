//! The whole corpus against canaries.

use svc_egress::{EgressConfig, HyperSender};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{HttpSender, SendError};

use super::Canaries;
use crate::corpus::corpus;
use crate::support::{AMPLE, FakeDns, Outcome, post};

#[tokio::test]
async fn no_case_of_the_corpus_reaches_a_canary() {
    let canaries = Canaries::everywhere();
    let (mut cases, mut reached) = (0, Vec::new());
    for case in corpus() {
        // What is rightly allowed would leave this machine.
        let Ok(endpoint) = Endpoint::parse(&case.url) else { continue };
        if case.verdict == "allowed" && case.exempt.is_empty() {
            continue;
        }
        let endpoint = if case.verdict == "port" { endpoint } else { at(&endpoint, canaries.port()) };
        // Nothing is exempt, and the canaries' port is good: only what the case is about protects them.
        let config = EgressConfig::default().ports(vec![canaries.port()]);
        let sender = HyperSender::with_resolver(config, case.dns(&endpoint)).unwrap();

        let before = sender.check(&endpoint).await;
        let first = sender.outcome(post(endpoint.as_str())).await;
        let again = sender.outcome(post(endpoint.as_str())).await;
        let document = sender.fetch(endpoint.url(), "application/json", AMPLE).await;
        let document = document.result.map_err(|failure| failure.error);

        assert!(before.is_err(), "{endpoint}");
        for outcome in [first, again, document] {
            assert!(
                matches!(outcome, Err(SendError::Refused(_) | SendError::Dns)),
                "{endpoint}: {outcome:?}"
            );
        }
        cases += 1;
        if canaries.reached() > 0 {
            reached.push(endpoint.to_string());
        }
    }
    println!(
        "canaries: {cases} cases of the corpus, each sent to twice and read from once, connections that came through: {}",
        reached.len()
    );
    assert_eq!(reached, Vec::<String>::new());
    assert!(cases > 250, "{cases}");
}

#[tokio::test]
async fn with_the_loopback_exempt_every_way_to_it_reaches_a_canary() {
    let canaries = Canaries::everywhere();
    let exempt = ["127.0.0.0/8", "0.0.0.0/32", "::/128", "::1/128"].map(|block| block.parse().unwrap());
    for host in [
        "127.0.0.1",
        "127.0.0.2",
        "127.1.2.3",
        "127.255.255.254",
        "127.1",
        "2130706433",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "localhost",
    ] {
        let config = EgressConfig::default().exempt(exempt.to_vec());
        let sender =
            HyperSender::with_resolver(config, FakeDns::with("localhost", &[&["127.0.0.1"]])).unwrap();
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{}/", canaries.port());

            let outcome = sender.outcome(post(&url)).await;

            assert!(outcome.is_err(), "a canary does not answer: {url}");
            assert_eq!(canaries.reached(), 1, "{url}: {outcome:?}");
        }
    }
}

/// The same endpoint on another port.
fn at(endpoint: &Endpoint, port: u16) -> Endpoint {
    let mut url = endpoint.url().clone();
    url.set_port(Some(port)).unwrap();
    Endpoint::parse(url.as_str()).unwrap()
}
