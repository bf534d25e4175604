//! Makes contacts through the API at a steady rate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use svc_core::id::SubscriptionId;
use tokio::time::sleep_until;

use crate::load::Stream;

/// Connections to the API.
const CONNECTIONS: usize = 8;

/// A caller of the API for all companies.
#[derive(Clone, Debug)]
pub struct Publisher {
    api: SocketAddr,
    authorizations: Arc<[String]>,
}

/// A contact that was made.
#[derive(Clone, Debug)]
pub struct Published {
    /// Its id.
    pub contact: String,
    /// When the request was due to be sent.
    pub due: Instant,
}

impl Publisher {
    /// A caller with a token of each company.
    #[must_use]
    pub fn new(api: SocketAddr, authorizations: Vec<String>) -> Self {
        Self { api, authorizations: authorizations.into() }
    }

    /// Makes so many contacts a second, of one company after the other.
    ///
    /// # Panics
    /// When one is refused.
    pub async fn publish(&self, a_second: u32, span: Duration) -> Vec<Published> {
        let between = Duration::from_secs(1) / a_second;
        let count = u32::try_from(span.as_nanos() / between.as_nanos()).expect("not for years");
        self.contacts(count, CONNECTIONS, between).await
    }

    /// Makes so many contacts as fast as so many clients can; answers their ids.
    ///
    /// # Panics
    /// When one is refused.
    pub async fn publish_at_once(&self, count: u32, clients: usize) -> Vec<String> {
        let made = self.contacts(count, clients, Duration::ZERO).await;
        made.into_iter().map(|one| one.contact).collect()
    }

    async fn contacts(&self, count: u32, clients: usize, between: Duration) -> Vec<Published> {
        let (start, next) = (Instant::now(), Arc::new(AtomicU32::new(0)));
        let mut tasks = Vec::new();
        for _ in 0..clients {
            let (caller, next) = (self.clone(), Arc::clone(&next));
            tasks.push(tokio::spawn(async move {
                let mut stream = Stream::open(caller.api).await;
                let mut published = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return published;
                    }
                    let due = start + between * number;
                    if !between.is_zero() {
                        sleep_until(due.into()).await;
                    }
                    let contact = caller.contact(&mut stream, number).await;
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
        let request = self.request(
            company,
            &format!("PATCH /api/v1/webhooks/subscriptions/{id}"),
            &format!("{{\"active\":{active}}}"),
        );
        let mut stream = Stream::open(self.api).await;
        let answer = stream.ask(&request).await;
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(answer));
    }

    async fn contact(&self, stream: &mut Stream, number: u32) -> String {
        let body = format!("{{\"kind\":\"organization\",\"legalName\":\"Luna {number} SA\"}}");
        let company = number as usize % self.authorizations.len();
        let answer = stream.ask(&self.request(company, "POST /api/v1/contacts", &body)).await;
        let answer = String::from_utf8_lossy(answer);
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        let id = answer.split("\"id\":\"").find(|part| part.starts_with("con_"));
        id.and_then(|part| part.split('"').next()).expect("an id").to_owned()
    }

    fn request(&self, company: usize, line: &str, body: &str) -> Vec<u8> {
        let authorization = self.authorizations.get(company).expect("a company");
        format!(
            "{line} HTTP/1.1\r\nhost: localhost\r\nauthorization: {authorization}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}
