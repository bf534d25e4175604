//! Every route of the API, area by area.
//!
//! The one place that knows all areas: they import [`crate::api`], so that cannot import them.

use crate::api::Route;
use crate::{
    accounts, audit_log, auth, billing, books, cases, contacts, documents, envelopes, groups, purchases,
    scanning, session, tax, tokens, treasury, webhooks,
};

/// Every route of the API.
pub(crate) fn routes() -> Vec<Route> {
    [
        auth::routes(),
        session::routes(),
        tokens::routes(),
        audit_log::routes(),
        contacts::routes(),
        cases::routes(),
        billing::routes(),
        purchases::routes(),
        books::routes(),
        tax::routes(),
        documents::routes(),
        envelopes::routes(),
        treasury::routes(),
        accounts::routes(),
        groups::routes(),
        webhooks::routes(),
        scanning::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
