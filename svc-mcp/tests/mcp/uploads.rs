//! Uploads: an assistant asks for an address, and one file comes there without a token.

use std::time::Duration;

use axum::body::Body;
use http::{Method, Request};
use serde_json::{Value, json};
use svc_auth::token::{ConnectionRole, Lifecycle};
use svc_core::role::Role;

use crate::world::{Answer, World};

const BOUNDARY: &str = "parts";

impl World {
    /// Sends these parts to an address as a program without a token does.
    async fn put(&self, url: &Value, parts: &[(&str, &[u8])]) -> Answer {
        let mut body = Vec::new();
        for (head, bytes) in parts {
            let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n");
            body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
        }
        body.extend(format!("--{BOUNDARY}--\r\n").as_bytes());
        let path = url.as_str().unwrap().strip_prefix("http://127.0.0.1:8080").unwrap();
        let request = Request::builder().method(Method::POST).uri(path).header("host", "127.0.0.1:8080");
        let request = request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
        self.answer(request.body(Body::from(body)).unwrap()).await
    }
}

const FILE: &str = "name=\"file\"; filename=\"scan.txt\"";

#[tokio::test]
async fn a_file_comes_to_the_address_once_with_what_the_assistant_said_of_it() {
    let world = World::new().await;
    let (_, token) = world.connected(Role::Employee, ConnectionRole::Operator).await;
    let data = json!({ "name": "Acta.txt", "tags": ["board"], "containsPersonalData": false });
    let link = world.tool(&token, "file_upload_link", json!({ "data": data })).await.content().clone();
    assert_eq!(link["max_bytes"], 26_214_400);

    let stored = world.put(&link["url"], &[(FILE, b"Minutes\n")]).await;
    assert_eq!(stored.status, 201, "{}", stored.json);
    let file = &stored.json;
    assert_eq!(
        (&file["name"], &file["tags"], &file["size"], &file["companyId"], &file["containsPersonalData"]),
        (&json!("Acta.txt"), &json!(["board"]), &json!(8), &json!(world.acme.to_string()), &json!(false))
    );
    // An answer that was lost is had again; another file is none of this link.
    let again = world.put(&link["url"], &[(FILE, b"Minutes\n")]).await;
    assert_eq!((again.status, &again.json["id"]), (201, &file["id"]));
    let other = world.put(&link["url"], &[(FILE, b"Other minutes\n")]).await;
    assert_eq!((other.status, &other.json["code"]), (409, &json!("upload_link_used")), "{}", other.json);
    let found = world.tool(&token, "files_find", json!({ "q": "acta" })).await.content().clone();
    assert_eq!((&found["total"], &found["items"][0]["id"]), (&json!(1), &file["id"]));
    let read = world.tool(&token, "file_read", json!({ "id": file["id"] })).await;
    assert_eq!(read.content()["text"], "Minutes\n");
}

#[tokio::test]
async fn what_is_said_of_a_file_is_judged_before_there_is_an_address() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::Operator).await;
    for (data, field) in [
        (json!({ "name": "" }), "data.name"),
        (json!({ "nome": "a" }), "data.nome"),
        (json!({ "size": 3 }), "data.size"),
        (json!({ "tags": "board" }), "data.tags"),
        (json!({ "folderId": "fol_00000000000000000000000009" }), "data.folderId"),
        (
            json!({ "links": [{ "type": "contact", "id": "con_00000000000000000000000009" }] }),
            "data.links[0].id",
        ),
    ] {
        let refused = world.tool(&token, "file_upload_link", json!({ "data": data })).await.refused();
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
    let company = json!({ "data": { "companyId": world.acme.to_string() } });
    let refused = world.tool(&token, "file_upload_link", company).await.refused();
    assert_eq!(refused["argument"], "data.companyId");
    let found = world.tool(&token, "files_find", json!({})).await.content().clone();
    assert_eq!(found["total"], 0, "what was judged was not recorded");
}

#[tokio::test]
async fn an_address_is_no_more_than_its_credential_is_when_the_file_comes() {
    let world = World::new().await;
    let (credential, token) = world.connected(Role::Holder, ConnectionRole::Operator).await;
    let link = world.tool(&token, "file_upload_link", json!({})).await.content()["url"].clone();
    let send = async || {
        let answer = world.put(&link, &[(FILE, b"Minutes\n")]).await;
        (answer.status, answer.json["code"].as_str().unwrap_or_default().to_owned())
    };
    world.move_to(&credential, Lifecycle::Disabled).await;
    assert_eq!(send().await, (401, "token_disabled".to_owned()));
    world.move_to(&credential, Lifecycle::Active).await;

    let given = world.put(&link, &[("name=\"properties\"", b"{}"), (FILE, b"Minutes\n")]).await;
    assert_eq!(
        (given.status, &given.json["errors"][0]["field"]),
        (422, &json!("properties")),
        "{}",
        given.json
    );
    let none = world.put(&link, &[]).await;
    assert_eq!((none.status, &none.json["errors"][0]["field"]), (422, &json!("file")), "{}", none.json);
    let unknown = json!(link.as_str().unwrap().replace("/mcp_up_", "/mcp_up_x"));
    assert_eq!(world.put(&unknown, &[(FILE, b"Minutes\n")]).await.status, 404);

    world.clock.advance(Duration::from_secs(15 * 60 - 1));
    assert_eq!(send().await, (201, String::new()));
    world.clock.advance(Duration::from_secs(1));
    assert_eq!(send().await, (404, "not_found".to_owned()));
}

#[tokio::test]
async fn so_many_addresses_are_open_at_once() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::Operator).await;
    for _ in 0..20 {
        world.tool(&token, "file_upload_link", json!({})).await.content();
    }
    let refused = world.tool(&token, "file_upload_link", json!({})).await.refused();
    assert_eq!(refused["code"], "too_many_upload_links");
    let other = world.assistant(Role::Manager, ConnectionRole::Operator).await;
    world.tool(&other, "file_upload_link", json!({})).await.content();
    world.clock.advance(Duration::from_mins(15));
    world.tool(&token, "file_upload_link", json!({})).await.content();
}
