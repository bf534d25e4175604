//! PATCH /groups/{id}

use http::StatusCode;
use svc_business::group::{self, UpdateRequest};
use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::json::kept;
use crate::problem::Problem;

wire_request! {
    /// A merge patch of a group.
    #[derive(Debug, Default)]
    pub(crate) struct Body as "GroupUpdate" of group computed [members] fixed [parentAccountId] {
        /// How it is called.
        #[serde(default)]
        [kept] name: Patch<String> => Form::text(1, 200).example("Grupo Sol y Luna"),
    }
}

pub(super) async fn update(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = group::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let body: Body = req.json()?;
    let mut validator = Validator::new();
    let request = UpdateRequest { name: kept(&mut validator, "name", body.name) };
    validator.finish()?;
    let updated = group::update(opened, request).await;
    let group = updated.map_err(|error| Problem::group(error, "id"))?;
    unit.commit().await?;
    Ok(answer(&req, StatusCode::OK, group))
}
