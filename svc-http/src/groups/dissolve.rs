//! DELETE /groups/{id}

use svc_business::group;

use super::version;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

pub(super) async fn dissolve(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let unit = req.app.business.begin().await?;
    let dissolved = group::dissolve(unit.as_ref(), req.call(), id, expected).await;
    dissolved.map_err(|error| Problem::group(error, "id"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(Answer::no_content())
}
