//! What every content store does.

mod companies;
mod lists;
mod quarantine;
mod reads;
mod uploads;

use svc_core::clock::Timestamp;
use svc_core::content::ContentStore;

use crate::business::sample::id;
use crate::contract::contract;
use crate::fakes::SeededRandom;

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the contract of content stores.
    ///
    /// `make` names an `async fn()` that gives an empty store: anything that
    /// dereferences to a `ContentStore`, for example `Arc<dyn ContentStore>`. With
    /// `try_make` it gives an `Option`, and `None` (the store is not on this
    /// machine) ends the case: the function says so on the console.
    ///
    /// ```
    /// mod memory {
    ///     use std::sync::Arc;
    ///     use svc_testkit::content::MemoryContent;
    ///     use svc_testkit::fakes::ManualClock;
    ///
    ///     async fn make() -> Box<MemoryContent> {
    ///         Box::new(MemoryContent::new(Arc::new(ManualClock::default())))
    ///     }
    ///     svc_testkit::content_store_contract! { make: make }
    /// }
    /// ```
    content_store_contract by contract_tests at content::cases {
        uploads:
            what_was_uploaded_is_read_as_it_was,
            a_content_of_many_megabytes_is_read_as_it_was,
            the_limit_of_an_upload_is_its_last_byte,
            the_same_bytes_are_one_content,
            the_same_bytes_at_once_are_one_content;
        quarantine:
            an_upload_is_not_found_before_it_is_finished,
            an_upload_that_was_aborted_or_dropped_leaves_nothing,
            an_upload_that_never_ended_is_swept,
            a_sweep_leaves_later_uploads_and_contents_alone,
            an_upload_that_was_swept_cannot_be_finished;
        reads:
            a_range_is_a_slice_of_the_whole,
            a_content_that_is_not_there_is_missing;
        lists:
            contents_are_listed_by_their_digests_page_by_page,
            a_content_is_deleted_once_for_all,
            a_content_is_deleted_only_if_it_is_as_old_as_told;
        companies:
            what_a_company_stored_is_its_own,
            the_contents_of_a_company_are_deleted_together;
    }
}

type Store<'a> = &'a dyn ContentStore;

const MEGABYTE: usize = 1 << 20;

/// Before every upload.
const NEVER: Timestamp = Timestamp::from_unix_micros(0);
/// After every upload.
const EVER: Timestamp = Timestamp::from_unix_micros(i64::MAX);

/// Bytes that no compression and no other seed has.
fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    svc_core::random::RandomSource::fill(&SeededRandom::new(seed), &mut bytes);
    bytes
}
