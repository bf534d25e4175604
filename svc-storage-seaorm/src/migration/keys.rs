//! The order in which PostgreSQL makes the keys and the indexes of a table.
//!
//! While a table has no statistics, all its indexes that hold the columns of a condition cost the same to the planner,
//! and the one made last is taken; the plan then stays with its connection. An index of a list holds the company and
//! the id, with the order between them: a look for one record would read all of its company. So the keys are made
//! behind the indexes, as `pg_dump` writes them, and what refers to them behind all keys.

/// The statements of tables and their indexes, with the keys of the tables last. Each column and each constraint of a
/// table is a line of its own.
pub(super) fn behind_indexes(tables: Vec<String>, indexes: Vec<String>) -> Vec<String> {
    let (mut statements, mut own, mut foreign) = (Vec::new(), Vec::new(), Vec::new());
    for table in tables {
        let mut columns = Vec::new();
        for line in table.lines() {
            let line = line.trim().trim_end_matches(',');
            let add = || format!("ALTER TABLE {} ADD {line}", name(&table));
            if line.starts_with("PRIMARY KEY") {
                own.push(add());
            } else if line.contains("FOREIGN KEY") {
                foreign.push(add());
            } else if !line.is_empty() {
                columns.push(line);
            }
        }
        statements.push(joined(&columns));
    }
    [statements, indexes, own, foreign].concat()
}

/// `CREATE TABLE name (`
fn name(statement: &str) -> &str {
    statement.split_whitespace().nth(2).unwrap_or_default()
}

/// The first line opens the list of columns and the last one closes it.
fn joined(lines: &[&str]) -> String {
    let [first, columns @ .., last] = lines else { return lines.concat() };
    format!("{first}\n{}\n{last}", columns.join(",\n"))
}
