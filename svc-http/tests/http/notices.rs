//! Notices of public bodies, by the API and by people.

use serde_json::{Value, json};
use svc_core::clock::Clock as _;

use crate::client_area::ClientAreaApp;
use crate::test_app::{Client, TestApp, Want};

const NOTICES: &str = "/tax/notices";

/// A notification that was made available a day ago.
fn notification(reference: &str) -> Value {
    json!({"source": "aeat", "kind": "notification", "issuer": "Agencia Tributaria", "subject": "Requerimiento IVA",
        "reference": reference, "availableAt": "2025-02-28T09:00:00Z", "recipientTaxId": "B12345674"})
}

async fn with_client() -> (TestApp, Client) {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    (app, client)
}

#[tokio::test]
async fn a_notice_is_recorded_once_and_seen_to() {
    let (app, client) = with_client().await;
    let made = client.post(NOTICES, &notification("N-1")).await.ok(201);
    let path = format!("{NOTICES}/{}", made.id());
    assert_eq!(made.header("location"), format!("/api/v1{path}"));
    let told = |name: &str| made.json[name].clone();
    assert_eq!(
        (told("object"), told("status"), told("expiresOn"), told("handled"), told("recipientTaxId")),
        (json!("notice"), json!("available"), json!("2025-03-10"), json!(false), json!("B12345674"))
    );
    let again = client.post(NOTICES, &notification("N-1")).await;
    assert_eq!(
        (again.problem(), again.json["errors"][0]["field"].clone()),
        ((409, "already_exists"), json!("reference"))
    );
    let customer = json!({"kind": "organization", "legalName": "Luna SA"});
    let customer = client.post("/contacts", &customer).await.ok(201).id();
    let case = json!({"title": "Requerimiento", "type": "tax", "contactId": customer});
    let case = client.post("/cases", &case).await.ok(201).id();
    let seen = json!({"caseId": case, "responseDueOn": "2025-03-20", "handled": true});
    let seen = client.patch(&path, &[], &seen).await.ok(200).json;
    assert_eq!((&seen["caseId"], &seen["version"]), (&json!(case), &json!(2)));
    let list =
        client.get(&format!("{NOTICES}?caseId={case}&handled=true&q=requerimiento")).await.ok(200).json;
    assert_eq!((&list["total"], &list["items"][0]["id"]), (&json!(1), &made.json["id"]));
    let cleared = client.patch(&path, &[], &json!({"caseId": null})).await.ok(200).json;
    assert_eq!((&cleared["caseId"], &cleared["responseDueOn"]), (&Value::Null, &json!("2025-03-20")));
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    assert_eq!(masked.get(&path).await.ok(200).json["recipientTaxId"], "B******74");
    let events = app.events().await;
    let told: Vec<_> = events.iter().map(|event| event.kind.name()).collect();
    assert_eq!(told.iter().filter(|name| name.starts_with("notice.")).count(), 1, "{told:?}");
}

#[tokio::test]
async fn what_is_wrong_with_a_notice_is_told_by_its_member() {
    let (_app, client) = with_client().await;
    let with = |name: &str, value: Value| {
        let mut body = notification("N-1");
        body[name] = value;
        body
    };
    let unknown = |kind: &str| json!(format!("{kind}_{}", "0".repeat(26)));
    for (name, value, code) in [
        ("issuer", json!(" "), "required"),
        ("subject", json!("x".repeat(501)), "too_long"),
        ("reference", json!("a\u{202e}b"), "invalid_characters"),
        ("availableAt", json!("2025-02-28"), "invalid_instant"),
        ("availableAt", json!("2999-01-01T00:00:00Z"), "out_of_range"),
        ("recipientTaxId", json!("B12345675"), "invalid_tax_id"),
        ("recipientTaxId", json!("B******74"), "masked_value_rejected"),
        ("responseDueOn", json!("2025-02-30"), "invalid_date"),
        ("caseId", unknown("cas"), "unknown_reference"),
        ("assignedUserId", unknown("usr"), "unknown_reference"),
    ] {
        let refused = client.post(NOTICES, &with(name, value)).await;
        assert_eq!(refused.field(), (name, code));
    }
    let made = client.post(NOTICES, &notification("N-2")).await.ok(201).id();
    let path = format!("{NOTICES}/{made}");
    for (body, field) in [
        (json!({"handled": null}), ("handled", "required")),
        (json!({"caseId": unknown("cas")}), ("caseId", "unknown_reference")),
        (json!({"assignedUserId": unknown("usr")}), ("assignedUserId", "unknown_reference")),
        (json!({"subject": "Otro"}), ("subject", "read_only_field")),
        (json!({"status": "accessed"}), ("status", "read_only_field")),
    ] {
        assert_eq!(client.patch(&path, &[], &body).await.field(), field, "{body}");
    }
}

