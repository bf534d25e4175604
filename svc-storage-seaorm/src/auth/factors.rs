//! Second factors as rows: everything of them sealed.

use async_trait::async_trait;
use sea_orm::ConnectionTrait;
use serde::{Deserialize, Serialize};
use svc_auth::ports::{SecondFactorReader, SecondFactorStore};
use svc_auth::session::{SecondFactor, TotpSecret};
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{TypedId, UserId};
use svc_core::resource::Version;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::error::backend;
use crate::readers::Readers;
use crate::seal::SealedCell;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::Transaction;
use crate::value::broken;

/// What is sealed.
#[derive(Deserialize, Serialize)]
struct Content {
    secret: [u8; 20],
    confirmed_at: Option<i64>,
    last_step: u64,
    recovery: Vec<(u32, [u8; 32])>,
}

impl Content {
    fn of(self, user: UserId, version: Version) -> SecondFactor {
        SecondFactor {
            user,
            secret: TotpSecret::from_stored(self.secret),
            confirmed_at: self.confirmed_at.map(Timestamp::from_unix_micros),
            last_step: self.last_step,
            recovery: self
                .recovery
                .into_iter()
                .map(|(pepper, digest)| Fingerprint { pepper, digest })
                .collect(),
            version,
        }
    }
}

#[async_trait]
impl SecondFactorReader for SeaStore<Readers> {
    async fn factor_of(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        self.factor(user).await
    }
}

#[async_trait]
impl SecondFactorReader for SeaStore<Transaction> {
    async fn factor_of(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        self.hold_password(user).await?;
        self.factor(user).await
    }
}

#[async_trait]
impl SecondFactorStore for SeaStore<Transaction> {
    async fn put_factor(&self, before: Option<Version>, after: &SecondFactor) -> Result<(), StoreError> {
        self.write_factor(before, after).await?;
        if after.is_on() {
            self.owe_entry();
        }
        Ok(())
    }

    async fn use_factor(&self, before: Version, after: &SecondFactor) -> Result<(), StoreError> {
        self.write_factor(Some(before), after).await
    }

    async fn remove_factor(&self, user: UserId, before: Version) -> Result<(), StoreError> {
        self.hold_password(user).await?;
        let removed = Sql::new(&self.conn, "DELETE FROM svc_second_factors WHERE user_id = ")
            .bind(user.uuid())
            .text(" AND version = ")
            .bind(before.as_i64())
            .execute(&self.conn)
            .await?;
        if removed == 0 {
            return Err(StoreError::Conflict);
        }
        self.owe_entry();
        Ok(())
    }
}

impl SeaStore<Transaction> {
    async fn write_factor(&self, before: Option<Version>, after: &SecondFactor) -> Result<(), StoreError> {
        self.hold_password(after.user).await?;
        let (user, sealed, version) = (after.user.uuid(), self.seal_factor(after), after.version.as_i64());
        let put = match before {
            None => Sql::new(&self.conn, "INSERT INTO svc_second_factors (user_id, sealed, version)")
                .rows([[user.into(), sealed.into(), version.into()]])
                .text(" ON CONFLICT (user_id) DO NOTHING"),
            Some(before) => Sql::new(&self.conn, "UPDATE svc_second_factors SET sealed = ")
                .bind(sealed)
                .text(", version = ")
                .bind(version)
                .text(" WHERE user_id = ")
                .bind(user)
                .text(" AND version = ")
                .bind(before.as_i64()),
        };
        if put.execute(&self.conn).await? == 0 { Err(StoreError::Conflict) } else { Ok(()) }
    }

    /// Seals it under the key in use; no version moves.
    pub(crate) async fn renew_factor(&self, user: UserId) -> Result<(), StoreError> {
        self.hold_password(user).await?;
        // One whose key is not at hand stays as it is.
        let Some((version, Ok(content))) = self.factor_row(user).await? else { return Ok(()) };
        self.write_factor(Some(version), &content.of(user, version)).await
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// One that cannot be opened is on, and no code fits it: its person asks the operator to remove it. Without it, the
    /// password alone would sign them in.
    async fn factor(&self, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
        let Some((version, content)) = self.factor_row(user).await? else { return Ok(None) };
        let content = content.unwrap_or_else(|error| {
            tracing::error!(%user, %error, "the second factor cannot be opened with the master key");
            let secret = [0; 20];
            Content { secret, confirmed_at: Some(0), last_step: u64::MAX, recovery: Vec::new() }
        });
        Ok(Some(content.of(user, version)))
    }

    async fn factor_row(
        &self,
        user: UserId,
    ) -> Result<Option<(Version, Result<Content, StoreError>)>, StoreError> {
        let found = Sql::new(&self.conn, "SELECT sealed, version FROM svc_second_factors WHERE user_id = ")
            .bind(user.uuid())
            .one(&self.conn)
            .await?;
        let Some(row) = found else { return Ok(None) };
        let sealed: Vec<u8> = row.try_get_by_index(0).map_err(backend)?;
        let version = Version::from_i64(row.try_get_by_index(1).map_err(backend)?);
        let broken = || broken("second_factors.sealed");
        let opened = self.sealer.open(&cell(user.uuid().as_bytes()), &sealed).map(Zeroizing::new);
        let opened = opened.map_err(|_| broken());
        let content = opened.and_then(|opened| serde_json::from_slice(&opened).map_err(|_| broken()));
        Ok(Some((version, content)))
    }

    fn seal_factor(&self, factor: &SecondFactor) -> Vec<u8> {
        let content = Content {
            secret: *factor.secret.as_bytes(),
            confirmed_at: factor.confirmed_at.map(Timestamp::unix_micros),
            last_step: factor.last_step,
            recovery: factor.recovery.iter().map(|kept| (kept.pepper, kept.digest)).collect(),
        };
        let text = Zeroizing::new(crate::value::json(&content));
        self.sealer.seal(&cell(factor.user.uuid().as_bytes()), text.as_bytes())
    }

    /// Whose second factors are not sealed under the key in use.
    pub(crate) async fn factors_under_other_keys(&self) -> Result<Vec<UserId>, StoreError> {
        self.under_other_keys("svc_second_factors", "sealed").await
    }
}

/// A person belongs to no company.
fn cell(user: &[u8]) -> SealedCell<'_> {
    SealedCell { table: "second_factors", column: "sealed", company: Uuid::nil(), row: user }
}
