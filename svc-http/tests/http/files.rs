//! Files and folders: uploaded in pieces, downloaded in ranges, held by what they belong to.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::{Method, Request};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use svc_business::document::file::{File, FileLink};
use svc_testkit::business::sample::{self, everything};
use tower::ServiceExt as _;

use crate::billing::office::Office;
use crate::test_app::{Answer, Client, TestApp, Want};

const FILES: &str = "/files";
const FOLDERS: &str = "/folders";

async fn with_client() -> (TestApp, Client) {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    (app, client)
}

async fn upload(client: &Client, said: Value, file: &str) -> Answer {
    client.post(FILES, &json!({"properties": said, "file": file})).await
}

async fn content(client: &Client, id: &str, headers: &[(&str, &str)]) -> Answer {
    client.send(Method::GET, &format!("{FILES}/{id}/content"), headers, String::new()).await
}

#[tokio::test]
async fn a_file_is_uploaded_found_and_downloaded() {
    let (app, client) = with_client().await;
    let made =
        upload(&client, json!({"tags": ["vip"], "retainUntil": null}), "id;name\n1;Ada\n").await.ok(201);
    let told = |name: &str| made.json[name].clone();
    assert_eq!(made.header("location"), format!("/api/v1{FILES}/{}", made.id()));
    assert_eq!(
        (told("object"), told("name"), told("mimeType"), told("size"), told("versionNumber")),
        (json!("file"), json!("invoice.xml"), json!("text/csv"), json!(14), json!(1))
    );
    assert_eq!(
        (told("containsPersonalData"), told("status"), told("retainUntil")),
        (json!(true), json!("active"), Value::Null)
    );
    let id = made.id();
    let whole = content(&client, &id, &[]).await.ok(200);
    assert_eq!(whole.text, "id;name\n1;Ada\n");
    for (name, value) in [
        ("content-type", "text/csv"),
        ("content-length", "14"),
        ("x-content-type-options", "nosniff"),
        ("accept-ranges", "bytes"),
        ("content-disposition", "attachment; filename=\"invoice.xml\"; filename*=UTF-8''invoice.xml"),
        ("etag", &format!("\"{}\"", told("sha256").as_str().unwrap())),
    ] {
        assert_eq!(whole.header(name), value, "{name}");
    }
    let known = content(&client, &id, &[("if-none-match", whole.header("etag"))]).await;
    assert_eq!((known.status.as_u16(), known.text.as_str()), (304, ""));
    let part = content(&client, &id, &[("range", "bytes=3-6")]).await;
    assert_eq!((part.status.as_u16(), part.text.as_str()), (206, "name"));
    assert_eq!((part.header("content-range"), part.header("content-length")), ("bytes 3-6/14", "4"));
    let beyond = content(&client, &id, &[("range", "bytes=14-")]).await;
    assert_eq!(beyond.problem(), (416, "range_not_satisfiable"));
    assert_eq!(beyond.header("content-range"), "bytes */14");
    let head = client.send(Method::HEAD, &format!("{FILES}/{id}/content"), &[], String::new()).await;
    assert_eq!((head.status.as_u16(), head.header("content-length"), head.text.as_str()), (200, "14", ""));
    let list =
        client.get(&format!("{FILES}?tag=vip&mimeType=text/csv&q=invoice&folderId=none")).await.ok(200);
    assert_eq!((&list.json["total"], &list.json["items"][0]["id"]), (&json!(1), &json!(id)));
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    assert_eq!(content(&masked, &id, &[]).await.problem(), (403, "personal_data_withheld"));
    let shown = json!({"containsPersonalData": false});
    let refused = masked.patch(&format!("{FILES}/{id}"), &[], &shown).await;
    assert_eq!(refused.field(), ("containsPersonalData", "not_allowed"));
    client.patch(&format!("{FILES}/{id}"), &[], &shown).await.ok(200);
    assert_eq!(content(&masked, &id, &[]).await.ok(200).header("x-personal-data"), "masked");
}

#[tokio::test]
async fn versions_stay_and_the_latest_one_is_given() {
    let (_app, client) = with_client().await;
    let id = upload(&client, json!({"name": "Contrato.txt"}), "first").await.ok(201).id();
    let path = format!("{FILES}/{id}");
    let second =
        client.post(&format!("{path}/versions"), &json!({"file": "<html></html>"})).await.ok(201).json;
    assert_eq!(
        (&second["versionNumber"], &second["mimeType"], &second["version"], &second["name"]),
        (&json!(2), &json!("text/html"), &json!(2), &json!("Contrato.txt"))
    );
    assert_eq!(content(&client, &id, &[]).await.ok(200).text, "<html></html>");
    let of = async |version: &str| client.get(&format!("{path}/content?version={version}")).await;
    assert_eq!(of("1").await.ok(200).text, "first");
    assert_eq!(of("3").await.problem(), (400, "invalid_parameter"));
    let (versions, body) = (format!("{path}/versions"), json!({"file": "x"}).to_string());
    let stale = client.send(Method::POST, &versions, &[("if-match", "\"1\"")], body).await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
}