#[tokio::test]
async fn a_term_counts_from_the_day_on_which_a_notification_was_served() {
    let (_app, client) = with_client().await;
    let waiting = client.post(NOTICES, &notification("N-1")).await.ok(201);
    let waiting = format!("{NOTICES}/{}", waiting.id());
    let mut old = notification("N-2");
    old["availableAt"] = json!("2025-02-01T09:00:00Z");
    let old = client.post(NOTICES, &old).await.ok(201);
    // It was not accessed, so it counts as served on its last day, a Tuesday.
    assert_eq!((&old.json["status"], &old.json["expiresOn"]), (&json!("expired"), &json!("2025-02-11")));
    let old = format!("{NOTICES}/{}", old.id());
    for (body, last) in [
        (json!({"responseWorkingDays": 10}), "2025-02-25"),
        (json!({"responseNaturalDays": 30}), "2025-03-13"),
        // The fourth is a Saturday.
        (json!({"responseNaturalDays": 4}), "2025-02-17"),
    ] {
        let due = client.patch(&old, &[], &body).await.ok(200).json["responseDueOn"].clone();
        assert_eq!(due, last, "{body}");
    }
    let [working, natural] = ["responseWorkingDays", "responseNaturalDays"];
    for (path, body, field) in [
        (&waiting, json!({working: 10}), (working, "not_served")),
        (&old, json!({working: 0}), (working, "out_of_range")),
        (&old, json!({natural: 367}), (natural, "out_of_range")),
        (&old, json!({natural: null}), (natural, "required")),
        (&old, json!({working: 10, natural: 10}), (natural, "not_allowed")),
        (&old, json!({working: 10, "responseDueOn": "2025-03-20"}), (working, "not_allowed")),
    ] {
        assert_eq!(client.patch(path, &[], &body).await.field(), field, "{body}");
    }
    assert_eq!(client.get(&old).await.ok(200).json["responseDueOn"], "2025-02-17");
}

#[tokio::test]
async fn people_access_and_reject_and_tokens_do_not() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let body = json!({"name": "Notices", "permissions": ["full"], "personalData": true,
        "primaryAccountId": area.acme, "accountIds": [], "groupIds": []});
    let token = ana.post("/tokens", &body).await.ok(201).json["value"].as_str().unwrap().to_owned();
    let token = Client { router: area.router.clone(), token };
    let make = async |reference: &str, kind: &str| {
        let mut body = notification(reference);
        body["kind"] = json!(kind);
        format!("{NOTICES}/{}", token.post(NOTICES, &body).await.ok(201).id())
    };
    let [first, second, third] = [
        make("N-1", "notification").await,
        make("N-2", "notification").await,
        make("N-3", "communication").await,
    ];
    let refused = token.post(&format!("{first}/access"), &json!({})).await;
    assert_eq!(refused.problem(), (403, "account_token_not_accepted"));
    let act = async |path: &str, verb: &str| ana.act(&format!("{path}/{verb}")).await;
    let accessed = act(&first, "access").await.ok(200).json;
    assert_eq!((&accessed["status"], accessed["accessedAt"].is_string()), (&json!("accessed"), true));
    let rejected = act(&second, "reject").await.ok(200).json;
    assert_eq!((&rejected["status"], rejected["rejectedAt"].is_string()), (&json!("rejected"), true));
    for (path, verb) in [(&first, "access"), (&first, "reject"), (&second, "access")] {
        assert_eq!(act(path, verb).await.problem(), (409, "notice_not_available"), "{path} {verb}");
    }
    assert_eq!(act(&third, "reject").await.problem(), (409, "not_a_notification"));
    let informed = act(&third, "access").await.ok(200).json;
    assert_eq!((&informed["status"], &informed["expiresOn"]), (&json!("accessed"), &Value::Null));
}

#[tokio::test]
async fn a_notification_whose_term_has_passed_is_expired_at_once() {
    let (app, client) = with_client().await;
    let expired = |days: u64| {
        let mut body = notification(&format!("N-{days}"));
        let at = app.clock.now().minus(std::time::Duration::from_hours(24 * days));
        body["availableAt"] = json!(at.to_string());
        body
    };
    for (days, status) in [(10, "available"), (11, "expired")] {
        assert_eq!(client.post(NOTICES, &expired(days)).await.ok(201).json["status"], status, "{days}");
    }
}
