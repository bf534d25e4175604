//! POST /session/password

use svc_auth::session::{self, PasswordText};
use svc_core::wire::Form;
use svc_core::wire_request;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::gate::PersonCaller;
use crate::problem::Problem;

wire_request! {
    /// The password as it is and as it shall be.
    pub(crate) struct Body as "PasswordChange" {
        current_password: String => Form::text(1, 1_024).example("correct horse battery staple"),
        /// Neither the e-mail address nor the name.
        new_password: String => Form::text(12, 128).example("a better horse and two staples"),
    }
}

pub(super) async fn change(req: ApiRequest<PersonCaller>) -> Result<Answer, Problem> {
    let Body { current_password, new_password } = req.json()?;
    let [current, new] = [&current_password, &new_password].map(|text| PasswordText::new(text));
    let (app, signed_in) = (&req.app, &req.caller.signed_in);
    let call = req.call();
    let (user, now) = (signed_in.person().id, call.now);
    session::change_password(&*app.sessions, &*app.hasher, &app.peppers, call, signed_in, current, new)
        .await?;
    app.tell_password_changed(user, false, now).await;
    Ok(Answer::no_content())
}
