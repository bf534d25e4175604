//! Failed attempts to sign in as rows, one per key that they are counted by.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::ConnectionTrait;
use svc_auth::ports::{Failures, ThrottleKey};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::broken;

/// No two units wait for each other in a circle.
const HOLD: &str = " ORDER BY key FOR UPDATE";

impl<C: ConnectionTrait> SeaStore<C> {
    /// The failures of each key, in the order of the keys.
    pub(crate) async fn failures(&self, keys: &[ThrottleKey]) -> Result<Vec<Failures>, StoreError> {
        let known = self.failures_of(&keys.iter().copied().collect(), "").await?;
        Ok(in_order(keys, &known))
    }

    /// Counts an attempt for each key; answers what was there before.
    pub(crate) async fn charge(
        &self,
        keys: &[ThrottleKey],
        forget_before: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Failures>, StoreError> {
        let wanted: BTreeSet<ThrottleKey> = keys.iter().copied().collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let before = self.hold_failures(&wanted).await?;
        Sql::new(&self.conn, "UPDATE svc_sign_in_failures SET count = CASE WHEN last_at < ")
            .bind(forget_before.unix_micros())
            .text(" THEN 1 ELSE count + 1 END, last_at = ")
            .bind(now.unix_micros())
            .text(" WHERE key")
            .listed(wanted.iter().map(bytes))
            .execute(&self.conn)
            .await?;
        Ok(in_order(keys, &before))
    }

    /// Takes one attempt out of the count of each key.
    pub(crate) async fn give_back(&self, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        self.change("UPDATE svc_sign_in_failures SET count = count - 1 WHERE count > 0 AND key", keys).await
    }

    /// Forgets the failures of these keys.
    pub(crate) async fn clear(&self, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        self.change("DELETE FROM svc_sign_in_failures WHERE key", keys).await
    }

    /// Changes the rows of these keys, locked in the order in which every unit locks them.
    async fn change(&self, change: &str, keys: &[ThrottleKey]) -> Result<(), StoreError> {
        let held = self.failures_of(&keys.iter().copied().collect(), HOLD).await?;
        let change = Sql::new(&self.conn, change).listed(held.keys().map(bytes));
        change.execute(&self.conn).await.map(|_| ())
    }

    /// Forgets keys whose last failure is before this instant; answers how many.
    pub(crate) async fn purge_failures(&self, before: Timestamp) -> Result<u64, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_sign_in_failures WHERE last_at < ")
            .bind(before.unix_micros())
            .execute(&self.conn)
            .await
    }

    /// Holds the rows of these keys to the end of the unit; a key that has none gets one without failures.
    async fn hold_failures(
        &self,
        keys: &BTreeSet<ThrottleKey>,
    ) -> Result<BTreeMap<ThrottleKey, Failures>, StoreError> {
        loop {
            let none = Failures::default();
            let rows = keys.iter().map(|key| {
                [bytes(key).into(), i64::from(none.count).into(), none.last_at.unix_micros().into()]
            });
            Sql::new(&self.conn, "INSERT INTO svc_sign_in_failures (key, count, last_at)")
                .rows(rows)
                .text(" ON CONFLICT (key) DO NOTHING")
                .execute(&self.conn)
                .await?;
            let held = self.failures_of(keys, HOLD).await?;
            // One that another unit cleared in between is added after all.
            if held.len() == keys.len() {
                return Ok(held);
            }
        }
    }

    async fn failures_of(
        &self,
        keys: &BTreeSet<ThrottleKey>,
        lock: &str,
    ) -> Result<BTreeMap<ThrottleKey, Failures>, StoreError> {
        let rows = Sql::new(&self.conn, "SELECT key, count, last_at FROM svc_sign_in_failures WHERE key")
            .listed(keys.iter().map(bytes))
            .on_postgres(lock)
            .all(&self.conn)
            .await?;
        let mut found = BTreeMap::new();
        for row in &rows {
            let key: Vec<u8> = row.try_get_by_index(0).map_err(backend)?;
            let key = ThrottleKey(key.try_into().map_err(|_| broken("sign_in_failures.key"))?);
            let count: i64 = row.try_get_by_index(1).map_err(backend)?;
            let last_at = Timestamp::from_unix_micros(row.try_get_by_index(2).map_err(backend)?);
            found.insert(key, Failures { count: u32::try_from(count).unwrap_or(u32::MAX), last_at });
        }
        Ok(found)
    }
}

fn in_order(keys: &[ThrottleKey], known: &BTreeMap<ThrottleKey, Failures>) -> Vec<Failures> {
    keys.iter().map(|key| known.get(key).copied().unwrap_or_default()).collect()
}

fn bytes(key: &ThrottleKey) -> Vec<u8> {
    key.0.to_vec()
}
