//! A receiver in the run's own process, which remembers everything that arrives.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use svc_testkit::fakes::SeededRandom;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::sleep;

/// How deliveries are answered.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// So many of a hundred with 500.
    pub failing: u64,
    /// So many of a hundred only after up to `slowly`.
    pub slow: u64,
    /// The longest that an answer takes.
    pub slowly: Duration,
    /// What this server sends is not answered while it is held.
    pub held: Option<String>,
}

/// One attempt, as it arrived.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// Which of the receiver's URLs it came to: one for each subscription.
    pub subscription: u16,
    /// The id of the event.
    pub event: String,
    /// The id of the delivery.
    pub delivery: String,
    /// What the event is about.
    pub object: String,
    /// Which server sent it.
    pub sender: String,
    /// When it was read.
    pub at: Instant,
    /// When it was answered, and with what; `None` when the sender went away before.
    pub answered: Option<(Instant, u16)>,
}

impl Arrival {
    /// When it was answered with 2xx.
    #[must_use]
    pub fn accepted(&self) -> Option<Instant> {
        self.answered.filter(|(_, status)| (200..300).contains(status)).map(|(at, _)| at)
    }
}

/// A receiver; it lives as long as the process.
#[derive(Clone)]
pub struct Receiver(Arc<Shared>);

struct Shared {
    address: SocketAddr,
    manner: Manner,
    random: SeededRandom,
    hold: watch::Sender<bool>,
    arrivals: Mutex<Vec<Arrival>>,
}

impl Receiver {
    /// Opens one on a free port of this machine.
    ///
    /// # Panics
    /// When no port is free.
    pub async fn open(manner: Manner, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let shared = Shared {
            address: listener.local_addr().expect("bound"),
            hold: watch::Sender::new(manner.held.is_some()),
            manner,
            random: SeededRandom::new(seed),
            arrivals: Mutex::default(),
        };
        let receiver = Self(Arc::new(shared));
        let router = Router::new().route("/{subscription}", post(receive)).with_state(receiver.clone());
        tokio::spawn(axum::serve(listener, router).into_future());
        receiver
    }

    /// The URL of a subscription.
    #[must_use]
    pub fn url(&self, subscription: u16) -> String {
        format!("http://{}/{subscription}", self.0.address)
    }

    /// The URLs of the first subscriptions.
    pub fn urls(&self, subscriptions: u16) -> impl Iterator<Item = String> {
        (0..subscriptions).map(|number| self.url(number))
    }

    /// Answers what was held, and holds nothing any more.
    pub fn release(&self) {
        self.0.hold.send_replace(false);
    }

    /// Everything that has arrived so far.
    #[must_use]
    pub fn arrivals(&self) -> Vec<Arrival> {
        self.0.arrivals.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// So many have arrived so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.arrivals.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// So many have been read and were not answered yet.
    #[must_use]
    pub fn open_at(&self, instant: Instant) -> usize {
        let arrivals = self.0.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        let open =
            |arrival: &&Arrival| arrival.at <= instant && arrival.answered.is_none_or(|(at, _)| at > instant);
        // The newest alone can be open: nothing is answered as slowly as that.
        arrivals.iter().rev().take(5_000).filter(open).count()
    }

    fn note(&self, arrival: Arrival) -> usize {
        let mut arrivals = self.0.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        arrivals.push(arrival);
        arrivals.len() - 1
    }

    fn answer(&self, place: usize, status: StatusCode) -> StatusCode {
        let mut arrivals = self.0.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(arrival) = arrivals.get_mut(place) {
            arrival.answered = Some((Instant::now(), status.as_u16()));
        }
        status
    }
}

async fn receive(
    State(receiver): State<Receiver>,
    Path(subscription): Path<u16>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let header = |name| {
        let value = headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let object = body.pointer("/data/id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let arrival = Arrival {
        subscription,
        event: header("x-svc-webhook-id"),
        delivery: header("x-svc-webhook-delivery"),
        object,
        sender: header("user-agent"),
        at: Instant::now(),
        answered: None,
    };
    let Manner { failing, slow, slowly, held } = &receiver.0.manner;
    let is_held = held.as_ref().is_some_and(|name| arrival.sender.contains(name.as_str()));
    let place = receiver.note(arrival);
    let chance = receiver.0.random.next_u64();
    if is_held {
        // The sender of the gate lives as long as the receiver.
        drop(receiver.0.hold.subscribe().wait_for(|hold| !hold).await);
    }
    if chance / 100 % 100 < *slow {
        let longest = u64::try_from(slowly.as_micros()).unwrap_or(u64::MAX).max(1);
        sleep(Duration::from_micros(chance / 10_000 % longest)).await;
    }
    let status =
        if chance % 100 < *failing { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::NO_CONTENT };
    receiver.answer(place, status)
}
