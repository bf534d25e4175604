//! How many requests there were, and how long they took.
//!
//! Looking a meter up by its labels makes a copy of each of them, so a meter
//! is looked up once and kept. There are few: routes are templates, methods
//! are named, and a route answers with a handful of statuses.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use http::StatusCode;
use metrics::{Counter, Histogram};

/// The meters of one router. The recorder that they count into is the one
/// that is installed when the first request of a kind is answered.
#[derive(Default)]
pub(super) struct Meters(RwLock<HashMap<String, HashMap<Kind, Meter>>>);

/// The method's name, and the status of the answer.
type Kind = (&'static str, StatusCode);

#[derive(Clone)]
struct Meter {
    requests: Counter,
    seconds: Histogram,
}

impl Meters {
    /// Counts one request.
    pub(super) fn count(&self, method: &'static str, route: &str, status: StatusCode, took: Duration) {
        let meter = self.find(route, (method, status)).unwrap_or_else(|| self.make(route, (method, status)));
        meter.requests.increment(1);
        meter.seconds.record(took.as_secs_f64());
    }

    fn find(&self, route: &str, kind: Kind) -> Option<Meter> {
        let meters = self.0.read().unwrap_or_else(PoisonError::into_inner);
        meters.get(route)?.get(&kind).cloned()
    }

    fn make(&self, route: &str, (method, status): Kind) -> Meter {
        let labels = [
            ("method", method.to_owned()),
            ("route", route.to_owned()),
            ("status", status.as_str().to_owned()),
        ];
        let meter = Meter {
            requests: metrics::counter!("http_requests_total", &labels),
            seconds: metrics::histogram!("http_request_duration_seconds", &labels),
        };
        let mut meters = self.0.write().unwrap_or_else(PoisonError::into_inner);
        meters.entry(route.to_owned()).or_default().insert((method, status), meter.clone());
        meter
    }
}
