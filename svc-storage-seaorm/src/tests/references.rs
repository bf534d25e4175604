//! Every link between records of companies is declared where the storage follows it.

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait, DatabaseBackend, DatabaseConnection, QueryResult, Statement};

use super::fixture;
use crate::business::registry::{STAYING, tables};

type Link = (String, String, String);

async fn rows(conn: &DatabaseConnection, sql: &str) -> Vec<QueryResult> {
    let statement = Statement::from_string(DatabaseBackend::Sqlite, sql);
    conn.query_all_raw(statement).await.expect("a valid statement")
}

fn text(row: &QueryResult, column: &str) -> String {
    row.try_get("", column).expect("a text")
}

/// Tables of records of companies: those with the column `company_id`.
async fn of_companies(conn: &DatabaseConnection) -> BTreeSet<String> {
    let sql = "SELECT t.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c \
               WHERE t.type = 'table' AND c.name = 'company_id' AND t.name NOT GLOB '*_counts'";
    rows(conn, sql).await.iter().map(|row| text(row, "name")).collect()
}

/// Table, column and target of each foreign key that holds the company.
async fn keys(conn: &DatabaseConnection, table: &str) -> BTreeSet<Link> {
    let sql = format!(
        "SELECT own.\"from\" AS \"column\", own.\"table\" AS target FROM pragma_foreign_key_list('{table}') AS own \
         JOIN pragma_foreign_key_list('{table}') AS company ON company.id = own.id \
         WHERE company.\"from\" = 'company_id' AND own.\"from\" <> 'company_id'"
    );
    let link = |row: &QueryResult| (table.to_owned(), text(row, "column"), text(row, "target"));
    rows(conn, &sql).await.iter().map(link).collect()
}

/// What the declarations say: the references, and each child's link to its record.
fn declared() -> (BTreeSet<String>, BTreeSet<Link>) {
    let (mut names, mut links) = (BTreeSet::new(), BTreeSet::new());
    for table in tables() {
        names.insert(table.name.to_owned());
        let link = |of: &str, column: &str, to: &str| (of.to_owned(), column.to_owned(), to.to_owned());
        links.extend(table.references.iter().map(|one| link(table.name, one.column, one.to)));
        for child in &table.children {
            names.insert(child.name.to_owned());
            links.insert(link(child.name, child.owner, table.name));
            links.extend(child.references.iter().map(|one| link(child.name, one.column, one.to)));
        }
    }
    (names, links)
}

#[tokio::test]
async fn every_table_and_every_link_of_records_is_declared() {
    let fixture = fixture().await;
    let conn = &fixture.store.conn;
    let (names, links) = declared();
    let staying: BTreeSet<String> = STAYING.map(str::to_owned).into();
    assert_eq!(
        of_companies(conn).await,
        &names | &staying,
        "a table that is not declared does not move with its company"
    );
    let mut found = BTreeSet::new();
    for table in &names {
        found.extend(keys(conn, table).await);
    }
    found.retain(|(_, _, to)| !staying.contains(to));
    assert_eq!(found, links, "a link that is not declared is not followed");
}

#[tokio::test]
async fn every_table_of_records_refuses_what_is_added_to_a_closed_company() {
    let fixture = fixture().await;
    let sql = "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name = tbl_name || '_company'";
    let guarded: BTreeSet<String> =
        rows(&fixture.store.conn, sql).await.iter().map(|row| text(row, "tbl_name")).collect();
    let records = tables().into_iter().map(|table| table.name);
    let records: BTreeSet<String> = records
        .chain([
            "svc_ledger_accounts",
            "svc_fiscal_years",
            "svc_series",
            "svc_fixed_assets",
            "svc_tax_profiles",
            "svc_tax_returns",
        ])
        .map(str::to_owned)
        .collect();
    assert_eq!(guarded, records);
}

#[tokio::test]
async fn every_link_has_an_index_that_serves_it() {
    let fixture = fixture().await;
    let (_, links) = declared();
    for (table, column, _) in links {
        let plan = format!("SELECT 1 FROM {table} WHERE company_id = x'00' AND {column} = x'01'");
        let statement = Statement::from_string(DatabaseBackend::Sqlite, plan);
        let steps = super::explained(&fixture.store.conn, statement).await;
        let served = steps.iter().any(|step| step.contains(&format!("{column}=?")));
        assert!(served, "{table}.{column}: {steps:?}");
    }
}
