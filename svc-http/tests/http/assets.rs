//! Fixed assets by the API: drafts, depreciation that is posted once, and leaving.

use http::Method;
use serde_json::{Value, json};

use crate::books::{act, at, kinds, with_books};
use crate::test_app::{Answer, Client, TestApp, Want};

/// 25.00 a month for four years, from the first day of 2025.
pub(crate) fn laptop(name: &str, activate: bool) -> Value {
    json!({
        "name": name, "assetClass": "it_equipment", "acquisitionDate": "2025-01-01", "cost": "1200.00",
        "frequency": "monthly", "activate": activate,
    })
}

pub(crate) async fn made(app: &TestApp, client: &Client, body: &Value) -> Answer {
    client.post(&at(app, "/fixed-assets"), body).await.ok(201)
}

pub(crate) async fn run(app: &TestApp, client: &Client, body: Value) -> Answer {
    client.post(&at(app, "/fixed-assets/depreciation-runs"), &body).await
}

pub(crate) fn one(app: &TestApp, asset: &Answer, verb: &str) -> String {
    at(app, &format!("/fixed-assets/{}{verb}", asset.id()))
}

/// What an account holds at the end of today.
pub(crate) async fn held(app: &TestApp, client: &Client, code: &str) -> String {
    let found = client.get(&at(app, &format!("/accounts?prefix={code}&limit=1"))).await.ok(200);
    found.json["items"][0]["balance"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_asset_is_a_draft_until_it_is_put_to_use() {
    let (app, client) = with_books(Want::default()).await;
    let draft = made(&app, &client, &laptop("Laptop", false)).await;
    assert_eq!(draft.header("location"), format!("/api/v1{}", one(&app, &draft, "")));
    for (member, value) in [
        ("status", json!("draft")),
        ("method", json!("straight_line")),
        ("usefulLifeMonths", json!(48)),
        ("assetAccountCode", json!("2170000")),
        ("accumulatedAccountCode", json!("2817000")),
        ("expenseAccountCode", json!("6810000")),
        ("accumulatedDepreciation", json!("0.00")),
        ("carryingAmount", json!("1200.00")),
        ("warnings", json!([])),
    ] {
        assert_eq!(draft.json[member], value, "{member}");
    }
    let path = one(&app, &draft, "");
    let stale = client.patch(&path, &[("if-match", "\"7\"")], &json!({"name": "x"})).await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
    let faster = client.patch(&path, &[], &json!({"usefulLifeMonths": 24, "code": "IT-1"})).await.ok(200);
    assert_eq!(
        (&faster.json["warnings"], &faster.json["version"]),
        (&json!(["exceeds_tax_table"]), &json!(2))
    );
    let same = client.patch(&path, &[], &json!({"code": "IT-1"})).await.ok(200);
    assert_eq!(same.header("etag"), "\"2\"");
    let active = act(&client, &one(&app, &draft, "/activate")).await.ok(200);
    assert_eq!(active.json["status"], "active");
    assert_eq!(act(&client, &one(&app, &draft, "/activate")).await.problem(), (409, "asset_not_draft"));
    assert_eq!(client.delete(&path, &[]).await.problem(), (409, "asset_not_draft"));
    let frozen = client.patch(&path, &[], &json!({"cost": "1.00"})).await;
    assert_eq!((frozen.problem().0, frozen.field()), (422, ("cost", "not_allowed")));
    let again = client.patch(&path, &[], &json!({"activate": true})).await;
    assert_eq!(again.field(), ("activate", "read_only_field"));
    let other = made(&app, &client, &laptop("Other", false)).await;
    let taken = client.patch(&one(&app, &other, ""), &[], &json!({"code": "IT-1"})).await;
    assert_eq!((taken.problem(), taken.field().0), ((409, "already_exists"), "code"));
    client.delete(&one(&app, &other, ""), &[]).await.ok(204);
    assert_eq!(client.get(&one(&app, &other, "")).await.problem(), (404, "not_found"));
    let wanted = ["create", "update", "update", "create"].map(|verb| format!("fixed_asset.{verb}"));
    assert_eq!(kinds(&app).await, wanted);
}

#[tokio::test]
async fn a_run_posts_each_instalment_once() {
    let (app, client) = with_books(Want::default()).await;
    let asset = made(&app, &client, &laptop("Laptop", true)).await;
    made(&app, &client, &laptop("Draft", false)).await;
    let through = json!({"through": "2025-02-28", "post": true});
    let key = [("idempotency-key", "run-1")];
    let path = at(&app, "/fixed-assets/depreciation-runs");
    let first = client.post_with(&path, &key, &through).await.ok(200);
    assert_eq!((&first.json["posted"], &first.json["hasMore"]), (&json!(true), &json!(false)));
    let instalments = first.json["assets"][0]["instalments"].as_array().unwrap();
    let told: Vec<_> = instalments.iter().map(|one| (&one["period"], &one["to"], &one["amount"])).collect();
    assert_eq!(
        told,
        [
            (&json!(1), &json!("2025-01-31"), &json!("25.00")),
            (&json!(2), &json!("2025-02-28"), &json!("25.00")),
        ]
    );
    let replayed = client.post_with(&path, &key, &through).await.ok(200);
    assert_eq!(replayed.header("idempotent-replayed"), "true");
    let again = run(&app, &client, through).await.ok(200);
    assert_eq!(again.json["assets"], json!([]));
    let entry = instalments[1]["entryId"].as_str().unwrap();
    let entry = client.get(&at(&app, &format!("/journal-entries/{entry}"))).await.ok(200);
    assert_eq!((&entry.json["kind"], &entry.json["number"]), (&json!("depreciation"), &json!(2)));
    assert_eq!(
        entry.json["source"],
        json!({"type": "fixed_asset", "id": asset.id(), "role": "depreciation-2"})
    );
    assert_eq!(
        (held(&app, &client, "6810000").await, held(&app, &client, "2817000").await),
        ("50.00".into(), "-50.00".into())
    );
    let shown = client.get(&one(&app, &asset, "")).await.ok(200);
    assert_eq!(
        (&shown.json["depreciatedThrough"], &shown.json["carryingAmount"]),
        (&json!("2025-02-28"), &json!("1150.00"))
    );
    let plan = client.get(&one(&app, &asset, "/plan")).await.ok(200);
    let plan = plan.json["instalments"].as_array().unwrap();
    assert_eq!(
        (plan.len(), &plan[1]["status"], &plan[2]["status"]),
        (48, &json!("posted"), &json!("planned"))
    );
    assert_eq!(plan[47]["carryingAmount"], "0.00");
    // What is left is spread over the life that is left.
    client.patch(&one(&app, &asset, ""), &[], &json!({"residualValue": "230.00"})).await.ok(200);
    let plan = client.get(&one(&app, &asset, "/plan")).await.ok(200);
    assert_eq!(
        (&plan.json["instalments"][1]["amount"], &plan.json["instalments"][2]["amount"]),
        (&json!("25.00"), &json!("20.00"))
    );
    let told = kinds(&app).await;
    let of_run: Vec<_> = told.iter().skip(2).take(5).map(String::as_str).collect();
    let wanted = [
        "fixed_asset.update",
        "journal_entry.create",
        "journal_entry.post",
        "journal_entry.create",
        "journal_entry.post",
    ];
    assert_eq!(of_run, wanted);
    assert_eq!(told.len(), 8);
}

#[tokio::test]
async fn a_run_that_is_too_long_is_gone_on_with() {
    let (app, client) = with_books(Want::default()).await;
    // Twelve instalments each, in one year: 516.
    for number in 1..=43 {
        made(&app, &client, &laptop(&format!("Laptop {number}"), true)).await;
    }
    let through = json!({"through": "2025-12-31", "post": true});
    let mut written = Vec::new();
    for has_more in [true, false, false] {
        let answer = run(&app, &client, through.clone()).await.ok(200);
        assert_eq!(answer.json["hasMore"], has_more);
        let assets = answer.json["assets"].as_array().unwrap();
        let count = |asset: &Value| asset["instalments"].as_array().unwrap().len();
        written.push(assets.iter().map(count).sum::<usize>());
    }
    assert_eq!(written, [500, 16, 0]);
    let entries = client.get(&at(&app, "/journal-entries?kind=depreciation&limit=1")).await.ok(200);
    assert_eq!(entries.json["total"], 516);
    assert_eq!(client.get(&at(&app, "/verification")).await.ok(200).json["holds"], true);
}

#[tokio::test]
async fn a_run_only_drafts_unless_it_is_told_to_post() {
    let permissions = ["accounting:fixed_assets.read", "accounting:fixed_assets.update"];
    let (app, client) = with_books(Want { permissions: &permissions, ..Want::default() }).await;
    let full = app.client(Want::default()).await;
    let asset = made(&app, &full, &laptop("Laptop", true)).await;
    let refused = run(&app, &client, json!({"through": "2025-01-31", "post": true})).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["required_permission"], "accounting:journal.post");
    let drafted = run(&app, &client, json!({"through": "2025-01-31"})).await.ok(200);
    assert_eq!(drafted.json["posted"], false);
    let entry = drafted.json["assets"][0]["instalments"][0]["entryId"].as_str().unwrap();
    let entry = at(&app, &format!("/journal-entries/{entry}"));
    assert_eq!(full.get(&entry).await.ok(200).json["status"], "draft");
    assert_eq!(full.delete(&entry, &[]).await.problem(), (409, "entry_not_manual"));
    act(&full, &format!("{entry}/post")).await.ok(200);
    full.patch(&at(&app, ""), &[], &json!({"automation": {"depreciation": "post"}})).await.ok(200);
    assert_eq!(
        run(&app, &client, json!({"through": "2025-02-28"})).await.problem(),
        (403, "missing_permission")
    );
    full.patch(&at(&app, ""), &[], &json!({"lockDate": "2025-02-28"})).await.ok(200);
    for post in [true, false] {
        let locked = run(&app, &full, json!({"through": "2025-02-28", "post": post})).await;
        assert_eq!(locked.problem(), (409, "period_locked"));
        let beyond = run(&app, &full, json!({"through": "2026-01-31", "post": post})).await;
        assert_eq!(beyond.problem(), (409, "no_fiscal_year"));
    }
    assert_eq!(full.get(&one(&app, &asset, "")).await.ok(200).json["depreciatedThrough"], "2025-01-31");
    let soon = run(&app, &full, json!({"through": "soon"})).await;
    assert_eq!((soon.problem().0, soon.field()), (422, ("through", "invalid_date")));
}

#[tokio::test]
async fn an_account_that_takes_no_entries_is_told_with_its_asset() {
    let (app, client) = with_books(Want::default()).await;
    let mut body = laptop("Laptop", false);
    body["expenseAccountCode"] = json!("6810009");
    let draft = made(&app, &client, &body).await;
    let refused = act(&client, &one(&app, &draft, "/activate")).await;
    assert_eq!(refused.field(), ("expenseAccountCode", "unknown_reference"), "{}", refused.text);
    let account = json!({"code": "6810009", "name": "Amortización de equipos"});
    let account = client.post(&at(&app, "/accounts"), &account).await.ok(201);
    act(&client, &one(&app, &draft, "/activate")).await.ok(200);
    let account = at(&app, &format!("/accounts/{}", account.id()));
    client.patch(&account, &[], &json!({"status": "archived"})).await.ok(200);
    let refused = run(&app, &client, json!({"through": "2025-01-31"})).await;
    let field = format!("{}.expenseAccountCode", draft.id());
    assert_eq!(refused.field(), (field.as_str(), "account_archived"), "{}", refused.text);
}

#[tokio::test]
async fn an_asset_that_leaves_takes_its_cost_and_its_loss_along() {
    let (app, client) = with_books(Want::default()).await;
    let asset = made(&app, &client, &laptop("Laptop", true)).await;
    let dispose = one(&app, &asset, "/dispose");
    let bank =
        |date: &str| json!({"date": date, "proceeds": "1180.00", "reason": "sold", "accountCode": "5720000"});
    for (body, field, code) in [
        (bank("2024-12-31"), "date", "out_of_range"),
        (bank("soon"), "date", "invalid_date"),
        (json!({"date": "2025-02-15", "reason": "sold", "proceeds": "-1.00"}), "proceeds", "out_of_range"),
        (
            json!({"date": "2025-02-15", "reason": "sold", "accountCode": "572"}),
            "accountCode",
            "account_not_postable",
        ),
        (
            json!({"date": "2025-02-15", "reason": "sold", "accountCode": "5729999"}),
            "accountCode",
            "unknown_reference",
        ),
        (
            json!({"date": "2025-02-15", "reason": "sold", "accountCode": "4300000"}),
            "accountCode",
            "not_allowed",
        ),
        (
            json!({"date": "2025-02-15", "reason": "sold", "accountCode": "4770000"}),
            "accountCode",
            "not_allowed",
        ),
    ] {
        let refused = client.post(&dispose, &body).await;
        assert_eq!((refused.problem().0, refused.field()), (422, (field, code)), "{}", refused.text);
    }
    let gone = client.post(&dispose, &bank("2025-02-14")).await.ok(200);
    assert_eq!(
        (&gone.json["status"], &gone.json["accumulatedDepreciation"]),
        (&json!("disposed"), &json!("37.50"))
    );
    assert_eq!(
        gone.json["disposal"],
        json!({"date": "2025-02-14", "proceeds": "1180.00", "reason": "sold", "gainLoss": "17.50"})
    );
    for (code, balance) in [
        ("2170000", "-1200.00"),
        ("2817000", "0.00"),
        ("6810000", "37.50"),
        ("7710000", "-17.50"),
        ("5720000", "1180.00"),
    ] {
        assert_eq!(held(&app, &client, code).await, balance, "{code}");
    }
    let entries = client.get(&at(&app, &format!("/journal-entries?sourceId={}", asset.id()))).await.ok(200);
    let roles: Vec<_> = entries.json["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["source"]["role"].clone())
        .collect();
    assert_eq!(roles, ["depreciation-1", "depreciation-2", "disposal"].map(|role| json!(role)));
    assert_eq!(client.post(&dispose, &bank("2025-02-20")).await.problem(), (409, "asset_not_active"));
    let renamed = client.patch(&one(&app, &asset, ""), &[], &json!({"name": "Old laptop"})).await.ok(200);
    assert_eq!(renamed.json["name"], "Old laptop");
    let draft = made(&app, &client, &laptop("Draft", false)).await;
    let refused = client.post(&one(&app, &draft, "/dispose"), &bank("2025-02-20")).await;
    assert_eq!(
        (refused.problem(), &refused.json["currentState"]),
        ((409, "asset_not_active"), &json!("draft"))
    );
    let scrapped = made(&app, &client, &laptop("Scrapped", true)).await;
    let defaults = |code| json!({"defaultAccounts": {"tangibleDisposalLoss": code}});
    client.patch(&at(&app, ""), &[], &defaults(Value::Null)).await.ok(200);
    let (dispose, lost) = (one(&app, &scrapped, "/dispose"), json!({"date": "2025-01-31", "reason": "lost"}));
    assert_eq!(client.post(&dispose, &lost).await.problem(), (409, "default_account_missing"));
    client.patch(&at(&app, ""), &[], &defaults(json!("6710000"))).await.ok(200);
    let lost = client.post(&dispose, &lost).await.ok(200);
    assert_eq!(lost.json["disposal"]["gainLoss"], "-1175.00");
}

#[tokio::test]
async fn the_books_of_an_asset_keep_their_codes_and_an_asset_its_currency() {
    let (app, client) = with_books(Want::default()).await;
    let draft = made(&app, &client, &laptop("Laptop", false)).await;
    let chart = client.patch(&at(&app, ""), &[], &json!({"accountCodeLength": 8})).await;
    assert_eq!(chart.problem(), (409, "books_in_use"));
    client.patch(&format!("/accounts/{}", app.ours), &[], &json!({"baseCurrency": "USD"})).await.ok(200);
    for refused in [
        act(&client, &one(&app, &draft, "/activate")).await,
        client.patch(&one(&app, &draft, ""), &[], &json!({"cost": "1.00"})).await,
    ] {
        assert_eq!(
            (refused.problem().0, refused.field()),
            (422, ("cost", "invalid_currency")),
            "{}",
            refused.text
        );
    }
    client.delete(&one(&app, &draft, ""), &[]).await.ok(204);
    let dollars = made(&app, &client, &laptop("Laptop", true)).await;
    assert_eq!(dollars.json["currency"], "USD");
}

#[tokio::test]
async fn each_rule_of_an_asset_names_its_member() {
    let (app, client) = with_books(Want::default()).await;
    for (more, field, code) in [
        (json!({"name": null}), "name", "required"),
        (json!({"name": " "}), "name", "required"),
        (json!({"acquisitionDate": "2025-02-30"}), "acquisitionDate", "invalid_date"),
        (json!({"inServiceDate": "2024-12-31"}), "inServiceDate", "out_of_range"),
        (json!({"cost": "0.00"}), "cost", "out_of_range"),
        (json!({"cost": "1.001"}), "cost", "invalid_amount"),
        (json!({"residualValue": "1200.01"}), "residualValue", "out_of_range"),
        (json!({"usefulLifeMonths": 0}), "usefulLifeMonths", "out_of_range"),
        (json!({"usefulLifeMonths": 1_201}), "usefulLifeMonths", "out_of_range"),
        (json!({"assetClass": "land", "usefulLifeMonths": 12}), "usefulLifeMonths", "not_allowed"),
        (json!({"assetClass": "land", "method": "straight_line"}), "method", "not_allowed"),
        (json!({"assetAccountCode": "217"}), "assetAccountCode", "account_not_postable"),
        (json!({"status": "active"}), "status", "read_only_field"),
        (json!({"acquisitionDate": "9999-12-31"}), "usefulLifeMonths", "out_of_range"),
    ] {
        let mut body = laptop("Laptop", false);
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = client.post(&at(&app, "/fixed-assets"), &body).await;
        assert_eq!((answer.status.as_u16(), answer.field()), (422, (field, code)), "{}", answer.text);
    }
    let unknown = client.post(&at(&app, "/fixed-assets"), &json!({"name": "x", "assetClass": "boat"})).await;
    assert!(unknown.status.is_client_error() && unknown.text.contains("assetClass"), "{}", unknown.text);
}

#[tokio::test]
async fn assets_are_found_by_status_class_text_and_date() {
    let (app, client) = with_books(Want::default()).await;
    let first = made(&app, &client, &laptop("Portátil de Ana", true)).await;
    let mut land =
        json!({"name": "Solar", "assetClass": "land", "acquisitionDate": "2024-06-30", "cost": "9.00"});
    land["code"] = json!("T-9");
    let land = made(&app, &client, &land).await;
    assert_eq!((&land.json["method"], &land.json["expenseAccountCode"]), (&json!("none"), &Value::Null));
    for (query, wanted) in [
        ("status=active", vec![first.id()]),
        ("status=disposed", vec![]),
        ("assetClass=land", vec![land.id()]),
        ("q=portatil", vec![first.id()]),
        ("q=t-9", vec![land.id()]),
        ("from=2025-01-01", vec![first.id()]),
        ("to=2024-12-31", vec![land.id()]),
        ("sort=acquisitionDate", vec![land.id(), first.id()]),
        ("sort=-name", vec![land.id(), first.id()]),
    ] {
        let found = client.get(&at(&app, &format!("/fixed-assets?{query}"))).await.ok(200);
        let ids: Vec<_> = found.json["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["id"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(ids, wanted, "{query}");
        assert_eq!(found.json["total"], wanted.len(), "{query}");
    }
    for (query, name) in [
        ("status=gone", "status"),
        ("assetClass=boat", "assetClass"),
        ("sort=cost", "sort"),
        ("from=x", "from"),
    ] {
        let refused = client.get(&at(&app, &format!("/fixed-assets?{query}"))).await;
        assert_eq!((refused.problem().0, refused.field().0), (400, name), "{}", refused.text);
    }
    let unread = app.client(Want { permissions: &["accounting:books.read"], ..Want::default() }).await;
    let refused = unread.send(Method::GET, &at(&app, "/fixed-assets"), &[], String::new()).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
}
