//! The pattern of every record: its table and those of its children are declared, the verbs are here.
//!
//! - A record is a row of its own table. Its children (lines, notes, tags, members) are rows of tables of
//!   their own, each with its position in the record. They are read with it, all those of a page in one
//!   statement for each table, and written as the difference to what was there before.
//! - `replace` names the version that was there: another unit that was faster makes it a conflict.
//! - A new record with its children is put off until the commit, where it goes together with those of other
//!   units; a value that is taken is told by the commit, to the unit that is to blame.

mod children;
mod look;
mod merged;
mod page;
mod references;
mod verbs;

use sea_orm::{QueryResult, Value};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::resource::Resource;
use svc_core::tenant::Scope;

pub(crate) use self::children::Child;
pub(crate) use self::references::{Reference, Table, is_referenced, move_all, repoint};
use crate::statement::Sql;

/// So many records are sorted, where an index finds them that does not give their order.
pub(crate) const FEW: u64 = 10_000;

/// How the records that a filter leaves are counted.
pub(crate) enum Count<'f, F> {
    /// By the numbers that are kept of their kinds.
    Kept,
    /// By the numbers that are kept of tags: one tag, and what else the filter names.
    OfTag(&'f str, F),
    /// In the index of changes, from its nearer end: those since then, and what else the filter names.
    Since(Timestamp, F),
    /// One by one, in an index.
    Each,
}

impl<'f, F: PartialEq> Count<'f, F> {
    /// How `filter` is counted: `plain` is what it names of companies and status, and the others are that with its
    /// kinds, its tag, and its time of changes.
    pub(crate) fn of(
        filter: &'f F,
        plain: F,
        [kinds, tagged, changed]: [&F; 3],
        (tag, since): (Option<&'f str>, Option<Timestamp>),
    ) -> Self {
        match (tag, since) {
            _ if filter == kinds => Self::Kept,
            (Some(tag), None) if filter == tagged => Self::OfTag(tag, plain),
            (None, Some(since)) if filter == changed => Self::Since(since, plain),
            _ => Self::Each,
        }
    }
}

/// The table of the tags of records: it has the company, status and `created_at` of the record too.
pub(crate) struct Tags {
    /// Its name.
    pub(crate) table: &'static str,
    /// The column of the record's id.
    pub(crate) owner: &'static str,
}

/// A record as rows of tables.
pub(crate) trait Row: Resource {
    /// Its table, with the columns `id`, `version`, `created_at` and `updated_at` among others.
    const TABLE: &'static str;
    /// Every column, in the order of [`Row::values`].
    const COLUMNS: &'static [&'static str];
    /// The column of the company that it belongs to.
    const COMPANY: &'static str = "company_id";
    /// Whether it belongs to that company for as long as it is there.
    const IN_COMPANY: bool = true;
    /// The tables of its children.
    const CHILDREN: &'static [Child<Self>] = &[];
    /// Tables that grow with it and are not part of it, each with the column of its id: they move with its company.
    const LOGS: &'static [(&'static str, &'static str)] = &[];
    /// Columns that refer to other records of the same company.
    const REFERENCES: &'static [Reference] = &[];
    /// The table of its tags.
    const TAGS: Option<Tags> = None;
    /// Whether a change of it may change what a person or a token is allowed to do.
    const BEARS_AUTHORITY: bool = false;

    /// The value of each column.
    fn values(&self) -> Vec<Value>;

    /// The record of a row, without its children.
    fn read(row: &QueryResult) -> Result<Self, StoreError>;

    /// Companies that a filter names; none when it names no company.
    fn companies(filter: &Self::Filter) -> &[AccountId];

    /// Adds the predicate of a filter, companies aside: ` AND …`.
    fn filtered(sql: Sql, filter: &Self::Filter) -> Sql;

    /// The text that a filter looks for, where the table has a text index.
    fn text(_filter: &Self::Filter) -> Option<&str> {
        None
    }

    /// How the records that a filter leaves are counted.
    fn count(_filter: &Self::Filter) -> Count<'_, Self::Filter> {
        Count::Each
    }

    /// Whether an index finds those few records that a filter leaves, of which there are `total`.
    fn is_narrow(_filter: &Self::Filter, _total: u64) -> bool {
        false
    }

    /// The predicate of the index of those records that have not come to rest, where the filter leaves only such.
    fn apart(_filter: &Self::Filter) -> Option<&'static str> {
        None
    }

    /// The column of a sort key, which is never null.
    fn sort_column(key: Self::SortKey) -> &'static str;

    /// Adds the predicate of a scope: the records of its companies, or of those among `subset`.
    fn within(sql: Sql, scope: &Scope, subset: &[AccountId]) -> Sql {
        sql.text(Self::COMPANY).companies(scope, subset)
    }

    /// Leaves out what the scope does not reach of a record that it reaches.
    fn narrow(&mut self, _scope: &Scope) {}
}

/// Without statistics either planner would rather look through all that a company has in an index that covers the
/// statement; `version` is in none, so they look up what an index finds.
const LOOKED_UP: &str = " AND version > 0";

/// ` AND id IN …`: those of the records that a subquery selects.
pub(super) fn with_ids(sql: Sql, subquery: impl FnOnce(Sql) -> Sql) -> Sql {
    sql.text(LOOKED_UP).text(" AND id").selected(subquery)
}

/// Declares the columns of a record: each field with its column or columns, the fields of children, and
/// columns that are made from the record.
macro_rules! columns {
    (
        { $($field:ident: $($column:literal)|+,)+ }
        children { $($child:ident),* }
        derived { $($derived:literal = $make:expr),* $(,)? }
    ) => {
        const COLUMNS: &'static [&'static str] = &[$($($column,)+)+ $($derived),*];

        fn values(&self) -> Vec<sea_orm::Value> {
            let mut values = Vec::with_capacity(Self::COLUMNS.len());
            $($crate::business::cell::Columns::store(&self.$field, &mut values);)+
            $({
                let make: fn(&Self) -> _ = $make;
                $crate::business::cell::Columns::store(&make(self), &mut values);
            })*
            values
        }

        fn read(row: &sea_orm::QueryResult) -> Result<Self, svc_core::error::StoreError> {
            Ok(Self {
                $($field: $crate::business::cell::Columns::load(row, &[$($column),+])?,)+
                $($child: Default::default(),)*
            })
        }
    };
}
pub(crate) use columns;
