//! The model as a test of any storage.

#![expect(missing_docs, reason = "the name of a case is its claim")]

use super::{histories, model, play};
use crate::auth::AuthFixture;
use crate::property;

/// Histories in the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 8;

/// Steps of each, at most.
const STEPS: usize = 40;

pub async fn tokens_live_as_the_model_says(fixture: &dyn AuthFixture) {
    let (histories, _seed) = property::values(&histories(STEPS), HISTORIES);
    for (number, history) in (1..).zip(&histories) {
        let stored = play(fixture, number, history).await;
        if let Some(difference) = stored.differs_from(&model(history)) {
            panic!("history {number} is not as the model says {difference}\n{history:#?}");
        }
    }
}
