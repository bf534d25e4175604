//! Tests of the vocabulary through its public face.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail when something is missing")]

mod event_schemas;
