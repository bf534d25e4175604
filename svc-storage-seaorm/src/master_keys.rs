//! Which master keys a database needs.
//!
//! One value is sealed under the master key when the schema is made: it tells
//! a wrong key before anything is read with it. Once another key is in use the
//! value is sealed anew, and so are the hashes of passwords and second factors, so that the older
//! key may go when nothing else needs it; [`Database::key_uses`] tells what does.

use std::collections::BTreeMap;

use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement};
#[cfg(feature = "auth")]
use svc_auth::ports::{PasswordReader as _, PasswordStore as _};
use svc_core::error::StoreError;
use uuid::Uuid;

use crate::database::Database;
use crate::error::backend;
use crate::migration::{self, MigrateError};
use crate::open_error::OpenError;
use crate::seal::SealedCell;
use crate::statement::Sql;

/// What was made with one of the master keys and needs it still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// Id of the key.
    pub id: u32,
    /// Tokens that are not revoked.
    pub tokens: u64,
    /// Secrets of webhook subscriptions.
    pub secrets: u64,
    /// Passwords.
    pub passwords: u64,
    /// Second factors.
    pub factors: u64,
    /// Refresh tokens of connections that were not used yet.
    pub connections: u64,
    /// Records of the audit log, which no longer verify without it.
    pub records: u64,
}

const CELL: SealedCell<'static> =
    SealedCell { table: "svc_key_check", column: "sealed", company: Uuid::nil(), row: &[1] };
const TEXT: &[u8] = b"svc";
/// Each is held for as long as one unit seals so many.
#[cfg(feature = "auth")]
const PASSWORDS_AT_ONCE: usize = 100;

impl Database {
    /// What needs which master key, by key id. Sessions and kept replies are left out: they need
    /// theirs for a day.
    ///
    /// # Errors
    /// When the database does not answer, or has no schema.
    pub async fn key_uses(&self) -> Result<Vec<KeyUse>, StoreError> {
        let mut uses = BTreeMap::new();
        let records = "SELECT seal_key, COUNT(*) FROM svc_audit_records GROUP BY seal_key";
        for (id, count) in self.counted(records).await? {
            of(&mut uses, id).records = count;
        }
        if self.has("svc_tokens").await? {
            // A connection has no value of its own.
            let tokens = "SELECT pepper, COUNT(*) FROM svc_tokens WHERE state <> 2 AND client_id IS NULL GROUP BY pepper";
            for (id, count) in self.counted(tokens).await? {
                of(&mut uses, id).tokens = count;
            }
            for (id, count) in self.sealed_under("svc_passwords", "hash").await? {
                of(&mut uses, id).passwords = count;
            }
            for (id, count) in self.sealed_under("svc_second_factors", "sealed").await? {
                of(&mut uses, id).factors = count;
            }
        }
        if self.has("svc_oauth_pairs").await? {
            let connections = "SELECT refresh_pepper, COUNT(*) FROM svc_oauth_pairs WHERE refreshed_at IS NULL \
                               GROUP BY refresh_pepper";
            for (id, count) in self.counted(connections).await? {
                of(&mut uses, id).connections = count;
            }
        }
        if self.has("svc_subscriptions").await? {
            for (id, count) in self.sealed_under("svc_subscriptions", "secret").await? {
                of(&mut uses, id).secrets = count;
            }
        }
        Ok(uses.into_values().collect())
    }

    /// Whether the database has this table, whatever schema it was opened for: another process may use the rest.
    async fn has(&self, table: &str) -> Result<bool, StoreError> {
        migration::has_table(&self.0.reader.conn, table).await.map_err(backend)
    }

    /// How much is under which key, as this statement counts it.
    async fn counted(&self, sql: &str) -> Result<Vec<(u32, u64)>, StoreError> {
        let rows = self.rows(sql).await.map_err(backend)?;
        let count = |row: &QueryResult| {
            let (id, count): (i64, i64) = pair(row).map_err(backend)?;
            Ok((u32::try_from(id).map_err(StoreError::backend)?, count.unsigned_abs()))
        };
        rows.iter().map(count).collect()
    }

