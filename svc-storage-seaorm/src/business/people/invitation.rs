//! What a person is invited to, as rows of several companies: the person is the scope.

use std::collections::HashMap;

use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryResult, Select,
};
use svc_business::membership::Invitation;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{TypedId, UserId};
use uuid::Uuid;

use super::{membership, user};
use crate::business::account;
use crate::error::backend;
use crate::statement::Sql;
use crate::value::broken;

/// The memberships of a person, whatever their state, but for those of companies that were merged.
pub(super) fn of(person: UserId) -> Select<membership::Entity> {
    // Looked up for each of the person's memberships, not among all companies.
    let present = Query::select()
        .expr(Expr::val(1))
        .from("svc_accounts")
        .and_where(Expr::col(("svc_accounts", "id")).equals(("svc_memberships", "account_id")))
        .and_where(Expr::col(("svc_accounts", "status")).ne(account::MERGED))
        .take();
    membership::Entity::find()
        .filter(membership::Column::UserId.eq(person.uuid()))
        .filter(Expr::exists(present))
}

/// Not answered, and not from before.
pub(super) fn is_open(since: Timestamp) -> Condition {
    Condition::all()
        .add(membership::Column::Status.eq(membership::INVITED))
        .add(membership::Column::InvitedAt.gt(since.unix_micros()))
}

/// The memberships of these rows, in their order, with company and inviter.
pub(super) async fn read(
    conn: &impl ConnectionTrait,
    rows: Vec<membership::Model>,
) -> Result<Vec<Invitation>, StoreError> {
    let companies = Sql::new(conn, "SELECT id, legal_name FROM svc_accounts WHERE id");
    let companies = companies.among(rows.iter().map(|row| row.account_id)).all(conn).await?;
    let name = |row: &QueryResult| Ok((row.try_get("", "id")?, row.try_get("", "legal_name")?));
    let names: HashMap<Uuid, String> =
        companies.iter().map(name).collect::<Result<_, DbErr>>().map_err(backend)?;
    let inviters =
        user::Entity::find().filter(user::Column::Id.is_in(rows.iter().filter_map(|row| row.invited_by)));
    let inviters: HashMap<Uuid, user::Model> =
        inviters.all(conn).await.map_err(backend)?.into_iter().map(|user| (user.id, user)).collect();
    let invitation = |row: &membership::Model| {
        let inviter = row.invited_by.and_then(|by| inviters.get(&by)).cloned();
        Ok(Invitation {
            membership: membership::read(row)?,
            legal_name: names
                .get(&row.account_id)
                .cloned()
                .ok_or_else(|| broken("memberships.account_id"))?,
            inviter: inviter.map(user::read).transpose()?,
        })
    };
    rows.iter().map(invitation).collect()
}
