//! Envelopes: prepared, sent, and led to their end by their sender.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_testkit::business::envelopes::pdf;

use crate::test_app::{Answer, Client, TestApp, Want};

const ALL: &str = "/envelopes";
const HOUR: Duration = Duration::from_hours(1);

async fn with_client() -> (TestApp, Client) {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    (app, client)
}

fn draft(file: &str) -> Value {
    json!({"subject": "Contrato", "files": [{"fileId": file}], "signers": [
        {"name": "Ana", "email": "ana@example.com", "phone": "+34 600 123 456", "taxId": "B12345674"},
    ]})
}

async fn sent(client: &Client, text: &str) -> Answer {
    let mut body = draft(&client.pdf(text).await);
    body["send"] = json!(true);
    client.post(ALL, &body).await.ok(201)
}

async fn act(client: &Client, envelope: &Answer, verb: &str, body: &Value) -> Answer {
    client.post(&format!("{ALL}/{}/{verb}", envelope.id()), body).await
}

async fn told(app: &TestApp) -> Vec<String> {
    let events = app.events().await;
    let names = events.iter().map(|event| event.kind.name().to_owned());
    names.filter(|name| name.starts_with("envelope.")).collect()
}

/// Their links would be dead.
#[tokio::test]
async fn a_company_whose_signers_are_waited_for_is_not_deactivated() {
    let app = TestApp::new().await;
    let client = app.client(Want { companies: &[app.other], ..Want::default() }).await;
    let other = app.other.to_string();
    let file =
        json!({"properties": {"companyId": other}, "file": String::from_utf8(pdf("Contrato")).unwrap()});
    let mut body = draft(&client.post("/files", &file).await.ok(201).id());
    (body["companyId"], body["send"]) = (json!(other), json!(true));
    let sent = client.post(ALL, &body).await.ok(201);
    let path = format!("/accounts/{other}");
    assert_eq!(client.delete(&path, &[]).await.problem(), (409, "open_envelope"));
    act(&client, &sent, "void", &json!({"reason": "Se deja de operar"})).await.ok(200);
    assert_eq!(client.delete(&path, &[]).await.ok(200).json["status"], "deactivated");
}

#[tokio::test]
async fn an_envelope_is_prepared_changed_found_and_erased() {
    let (app, client) = with_client().await;
    let file = client.pdf("Contrato").await;
    let made = client.post(ALL, &draft(&file)).await.ok(201);
    assert_eq!(made.header("location"), format!("/api/v1{ALL}/{}", made.id()));
    assert_eq!((made.header("x-personal-data"), made.header("etag")), ("full", "\"1\""));
    let told_of = |name: &str| made.json[name].clone();
    assert_eq!(
        (told_of("object"), told_of("status"), told_of("order"), told_of("reminderEveryDays")),
        (json!("envelope"), json!("draft"), json!("parallel"), json!(0))
    );
    let signer = &made.json["signers"][0];
    assert_eq!(
        (&signer["role"], &signer["auth"], &signer["status"]),
        (&json!("signer"), &json!("email"), &json!("waiting"))
    );
    assert_eq!((&signer["phone"], &signer["taxId"]), (&json!("+34600123456"), &json!("B12345674")));
    assert_eq!(made.json["files"][0]["fileVersion"], Value::Null, "a draft pins nothing");
    let path = format!("{ALL}/{}", made.id());
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    let seen = masked.get(&path).await.ok(200);
    assert_eq!((seen.header("x-personal-data"), seen.header("etag")), ("masked", "\"1\""));
    assert_eq!(seen.json["signers"][0]["taxId"], json!("B******74"));
    assert_eq!(seen.json["signers"][0]["email"], json!("ana@example.com"));
    let changed = client
        .patch(&path, &[("if-match", "\"1\"")], &json!({"message": "Hola", "order": "sequential"}))
        .await
        .ok(200);
    assert_eq!((&changed.json["message"], &changed.json["version"]), (&json!("Hola"), &json!(2)));
    let same = client.patch(&path, &[], &json!({"message": "Hola"})).await.ok(200);
    assert_eq!(same.json["version"], json!(2));
    let stale = client.patch(&path, &[("if-match", "\"1\"")], &json!({"message": "Adiós"})).await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
    let known = client.send(Method::GET, &path, &[("if-none-match", "\"2\"")], String::new()).await;
    assert_eq!(known.status.as_u16(), 304);
    client.delete(&path, &[]).await.ok(204);
    assert_eq!(client.get(&path).await.problem(), (404, "not_found"));
    assert_eq!(told(&app).await, Vec::<String>::new(), "drafts have no events");
}

