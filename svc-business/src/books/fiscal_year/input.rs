//! What a client writes of a fiscal year.

use std::collections::BTreeMap;

use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_patch;

use crate::party::form;

wire_patch! {
    /// A fiscal year of a company, as a client writes it.
    pub struct FiscalYearInput as "FiscalYear" computed [status, closedAt, closedBy, closingEntryIds] {
        /// What people call it; the years of its days when left out.
        name: Patch<String> => Form::text(1, 50).example("2025"),
        /// Its first day: the day after another year ends.
        [needed] start_date: Patch<String> => Form::DATE,
        /// Its last day, twelve months later at most.
        [needed] end_date: Patch<String> => Form::DATE,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}
