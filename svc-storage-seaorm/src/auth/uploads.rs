//! Links for uploads as rows.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};
use svc_auth::ports::{UploadLinkReader, UploadLinkStore};
use svc_auth::token::Fingerprint;
use svc_auth::upload::UploadLink;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{TokenId, TypedId as _};

use crate::auth::binding::{fits_upload, of_upload};
use crate::error::{backend, store_error};
use crate::seal::Sealer;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::broken;

const COLUMNS: &str = "digest, pepper, token_id, properties, until, binding";

const UNIQUE: [(&str, &str, &str); 1] =
    [("svc_upload_links_digest", "svc_upload_links.digest, svc_upload_links.pepper", "value")];

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> UploadLinkReader for SeaStore<C> {
    async fn by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<UploadLink>, StoreError> {
        let digests = candidates.iter().map(|candidate| candidate.digest.to_vec());
        let rows = Sql::new(&self.conn, &format!("SELECT {COLUMNS} FROM svc_upload_links WHERE digest"))
            .listed(digests)
            .all(&self.conn)
            .await?;
        for row in &rows {
            let (link, binding) = read(row)?;
            if link.fingerprint.is_among(candidates) {
                return Ok(fits_upload(&self.sealer, &link, &binding).then_some(link));
            }
        }
        Ok(None)
    }

    async fn open_of(&self, credential: TokenId, now: Timestamp) -> Result<u64, StoreError> {
        let row = Sql::new(&self.conn, "SELECT COUNT(*) FROM svc_upload_links WHERE token_id = ")
            .bind(credential.uuid())
            .text(" AND until > ")
            .bind(now.unix_micros())
            .one(&self.conn)
            .await?;
        let count: Option<i64> = row.map(|row| row.try_get_by_index(0)).transpose().map_err(backend)?;
        Ok(count.unwrap_or_default().unsigned_abs())
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> UploadLinkStore for SeaStore<C> {
    async fn add(&self, link: &UploadLink) -> Result<(), StoreError> {
        let insert = Sql::new(&self.conn, &format!("INSERT INTO svc_upload_links ({COLUMNS})"))
            .rows([row(&self.sealer, link)]);
        let added = self.conn.execute_raw(insert.statement()).await;
        added.map_err(|error| store_error(error, &UNIQUE)).map(|_| ())
    }

    async fn purge_upload_links(&self, before: Timestamp) -> Result<u64, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_upload_links WHERE until < ")
            .bind(before.unix_micros())
            .execute(&self.conn)
            .await
    }
}

fn row(sealer: &Sealer, link: &UploadLink) -> [Value; 6] {
    [
        link.fingerprint.digest.to_vec().into(),
        i64::from(link.fingerprint.pepper).into(),
        link.credential.uuid().into(),
        link.properties.clone().into(),
        link.until.unix_micros().into(),
        of_upload(sealer, link).into(),
    ]
}

fn read(row: &QueryResult) -> Result<(UploadLink, Vec<u8>), StoreError> {
    let columns = || -> Result<_, DbErr> {
        Ok((
            (row.try_get_by_index::<Vec<u8>>(0)?, row.try_get_by_index::<i64>(1)?),
            row.try_get_by_index::<uuid::Uuid>(2)?,
            row.try_get_by_index::<String>(3)?,
            row.try_get_by_index::<i64>(4)?,
            row.try_get_by_index::<Vec<u8>>(5)?,
        ))
    };
    let ((digest, pepper), credential, properties, until, binding) = columns().map_err(backend)?;
    let fingerprint = Fingerprint {
        pepper: pepper.try_into().map_err(|_| broken("upload_links.pepper"))?,
        digest: digest.try_into().map_err(|_| broken("upload_links.digest"))?,
    };
    let credential = TokenId::from_uuid(credential);
    let link = UploadLink { fingerprint, credential, properties, until: Timestamp::from_unix_micros(until) };
    Ok((link, binding))
}