    /// How many values of a column are sealed under which key: its id stands behind their first byte.
    async fn sealed_under(&self, table: &str, column: &str) -> Result<Vec<(u32, u64)>, StoreError> {
        let sql = format!("SELECT substr({column}, 2, 4), COUNT(*) FROM {table} GROUP BY 1");
        let rows = self.rows(&sql).await.map_err(backend)?;
        let count = |row: &QueryResult| {
            let (id, count): (Vec<u8>, i64) = pair(row).map_err(backend)?;
            let id = <[u8; 4]>::try_from(id.as_slice()).map_err(StoreError::backend)?;
            Ok((u32::from_be_bytes(id), count.unsigned_abs()))
        };
        rows.iter().map(count).collect()
    }

    /// Seals the value that tells a wrong key, unless it is under the key in use already.
    pub(crate) async fn remember_key(&self) -> Result<(), MigrateError> {
        let sealer = &self.0.sealer;
        let found = self.key_check().await.map_err(MigrateError::Backend)?;
        if found.as_ref().is_some_and(|sealed| sealer.is_current(sealed) || !self.opens(sealed)) {
            return Ok(());
        }
        let transaction = self.0.transaction()?;
        let sql = Sql::new(&transaction, "INSERT INTO svc_key_check (id, sealed) VALUES (1, ")
            .bind(sealer.seal(&CELL, TEXT));
        let sql = match found {
            // The process that was first decides which key it is.
            None => sql.text(") ON CONFLICT DO NOTHING"),
            Some(_) => sql.text(") ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed"),
        };
        sql.execute(&transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Seals the hashes of passwords, and second factors, anew that are under an older key: when that one goes, no person has
    /// to set a new password. A hash whose key is not at hand stays as it is.
    #[cfg(feature = "auth")]
    pub(crate) async fn renew_passwords(&self) -> Result<(), StoreError> {
        for some in self.0.reader.passwords_under_other_keys().await?.chunks(PASSWORDS_AT_ONCE) {
            let unit = self.0.begin()?;
            for user in some {
                if let Ok(Some(password)) = unit.store.find(*user).await {
                    unit.store.upgrade(*user, password.version, &password.hash).await?;
                }
            }
            unit.finish().await?;
        }
        for some in self.0.reader.factors_under_other_keys().await?.chunks(PASSWORDS_AT_ONCE) {
            let unit = self.0.begin()?;
            for user in some {
                unit.store.renew_factor(*user).await?;
            }
            unit.finish().await?;
        }
        Ok(())
    }

    pub(crate) async fn refuse_wrong_key(&self) -> Result<(), OpenError> {
        match self.key_check().await.map_err(OpenError::Backend)? {
            Some(sealed) if !self.opens(&sealed) => Err(OpenError::WrongMasterKey),
            Some(_) | None => Ok(()),
        }
    }

    fn opens(&self, sealed: &[u8]) -> bool {
        self.0.sealer.open(&CELL, sealed).is_ok()
    }

    async fn key_check(&self) -> Result<Option<Vec<u8>>, DbErr> {
        if !migration::has_table(&self.0.reader.conn, "svc_key_check").await? {
            return Ok(None);
        }
        let rows = self.rows("SELECT sealed FROM svc_key_check").await?;
        rows.first().map(|row| row.try_get_by_index(0)).transpose()
    }

    async fn rows(&self, sql: &str) -> Result<Vec<QueryResult>, DbErr> {
        let conn = &self.0.reader.conn;
        conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await
    }
}

fn pair<A: sea_orm::TryGetable, B: sea_orm::TryGetable>(row: &QueryResult) -> Result<(A, B), DbErr> {
    Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))
}

fn of(uses: &mut BTreeMap<u32, KeyUse>, id: u32) -> &mut KeyUse {
    let none = KeyUse { id, tokens: 0, secrets: 0, passwords: 0, factors: 0, connections: 0, records: 0 };
    uses.entry(id).or_insert(none)
}
