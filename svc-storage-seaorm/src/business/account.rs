//! Companies as rows.

use std::collections::BTreeSet;
use std::fmt;

use async_trait::async_trait;
use sea_orm::DatabaseBackend;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, QueryOrder, QuerySelect};
use svc_business::account::{Account, AccountFilter, AccountSort, AccountStatus};
use svc_business::party::{Email, Extension, LanguageTag, Phone, TaxId, Website};
use svc_business::ports::{AccountReader, AccountStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TypedId};
use svc_core::pii::Pii;
use svc_core::resource::{ResourceReader, Version};
use svc_core::tenant::Scope;

use super::lock::serialise;
use super::rows::{Row, count};
use super::value::{
    address, address_text, broken, containing, exposed, from_json, json, parsed, search_keys,
};
use crate::error::backend;
use crate::scoped::within;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "accounts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) legal_name: String,
    pub(crate) trade_name: Option<String>,
    pub(crate) tax_id: Option<String>,
    pub(crate) country: String,
    pub(crate) language: String,
    pub(crate) timezone: String,
    pub(crate) legal_form: String,
    pub(crate) address: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) website: Option<String>,
    pub(crate) base_currency: String,
    pub(crate) group_id: Option<Uuid>,
    pub(crate) parent_id: Option<Uuid>,
    pub(crate) api_access: bool,
    pub(crate) status: i16,
    pub(crate) status_at: Option<i64>,
    pub(crate) merged_into: Option<Uuid>,
    pub(crate) external_id: Option<String>,
    pub(crate) metadata: String,
    pub(crate) name_key: String,
    pub(crate) search_key: String,
    pub(crate) version: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Rows hold personal data in plain: only the id is ever printed.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("accounts::Model").field("id", &self.id).finish_non_exhaustive()
    }
}

const ACTIVE: i16 = 0;
const DEACTIVATED: i16 = 1;
/// `accounts.status` of a company that was merged into another one.
pub(super) const MERGED: i16 = 2;

impl Row for Account {
    type Entity = Entity;

    const ID: Column = Column::Id;
    const COMPANY: Column = Column::Id;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const BEARS_AUTHORITY: bool = true;

    fn to_row(&self) -> Model {
        let (status, status_at, merged_into) = match self.status {
            AccountStatus::Active => (ACTIVE, None, None),
            AccountStatus::Deactivated { at } => (DEACTIVATED, Some(at.unix_micros()), None),
            AccountStatus::Merged { into, at } => (MERGED, Some(at.unix_micros()), Some(into.uuid())),
        };
        let email = self.email.as_ref().map(Email::as_str);
        let named = [Some(self.legal_name.as_str()), self.trade_name.as_deref(), email];
        Model {
            id: self.id.uuid(),
            legal_name: self.legal_name.clone(),
            trade_name: self.trade_name.clone(),
            tax_id: self.tax_id.as_ref().map(|tax_id| exposed(tax_id).as_str().to_owned()),
            country: self.country.code().to_owned(),
            language: self.language.as_str().to_owned(),
            timezone: self.timezone.clone(),
            legal_form: self.legal_form.name().to_owned(),
            address: address_text(self.address.as_ref()),
            phone: self.phone.as_ref().map(|phone| exposed(phone).as_str().to_owned()),
            email: email.map(str::to_owned),
            website: self.website.as_ref().map(|website| website.as_str().to_owned()),
            base_currency: self.base_currency.code().to_owned(),
            group_id: self.group.map(GroupId::uuid),
            parent_id: self.parent.map(AccountId::uuid),
            api_access: self.api_access,
            status,
            status_at,
            merged_into,
            external_id: self.extension.external_id.clone(),
            metadata: json(&self.extension.metadata),
            name_key: self.name_key(),
            search_key: search_keys(named.into_iter().flatten()),
            version: self.version.as_i64(),
            created_at: self.created_at.unix_micros(),
            updated_at: self.updated_at.unix_micros(),
        }
    }

