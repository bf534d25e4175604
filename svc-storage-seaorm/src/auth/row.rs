//! The table of tokens.

use std::collections::BTreeSet;

use sea_orm::entity::prelude::*;
use sea_orm::{NotSet, Set};
use svc_auth::ip::AllowedIps;
use svc_auth::token::{Connection, ConnectionRole, Fingerprint, Lifecycle, Token};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TokenId, TypedId, UserId};
use svc_core::permission::Grants;
use svc_core::resource::Version;

use super::binding::{fits_token, of_token};
use crate::seal::Sealer;
use crate::value::{broken, from_json, json};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "svc_tokens")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub prefix: String,
    pub client_id: Option<String>,
    pub connection_role: Option<i16>,
    pub pepper: i64,
    pub digest: Vec<u8>,
    pub grants: String,
    pub allowed_ips: String,
    pub personal_data: bool,
    pub primary_account_id: Uuid,
    pub companies: String,
    pub groups: String,
    pub state: i16,
    pub revoked_at: Option<i64>,
    pub expires_at: Option<i64>,
    pub last_used_at: Option<i64>,
    pub last_used_from: Option<String>,
    pub created_by: Option<Uuid>,
    pub created_at: i64,
    pub version: i64,
    pub binding: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

const ACTIVE: i16 = 0;
const DISABLED: i16 = 1;
const REVOKED: i16 = 2;

/// The row of a token without its last use, which is written apart.
pub(super) fn of(sealer: &Sealer, token: &Token) -> ActiveModel {
    let (state, revoked_at) = match token.lifecycle {
        Lifecycle::Active => (ACTIVE, None),
        Lifecycle::Disabled => (DISABLED, None),
        Lifecycle::Revoked { at } => (REVOKED, Some(at.unix_micros())),
    };
    ActiveModel {
        id: Set(token.id.uuid()),
        name: Set(token.name.clone()),
        prefix: Set(token.prefix.clone()),
        client_id: Set(token.connection.as_ref().map(|connection| connection.client.to_string())),
        connection_role: Set(token.connection.as_ref().map(|connection| role_number(connection.role))),
        pepper: Set(i64::from(token.fingerprint.pepper)),
        digest: Set(token.fingerprint.digest.to_vec()),
        grants: Set(json(&token.grants.written())),
        allowed_ips: Set(json(&token.allowed_ips.written())),
        personal_data: Set(token.personal_data),
        primary_account_id: Set(token.primary.uuid()),
        companies: Set(json(&token.companies)),
        groups: Set(json(&token.groups)),
        state: Set(state),
        revoked_at: Set(revoked_at),
        expires_at: Set(token.expires_at.map(Timestamp::unix_micros)),
        last_used_at: NotSet,
        last_used_from: NotSet,
        created_by: Set(token.created_by.map(TypedId::uuid)),
        created_at: Set(token.created_at.unix_micros()),
        version: Set(token.version.as_i64()),
        binding: Set(of_token(sealer, token)),
    }
}

/// The token of a row, if it is bound to what it says.
pub(super) fn bound(sealer: &Sealer, mut row: Model) -> Result<Option<Token>, StoreError> {
    let code = std::mem::take(&mut row.binding);
    Ok(Some(read(row)?).filter(|token| fits_token(sealer, token, &code)))
}

/// The token of a row, whatever was done to it: to be shown and not to be used.
pub(super) fn read(row: Model) -> Result<Token, StoreError> {
    let grants: Vec<String> = from_json("tokens.grants", &row.grants)?;
    let ips: Vec<String> = from_json("tokens.allowed_ips", &row.allowed_ips)?;
    let companies: BTreeSet<AccountId> = from_json("tokens.companies", &row.companies)?;
    let from = row.last_used_from.map(|from| from.parse().map_err(|_| broken("tokens.last_used_from")));
    Ok(Token {
        id: TokenId::from_uuid(row.id),
        name: row.name,
        prefix: row.prefix,
        connection: connection(row.client_id, row.connection_role)?,
        fingerprint: Fingerprint {
            pepper: u32::try_from(row.pepper).map_err(|_| broken("tokens.pepper"))?,
            digest: row.digest.try_into().map_err(|_| broken("tokens.digest"))?,
        },
        grants: Grants::parse(grants).map_err(|_| broken("tokens.grants"))?,
        allowed_ips: AllowedIps::parse(ips).map_err(|_| broken("tokens.allowed_ips"))?,
        personal_data: row.personal_data,
        primary: AccountId::from_uuid(row.primary_account_id),
        companies,
        groups: from_json("tokens.groups", &row.groups)?,
        lifecycle: match (row.state, row.revoked_at) {
            (ACTIVE, None) => Lifecycle::Active,
            (DISABLED, None) => Lifecycle::Disabled,
            (REVOKED, Some(at)) => Lifecycle::Revoked { at: Timestamp::from_unix_micros(at) },
            _ => return Err(broken("tokens.state")),
        },
        expires_at: row.expires_at.map(Timestamp::from_unix_micros),
        last_used_at: row.last_used_at.map(Timestamp::from_unix_micros),
        last_used_from: from.transpose()?,
        created_by: row.created_by.map(UserId::from_uuid),
        created_at: Timestamp::from_unix_micros(row.created_at),
        version: Version::from_i64(row.version),
    })
}

const fn role_number(role: ConnectionRole) -> i16 {
    match role {
        ConnectionRole::ReadOnly => 0,
        ConnectionRole::Operator => 1,
        ConnectionRole::Full => 2,
    }
}

fn connection(client: Option<String>, role: Option<i16>) -> Result<Option<Connection>, StoreError> {
    let (client, role) = match (client, role) {
        (None, None) => return Ok(None),
        (Some(client), Some(role)) => (client, role),
        (Some(_), None) | (None, Some(_)) => return Err(broken("tokens.connection_role")),
    };
    let role = ConnectionRole::ALL.into_iter().find(|known| role_number(*known) == role);
    Ok(Some(Connection {
        client: client.parse().map_err(|_| broken("tokens.client_id"))?,
        role: role.ok_or_else(|| broken("tokens.connection_role"))?,
    }))
}
