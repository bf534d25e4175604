//! DELETE /webhooks/subscriptions/{id}

use svc_webhooks::subscription;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(crate) async fn remove(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let unit = req.app.webhooks.begin().await?;
    let opened = subscription::open(unit.as_ref(), req.call_in(&scope), id, &req.if_match()).await?;
    subscription::remove(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}
