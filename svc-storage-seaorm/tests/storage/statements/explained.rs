//! Where a plan reads more than an index finds.

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use super::grown::{Grown, OWNER};

/// The steps of a statement's plan that read a whole table, or all that a company has in one.
pub(super) async fn walks(grown: &Grown, sql: &str) -> Vec<String> {
    let postgres = grown.is_on_postgres();
    let sql = of_one_company(sql, postgres);
    if postgres { on_postgres(grown, &sql).await } else { on_sqlite(grown, &sql).await }
}

/// The contracts look with a scope of everything, callers with one of their companies.
fn of_one_company(sql: &str, postgres: bool) -> String {
    let mut sql = sql.to_owned();
    for owner in OWNER.iter().chain(&["id"]) {
        let everything = format!(" {owner} IS NOT NULL");
        let place = if postgres { format!("${}", places(&sql) + 1) } else { "?".to_owned() };
        sql = sql.replace(&everything, &format!(" {owner} = {place}"));
    }
    sql
}

async fn on_sqlite(grown: &Grown, sql: &str) -> Vec<String> {
    let plan = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"));
    let rows = grown.conn.query_all_raw(plan).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let steps: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").expect("a step")).collect();
    // What a step reads is sorted behind it, before another table is read: an order that needs two tables is not seen.
    let walks = |(at, step): (usize, &String)| {
        let behind = steps.iter().skip(at + 1).take_while(|step| !reads_a_table(step));
        let sorted = behind.clone().any(|step| step.ends_with("TEMP B-TREE FOR ORDER BY"));
        // A page that is ordered with a sign: little, which is found first and then put in order.
        let is_meant = sql.contains(" ORDER BY +") && sql.contains(" OFFSET ");
        (is_sqlite_walk(step) || sorted && !is_meant && ends_in_a_range(step)).then(|| step.clone())
    };
    steps.iter().enumerate().filter_map(walks).collect()
}

fn reads_a_table(step: &str) -> bool {
    step.starts_with("SCAN ") || step.starts_with("SEARCH ")
}

/// Whether rows are read from a value on, or up to one, without another end: with an order of their own they are all read
/// before the first one is known.
fn ends_in_a_range(step: &str) -> bool {
    let Some((_, terms)) = step.strip_suffix("?)").and_then(|step| step.rsplit_once('(')) else {
        return false;
    };
    let mut terms = terms.rsplit(" AND ");
    let is_range = |term: &str| term.ends_with(['<', '>']) || term.ends_with("<?") || term.ends_with(">?");
    terms.next().is_some_and(is_range) && !terms.next().is_some_and(is_range)
}

fn is_sqlite_walk(step: &str) -> bool {
    let reads = step.strip_prefix("SCAN ").or_else(|| step.strip_prefix("SEARCH "));
    let Some(table) = reads.filter(|table| table.starts_with("svc_")) else { return false };
    // Texts, and the beginnings of them, are looked up.
    if table.contains(" VIRTUAL TABLE INDEX ") {
        return table.ends_with(" INDEX 0:");
    }
    step.starts_with("SCAN ") || table.ends_with("(company_id=?)") || table.ends_with("(account_id=?)")
}

async fn on_postgres(grown: &Grown, sql: &str) -> Vec<String> {
    // The plan that is kept for a statement, whatever its values are.
    grown.run("SET plan_cache_mode = force_generic_plan").await;
    if let Err(error) = grown.conn.execute_unprepared(&format!("PREPARE one AS {sql}")).await {
        return vec![format!("it cannot be prepared: {error}")];
    }
    let values = vec!["NULL"; places(sql)].join(", ");
    let values = if values.is_empty() { values } else { format!("({values})") };
    let steps = grown.texts(&format!("EXPLAIN (COSTS OFF) EXECUTE one{values}")).await;
    grown.run("DEALLOCATE one").await;
    let next = steps.iter().skip(1).map(String::as_str).chain([""]);
    steps.iter().zip(next).filter_map(|(step, next)| postgres_walk(step, next)).collect()
}

/// A step that walks; the line behind it has its condition.
fn postgres_walk(step: &str, next: &str) -> Option<String> {
    let (how, table) = step.trim_start().trim_start_matches("-> ").trim_start().split_once(" on svc_")?;
    // The name is that of rows that the statement selected itself.
    if how == "Subquery Scan" {
        return None;
    }
    let condition = next.trim_start().strip_prefix("Index Cond: ");
    // Bitmaps have the condition a step below; `Update on svc_…` reads nothing itself.
    let of_the_company = |found: &str| {
        let owner = OWNER.iter().any(|owner| found.contains(&format!("{owner} = ")));
        owner && !found.contains(" AND ")
    };
    let walks = condition.map_or(!how.starts_with("Bitmap"), of_the_company);
    (how.contains("Scan") && walks).then(|| format!("{how} on svc_{table} {}", condition.unwrap_or_default()))
}

/// How many places of values a statement of PostgreSQL has.
fn places(sql: &str) -> usize {
    let number = |at: usize| {
        let digits = sql[at + 1..].split(|sign: char| !sign.is_ascii_digit()).next().unwrap_or_default();
        digits.parse().unwrap_or(0)
    };
    sql.match_indices('$').map(|(at, _)| number(at)).max().unwrap_or(0)
}