#[tokio::test]
async fn what_an_envelope_came_to_takes_no_version() {
    let (app, client) = with_client().await;
    let id = upload(&client, json!({"name": "Contrato (signed).pdf"}), "sealed").await.ok(201).id();
    let unit = app.database.business().begin().await.unwrap();
    let before = unit.files().find(&everything(), id.parse().unwrap()).await.unwrap().unwrap();
    let links = vec![FileLink::Envelope(sample::id(70))];
    let after = File { links, version: before.version.next(), ..before.clone() };
    unit.files().replace(&everything(), &before, &after).await.unwrap();
    unit.commit().await.unwrap();
    let refused = client.post(&format!("{FILES}/{id}/versions"), &json!({"file": "another"})).await;
    assert_eq!(refused.problem(), (409, "file_in_use"));
    assert_eq!(content(&client, &id, &[]).await.ok(200).text, "sealed");
}

#[tokio::test]
async fn an_upload_with_a_key_happens_once() {
    let (app, client) = with_client().await;
    let send = async |said: Value, file: &str| {
        let body = json!({"properties": said, "file": file}).to_string();
        client.send(Method::POST, FILES, &[("idempotency-key", "k-1")], body).await
    };
    let first = send(json!({"name": "a.txt"}), "one").await.ok(201);
    let again = send(json!({"name": "a.txt"}), "one").await.ok(201);
    assert_eq!((again.header("idempotent-replayed"), again.id()), ("true", first.id()));
    for (said, file) in [(json!({"name": "a.txt"}), "two"), (json!({"name": "b.txt"}), "one")] {
        assert_eq!(send(said, file).await.problem(), (422, "idempotency_key_reused"));
    }
    let told = app.events().await;
    assert_eq!(told.iter().filter(|event| event.kind.name() == "file.create").count(), 1);
}

#[tokio::test]
async fn what_is_wrong_with_an_upload_is_told() {
    let (_app, client) = with_client().await;
    let unknown = |kind: &str| json!(format!("{kind}_{}", "0".repeat(26)));
    for (said, field, code) in [
        (json!({"name": "a/b"}), "properties.name", "invalid_name"),
        (json!({"name": " "}), "properties.name", "required"),
        (json!({"size": 3}), "properties.size", "read_only_field"),
        (json!({"folderId": unknown("fld")}), "properties.folderId", "unknown_reference"),
        (
            json!({"links": [{"type": "case", "id": unknown("cas")}]}),
            "properties.links[0].id",
            "unknown_reference",
        ),
        (json!({"links": [{"type": "case", "id": unknown("con")}]}), "properties.links[0].id", "invalid_id"),
        (json!({"retainUntil": "2025-02-30"}), "properties.retainUntil", "invalid_date"),
    ] {
        assert_eq!(upload(&client, said.clone(), "x").await.field(), (field, code), "{said}");
    }
    let parts = |names: &[(&str, &str)]| -> Vec<(String, Vec<u8>)> {
        names.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    };
    for (names, field, code) in [
        (&[("properties", "{}")][..], "file", "required"),
        (&[("file", "")], "file", "required"),
        (&[("file", "x"), ("properties", "{}")], "properties", "out_of_place"),
        (&[("file", "x"), ("file", "y")], "file", "duplicate_field"),
        (&[("other", "x")], "other", "unknown_field"),
        (&[("properties", "{"), ("file", "x")], "properties", "malformed_json"),
    ] {
        let refused = client.send_parts(FILES, &[], &parts(names)).await;
        assert_eq!(refused.field(), (field, code), "{names:?}");
    }
    let json =
        client.send(Method::POST, FILES, &[("content-type", "application/json")], "{}".to_owned()).await;
    assert_eq!(json.problem(), (415, "unsupported_media_type"));
    let large = parts(&[("file", &"x".repeat(26 * 1024 * 1024))]);
    assert_eq!(client.send_parts(FILES, &[], &large).await.problem(), (413, "payload_too_large"));
    let linked = client.get(&format!("{FILES}?linkType=case")).await;
    assert_eq!(linked.problem(), (400, "invalid_parameter"));
}

