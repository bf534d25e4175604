//! Approvals as rows.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};
use svc_auth::approval::{Approval, CallDigest, Shown, Stage};
use svc_auth::ports::{ApprovalReader, ApprovalStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ApprovalId, TokenId, TypedId as _, UserId};

use crate::auth::binding::{fits_approval, of_approval};
use crate::error::backend;
use crate::seal::Sealer;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::value::{broken, from_json, json};

const COLUMNS: &str =
    "id, account_id, user_id, token_id, tool, digest, shown, stage, asked_at, until, binding";

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ApprovalReader for SeaStore<C> {
    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
        let found = self.approvals_where("id = ").bind(id.uuid()).one(&self.conn).await?;
        Ok(self.fitting(found.as_slice())?.pop())
    }

    async fn for_call(
        &self,
        credential: TokenId,
        call: CallDigest,
        now: Timestamp,
    ) -> Result<Option<Approval>, StoreError> {
        let found = self
            .approvals_where("token_id = ")
            .bind(credential.uuid())
            .text(" AND digest = ")
            .bind(call.as_bytes().to_vec())
            .text(" AND until > ")
            .bind(now.unix_micros())
            .one(&self.conn)
            .await?;
        Ok(self.fitting(found.as_slice())?.pop())
    }

    async fn open_of_credential(&self, credential: TokenId, now: Timestamp) -> Result<u64, StoreError> {
        let row = Sql::new(&self.conn, "SELECT COUNT(*) FROM svc_approvals WHERE token_id = ")
            .bind(credential.uuid())
            .text(" AND stage = 0 AND until > ")
            .bind(now.unix_micros())
            .one(&self.conn)
            .await?;
        let count: Option<i64> = row.map(|row| row.try_get_by_index(0)).transpose().map_err(backend)?;
        Ok(count.unwrap_or_default().unsigned_abs())
    }

    async fn open_of_person(
        &self,
        person: UserId,
        now: Timestamp,
        most: u32,
    ) -> Result<Vec<Approval>, StoreError> {
        let rows = self
            .approvals_where("user_id = ")
            .bind(person.uuid())
            .text(" AND stage = 0 AND until > ")
            .bind(now.unix_micros())
            .text(&format!(" ORDER BY until DESC, id DESC LIMIT {most}"))
            .all(&self.conn)
            .await?;
        self.fitting(&rows)
    }
}

impl<C: ConnectionTrait> SeaStore<C> {
    fn approvals_where(&self, column: &str) -> Sql {
        Sql::new(&self.conn, &format!("SELECT {COLUMNS} FROM svc_approvals WHERE {column}"))
    }
}

impl<C> SeaStore<C> {
    /// Those of the rows that are as they were written.
    fn fitting(&self, rows: &[QueryResult]) -> Result<Vec<Approval>, StoreError> {
        let mut fitting = Vec::with_capacity(rows.len());
        for row in rows {
            let (approval, binding) = read(row)?;
            if fits_approval(&self.sealer, &approval, &binding) {
                fitting.push(approval);
            }
        }
        Ok(fitting)
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ApprovalStore for SeaStore<C> {
    async fn add(&self, approval: &Approval, now: Timestamp) -> Result<(), StoreError> {
        let set: Vec<_> = COLUMNS.split(", ").map(|column| format!("{column} = excluded.{column}")).collect();
        let added = Sql::new(&self.conn, &format!("INSERT INTO svc_approvals ({COLUMNS})"))
            .rows([row(&self.sealer, approval)])
            .text(&format!(" ON CONFLICT (token_id, digest) DO UPDATE SET {}", set.join(", ")))
            .text(" WHERE svc_approvals.until <= ")
            .bind(now.unix_micros())
            .execute(&self.conn)
            .await?;
        if added == 0 { Err(StoreError::Taken { field: "call" }) } else { Ok(()) }
    }

    async fn advance(&self, before: &Approval, after: &Approval) -> Result<(), StoreError> {
        let moved = Sql::new(&self.conn, "UPDATE svc_approvals SET stage = ")
            .bind(number(after.stage))
            .text(", until = ")
            .bind(after.until.unix_micros())
            .text(", binding = ")
            .bind(of_approval(&self.sealer, after))
            .text(" WHERE id = ")
            .bind(after.id.uuid())
            .text(" AND stage = ")
            .bind(number(before.stage))
            .execute(&self.conn)
            .await?;
        if moved == 0 { Err(StoreError::Conflict) } else { Ok(()) }
    }

    async fn purge_approvals(&self, before: Timestamp) -> Result<u64, StoreError> {
        Sql::new(&self.conn, "DELETE FROM svc_approvals WHERE until < ")
            .bind(before.unix_micros())
            .execute(&self.conn)
            .await
    }
}

const fn number(stage: Stage) -> i16 {
    match stage {
        Stage::Asked => 0,
        Stage::Approved => 1,
        Stage::Declined => 2,
        Stage::Used => 3,
    }
}

fn row(sealer: &Sealer, approval: &Approval) -> [Value; 11] {
    let shown: Vec<_> = approval.shown.iter().map(|line| [&line.name, &line.value]).collect();
    [
        approval.id.uuid().into(),
        approval.company.uuid().into(),
        approval.person.uuid().into(),
        approval.credential.uuid().into(),
        approval.tool.clone().into(),
        approval.call.as_bytes().to_vec().into(),
        json(&shown).into(),
        number(approval.stage).into(),
        approval.asked_at.unix_micros().into(),
        approval.until.unix_micros().into(),
        of_approval(sealer, approval).into(),
    ]
}

fn read(row: &QueryResult) -> Result<(Approval, Vec<u8>), StoreError> {
    let columns = || -> Result<_, DbErr> {
        let ids: [uuid::Uuid; 4] = [
            row.try_get_by_index(0)?,
            row.try_get_by_index(1)?,
            row.try_get_by_index(2)?,
            row.try_get_by_index(3)?,
        ];
        Ok((
            ids,
            (row.try_get_by_index::<String>(4)?, row.try_get_by_index::<String>(6)?),
            (row.try_get_by_index::<Vec<u8>>(5)?, row.try_get_by_index::<Vec<u8>>(10)?),
            row.try_get_by_index::<i16>(7)?,
            (row.try_get_by_index::<i64>(8)?, row.try_get_by_index::<i64>(9)?),
        ))
    };
    let ([id, company, person, credential], (tool, shown), (digest, binding), stage, (asked_at, until)) =
        columns().map_err(backend)?;
    let digest: [u8; 32] = digest.try_into().map_err(|_| broken("approvals.digest"))?;
    let shown: Vec<[String; 2]> = from_json("approvals.shown", &shown)?;
    let stage = Stage::ALL.into_iter().find(|known| number(*known) == stage);
    let approval = Approval {
        id: ApprovalId::from_uuid(id),
        company: AccountId::from_uuid(company),
        person: UserId::from_uuid(person),
        credential: TokenId::from_uuid(credential),
        tool,
        call: CallDigest::from_bytes(digest),
        shown: shown.into_iter().map(|[name, value]| Shown { name, value }).collect(),
        stage: stage.ok_or_else(|| broken("approvals.stage"))?,
        asked_at: Timestamp::from_unix_micros(asked_at),
        until: Timestamp::from_unix_micros(until),
    };
    Ok((approval, binding))
}
