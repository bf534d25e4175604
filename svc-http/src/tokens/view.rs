//! A token as the client area shows it.

use std::net::IpAddr;

use svc_auth::token::{ConnectionRole, Status, Token, TokenValue};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::wire::Form;
use svc_core::wire_view;

wire_view! {
    /// A credential: the token of an integration, whose value is never shown again, or the connection of an assistant.
    pub(crate) struct View as "Token" {
        id: TokenId,
        object: &'static str => Form::one_of(&["token"]),
        /// The primary account again.
        company_id: AccountId,
        version: i64,
        name: String => Form::ANY.example("Shop sync"),
        /// `api`: a token. `mcp`: a connection, made by OAuth.
        r#type: &'static str => Form::one_of(&["api", "mcp"]),
        /// To whom a connection was given: the id of a registration, or the address of a document.
        client: Option<String> => Form::ANY.json("null"),
        /// What a connection may do at most.
        role: Option<ConnectionRole> => Form::ANY.json("null"),
        /// The first 12 characters of the value, to recognise it by.
        prefix: String => Form::ANY.example("svc_live_4fQ"),
        /// Permissions, wildcards and levels, as they were granted; levels as the wildcards that they stand for.
        permissions: Vec<String> => Form::ANY.json(r#"["sales:*.read"]"#),
        expires_at: Option<Timestamp>,
        /// Addresses and ranges that the token may be used from; empty means anywhere.
        allowed_ips: Vec<String> => Form::ANY.json(r#"["203.0.113.0/24"]"#),
        /// The company whose limits and events the token works with.
        primary_account_id: AccountId,
        /// Other companies that it names.
        account_ids: Vec<AccountId> => Form::ANY.json("[]"),
        /// Groups that it names whole, companies that join later included.
        group_ids: Vec<GroupId> => Form::ANY.json("[]"),
        /// Whether it sees personal data in full.
        personal_data: bool,
        state: Status,
        /// Up to a minute ago.
        last_used_at: Option<Timestamp>,
        last_used_ip: Option<IpAddr> => Form::ANY.example("203.0.113.7"),
        created_by: UserId,
        created_at: Timestamp,
    }
}

wire_view! {
    /// A token with its new value.
    pub(crate) struct Valued as "TokenWithValue" {
        #[serde(flatten)]
        [flat] token: View,
        /// The whole value, starting with `svc_live_`: in this answer only, `null` in a replay.
        value: Option<String> => Form::ANY.example("svc_live_…"),
    }
}

impl View {
    /// # Errors
    /// When no person created it: the client area has tokens of people alone.
    pub(super) fn of(token: &Token, now: Timestamp) -> Result<Self, StoreError> {
        let created_by =
            token.created_by.ok_or_else(|| StoreError::backend("no person created this token"))?;
        Ok(Self {
            id: token.id,
            object: "token",
            company_id: token.primary,
            version: token.version.as_i64(),
            name: token.name.clone(),
            r#type: if token.connection.is_some() { "mcp" } else { "api" },
            client: token.connection.as_ref().map(|connection| connection.client.to_string()),
            role: token.connection.as_ref().map(|connection| connection.role),
            prefix: token.prefix.clone(),
            permissions: token.grants.written().to_vec(),
            expires_at: token.expires_at,
            allowed_ips: token.allowed_ips.written(),
            primary_account_id: token.primary,
            account_ids: token.companies.iter().copied().collect(),
            group_ids: token.groups.iter().copied().collect(),
            personal_data: token.personal_data,
            state: token.status(now),
            last_used_at: token.last_used_at,
            last_used_ip: token.last_used_from,
            created_by,
            created_at: token.created_at,
        })
    }
}

impl Valued {
    pub(super) fn of(token: &Token, value: Option<&TokenValue>, now: Timestamp) -> Result<Self, StoreError> {
        let value = value.map(|value| value.expose().to_owned());
        Ok(Self { token: View::of(token, now)?, value })
    }
}
