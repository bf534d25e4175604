//! `/auth`.

mod whoami;

use http::StatusCode;
use svc_auth::authenticate::Access;

use crate::api::{Route, get};

pub(crate) fn routes() -> Vec<Route> {
    vec![
        get("/auth/whoami", Access::AnyToken, "What the token is and which companies it reaches at present")
            .about("Needs no permission beyond a valid token. Changes of the scope show within 60 seconds.")
            .answers::<whoami::View>(StatusCode::OK)
            .to(whoami::whoami),
    ]
}
