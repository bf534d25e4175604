//! Cases by the API.

use http::Method;
use serde_json::{Value, json};

use crate::test_app::{Client, TestApp, Want};

/// A client, and a contact of its company.
async fn with_contact(app: &TestApp) -> (Client, String) {
    let client = app.client(Want::default()).await;
    let body = json!({"kind": "organization", "legalName": "Luna SL"});
    let contact = client.post("/contacts", &body).await.ok(201).id();
    (client, contact)
}

fn case(contact: &str) -> Value {
    json!({"title": "VAT inspection 2025", "type": "tax", "contactId": contact})
}

#[tokio::test]
async fn a_created_case_is_answered_whole_with_its_place_number_and_version() {
    let app = TestApp::new().await;
    let (client, contact) = with_contact(&app).await;
    let body = json!({
        "title": "VAT inspection 2025", "type": "tax", "contactId": contact, "priority": "high",
        "openedOn": "2025-03-01", "dueOn": "2025-04-30", "estimatedFees": "1210.00", "tags": ["vip"],
        "externalId": "M-7", "metadata": {"region": "north"},
    });
    let made = client.post("/cases", &body).await.ok(201);
    assert_eq!(made.header("location"), format!("/api/v1/cases/{}", made.id()));
    assert_eq!(made.header("etag"), "\"1\"");
    for (member, value) in body.as_object().unwrap() {
        assert_eq!(&made.json[member], value, "{member}");
    }
    assert_eq!((&made.json["object"], &made.json["status"]), (&json!("case"), &json!("open")));
    assert_eq!((&made.json["number"], &made.json["currency"]), (&json!("2025-0001"), &json!("EUR")));
    assert_eq!((&made.json["outcome"], &made.json["closedOn"]), (&Value::Null, &Value::Null));
    let read = client.get(&format!("/cases/{}", made.id())).await.ok(200);
    assert_eq!(read.json, made.json);
    let events = app.events().await;
    let kinds: Vec<_> = events.iter().map(|event| event.kind.name()).collect();
    assert_eq!(kinds, ["contact.create", "case.create"]);
}

#[tokio::test]
async fn a_case_is_closed_with_an_outcome_and_reopened() {
    let app = TestApp::new().await;
    let (client, contact) = with_contact(&app).await;
    let path = format!("/cases/{}", client.post("/cases", &case(&contact)).await.ok(201).id());
    let early = client.send(Method::POST, &format!("{path}/reopen"), &[], String::new()).await;
    assert_eq!(early.problem(), (409, "case_not_closed"));
    let patched = client.patch(&path, &[], &json!({"status": "closed"})).await;
    assert_eq!((patched.problem().0, patched.field().0), (422, "status"));
    let missing = client.post(&format!("{path}/close"), &json!({})).await;
    assert_eq!((missing.problem().0, missing.field().0), (422, "outcome"));
    let closed =
        client.post(&format!("{path}/close"), &json!({"outcome": "won", "note": "Paid."})).await.ok(200);
    assert_eq!((&closed.json["status"], &closed.json["outcome"]), (&json!("closed"), &json!("won")));
    assert!(closed.json["closedOn"].is_string());
    assert_eq!(client.patch(&path, &[], &json!({"title": "x"})).await.problem(), (409, "case_closed"));
    client.post(&format!("{path}/notes"), &json!({"text": "Archived."})).await.ok(200);
    let reopened = client.send(Method::POST, &format!("{path}/reopen"), &[], String::new()).await.ok(200);
    assert_eq!((&reopened.json["status"], &reopened.json["outcome"]), (&json!("open"), &Value::Null));
    assert_eq!(reopened.header("etag"), "\"4\"");
    let timeline = client.get(&format!("{path}/timeline?limit=3")).await.ok(200);
    let kinds: Vec<_> =
        timeline.json["items"].as_array().unwrap().iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(kinds, ["created", "closed", "note"]);
    assert_eq!((&timeline.json["total"], &timeline.json["items"][1]["text"]), (&json!(4), &json!("Paid.")));
}

