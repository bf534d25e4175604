//! Contacts by the API.

use serde_json::{Value, json};

use crate::billing::office::Office;
use crate::test_app::{TestApp, Want};

fn company() -> Value {
    json!({
        "kind": "organization", "legalName": "Ferretería Sol SL", "taxId": "B12345674", "roles": ["customer"],
        "email": "admin@sol.example", "phone": "+34600123456", "iban": "ES9121000418450200051332",
        "address": {"line1": "Calle Mayor 1", "city": "Madrid"}, "metadata": {"erp": "42"},
    })
}

#[tokio::test]
async fn a_created_contact_is_answered_whole_with_its_place_and_version() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let made = client.post("/contacts", &company()).await.ok(201);
    assert_eq!(made.header("location"), format!("/api/v1/contacts/{}", made.id()));
    assert_eq!(made.header("etag"), "\"1\"");
    assert_eq!(made.header("x-personal-data"), "full");
    assert_eq!(made.json["companyId"], app.ours.to_string());
    assert_eq!(made.json["object"], "contact");
    assert_eq!(made.json["taxId"], "B12345674");
    assert_eq!(made.json["taxIdValid"], true);
    assert_eq!(made.json["metadata"], json!({"erp": "42"}));
    let read = client.get(&format!("/contacts/{}", made.id())).await.ok(200);
    assert_eq!(read.json, made.json);
    let events = app.events().await;
    let kinds: Vec<_> = events.iter().map(|event| event.kind.name()).collect();
    assert_eq!(kinds, ["contact.create"]);
}

#[tokio::test]
async fn a_token_without_the_option_sees_personal_data_masked() {
    let app = TestApp::new().await;
    let full = app.client(Want::default()).await;
    let id = full.post("/contacts", &company()).await.ok(201).id();
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    let read = masked.get(&format!("/contacts/{id}")).await.ok(200);
    assert_eq!(read.header("x-personal-data"), "masked");
    assert_eq!(read.json["taxId"], "B******74");
    assert_eq!(read.json["iban"], "ES91****************1332");
    assert_eq!(read.json["phone"], "*********456");
    assert_eq!((&read.json["address"], &read.json["dateOfBirth"]), (&Value::Null, &Value::Null));
    assert_eq!(read.json["email"], "admin@sol.example");
    let list = masked.get("/contacts").await.ok(200);
    assert_eq!(list.json["contacts"][0], read.json);
    for secret in ["12345674", "0418450200", "600123", "Mayor"] {
        assert!(!read.text.contains(secret) && !list.text.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn a_masked_token_cannot_find_out_values_by_filtering_or_write_masks_back() {
    let app = TestApp::new().await;
    let full = app.client(Want::default()).await;
    let id = full.post("/contacts", &company()).await.ok(201).id();
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    assert_eq!(masked.get("/contacts?taxId=B12345674").await.problem(), (400, "personal_data_required"));
    let found = full.get("/contacts?taxId=b-12345674").await.ok(200);
    assert_eq!(found.json["total"], 1);
    let refused = masked.patch(&format!("/contacts/{id}"), &[], &json!({"taxId": "B******74"})).await;
    assert_eq!(refused.problem(), (422, "masked_value_rejected"));
    assert_eq!(refused.field().0, "taxId");
}

#[tokio::test]
async fn a_list_has_the_envelope_of_the_specification() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    for number in 0..5 {
        let body = json!({"kind": "organization", "legalName": format!("Company {number}")});
        client.post("/contacts", &body).await.ok(201);
    }
    let page = client.get("/contacts?page=2&limit=2&sort=-name").await.ok(200);
    let members: Vec<_> = page.json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["contacts", "limit", "page", "pages", "total"]);
    assert_eq!((&page.json["total"], &page.json["pages"]), (&json!(5), &json!(3)));
    let names: Vec<_> = page.json["contacts"].as_array().unwrap().iter().map(|each| &each["name"]).collect();
    assert_eq!(names, ["Company 2", "Company 1"]);
    assert_eq!(client.get("/contacts?limit=201").await.json["limit"], 200);
    assert_eq!(client.get("/contacts").await.json["limit"], 50);
    assert_eq!(client.get("/contacts?q=pany%203").await.json["total"], 1);
}

#[tokio::test]
async fn a_version_that_moved_on_stops_a_change() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let path = format!("/contacts/{}", client.post("/contacts", &company()).await.ok(201).id());
    let changed = client.patch(&path, &[("if-match", "\"1\"")], &json!({"notes": "a"})).await.ok(200);
    assert_eq!((changed.header("etag"), &changed.json["version"]), ("\"2\"", &json!(2)));
    let late = client.patch(&path, &[("if-match", "\"1\"")], &json!({"notes": "b"})).await;
    assert_eq!(late.problem(), (412, "version_conflict"));
    assert_eq!(client.patch(&path, &[("if-match", "W/\"2\"")], &json!({})).await.problem().0, 412);
    client.patch(&path, &[("if-match", "\"9\", \"2\"")], &json!({"notes": "b"})).await.ok(200);
    client.patch(&path, &[("if-match", "*")], &json!({"notes": "c"})).await.ok(200);
    let same = client.patch(&path, &[], &json!({"notes": "c"})).await.ok(200);
    assert_eq!(same.header("etag"), "\"4\"", "a patch that changes nothing keeps the version");
    assert_eq!(client.delete(&path, &[("if-match", "\"1\"")]).await.problem().0, 412);
    client.delete(&path, &[("if-match", "\"4\"")]).await.ok(204);
    assert_eq!(client.get(&path).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn an_unknown_id_and_a_wrong_version_are_told_before_the_body_is_judged() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let path = format!("/contacts/{}", client.post("/contacts", &company()).await.ok(201).id());
    let bad = json!({"colour": "red"});
    assert_eq!(client.patch("/contacts/con_00000000000000000000000009", &[], &bad).await.problem().0, 404);
    assert_eq!(client.patch(&path, &[("if-match", "\"7\"")], &bad).await.problem().0, 412);
    assert_eq!(client.patch(&path, &[], &bad).await.problem().0, 422);
}

#[tokio::test]
async fn what_the_client_has_already_is_not_sent_again() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let path = format!("/contacts/{}", client.post("/contacts", &company()).await.ok(201).id());
    let get = |tag: &'static str| {
        let (client, path) = (client.clone(), path.clone());
        async move { client.send(http::Method::GET, &path, &[("if-none-match", tag)], String::new()).await }
    };
    let known = get("W/\"1\"").await.ok(304);
    assert_eq!((known.text.as_str(), known.header("etag")), ("", "\"1\""));
    get("\"2\"").await.ok(200);
}

