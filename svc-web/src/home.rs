//! The root of the pages.

use axum::response::Response;
use svc_http::Problem;

use crate::gate::{Person, Seen};
use crate::page;

/// GET /
pub(crate) async fn home(seen: Seen<Person>) -> Result<Response, Problem> {
    let mut companies = seen.gate.visitor.companies();
    Ok(match (companies.next(), companies.next()) {
        (Some((only, _)), None) => page::see_other(&format!("/companies/{}", only.id)),
        _ => page::see_other("/companies"),
    })
}
