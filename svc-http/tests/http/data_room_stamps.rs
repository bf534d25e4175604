//! Pages of a data room that are stamped with who reads them: for each reading, and only where they can be.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_testkit::business::envelopes::{large_pdf, pdf};
use svc_testkit::business::sample::everything;

use crate::test_app::{Answer, Client, TestApp, Want};

const ROOM: &str = "/data-room/files";
const STAMPED: &str = "/SvcShown Do\n/SvcStamp Do";

async fn with_client() -> (TestApp, Client) {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    (app, client)
}

async fn file(client: &Client, name: &str, text: &str) -> String {
    let said = json!({"name": name, "containsPersonalData": false});
    client.post("/files", &json!({"properties": said, "file": text})).await.ok(201).id()
}

fn document() -> String {
    String::from_utf8(pdf("Statutes")).unwrap()
}

async fn add(client: &Client, file: &str, further: Value) -> Answer {
    let mut body = json!({"fileId": file, "section": "1 Corporate", "watermark": true});
    body.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
    client.post(ROOM, &body).await
}

async fn content(client: &Client, entry: &str, headers: &[(&str, &str)]) -> Answer {
    client.send(Method::GET, &format!("{ROOM}/{entry}/content"), headers, String::new()).await
}

#[tokio::test]
async fn each_reading_is_stamped_anew_and_the_file_stays_as_it_is() {
    let (app, client) = with_client().await;
    let file = file(&client, "Statutes.pdf", &document()).await;
    let made = add(&client, &file, json!({})).await.ok(201);
    assert_eq!(made.json["watermark"], true);
    assert_eq!(client.get(&format!("{ROOM}/{}", made.id())).await.ok(200).json["watermark"], true);
    let first = content(&client, &made.id(), &[]).await.ok(200);
    assert!(first.text.starts_with("%PDF-1.7") && first.text.contains(STAMPED), "{}", first.text);
    assert!(!first.text.contains(&document()), "the document is not within it");
    for (name, value) in [
        ("content-type", "application/pdf"),
        ("accept-ranges", "none"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(first.header(name), value, "{name}");
    }
    assert!(first.header("content-disposition").starts_with("attachment; filename=\"Statutes.pdf\""));
    app.clock.advance(Duration::from_secs(1));
    // Another instant is on the pages by now, so what the client has is no part of this one.
    let known = [("range", "bytes=0-9"), ("if-none-match", first.header("etag"))];
    let second = content(&client, &made.id(), &known).await.ok(200);
    assert_ne!((second.header("etag"), &second.text), (first.header("etag"), &first.text));
    let other = app.client(Want::default()).await;
    let third = content(&other, &made.id(), &[]).await.ok(200);
    assert_ne!(third.text, second.text, "another token reads");
    let head =
        client.send(Method::HEAD, &format!("{ROOM}/{}/content", made.id()), &[], String::new()).await.ok(200);
    assert_eq!(
        (head.header("content-type"), head.header("etag"), head.text.as_str()),
        ("application/pdf", "", "")
    );
    let now = client.get(&format!("{ROOM}/{}", made.id())).await.ok(200);
    assert_eq!(now.json["views"], 3, "HEAD is no view");
    let plain = content_of(&client, &file).await;
    assert_eq!(plain, document(), "what is stored never changes");
}

async fn content_of(client: &Client, file: &str) -> String {
    client.get(&format!("/files/{file}/content")).await.ok(200).text
}

#[tokio::test]
async fn a_file_that_cannot_be_stamped_is_refused_with_what_to_do() {
    let (_app, client) = with_client().await;
    let encrypted = document().replace("/Root", "/Encrypt << >> /Root");
    for (name, text, code, says) in [
        ("a.txt", "one".to_owned(), "not_pdf", "add the file as PDF"),
        ("a.pdf", encrypted, "pdf_encrypted", "remove its password"),
        ("b.pdf", "%PDF-1.7\nstartxref\n9\n%%EOF".to_owned(), "pdf_damaged", "print it to a new PDF"),
    ] {
        let one = file(&client, name, &text).await;
        let refused = add(&client, &one, json!({})).await;
        assert_eq!(refused.field(), ("watermark", code), "{name}");
        assert!(refused.text.contains(says), "{name}: {}", refused.text);
        add(&client, &one, json!({"watermark": false})).await.ok(201);
        let said = json!({"section": "Uno", "watermark": true, "file": {"name": name}});
        let parts = [
            ("properties".to_owned(), said.to_string().into_bytes()),
            ("file".to_owned(), text.into_bytes()),
        ];
        let along = client.send_parts(ROOM, &[], &parts).await;
        assert_eq!(along.field(), ("properties.watermark", code), "{name}");
    }
    let said = json!({"section": "Uno", "watermark": true, "file": {"name": "c.pdf"}});
    let parts = [("properties", said.to_string()), ("file", document())];
    let parts = parts.map(|(name, text)| (name.to_owned(), text.into_bytes()));
    let along = client.send_parts(ROOM, &[], &parts).await.ok(201);
    assert!(content(&client, &along.id(), &[]).await.ok(200).text.contains(STAMPED));
    // The version that is shown counts, not the latest one.
    let file = file(&client, "d.pdf", &document()).await;
    client.post(&format!("/files/{file}/versions"), &json!({"file": "a text by now"})).await.ok(201);
    assert_eq!(add(&client, &file, json!({})).await.field(), ("watermark", "not_pdf"));
    let first = add(&client, &file, json!({"fileVersion": 1})).await.ok(201);
    assert!(content(&client, &first.id(), &[]).await.ok(200).text.contains(STAMPED));
}

#[tokio::test]
async fn what_cannot_be_stamped_any_more_is_not_given_at_all() {
    let (app, client) = with_client().await;
    let file = file(&client, "a.txt", "a text").await;
    let made = add(&client, &file, json!({"watermark": false})).await.ok(201);
    // As an entry would be whose file another version of the service took.
    let unit = app.database.business().begin().await.unwrap();
    let entry = made.id().parse().unwrap();
    let before = unit.data_room().find(&everything(), entry).await.unwrap().unwrap();
    let mut after = before.clone();
    (after.watermark, after.version) = (true, before.version.next());
    unit.data_room().replace(&everything(), &before, &after).await.unwrap();
    unit.commit().await.unwrap();
    let refused = content(&client, &made.id(), &[]).await;
    assert_eq!(refused.problem(), (409, "file_not_stampable"));
    assert_eq!(client.get(&format!("{ROOM}/{}", made.id())).await.ok(200).json["views"], 0);
}

#[tokio::test]
async fn a_file_larger_than_a_page_of_records_is_stamped_too() {
    let (_app, client) = with_client().await;
    let text = String::from_utf8(large_pdf(8 * 1024 * 1024)).unwrap();
    let made = add(&client, &file(&client, "Plans.pdf", &text).await, json!({})).await.ok(201);
    let given = content(&client, &made.id(), &[]).await.ok(200);
    assert!(given.header("content-length").parse::<u64>().unwrap() > 4 * 1024 * 1024);
    assert!(given.text.starts_with("%PDF-1.7") && given.text.trim_end().ends_with("%%EOF"));
    assert_eq!(client.get(&format!("{ROOM}/{}", made.id())).await.ok(200).json["views"], 1);
}
