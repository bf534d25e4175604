//! Fixed assets and the days of the books: what is locked, what came before, and what is only drafted.

use serde_json::{Value, json};

use crate::assets::{held, laptop, made, one, run};
use crate::books::{at, with_books};
use crate::test_app::Want;

fn from(name: &str, date: &str) -> Value {
    let mut body = laptop(name, true);
    body["acquisitionDate"] = json!(date);
    body
}

#[tokio::test]
async fn what_was_lost_before_the_books_begin_is_posted_on_their_first_day() {
    let (app, client) = with_books(Want::default()).await;
    let asset = made(&app, &client, &from("Laptop", "2024-12-01")).await;
    let through = json!({"through": "2025-01-31", "post": true});
    let first = run(&app, &client, through).await.ok(200);
    let mut days = Vec::new();
    for instalment in first.json["assets"][0]["instalments"].as_array().unwrap() {
        let path = at(&app, &format!("/journal-entries/{}", instalment["entryId"].as_str().unwrap()));
        let entry = client.get(&path).await.ok(200).json;
        days.push((
            instalment["to"].as_str().unwrap().to_owned(),
            entry["date"].as_str().unwrap().to_owned(),
        ));
    }
    let day = |to: &str, date: &str| (to.to_owned(), date.to_owned());
    assert_eq!(days, [day("2024-12-31", "2025-01-01"), day("2025-01-31", "2025-01-31")]);
    assert_eq!(held(&app, &client, "6810000").await, "50.00");
    let gone = json!({"date": "2025-02-14", "reason": "lost"});
    client.post(&one(&app, &asset, "/dispose"), &gone).await.ok(200);
    assert_eq!(held(&app, &client, "2817000").await, "0.00");
}

#[tokio::test]
async fn an_asset_in_locked_days_stops_no_other_one() {
    let (app, client) = with_books(Want::default()).await;
    let early = made(&app, &client, &from("Early", "2025-01-01")).await;
    client.patch(&at(&app, ""), &[], &json!({"lockDate": "2025-01-31"})).await.ok(200);
    let through = json!({"through": "2025-02-28", "post": true});
    // When it is the only one, its problem is that of the run.
    assert_eq!(run(&app, &client, through.clone()).await.problem(), (409, "period_locked"));
    let late = made(&app, &client, &from("Late", "2025-02-01")).await;
    let ran = run(&app, &client, through.clone()).await.ok(200).json;
    assert_eq!(ran["assets"][0]["fixedAssetId"], late.id());
    let left_out = ran["leftOut"].as_array().unwrap();
    assert_eq!(left_out.len(), 1);
    assert_eq!(
        (&left_out[0]["fixedAssetId"], &left_out[0]["error"]["code"]),
        (&json!(early.id()), &json!("period_locked"))
    );
    client.patch(&at(&app, ""), &[], &json!({"lockDate": null})).await.ok(200);
    let ran = run(&app, &client, through).await.ok(200).json;
    assert_eq!((&ran["assets"][0]["fixedAssetId"], &ran["leftOut"]), (&json!(early.id()), &json!([])));
}

#[tokio::test]
async fn what_runs_only_drafted_is_posted_when_the_asset_leaves() {
    let (app, client) = with_books(Want::default()).await;
    let asset = made(&app, &client, &laptop("Laptop", true)).await;
    run(&app, &client, json!({"through": "2025-01-31", "post": false})).await.ok(200);
    // Days with drafts are not locked for ever: what the service made could neither be posted then nor deleted.
    let hard = json!({"hardLockDate": "2025-01-31"});
    assert_eq!(client.patch(&at(&app, ""), &[], &hard).await.problem(), (409, "draft_entries"));
    let before = json!({"hardLockDate": "2025-01-30"});
    client.patch(&at(&app, ""), &[], &before).await.ok(200);
    let sold =
        json!({"date": "2025-02-14", "proceeds": "1180.00", "reason": "sold", "accountCode": "5720000"});
    let gone = client.post(&one(&app, &asset, "/dispose"), &sold).await.ok(200).json;
    assert_eq!(gone["disposal"]["gainLoss"], "17.50");
    for (code, balance) in
        [("2170000", "-1200.00"), ("2817000", "0.00"), ("6810000", "37.50"), ("7710000", "-17.50")]
    {
        assert_eq!(held(&app, &client, code).await, balance, "{code}");
    }
    let entries =
        client.get(&at(&app, &format!("/journal-entries?sourceId={}", asset.id()))).await.ok(200).json;
    for entry in entries["items"].as_array().unwrap() {
        assert_eq!(entry["status"], "posted");
        // The asset counts them: only it takes them back.
        let reverse = at(&app, &format!("/journal-entries/{}/reverse", entry["id"].as_str().unwrap()));
        assert_eq!(client.post(&reverse, &json!({})).await.problem(), (409, "entry_not_manual"));
    }
    client.patch(&at(&app, ""), &[], &hard).await.ok(200);
    assert_eq!(client.get(&at(&app, "/verification")).await.ok(200).json["holds"], true);
}
