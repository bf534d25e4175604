//! Contacts as rows, and the questions that only contacts answer.

mod row;
mod tag;

use async_trait::async_trait;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    Select,
};
use svc_business::contact::Contact;
use svc_business::party::TaxId;
use svc_business::ports::{ContactReader, ContactStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, TypedId};
use svc_core::pii::Pii;
use uuid::Uuid;

use self::row::{ACTIVE, Column, Entity, MERGED};
use super::lock::serialise;
use super::rows::Row;
use super::value::exposed;
use crate::error::{backend, store_error};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

#[async_trait]
impl<C: ConnectionTrait + Send + Sync> ContactReader for SeaStore<C> {
    async fn active_with_tax_id(
        &self,
        company: AccountId,
        tax_id: &Pii<TaxId>,
        except: Option<ContactId>,
    ) -> Result<Option<ContactId>, StoreError> {
        let text = exposed(tax_id).as_str();
        serialise(&self.conn, "contacts.tax_id", &[company.uuid().as_bytes(), text.as_bytes()]).await?;
        let ids = of(company)
            .select_only()
            .column(Column::Id)
            .filter(Column::TaxId.eq(text))
            .filter(Column::Status.eq(ACTIVE))
            .filter(Condition::all().add_option(except.map(|except| Column::Id.ne(except.uuid()))));
        let id: Option<Uuid> = oldest_first(ids).into_tuple().one(&self.conn).await.map_err(backend)?;
        Ok(id.map(ContactId::from_uuid))
    }

    async fn possible_duplicates(&self, contact: &Contact, limit: u32) -> Result<Vec<Contact>, StoreError> {
        let phones: Vec<&str> = [&contact.phone, &contact.mobile]
            .into_iter()
            .flatten()
            .map(|phone| exposed(phone).as_str())
            .collect();
        let tax_id = contact.tax_id.as_ref().map(|tax_id| Column::TaxId.eq(exposed(tax_id).as_str()));
        // A contact that was made anonymous has no name to share.
        let name = Some(contact.name_key()).filter(|name| !name.is_empty());
        let mut shared = Condition::any()
            .add_option(tax_id)
            .add_option(contact.email_key().map(|email| Column::EmailKey.eq(email)))
            .add_option(name.map(|name| Column::NameKey.eq(name)));
        if !phones.is_empty() {
            shared = shared.add(Column::Phone.is_in(phones.clone())).add(Column::Mobile.is_in(phones));
        }
        if shared.is_empty() {
            return Ok(Vec::new());
        }
        let possible_duplicates = of(contact.company)
            .filter(Column::Id.ne(contact.id.uuid()))
            .filter(Column::Status.ne(MERGED))
            .filter(shared)
            .limit(u64::from(limit));
        let rows = oldest_first(possible_duplicates).all(&self.conn).await.map_err(backend)?;
        rows.into_iter().map(Contact::from_row).collect()
    }

    async fn in_use(&self, contact: &Contact) -> Result<bool, StoreError> {
        let id = contact.id.uuid();
        let reference: Option<Uuid> = of(contact.company)
            .select_only()
            .column(Column::Id)
            .filter(Condition::any().add(Column::ParentId.eq(id)).add(Column::MergedInto.eq(id)))
            .limit(1)
            .into_tuple()
            .one(&self.conn)
            .await
            .map_err(backend)?;
        Ok(reference.is_some())
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> ContactStore for SeaStore<C> {
    async fn repoint(
        &self,
        company: AccountId,
        from: ContactId,
        to: ContactId,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let refers = |column: Column| column.eq(from.uuid());
        let moved = |column: Column| {
            Expr::case(refers(column), Expr::value(to.uuid())).finally(Expr::col(column)).into()
        };
        let repointed = Entity::update_many()
            .col_expr(Column::ParentId, moved(Column::ParentId))
            .col_expr(Column::MergedInto, moved(Column::MergedInto))
            .col_expr(Column::Version, Expr::col(Column::Version).add(1))
            .col_expr(Column::UpdatedAt, Expr::value(now.unix_micros()))
            .filter(Column::CompanyId.eq(company.uuid()))
            .filter(Condition::any().add(refers(Column::ParentId)).add(refers(Column::MergedInto)));
        Ok(repointed.exec(&self.conn).await.map_err(backend)?.rows_affected)
    }

    async fn move_all(&self, from: AccountId, to: AccountId) -> Result<u64, StoreError> {
        // Asked first: on PostgreSQL a statement that fails ends the whole unit of work.
        if shared(&self.conn, from, to, Column::TaxId, Some(ACTIVE)).await? {
            return Err(StoreError::Taken { field: "taxId" });
        }
        if shared(&self.conn, from, to, Column::ExternalId, None).await? {
            return Err(StoreError::Taken { field: "externalId" });
        }
        // One statement, so that a parent and its children arrive together; tags follow by their key.
        let moved = Entity::update_many()
            .col_expr(Column::CompanyId, Expr::value(to.uuid()))
            .filter(Column::CompanyId.eq(from.uuid()))
            .exec(&self.conn)
            .await
            .map_err(|error| store_error(error, Contact::UNIQUE))?;
        Ok(moved.rows_affected)
    }
}

fn of(company: AccountId) -> Select<Entity> {
    Entity::find().filter(Column::CompanyId.eq(company.uuid()))
}

fn oldest_first(contacts: Select<Entity>) -> Select<Entity> {
    contacts.order_by_asc(Column::CreatedAt).order_by_asc(Column::Id)
}

/// Whether contacts of both companies have the same value in `column`.
async fn shared(
    conn: &impl ConnectionTrait,
    one: AccountId,
    other: AccountId,
    column: Column,
    status: Option<i16>,
) -> Result<bool, StoreError> {
    let of_status = || Condition::all().add_option(status.map(|status| Column::Status.eq(status)));
    let values = of(other).select_only().column(column).filter(column.is_not_null()).filter(of_status());
    let first: Option<Uuid> = of(one)
        .select_only()
        .column(Column::Id)
        .filter(of_status())
        .filter(column.in_subquery(values.into_query()))
        .limit(1)
        .into_tuple()
        .one(conn)
        .await
        .map_err(backend)?;
    Ok(first.is_some())
}
