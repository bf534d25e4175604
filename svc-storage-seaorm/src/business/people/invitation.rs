//! What a person is invited to, as rows of several companies: the person is the scope.

use std::collections::HashMap;

use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryResult, Select,
};
use svc_business::membership::{Invitation, InvitationHash, Membership};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{MembershipId, TypedId, UserId};
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

/// Not accepted: open, declined, withdrawn or expired.
pub(super) fn is_in_vain(since: Timestamp) -> Condition {
    Condition::all()
        .add(membership::Column::Status.is_in([membership::INVITED, membership::ENDED]))
        .add(membership::Column::InvitedAt.gt(since.unix_micros()))
}

/// The membership and the person that a link is of, and when it dies.
pub(super) async fn linked(
    conn: &impl ConnectionTrait,
    hash: &InvitationHash,
) -> Result<Option<(MembershipId, UserId, Timestamp)>, StoreError> {
    let found = Sql::new(
        conn,
        "SELECT m.id, m.user_id, l.expires_at FROM svc_invitation_links l \
         JOIN svc_memberships m ON m.id = l.membership_id WHERE l.hash = ",
    );
    let found = found.bind(hash.0.to_vec()).one(conn).await?;
    let read = |row: &QueryResult| -> Result<_, DbErr> {
        let (id, user) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let expires_at = Timestamp::from_unix_micros(row.try_get_by_index(2)?);
        Ok((MembershipId::from_uuid(id), UserId::from_uuid(user), expires_at))
    };
    found.as_ref().map(read).transpose().map_err(backend)
}

/// Keeps a link, and forgets those of the membership that are dead.
pub(super) async fn keep_link(
    conn: &impl ConnectionTrait,
    membership: &Membership,
    hash: &InvitationHash,
    now: Timestamp,
) -> Result<(), StoreError> {
    let dead = Sql::new(conn, "DELETE FROM svc_invitation_links WHERE membership_id = ");
    let dead = dead.bind(membership.id.uuid()).text(" AND expires_at <= ").bind(now.unix_micros());
    dead.execute(conn).await?;
    let expires_at = membership.invited_at.plus(Membership::OPEN_FOR).unix_micros();
    let keep = Sql::new(conn, "INSERT INTO svc_invitation_links (hash, membership_id, expires_at)");
    let row = [hash.0.to_vec().into(), membership.id.uuid().into(), expires_at.into()];
    keep.rows([row]).execute(conn).await.map(drop)
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
