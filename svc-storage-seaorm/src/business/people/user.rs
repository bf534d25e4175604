//! The table of users.

use sea_orm::Set;
use sea_orm::entity::prelude::*;
use svc_business::party::order_key;
use svc_business::party::{Email, LanguageTag};
use svc_business::user::{User, UserStatus};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{TypedId, UserId};
use svc_core::resource::Version;

use crate::value::broken;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "svc_users")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) email: String,
    pub(crate) email_key: String,
    pub(crate) name: String,
    pub(crate) locale: String,
    pub(crate) mfa_enabled: bool,
    pub(crate) status: i16,
    pub(crate) version: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

const ACTIVE: i16 = 0;
const DISABLED: i16 = 1;

/// The row of a user.
pub(super) fn of(user: &User) -> ActiveModel {
    ActiveModel {
        id: Set(user.id.uuid()),
        email: Set(user.email.as_str().to_owned()),
        email_key: Set(order_key(user.email.as_str())),
        name: Set(user.name.clone()),
        locale: Set(user.locale.as_str().to_owned()),
        mfa_enabled: Set(user.mfa_enabled),
        status: Set(match user.status {
            UserStatus::Active => ACTIVE,
            UserStatus::Disabled => DISABLED,
        }),
        version: Set(user.version.as_i64()),
        created_at: Set(user.created_at.unix_micros()),
        updated_at: Set(user.updated_at.unix_micros()),
    }
}

/// The user of a row.
pub(super) fn read(row: Model) -> Result<User, StoreError> {
    Ok(User {
        id: UserId::from_uuid(row.id),
        email: Email::from_stored(row.email),
        name: row.name,
        locale: LanguageTag::from_stored(row.locale),
        mfa_enabled: row.mfa_enabled,
        status: match row.status {
            ACTIVE => UserStatus::Active,
            DISABLED => UserStatus::Disabled,
            _ => return Err(broken("users.status")),
        },
        version: Version::from_i64(row.version),
        created_at: Timestamp::from_unix_micros(row.created_at),
        updated_at: Timestamp::from_unix_micros(row.updated_at),
    })
}