#[tokio::test]
async fn another_companys_contact_is_unknown() {
    let app = TestApp::new().await;
    let both = app.client(Want { companies: &[app.other], ..Want::default() }).await;
    let body = json!({"kind": "organization", "legalName": "Luna SL", "companyId": app.other.to_string()});
    let made = both.post("/contacts", &body).await.ok(201);
    assert_eq!(made.json["companyId"], app.other.to_string());
    let ours = app.client(Want::default()).await;
    let path = format!("/contacts/{}", made.id());
    assert_eq!(ours.get(&path).await.problem(), (404, "not_found"));
    assert_eq!(ours.patch(&path, &[], &json!({"notes": "x"})).await.problem(), (404, "not_found"));
    assert_eq!(ours.delete(&path, &[]).await.problem(), (404, "not_found"));
    let refused = ours.post("/contacts", &body).await;
    assert_eq!((refused.problem(), refused.field().0), ((422, "unknown_reference"), "companyId"));
    assert_eq!(ours.get(&format!("/contacts?companyId={}", app.other)).await.problem(), (404, "not_found"));
    assert_eq!(both.get("/contacts").await.json["total"], 0, "the primary account alone");
    assert_eq!(both.get("/contacts?companyId=all").await.json["total"], 1);
    let list = format!("/contacts?companyId={},{}", app.ours, app.other);
    assert_eq!(both.get(&list).await.json["total"], 1);
}

#[tokio::test]
async fn conflicts_say_what_is_in_the_way() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let first = client.post("/contacts", &company()).await.ok(201).id();
    let second = client.post("/contacts", &company()).await;
    assert_eq!(second.problem(), (409, "duplicate_tax_id"));
    assert_eq!(second.json["existingId"], first);
    let named = json!({"kind": "organization", "legalName": "A", "externalId": "x"});
    client.post("/contacts", &named).await.ok(201);
    assert_eq!(client.post("/contacts", &named).await.problem(), (409, "external_id_taken"));
}

