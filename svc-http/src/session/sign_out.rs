//! DELETE /session

use svc_auth::session;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::{PersonCaller, cookie};
use crate::problem::Problem;

pub(super) async fn sign_out(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    session::sign_out(&*req.app.sessions, &req.caller.signed_in).await?;
    Ok(Answer::no_content().cookie(cookie::SESSION.clear(req.app.settings.prefix(), req.secure)))
}
