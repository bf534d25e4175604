//! The audit log as a table for spreadsheets.

use axum::body::Body;
use axum::response::Response;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use svc_core::csv::{Cell, Table};
use svc_core::page::PageRules;
use svc_http::Problem;

use super::{Row, filter, names, row};
use crate::gate::{Administrator, Seen};

/// Entries that one table has at most: the newest of those that match.
const MOST: u32 = 5_000;

/// The path of the table with what the page shows, filters included.
pub(super) fn path(seen: &Seen<Administrator>) -> String {
    let query = seen.visit.uri().query().map_or_else(String::new, |query| format!("?{query}"));
    seen.path(&format!("/audit-log.csv{query}"))
}

/// GET /companies/{company}/audit-log.csv
pub(crate) async fn download(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (filter, names, t) = (filter(seen.visit.query()), names(&seen).await?, &seen.texts().audit_log);
    let header = ["number", "at", "who", "address", "action", "subject", "before", "after", "seal"];
    let (mut table, rules) = (Table::new(header), PageRules::USUAL);
    for number in 1..=MOST / rules.max {
        let asked = rules.page(Some(number), Some(rules.max)).map_err(|_| Problem::internal())?;
        let page = seen.visit.app().audit.page(&seen.at().scope, &filter, asked).await?;
        page.items.iter().for_each(|record| table.row(cells(row(record, &names, t))));
        if !page.has_more() {
            break;
        }
    }
    let mut response = Response::new(Body::from(table.finish()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8; header=present"));
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"audit-log.csv\""));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

fn cells(row: Row) -> [Cell; 9] {
    [
        Cell::plain(row.number),
        Cell::plain(row.at.exact),
        Cell::text(&row.who),
        Cell::plain_or_empty(row.address),
        Cell::plain(row.action),
        Cell::text(&row.subject),
        Cell::text(&row.before.unwrap_or_default()),
        Cell::text(&row.after.unwrap_or_default()),
        Cell::plain(row.seal),
    ]
}
