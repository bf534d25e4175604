//! DELETE /webhooks/subscriptions/{id}

use svc_webhooks::subscription;

use super::version;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(crate) async fn remove(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = (req.id("id")?, req.primary_scope()?);
    let expected = req.expected(version(&req, &scope, id)).await?;
    let unit = req.app.webhooks.begin().await?;
    subscription::remove(unit.as_ref(), req.call_in(&scope), id, expected).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}
