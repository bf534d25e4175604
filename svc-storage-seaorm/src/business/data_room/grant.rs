//! The grants of guests as rows.

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use svc_business::document::room::{
    DataRoomGrant, DataRoomGrantFilter, DataRoomGrantReader, DataRoomGrantSort, DataRoomGrantStore, Section,
    Sections,
};
use svc_business::link::key::{Access, LinkHash};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, DataRoomGrantId, TypedId};

use crate::business::cell::{Cell, Columns, Stored};
use crate::business::record::{Row, columns};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

impl Row for DataRoomGrant {
    const TABLE: &'static str = "svc_data_room_grants";

    columns! {
        {
            id: "id",
            company: "company_id",
            email: "email",
            language: "language",
            sections: "sections",
            personal_data: "personal_data",
            expires_at: "expires_at",
            revoked_at: "revoked_at",
            added_by: "added_by",
            access: "link_salt" | "link_hash",
            codes: "codes_sent" | "code_salt" | "code_hash" | "code_at" | "code_tries" | "code_proved_at",
            last_visit_at: "last_visit_at",
            views: "views",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children {  }
        derived {  }
    }

    fn companies(filter: &DataRoomGrantFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, _: &DataRoomGrantFilter) -> Sql {
        sql
    }

    fn sort_column(key: DataRoomGrantSort) -> &'static str {
        match key {
            DataRoomGrantSort::CreatedAt => "created_at",
        }
    }
}

/// One section a line: none has a line break in it.
impl Stored for Sections {
    type Sql = String;

    fn to_sql(&self) -> String {
        self.as_slice().iter().map(Section::as_str).collect::<Vec<_>>().join("\n")
    }

    fn from_sql(sql: String) -> Option<Self> {
        let sections = sql.lines().map(|line| Section::from_stored(line.to_owned())).collect();
        Self::of(sections).ok()
    }
}

impl Columns for Access {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([self.salt.put(), self.hash.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [salt, hash] = columns else { return Err(StoreError::backend("two columns")) };
        Ok(Self { salt: Cell::take(row, salt)?, hash: Cell::take(row, hash)? })
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> DataRoomGrantReader for SeaStore<C> {
    async fn of_link(&self, link: &LinkHash) -> Result<Option<(AccountId, DataRoomGrantId)>, StoreError> {
        let found = self.sql("SELECT company_id, id FROM svc_data_room_grants WHERE link_hash = ");
        let rows = self.rows(found.bind(link.to_sql())).await?;
        let ids = |row: &QueryResult| Ok((Cell::take(row, "company_id")?, Cell::take(row, "id")?));
        rows.first().map(ids).transpose()
    }

    async fn open(&self, company: AccountId, now: Timestamp, limit: u32) -> Result<u32, StoreError> {
        let found = self.sql("SELECT id FROM svc_data_room_grants WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND revoked_at IS NULL AND expires_at > ").bind(now.to_sql());
        let found = self.rows(found.text(" LIMIT ").bind(i64::from(limit))).await?;
        Ok(u32::try_from(found.len()).unwrap_or(u32::MAX))
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> DataRoomGrantStore for SeaStore<C> {
    async fn visited(&self, grant: &DataRoomGrant, at: Timestamp, viewed: bool) -> Result<bool, StoreError> {
        let noted = self.sql("UPDATE svc_data_room_grants SET last_visit_at = ").bind(at.to_sql());
        let noted = noted.text(", views = views + ").bind(i64::from(viewed));
        let noted = noted.text(" WHERE company_id = ").bind(grant.company.uuid());
        let noted = noted.text(" AND id = ").bind(grant.id.uuid()).text(" RETURNING views");
        Ok(noted.one(&self.conn).await?.is_some())
    }
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// Ends every grant of a company that is absorbed.
    pub(crate) async fn revoke_grants(&self, company: AccountId, now: Timestamp) -> Result<(), StoreError> {
        let ended = self.sql("UPDATE svc_data_room_grants SET revoked_at = ").bind(now.to_sql());
        let ended = ended.text(" WHERE company_id = ").bind(company.uuid()).text(" AND revoked_at IS NULL");
        ended.execute(&self.conn).await?;
        Ok(())
    }
}
