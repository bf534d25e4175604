//! What a token that sees personal data masked finds out by trying values: nothing.
//!
//! Each route that takes or compares a masked member is given the value that another contact has and one that
//! no contact has. Both look alike where they are masked, and both must have the same answer.

use serde_json::{Value, json};

use crate::test_app::{Answer, Client, TestApp, Want};

const TAX_IDS: [&str; 2] = ["12345678Z", "12345908Z"];
const PHONES: [&str; 2] = ["+34600123456", "+34600223456"];
const IBANS: [&str; 2] = ["ES9121000418450200051332", "DE89370400440532013000"];

/// A service in which a contact has the first of all values, a token that sees them masked, and the contact.
async fn service() -> (TestApp, Client, String) {
    let app = TestApp::new().await;
    let owner = app.client(Want::default()).await;
    let known = json!({
        "kind": "person", "givenName": "Ada", "familyName": "Sol", "taxId": TAX_IDS[0], "phone": PHONES[0],
        "iban": IBANS[0], "dateOfBirth": "1980-01-31",
        "address": {"line1": "Mayor 1", "postalCode": "28001", "city": "Madrid", "country": "ES"}
    });
    let known = owner.post("/contacts", &known).await.ok(201).id();
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    (app, masked, known)
}

fn person(members: &Value) -> Value {
    let mut person = json!({"kind": "person", "givenName": "Own", "familyName": "Contact"});
    person.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    person
}

/// What an answer tells, without what differs between any two answers.
fn told(answer: &Answer) -> Value {
    fn without_ids(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|name, _| {
                    !["id", "createdAt", "updatedAt", "requestId", "iban"].contains(&name.as_str())
                });
                members.values_mut().for_each(without_ids);
            }
            Value::Array(items) => items.iter_mut().for_each(without_ids),
            Value::String(text) if text.contains("con_") => *text = "con_".to_owned(),
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut json = answer.json.clone();
    without_ids(&mut json);
    json!({"status": answer.status.as_u16(), "etag": answer.header("etag"), "body": json})
}

#[tokio::test]
async fn writing_a_tax_id_that_another_contact_has_is_no_different() {
    let (_app, masked, _) = service().await;
    let mut answers = Vec::new();
    for tax_id in TAX_IDS {
        let mut seen = Vec::new();
        let made = masked.post("/contacts", &person(&json!({"taxId": tax_id}))).await.ok(201);
        let items = json!({"items": [person(&json!({"taxId": tax_id}))]});
        seen.push(told(&masked.post("/contacts/bulk", &items).await.ok(200)));
        let own = masked.post("/contacts", &person(&json!({}))).await.ok(201).id();
        let items = json!({"items": [{"id": own, "taxId": tax_id}]});
        seen.push(told(&masked.post("/contacts/bulk", &items).await.ok(200)));
        let path = format!("/contacts/{own}");
        for patch in [json!({"status": "archived"}), json!({"status": "active"}), json!({"taxId": tax_id})] {
            seen.push(told(&masked.patch(&path, &[], &patch).await.ok(200)));
        }
        seen.push(told(&made));
        answers.push(seen);
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn possible_duplicates_are_not_found_by_what_is_masked() {
    let (app, masked, _) = service().await;
    let mut found = Vec::new();
    for (tax_id, phone) in TAX_IDS.into_iter().zip(PHONES) {
        let members = json!({"taxId": tax_id, "phone": phone, "mobile": phone});
        let own = masked.post("/contacts", &person(&members)).await.ok(201).id();
        let path = format!("/contacts/{own}/duplicates");
        found.push(told(&masked.get(&path).await.ok(200)));
        masked
            .patch(&format!("/contacts/{own}"), &[], &json!({"status": "archived", "givenName": own}))
            .await
            .ok(200);
    }
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0]["body"]["items"], json!([]));
    // Tokens that see them are told.
    let owner = app.client(Want::default()).await;
    let members = json!({"taxId": TAX_IDS[0], "allowDuplicate": true});
    let own = owner.post("/contacts", &person(&members)).await.ok(201).id();
    let found = owner.get(&format!("/contacts/{own}/duplicates")).await.ok(200);
    assert_eq!(found.json["items"][0]["reasons"], json!(["tax_id"]));
}

#[tokio::test]
async fn merging_does_not_tell_whether_tax_ids_or_accounts_are_equal() {
    let mut answers = Vec::new();
    for (tax_id, iban) in TAX_IDS.into_iter().zip(IBANS) {
        let (_app, masked, known) = service().await;
        let own = masked.post("/contacts", &person(&json!({"taxId": tax_id}))).await.ok(201).id();
        let mut seen = Vec::new();
        for (kept, merged) in [(&own, &known), (&known, &own)] {
            let body = json!({"mergedId": merged});
            seen.push(told(&masked.post(&format!("/contacts/{kept}/merge"), &body).await));
        }
        let bank = person(&json!({"iban": iban, "bic": "CAIXESBBXXX"}));
        let bank = masked.post("/contacts", &bank).await.ok(201).id();
        let merge = masked.post(&format!("/contacts/{known}/merge"), &json!({"mergedId": bank})).await;
        seen.push(told(&merge.ok(200)));
        answers.push(seen);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0][0]["status"], 409);
}

#[tokio::test]
async fn a_write_of_what_is_there_already_moves_the_version_too() {
    for (right, wrong) in [
        (json!({"taxId": TAX_IDS[0]}), json!({"taxId": TAX_IDS[1]})),
        (json!({"phone": PHONES[0]}), json!({"phone": PHONES[1]})),
        (json!({"iban": IBANS[0]}), json!({"iban": IBANS[1]})),
        (json!({"dateOfBirth": "1980-01-31"}), json!({"dateOfBirth": "1981-01-31"})),
        (json!({"address": {"city": "Madrid"}}), json!({"address": {"city": "Sevilla"}})),
    ] {
        let mut answers = Vec::new();
        for patch in [&right, &wrong] {
            let (app, masked, known) = service().await;
            let before = app.events().await.len();
            answers.push(told(&masked.patch(&format!("/contacts/{known}"), &[], patch).await.ok(200)));
            assert_eq!(app.events().await.len(), before + 1, "{patch}");
        }
        assert_eq!(answers[0], answers[1], "{right}");
    }
}

#[tokio::test]
async fn companies_with_the_same_tax_id_are_told_to_tokens_that_see_it() {
    let app = TestApp::new().await;
    let reach = [app.ours, app.other];
    let owner = app.client(Want { companies: &reach, ..Want::default() }).await;
    let masked = app.client(Want { companies: &reach, personal_data: false, ..Want::default() }).await;
    let (ours, other) = (format!("/accounts/{}", app.ours), format!("/accounts/{}", app.other));
    owner.patch(&other, &[], &json!({"taxId": "B12345674"})).await.ok(200);
    for tax_id in ["B12345674", "A58818501"] {
        let patched = masked.patch(&ours, &[], &json!({"taxId": tax_id})).await.ok(200);
        assert_eq!(patched.json.get("duplicateAccountIds"), None);
        assert_eq!(masked.get(&ours).await.ok(200).json.get("duplicateAccountIds"), None);
        // Not by a merge that is refused for it, either.
        let merge = masked.post(&format!("{ours}/merge"), &json!({"mergedId": app.other})).await;
        assert_eq!(merge.problem(), (409, "tax_id_conflict"));
    }
    owner.patch(&ours, &[], &json!({"taxId": "B12345674"})).await.ok(200);
    assert_eq!(owner.get(&ours).await.ok(200).json["duplicateAccountIds"], json!([app.other]));
}
