//! Links that reset passwords as rows: one of each person at most.

use async_trait::async_trait;
use sea_orm::ConnectionTrait;
use svc_auth::ports::{PasswordResetReader, PasswordResetStore};
use svc_auth::session::PasswordReset;
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{TypedId, UserId};

use super::binding::{fits_reset, of_reset};
use crate::error::backend;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::broken;

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> PasswordResetReader for SeaStore<C> {
    async fn find_reset(&self, candidates: &[Fingerprint]) -> Result<Option<PasswordReset>, StoreError> {
        let found = Sql::new(
            &self.conn,
            "SELECT user_id, pepper, digest, expires_at, binding FROM svc_password_resets WHERE digest",
        );
        let found = found.listed(candidates.iter().map(|candidate| candidate.digest.to_vec()));
        for row in &found.all(&self.conn).await? {
            let pepper: i64 = row.try_get_by_index(1).map_err(backend)?;
            let digest: Vec<u8> = row.try_get_by_index(2).map_err(backend)?;
            let reset = PasswordReset {
                user: UserId::from_uuid(row.try_get_by_index(0).map_err(backend)?),
                fingerprint: Fingerprint {
                    pepper: u32::try_from(pepper).map_err(|_| broken("password_resets.pepper"))?,
                    digest: digest.try_into().map_err(|_| broken("password_resets.digest"))?,
                },
                expires_at: Timestamp::from_unix_micros(row.try_get_by_index(3).map_err(backend)?),
            };
            let code: Vec<u8> = row.try_get_by_index(4).map_err(backend)?;
            if candidates.iter().any(|candidate| candidate.matches(&reset.fingerprint)) {
                return Ok(fits_reset(&self.sealer, &reset, &code).then_some(reset));
            }
        }
        Ok(None)
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> PasswordResetStore for SeaStore<C> {
    async fn put_reset(&self, reset: &PasswordReset) -> Result<(), StoreError> {
        let row = [
            reset.user.uuid().into(),
            i64::from(reset.fingerprint.pepper).into(),
            reset.fingerprint.digest.to_vec().into(),
            reset.expires_at.unix_micros().into(),
            of_reset(&self.sealer, reset).into(),
        ];
        let put = Sql::new(
            &self.conn,
            "INSERT INTO svc_password_resets (user_id, pepper, digest, expires_at, binding)",
        );
        let put = put.rows([row]).text(
            " ON CONFLICT (user_id) DO UPDATE SET pepper = excluded.pepper, digest = excluded.digest, \
             expires_at = excluded.expires_at, binding = excluded.binding",
        );
        put.execute(&self.conn).await.map(drop)
    }

    async fn delete_reset_of(&self, user: UserId) -> Result<(), StoreError> {
        let delete = Sql::new(&self.conn, "DELETE FROM svc_password_resets WHERE user_id = ");
        delete.bind(user.uuid()).execute(&self.conn).await.map(drop)
    }

    async fn purge_resets(&self, now: Timestamp) -> Result<u64, StoreError> {
        let purge = Sql::new(&self.conn, "DELETE FROM svc_password_resets WHERE expires_at <= ");
        purge.bind(now.unix_micros()).execute(&self.conn).await
    }
}
