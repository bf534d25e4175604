//! A token as the client area shows it.

use std::net::IpAddr;

use serde::Serialize;
use svc_auth::token::{Token, TokenValue};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use utoipa::ToSchema;

/// A token; its value is never shown again.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Token)]
pub(crate) struct View {
    #[schema(value_type = String)]
    id: TokenId,
    /// `token`
    object: &'static str,
    /// The primary account again.
    #[schema(value_type = String)]
    company_id: AccountId,
    version: i64,
    name: String,
    /// `api`
    r#type: &'static str,
    /// The first 12 characters of the value, to recognise it by.
    prefix: String,
    /// Permissions, wildcards and levels, as they were granted; levels as the wildcards that they stand for.
    permissions: Vec<String>,
    #[schema(value_type = Option<String>)]
    expires_at: Option<Timestamp>,
    /// Addresses and ranges that the token may be used from; empty means anywhere.
    allowed_ips: Vec<String>,
    /// The company whose limits and events the token works with.
    #[schema(value_type = String)]
    primary_account_id: AccountId,
    /// Other companies that it names.
    #[schema(value_type = Vec<String>)]
    account_ids: Vec<AccountId>,
    /// Groups that it names whole, companies that join later included.
    #[schema(value_type = Vec<String>)]
    group_ids: Vec<GroupId>,
    /// Whether it sees personal data in full.
    personal_data: bool,
    /// `active`, `disabled`, `revoked` or `expired`
    state: &'static str,
    /// Up to a minute ago.
    #[schema(value_type = Option<String>)]
    last_used_at: Option<Timestamp>,
    #[schema(value_type = Option<String>)]
    last_used_ip: Option<IpAddr>,
    #[schema(value_type = String)]
    created_by: UserId,
    #[schema(value_type = String)]
    created_at: Timestamp,
}

/// A token with its new value.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenWithValue)]
pub(crate) struct Valued {
    #[serde(flatten)]
    token: View,
    /// The whole value, starting with `svc_live_`: in this answer only, `null` in a replay.
    value: Option<String>,
}

impl View {
    pub(super) fn of(token: &Token, now: Timestamp) -> Self {
        Self {
            id: token.id,
            object: "token",
            company_id: token.primary,
            version: token.version.as_i64(),
            name: token.name.clone(),
            r#type: "api",
            prefix: token.prefix.clone(),
            permissions: token.grants.written().to_vec(),
            expires_at: token.expires_at,
            allowed_ips: token.allowed_ips.written(),
            primary_account_id: token.primary,
            account_ids: token.companies.iter().copied().collect(),
            group_ids: token.groups.iter().copied().collect(),
            personal_data: token.personal_data,
            state: token.status(now).name(),
            last_used_at: token.last_used_at,
            last_used_ip: token.last_used_from,
            created_by: token.created_by,
            created_at: token.created_at,
        }
    }
}

impl Valued {
    pub(super) fn of(token: &Token, value: Option<&TokenValue>, now: Timestamp) -> Self {
        Self { token: View::of(token, now), value: value.map(|value| value.expose().to_owned()) }
    }
}
