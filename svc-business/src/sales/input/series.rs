//! A series as a client writes it.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_patch;

use crate::party::form;
use crate::sales::document::DocType;

wire_patch! {
    /// What numbers sales documents, as a client writes it.
    pub struct SeriesInput as "Series" in company computed [nextSequence, lastIssueDate] {
        /// Its name, unique in the company; fixed while numbers of the year exist.
        [always] code: Patch<String> => Form::pattern("^[A-Z0-9-]{1,10}$").length(1, 10).example("F"),
        /// The documents that it numbers. Rectifying ones, and proformas and quotes, have series of their own.
        [always] doc_types: Patch<BTreeSet<DocType>> => Form::ANY.json(r#"["invoice"]"#),
        /// How its numbers are written: tokens in braces for the series, the year and the sequence among other
        /// characters; fixed while numbers of the year exist.
        pattern: Patch<String> => Form::text(1, 60).example("{series}{yyyy}-{seq:5}"),
        /// Whether each year begins with 1; true unless said otherwise.
        reset_yearly: Patch<bool>,
        /// The sequence of the first document, 1 unless the series runs on from another program.
        first_sequence: Patch<i64> => Form::range(1, 999_999_999).number(1),
        /// Whether it numbers further documents.
        active: Patch<bool>,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}
