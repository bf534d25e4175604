//! DELETE /accounts/{id}/members/{memberId}

use http::StatusCode;
use svc_business::membership;

use super::{opened, view};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

pub(crate) async fn end(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (opened, by) = opened(&req, unit.as_ref()).await?;
    let ended = membership::end(opened, by).await;
    let member = ended.map_err(|refused| Problem::membership(refused, "memberId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(view::answer(StatusCode::OK, member, req.context.now))
}