#[tokio::test]
async fn what_is_wrong_with_a_draft_is_told() {
    let (_app, client) = with_client().await;
    let file = client.pdf("Contrato").await;
    let note = client.post("/files", &json!({"properties": {}, "file": "Hola"})).await.ok(201).id();
    let broken =
        client.post("/files", &json!({"properties": {}, "file": "%PDF-1.7 no more"})).await.ok(201).id();
    let unknown = |kind: &str| format!("{kind}_{}", "0".repeat(26));
    let with = |member: &str, value: Value| {
        let mut body = draft(&file);
        body[member] = value;
        body
    };
    let ana = json!({"name": "Ana", "email": "ana@example.com"});
    for (body, field, code) in [
        (draft(&note), "files[0].fileId", "not_pdf"),
        (draft(&broken), "files[0].fileId", "pdf_damaged"),
        (draft(&unknown("fil")), "files[0].fileId", "unknown_reference"),
        (with("files", json!([])), "files", "out_of_range"),
        (with("signers", json!([])), "signers", "out_of_range"),
        (with("signers", json!([ana, ana])), "signers[1].email", "duplicate"),
        (with("signers", json!([{"name": "Ana", "email": "no"}])), "signers[0].email", "invalid_email"),
        (with("expiresAt", json!("2020-01-01T00:00:00Z")), "expiresAt", "out_of_range"),
        (with("reminderEveryDays", json!(31)), "reminderEveryDays", "out_of_range"),
        (with("links", json!([{"type": "case", "id": unknown("cas")}])), "links[0].id", "unknown_reference"),
        (with("status", json!("sent")), "status", "read_only_field"),
        (with("companyId", json!(unknown("acc"))), "companyId", "unknown_reference"),
    ] {
        assert_eq!(client.post(ALL, &body).await.field(), (field, code), "{body}");
    }
    let masked =
        with("signers", json!([{"name": "Ana", "email": "ana@example.com", "phone": "*********456"}]));
    assert_eq!(client.post(ALL, &masked).await.problem(), (422, "masked_value_rejected"));
    for query in ["signerEmail=no", "linkId=fil_0", "status=open", "sort=subject"] {
        assert_eq!(
            client.get(&format!("{ALL}?{query}")).await.problem(),
            (400, "invalid_parameter"),
            "{query}"
        );
    }
}

#[tokio::test]
async fn an_envelope_is_sent_once_and_its_files_stay() {
    let (app, client) = with_client().await;
    let file = client.pdf("Contrato").await;
    let draft = client.post(ALL, &draft(&file)).await.ok(201);
    let sent = act(&client, &draft, "send", &json!({})).await.ok(200);
    assert_eq!((&sent.json["status"], &sent.json["version"]), (&json!("sent"), &json!(2)));
    assert!(sent.json["expiresAt"].is_string() && sent.json["sentAt"].is_string());
    let pinned = &sent.json["files"][0];
    assert_eq!(
        (&pinned["fileVersion"], &pinned["pages"], &pinned["name"]),
        (&json!(1), &json!(1), &json!("Contrato.pdf"))
    );
    assert_eq!(sent.json["signers"][0]["status"], json!("notified"));
    assert_eq!(act(&client, &draft, "send", &json!({})).await.problem(), (409, "envelope_not_draft"));
    let path = format!("{ALL}/{}", draft.id());
    assert_eq!(
        client.patch(&path, &[], &json!({"message": "x"})).await.problem(),
        (409, "envelope_not_draft")
    );
    assert_eq!(client.delete(&path, &[]).await.problem(), (409, "envelope_not_draft"));
    assert_eq!(client.delete(&format!("/files/{file}"), &[]).await.problem(), (409, "file_in_use"));
    assert_eq!(told(&app).await, ["envelope.sent"]);
    let found = |query: &str| format!("{ALL}?{query}");
    for (query, total) in [
        ("status=sent", 1),
        ("status=draft", 0),
        ("signerEmail=ANA@example.com", 1),
        ("q=contrato&sort=-sentAt", 1),
    ] {
        assert_eq!(client.get(&found(query)).await.ok(200).json["total"], json!(total), "{query}");
    }
}