    fn from_row(row: Model) -> Result<Self, StoreError> {
        let status_at = row.status_at.map(Timestamp::from_unix_micros);
        let merged_into = row.merged_into.map(AccountId::from_uuid);
        let status = match (row.status, status_at, merged_into) {
            (ACTIVE, None, None) => AccountStatus::Active,
            (DEACTIVATED, Some(at), None) => AccountStatus::Deactivated { at },
            (MERGED, Some(at), Some(into)) => AccountStatus::Merged { into, at },
            _ => return Err(broken("accounts.status")),
        };
        Ok(Self {
            id: AccountId::from_uuid(row.id),
            legal_name: row.legal_name,
            trade_name: row.trade_name,
            tax_id: row.tax_id.map(|text| Pii::new(TaxId::from_stored(text))),
            country: parsed("accounts.country", &row.country)?,
            language: LanguageTag::from_stored(row.language),
            timezone: row.timezone,
            legal_form: parsed("accounts.legal_form", &row.legal_form)?,
            address: address("accounts.address", row.address.as_deref())?,
            phone: row.phone.map(|text| Pii::new(Phone::from_stored(text))),
            email: row.email.map(Email::from_stored),
            website: row.website.map(Website::from_stored),
            base_currency: parsed("accounts.base_currency", &row.base_currency)?,
            group: row.group_id.map(GroupId::from_uuid),
            parent: row.parent_id.map(AccountId::from_uuid),
            api_access: row.api_access,
            status,
            extension: Extension {
                external_id: row.external_id,
                metadata: from_json("accounts.metadata", &row.metadata)?,
            },
            version: Version::from_i64(row.version),
            created_at: Timestamp::from_unix_micros(row.created_at),
            updated_at: Timestamp::from_unix_micros(row.updated_at),
        })
    }

    fn companies(_filter: &AccountFilter) -> &[AccountId] {
        &[]
    }

    fn condition(filter: &AccountFilter) -> Condition {
        let status = filter.status.map(|name| {
            let code = [(ACTIVE, "active"), (DEACTIVATED, "deactivated"), (MERGED, "merged")]
                .into_iter()
                .find_map(|(code, known)| (known == name).then_some(code));
            Column::Status.eq(code)
        });
        Condition::all()
            .add_option(status)
            .add_option(filter.group.map(|group| Column::GroupId.eq(group.uuid())))
            .add_option(filter.text.as_deref().map(|text| Column::SearchKey.like(containing(text))))
            .add_option(filter.updated_since.map(|since| Column::UpdatedAt.gte(since.unix_micros())))
    }

    fn sort_column(key: AccountSort) -> Column {
        match key {
            AccountSort::Name => Column::NameKey,
            AccountSort::CreatedAt => Column::CreatedAt,
            AccountSort::UpdatedAt => Column::UpdatedAt,
        }
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> AccountReader for SeaStore<C> {
    async fn with_tax_id(
        &self,
        scope: &Scope,
        tax_id: &Pii<TaxId>,
        except: AccountId,
    ) -> Result<Vec<AccountId>, StoreError> {
        let ids: Vec<Uuid> = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(within(scope, &[], Column::Id))
            .filter(Column::TaxId.eq(exposed(tax_id).as_str()))
            .filter(Column::Status.ne(MERGED))
            .filter(Column::Id.ne(except.uuid()))
            .order_by_asc(Column::Id)
            .into_tuple()
            .all(&self.conn)
            .await
            .map_err(backend)?;
        Ok(ids.into_iter().map(AccountId::from_uuid).collect())
    }

    async fn active_subsidiaries(&self, parent: AccountId) -> Result<u64, StoreError> {
        serialise(&self.conn, "accounts.parent_id", &[parent.uuid().as_bytes()]).await?;
        let active =
            Entity::find().filter(Column::ParentId.eq(parent.uuid())).filter(Column::Status.eq(ACTIVE));
        count(&self.conn, active).await
    }

    async fn any(&self) -> Result<bool, StoreError> {
        let first: Option<Uuid> = Entity::find()
            .select_only()
            .column(Column::Id)
            .limit(1)
            .into_tuple()
            .one(&self.conn)
            .await
            .map_err(backend)?;
        Ok(first.is_some())
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> AccountStore for SeaStore<C> {
    async fn find_to_add_to(&self, scope: &Scope, id: AccountId) -> Result<Option<Account>, StoreError> {
        let Some(shared) = self.conn.shared() else { return ResourceReader::find(self, scope, id).await };
        let row = shared.accounts().find(id.uuid()).await.map_err(backend)?;
        let account = row.map(Account::from_row).transpose()?;
        Ok(account.filter(|account| scope.contains(account.id)))
    }
}

/// Refuses with [`DbErr::RecordNotUpdated`] when one of these companies is not active. On SQLite alone: a
/// unit may have read its company before it had the writer, and now nobody else can change it. On
/// PostgreSQL a unit that reads sees what is committed then in any case.
pub(crate) async fn still_active(
    conn: &impl ConnectionTrait,
    companies: impl IntoIterator<Item = Uuid>,
) -> Result<(), DbErr> {
    let companies: BTreeSet<Uuid> = companies.into_iter().collect();
    if companies.is_empty() || conn.get_database_backend() != DatabaseBackend::Sqlite {
        return Ok(());
    }
    let asked = companies.len();
    let sql = Sql::new(conn, "SELECT id FROM accounts WHERE status = ").bind(ACTIVE).text(" AND id");
    let active = conn.query_all_raw(sql.among(companies).statement()).await?;
    if active.len() == asked { Ok(()) } else { Err(DbErr::RecordNotUpdated) }
}
