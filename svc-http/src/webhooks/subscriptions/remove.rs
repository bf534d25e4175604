//! DELETE /webhooks/subscriptions/{id}

use svc_webhooks::subscription;

use super::version;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(crate) async fn remove(exchange: Exchange) -> Result<Answer, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    let expected = exchange.expected(version(&exchange, &scope, id)).await?;
    let unit = exchange.app.webhooks.begin().await?;
    subscription::remove(unit.as_ref(), exchange.call_in(&scope), id, expected).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}
