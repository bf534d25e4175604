//! People as the authority sees them.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbErr, QueryResult};
use svc_auth::ports::{CompanyStanding, PeopleDirectory, Person};
use svc_business::party::order_key;
use svc_core::error::StoreError;
use svc_core::id::{TypedId, UserId};

use super::directory::{self, ACTIVE_MEMBER, DISABLED, MERGED};
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;

const PEOPLE: &str = "SELECT id, email, name, status FROM svc_users WHERE ";

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> PeopleDirectory for SeaStore<C> {
    async fn person(&self, id: UserId) -> Result<Option<Person>, StoreError> {
        let found = Sql::new(&self.conn, PEOPLE).text("id = ").bind(id.uuid()).one(&self.conn).await?;
        found.as_ref().map(read).transpose().map_err(backend)
    }

    async fn person_by_email(&self, email: &str) -> Result<Option<Person>, StoreError> {
        let key = order_key(email);
        let found = Sql::new(&self.conn, PEOPLE).text("email_key = ").bind(key).one(&self.conn).await?;
        found.as_ref().map(read).transpose().map_err(backend)
    }

    async fn memberships(&self, person: UserId) -> Result<Vec<CompanyStanding>, StoreError> {
        let rows = Sql::new(&self.conn, "SELECT ")
            .text(directory::COLUMNS)
            .text(
                " FROM svc_memberships m JOIN svc_accounts a ON a.id = m.account_id JOIN svc_users u ON u.id = m.user_id",
            )
            .text(" WHERE m.user_id = ")
            .bind(person.uuid())
            .text(" AND m.status = ")
            .bind(ACTIVE_MEMBER)
            .text(" AND a.status <> ")
            .bind(MERGED)
            .text(" AND u.status <> ")
            .bind(DISABLED)
            .all(&self.conn)
            .await?;
        let mut found: Vec<_> = rows.iter().map(directory::read).collect::<Result<_, _>>()?;
        // Here and not in SQL: collations of databases differ.
        found.sort_by(|left, right| (&left.legal_name, left.id).cmp(&(&right.legal_name, right.id)));
        Ok(found)
    }
}

fn read(row: &QueryResult) -> Result<Person, DbErr> {
    Ok(Person {
        id: UserId::from_uuid(row.try_get_by_index(0)?),
        email: row.try_get_by_index(1)?,
        name: row.try_get_by_index(2)?,
        active: row.try_get_by_index::<i16>(3)? != DISABLED,
    })
}