#[tokio::test]
async fn a_list_of_cases_is_narrowed_and_sorted() {
    let app = TestApp::new().await;
    let (client, contact) = with_contact(&app).await;
    for (title, opened, due) in [
        ("One", "2025-01-10", json!("2025-06-01")),
        ("Two", "2025-02-10", json!(null)),
        ("Three", "2024-02-10", json!("2025-05-01")),
    ] {
        let body =
            json!({"title": title, "type": "legal", "contactId": contact, "openedOn": opened, "dueOn": due});
        client.post("/cases", &body).await.ok(201);
    }
    let titles = async |query: &str| -> Vec<String> {
        let page = client.get(&format!("/cases{query}")).await.ok(200);
        let cases = page.json["items"].as_array().unwrap().clone();
        cases.iter().map(|case| case["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles("?sort=number").await, ["Three", "One", "Two"]);
    assert_eq!(titles("?sort=dueOn").await, ["Three", "One", "Two"], "no date comes last");
    assert_eq!(titles("?from=2025-01-01&to=2025-01-31").await, ["One"]);
    assert_eq!(titles("?q=2024-0001").await, ["Three"]);
    assert_eq!(titles(&format!("?status=open&type=legal&contactId={contact}&q=two")).await, ["Two"]);
    assert_eq!(titles("?status=closed").await, Vec::<String>::new());
    let unknown = client.get("/cases?status=done").await;
    assert_eq!((unknown.problem().0, unknown.text.contains("in_progress")), (400, true), "{}", unknown.text);
}

#[tokio::test]
async fn a_contact_with_cases_is_in_use_and_a_merge_takes_them_along() {
    let app = TestApp::new().await;
    let (client, contact) = with_contact(&app).await;
    let body = json!({"kind": "organization", "legalName": "Mar SL"});
    let survivor = client.post("/contacts", &body).await.ok(201).id();
    let path = format!("/cases/{}", client.post("/cases", &case(&contact)).await.ok(201).id());
    let refused = client.delete(&format!("/contacts/{contact}"), &[]).await;
    assert_eq!(refused.problem().0, 409);
    let merge = json!({"mergedId": contact});
    client.post(&format!("/contacts/{survivor}/merge"), &merge).await.ok(200);
    assert_eq!(client.get(&path).await.ok(200).json["contactId"], json!(survivor));
}

#[tokio::test]
async fn another_companys_case_and_contact_are_unknown() {
    let app = TestApp::new().await;
    let both = app.client(Want { companies: &[app.other], ..Want::default() }).await;
    let body = json!({"kind": "organization", "legalName": "Luna SL", "companyId": app.other.to_string()});
    let contact = both.post("/contacts", &body).await.ok(201).id();
    let mut body = case(&contact);
    let mixed = both.post("/cases", &body).await;
    assert_eq!((mixed.problem().0, mixed.field().0), (422, "contactId"), "each in a company of its own");
    body["companyId"] = json!(app.other.to_string());
    let path = format!("/cases/{}", both.post("/cases", &body).await.ok(201).id());
    let ours = app.client(Want::default()).await;
    for refused in [
        ours.get(&path).await,
        ours.get(&format!("{path}/timeline")).await,
        ours.patch(&path, &[], &json!({"title": "x"})).await,
        ours.post(&format!("{path}/close"), &json!({"outcome": "won"})).await,
        ours.post(&format!("{path}/notes"), &json!({"text": "x"})).await,
    ] {
        assert_eq!(refused.problem(), (404, "not_found"));
    }
}

#[tokio::test]
async fn a_case_is_linked_with_records_of_its_company() {
    let app = TestApp::new().await;
    let (client, contact) = with_contact(&app).await;
    let notice = json!({
        "source": "manual", "kind": "communication", "issuer": "Ayuntamiento", "subject": "Tasa", "reference": "N-1",
        "availableAt": "2025-02-28T09:00:00Z",
    });
    let notice = client.post("/tax/notices", &notice).await.ok(201).id();
    let links = json!([{"type": "notice", "id": notice}]);
    let mut body = case(&contact);
    body["links"] = links.clone();
    let made = client.post("/cases", &body).await.ok(201);
    assert_eq!(made.json["links"], links);
    let path = format!("/cases/{}", made.id());
    let refused =
        |field: &'static str, code: &'static str, links: Value| (field, code, json!({"links": links}));
    let invoice = json!({"type": "invoice", "id": "inv_00000000000000000000000009"});
    let of_no_kind = json!({"type": "file", "id": notice});
    for (field, code, patch) in [
        refused("links[1].id", "unknown_reference", json!([links[0], invoice])),
        refused("links[0].id", "invalid_id", json!([of_no_kind])),
        refused("links[1].id", "duplicate", json!([links[0], links[0]])),
        refused("links", "too_many", json!(vec![links[0].clone(); 51])),
    ] {
        assert_eq!(client.patch(&path, &[], &patch).await.field(), (field, code), "{patch}");
    }
    assert_eq!(client.get(&path).await.ok(200).json["links"], links);
    let without = client.patch(&path, &[], &json!({"links": []})).await.ok(200);
    assert_eq!(without.json["links"], json!([]));
}
