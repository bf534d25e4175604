//! DELETE /session

use svc_auth::session;

use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::{PersonCaller, cookie};
use crate::problem::Problem;

pub(super) async fn sign_out(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    session::sign_out(&*exchange.app.sessions, &exchange.caller.signed_in).await?;
    Ok(Answer::no_content().cookie(cookie::clear(exchange.secure)))
}
