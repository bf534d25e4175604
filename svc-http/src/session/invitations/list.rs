//! GET /session/invitations

use http::StatusCode;
use svc_business::membership::Membership;
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::list::Listed;
use crate::problem::Problem;

pub(super) async fn list(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let request = req.query.page(PageRules::USUAL)?;
    let person = req.caller.signed_in.person().id;
    let since = req.call().now.minus(Membership::OPEN_FOR);
    let page = req.app.business.people().invitations(person, since, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}