/// 16 MiB come in pieces of 64 KiB, and the last ones are made only when the first ones were taken.
#[tokio::test]
async fn pieces_are_taken_as_they_come_and_given_as_they_are_read() {
    const PIECES: usize = 256;
    let (_app, client) = with_client().await;
    let made = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&made);
    let head = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"big.bin\"\r\n\r\n";
    let body = stream::iter(0..PIECES).map(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Bytes::from(vec![1_u8; 64 * 1024])
    });
    let body =
        stream::iter([Bytes::from(head)]).chain(body).chain(stream::iter([Bytes::from("\r\n--b--\r\n")]));
    let request = Request::post("/api/v1/files")
        .header("authorization", format!("Bearer {}", client.token))
        .header("content-type", "multipart/form-data; boundary=b")
        .body(Body::from_stream(body.map(Ok::<_, std::convert::Infallible>)))
        .unwrap();
    let answer = client.router.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.status().as_u16(), 201);
    assert_eq!(made.load(Ordering::Relaxed), PIECES);
    let file: Value =
        serde_json::from_slice(&answer.into_body().collect().await.unwrap().to_bytes()).unwrap();
    let request = Request::get(format!("/api/v1/files/{}/content", file["id"].as_str().unwrap()))
        .header("authorization", format!("Bearer {}", client.token))
        .body(Body::empty())
        .unwrap();
    let mut body = client.router.clone().oneshot(request).await.unwrap().into_body();
    let (mut largest, mut all) = (0, 0);
    while let Some(frame) = body.frame().await {
        let piece = frame.unwrap().into_data().unwrap().len();
        (largest, all) = (largest.max(piece), all + piece);
    }
    assert_eq!(all, PIECES * 64 * 1024);
    assert!(largest <= 64 * 1024, "a piece of {largest} bytes");
}

#[tokio::test]
async fn folders_are_a_tree_and_files_are_in_it() {
    let (_app, client) = with_client().await;
    let make = async |name: &str, parent: Option<&str>| {
        client.post(FOLDERS, &json!({"name": name, "parentId": parent})).await
    };
    let top = make("Facturas", None).await.ok(201).id();
    let clash = make("FACTURAS", None).await;
    assert_eq!(
        (clash.problem(), clash.json["errors"][0]["field"].clone()),
        ((409, "already_exists"), json!("name"))
    );
    let mut chain = vec![top.clone()];
    for depth in 1..10 {
        chain.push(make(&depth.to_string(), chain.last().map(String::as_str)).await.ok(201).id());
    }
    assert_eq!(make("deep", chain.last().map(String::as_str)).await.field(), ("parentId", "too_deep"));
    let other = make("Otros", None).await.ok(201).id();
    let moved = async |id: &str, parent: Value| {
        client.patch(&format!("{FOLDERS}/{id}"), &[], &json!({"parentId": parent})).await
    };
    assert_eq!(moved(&top, json!(chain[4])).await.field(), ("parentId", "invalid_value"));
    assert_eq!(moved(&top, json!(top)).await.field(), ("parentId", "invalid_value"));
    assert_eq!(moved(&top, json!(other)).await.field(), ("parentId", "too_deep"));
    moved(&chain[1], json!(other)).await.ok(200);
    let file = upload(&client, json!({"folderId": top}), "x").await.ok(201).id();
    let delete = async |id: &str| client.delete(&format!("{FOLDERS}/{id}"), &[]).await;
    for full in [&top, &other] {
        assert_eq!(delete(full).await.problem(), (409, "folder_not_empty"));
    }
    let found = client.get(&format!("{FILES}?folderId={top}")).await.ok(200).json;
    assert_eq!(found["items"][0]["id"], json!(file));
    client.delete(&format!("{FILES}/{file}"), &[]).await.ok(200);
    delete(&top).await.ok(204);
    let tops = client.get(&format!("{FOLDERS}?parentId=none")).await.ok(200).json;
    assert_eq!((&tops["total"], &tops["items"][0]["id"]), (&json!(1), &json!(other)));
}

