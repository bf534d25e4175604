//! The corpus of hostile receivers: each exchange ends, in one of the ways listed for it.

use std::sync::LazyLock;
use std::time::Duration;

use bytes::Bytes;
use svc_egress::HyperSender;
use svc_testkit::hostile::{Behaviour, Certificates, End, FORGED, HOST, HostileReceiver, Stage, corpus};
use svc_webhooks::ports::{Exchange, HttpSender, Outgoing, SendError};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::support::{AMPLE, Canary, FakeDns, exempt_loopback, post};

/// For what ends with the deadline only.
const SHORT: Duration = Duration::from_millis(300);
/// Longer than any deadline: what takes longer has none.
const NEVER: Duration = Duration::from_mins(3);
/// With each receiver: a connection may be on its way back to the others while the next one is opened.
const EXCHANGES: usize = 4;
/// More than the buffers of two sockets take.
const LARGE_BYTES: usize = 32 * 1024 * 1024;
/// What the whole corpus may add to the memory of the process: one large request and its copies.
const MOST_MEMORY_KIB: u64 = 160 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_exchange_with_a_hostile_receiver_ends_as_listed_and_leaves_no_connection_behind() {
    let elsewhere = Canary::new();
    let stage = stage(&elsewhere);
    let sender = sender(&stage);
    let before = peak_memory_kib();

    let mut exchanges = JoinSet::new();
    for behaviour in corpus() {
        exchanges.spawn(exchanges_with(behaviour, stage.clone(), sender.clone()));
    }
    let behaviours = exchanges.len();
    let failures: Vec<_> = exchanges.join_all().await.into_iter().flatten().collect();

    let grown = peak_memory_kib() - before;
    println!(
        "hostile receivers: {behaviours} behaviours, {} exchanges, {} not as listed, \
         peak memory of both sides {grown} KiB higher",
        EXCHANGES * behaviours,
        failures.len(),
    );
    assert_eq!(failures, Vec::<String>::new());
    assert!(grown < MOST_MEMORY_KIB, "{grown} KiB");
    elsewhere.assert_unreached();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unsolicited_answer_is_never_taken_for_the_next_one() {
    let elsewhere = Canary::new();
    let stage = stage(&elsewhere);
    let sender = sender(&stage);
    let behind = ["an unsolicited answer behind the answer", "204 with an unsolicited answer as its body"];
    for behaviour in corpus().into_iter().filter(|behaviour| behind.contains(&behaviour.name)) {
        let receiver = HostileReceiver::start(behaviour, &stage).await.unwrap();
        for _ in 0..200 {
            // At once, with no time for the first connection to be found in disorder.
            let end = end(&sender.send(outgoing(&receiver, SHORT)).await);
            assert!(behaviour.ends.contains(&end) || end == End::Timeout, "{}: {end:?}", behaviour.name);
        }
    }
}

/// What is wrong with some exchanges, one after the other.
async fn exchanges_with(behaviour: Behaviour, stage: Stage, sender: HyperSender) -> Vec<String> {
    let receiver = HostileReceiver::start(behaviour, &stage).await.unwrap();
    let mut failures = Vec::new();
    for number in 1..=EXCHANGES {
        let taken = receiver.taken();
        let stalls = if number == 1 { behaviour.ends } else { behaviour.then } == [End::Timeout];
        let within = if stalls { SHORT } else { AMPLE };
        let Ok(exchange) = timeout(NEVER, sender.send(outgoing(&receiver, within))).await else {
            failures.push(format!("{} ({number}): did not end", behaviour.name));
            break;
        };
        // Of a new connection and a kept one, the first to be ready is used.
        let (end, then) = (end(&exchange), if number > 1 { behaviour.then } else { &[] });
        // A deadline may pass before the receiver has taken anything.
        if receiver.taken() == taken && !behaviour.kept && end != End::Timeout {
            failures.push(format!("{} ({number}): the connection was used again", behaviour.name));
        }
        if !behaviour.ends.contains(&end) && !then.contains(&end) {
            failures.push(format!("{} ({number}): {:?}", behaviour.name, exchange.result));
        }
        if behaviour.later {
            receiver.left().await;
            // The runtime hears of what the receiver closed when its driver turns next, as it does for a timer.
            sleep(stage.tick).await;
        }
    }
    if !behaviour.kept && timeout(NEVER, receiver.left()).await.is_err() {
        failures.push(format!("{}: a connection stays open", behaviour.name));
    }
    failures
}

fn stage(elsewhere: &Canary) -> Stage {
    Stage {
        tick: Duration::from_millis(20),
        elsewhere: format!("http://127.0.0.1:{}/", elsewhere.port()),
        certificates: Certificates::generate(),
    }
}

fn sender(stage: &Stage) -> HyperSender {
    let config = exempt_loopback().extra_roots(stage.certificates.roots());
    HyperSender::with_resolver(config, FakeDns::with(HOST, &[&["127.0.0.1"]])).unwrap()
}

fn outgoing(receiver: &HostileReceiver, timeout: Duration) -> Outgoing {
    static LARGE: LazyLock<Bytes> = LazyLock::new(|| vec![b'x'; LARGE_BYTES].into());
    let body = if receiver.behaviour.large { LARGE.clone() } else { b"{}"[..].into() };
    Outgoing { timeout, body, ..post(receiver.url()) }
}

fn end(exchange: &Exchange) -> End {
    assert_ne!(exchange.status(), Some(FORGED), "an unsolicited answer");
    match &exchange.result {
        Ok(answer) => {
            assert!(answer.body.len() <= 16 * 1024, "{} bytes", answer.body.len());
            End::Answered(answer.status)
        }
        Err(failure) => match &failure.error {
            SendError::Timeout => End::Timeout,
            SendError::Connect(_) => End::Connect,
            SendError::Tls(_) => End::Tls,
            SendError::Protocol(_) => End::Broken,
            error @ (SendError::Dns | SendError::Refused(_)) => {
                panic!("the receivers may be reached: {error}")
            }
        },
    }
}

/// The most memory that this process had so far.
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
