//! Sessions as rows.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbErr, QueryResult};
use svc_auth::ports::{SessionReader, SessionStore};
use svc_auth::session::{Device, Session};
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{SessionId, TypedId, UserId};

use super::binding::{fits_session, of_session};
use crate::error::{backend, store_error};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::{broken, parsed};

const COLUMNS: &str = "id, user_id, pepper, digest, created_at, last_used_at, expires_at, created_from, device, awaits_code, binding";
const UNIQUE: [(&str, &str, &str); 2] = [
    ("svc_sessions_fingerprint", "svc_sessions.digest, svc_sessions.pepper", "fingerprint"),
    ("svc_sessions_pkey", "svc_sessions.id", "id"),
];

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> SessionReader for SeaStore<C> {
    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Session>, StoreError> {
        let rows = Sql::new(&self.conn, &format!("SELECT {COLUMNS} FROM svc_sessions WHERE digest"))
            .listed(candidates.iter().map(|candidate| candidate.digest.to_vec()))
            .all(&self.conn)
            .await?;
        for row in &rows {
            let session = read(row)?;
            if candidates.iter().any(|candidate| candidate.matches(&session.fingerprint)) {
                return Ok(self.is_as_written(&session, row)?.then_some(session));
            }
        }
        Ok(None)
    }

    async fn of(&self, user: UserId, at_most: usize) -> Result<Vec<Session>, StoreError> {
        let rows = Sql::new(&self.conn, &format!("SELECT {COLUMNS} FROM svc_sessions WHERE user_id = "))
            .bind(user.uuid())
            .text(" AND NOT awaits_code ORDER BY created_at DESC, id DESC LIMIT ")
            .bind(i64::try_from(at_most).unwrap_or(i64::MAX))
            .all(&self.conn)
            .await?;
        let sessions = rows.iter().map(|row| {
            let session = read(row)?;
            Ok(self.is_as_written(&session, row)?.then_some(session))
        });
        sessions.filter_map(Result::transpose).collect()
    }
}

impl<C> SeaStore<C> {
    fn is_as_written(&self, session: &Session, row: &QueryResult) -> Result<bool, StoreError> {
        let code: Vec<u8> = row.try_get_by_index(10).map_err(backend)?;
        Ok(fits_session(&self.sealer, session, &code))
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> SessionStore for SeaStore<C> {
    async fn insert(&self, session: &Session) -> Result<(), StoreError> {
        let row = [
            session.id.uuid().into(),
            session.user.uuid().into(),
            i64::from(session.fingerprint.pepper).into(),
            session.fingerprint.digest.to_vec().into(),
            session.created_at.unix_micros().into(),
            session.last_used_at.unix_micros().into(),
            session.expires_at.unix_micros().into(),
            session.from.map(|from| from.to_string()).into(),
            session.device.as_ref().map(|device| device.as_str().to_owned()).into(),
            session.awaits_code.into(),
            of_session(&self.sealer, session).into(),
        ];
        let insert = Sql::new(&self.conn, &format!("INSERT INTO svc_sessions ({COLUMNS})")).rows([row]);
        let added = self.conn.execute_raw(insert.statement()).await;
        added.map_err(|error| store_error(error, &UNIQUE)).map(|_| ())
    }

    async fn touch(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError> {
        Sql::new(&self.conn, "UPDATE svc_sessions SET last_used_at = ")
            .bind(at.unix_micros())
            .text(" WHERE id = ")
            .bind(id.uuid())
            .text(" AND last_used_at < ")
            .bind(at.unix_micros())
            .execute(&self.conn)
            .await
            .map(|_| ())
    }

    async fn delete(&self, id: SessionId) -> Result<(), StoreError> {
        let delete = Sql::new(&self.conn, "DELETE FROM svc_sessions WHERE id = ").bind(id.uuid());
        delete.execute(&self.conn).await.map(|_| ())
    }

    async fn delete_one_of(&self, user: UserId, id: SessionId) -> Result<bool, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_sessions WHERE id = ")
            .bind(id.uuid())
            .text(" AND user_id = ")
            .bind(user.uuid())
            .execute(&self.conn)
            .await
            .map(|ended| ended > 0)
    }

    async fn delete_of(&self, user: UserId, except: Option<SessionId>) -> Result<u64, StoreError> {
        let of_user = Sql::new(&self.conn, "DELETE FROM svc_sessions WHERE user_id = ").bind(user.uuid());
        let delete = match except {
            Some(kept) => of_user.text(" AND id <> ").bind(kept.uuid()),
            None => of_user,
        };
        delete.execute(&self.conn).await
    }

    async fn purge(&self, idle_since: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_sessions WHERE last_used_at < ")
            .bind(idle_since.unix_micros())
            .text(" OR expires_at <= ")
            .bind(now.unix_micros())
            .execute(&self.conn)
            .await
    }
}

fn read(row: &QueryResult) -> Result<Session, StoreError> {
    let columns = || -> Result<_, DbErr> {
        let digest: Vec<u8> = row.try_get_by_index(3)?;
        let instant = |column: usize| row.try_get_by_index(column).map(Timestamp::from_unix_micros);
        Ok((
            SessionId::from_uuid(row.try_get_by_index(0)?),
            UserId::from_uuid(row.try_get_by_index(1)?),
            (row.try_get_by_index::<i64>(2)?, digest),
            [instant(4)?, instant(5)?, instant(6)?],
            [7, 8].map(|column| row.try_get_by_index::<Option<String>>(column)),
            row.try_get_by_index::<bool>(9)?,
        ))
    };
    let (id, user, (pepper, digest), instants, [from, device], awaits_code) = columns().map_err(backend)?;
    let [created_at, last_used_at, expires_at] = instants;
    let fingerprint = Fingerprint {
        pepper: u32::try_from(pepper).map_err(|_| broken("sessions.pepper"))?,
        digest: digest.try_into().map_err(|_| broken("sessions.digest"))?,
    };
    let from = from.map_err(backend)?.map(|from| parsed("sessions.created_from", &from)).transpose()?;
    let device = device.map_err(backend)?.as_deref().and_then(Device::named);
    Ok(Session { id, user, fingerprint, created_at, last_used_at, expires_at, from, device, awaits_code })
}
