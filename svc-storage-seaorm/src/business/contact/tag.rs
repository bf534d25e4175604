//! The labels of contacts, one row each, so that a list can be narrowed by one.

use std::collections::BTreeSet;

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::SelectStatement;
use sea_orm::{DatabaseBackend, QuerySelect, QueryTrait, Set, Statement};
use svc_business::contact::Contact;
use svc_core::id::TypedId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "contact_tags")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) company_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) contact_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tag: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Ids of the contacts with this label, of any company.
pub(super) fn tagged(tag: &str) -> SelectStatement {
    Entity::find().select_only().column(Column::ContactId).filter(Column::Tag.eq(tag)).into_query()
}

/// Makes the labels of a contact those of the record.
pub(super) fn statements(contact: &Contact, engine: DatabaseBackend, replaced: bool) -> Vec<Statement> {
    let (company_id, contact_id) = (contact.company.uuid(), contact.id.uuid());
    let mut statements = Vec::new();
    if replaced {
        let earlier = Entity::delete_many()
            .filter(Column::CompanyId.eq(company_id))
            .filter(Column::ContactId.eq(contact_id));
        statements.push(earlier.build(engine));
    }
    let tags: BTreeSet<&String> = contact.tags.iter().collect();
    if !tags.is_empty() {
        let rows = tags.into_iter().map(|tag| ActiveModel {
            company_id: Set(company_id),
            contact_id: Set(contact_id),
            tag: Set(tag.clone()),
        });
        statements.push(Entity::insert_many(rows).build(engine));
    }
    statements
}