#[tokio::test]
async fn a_receipt_is_held_by_the_return_that_was_filed() {
    let Office { client, .. } = Office::new(Want::default()).await;
    let new = json!({"model": "303", "year": 2025, "period": "02"});
    let filed = client.post("/tax/returns", &new).await.ok(201).id();
    let links = json!([{"type": "tax_return", "id": filed}]);
    let made = upload(&client, json!({"links": links}), "x").await.ok(201);
    assert_eq!(made.json["retainUntil"], Value::Null, "a return that was not filed holds nothing");
    let post = async |verb: &str, body: Value| {
        client.post(&format!("/tax/returns/{filed}/{verb}"), &body).await.ok(200);
    };
    post("prepare", json!({})).await;
    post("submit", json!({"channel": "manual"})).await;
    let path = format!("{FILES}/{}", made.id());
    assert_eq!(client.delete(&path, &[]).await.problem(), (409, "file_in_use"));
    let second = upload(&client, json!({"links": links}), "y").await.ok(201);
    assert_eq!(second.json["retainUntil"], "2031-12-31");
    let found = client.get(&format!("{FILES}?linkType=tax_return&linkId={filed}")).await.ok(200).json;
    assert_eq!(found["total"], 2);
    // One that was refused is filed anew, with another receipt.
    post("outcome", json!({"outcome": "rejected"})).await;
    client.delete(&path, &[]).await.ok(200);
    let unknown = json!([{"type": "tax_return", "id": format!("txr_{}", "0".repeat(26))}]);
    let refused = upload(&client, json!({"links": unknown}), "z").await;
    assert_eq!(refused.field(), ("properties.links[0].id", "unknown_reference"));
}

#[tokio::test]
async fn a_file_is_held_by_what_it_belongs_to() {
    let Office { app, client, customer, .. } = Office::new(Want::default()).await;
    let quote = json!({"docType": "quote", "contactId": customer, "issueDate": "2025-03-01",
        "lines": [{"description": "Work", "unitPrice": "100.00"}]});
    let quote = client.post("/billing", &quote).await.ok(201).id();
    let links = json!([{"type": "invoice", "id": quote}, {"type": "contact", "id": customer}]);
    let made = upload(&client, json!({"links": links}), "x").await.ok(201);
    assert_eq!(made.json["retainUntil"], Value::Null, "a draft holds nothing");
    let path = format!("{FILES}/{}", made.id());
    client.post(&format!("/billing/{quote}/issue"), &json!({})).await.ok(200);
    assert_eq!(client.delete(&path, &[]).await.problem(), (409, "file_in_use"));
    let early = client.patch(&path, &[], &json!({"retainUntil": "2030-01-01"})).await;
    assert_eq!(early.field(), ("retainUntil", "out_of_range"));
    let second = upload(&client, json!({"links": links}), "y").await.ok(201);
    assert_eq!(second.json["retainUntil"], "2031-12-31");
    let found = client.get(&format!("{FILES}?linkType=invoice&linkId={quote}")).await.ok(200).json;
    assert_eq!(found["total"], 2);
    let unlinked = client.patch(&path, &[], &json!({"links": [], "retainUntil": "2025-03-02"})).await.ok(200);
    assert_eq!(unlinked.json["links"], json!([]));
    assert_eq!(client.delete(&path, &[]).await.problem(), (409, "file_in_use"));
    app.clock.advance(Duration::from_hours(48));
    let deleted = client.delete(&path, &[]).await.ok(200).json;
    assert_eq!((&deleted["status"], deleted["deletedAt"].is_string()), (&json!("deleted"), true));
    for refused in [
        client.delete(&path, &[]).await,
        client.patch(&path, &[], &json!({"name": "b.txt"})).await,
        client.post(&format!("{path}/versions"), &json!({"file": "z"})).await,
        client.get(&format!("{path}/content")).await,
    ] {
        assert_eq!(refused.problem(), (409, "file_deleted"));
    }
    assert_eq!(client.get(FILES).await.ok(200).json["total"], 1);
    assert_eq!(client.get(&format!("{FILES}?status=deleted")).await.ok(200).json["total"], 1);
    let told: Vec<_> = app.events().await.iter().map(|event| event.kind.name().to_owned()).collect();
    let of_files: Vec<_> = told.iter().filter(|name| name.starts_with("file.")).collect();
    assert_eq!(of_files, ["file.create", "file.create", "file.update", "file.delete"]);
}

#[tokio::test]
async fn what_is_no_part_is_not_read_to_its_end() {
    let (app, client) = with_client().await;
    for (at, begin) in ["--x\r\nA: ", "no boundary "].into_iter().enumerate() {
        let taken = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&taken);
        let first =
            stream::once(async move { Ok::<_, std::io::Error>(Bytes::from_static(begin.as_bytes())) });
        let rest = stream::iter(0..1_000).map(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(Bytes::from_static(&[b'a'; 4096]))
        });
        let request = Request::post(format!("/api/v1{FILES}"))
            .header("authorization", format!("Bearer {}", client.token))
            .header("content-type", "multipart/form-data; boundary=x")
            .body(Body::from_stream(first.chain(rest)))
            .unwrap();
        let answer = app.router.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), 422, "{at}");
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&body).contains("more than 64 KiB came without a part"));
        assert!(taken.load(Ordering::Relaxed) < 40, "{at}: {taken:?}");
    }
}
