//! PATCH /tokens/{id}

use http::StatusCode;
use serde::Deserialize;
use svc_auth::token::{self, UpdateRequest};
use svc_core::error::{Checks, Invalid};
use svc_core::patch::Patch;
use utoipa::ToSchema;

use super::view::View;
use super::{COMPUTED_MEMBERS, expected};
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::gate::PersonCaller;
use crate::json::{Input, kept};
use crate::problem::Problem;

/// A merge patch of a token.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = TokenUpdate)]
pub(crate) struct Body {
    /// 1 to 100 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, nullable = false)]
    name: Patch<String>,
    /// Permissions, wildcards and levels, in place of the present ones.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    permissions: Patch<Vec<String>>,
    /// Addresses and CIDR ranges, in place of the present ones; anywhere when empty.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    allowed_ips: Patch<Vec<String>>,
    /// Whether it sees personal data in full.
    #[serde(default)]
    #[schema(value_type = Option<bool>, nullable = false)]
    personal_data: Patch<bool>,
}

impl Input for Body {
    const READ_ONLY: &'static [&'static str] = COMPUTED_MEMBERS;
    const FIXED: &'static [&'static str] = &["expiresAt", "primaryAccountId", "accountIds", "groupIds"];
}

pub(super) async fn update(exchange: Exchange<PersonCaller>) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let expected = expected(&exchange, id).await?;
    let request = request(exchange.json()?)?;
    let unit = exchange.app.auth.begin().await?;
    let token = token::update(unit.as_ref(), exchange.call(), id, expected, request).await?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    exchange.app.authenticator.forget();
    committed?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&token, exchange.context.now)).version(token.version))
}

/// No member of a token can be cleared.
fn request(body: Body) -> Result<UpdateRequest, Invalid> {
    let mut checks = Checks::new();
    let request = UpdateRequest {
        name: kept(&mut checks, "name", body.name),
        permissions: kept(&mut checks, "permissions", body.permissions),
        personal_data: kept(&mut checks, "personalData", body.personal_data),
        allowed_ips: kept(&mut checks, "allowedIps", body.allowed_ips),
    };
    checks.finish()?;
    Ok(request)
}
