//! POST /session/code

use svc_auth::session::{self, SignInCode};
use svc_core::wire::Form;
use svc_core::wire_request;
use zeroize::Zeroizing;

use super::sign_in::opened;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::device;
use crate::gate::{Anonymous, cookie};
use crate::problem::Problem;

wire_request! {
    /// What completes a sign-in.
    pub(crate) struct Body as "SignInCode" {
        /// Six digits of the device, or a recovery code.
        code: String => Form::text(1, 100).example("287082"),
    }
}

pub(super) async fn complete(req: ApiRequest<Anonymous>) -> Result<Answer, Problem> {
    let Body { code } = req.json()?;
    let app = &req.app;
    let value = cookie::SESSION.read_from(&req.headers, req.secure).unwrap_or_default();
    let given = SignInCode {
        value: String::from_utf8_lossy(value).into_owned(),
        code: Zeroizing::new(code),
        from: req.from,
        device: device::of(&req.headers),
    };
    let (signed_in, value) = session::complete_sign_in(
        &*app.sessions,
        &app.peppers,
        app.lifetime,
        given,
        req.context.now,
        &*app.random,
    )
    .await?;
    let cookie = cookie::SESSION.set(app.settings.prefix(), req.secure, &value);
    Ok(opened(&signed_in, &value).cookie(cookie))
}
