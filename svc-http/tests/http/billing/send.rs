//! Sending documents by mail: what is accepted, and what waits beside the commit.

use serde_json::json;
use svc_business::job::JobKind;

use super::line;
use super::office::Office;
use crate::test_app::Want;

async fn waiting(office: &Office) -> u32 {
    let jobs = office.app.database.business();
    jobs.jobs().waiting(office.app.ours, JobKind::Mail, 1_000).await.unwrap()
}

#[tokio::test]
async fn a_mail_waits_beside_the_commit() {
    let office = Office::new(Want::default()).await;
    let issued = office.issued(&[line("10.00")]).await;
    let send = format!("{}/send", Office::path(&issued));
    let body = json!({"to": ["admin@luna.example"], "cc": ["b@luna.example"], "subject": "Your invoice",
        "message": "Hello", "attachXml": true});
    let accepted = office.client.post(&send, &body).await.ok(202).json;
    assert_eq!((&accepted["id"], &accepted["lastSend"]), (&issued["id"], &json!(null)));
    assert_eq!(waiting(&office).await, 1);
    let key = [("idempotency-key", "one")];
    for _ in 0..2 {
        office.client.send(http::Method::POST, &send, &key, body.to_string()).await.ok(202);
    }
    assert_eq!(waiting(&office).await, 2, "a repeated request puts one mail");
    assert_eq!(office.sales_events().await, ["invoice.create", "invoice.issue"]);
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_by_name() {
    let office = Office::new(Want::default()).await;
    let draft = office.draft(&[line("10.00")]).await;
    let to = json!({"to": ["admin@luna.example"]});
    let refused = office.client.post(&format!("{}/send", Office::path(&draft)), &to).await;
    assert_eq!(refused.problem(), (409, "not_issued"));
    let issued = office.issue(&draft).await;
    let send = format!("{}/send", Office::path(&issued));
    let many: Vec<_> = (0..21).map(|number| format!("a{number}@luna.example")).collect();
    for (body, field) in [
        (json!({"to": []}), "to"),
        (json!({"to": ["admin"]}), "to[0]"),
        (json!({"to": many}), "to"),
        (json!({"to": ["a@luna.example"], "cc": ["nowhere"]}), "cc[0]"),
        (json!({"to": ["a@luna.example"], "subject": ""}), "subject"),
        (json!({"to": ["a@luna.example"], "subject": "two\r\nBcc: b@luna.example"}), "subject"),
    ] {
        assert_eq!(office.client.post(&send, &body).await.field().0, field, "{body}");
    }
    let quote =
        json!({"docType": "quote", "contactId": office.customer, "lines": [line("1.00")], "issue": true});
    let quote = office.client.post("/billing", &quote).await.ok(201).json;
    let with_xml = json!({"to": ["a@luna.example"], "attachXml": true});
    let refused = office.client.post(&format!("{}/send", Office::path(&quote)), &with_xml).await;
    assert_eq!(refused.field(), ("attachXml", "not_allowed"));
    assert_eq!(waiting(&office).await, 0);
}

#[tokio::test]
async fn files_go_out_only_for_tokens_that_see_personal_data() {
    let office = Office::new(Want { personal_data: false, ..Want::default() }).await;
    let issued = office.issued(&[line("10.00")]).await;
    let send = format!("{}/send", Office::path(&issued));
    for body in [
        json!({"to": ["admin@luna.example"]}),
        json!({"to": ["admin@luna.example"], "attachPdf": false, "attachXml": true}),
    ] {
        let refused = office.client.post(&send, &body).await;
        assert_eq!(refused.problem(), (403, "personal_data_withheld"));
    }
    office.client.post(&send, &json!({"to": ["admin@luna.example"], "attachPdf": false})).await.ok(202);
    assert_eq!(waiting(&office).await, 1);
}
