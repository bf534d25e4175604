//! GET /session/invitations

use http::StatusCode;
use svc_business::membership::Membership;
use svc_core::page::PageRules;

use super::view::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::list::Listed;
use crate::problem::Problem;

pub(super) async fn list(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    let request = exchange.query.page(PageRules::USUAL)?;
    let person = exchange.caller.signed_in.person().id;
    let since = exchange.call().now.minus(Membership::OPEN_FOR);
    let page = exchange.app.business.people().invitations(person, since, request).await?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}
