//! The table of groups.

use sea_orm::Set;
use sea_orm::entity::prelude::*;
use svc_business::group::Group;
use svc_core::id::TypedId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "company_groups")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) name: String,
    pub(crate) parent_id: Uuid,
    pub(crate) version: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The row of a group, members aside.
pub(super) fn of(group: &Group) -> ActiveModel {
    ActiveModel {
        id: Set(group.id.uuid()),
        name: Set(group.name.clone()),
        parent_id: Set(group.parent.uuid()),
        version: Set(group.version.as_i64()),
        created_at: Set(group.created_at.unix_micros()),
        updated_at: Set(group.updated_at.unix_micros()),
    }
}
