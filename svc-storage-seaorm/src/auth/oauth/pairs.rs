//! Pairs of tokens.

use sea_orm::ConnectionTrait;
use svc_auth::oauth::Pair;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use super::reading::{PAIR, pair_row};
use crate::auth::binding::of_pair;
use crate::error::store_error;
use crate::statement::Sql;
use crate::store::SeaStore;

const UNIQUE: [(&str, &str, &str); 2] = [
    ("svc_oauth_pairs_pkey", "svc_oauth_pairs.refresh_digest", "refresh_token"),
    ("svc_oauth_pairs_access", "svc_oauth_pairs.access_digest", "access_token"),
];

impl<C: ConnectionTrait> SeaStore<C> {
    pub(super) async fn give_pair(&self, pair: &Pair) -> Result<(), StoreError> {
        let insert = Sql::new(&self.conn, &format!("INSERT INTO svc_oauth_pairs ({})", PAIR.join(", ")))
            .rows([pair_row(&self.sealer, pair)]);
        let added = self.conn.execute_raw(insert.statement()).await;
        added.map_err(|error| store_error(error, &UNIQUE)).map(|_| ())
    }

    pub(super) async fn use_up_pair(&self, used: &Pair) -> Result<(), StoreError> {
        let written = Sql::new(&self.conn, "UPDATE svc_oauth_pairs SET refreshed_at = ")
            .bind(used.refreshed_at.map(Timestamp::unix_micros))
            .text(", binding = ")
            .bind(of_pair(&self.sealer, used))
            .text(" WHERE refresh_digest = ")
            .bind(used.refresh.digest.to_vec())
            .text(" AND refreshed_at IS NULL")
            .execute(&self.conn)
            .await?;
        if written == 0 { Err(StoreError::Conflict) } else { Ok(()) }
    }

    pub(super) async fn purge_pairs(&self, before: Timestamp) -> Result<u64, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_oauth_pairs WHERE refresh_until < ")
            .bind(before.unix_micros())
            .execute(&self.conn)
            .await
    }
}
