//! Books, ledgers, fiscal years and journals by the API.

use http::Method;
use serde_json::{Value, json};
use svc_business::founding;
use svc_core::audit::Actor;
use svc_core::pii::PiiAccess;
use svc_core::unit::CallContext;
use svc_testkit::business::sample;
use svc_testkit::fakes::SeededRandom;

use crate::test_app::{Answer, Client, TestApp, Want};

/// An API, and a client of a company with books. Today is 2025-03-01.
pub(crate) async fn with_books(want: Want<'_>) -> (TestApp, Client) {
    let app = TestApp::new().await;
    let (scope, business) = (sample::everything(), app.database.business());
    let company = business.accounts().find(&scope, app.ours).await.unwrap().unwrap();
    let (actor, random) = (Actor::service("test"), SeededRandom::new(3));
    let now = sample::at(0);
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &random };
    let unit = business.begin().await.unwrap();
    founding::begin(unit.as_ref(), call, &company).await.unwrap();
    unit.commit().await.unwrap();
    let client = app.client(want).await;
    (app, client)
}

pub(crate) fn at(app: &TestApp, path: &str) -> String {
    format!("/books/{}{path}", app.ours)
}

fn rent(date: &str, amount: &str, post: bool) -> Value {
    json!({"date": date, "description": "Alquiler", "post": post, "lines": [
        {"accountCode": "6210000", "debit": amount}, {"accountCode": "5720000", "credit": amount},
    ]})
}

pub(crate) async fn act(client: &Client, path: &str) -> Answer {
    client.send(Method::POST, path, &[], String::new()).await
}

async fn balance(app: &TestApp, client: &Client, code: &str) -> String {
    let path = at(app, &format!("/accounts?prefix={code}&limit=1"));
    client.get(&path).await.ok(200).json["items"][0]["balance"].as_str().unwrap().to_owned()
}

pub(crate) async fn kinds(app: &TestApp) -> Vec<String> {
    app.events().await.iter().map(|event| event.kind.name().to_owned()).collect()
}

