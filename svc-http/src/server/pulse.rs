//! What a connection does: whether it is idle, and which answers its client has not taken yet.
//!
//! hyper closes neither an HTTP/2 connection whose client only answers pings, nor one whose client never reads an answer:
//! a client that gives no window holds the answer for as long as it likes. So each request is counted from its head to the
//! end of its answer, and the connection's task looks at the counts when a deadline is over.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::body::Body;

use super::Limits;
use crate::kept::{Keeps, Kept};

/// The requests of one connection.
#[derive(Debug)]
pub(super) struct Pulse(Mutex<Beat>);

#[derive(Debug)]
struct Beat {
    under_way: usize,
    idle_since: Instant,
    /// The answers that the client has not taken yet.
    answers: BTreeMap<u64, Answer>,
    number: u64,
}

/// An answer under way.
#[derive(Clone, Copy, Debug)]
struct Answer {
    began: Instant,
    /// When a piece of it was taken last.
    moved: Instant,
}

impl Answer {
    /// When its client has left it for too long, if it takes nothing until then.
    fn deadline(self, limits: &Limits) -> Instant {
        (self.moved + limits.answer).min(self.began + limits.age)
    }
}

impl Pulse {
    pub(super) fn new() -> Arc<Self> {
        let now = Instant::now();
        let beat = Beat { under_way: 0, idle_since: now, answers: BTreeMap::new(), number: 0 };
        Arc::new(Self(Mutex::new(beat)))
    }

    /// A request, until what this answers is dropped.
    pub(super) fn request(self: &Arc<Self>) -> UnderWay {
        self.beat().under_way += 1;
        UnderWay { pulse: Arc::clone(self), answer: None }
    }

    /// Since when no request is under way.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let beat = self.beat();
        (beat.under_way == 0).then_some(beat.idle_since)
    }

    /// When something is to be done about the connection, if nothing happens until then.
    pub(super) fn deadline(&self, limits: &Limits) -> Instant {
        let beat = self.beat();
        match beat.answers.values().map(|answer| answer.deadline(limits)).min() {
            Some(deadline) => deadline,
            None if beat.under_way == 0 => beat.idle_since + limits.idle,
            None => Instant::now() + limits.idle,
        }
    }

    /// Whether the client has left an answer for too long.
    pub(super) fn is_unread(&self, limits: &Limits) -> bool {
        let now = Instant::now();
        self.beat().answers.values().any(|answer| answer.deadline(limits) <= now)
    }

    fn beat(&self) -> MutexGuard<'_, Beat> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request under way.
#[derive(Debug)]
pub(super) struct UnderWay {
    pulse: Arc<Pulse>,
    answer: Option<u64>,
}

impl UnderWay {
    /// The body of its answer, under way until hyper has taken all of it, or dropped it.
    pub(super) fn answered(mut self, body: Body) -> Kept<Self> {
        let mut beat = self.pulse.beat();
        beat.number += 1;
        let number = beat.number;
        let now = Instant::now();
        beat.answers.insert(number, Answer { began: now, moved: now });
        drop(beat);
        self.answer = Some(number);
        Kept::with(body, self)
    }
}

impl Keeps for UnderWay {
    fn taken(&self) {
        let mut beat = self.pulse.beat();
        if let Some(answer) = self.answer.and_then(|number| beat.answers.get_mut(&number)) {
            answer.moved = Instant::now();
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut beat = self.pulse.beat();
        if let Some(number) = self.answer {
            beat.answers.remove(&number);
        }
        beat.under_way -= 1;
        beat.idle_since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http_body_util::BodyExt as _;

    use super::*;

    #[test]
    fn a_request_is_under_way_until_its_answer_is_taken() {
        let (pulse, limits) = (Pulse::new(), Limits::default().answer(Duration::ZERO));
        assert!(pulse.idle_since().is_some());
        let request = pulse.request();
        assert!(pulse.idle_since().is_none() && !pulse.is_unread(&limits), "the server is at work");
        let answer = request.answered(Body::from("text"));
        assert!(pulse.idle_since().is_none() && pulse.is_unread(&limits), "the client does not read");
        drop(answer);
        assert!(pulse.idle_since().is_some() && !pulse.is_unread(&limits));
    }

    #[tokio::test]
    async fn an_answer_of_which_pieces_are_taken_goes_on_until_the_connection_is_old() {
        let (pulse, limits) = (Pulse::new(), Limits::default());
        let mut slow = pulse.request().answered(Body::from(vec![0; 64 * 1024]));
        let before = pulse.deadline(&limits);
        slow.frame().await.expect("a piece").expect("taken");
        assert!(pulse.deadline(&limits) > before);
        let old = Limits::default().age(Duration::ZERO);
        assert!(pulse.is_unread(&old) && !pulse.is_unread(&limits));
    }

    #[test]
    fn the_oldest_answer_decides() {
        let (pulse, limits) = (Pulse::new(), Limits::default());
        let first = pulse.request().answered(Body::empty());
        let second = pulse.request().answered(Body::empty());
        let deadline = pulse.deadline(&limits);
        drop(first);
        assert!(pulse.deadline(&limits) >= deadline && pulse.idle_since().is_none());
        drop(second);
    }
}
