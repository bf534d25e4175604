//! The table of memberships.

use sea_orm::Set;
use sea_orm::entity::prelude::*;
use svc_business::membership::{Membership, MembershipStatus};
use svc_business::party::Email;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, MembershipId, TypedId, UserId};
use svc_core::resource::Version;

use crate::value::{broken, parsed};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "svc_memberships")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) account_id: Uuid,
    pub(crate) user_id: Uuid,
    pub(crate) role: String,
    pub(crate) status: i16,
    pub(crate) invited_at: i64,
    pub(crate) accepted_at: Option<i64>,
    pub(crate) version: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) invited_by: Option<Uuid>,
    pub(crate) invited_email: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

pub(super) const INVITED: i16 = 0;
pub(super) const ACTIVE: i16 = 1;
const SUSPENDED: i16 = 2;
pub(super) const ENDED: i16 = 3;

/// The row of a membership.
pub(super) fn of(membership: &Membership) -> ActiveModel {
    ActiveModel {
        id: Set(membership.id.uuid()),
        account_id: Set(membership.account.uuid()),
        user_id: Set(membership.user.uuid()),
        role: Set(membership.role.name().to_owned()),
        status: Set(match membership.status {
            MembershipStatus::Invited => INVITED,
            MembershipStatus::Active => ACTIVE,
            MembershipStatus::Suspended => SUSPENDED,
            MembershipStatus::Ended => ENDED,
        }),
        invited_at: Set(membership.invited_at.unix_micros()),
        accepted_at: Set(membership.accepted_at.map(Timestamp::unix_micros)),
        version: Set(membership.version.as_i64()),
        created_at: Set(membership.created_at.unix_micros()),
        updated_at: Set(membership.updated_at.unix_micros()),
        invited_by: Set(membership.invited_by.map(TypedId::uuid)),
        invited_email: Set(membership.invited_email.as_ref().map(|email| email.as_str().to_owned())),
    }
}

/// The membership of a row.
pub(super) fn read(row: &Model) -> Result<Membership, StoreError> {
    Ok(Membership {
        id: MembershipId::from_uuid(row.id),
        user: UserId::from_uuid(row.user_id),
        account: AccountId::from_uuid(row.account_id),
        role: parsed("memberships.role", &row.role)?,
        status: match row.status {
            INVITED => MembershipStatus::Invited,
            ACTIVE => MembershipStatus::Active,
            SUSPENDED => MembershipStatus::Suspended,
            ENDED => MembershipStatus::Ended,
            _ => return Err(broken("memberships.status")),
        },
        invited_at: Timestamp::from_unix_micros(row.invited_at),
        invited_by: row.invited_by.map(UserId::from_uuid),
        invited_email: row.invited_email.clone().map(Email::from_stored),
        accepted_at: row.accepted_at.map(Timestamp::from_unix_micros),
        version: Version::from_i64(row.version),
        created_at: Timestamp::from_unix_micros(row.created_at),
        updated_at: Timestamp::from_unix_micros(row.updated_at),
    })
}
