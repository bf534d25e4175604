//! POST /oauth/revoke: the client ends its connection (RFC 7009).

use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use svc_auth::oauth::revoke as end;
use svc_core::tenant::Scope;

use super::Sent;
use super::answer::{Told, kept_by_none};
use super::token::{client, form, missing, one};

/// Either token ends the connection. One that is none, or another client's, is no error (section 2.2).
pub(super) async fn revoke(sent: Sent) -> Result<Response, Told> {
    let form = form(&sent)?;
    let token = one(&form, "token")?.ok_or_else(|| missing("token"))?;
    let client = client(&form)?;
    let (scope, actor) = (Scope::none(), sent.actor());
    let (storage, call) = (sent.oauth.storage(), sent.call(&scope, &actor));
    if end(storage, call, token, client.as_ref(), &sent.app.peppers).await? {
        sent.app.authenticator.forget();
    } else {
        sent.app.authenticator.count_failure(sent.from);
    }
    Ok(kept_by_none(StatusCode::OK, &json!({})))
}