#[tokio::test]
async fn contacts_merge_and_the_absorbed_one_stays_as_a_tombstone() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let survivor = client.post("/contacts", &company()).await.ok(201).id();
    let body =
        json!({"kind": "organization", "legalName": "Sol", "tags": ["old"], "email": "admin@sol.example"});
    let absorbed = client.post("/contacts", &body).await.ok(201).id();
    let possible_duplicates = client.get(&format!("/contacts/{survivor}/duplicates")).await.ok(200);
    assert_eq!(possible_duplicates.json["items"][0]["contact"]["id"], absorbed);
    assert_eq!(possible_duplicates.json["items"][0]["reasons"], json!(["email"]));
    let path = format!("/contacts/{survivor}/merge");
    let refused = client.post(&path, &json!({"mergedId": survivor})).await;
    assert_eq!((refused.problem().0, refused.field().0), (422, "mergedId"));
    let refused = client.post(&path, &json!({"mergedId": "con_00000000000000000000000009"})).await;
    assert_eq!((refused.problem(), refused.field().0), ((422, "unknown_reference"), "mergedId"));
    let merged =
        client.post(&path, &json!({"mergedId": absorbed, "prefer": {"legalName": "merged"}})).await.ok(200);
    assert_eq!((&merged.json["legalName"], &merged.json["tags"]), (&json!("Sol"), &json!(["old"])));
    let tombstone = client.get(&format!("/contacts/{absorbed}")).await.ok(200);
    assert_eq!(
        (&tombstone.json["status"], &tombstone.json["mergedIntoId"]),
        (&json!("merged"), &json!(survivor))
    );
    let refused = client.patch(&format!("/contacts/{absorbed}"), &[], &json!({"notes": "x"})).await;
    assert_eq!(refused.problem(), (409, "record_merged"));
    assert_eq!(refused.json["currentState"], "merged");
}

#[tokio::test]
async fn every_item_of_a_bulk_request_stands_alone() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let id = client.post("/contacts", &company()).await.ok(201).id();
    let items = json!({"items": [
        {"kind": "organization", "legalName": "New SL"},
        {"id": id, "notes": "changed"},
        {"kind": "robot"},
        {"id": "con_00000000000000000000000009", "notes": "x"},
        5,
    ]});
    let done = client.post("/contacts/bulk", &items).await.ok(200);
    let statuses: Vec<_> =
        done.json["items"].as_array().unwrap().iter().map(|item| &item["status"]).collect();
    assert_eq!(statuses, [201, 200, 422, 404, 422]);
    assert_eq!((&done.json["succeeded"], &done.json["failed"]), (&json!(2), &json!(3)));
    assert_eq!(done.json["items"][2]["error"]["errors"][0]["field"], "kind");
    assert_eq!(client.get(&format!("/contacts/{id}")).await.json["notes"], "changed");
    for body in [json!({"items": []}), json!({"items": vec![json!({}); 101]})] {
        let refused = client.post("/contacts/bulk", &body).await;
        assert_eq!(
            (refused.problem(), refused.field()),
            ((422, "validation_failed"), ("items", "out_of_range"))
        );
    }
    let creator = app.client(Want { permissions: &["contacts:contacts.create"], ..Want::default() }).await;
    let done = creator.post("/contacts/bulk", &json!({"items": [{"id": id, "notes": "x"}]})).await.ok(200);
    assert_eq!(done.json["items"][0]["error"]["required_permission"], "contacts:contacts.update");
    let reader = app.client(Want { permissions: &["read"], ..Want::default() }).await;
    assert_eq!(reader.post("/contacts/bulk", &items).await.problem(), (403, "missing_permission"));
}

#[tokio::test]
async fn a_contact_stays_what_documents_were_issued_to() {
    let office = Office::new(Want::default()).await;
    let path = format!("/contacts/{}", office.customer);
    let person = json!({"kind": "person", "givenName": "Ana", "familyName": "Sol"});
    let organization = json!({"kind": "organization", "legalName": "Ferretería Sol SL"});
    let line = json!({"description": "Work", "unitPrice": "100.00"});
    office.draft(std::slice::from_ref(&line)).await;
    office.client.patch(&path, &[], &person).await.ok(200);
    office.client.patch(&path, &[], &organization).await.ok(200);
    office.issued(&[line]).await;
    let refused = office.client.patch(&path, &[], &person).await;
    assert_eq!(refused.field(), ("kind", "not_allowed"));
    office.client.patch(&path, &[], &json!({"kind": "organization", "legalName": "Sol SL"})).await.ok(200);
}
