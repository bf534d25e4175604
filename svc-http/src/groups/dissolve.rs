//! DELETE /groups/{id}

use svc_business::group;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

pub(super) async fn dissolve(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = group::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let dissolved = group::dissolve(opened).await;
    dissolved.map_err(|error| Problem::group(error, "id"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    req.app.authenticator.forget();
    committed?;
    Ok(Answer::no_content())
}