#[tokio::test]
async fn sending_at_once_takes_the_permission_to_send() {
    let (app, client) = with_client().await;
    let sent = sent(&client, "Contrato").await;
    assert_eq!((&sent.json["status"], told(&app).await), (&json!("sent"), vec!["envelope.sent".to_owned()]));
    let permissions = ["sign:envelopes.create"];
    let writer = app.client(Want { permissions: &permissions, ..Want::default() }).await;
    let mut body = draft(&client.pdf("Otro").await);
    body["send"] = json!(true);
    let refused = writer.post(ALL, &body).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["required_permission"], json!("sign:envelopes.send"));
    body["send"] = json!(false);
    writer.post(ALL, &body).await.ok(201);
}

#[tokio::test]
async fn a_request_with_a_key_happens_once() {
    let (app, client) = with_client().await;
    let file = client.pdf("Contrato").await;
    let post = async |path: &str, key: &str, body: &Value| {
        client.post_with(path, &[("idempotency-key", key)], body).await
    };
    let first = post(ALL, "k-1", &draft(&file)).await.ok(201);
    let again = post(ALL, "k-1", &draft(&file)).await.ok(201);
    assert_eq!((again.header("idempotent-replayed"), again.id()), ("true", first.id()));
    let path = format!("{ALL}/{}/send", first.id());
    post(&path, "k-2", &json!({})).await.ok(200);
    let again = post(&path, "k-2", &json!({})).await.ok(200);
    assert_eq!((again.header("idempotent-replayed"), &again.json["status"]), ("true", &json!("sent")));
    assert_eq!(told(&app).await, ["envelope.sent"]);
    let reused = post(ALL, "k-1", &draft(&client.pdf("Otro").await)).await;
    assert_eq!(reused.problem(), (422, "idempotency_key_reused"));
}

#[tokio::test]
async fn signers_are_reminded_once_an_hour() {
    let (app, client) = with_client().await;
    let draft = client.post(ALL, &draft(&client.pdf("Otro").await)).await.ok(201);
    assert_eq!(act(&client, &draft, "remind", &json!({})).await.problem(), (409, "envelope_not_sent"));
    let sent = sent(&client, "Contrato").await;
    assert_eq!(act(&client, &sent, "remind", &json!({})).await.problem(), (409, "reminded_lately"));
    app.clock.advance(HOUR);
    act(&client, &sent, "remind", &json!({})).await.ok(200);
    assert_eq!(act(&client, &sent, "remind", &json!({})).await.problem(), (409, "reminded_lately"));
}

#[tokio::test]
async fn an_envelope_is_voided_once() {
    let (app, client) = with_client().await;
    let sent = sent(&client, "Contrato").await;
    assert_eq!(act(&client, &sent, "void", &json!({})).await.field(), ("reason", "required"));
    assert_eq!(
        act(&client, &sent, "void", &json!({"reason": "expired"})).await.field(),
        ("reason", "not_allowed")
    );
    let voided = act(&client, &sent, "void", &json!({"reason": "Ya no hace falta"})).await.ok(200);
    assert_eq!(
        (&voided.json["status"], &voided.json["voidReason"]),
        (&json!("voided"), &json!("Ya no hace falta"))
    );
    let closed = act(&client, &sent, "void", &json!({"reason": "Otra vez"})).await;
    assert_eq!(
        (closed.problem(), &closed.json["currentState"]),
        ((409, "envelope_closed"), &json!("voided"))
    );
    assert_eq!(act(&client, &sent, "remind", &json!({})).await.problem(), (409, "envelope_closed"));
    assert_eq!(told(&app).await, ["envelope.sent", "envelope.voided"]);
    let file = sent.json["files"][0]["fileId"].as_str().unwrap();
    client.delete(&format!("/files/{file}"), &[]).await.ok(200);
}

