//! `tests/corpus.json`: URLs, what the DNS says of them, and the verdict.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Deserialize;
use svc_egress::{EgressConfig, HyperSender};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{HttpSender, Refusal, SendError};

use crate::support::{FakeDns, Outcome, post};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) url: String,
    /// What any name resolves to; `null` when it does not.
    #[serde(default)]
    dns: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) exempt: Vec<String>,
    pub(crate) verdict: String,
}

pub(crate) fn corpus() -> Vec<Case> {
    serde_json::from_str(include_str!("../corpus.json")).unwrap()
}

impl Case {
    fn sender(&self, endpoint: &Endpoint) -> HyperSender {
        let exempt = self.exempt.iter().map(|block| block.parse().unwrap()).collect();
        let config = EgressConfig::default().exempt(exempt);
        HyperSender::with_resolver(config, self.dns(endpoint)).unwrap()
    }

    /// A name server that says of the endpoint's name what the case says.
    pub(crate) fn dns(&self, endpoint: &Endpoint) -> Arc<FakeDns> {
        let name = endpoint.url().host_str().unwrap().trim_end_matches('.').to_owned();
        match &self.dns {
            Some(answers) => FakeDns::with(&name, &[&answers.iter().map(String::as_str).collect::<Vec<_>>()]),
            None => Arc::new(FakeDns::default()),
        }
    }
}

fn verdict(outcome: &Result<(), Refusal>) -> String {
    match outcome {
        Ok(()) => "allowed".to_owned(),
        Err(Refusal::NotHttps) => "not https".to_owned(),
        Err(Refusal::InternalName(_)) => "internal name".to_owned(),
        Err(Refusal::Unresolvable(_)) => "unresolvable".to_owned(),
        Err(Refusal::NotPublic { reason, .. }) => format!("not public: {reason}"),
        Err(Refusal::Port(_)) => "port".to_owned(),
    }
}

#[tokio::test]
async fn every_case_of_the_corpus_gets_its_verdict() {
    let mut others = Vec::new();
    for case in corpus() {
        let found = match Endpoint::parse(&case.url) {
            Err(_) => "not an endpoint".to_owned(),
            Ok(endpoint) => verdict(&case.sender(&endpoint).check(&endpoint).await),
        };
        if found != case.verdict {
            others.push(format!("{case:?}: {found}"));
        }
    }
    assert_eq!(others, Vec::<String>::new());
}

#[tokio::test]
async fn sending_refuses_all_that_the_check_refuses() {
    for case in corpus() {
        let Ok(endpoint) = Endpoint::parse(&case.url) else { continue };
        let sender = case.sender(&endpoint);
        let Err(refusal) = sender.check(&endpoint).await else { continue };
        let expected = match refusal {
            Refusal::Unresolvable(_) => SendError::Dns,
            refusal @ (Refusal::NotHttps
            | Refusal::InternalName(_)
            | Refusal::NotPublic { .. }
            | Refusal::Port(_)) => SendError::Refused(refusal),
        };
        assert_eq!(sender.outcome(post(&case.url)).await, Err(expected), "{}", case.url);
    }
}

#[test]
fn the_corpus_is_large_and_covers_every_verdict() {
    let corpus = corpus();
    let verdicts: HashSet<_> = corpus.iter().map(|case| case.verdict.split(':').next().unwrap()).collect();

    assert!(corpus.len() >= 300, "{}", corpus.len());
    assert_eq!(verdicts.len(), 7, "{verdicts:?}");
}