#[tokio::test]
async fn books_begin_with_a_chart_and_a_year() {
    let (app, client) = with_books(Want::default()).await;
    let books = client.get(&at(&app, "")).await.ok(200);
    assert_eq!((&books.json["chart"], &books.json["baseCurrency"]), (&json!("es_pgc_pymes"), &json!("EUR")));
    assert_eq!(books.json["defaultAccounts"]["receivable"], "4300000");
    assert_eq!(client.get("/books").await.ok(200).json["total"], 1);
    let accounts = client.get(&at(&app, "/accounts")).await.ok(200);
    let total = accounts.json["total"].as_u64().unwrap();
    assert!(total > 700 && accounts.json["hasMore"] == true && accounts.json["limit"] == 200, "{total}");
    let found = client.get(&at(&app, "/accounts?q=arrendamientos&postable=true")).await.ok(200);
    assert!(found.text.contains("6210000"), "{}", found.text);
    let years = client.get(&at(&app, "/fiscal-years")).await.ok(200);
    assert_eq!(years.json["items"][0]["startDate"], "2025-01-01");
    assert_eq!(client.get(&format!("/books/{}", app.other)).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn an_entry_is_a_draft_until_it_is_posted_with_a_number() {
    let (app, client) = with_books(Want::default()).await;
    let mut body = rent("2025-01-31", "800.00", false);
    body["lines"][1]["credit"] = json!("799.00");
    let draft = client.post(&at(&app, "/journal-entries"), &body).await.ok(201);
    assert_eq!((&draft.json["status"], &draft.json["number"]), (&json!("draft"), &Value::Null));
    assert_eq!((&draft.json["isBalanced"], &draft.json["difference"]), (&json!(false), &json!("1.00")));
    assert_eq!(balance(&app, &client, "621").await, "0.00");
    let path = at(&app, &format!("/journal-entries/{}", draft.id()));
    let refused = act(&client, &format!("{path}/post")).await;
    assert_eq!((refused.problem(), refused.field().0), ((422, "entry_unbalanced"), "lines"));
    let mut lines = draft.json["lines"].clone();
    for line in lines.as_array_mut().unwrap() {
        for member in ["position", "accountName"] {
            line.as_object_mut().unwrap().remove(member);
        }
    }
    lines[1]["credit"] = json!("800.00");
    let patched = client.patch(&path, &[], &json!({ "lines": lines })).await.ok(200);
    assert_eq!(patched.json["lines"][0]["id"], draft.json["lines"][0]["id"]);
    let posted = act(&client, &format!("{path}/post")).await.ok(200);
    assert_eq!((&posted.json["number"], &posted.json["status"]), (&json!(1), &json!("posted")));
    assert_eq!(posted.json["hash"].as_str().unwrap().len(), 64);
    assert_eq!(balance(&app, &client, "621").await, "800.00");
    let frozen = client.patch(&path, &[], &json!({"lines": []})).await;
    assert_eq!(frozen.problem(), (409, "entry_posted"));
    let noted = client.patch(&path, &[], &json!({"description": "Alquiler de enero"})).await.ok(200);
    assert_eq!(noted.json["hash"], posted.json["hash"]);
    assert_eq!(client.delete(&path, &[]).await.problem(), (409, "entry_posted"));
    let wanted = ["create", "update", "post", "update"].map(|verb| format!("journal_entry.{verb}"));
    assert_eq!(kinds(&app).await, wanted);
}

#[tokio::test]
async fn a_posted_entry_is_undone_by_another_one() {
    let (app, client) = with_books(Want::default()).await;
    let posted =
        client.post(&at(&app, "/journal-entries"), &rent("2025-01-31", "800.00", true)).await.ok(201);
    let path = at(&app, &format!("/journal-entries/{}/reverse", posted.id()));
    let reversal = client.post(&path, &json!({"date": "2025-02-01"})).await.ok(201);
    assert_eq!(reversal.json["reversesId"], posted.json["id"]);
    assert_eq!((&reversal.json["kind"], &reversal.json["number"]), (&json!("reversal"), &json!(2)));
    assert_eq!(reversal.json["previousHash"], posted.json["hash"]);
    let again = client.post(&path, &json!({})).await;
    assert_eq!(again.problem(), (409, "entry_reversed"));
    let original = client.get(&at(&app, &format!("/journal-entries/{}", posted.id()))).await.ok(200);
    assert_eq!(original.json["reversedById"], reversal.json["id"]);
    assert_eq!(balance(&app, &client, "621").await, "0.00");
    let lines = client.get(&at(&app, "/journal-lines?accountCode=6210000")).await.ok(200);
    let status = |at: usize| lines.json["items"][at]["entryStatus"].clone();
    assert_eq!(
        (lines.json["total"].as_u64(), status(0), status(1)),
        (Some(2), json!("reversed"), json!("posted"))
    );
    assert_eq!(client.get(&at(&app, "/journal-lines?entryStatus=posted")).await.ok(200).json["total"], 2);
    let events = app.events().await;
    let told: Value = serde_json::from_slice(&events[2].body()).unwrap();
    assert_eq!(told["data"]["reverses_id"], posted.json["id"]);
    let wanted = ["create", "post", "create", "post", "update"].map(|verb| format!("journal_entry.{verb}"));
    assert_eq!(kinds(&app).await, wanted);
}

#[tokio::test]
async fn each_rule_of_an_entry_names_its_member() {
    let (app, client) = with_books(Want::default()).await;
    let line = |more: Value| {
        let mut line = json!({"accountCode": "6210000", "debit": "1.00"});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "lines": [line] })
    };
    let tag = json!({"kind": "vat_output", "taxCode": "es_vat_21", "base": "1.00", "quota": "x"});
    let undated = json!({"kind": "vat_input", "taxCode": "es_in_21", "base": "1.00", "quota": "0.21", "rectifies": "then"});
    let many: Vec<Value> = vec![json!({"accountCode": "6210000", "debit": "1.00"}); 1_001];
    for (more, field, code) in [
        (json!({"date": null}), "date", "required"),
        (json!({"date": "2025-02-30"}), "date", "invalid_date"),
        (json!({"description": " "}), "description", "required"),
        (json!({"currency": "EURO"}), "currency", "invalid_currency"),
        (json!({"currency": "USD"}), "fxRate", "required"),
        (json!({"fxRate": "2"}), "fxRate", "out_of_range"),
        (json!({"currency": "USD", "fxRate": "0"}), "fxRate", "invalid_rate"),
        (line(json!({"accountCode": "6219999"})), "lines[0].accountCode", "unknown_reference"),
        (line(json!({"accountCode": "62"})), "lines[0].accountCode", "account_not_postable"),
        (line(json!({"accountCode": "4300000"})), "lines[0].contactId", "required"),
        (line(json!({"debit": "-1.00"})), "lines[0].debit", "out_of_range"),
        (line(json!({"debit": "1.001"})), "lines[0].debit", "invalid_amount"),
        (line(json!({"credit": "1.00"})), "lines[0].credit", "not_allowed"),
        (line(json!({"debit": "0.00"})), "lines[0].debit", "required"),
        (line(json!({"dueDate": "soon"})), "lines[0].dueDate", "invalid_date"),
        (line(json!({"id": format!("jln_{}", "0".repeat(26))})), "lines[0].id", "unknown_reference"),
        (
            line(json!({"contactId": format!("con_{}", "0".repeat(26))})),
            "lines[0].contactId",
            "unknown_reference",
        ),
        (json!({ "lines": many }), "lines", "too_many"),
        (json!({ "taxTags": [tag] }), "taxTags[0].quota", "invalid_amount"),
        (json!({ "taxTags": [undated] }), "taxTags[0].rectifies", "invalid_date"),
        (json!({"number": 7}), "number", "read_only_field"),
    ] {
        let mut body = json!({"date": "2025-01-31", "description": "x"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = client.post(&at(&app, "/journal-entries"), &body).await;
        assert_eq!((answer.status.as_u16(), answer.field()), (422, (field, code)), "{}", answer.text);
    }
    let mut vat = rent("2025-01-31", "121.00", true);
    vat["lines"] = json!([
        {"accountCode": "6210000", "debit": "100.00"}, {"accountCode": "4720000", "debit": "21.00"},
        {"accountCode": "5720000", "credit": "121.00"},
    ]);
    let untagged = client.post(&at(&app, "/journal-entries"), &vat).await;
    assert_eq!(untagged.problem(), (422, "tax_tags_mismatch"), "{}", untagged.text);
    vat["taxTags"] = json!([{"kind": "vat_input", "taxCode": "es_in_21", "base": "100.00", "quota": "21.00",
            "supply": "investment", "rectifies": "2024-12-31"}]);
    let kept = client.post(&at(&app, "/journal-entries"), &vat).await.ok(201).json["taxTags"][0].clone();
    assert_eq!(
        (&kept["supply"], &kept["rectifies"], &kept["exemptionCode"]),
        (&json!("investment"), &json!("2024-12-31"), &Value::Null)
    );
    let bulk = json!({"entries": [rent("2025-01-31", "1.00", true), rent("2025-02-30", "1.00", false)]});
    let refused = client.post(&at(&app, "/journal-entries/bulk"), &bulk).await;
    assert_eq!(refused.field(), ("entries[1].date", "invalid_date"), "{}", refused.text);
    assert_eq!(client.get(&at(&app, "/journal-entries")).await.ok(200).json["total"], 1);
}

#[tokio::test]
async fn locked_periods_and_missing_years_refuse_what_would_change_them() {
    let (app, client) = with_books(Want::default()).await;
    let entries = at(&app, "/journal-entries");
    let posted = client.post(&entries, &rent("2025-02-15", "5.00", true)).await.ok(201);
    client.patch(&at(&app, ""), &[], &json!({"lockDate": "2025-01-31"})).await.ok(200);
    assert_eq!(
        client.post(&entries, &rent("2025-01-31", "1.00", true)).await.problem(),
        (409, "period_locked")
    );
    client.post(&entries, &rent("2025-02-01", "1.00", true)).await.ok(201);
    assert_eq!(
        client.post(&entries, &rent("2026-01-01", "1.00", true)).await.problem(),
        (409, "no_fiscal_year")
    );
    client.patch(&at(&app, ""), &[], &json!({"hardLockDate": "2025-02-28"})).await.ok(200);
    let reverse = at(&app, &format!("/journal-entries/{}/reverse", posted.id()));
    let early = client.post(&reverse, &json!({"date": "2025-02-20"})).await;
    assert_eq!(early.problem(), (409, "period_locked"));
    let back = client.patch(&at(&app, ""), &[], &json!({"hardLockDate": "2025-02-27"})).await;
    assert_eq!((back.problem().0, back.field()), (422, ("hardLockDate", "hard_lock_date")));
    let chart = client.patch(&at(&app, ""), &[], &json!({"accountCodeLength": 8})).await;
    assert_eq!(chart.problem(), (409, "books_in_use"));
    let currency =
        client.patch(&format!("/accounts/{}", app.ours), &[], &json!({"baseCurrency": "USD"})).await;
    assert_eq!(currency.problem(), (409, "base_currency_frozen"));
}

#[tokio::test]
async fn a_year_is_closed_into_the_next_one_and_opened_again() {
    let (app, client) = with_books(Want::default()).await;
    let sale = json!({"date": "2025-02-01", "description": "Ventas", "post": true, "lines": [
        {"accountCode": "5720000", "debit": "1000.00"}, {"accountCode": "7000000", "credit": "1000.00"},
    ]});
    client.post(&at(&app, "/journal-entries"), &sale).await.ok(201);
    client.post(&at(&app, "/journal-entries"), &rent("2025-02-28", "300.00", true)).await.ok(201);
    let draft = client.post(&at(&app, "/journal-entries"), &rent("2025-02-28", "1.00", false)).await.ok(201);
    let years = client.get(&at(&app, "/fiscal-years")).await.ok(200);
    let year = years.json["items"][0]["id"].as_str().unwrap().to_owned();
    let close = at(&app, &format!("/fiscal-years/{year}/close"));
    assert_eq!(client.post(&close, &json!({})).await.problem(), (409, "draft_entries"));
    client.delete(&at(&app, &format!("/journal-entries/{}", draft.id())), &[]).await.ok(204);
    assert_eq!(client.post(&close, &json!({"createNext": false})).await.problem(), (409, "no_fiscal_year"));
    let closed = client.post(&close, &json!({})).await.ok(200);
    assert_eq!(
        (&closed.json["status"], closed.json["closingEntryIds"].as_array().unwrap().len()),
        (&json!("closed"), 3)
    );
    // The closed year still shows its result, unless it is asked not to.
    let report = at(&app, "/reports/trial-balance?from=2025-01-01&to=2025-12-31&nonZero=true");
    let shown = client.get(&report).await.ok(200);
    let row = |answer: &Answer, code: &str| {
        let rows = answer.json["rows"].as_array().unwrap();
        rows.iter()
            .find(|row| row["code"] == code)
            .map(|row| row["closingBalance"].as_str().unwrap().to_owned())
    };
    assert_eq!(
        (row(&shown, "7000000"), row(&shown, "6210000")),
        (Some("-1000.00".into()), Some("300.00".into()))
    );
    assert_eq!(shown.json["totals"]["debit"], shown.json["totals"]["credit"]);
    let bare = client.get(&format!("{report}&excludeClosing=false")).await.ok(200);
    assert_eq!((row(&bare, "7000000"), row(&bare, "5720000")), (Some("0.00".into()), Some("0.00".into())));
    let sheet = at(&app, "/reports/balance-sheet?asOf=2025-12-31&comparative=2025-02-01");
    let sheet = client.get(&sheet).await.ok(200);
    for total in ["totalAssets", "totalEquityAndLiabilities"] {
        assert_eq!(sheet.json[total], "700.00");
    }
    assert_eq!(sheet.json["sections"][0]["comparative"], "1000.00");
    let won = at(&app, "/reports/profit-and-loss?from=2025-01-01&to=2025-12-31&lang=en");
    let won = client.get(&won).await.ok(200);
    assert_eq!((&won.json["result"], &won.json["operatingResult"]), (&json!("700.00"), &json!("700.00")));
    // So do days that cross its end.
    let over = at(&app, "/reports/profit-and-loss?from=2025-01-01&to=2026-12-31&comparative=previousYear");
    let over = client.get(&over).await.ok(200);
    assert_eq!(
        (&over.json["result"], &over.json["comparative"]["result"]),
        (&json!("700.00"), &json!("700.00"))
    );
    let table = client.send(Method::GET, &report, &[("accept", "text/csv")], String::new()).await.ok(200);
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    let header = "code,name,openingBalance,debit,credit,closingBalance\r\n";
    assert!(table.text.starts_with(header), "{}", table.text);
    let next = client
        .get(&at(&app, "/reports/trial-balance?from=2026-01-01&to=2026-12-31&nonZero=true"))
        .await
        .ok(200);
    assert_eq!(
        (row(&next, "1290000"), row(&next, "5720000")),
        (Some("-700.00".into()), Some("700.00".into()))
    );
    let refused = client.post(&at(&app, "/journal-entries"), &rent("2025-02-28", "1.00", true)).await;
    assert_eq!(refused.problem(), (409, "fiscal_year_closed"));
    let verified = client.get(&at(&app, "/verification")).await.ok(200);
    assert_eq!((&verified.json["holds"], &verified.json["years"][0]["entries"]), (&json!(true), &json!(4)));
    // Opening the year again undoes what closed it, and nothing else does.
    for entry in closed.json["closingEntryIds"].as_array().unwrap() {
        let path = at(&app, &format!("/journal-entries/{}/reverse", entry.as_str().unwrap()));
        let refused = client.post(&path, &json!({"date": "2026-01-01"})).await;
        assert_eq!(refused.problem(), (409, "entry_not_manual"));
    }
    let reopened = act(&client, &at(&app, &format!("/fiscal-years/{year}/reopen"))).await.ok(200);
    assert_eq!((&reopened.json["status"], &reopened.json["closingEntryIds"]), (&json!("open"), &json!([])));
    let again = client.get(&format!("{report}&excludeClosing=false")).await.ok(200);
    assert_eq!(row(&again, "7000000"), Some("-1000.00".into()));
    client.post(&at(&app, "/journal-entries"), &rent("2025-02-28", "1.00", true)).await.ok(201);
    assert_eq!(client.get(&at(&app, "/verification")).await.ok(200).json["holds"], true);
}

#[tokio::test]
async fn accounts_are_added_renamed_archived_and_kept_while_they_are_used() {
    let (app, client) = with_books(Want::default()).await;
    let accounts = at(&app, "/accounts");
    let made = client.post(&accounts, &json!({"code": "6210001", "name": "Oficina"})).await.ok(201);
    assert_eq!((&made.json["type"], &made.json["postable"]), (&json!("expense"), &json!(true)));
    let taken = client.post(&accounts, &json!({"code": "6210001", "name": "Otra"})).await;
    assert_eq!((taken.problem(), taken.field().0), ((409, "account_code_taken"), "code"));
    for (body, field, code) in [
        (json!({"code": "62100011", "name": "x"}), "code", "too_long"),
        (json!({"code": "0621", "name": "x"}), "code", "invalid_value"),
        (json!({"code": "6210002"}), "name", "required"),
        (json!({"code": "6210002", "name": "x", "type": "asset"}), "type", "not_allowed"),
    ] {
        let answer = client.post(&accounts, &body).await;
        assert_eq!((answer.status.as_u16(), answer.field().0), (422, field), "{code}: {}", answer.text);
    }
    let mut entry = rent("2025-01-31", "1.00", false);
    entry["lines"][0]["accountCode"] = json!("6210001");
    let draft = client.post(&at(&app, "/journal-entries"), &entry).await.ok(201);
    let path = format!("{accounts}/{}", made.id());
    assert_eq!(client.delete(&path, &[]).await.problem(), (409, "account_in_use"));
    let moved = client.patch(&path, &[], &json!({"code": "6210009"})).await;
    assert_eq!(moved.problem(), (409, "account_in_use"));
    client.patch(&path, &[], &json!({"status": "archived"})).await.ok(200);
    let refused = act(&client, &at(&app, &format!("/journal-entries/{}/post", draft.id()))).await;
    assert_eq!(refused.field(), ("lines[0].accountCode", "account_archived"), "{}", refused.text);
    client.delete(&at(&app, &format!("/journal-entries/{}", draft.id())), &[]).await.ok(204);
    client.delete(&path, &[]).await.ok(204);
    let bank = client.get(&format!("{accounts}?prefix=5720000")).await.ok(200);
    let bank = format!("{accounts}/{}", bank.json["items"][0]["id"].as_str().unwrap());
    assert_eq!(client.delete(&bank, &[]).await.problem(), (409, "account_in_use"));
}

#[tokio::test]
async fn posting_takes_a_permission_of_its_own() {
    let permissions = ["accounting:journal.create", "accounting:journal.read"];
    let (app, client) = with_books(Want { permissions: &permissions, ..Want::default() }).await;
    let entries = at(&app, "/journal-entries");
    let refused = client.post(&entries, &rent("2025-01-31", "1.00", true)).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["required_permission"], "accounting:journal.post");
    let bulk = json!({"entries": [rent("2025-01-31", "1.00", true)]});
    assert_eq!(client.post(&format!("{entries}/bulk"), &bulk).await.problem(), (403, "missing_permission"));
    client.post(&entries, &rent("2025-01-31", "1.00", false)).await.ok(201);
}

#[tokio::test]
async fn what_a_month_adds_up_to_is_what_its_lines_do() {
    let (app, client) = with_books(Want::default()).await;
    let entries: Vec<Value> =
        [("2025-01-10", "1.00"), ("2025-01-31", "2.00"), ("2025-02-01", "4.00"), ("2025-02-15", "8.00")]
            .map(|(date, amount)| rent(date, amount, true))
            .into();
    let written =
        client.post(&at(&app, "/journal-entries/bulk"), &json!({ "entries": entries })).await.ok(200);
    let numbers: Vec<_> =
        written.json["items"].as_array().unwrap().iter().map(|item| item["number"].clone()).collect();
    assert_eq!(numbers, [1, 2, 3, 4].map(|number| json!(number)));
    for (day, held) in [
        ("2025-01-09", "0.00"),
        ("2025-01-10", "1.00"),
        ("2025-01-30", "1.00"),
        ("2025-01-31", "3.00"),
        ("2025-02-01", "7.00"),
        ("2025-02-28", "15.00"),
    ] {
        let path = at(&app, &format!("/accounts?prefix=621&asOf={day}"));
        let shown = client.get(&path).await.ok(200);
        for item in shown.json["items"].as_array().unwrap() {
            assert_eq!(item["balance"], held, "{day}: {}", item["code"]);
        }
    }
    let held = client.get(&at(&app, "/accounts?nonZero=true&postable=true&asOf=2025-02-28")).await.ok(200);
    let codes: Vec<_> =
        held.json["items"].as_array().unwrap().iter().map(|item| item["code"].clone()).collect();
    assert_eq!(codes, ["5720000", "6210000"].map(|code| json!(code)));
}
