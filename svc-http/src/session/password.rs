//! POST /session/password

use serde::Deserialize;
use svc_auth::session::{self, PasswordText};
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::json::Input;
use crate::problem::Problem;

/// The password as it is and as it shall be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = PasswordChange)]
pub(crate) struct Body {
    current_password: String,
    /// 12 to 128 characters; neither the e-mail address nor the name.
    new_password: String,
}

impl Input for Body {}

pub(super) async fn change(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let Body { current_password, new_password } = req.json()?;
    let [current, new] = [&current_password, &new_password].map(|text| PasswordText::new(text));
    let (app, signed_in) = (&req.app, &req.caller.signed_in);
    let call = req.call();
    session::change_password(&*app.sessions, &*app.hasher, &app.peppers, call, signed_in, current, new)
        .await?;
    Ok(Answer::no_content())
}
