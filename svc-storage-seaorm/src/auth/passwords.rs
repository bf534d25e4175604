//! Passwords as rows: their hashes, sealed.

use async_trait::async_trait;
use sea_orm::ConnectionTrait;
use svc_auth::ports::{PasswordReader, PasswordStore};
use svc_auth::session::{Password, PasswordHash};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{TypedId, UserId};
use svc_core::resource::Version;
use uuid::Uuid;

use crate::error::backend;
use crate::lock::serialise;
use crate::readers::Readers;
use crate::seal::SealedCell;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::Transaction;
use crate::value::broken;

#[async_trait]
impl PasswordReader for SeaStore<Readers> {
    async fn find(&self, user: UserId) -> Result<Option<Password>, StoreError> {
        self.password(user).await
    }
}

#[async_trait]
impl PasswordReader for SeaStore<Transaction> {
    async fn find(&self, user: UserId) -> Result<Option<Password>, StoreError> {
        self.hold_password(user).await?;
        self.password(user).await
    }
}

#[async_trait]
impl PasswordStore for SeaStore<Transaction> {
    async fn put(&self, before: Option<Version>, after: &Password) -> Result<(), StoreError> {
        self.hold_password(after.user).await?;
        let user = after.user.uuid();
        let sealed = self.sealed(after.user, &after.hash);
        let (set_at, version) = (after.set_at.unix_micros(), after.version.as_i64());
        let put = match before {
            None => Sql::new(&self.conn, "INSERT INTO svc_passwords (user_id, hash, set_at, version)")
                .rows([[user.into(), sealed.into(), set_at.into(), version.into()]])
                .text(" ON CONFLICT (user_id) DO NOTHING"),
            Some(before) => Sql::new(&self.conn, "UPDATE svc_passwords SET hash = ")
                .bind(sealed)
                .text(", set_at = ")
                .bind(set_at)
                .text(", version = ")
                .bind(version)
                .text(" WHERE user_id = ")
                .bind(user)
                .text(" AND version = ")
                .bind(before.as_i64()),
        };
        if put.execute(&self.conn).await? == 0 {
            return Err(StoreError::Conflict);
        }
        self.owe_entry();
        Ok(())
    }

    async fn upgrade(&self, user: UserId, version: Version, hash: &PasswordHash) -> Result<(), StoreError> {
        self.hold_password(user).await?;
        Sql::new(&self.conn, "UPDATE svc_passwords SET hash = ")
            .bind(self.sealed(user, hash))
            .text(" WHERE user_id = ")
            .bind(user.uuid())
            .text(" AND version = ")
            .bind(version.as_i64())
            .execute(&self.conn)
            .await
            .map(|_| ())
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    async fn password(&self, user: UserId) -> Result<Option<Password>, StoreError> {
        let found = Sql::new(&self.conn, "SELECT hash, set_at, version FROM svc_passwords WHERE user_id = ")
            .bind(user.uuid())
            .one(&self.conn)
            .await?;
        let Some(row) = found else { return Ok(None) };
        let sealed: Vec<u8> = row.try_get_by_index(0).map_err(backend)?;
        // What cannot be opened is no hash, so no password fits it; its person is given a new one.
        let hash = match self.sealer.open(&cell(user.uuid().as_bytes()), &sealed) {
            Ok(hash) => String::from_utf8(hash).map_err(|_| broken("passwords.hash"))?,
            Err(error) => {
                tracing::error!(%user, %error, "the password cannot be opened with the master key");
                String::new()
            }
        };
        Ok(Some(Password {
            user,
            hash: PasswordHash::from_stored(hash),
            set_at: Timestamp::from_unix_micros(row.try_get_by_index(1).map_err(backend)?),
            version: Version::from_i64(row.try_get_by_index(2).map_err(backend)?),
        }))
    }

    /// Whose hashes are not sealed under the key in use.
    pub(crate) async fn passwords_under_other_keys(&self) -> Result<Vec<UserId>, StoreError> {
        self.under_other_keys("svc_passwords", "hash").await
    }

    /// Of which people a column is not sealed under the key in use: its id stands behind the first byte.
    pub(super) async fn under_other_keys(
        &self,
        table: &str,
        column: &str,
    ) -> Result<Vec<UserId>, StoreError> {
        let sql = format!("SELECT user_id FROM {table} WHERE substr({column}, 2, 4) <> ");
        let users = Sql::new(&self.conn, &sql)
            .bind(self.sealer.current_mark().to_vec())
            .text(" ORDER BY user_id")
            .ids(&self.conn)
            .await?;
        Ok(users.into_iter().map(UserId::from_uuid).collect())
    }

    fn sealed(&self, user: UserId, hash: &PasswordHash) -> Vec<u8> {
        self.sealer.seal(&cell(user.uuid().as_bytes()), hash.as_str().as_bytes())
    }

    /// What a unit reads of a person's password or second factor, its absence included, stays so until the unit ends:
    /// who turns a second factor on waits for who signs in with the password alone.
    pub(super) async fn hold_password(&self, user: UserId) -> Result<(), StoreError> {
        serialise(&self.conn, "svc_passwords.user_id", &[user.uuid().as_bytes()]).await
    }
}

/// A person belongs to no company.
fn cell(user: &[u8]) -> SealedCell<'_> {
    SealedCell { table: "passwords", column: "hash", company: Uuid::nil(), row: user }
}
