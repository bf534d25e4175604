//! Invoices that go out by mail: into a folder, as a first run has it.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Answer, Receiver, Site, await_that};

#[test]
fn an_invoice_goes_out_as_a_file_and_its_event_follows() {
    let site = Site::new().with("SVC_MAIL__FROM", "billing@sol.example");
    let [company, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let address = json!({"line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES"});
    let complete = json!({"taxId": "B12345674", "address": address});
    api.patch(&format!("/api/v1/accounts/{company}"), &complete).expect(200);
    let customer =
        json!({"kind": "organization", "legalName": "Luna SA", "taxId": "A58818501", "address": address});
    let customer = api.post("/api/v1/contacts", &customer).expect(201);
    let invoice = json!({"docType": "invoice", "contactId": customer["id"], "issue": true,
        "lines": [{"description": "Obra", "unitPrice": "100.00"}]});
    let invoice = api.post("/api/v1/billing", &invoice).expect(201);
    let receiver = Receiver::answering(Answer::Status(200));
    let (_, secret) = api.subscribe(&receiver.url, &["invoice.send"]);
    let path = format!("/api/v1/billing/{}", invoice["id"].as_str().expect("an id"));
    let mail = json!({"to": ["admin@luna.example"], "attachXml": true});
    api.post(&format!("{path}/send"), &mail).expect(202);
    let hit = receiver.next();
    hit.assert_signed_with(&secret);
    assert_eq!(hit.json()["data"]["id"], invoice["id"]);
    let sent = api.get(&path).expect(200);
    assert_eq!(sent["lastSend"]["status"], "accepted", "{sent}");
    let files =
        || fs::read_dir(site.path().join("data/mail")).expect("a folder").map(|file| file.expect("a file"));
    let mut names = files();
    let (file, none) = (names.next().expect("a mail"), names.next());
    assert!(none.is_none(), "{none:?}");
    let text = fs::read_to_string(file.path()).expect("a text");
    let number = invoice["number"].as_str().expect("a number");
    for line in [
        "From: \"Sol SL\" <billing@sol.example>".to_owned(),
        "To: admin@luna.example".to_owned(),
        format!("filename=\"{number}.pdf\""),
        format!("filename=\"{number}.xml\""),
    ] {
        assert!(text.contains(&line), "no `{line}` in\n{}", text.chars().take(1_000).collect::<String>());
    }
    let mut jobs = Value::Null;
    await_that("the run is shown", || {
        jobs = site.json(&["queue", "status"])["jobs"].clone();
        jobs["latest"].as_array().is_some_and(|jobs| jobs.iter().any(|job| job["kind"] == "mail"))
    });
    server.stop();
}

#[test]
fn a_mail_that_no_server_takes_is_kept_and_tried_again() {
    let site = Site::new()
        .with("SVC_MAIL__FROM", "billing@sol.example")
        .with("SVC_MAIL__SMTP_URL", "smtp://127.0.0.1:9");
    let [company, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let contact =
        api.post("/api/v1/contacts", &json!({"kind": "organization", "legalName": "Luna SA"})).expect(201);
    let address = json!({"line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES"});
    let complete = json!({"taxId": "B12345674", "address": address});
    api.patch(&format!("/api/v1/accounts/{company}"), &complete).expect(200);
    let quote = json!({"docType": "quote", "contactId": contact["id"], "issue": true,
        "lines": [{"description": "Obra", "unitPrice": "1.00"}]});
    let quote = api.post("/api/v1/billing", &quote).expect(201);
    let path = format!("/api/v1/billing/{}/send", quote["id"].as_str().expect("an id"));
    api.post(&path, &json!({"to": ["admin@luna.example"]})).expect(202);
    let mut job = Value::Null;
    await_that("the mail failed once", || {
        job = site.json(&["queue", "status"])["jobs"]["troubled"][0].clone();
        job["failures"] == 1
    });
    assert_eq!((&job["kind"], &job["lastRun"]["outcome"]), (&json!("mail"), &json!("failed")), "{job}");
    assert!(job["due"].is_string(), "{job}");
    assert_eq!(server.counted("svc_jobs_total{kind=\"mail\",outcome=\"failed\"}"), 1);
    server.stop();
}

#[test]
fn a_mail_server_needs_an_address_and_no_password_in_the_clear() {
    let site = Site::new().with("SVC_MAIL__SMTP_URL", "smtps://user:secret@mail.example.com");
    let refused = site.run(&["migrate"]);
    assert!(refused.stderr.contains("mail.from"), "{refused:?}");
    let site = Site::new()
        .with("SVC_MAIL__FROM", "billing@sol.example")
        .with("SVC_MAIL__SMTP_URL", "smtp://user:secret@mail.example.com:587");
    let refused = site.run(&["migrate"]);
    assert!(refused.stderr.contains("tls=required"), "{refused:?}");
    assert!(!refused.stderr.contains("secret"), "{refused:?}");
}
