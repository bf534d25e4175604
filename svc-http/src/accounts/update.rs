//! PATCH /accounts/{id}

use http::StatusCode;
use svc_business::account;

use super::body::Update;
use super::{version, view};
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(super) async fn update(exchange: Exchange) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let expected = exchange.expected(version(&exchange, id)).await?;
    let body: Update = exchange.json()?;
    let unit = exchange.app.business.begin().await?;
    let updated = account::update(unit.as_ref(), exchange.call(), id, expected, body.into()).await?;
    unit.commit().await?;
    let duplicates = view::duplicates(&exchange, &updated).await?;
    Ok(view::answer(StatusCode::OK, updated, duplicates))
}
