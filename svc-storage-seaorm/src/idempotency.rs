//! Claims on idempotency keys, and the replies that end them.

mod reply;

use async_trait::async_trait;
use sea_orm::ConnectionTrait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::idempotency::{
    CLAIM_LEASE, Claim, Fence, KEPT_FOR, Reply, ReplyStore, RequestHash, RequestKey,
};

use crate::error::backend;
use crate::fence;
use crate::seal::SealedCell;
use crate::statement::Sql;
use crate::store::SeaStore;

/// How often a claim that lost against another one looks again at what stands there now.
const TRIES: usize = 8;

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ReplyStore for SeaStore<C> {
    async fn keep(&self, key: &RequestKey, fence: Fence, reply: &Reply) -> Result<(), StoreError> {
        let sealed = at(key, |cell| self.sealer.seal(cell, &reply::write(reply)));
        let status = i16::try_from(reply.status).map_err(StoreError::backend)?;
        let kept = Sql::new(&self.conn, "UPDATE svc_idempotency SET status = ")
            .bind(status)
            .text(", reply = ")
            .bind(sealed);
        match named(kept, key, fence).text(" AND status IS NULL").execute(&self.conn).await? {
            0 => Err(StoreError::Conflict),
            _ => Ok(()),
        }
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Claims `key` for one run, or tells what stands there already. Each of its statements is one
    /// atomic step by itself: a step that meets another state than was read starts over.
    pub(crate) async fn claim_key(
        &self,
        key: &RequestKey,
        request: RequestHash,
        now: Timestamp,
    ) -> Result<Claim, StoreError> {
        let fence = Fence(fence::generate()?);
        for _ in 0..TRIES {
            if self.add(key, request, fence, now).await? {
                return Ok(Claim::Held(fence));
            }
            // Released or purged in between: add it after all.
            let Some(row) = self.row(key).await? else { continue };
            let over = row.claimed_at.plus(KEPT_FOR) <= now;
            if !over && row.request != request {
                return Ok(Claim::Reused);
            }
            if !over && let Some(reply) = row.reply {
                return Ok(Claim::Done(reply));
            }
            if !over && now < row.claimed_at.plus(CLAIM_LEASE) {
                return Ok(Claim::Running);
            }
            if self.take_over(key, request, row.fence, fence, now).await? {
                return Ok(Claim::Held(fence));
            }
        }
        Err(StoreError::Busy)
    }

    /// Lets a claim go, so that the request may be tried again.
    pub(crate) async fn release_key(&self, key: &RequestKey, fence: Fence) -> Result<(), StoreError> {
        let released = Sql::new(&self.conn, "DELETE FROM svc_idempotency");
        named(released, key, fence).text(" AND status IS NULL").execute(&self.conn).await.map(|_| ())
    }

    /// Forgets what was claimed before `before`, the oldest first and about so many at most: those that were claimed at
    /// one instant go together. Answers how many rows went.
    pub(crate) async fn purge_keys(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let last = Sql::new(&self.conn, "SELECT claimed_at FROM svc_idempotency WHERE claimed_at < ")
            .bind(before.unix_micros())
            .text(" ORDER BY claimed_at LIMIT 1 OFFSET ")
            .bind(i64::from(limit.saturating_sub(1)))
            .all(&self.conn)
            .await?;
        let last: Option<i64> =
            last.first().map(|row| row.try_get_by_index(0)).transpose().map_err(backend)?;
        let purge = Sql::new(&self.conn, "DELETE FROM svc_idempotency WHERE claimed_at");
        let purge = match last {
            Some(last) => purge.text(" <= ").bind(last),
            None => purge.text(" < ").bind(before.unix_micros()),
        };
        purge.execute(&self.conn).await
    }

    async fn add(
        &self,
        key: &RequestKey,
        request: RequestHash,
        fence: Fence,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let row = [
            key.caller.uuid().into(),
            key.key.as_str().into(),
            request.0.to_vec().into(),
            fence.0.into(),
            now.unix_micros().into(),
        ];
        let added = Sql::new(
            &self.conn,
            "INSERT INTO svc_idempotency (token_id, key, request_hash, fence, claimed_at)",
        )
        .rows([row])
        .text(" ON CONFLICT (token_id, key) DO NOTHING");
        Ok(added.execute(&self.conn).await? == 1)
    }

    /// A run whose lease has ended, or a row whose time is over, is replaced; a reply that was kept
    /// meanwhile is not.
    async fn take_over(
        &self,
        key: &RequestKey,
        request: RequestHash,
        from: Fence,
        to: Fence,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let taken =
            Sql::new(&self.conn, "UPDATE svc_idempotency SET status = NULL, reply = NULL, request_hash = ")
                .bind(request.0.to_vec())
                .text(", fence = ")
                .bind(to.0)
                .text(", claimed_at = ")
                .bind(now.unix_micros());
        let taken = named(taken, key, from)
            .text(" AND (status IS NULL OR claimed_at <= ")
            .bind(now.minus(KEPT_FOR).unix_micros())
            .text(")");
        Ok(taken.execute(&self.conn).await? == 1)
    }

    async fn row(&self, key: &RequestKey) -> Result<Option<Row>, StoreError> {
        let columns =
            "SELECT request_hash, fence, claimed_at, status, reply FROM svc_idempotency WHERE token_id = ";
        let found = Sql::new(&self.conn, columns)
            .bind(key.caller.uuid())
            .text(" AND key = ")
            .bind(key.key.as_str())
            .one(&self.conn)
            .await?;
        let Some(row) = found else { return Ok(None) };
        let hash: Vec<u8> = row.try_get_by_index(0).map_err(backend)?;
        let status: Option<i16> = row.try_get_by_index(3).map_err(backend)?;
        let sealed: Option<Vec<u8>> = row.try_get_by_index(4).map_err(backend)?;
        let reply = match status.zip(sealed) {
            Some((status, sealed)) => {
                let plain = at(key, |cell| self.sealer.open(cell, &sealed))?;
                Some(reply::read(status, &plain)?)
            }
            None => None,
        };
        Ok(Some(Row {
            request: RequestHash(hash.try_into().map_err(|_| reply::broken())?),
            fence: Fence(row.try_get_by_index(1).map_err(backend)?),
            claimed_at: Timestamp::from_unix_micros(row.try_get_by_index(2).map_err(backend)?),
            reply,
        }))
    }
}

struct Row {
    request: RequestHash,
    fence: Fence,
    claimed_at: Timestamp,
    reply: Option<Reply>,
}

/// The row of `key` while its fence is this one.
fn named(sql: Sql, key: &RequestKey, fence: Fence) -> Sql {
    sql.text(" WHERE token_id = ")
        .bind(key.caller.uuid())
        .text(" AND key = ")
        .bind(key.key.as_str())
        .text(" AND fence = ")
        .bind(fence.0)
}

/// A reply may hold data of several companies: it is sealed under none of them.
fn at<T>(key: &RequestKey, with: impl FnOnce(&SealedCell<'_>) -> T) -> T {
    let row = [key.caller.uuid().as_bytes().as_slice(), key.key.as_bytes()].concat();
    with(&SealedCell { table: "idempotency", column: "reply", company: uuid::Uuid::nil(), row: &row })
}
