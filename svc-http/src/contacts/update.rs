//! PATCH /contacts/{id}

use http::StatusCode;
use svc_business::contact;

use super::{version, view};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::json::Update;
use crate::problem::Problem;

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let expected = req.expected(version(&req, id)).await?;
    let Update(input) = req.json()?;
    let unit = req.app.business.begin().await?;
    let updated = contact::update(unit.as_ref(), req.call(), id, expected, input).await?;
    unit.commit().await?;
    Ok(view::answer(StatusCode::OK, updated))
}
