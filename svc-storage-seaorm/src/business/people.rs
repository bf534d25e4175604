//! Users and memberships as rows.

mod invitation;
mod membership;
mod user;

use std::collections::HashMap;

use async_trait::async_trait;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use svc_business::membership::{
    Invitation, InvitationHash, Linked, Member, Membership, PeopleReader, PeopleStore,
};
use svc_business::party::order_key;
use svc_business::user::User;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, MembershipId, TypedId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use uuid::Uuid;

use crate::error::{backend, store_error};
use crate::lock::serialise;
use crate::scoped::within;
use crate::store::SeaStore;
use crate::value::broken;
use crate::window::{Window, count};

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> PeopleReader for SeaStore<C> {
    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        let row = user::Entity::find_by_id(id.uuid()).one(&self.conn).await.map_err(backend)?;
        row.map(user::read).transpose()
    }

    async fn user_by_email(&self, email: &str) -> Result<Option<User>, StoreError> {
        let found = user::Entity::find().filter(user::Column::EmailKey.eq(order_key(email)));
        found.one(&self.conn).await.map_err(backend)?.map(user::read).transpose()
    }

    async fn membership(&self, account: AccountId, user: UserId) -> Result<Option<Membership>, StoreError> {
        let found = membership::Entity::find()
            .filter(membership::Column::AccountId.eq(account.uuid()))
            .filter(membership::Column::UserId.eq(user.uuid()));
        found.one(&self.conn).await.map_err(backend)?.as_ref().map(membership::read).transpose()
    }

    async fn members(
        &self,
        scope: &Scope,
        account: AccountId,
        request: PageRequest,
    ) -> Result<Page<Member>, StoreError> {
        let matching = membership::Entity::find()
            .filter(within(scope, &[account], membership::Column::AccountId))
            .filter(membership::Column::Status.ne(membership::ENDED));
        let total = count(&self.conn, matching.clone()).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let mut rows = window
            .apply(matching, [membership::Column::CreatedAt, membership::Column::Id])
            .all(&self.conn)
            .await
            .map_err(backend)?;
        if window.backwards {
            rows.reverse();
        }
        Ok(Page { items: with_users(&self.conn, rows).await?, total, request })
    }

    async fn member(
        &self,
        scope: &Scope,
        account: AccountId,
        id: MembershipId,
    ) -> Result<Option<Member>, StoreError> {
        let found = membership::Entity::find_by_id(id.uuid())
            .filter(within(scope, &[account], membership::Column::AccountId))
            .filter(membership::Column::Status.ne(membership::ENDED));
        let row = found.one(&self.conn).await.map_err(backend)?;
        Ok(with_users(&self.conn, row.into_iter().collect()).await?.pop())
    }

    async fn invitation(&self, person: UserId, id: MembershipId) -> Result<Option<Invitation>, StoreError> {
        let found = invitation::of(person).filter(membership::Column::Id.eq(id.uuid()));
        let row = found.one(&self.conn).await.map_err(backend)?;
        Ok(invitation::read(&self.conn, row.into_iter().collect()).await?.pop())
    }

    async fn invitations(
        &self,
        person: UserId,
        since: Timestamp,
        request: PageRequest,
    ) -> Result<Page<Invitation>, StoreError> {
        let open = invitation::of(person).filter(invitation::is_open(since));
        let total = count(&self.conn, open.clone()).await?;
        let Some(window) = Window::of(request, total) else {
            return Ok(Page { items: Vec::new(), total, request });
        };
        let mut rows = window
            .apply(open, [membership::Column::InvitedAt, membership::Column::Id])
            .all(&self.conn)
            .await
            .map_err(backend)?;
        if window.backwards {
            rows.reverse();
        }
        Ok(Page { items: invitation::read(&self.conn, rows).await?, total, request })
    }

    async fn open_invitations(&self, account: AccountId, since: Timestamp) -> Result<u64, StoreError> {
        serialise(&self.conn, "svc_memberships.invited_at", &[account.uuid().as_bytes()]).await?;
        let open = membership::Entity::find()
            .filter(membership::Column::AccountId.eq(account.uuid()))
            .filter(invitation::is_open(since));
        count(&self.conn, open).await
    }

    async fn invited_in_vain(&self, account: AccountId, since: Timestamp) -> Result<u64, StoreError> {
        let invited = membership::Entity::find()
            .filter(membership::Column::AccountId.eq(account.uuid()))
            .filter(invitation::is_in_vain(since));
        count(&self.conn, invited).await
    }

    async fn linked(&self, hash: &InvitationHash) -> Result<Option<Linked>, StoreError> {
        let Some((id, user, expires_at)) = invitation::linked(&self.conn, hash).await? else {
            return Ok(None);
        };
        let found = self.invitation(user, id).await?.zip(self.user(user).await?);
        Ok(found.map(|(invitation, person)| Linked { invitation, person, expires_at }))
    }

    async fn holders(&self, account: AccountId) -> Result<u64, StoreError> {
        serialise(&self.conn, "svc_memberships.role", &[account.uuid().as_bytes()]).await?;
        let holders = membership::Entity::find()
            .filter(membership::Column::AccountId.eq(account.uuid()))
            .filter(membership::Column::Role.eq(Role::Holder.name()))
            .filter(membership::Column::Status.eq(membership::ACTIVE));
        count(&self.conn, holders).await
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> PeopleStore for SeaStore<C> {
    async fn insert_user(&self, user: &User) -> Result<(), StoreError> {
        let written = user::Entity::insert(user::of(user)).exec_without_returning(&self.conn).await;
        written.map_err(|error| store_error(error, USER_UNIQUE)).map(|_| ())
    }

    async fn replace_user(&self, before: Version, after: &User) -> Result<(), StoreError> {
        let update = user::Entity::update_many()
            .set(user::of(after))
            .filter(user::Column::Id.eq(after.id.uuid()))
            .filter(user::Column::Version.eq(before.as_i64()));
        let updated = update.exec(&self.conn).await.map_err(|error| store_error(error, USER_UNIQUE))?;
        if updated.rows_affected == 0 {
            return Err(StoreError::Conflict);
        }
        self.move_authority();
        Ok(())
    }

    async fn keep_link(
        &self,
        membership: &Membership,
        hash: &InvitationHash,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        invitation::keep_link(&self.conn, membership, hash, now).await
    }

    async fn insert_membership(&self, membership: &Membership) -> Result<(), StoreError> {
        let row = membership::of(membership);
        let written = membership::Entity::insert(row).exec_without_returning(&self.conn).await;
        let unique =
            [("svc_memberships_person", "svc_memberships.account_id, svc_memberships.user_id", "userId")];
        written.map_err(|error| store_error(error, &unique))?;
        self.owe_entry();
        self.move_authority();
        Ok(())
    }

    async fn replace_membership(&self, before: Version, after: &Membership) -> Result<(), StoreError> {
        let update = membership::Entity::update_many()
            .set(membership::of(after))
            .filter(membership::Column::Id.eq(after.id.uuid()))
            .filter(membership::Column::AccountId.eq(after.account.uuid()))
            .filter(membership::Column::Version.eq(before.as_i64()));
        if update.exec(&self.conn).await.map_err(backend)?.rows_affected == 0 {
            return Err(StoreError::Conflict);
        }
        self.owe_entry();
        self.move_authority();
        Ok(())
    }
}

const USER_UNIQUE: &[(&str, &str, &str)] = &[("svc_users_email", "svc_users.email_key", "email")];

/// The memberships of these rows, in their order, with their persons.
async fn with_users(
    conn: &impl ConnectionTrait,
    rows: Vec<membership::Model>,
) -> Result<Vec<Member>, StoreError> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.user_id).collect();
    let users = user::Entity::find().filter(user::Column::Id.is_in(ids));
    let users: HashMap<Uuid, user::Model> =
        users.all(conn).await.map_err(backend)?.into_iter().map(|user| (user.id, user)).collect();
    let member = |row: membership::Model| {
        let user = users.get(&row.user_id).cloned().ok_or_else(|| broken("memberships.user_id"))?;
        Ok(Member { membership: membership::read(&row)?, user: user::read(user)?, phone: None })
    };
    rows.into_iter().map(member).collect()
}
