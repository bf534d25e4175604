//! Data rooms: versions of files that are listed in sections, given to those who may see them, and counted.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_core::clock::Clock as _;

use crate::test_app::{Answer, Client, TestApp, Want};

const ROOM: &str = "/data-room/files";

async fn with_client() -> (TestApp, Client) {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    (app, client)
}

async fn file(client: &Client, personal: bool, text: &str) -> String {
    let said = json!({"name": "Estatutos.txt", "containsPersonalData": personal});
    client.post("/files", &json!({"properties": said, "file": text})).await.ok(201).id()
}

async fn add(client: &Client, file: &str, further: Value) -> Answer {
    let mut body = json!({"fileId": file, "section": "1 Corporate/1.2 Statutes"});
    body.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
    client.post(ROOM, &body).await
}

async fn content(client: &Client, id: &str, headers: &[(&str, &str)]) -> Answer {
    client.send(Method::GET, &format!("{ROOM}/{id}/content"), headers, String::new()).await
}

#[tokio::test]
async fn a_file_is_added_found_and_removed() {
    let (app, client) = with_client().await;
    let file = file(&client, true, "one").await;
    let made = add(&client, &file, json!({})).await.ok(201);
    let told = |name: &str| made.json[name].clone();
    assert_eq!(made.header("location"), format!("/api/v1{ROOM}/{}", made.id()));
    assert_eq!(
        (told("object"), told("fileId"), told("fileVersion"), told("section"), told("index"), told("title")),
        (
            json!("data_room_file"),
            json!(file),
            json!(1),
            json!("1 Corporate/1.2 Statutes"),
            json!("1.2.1"),
            json!("Estatutos.txt")
        )
    );
    assert_eq!(
        (told("watermark"), told("downloadable"), told("expiresAt"), told("addedBy"), told("views")),
        (json!(false), json!(true), Value::Null, Value::Null, json!(0))
    );
    app.clock.advance(Duration::from_millis(1));
    let second = json!({"section": "1 corporate/1.2 STATUTES", "title": "Actas", "externalId": "room-2"});
    let second = add(&client, &file, second).await.ok(201);
    assert_eq!(second.json["index"], "1.2.2");
    app.clock.advance(Duration::from_millis(1));
    let other = add(&client, &file, json!({"section": "10 Otros"})).await.ok(201);
    app.clock.advance(Duration::from_millis(1));
    let top = add(&client, &file, json!({"section": "1 Corporate"})).await.ok(201);
    let listed = async |query: &str| {
        let list = client.get(&format!("{ROOM}?{query}")).await.ok(200).json;
        let items = list["items"].as_array().unwrap();
        items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let [first, second, other, top] = [&made, &second, &other, &top].map(Answer::id);
    assert_eq!(listed("").await, [&*first, &second, &other, &top]);
    assert_eq!(listed("sort=index").await, [&*top, &first, &second, &other]);
    assert_eq!(listed("section=1%20Corporate&sort=-index").await, [&*second, &first, &top]);
    assert_eq!(listed("section=1%20Corporate/1.2%20Statutes").await, [&*first, &second]);
    assert_eq!(listed("externalId=room-2").await, [&*second]);
    assert_eq!(listed(&format!("fileId={file}")).await.len(), 4);
    assert_eq!(client.get(&format!("{ROOM}?section=a//b")).await.problem(), (400, "invalid_parameter"));
    let clash = add(&client, &file, json!({"externalId": "room-2"})).await;
    assert_eq!(clash.problem(), (409, "external_id_taken"));

    let path = format!("{ROOM}/{second}");
    let held = client.delete(&format!("/files/{file}"), &[]).await;
    assert_eq!(held.problem(), (409, "file_in_use"));
    let stale = client.delete(&path, &[("if-match", "\"2\"")]).await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
    client.delete(&path, &[("if-match", "\"1\"")]).await.ok(204);
    assert_eq!(client.get(&path).await.problem(), (404, "not_found"));
    assert_eq!(client.delete(&path, &[]).await.problem(), (404, "not_found"));
    let third = add(&client, &file, json!({})).await.ok(201);
    assert_eq!(third.json["index"], "1.2.3", "no place is given again");
    for entry in [first, other, top, third.id()] {
        client.delete(&format!("{ROOM}/{entry}"), &[]).await.ok(204);
    }
    client.delete(&format!("/files/{file}"), &[]).await.ok(200);
    let told = app.events().await;
    let of_room = told.iter().filter(|event| event.kind.name().starts_with("data_room_file."));
    assert_eq!(of_room.map(|event| event.kind.name()).collect::<Vec<_>>(), ["data_room_file.create"; 5]);
}

#[tokio::test]
async fn the_version_that_was_added_is_given_and_each_view_is_written_down() {
    let (app, client) = with_client().await;
    let file = file(&client, true, "the first one").await;
    let entry = add(&client, &file, json!({})).await.ok(201);
    client.post(&format!("/files/{file}/versions"), &json!({"file": "the second one"})).await.ok(201);
    let later = add(&client, &file, json!({"fileVersion": 2})).await.ok(201);
    assert_eq!(content(&client, &later.id(), &[]).await.ok(200).text, "the second one");

    let id = entry.id();
    let whole = content(&client, &id, &[]).await.ok(200);
    assert_eq!((whole.text.as_str(), whole.header("x-personal-data")), ("the first one", "full"));
    assert!(whole.header("content-disposition").starts_with("attachment; filename=\"Estatutos.txt\""));
    app.clock.advance(Duration::from_secs(1));
    let part = content(&client, &id, &[("range", "bytes=4-8")]).await.ok(206);
    assert_eq!(part.text, "first");
    app.clock.advance(Duration::from_secs(1));
    content(&client, &id, &[("if-none-match", whole.header("etag"))]).await.ok(304);
    let beyond = content(&client, &id, &[("range", "bytes=13-")]).await;
    assert_eq!(beyond.problem(), (416, "range_not_satisfiable"));
    let head = client.send(Method::HEAD, &format!("{ROOM}/{id}/content"), &[], String::new()).await.ok(200);
    assert_eq!((head.header("content-length"), head.text.as_str()), ("13", ""));

    let now = client.get(&format!("{ROOM}/{id}")).await.ok(200);
    assert_eq!((&now.json["views"], &now.json["version"]), (&json!(3), &json!(1)));
    // The tag is that of before, and what it stands for has changed.
    let known = [("if-none-match", entry.header("etag"))];
    client.send(Method::GET, &format!("{ROOM}/{id}"), &known, String::new()).await.ok(200);
    let views = client.get(&format!("{ROOM}/{id}/views?limit=2")).await.ok(200).json;
    assert_eq!((&views["total"], &views["hasMore"]), (&json!(3), &json!(true)));
    let numbers: Vec<_> =
        views["items"].as_array().unwrap().iter().map(|view| view["number"].clone()).collect();
    assert_eq!(numbers, [json!(3), json!(2)]);
    let latest = &views["items"][0];
    assert_eq!((&latest["channel"], &latest["userId"]), (&json!("api"), &Value::Null));
    assert!(latest["tokenId"].as_str().unwrap().starts_with("tok_"));
    assert!(latest["at"].as_str() > views["items"][1]["at"].as_str());
}

#[tokio::test]
async fn a_content_goes_to_those_who_may_see_it() {
    let (app, client) = with_client().await;
    let (personal, plain) = (file(&client, true, "Ada").await, file(&client, false, "1.2").await);
    let reader = Want { permissions: &["documents:data_room.read"], personal_data: false, ..Want::default() };
    let reader = app.client(reader).await;
    let refused = async |further: Value, file: &str| {
        let entry = add(&client, file, further).await.ok(201).id();
        let answer = content(&reader, &entry, &[]).await;
        let views = reader.get(&format!("{ROOM}/{entry}/views")).await.ok(200).json["total"].clone();
        assert_eq!(views, 0);
        let (status, code) = answer.problem();
        (status, code.to_owned())
    };
    assert_eq!(refused(json!({}), &personal).await, (403, "personal_data_withheld".to_owned()));
    let listed = json!({"downloadable": false});
    assert_eq!(refused(listed, &plain).await, (403, "file_not_downloadable".to_owned()));
    let end = app.clock.now().plus(Duration::from_mins(10));
    let until = add(&client, &plain, json!({ "expiresAt": end })).await.ok(201).id();
    assert_eq!(content(&reader, &until, &[]).await.ok(200).header("x-personal-data"), "masked");
    app.clock.advance(Duration::from_mins(10));
    let expired = content(&client, &until, &[]).await;
    assert_eq!(expired.problem(), (410, "data_room_file_expired"));
    client.get(&format!("{ROOM}/{until}")).await.ok(200);
    assert_eq!(content(&client, &format!("drf_{}", "0".repeat(26)), &[]).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn what_is_wrong_with_an_entry_is_told() {
    let (_app, client) = with_client().await;
    let one = file(&client, false, "x").await;
    for (further, field, code) in [
        (json!({"fileId": null}), "fileId", "required"),
        (json!({"fileId": format!("fil_{}", "0".repeat(26))}), "fileId", "unknown_reference"),
        (json!({"fileVersion": 2}), "fileVersion", "out_of_range"),
        (json!({"fileVersion": null}), "fileVersion", "required"),
        (json!({"section": null}), "section", "required"),
        (json!({"section": "1 Corporate/"}), "section", "invalid_section"),
        (json!({"section": "a/b/c/d/e/f/g"}), "section", "invalid_section"),
        (json!({"section": "a\u{202e}b"}), "section", "invalid_section"),
        (json!({"section": "x".repeat(251)}), "section", "invalid_section"),
        (json!({"title": " "}), "title", "required"),
        (json!({"title": "x".repeat(256)}), "title", "too_long"),
        (json!({"watermark": true}), "watermark", "not_pdf"),
        (json!({"downloadable": null}), "downloadable", "required"),
        (json!({"expiresAt": "2020-01-01T00:00:00Z"}), "expiresAt", "out_of_range"),
        (json!({"expiresAt": "soon"}), "expiresAt", "invalid_instant"),
        (json!({"index": "1.2"}), "index", "read_only_field"),
        (json!({"views": 3}), "views", "read_only_field"),
    ] {
        assert_eq!(add(&client, &one, further.clone()).await.field(), (field, code), "{further}");
    }
    client.post(ROOM, &json!({"fileId": one})).await.ok(422);
    client.delete(&format!("/files/{one}"), &[]).await.ok(200);
    assert_eq!(add(&client, &one, json!({})).await.field(), ("fileId", "unknown_reference"));
}

#[tokio::test]
async fn an_entry_with_a_key_is_added_once() {
    let (_app, client) = with_client().await;
    let one = file(&client, false, "x").await;
    let body = json!({"fileId": one, "section": "Uno"});
    let key = [("idempotency-key", "k-1")];
    let first = client.post_with(ROOM, &key, &body).await.ok(201);
    let again = client.post_with(ROOM, &key, &body).await.ok(201);
    assert_eq!((again.header("idempotent-replayed"), again.id()), ("true", first.id()));
    assert_eq!(client.get(ROOM).await.ok(200).json["total"], 1);
}

#[tokio::test]
async fn a_file_is_uploaded_along() {
    let (app, client) = with_client().await;
    let send = async |said: Value, text: &str| {
        let parts = [("properties", said.to_string()), ("file", text.to_owned())];
        let parts = parts.map(|(name, text)| (name.to_owned(), text.into_bytes()));
        client.send_parts(ROOM, &[], &parts).await
    };
    let said = json!({"section": "2 Tax", "file": {"name": "Modelo 200.txt", "tags": ["vip"]}});
    let made = send(said, "two hundred").await.ok(201);
    assert_eq!(
        (&made.json["index"], &made.json["title"], &made.json["fileVersion"]),
        (&json!("2.1"), &json!("Modelo 200.txt"), &json!(1))
    );
    assert_eq!(content(&client, &made.id(), &[]).await.ok(200).text, "two hundred");
    let file = made.json["fileId"].as_str().unwrap();
    let of_company = client.get(&format!("/files/{file}")).await.ok(200).json;
    assert_eq!((&of_company["tags"], &of_company["containsPersonalData"]), (&json!(["vip"]), &json!(true)));
    for (said, field, code) in [
        (json!({}), "properties.section", "required"),
        (json!({"section": "Uno", "fileId": file}), "properties.fileId", "out_of_place"),
        (json!({"section": "Uno", "fileVersion": 1}), "properties.fileVersion", "out_of_place"),
        (json!({"section": "Uno", "file": {"name": "a/b"}}), "properties.file.name", "invalid_name"),
        (json!({"section": "Uno", "watermark": true}), "properties.watermark", "not_pdf"),
        (
            json!({"section": "Uno", "companyId": format!("acc_{}", "0".repeat(26))}),
            "properties.companyId",
            "unknown_reference",
        ),
    ] {
        assert_eq!(send(said.clone(), "x").await.field(), (field, code), "{said}");
    }
    assert_eq!(client.get("/files").await.ok(200).json["total"], 1);
    let alone = add(&client, file, json!({"file": {"name": "b.txt"}})).await;
    assert_eq!(alone.field(), ("file", "out_of_place"));
    let text = [("content-type", "text/plain")];
    let text = client.send(Method::POST, ROOM, &text, "{}".to_owned()).await;
    assert_eq!(text.problem(), (415, "unsupported_media_type"));
    let told: Vec<_> = app.events().await.iter().map(|event| event.kind.name().to_owned()).collect();
    assert_eq!(told, ["file.create", "data_room_file.create"]);
}
