//! Books whose amounts add up to more than can be counted: each request says so, and nothing is half done.

use http::Method;
use serde_json::json;
use svc_business::books::entry::{EntryStatus, Movement};
use svc_core::id::JournalEntryId;
use svc_core::money::{Amount, Currency};
use svc_testkit::business::sample;

use crate::books::{at, with_books};
use crate::test_app::{Answer, Client, TestApp, Want};

const REFUSED: (u16, &str) = (422, "sum_out_of_range");

async fn post(app: &TestApp, client: &Client, amount: &str) -> Answer {
    let lines =
        json!([{"accountCode": "6210000", "debit": amount}, {"accountCode": "5720000", "credit": amount}]);
    let body = json!({"date": "2025-01-31", "description": "Alquiler", "post": true, "lines": lines});
    client.post(&at(app, "/journal-entries"), &body).await
}

/// Copies an entry of two lines with amounts that no request may state: ten thousand entries would add up to them.
async fn copy(app: &TestApp, of: JournalEntryId, minors: &[i64]) {
    let (scope, business) = (sample::everything(), app.database.business());
    let kept = business.journal().find(&scope, of).await.unwrap().unwrap();
    let unit = business.begin().await.unwrap();
    for (number, minor) in (1_000..).zip(minors) {
        let mut entry = kept.clone();
        entry.id = sample::id(number);
        for (at, line) in (0..).zip(&mut entry.lines) {
            line.id = sample::id(number * 10 + at);
            let signed = if at == 0 { *minor } else { -minor };
            line.movement = Movement::of_balance(Amount::from_minor(signed, Currency::EUR).unwrap()).unwrap();
        }
        let EntryStatus::Posted { posting } = &mut entry.status else { panic!("it is posted") };
        posting.number = u64::try_from(number).unwrap();
        unit.journal().insert(&scope, &entry).await.unwrap();
    }
    unit.commit().await.unwrap();
}

#[tokio::test]
async fn sums_that_cannot_be_counted_are_refused_with_what_helps() {
    let (app, client) = with_books(Want::default()).await;
    let first = post(&app, &client, "1.00").await.ok(201);
    copy(&app, first.id().parse().unwrap(), &[9_000_000_000_000_000_000, 223_000_000_000_000_000]).await;
    let refused = post(&app, &client, "9000000000000.00").await;
    assert_eq!(refused.problem(), REFUSED, "{}", refused.text);
    let list = client.get(&at(&app, "/journal-entries")).await.ok(200);
    assert_eq!(list.json["total"], 3, "nothing of what was refused is there");
    let days = "from=2025-01-01&to=2025-12-31";
    for report in ["trial-balance", "profit-and-loss", "general-ledger", "journal", "vat-register"] {
        let answer = client
            .send(Method::GET, &at(&app, &format!("/reports/{report}?{days}")), &[], String::new())
            .await;
        assert!(answer.status.as_u16() < 500, "{report}: {}", answer.text);
    }
    assert_eq!(client.get(&at(&app, &format!("/reports/trial-balance?{days}"))).await.problem(), REFUSED);
    assert_eq!(client.get(&at(&app, "/reports/balance-sheet?asOf=2025-12-31")).await.problem(), REFUSED);
    post(&app, &client, "2.00").await.ok(201);
}
