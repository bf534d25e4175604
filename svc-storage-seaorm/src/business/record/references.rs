//! What refers to what: declared once for each column, and everything that follows from it.
//!
//! A reference holds the company, so that a link to a record of another company cannot be stored. From the
//! declarations follow the refusal to erase what is in use, the re-pointing by a merge, and the move of all
//! records of a company that is absorbed. A test holds them against the foreign keys of the database.

use sea_orm::ConnectionTrait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use uuid::Uuid;

use super::Row;
use crate::statement::Sql;

/// A column that refers to a record of the same company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The column.
    pub(crate) column: &'static str,
    /// The table of what it refers to.
    pub(crate) to: &'static str,
    /// Whether a record has several children that refer to the same one: each line of an entry does.
    pub(crate) repeats: bool,
}

impl Reference {
    /// A column that refers to a record of the table `to`, to each of them once.
    pub(crate) const fn once(column: &'static str, to: &'static str) -> Self {
        Self { column, to, repeats: false }
    }

    /// A column of children that refer to a record of the table `to`, several to the same.
    pub(crate) const fn each(column: &'static str, to: &'static str) -> Self {
        Self { column, to, repeats: true }
    }
}

/// A table of records of companies, with the tables of their children.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) references: &'static [Reference],
    pub(crate) children: Vec<ChildTable>,
}

/// A table of children.
pub(crate) struct ChildTable {
    pub(crate) name: &'static str,
    pub(crate) owner: &'static str,
    pub(crate) references: &'static [Reference],
}

impl Table {
    /// The tables of a kind of record.
    pub(crate) fn of<R: Row>() -> Self {
        let child = |child: &super::Child<R>| ChildTable {
            name: child.table,
            owner: child.owner,
            references: child.references,
        };
        let log = |(name, owner): &(&'static str, &'static str)| ChildTable { name, owner, references: &[] };
        let children = R::CHILDREN.iter().map(child).chain(R::LOGS.iter().map(log)).collect();
        Self { name: R::TABLE, references: R::REFERENCES, children }
    }

    /// Its columns and those of its children that refer to a table, each with the table that it is in and,
    /// for a child, that one's owner.
    fn referring(&self, to: &str) -> Vec<(&'static str, Reference, Option<&'static str>)> {
        let own = self.references.iter().map(|reference| (self.name, *reference, None));
        let of_children = self.children.iter().flat_map(|child| {
            child.references.iter().map(|reference| (child.name, *reference, Some(child.owner)))
        });
        own.chain(of_children).filter(|(_, reference, _)| reference.to == to).collect()
    }
}

/// Whether a row refers to the record of `table` with this id.
pub(crate) async fn is_referenced(
    conn: &impl ConnectionTrait,
    tables: &[Table],
    table: &str,
    company: AccountId,
    id: Uuid,
) -> Result<bool, StoreError> {
    for (from, Reference { column, .. }, _) in tables.iter().flat_map(|one| one.referring(table)) {
        let text = format!("SELECT 1 FROM {from} WHERE company_id = ");
        let found = Sql::new(conn, &text).bind(company.uuid());
        let found = found.text(&format!(" AND {column} = ")).bind(id).text(" LIMIT 1");
        if found.one(conn).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Points everything that refers to one record of `table` to another one of the same company.
pub(crate) async fn repoint(
    conn: &impl ConnectionTrait,
    tables: &[Table],
    table: &str,
    company: AccountId,
    (from, to): (Uuid, Uuid),
    now: Timestamp,
) -> Result<(), StoreError> {
    for one in tables {
        for (referring, Reference { column, repeats, .. }, owner) in one.referring(table) {
            let sql = |text: &str| Sql::new(conn, text);
            let here = |sql: Sql| {
                let sql = sql.text(" WHERE company_id = ").bind(company.uuid());
                sql.text(&format!(" AND {column} = ")).bind(from)
            };
            let next = |sql: Sql| sql.text("version = version + 1, updated_at = ").bind(now.unix_micros());
            let Some(owner) = owner else {
                let update = sql(&format!("UPDATE {referring} SET {column} = ")).bind(to).text(", ");
                here(next(update)).execute(conn).await?;
                continue;
            };
            let changed = next(sql(&format!("UPDATE {} SET ", one.name)));
            let changed = changed.text(" WHERE company_id = ").bind(company.uuid()).text(" AND id");
            let owners = |sql: Sql| here(sql.text(&format!("SELECT {owner} FROM {referring}")));
            changed.selected(owners).execute(conn).await?;
            if !repeats {
                // A record that referred to both refers to the survivor once.
                let twice = here(sql(&format!("DELETE FROM {referring}"))).text(&format!(
                    " AND EXISTS (SELECT 1 FROM {referring} AS other WHERE other.{owner} = {referring}.{owner} \
                     AND other.company_id = {referring}.company_id AND other.{column} = "
                ));
                twice.bind(to).text(")").execute(conn).await?;
            }
            here(sql(&format!("UPDATE {referring} SET {column} = ")).bind(to)).execute(conn).await?;
        }
    }
    Ok(())
}

/// Moves every record of a company with its children to another one.
pub(crate) async fn move_all(
    conn: &impl ConnectionTrait,
    tables: &[Table],
    from: AccountId,
    to: AccountId,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Links hold the company: they are whole again only once every table has moved.
    let whole_at_the_end = |on: bool| match (conn.get_database_backend(), on) {
        (sea_orm::DatabaseBackend::Postgres, true) => "SET CONSTRAINTS ALL DEFERRED",
        (sea_orm::DatabaseBackend::Postgres, false) => "SET CONSTRAINTS ALL IMMEDIATE",
        (_, true) => "PRAGMA defer_foreign_keys = ON",
        (_, false) => "PRAGMA defer_foreign_keys = OFF",
    };
    let set = async |on| conn.execute_unprepared(whole_at_the_end(on)).await.map_err(crate::error::backend);
    set(true).await?;
    for table in tables {
        let own = format!("UPDATE {} SET version = version + 1, updated_at = ", table.name);
        let own = Sql::new(conn, &own).bind(now.unix_micros()).text(", company_id = ");
        let children = table.children.iter().map(|child| format!("UPDATE {} SET company_id = ", child.name));
        for update in std::iter::once(own).chain(children.map(|text| Sql::new(conn, &text))) {
            let update = update.bind(to.uuid()).text(" WHERE company_id = ").bind(from.uuid());
            update.execute(conn).await?;
        }
    }
    set(false).await.map(drop)
}
