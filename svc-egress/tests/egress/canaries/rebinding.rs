//! Names that lead to a good address when they are looked at and to a canary when they are used.
//!
//! The good receiver and the canaries are on one port of different addresses of
//! this machine. Only the good one's address is exempt, which makes it as good as
//! a public one; each answer ends its connection, so that every request asks the
//! name server anew, as if all answers had a time to live of zero.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use svc_egress::{EgressConfig, HyperSender, Resolver};
use svc_webhooks::ports::{HttpSender, SendError};
use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;

use super::{Canaries, ips};
use crate::support::{Outcome, Receiver, endpoint, post, read_request};

const GOOD: &str = "127.0.0.2";
const CANARIES: &[&str] = &["127.0.0.1", "127.1.2.3", "127.255.255.254", "::1"];
/// What a name turns to: canaries, and other ways to write them.
const BAD: &[&str] =
    &["127.0.0.1", "127.1.2.3", "127.255.255.254", "::1", "0.0.0.0", "::", "::ffff:127.0.0.1"];
const PUBLIC: &str = "93.184.216.34";
/// Requests under each name.
const REQUESTS: usize = 6;

#[derive(Clone, Copy)]
enum Word {
    Good,
    Bad,
    /// A good and a bad one.
    GoodBad,
    /// A bad and a good one.
    BadGood,
    Nothing,
    Failure,
}
use Word::{Bad, BadGood, Failure, Good, GoodBad, Nothing};

/// What the name server says, again from the start at its end.
const STORIES: &[(&str, &[Word])] = &[
    ("good when it is checked, bad ever after", &[Good, Bad, Bad, Bad, Bad, Bad, Bad]),
    ("in turn, good first", &[Good, Bad]),
    ("in turn, bad first", &[Bad, Good]),
    ("good for two, bad for one", &[Good, Good, Bad]),
    ("good for one, bad for two", &[Good, Bad, Bad]),
    ("both, the good one first", &[GoodBad]),
    ("both, the bad one first", &[BadGood]),
    ("good alone, then both", &[Good, GoodBad, Good, BadGood]),
    ("bad between failures", &[Good, Failure, Bad, Nothing, Good]),
];

#[tokio::test]
async fn a_name_that_is_bound_anew_reaches_no_canary() {
    let (receiver, canaries) = scene().await;
    let url = format!("http://hooks.test:{}/", canaries.port());
    let (mut names, mut answered, mut reached) = (0, 0, 0);
    for (story, words) in STORIES {
        for bad in BAD {
            let sender = sender(Names::telling(words, bad));
            drop(sender.check(&endpoint(&url)).await);
            let before = receiver.connections();
            let mut good = 0;
            for _ in 0..REQUESTS {
                match sender.outcome(post(&url)).await {
                    Ok(answer) => good += usize::from(answer.status == 200),
                    Err(SendError::Refused(_) | SendError::Dns) => {}
                    Err(error) => panic!("{story}, {bad}: {error}"),
                }
            }
            assert_eq!(receiver.connections() - before, good, "{story}, {bad}");
            let through = canaries.reached();
            assert_eq!(through, 0, "{story}, {bad}");
            (names, answered, reached) = (names + 1, answered + good, reached + through);
        }
    }
    println!(
        "rebinding: {names} names, {} requests, {answered} answered by the good receiver, \
         connections that came through to canaries: {reached}",
        names * REQUESTS,
    );
    assert!(answered > 100, "{answered}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_side_by_side_under_a_name_in_turn_reach_no_canary() {
    let (receiver, canaries) = scene().await;
    let url = format!("http://hooks.test:{}/", canaries.port());
    let sender = sender(Names::telling(&[Good, Bad, GoodBad], "127.0.0.1"));

    let mut requests = JoinSet::new();
    for _ in 0..200 {
        let (sender, url) = (sender.clone(), url.clone());
        requests.spawn(async move { sender.outcome(post(&url)).await });
    }
    let outcomes = requests.join_all().await;

    assert_eq!(canaries.reached(), 0);
    assert!(outcomes.iter().any(Result::is_ok) && outcomes.iter().any(Result::is_err));
    assert!(receiver.connections() > 0);
}

#[tokio::test]
async fn a_public_name_that_turns_inwards_between_check_and_connection_reaches_no_canary() {
    let canaries = Canaries::everywhere();
    let url = format!("https://hooks.example.com:{}/", canaries.port());
    for bad in BAD {
        for turned in [ips(&[bad]), ips(&[bad, PUBLIC]), ips(&[PUBLIC, bad]), ips(&[PUBLIC, PUBLIC, bad])] {
            let names = Names::of(vec![Ok(ips(&[PUBLIC])), Ok(turned.clone()), Ok(turned.clone())]);
            let config = EgressConfig::default().ports(vec![canaries.port()]);
            let sender = HyperSender::with_resolver(config, names).unwrap();

            assert_eq!(sender.check(&endpoint(&url)).await, Ok(()));
            for _ in 0..2 {
                let outcome = sender.outcome(post(&url)).await;
                assert!(matches!(outcome, Err(SendError::Refused(_))), "{turned:?}: {outcome:?}");
            }
            assert_eq!(canaries.reached(), 0, "{turned:?}");
        }
    }
}

/// The good receiver, and canaries on its port.
async fn scene() -> (Receiver, Canaries) {
    loop {
        let receiver = Receiver::start_on(GOOD, |mut stream| async move {
            read_request(&mut stream).await?;
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await
        })
        .await;
        // The port may be in use on another address.
        if let Ok(canaries) = Canaries::on(receiver.address.port(), CANARIES) {
            return (receiver, canaries);
        }
    }
}

fn sender(names: Arc<Names>) -> HyperSender {
    let exempt = vec![format!("{GOOD}/32").parse().unwrap()];
    HyperSender::with_resolver(EgressConfig::default().exempt(exempt), names).unwrap()
}

/// A name server that answers in turn.
struct Names {
    answers: Vec<Result<Vec<IpAddr>, ()>>,
    asked: AtomicUsize,
}

impl Names {
    fn of(answers: Vec<Result<Vec<IpAddr>, ()>>) -> Arc<Self> {
        Arc::new(Self { answers, asked: AtomicUsize::new(0) })
    }

    fn telling(words: &[Word], bad: &str) -> Arc<Self> {
        let answer = |word: &Word| match word {
            Good => Ok(ips(&[GOOD])),
            Bad => Ok(ips(&[bad])),
            GoodBad => Ok(ips(&[GOOD, bad])),
            BadGood => Ok(ips(&[bad, GOOD])),
            Nothing => Ok(Vec::new()),
            Failure => Err(()),
        };
        Self::of(words.iter().map(answer).collect())
    }
}

#[async_trait]
impl Resolver for Names {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        let turn = self.asked.fetch_add(1, Ordering::SeqCst) % self.answers.len();
        let answer = self.answers.get(turn).cloned().unwrap_or(Err(()));
        answer.map_err(|()| io::Error::other("the name server fails"))
    }
}
