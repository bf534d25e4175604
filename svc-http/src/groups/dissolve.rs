//! DELETE /groups/{id}

use svc_business::group;

use super::version;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::problem::Problem;

pub(super) async fn dissolve(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let expected = exchange.expected(version(&exchange, id)).await?;
    let unit = exchange.app.business.begin().await?;
    let dissolved = group::dissolve(unit.as_ref(), exchange.call(), id, expected).await;
    dissolved.map_err(|error| Problem::group(error, "id"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    exchange.app.authenticator.forget();
    committed?;
    Ok(Answer::no_content())
}
