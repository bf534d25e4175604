//! Calls of assistants as rows.

use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};
use svc_auth::approval::CallDigest;
use svc_auth::calls::CallRecord;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, CallId, TokenId, TypedId as _, UserId};

use crate::error::backend;
use crate::statement::{ROWS, Sql};
use crate::store::SeaStore;
use crate::value::{broken, from_json, json, parsed};

const COLUMNS: &str = "id, at, account_id, user_id, token_id, client, revision, tool, arguments, digest, touched, \
                       outcome, address";

impl<C: ConnectionTrait> SeaStore<C> {
    pub(crate) async fn append_calls(&self, calls: &[CallRecord]) -> Result<(), StoreError> {
        for some in calls.chunks(ROWS) {
            Sql::new(&self.conn, &format!("INSERT INTO svc_assistant_calls ({COLUMNS})"))
                .rows(some.iter().map(row))
                .text(" ON CONFLICT (id) DO NOTHING")
                .execute(&self.conn)
                .await?;
        }
        Ok(())
    }

    pub(crate) async fn last_calls(
        &self,
        credential: TokenId,
        most: u32,
    ) -> Result<Vec<CallRecord>, StoreError> {
        let rows =
            Sql::new(&self.conn, &format!("SELECT {COLUMNS} FROM svc_assistant_calls WHERE token_id = "))
                .bind(credential.uuid())
                .text(&format!(" ORDER BY at DESC, id DESC LIMIT {most}"))
                .all(&self.conn)
                .await?;
        rows.iter().map(read).collect()
    }

    /// The oldest of them, so many at most.
    pub(crate) async fn purge_calls(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_assistant_calls WHERE id")
            .selected(|sql| {
                sql.text("SELECT id FROM svc_assistant_calls WHERE at < ")
                    .bind(before.unix_micros())
                    .text(" ORDER BY at LIMIT ")
                    .bind(i64::from(limit))
                    .on_postgres(" FOR UPDATE SKIP LOCKED")
            })
            .execute(&self.conn)
            .await
    }
}

fn row(call: &CallRecord) -> [Value; 13] {
    [
        call.id.uuid().into(),
        call.at.unix_micros().into(),
        call.company.uuid().into(),
        call.person.map(UserId::uuid).into(),
        call.credential.uuid().into(),
        call.client.clone().into(),
        call.revision.clone().into(),
        call.tool.clone().into(),
        call.arguments.clone().into(),
        call.digest.as_bytes().to_vec().into(),
        json(&call.touched).into(),
        call.outcome.clone().into(),
        call.from.map(|from| from.to_string()).into(),
    ]
}

fn read(row: &QueryResult) -> Result<CallRecord, StoreError> {
    let text = |at: usize| row.try_get_by_index::<String>(at);
    let columns = || -> Result<_, DbErr> {
        Ok((
            (CallId::from_uuid(row.try_get_by_index(0)?), row.try_get_by_index::<i64>(1)?),
            AccountId::from_uuid(row.try_get_by_index(2)?),
            row.try_get_by_index::<Option<uuid::Uuid>>(3)?,
            TokenId::from_uuid(row.try_get_by_index(4)?),
            [text(5)?, text(6)?, text(7)?, text(8)?],
            row.try_get_by_index::<Vec<u8>>(9)?,
            (text(10)?, text(11)?),
            row.try_get_by_index::<Option<String>>(12)?,
        ))
    };
    let ((id, at), company, person, credential, texts, digest, (touched, outcome), from) =
        columns().map_err(backend)?;
    let [client, revision, tool, arguments] = texts;
    let digest: [u8; 32] = digest.try_into().map_err(|_| broken("assistant_calls.digest"))?;
    Ok(CallRecord {
        id,
        at: Timestamp::from_unix_micros(at),
        company,
        person: person.map(UserId::from_uuid),
        credential,
        client,
        revision,
        tool,
        arguments,
        digest: CallDigest::from_bytes(digest),
        touched: from_json("assistant_calls.touched", &touched)?,
        outcome,
        from: from.map(|from| parsed("assistant_calls.address", &from)).transpose()?,
    })
}
