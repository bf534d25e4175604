//! Grants.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, QueryResult};
use svc_auth::oauth::{Grant, Pair};
use svc_auth::ports::{GrantReader, GrantStore};
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::TypedId as _;

use super::reading::{GRANT, PAIR, columns, grant, grant_row, pair, stage};
use crate::auth::binding::{fits_grant, fits_pair, of_grant};
use crate::error::store_error;
use crate::statement::Sql;
use crate::store::SeaStore;

const UNIQUE: [(&str, &str, &str); 1] =
    [("svc_oauth_grants_code", "svc_oauth_grants.digest, svc_oauth_grants.pepper", "code")];

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> GrantReader for SeaStore<C> {
    async fn by_code(&self, candidates: &[Fingerprint]) -> Result<Option<Grant>, StoreError> {
        let columns = columns("svc_oauth_grants", &GRANT);
        let rows = Sql::new(&self.conn, &format!("SELECT {columns} FROM svc_oauth_grants WHERE digest"))
            .listed(digests(candidates))
            .all(&self.conn)
            .await?;
        for row in &rows {
            let (grant, binding) = grant(row, 0)?;
            if grant.code.is_among(candidates) {
                return Ok(fits_grant(&self.sealer, &grant, &binding).then_some(grant));
            }
        }
        Ok(None)
    }

    async fn by_access(&self, candidates: &[Fingerprint]) -> Result<Option<(Grant, Pair)>, StoreError> {
        let found = self.pairs_with("svc_oauth_pairs.access_digest", candidates).await?;
        self.bound(&found, |pair| pair.access.is_among(candidates))
    }

    async fn by_refresh(&self, candidates: &[Fingerprint]) -> Result<Option<(Grant, Pair)>, StoreError> {
        let found = self.pairs_with("svc_oauth_pairs.refresh_digest", candidates).await?;
        self.bound(&found, |pair| pair.refresh.is_among(candidates))
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    async fn pairs_with(
        &self,
        column: &str,
        candidates: &[Fingerprint],
    ) -> Result<Vec<QueryResult>, StoreError> {
        let (pairs, grants) = (columns("svc_oauth_pairs", &PAIR), columns("svc_oauth_grants", &GRANT));
        let sql = format!(
            "SELECT {pairs}, {grants} FROM svc_oauth_pairs \
             JOIN svc_oauth_grants ON svc_oauth_grants.id = svc_oauth_pairs.grant_id WHERE {column}"
        );
        Sql::new(&self.conn, &sql).listed(digests(candidates)).all(&self.conn).await
    }
}

impl<C> SeaStore<C> {
    /// The pair that is meant, with its grant, if both rows are as they were written.
    fn bound(
        &self,
        rows: &[QueryResult],
        is_it: impl Fn(&Pair) -> bool,
    ) -> Result<Option<(Grant, Pair)>, StoreError> {
        for row in rows {
            let (pair, of_pair) = pair(row)?;
            if is_it(&pair) {
                let (grant, of_grant) = grant(row, PAIR.len())?;
                let fits =
                    fits_pair(&self.sealer, &pair, &of_pair) && fits_grant(&self.sealer, &grant, &of_grant);
                return Ok(fits.then_some((grant, pair)));
            }
        }
        Ok(None)
    }
}

fn digests(candidates: &[Fingerprint]) -> impl Iterator<Item = Vec<u8>> {
    candidates.iter().map(|candidate| candidate.digest.to_vec())
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> GrantStore for SeaStore<C> {
    async fn add(&self, grant: &Grant) -> Result<(), StoreError> {
        let insert = Sql::new(&self.conn, &format!("INSERT INTO svc_oauth_grants ({})", GRANT.join(", ")))
            .rows([grant_row(&self.sealer, grant)]);
        let added = self.conn.execute_raw(insert.statement()).await;
        added.map_err(|error| store_error(error, &UNIQUE)).map(|_| ())
    }

    async fn advance(&self, before: &Grant, after: &Grant) -> Result<(), StoreError> {
        let ((was, _), (is, ended_at)) = (stage(before.stage), stage(after.stage));
        let moved = Sql::new(&self.conn, "UPDATE svc_oauth_grants SET stage = ")
            .bind(is)
            .text(", ended_at = ")
            .bind(ended_at)
            .text(", binding = ")
            .bind(of_grant(&self.sealer, after))
            .text(" WHERE id = ")
            .bind(after.id.uuid())
            .text(" AND stage = ")
            .bind(was)
            .execute(&self.conn)
            .await?;
        if moved == 0 { Err(StoreError::Conflict) } else { Ok(()) }
    }

    async fn give(&self, pair: &Pair) -> Result<(), StoreError> {
        self.give_pair(pair).await
    }

    async fn use_up(&self, used: &Pair) -> Result<(), StoreError> {
        self.use_up_pair(used).await
    }

    async fn purge_grants(&self, before: Timestamp, most: usize) -> Result<Vec<Grant>, StoreError> {
        self.purge_pairs(before).await?;
        let columns = columns("svc_oauth_grants", &GRANT);
        let rows = Sql::new(&self.conn, &format!("SELECT {columns} FROM svc_oauth_grants WHERE code_until < "))
            .bind(before.unix_micros())
            .text(" AND NOT EXISTS (SELECT 1 FROM svc_oauth_pairs WHERE svc_oauth_pairs.grant_id = svc_oauth_grants.id)")
            .text(" ORDER BY code_until LIMIT ")
            .bind(i64::try_from(most).unwrap_or(i64::MAX))
            .all(&self.conn)
            .await?;
        let read: Vec<_> = rows.iter().map(|row| grant(row, 0)).collect::<Result<_, _>>()?;
        if !read.is_empty() {
            Sql::new(&self.conn, "DELETE FROM svc_oauth_grants WHERE id")
                .listed(read.iter().map(|(grant, _)| grant.id.uuid()))
                .execute(&self.conn)
                .await?;
        }
        let as_written =
            |(grant, binding): (Grant, Vec<u8>)| fits_grant(&self.sealer, &grant, &binding).then_some(grant);
        Ok(read.into_iter().filter_map(as_written).collect())
    }
}
