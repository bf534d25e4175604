//! DELETE /accounts/{id}: companies are deactivated, never erased.

use http::StatusCode;
use svc_business::account;

use super::{version, view};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(super) async fn deactivate(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let primary = req.caller.principal.primary;
    let unit = req.app.business.begin().await?;
    let ended = account::deactivate(unit.as_ref(), req.call(), id, expected, primary).await?;
    unit.commit().await?;
    let duplicates = view::duplicates(&req, &ended).await?;
    Ok(view::answer(StatusCode::OK, ended, duplicates))
}
