//! DELETE /contacts/{id}

use svc_business::contact;

use super::version;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(super) async fn delete(exchange: Exchange) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let expected = exchange.expected(version(&exchange, id)).await?;
    let unit = exchange.app.business.begin().await?;
    contact::delete(unit.as_ref(), exchange.call(), id, expected).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}
