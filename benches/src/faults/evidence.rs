//! Lays beside each other what clients were told, what is stored, and what arrived.
//!
//! A delivery that arrives twice, answered with 2xx both times, must have an excuse: the process that made the first
//! attempt was killed and another one made the second, or a fault of all came between the two. Otherwise it is
//! unexplained.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::{Arrival, Client, Kept, Process, Report, until};

/// Attempts that a server has under way at most, and settlements of one commit: what a server that dies
/// can have sent without having it written down.
const UNDER_WAY: usize = 512 + 500;

/// Something that ended a server, or its database.
#[derive(Clone, Debug)]
pub struct Fault {
    /// When it began, and when nothing of what it ended was left.
    pub span: (Instant, Instant),
    /// The process whose attempts it ended, by a name that no other one has; those of all processes when it is `None`.
    pub sender: Option<String>,
    /// Attempts that were open at the receiver when it came.
    pub open: usize,
}

/// All that a run leaves behind.
pub struct Evidence {
    /// What clients were told.
    pub kept: Kept,
    /// The contacts that are stored: their ids and names.
    pub stored: Vec<(String, String)>,
    /// What arrived.
    pub arrivals: Vec<Arrival>,
    /// Subscriptions to `contact.create`, numbered from 0.
    pub subscriptions: u16,
    /// What was done to the service, in order.
    pub faults: Vec<Fault>,
    /// What may repeat at each fault beyond what a server has under way.
    pub slack: usize,
}

/// Waits until nothing is left to be delivered.
pub async fn settled(server: &Process) {
    until("the queue is empty", || server.is_idle()).await;
}

impl Evidence {
    /// Reads all contacts through the API.
    ///
    /// # Panics
    /// When a page cannot be read.
    pub async fn stored(server: SocketAddr, token: &str) -> Vec<(String, String)> {
        let mut client = Client::new(token);
        let mut stored = Vec::new();
        for page in 1.. {
            let answer = client.get(server, &format!("/api/v1/contacts?limit=200&page={page}")).await;
            let answer = answer.expect("a page");
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
            let list: serde_json::Value = serde_json::from_slice(&answer.body).expect("JSON");
            let contacts = list.get("contacts").and_then(serde_json::Value::as_array).expect("a list");
            if contacts.is_empty() {
                break;
            }
            stored.extend(contacts.iter().map(|contact| {
                let text =
                    |member| contact.get(member).and_then(serde_json::Value::as_str).unwrap_or_default();
                (text("id").to_owned(), text("legalName").to_owned())
            }));
        }
        stored
    }

    /// Adds what it shows to a report.
    pub fn report(&self, report: &mut Report) {
        let stored: BTreeSet<&str> = self.stored.iter().map(|(id, _)| id.as_str()).collect();
        let names: BTreeSet<&str> = self.stored.iter().map(|(_, name)| name.as_str()).collect();
        let lost = self.kept.acknowledged.iter().filter(|(id, _)| !stored.contains(id.as_str())).count();
        report.shown("changes acknowledged with 201", self.kept.acknowledged.len());
        report.shown("changes stored", self.stored.len());
        report.most("acknowledged changes lost", lost, 0);
        report.most("changes made twice", self.stored.len() - names.len(), 0);
        report.shown("deliveries that arrived", self.arrivals.len());
        let missing = self.missing();
        report.most("deliveries lost", missing, 0);
        let strange = self.arrivals.iter().filter(|arrival| !stored.contains(arrival.object.as_str()));
        report.most("deliveries of changes that do not exist", strange.count(), 0);
        self.report_repeats(report);
        for (answer, count) in &self.kept.refused {
            report.shown(&format!("answers {answer}"), count);
        }
        report.shown("connections broken under a client", self.kept.broken);
        report.most("answers that are wrong", self.kept.wrong, 0);
    }

    /// Stored changes that a subscription was not told of.
    fn missing(&self) -> usize {
        let accepted = self.arrivals.iter().filter(|arrival| arrival.accepted().is_some());
        let told: BTreeSet<(u16, &str)> =
            accepted.map(|arrival| (arrival.subscription, arrival.object.as_str())).collect();
        let wanted =
            self.stored.iter().flat_map(|(id, _)| (0..self.subscriptions).map(move |one| (one, id.as_str())));
        wanted.filter(|one| !told.contains(one)).count()
    }

    fn report_repeats(&self, report: &mut Report) {
        let mut of: HashMap<(u16, &str), Vec<&Arrival>> = HashMap::new();
        for arrival in self.arrivals.iter().filter(|arrival| arrival.accepted().is_some()) {
            of.entry((arrival.subscription, &arrival.event)).or_default().push(arrival);
        }
        let mut at_fault: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut total, mut unexplained, mut oldest) = (0, 0, Duration::ZERO);
        for arrivals in of.values() {
            for pair in arrivals.windows(2) {
                let [first, second] = pair else { continue };
                total += 1;
                let Some(place) = self.faults.iter().position(|fault| excuses(fault, first, second)) else {
                    unexplained += 1;
                    continue;
                };
                *at_fault.entry(place).or_default() += 1;
                let (_, over) = self.faults.get(place).map_or((first.at, first.at), |fault| fault.span);
                oldest = oldest.max(over.saturating_duration_since(first.accepted().unwrap_or(over)));
            }
        }
        let open = self.faults.iter().map(|fault| fault.open);
        report.shown("attempts open at the receiver at a fault, at most", open.max().unwrap_or_default());
        report.shown("repeats in all", total);
        let each: Vec<usize> =
            (0..self.faults.len()).map(|place| at_fault.get(&place).copied().unwrap_or_default()).collect();
        report.shown("repeats at each fault", format!("{each:?}"));
        let worst = each.into_iter().max().unwrap_or_default();
        report.most("repeats at one fault", worst, UNDER_WAY + self.slack);
        report.most("repeats that no fault explains", unexplained, 0);
        report.shown("longest before its fault that a repeat was first accepted, ms", oldest.as_millis());
    }
}

/// Whether the fault ended what the first of them began.
///
/// When an attempt is read from its connection does not tell whether it was sent before a kill: a receiver
/// that has much to do may read it later. Who sent it does.
fn excuses(fault: &Fault, first: &Arrival, second: &Arrival) -> bool {
    let (began, over) = fault.span;
    match &fault.sender {
        Some(name) => first.sender.contains(name.as_str()) && !second.sender.contains(name.as_str()),
        None => first.at <= over && began <= second.at,
    }
}
