//! The end of the year, after any history (I-04): nothing is left of income and expenses, the next year begins with what
//! this one left, and what the year says of itself stays.

use std::collections::BTreeMap;
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::History;
use super::agreement::{cents, list};

const CLOSED: [[&str; 2]; 3] = [["journal_entry.create", "journal_entry.post"]; 3];
const REOPENED: [[&str; 3]; 3] = [["journal_entry.create", "journal_entry.post", "journal_entry.update"]; 3];

impl History {
    pub(super) async fn close(&mut self) {
        self.office.app.clock.advance(Duration::from_hours(24 * 365));
        self.office.client.patch(&self.office.books(""), &[], &json!({ "lockDate": null })).await.ok(200);
        let entries = self.office.books("/journal-entries");
        let drafts = self.get(&format!("{entries}?status=draft&limit=200")).await;
        for draft in list(&drafts, "items") {
            let path = format!("{entries}/{}", draft["id"].as_str().unwrap());
            self.act("delete entry", Method::DELETE, &path, &Value::Null, &["journal_entry.delete"]).await;
        }
        let years = self.get(&self.office.books("/fiscal-years")).await;
        let year = list(&years, "items").iter().find(|year| year["startDate"] == "2025-01-01").unwrap();
        let year = self.office.books(&format!("/fiscal-years/{}", year["id"].as_str().unwrap()));
        let before = self.of_the_year().await;
        let left = self.balances("from=2025-01-01&to=2025-12-31").await;
        self.act("close", Method::POST, &format!("{year}/close"), &json!({}), CLOSED.as_flattened()).await;
        assert_eq!(self.of_the_year().await, before, "the reports of a closed year are what they were");
        let closed = self.balances("from=2025-01-01&to=2025-12-31&excludeClosing=false").await;
        assert!(closed.values().all(|balance| *balance == 0), "{closed:?}");
        assert_eq!(self.balances("from=2026-01-01&to=2026-12-31").await, carried(left));
        let reopen = format!("{year}/reopen");
        self.act("reopen", Method::POST, &reopen, &json!({}), REOPENED.as_flattened()).await;
        assert_eq!(self.of_the_year().await, before, "reopened");
        self.agrees().await;
    }

    /// What the reports say of 2025, and what is open when it is over.
    async fn of_the_year(&self) -> [String; 6] {
        let mut told = [const { String::new() }; 6];
        let reports = [
            "trial-balance?from=2025-01-01&to=2025-12-31",
            "profit-and-loss?from=2025-01-01&to=2025-12-31",
            "balance-sheet?asOf=2025-12-31",
            "aged-receivables?asOf=2025-12-31",
            "aged-receivables?asOf=2026-01-31",
            "aged-payables?asOf=2026-01-31",
        ];
        for (told, report) in told.iter_mut().zip(reports) {
            *told = self.get(&self.office.books(&format!("/reports/{report}"))).await.to_string();
        }
        told
    }

    /// The closing balance of each account of full length.
    async fn balances(&self, days: &str) -> BTreeMap<String, i64> {
        let path = self.office.books(&format!("/reports/trial-balance?level=full&nonZero=true&{days}"));
        let trial = self.get(&path).await;
        let code = |row: &Value| row["code"].as_str().unwrap().to_owned();
        let rows = list(&trial, "rows").iter();
        rows.map(|row| (code(row), cents(&row["closingBalance"]))).collect()
    }
}

/// What the next year begins with: the accounts of the balance sheet, and the result on its account.
fn carried(left: BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    let mut carried = BTreeMap::new();
    for (code, balance) in left {
        let code = if code.starts_with(['6', '7']) { "1290000".to_owned() } else { code };
        *carried.entry(code).or_default() += balance;
    }
    carried.retain(|_, balance| *balance != 0);
    carried
}
