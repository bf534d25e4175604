//! The page behind a link that a person's assistant asked for.

use std::time::Duration;

use axum::body::Body;
use http::header::{ACCEPT, CONTENT_TYPE, HOST, LOCATION};
use http::{Method, Request};
use svc_auth::token::{Pepper, Peppers, TokenValue};
use svc_auth::upload::{UPLOAD_LIFE, UPLOAD_MARK, UploadLink};
use svc_core::clock::Clock as _;
use tower::ServiceExt as _;

use crate::app::TestArea;

/// A link of Ana's token for files, and the area that it is of.
async fn link(properties: &str) -> (TestArea, String) {
    let area = TestArea::new().await;
    let ana = area.signed_in("ana").await;
    let page = ana.get(&format!("{}/tokens/new", area.company())).await;
    let form = page.form("/tokens/new").with("name", "<b>Helper</b>").with("all", "full");
    let page = ana.submit(&form.with("step", "review")).await;
    let page = ana.submit(&page.form("/tokens/new").with("step", "create")).await;
    let peppers = Peppers::new(Pepper::new(1, [9; 32]), vec![]);
    let token = TokenValue::parse(&page.value("value")).unwrap();
    let auth = area.database.auth();
    let token = auth.tokens().find_by_fingerprint(&peppers.candidates(&token)).await.unwrap().unwrap();
    let value = TokenValue::generate_marked(UPLOAD_MARK, &*area.random);
    let link = UploadLink {
        fingerprint: peppers.fingerprint(&value),
        credential: token.id,
        properties: properties.replace("ACME", &area.acme.to_string()),
        until: area.clock.now().plus(UPLOAD_LIFE),
    };
    let unit = area.database.oauth().begin().await.unwrap();
    unit.uploads().add(&link).await.unwrap();
    unit.commit().await.unwrap();
    (area, format!("/uploads/{}", value.expose()))
}

/// Sends a file as the form of the page does; answers with where the browser is sent.
async fn send(area: &TestArea, path: &str, bytes: &str) -> String {
    let head = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"scan.txt\"\r\n\r\n";
    let request = Request::builder().method(Method::POST).uri(path).header(HOST, "localhost");
    let request =
        request.header(ACCEPT, "text/html,*/*").header(CONTENT_TYPE, "multipart/form-data; boundary=b");
    let request = request.body(Body::from(format!("{head}{bytes}\r\n--b--\r\n"))).unwrap();
    let response = area.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), 303, "{bytes}");
    response.headers()[LOCATION].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_person_uploads_the_file_that_their_assistant_asked_for() {
    let (area, path) = link(r#"{"companyId":"ACME","name":"Acta & anexo.txt"}"#).await;
    let browser = area.browser();
    let page = browser.get(&path).await;
    page.is(200)
        .says("<b>Helper</b> asked for a file of this company.")
        .says("Acme")
        .says("Acta & anexo.txt");
    assert!(!page.html.contains("<b>Helper"), "{}", page.html);
    assert_eq!(page.form(&path).action, path);

    let empty = send(&area, &path, "").await;
    assert_eq!(empty, format!("{path}?outcome=validation_failed"));
    browser.get(&empty).await.is(200).says("Choose a file that is not empty.");
    let stored = send(&area, &path, "Minutes\n").await;
    browser.get(&stored).await.is(200).says("The file is stored.");
    assert_eq!(send(&area, &path, "Minutes\n").await, stored, "a form that was sent twice");
    let other = send(&area, &path, "Other minutes\n").await;
    browser.get(&other).await.is(200).says("Another file was uploaded here already.");
    browser.get(&format!("{path}?outcome=%3Cb%3E")).await.is(200).says("The file was not taken.");
}

#[tokio::test]
async fn an_address_that_is_over_says_so_in_the_language_of_the_browser() {
    let (area, path) = link(r#"{"companyId":"ACME"}"#).await;
    let mut browser = area.browser();
    browser.language = "es";
    browser.get(&path).await.is(200).says("Subir un archivo");
    for unknown in [format!("{path}x"), "/uploads/x".to_owned()] {
        browser.get(&unknown).await.is(404).says("Esta dirección no acepta archivos");
    }
    area.clock.advance(Duration::from_mins(15));
    browser.get(&path).await.is(404);
    let late = send(&area, &path, "Minutes\n").await;
    browser.get(&late).await.is(404).says("Esta dirección no acepta archivos");
}
