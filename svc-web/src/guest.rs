//! The pages of a guest of a data room, behind the link that was sent by mail (specification, domain part 10.2).
//!
//! They are in the language of the grant, and have nothing of the client area. The link alone shows whose it is, and a form that
//! has a code sent to the guest's address; the files are listed and given to the browser in which the code was typed. Each
//! opening of a file is a view, which is written down before the first byte goes out.

pub(crate) mod code;
pub(crate) mod file;
mod met;
mod view;

use axum::response::Response;
use http::StatusCode;
use svc_http::Problem;

use self::met::{Met, Stands};
use self::view::Told;
use crate::gate::{Anyone, Seen};
use crate::page;

/// GET /room/{link}
pub(crate) async fn show(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    let is_sent = seen.visit.query().text("code") == "sent" && met.stands == Stands::Asked;
    let sent = is_sent.then(|| met.texts().code_sent.to_owned());
    view::page(&seen, &met, StatusCode::OK, Told { sent, wrong: None }).await
}

/// POST /room/{link}/leave
pub(crate) async fn leave(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let Some(met) = Met::of(&seen).await? else { return view::unknown(&seen) };
    let mut response = page::see_other(&met.path());
    seen.visit.let_out(&met.led, &mut response);
    Ok(response)
}
