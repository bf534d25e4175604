//! Makes and changes contacts through the API, at a steady rate or as fast as it goes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use svc_core::id::SubscriptionId;
use tokio::time::sleep_until;

use super::mix::{Ask, Customer, Mix};
use crate::load::Stream;

/// Connections to the API.
const CONNECTIONS: usize = 8;

/// A caller of the API for all companies.
#[derive(Clone, Debug)]
pub struct Publisher {
    api: SocketAddr,
    authorizations: Arc<[String]>,
    mix: Mix,
    /// The number of the next request: no two of one publisher and its copies have the same.
    next: Arc<AtomicU32>,
}

/// A contact that was made or changed, once for each change.
#[derive(Clone, Debug)]
pub struct Published {
    /// Its id.
    pub contact: String,
    /// When the request was due to be sent.
    pub due: Instant,
}

impl Publisher {
    /// A caller with a token of each company, which makes bare contacts.
    #[must_use]
    pub fn new(api: SocketAddr, authorizations: Vec<String>) -> Self {
        Self { api, authorizations: authorizations.into(), mix: Mix::Bare, next: Arc::new(AtomicU32::new(1)) }
    }

    /// The same caller with requests of this mix.
    #[must_use]
    pub fn sending(&self, mix: Mix) -> Self {
        Self { mix, ..self.clone() }
    }

    /// The same caller whose companies have contacts with the numbers up to this one.
    #[must_use]
    pub fn after(self, contacts: u32) -> Self {
        Self { next: Arc::new(AtomicU32::new(contacts + 1)), ..self }
    }

    /// Makes so many requests a second, of one company after the other.
    ///
    /// # Panics
    /// When one is refused.
    pub async fn publish(&self, a_second: u32, span: Duration) -> Vec<Published> {
        let between = Duration::from_secs(1) / a_second;
        let count = u32::try_from(span.as_nanos() / between.as_nanos()).expect("not for years");
        self.contacts(count, CONNECTIONS, between).await
    }

    /// Makes so many requests as fast as so many clients can: each is due when its client is free.
    ///
    /// # Panics
    /// When one is refused.
    pub async fn publish_at_once(&self, count: u32, clients: usize) -> Vec<Published> {
        self.contacts(count, clients, Duration::ZERO).await
    }

    async fn contacts(&self, count: u32, clients: usize, between: Duration) -> Vec<Published> {
        let (start, asked) = (Instant::now(), Arc::new(AtomicU32::new(0)));
        let mut tasks = Vec::new();
        for _ in 0..clients {
            let (caller, asked) = (self.clone(), Arc::clone(&asked));
            tasks.push(tokio::spawn(async move {
                let mut stream = Stream::open(caller.api).await;
                let mut customers: Vec<_> =
                    caller.authorizations.iter().map(|_| Customer::new(caller.mix)).collect();
                let mut published = Vec::new();
                loop {
                    let turn = asked.fetch_add(1, Ordering::Relaxed);
                    if turn >= count {
                        return published;
                    }
                    let due = if between.is_zero() { Instant::now() } else { start + between * turn };
                    sleep_until(due.into()).await;
                    let contact = caller.contact(&mut stream, &mut customers, turn).await;
                    published.push(Published { contact, due });
                }
            }));
        }
        let mut published = Vec::new();
        for task in tasks {
            published.extend(task.await.expect("every contact was made"));
        }
        published
    }

    /// Switches a subscription of a company, by the number of its token, on or off.
    ///
    /// # Panics
    /// When that is refused.
    pub async fn switch(&self, company: usize, id: SubscriptionId, active: bool) {
        let line = format!("PATCH /api/v1/webhooks/subscriptions/{id}");
        let body = format!("{{\"active\":{active}}}");
        let request = self.request(company, &Ask { line, body, version: None, status: 200 });
        let mut stream = Stream::open(self.api).await;
        let answer = stream.ask(&request).await;
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(answer));
    }

    async fn contact(&self, stream: &mut Stream, customers: &mut [Customer], turn: u32) -> String {
        let company = turn as usize % customers.len();
        let customer = customers.get_mut(company).expect("one of each company");
        let ask = customer.next(self.next.fetch_add(1, Ordering::Relaxed));
        let answer = stream.ask(&self.request(company, &ask)).await;
        let answer = String::from_utf8_lossy(answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {}", ask.status)), "{}: {answer}", ask.line);
        let id = answer.split("\"id\":\"").find(|part| part.starts_with("con_"));
        let id = id.and_then(|part| part.split('"').next()).expect("an id").to_owned();
        customer.answered(&id);
        id
    }

    fn request(&self, company: usize, Ask { line, body, version, .. }: &Ask) -> Vec<u8> {
        let authorization = self.authorizations.get(company).expect("a company");
        let expected = version.map_or_else(String::new, |version| format!("if-match: \"{version}\"\r\n"));
        format!(
            "{line} HTTP/1.1\r\nhost: localhost\r\nauthorization: {authorization}\r\n{expected}\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}