#[tokio::test]
async fn a_place_is_given_to_another_person() {
    let (app, client) = with_client().await;
    let sent = sent(&client, "Contrato").await;
    let old = sent.json["signers"][0]["id"].clone();
    let luis = json!({"signerId": old, "name": "Luis", "email": "luis@example.com"});
    let wrong =
        json!({"signerId": format!("sgr_{}", "0".repeat(26)), "name": "Luis", "email": "luis@example.com"});
    assert_eq!(act(&client, &sent, "reassign", &wrong).await.field(), ("signerId", "unknown_reference"));
    let given = act(&client, &sent, "reassign", &luis).await.ok(200);
    let [first, second] = [0, 1].map(|at| given.json["signers"][at].clone());
    assert_eq!((&first["status"], &first["replacedById"]), (&json!("replaced"), &second["id"]));
    assert_eq!((&second["name"], &second["status"]), (&json!("Luis"), &json!("notified")));
    assert_eq!(act(&client, &sent, "reassign", &luis).await.field(), ("email", "duplicate"));
    let eva = json!({"signerId": old, "name": "Eva", "email": "eva@example.com"});
    let done = act(&client, &sent, "reassign", &eva).await;
    assert_eq!((done.problem(), &done.json["currentState"]), ((409, "signer_done"), &json!("replaced")));
    assert_eq!(told(&app).await, ["envelope.sent", "envelope.reassigned"]);
}

#[tokio::test]
async fn another_envelope_is_sent_in_the_place_of_one() {
    let (app, client) = with_client().await;
    let old = sent(&client, "Contrato").await;
    let file = client.pdf("Nuevo").await;
    let new = act(&client, &old, "reissue", &json!({"files": [{"fileId": file}]})).await.ok(201);
    assert_eq!(new.header("location"), format!("/api/v1{ALL}/{}", new.id()));
    assert_eq!((&new.json["supersedesId"], &new.json["status"]), (&json!(old.id()), &json!("sent")));
    assert_eq!(new.json["files"][0]["name"], json!("Nuevo.pdf"));
    let kept = client.get(&format!("{ALL}/{}", old.id())).await.ok(200).json;
    assert_eq!((&kept["voidReason"], &kept["supersededById"]), (&json!("reissued"), &json!(new.id())));
    assert_eq!(act(&client, &old, "reissue", &json!({})).await.problem(), (409, "envelope_superseded"));
    assert_eq!(told(&app).await, ["envelope.sent", "envelope.voided", "envelope.reissued"]);
    let draft = client.post(ALL, &draft(&file)).await.ok(201);
    assert_eq!(act(&client, &draft, "reissue", &json!({})).await.problem(), (409, "envelope_not_sent"));
}

#[tokio::test]
async fn proofs_are_for_those_who_see_personal_data() {
    let (app, client) = with_client().await;
    let sent = sent(&client, "Contrato").await;
    let (path, file) =
        (format!("{ALL}/{}", sent.id()), sent.json["files"][0]["fileId"].as_str().unwrap().to_owned());
    let trail = client.get(&format!("{path}/audit-trail")).await.ok(200);
    let entries = trail.json["entries"].as_array().unwrap();
    let actions: Vec<_> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["envelope.sent", "signer.notified"]);
    assert_eq!(entries[0]["previousHash"], json!("0".repeat(64)));
    assert_eq!(entries[1]["previousHash"], entries[0]["hash"]);
    let document = format!("{path}/documents/{file}");
    let original = client.get(&document).await.ok(200);
    assert_eq!(
        (original.text.as_bytes(), original.header("content-type")),
        (&*pdf("Contrato"), "application/pdf")
    );
    let part = client.send(Method::GET, &document, &[("range", "bytes=0-4")], String::new()).await;
    assert_eq!((part.status.as_u16(), part.text.as_str()), (206, "%PDF-"));
    // A later version is not what people sign.
    let second = json!({"file": String::from_utf8(pdf("Segunda")).unwrap()});
    client.post(&format!("/files/{file}/versions"), &second).await.ok(201);
    assert_eq!(client.get(&document).await.ok(200).text.as_bytes(), pdf("Contrato"));
    let unsealed = client.get(&format!("{document}?signed=true")).await;
    assert_eq!((unsealed.problem(), &unsealed.json["currentState"]), ((409, "not_sealed"), &json!("sent")));
    let other = client.pdf("Otro").await;
    assert_eq!(client.get(&format!("{path}/documents/{other}")).await.problem(), (404, "not_found"));
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    for path in [document, format!("{path}/audit-trail")] {
        assert_eq!(masked.get(&path).await.problem(), (403, "personal_data_withheld"), "{path}");
    }
}
