//! How much of what receivers answer is kept in the log.
//!
//! What a receiver writes is its own choice, and the log keeps attempts for a month: twenty receivers that fail with 16 KiB
//! each fill a disk. So each company has a budget of bytes that grows with time. While it lasts, answers are kept as they
//! are; then an attempt is logged without what the receiver wrote, as one that was cut off.

use std::collections::HashMap;

use bytes::Bytes;
use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use super::Attempt;

/// Bytes that a company may keep at once: of 64 answers of the largest size, and of most days.
const BURST: u64 = 1 << 20;
/// Bytes that the budget grows by in a day, so that 30 days of them take 240 MiB at most.
const EACH_DAY: u64 = 8 << 20;
const DAY_MICROS: u64 = 86_400_000_000;
/// Companies that are remembered before those whose budgets are whole again are forgotten.
const REMEMBERED: usize = 10_000;

/// The budgets of companies, in the memory of one process.
#[derive(Debug, Default)]
pub struct AnswerBudget(HashMap<AccountId, Spent>);

#[derive(Clone, Copy, Debug)]
struct Spent {
    bytes: u64,
    at: Timestamp,
}

impl AnswerBudget {
    /// Takes what the attempt keeps of an answer out of the company's budget; without enough of it, the body goes.
    pub fn spend(&mut self, company: AccountId, now: Timestamp, attempt: &mut Attempt) {
        let Some(answer) = attempt.answer.as_mut().filter(|answer| !answer.body.is_empty()) else { return };
        if self.0.len() >= REMEMBERED {
            self.0.retain(|_, spent| spent.left_at(now) > 0);
        }
        let spent = self.0.entry(company).or_insert(Spent { bytes: 0, at: now });
        let bytes = spent.left_at(now).saturating_add(answer.body.len() as u64);
        if bytes <= BURST {
            *spent = Spent { bytes, at: now };
        } else {
            answer.body = Bytes::new();
            answer.truncated = true;
        }
    }
}

impl Spent {
    /// What is still spent at `now`.
    fn left_at(self, now: Timestamp) -> u64 {
        let micros = u64::try_from(now.since(self.at).as_micros()).unwrap_or(u64::MAX).min(DAY_MICROS);
        self.bytes.saturating_sub(micros.saturating_mul(EACH_DAY) / DAY_MICROS)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use svc_core::id::TypedId as _;

    use super::*;
    use crate::ports::{Answer, Exchange};

    /// What is kept of answers of 16 KiB, one every 17 seconds for a day.
    fn kept_in_a_day(budget: &mut AnswerBudget, company: AccountId, from: Timestamp) -> usize {
        let body = Bytes::from(vec![b'x'; Answer::MOST_BODY_BYTES]);
        let answers = (0..5_000).map(|number| {
            let at = from.plus(Duration::from_secs(17 * number));
            let answer = Answer { body: body.clone(), ..Answer::bare(500) };
            let mut attempt = Attempt::of(1, at, Exchange::ended(Ok(answer)));
            budget.spend(company, at, &mut attempt);
            let answer = attempt.answer.expect("an answer came");
            assert_eq!(answer.truncated, answer.body.is_empty());
            answer.body.len()
        });
        answers.sum()
    }

    #[test]
    fn what_a_company_keeps_of_answers_is_bounded_by_the_day() {
        let (mut budget, start) = (AnswerBudget::default(), Timestamp::from_unix_seconds(1_000_000));
        let [loud, quiet] = [1, 2].map(|number| AccountId::from_uuid(uuid::Uuid::from_u128(number)));
        let first = kept_in_a_day(&mut budget, loud, start);
        assert!((8 << 20..10 << 20).contains(&first), "{first}");
        let second = kept_in_a_day(&mut budget, loud, start.plus(Duration::from_hours(24)));
        assert!((7 << 20..9 << 20).contains(&second), "{second}");
        assert_eq!(kept_in_a_day(&mut budget, quiet, start), first, "each company has its own");
    }
}
