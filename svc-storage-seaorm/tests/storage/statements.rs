//! Every statement that the contracts send, explained over grown tables: an index serves each of them, on both
//! engines, with statistics and without.
//!
//! A statement that walks a table, or everything that a company has in one, is fine while tables are small, and takes
//! the service down later. So the contracts run with a listener that keeps the text of each statement, and each text is
//! explained on a database whose tables have a hundred thousand rows. What may walk is listed in [`walks`], with the
//! reason.

mod explained;
mod grown;
mod sent;
mod walks;

use std::collections::BTreeSet;

use svc_storage_seaorm::Settings;

use self::grown::Grown;
use self::walks::is_allowed;
use crate::fresh::{file, fresh, keys};

/// Fails with every statement that walks and is not listed.
async fn assert_served(grown: Grown, sent: BTreeSet<String>) {
    assert!(sent.len() > 100, "the contracts send more than {}", sent.len());
    let mut faults = BTreeSet::new();
    for analysed in [false, true] {
        if analysed {
            grown.analyse().await;
        }
        for sql in &sent {
            for walk in explained::walks(&grown, sql).await {
                if !is_allowed(sql, &walk) {
                    faults.insert(format!("{walk}\n    {sql}"));
                }
            }
        }
    }
    grown.close().await;
    let faults: Vec<_> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{} statements walk:\n{}", faults.len(), faults.join("\n"));
}

#[tokio::test]
async fn on_sqlite_an_index_serves_each() {
    let (settings, folder) = file();
    let fresh = fresh(settings, Some(folder)).await;
    assert_served(Grown::of(&fresh).await, sent::on_sqlite().await).await;
}

#[tokio::test]
async fn on_postgresql_an_index_serves_each() {
    let Some(url) = svc_testkit::postgres::database() else { return };
    let fresh = fresh(Settings::new(url, keys()).max_connections(1), None).await;
    assert_served(Grown::of(&fresh).await, sent::on_postgres().await).await;
}
