//! DELETE /contacts/{id}

use svc_business::contact;

use super::version;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let unit = req.app.business.begin().await?;
    contact::delete(unit.as_ref(), req.call(), id, expected).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}
