//! The model as a test of any storage.

use super::{Subject, histories, play};
use crate::property;

/// Histories in the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 6;

/// Steps of each, at most.
const STEPS: usize = 60;

/// Plays random histories on a storage, one after the other, and tells how many steps they had.
///
/// # Panics
/// Where the storage does not do what the model says, with all that happened until then.
#[expect(clippy::print_stderr, reason = "the figure and the seed of the run")]
pub async fn webhooks_live_as_the_model_says(subject: Subject<'_>) {
    let (histories, seed) = property::values(&histories(STEPS), HISTORIES);
    let mut steps = 0;
    for (number, history) in (1..).zip(&histories) {
        match play(subject, number, history).await {
            Ok(played) => steps += played.steps(),
            Err(divergence) => panic!("history {number}:\n{divergence}\n{history:?}"),
        }
    }
    eprintln!("{steps} steps as the model says, seed {seed}");
}

/// Generates a `#[tokio::test]` that plays random histories on a storage of webhooks beside a model of the
/// specification: see [`steps`](crate::webhooks::steps).
///
/// `make` and `try_make` are those of [`webhook_storage_contract!`](crate::webhook_storage_contract). What is
/// compared is all that can be seen through [`WebhookStorage`](svc_webhooks::ports::WebhookStorage); `subject`
/// names a function that takes what was made to a [`Subject`](crate::webhooks::steps::Subject), to compare the
/// figures of the queue and the audit log as well.
///
/// `SVC_TEST_CASES` sets the number of histories, `SVC_TEST_SEED` repeats a run.
///
/// ```
/// mod memory {
///     async fn make() -> Box<svc_testkit::webhooks::MemoryWebhooks> {
///         Box::default()
///     }
///     svc_testkit::webhook_storage_model! { make: make }
/// }
/// ```
#[macro_export]
macro_rules! webhook_storage_model {
    (make: $make:path $(, subject: $subject:path)?) => {
        #[::tokio::test]
        async fn webhooks_live_as_the_model_says() {
            let made = $make().await;
            $crate::webhook_storage_model!(@live made $($subject)?);
        }
    };
    (try_make: $make:path $(, subject: $subject:path)?) => {
        #[::tokio::test]
        async fn webhooks_live_as_the_model_says() {
            if let Some(made) = $make().await {
                $crate::webhook_storage_model!(@live made $($subject)?);
            }
        }
    };
    (@live $made:ident) => {
        $crate::webhooks::steps::webhooks_live_as_the_model_says(
            $crate::webhooks::steps::Subject::of(&*$made),
        )
        .await;
    };
    (@live $made:ident $subject:path) => {
        $crate::webhooks::steps::webhooks_live_as_the_model_says($subject(&$made)).await;
    };
}
