//! `/auth`.

mod whoami;

use http::StatusCode;

use crate::api::{Route, get};
use crate::gate::ByToken;

pub(crate) fn routes() -> Vec<Route> {
    vec![
        get("/auth/whoami", ByToken::Any, "What the token is and which companies it reaches at present")
            .about("Needs no permission beyond a valid token. Changes of the scope show within 60 seconds.")
            .answers::<whoami::View>(StatusCode::OK)
            .to(whoami::whoami),
    ]
}
