//! Suppliers in the order of the names of their contacts, whatever changes those.

use serde_json::{Value, json};

use crate::billing::office::Office;
use crate::test_app::Want;

async fn in_order(office: &Office, sort: &str) -> Vec<String> {
    let found = office.client.get(&format!("/suppliers?sort={sort}")).await.ok(200).json;
    let name = |supplier: &Value| supplier["name"].as_str().unwrap().to_owned();
    found["items"].as_array().unwrap().iter().map(name).collect()
}

#[tokio::test]
async fn suppliers_are_sorted_by_the_names_of_their_contacts() {
    let office = Office::new(Want::default()).await;
    let client = &office.client;
    let mut made = Vec::new();
    for name in ["Zinc SL", "luz SA", "Águila SL"] {
        let contact = json!({"kind": "organization", "legalName": name});
        made.push(client.post("/suppliers", &json!({ "contact": contact })).await.ok(201).json);
    }
    assert_eq!(in_order(&office, "name").await, ["Águila SL", "luz SA", "Zinc SL"]);
    assert_eq!(in_order(&office, "-name").await, ["Zinc SL", "luz SA", "Águila SL"]);
    let contact = |at: usize| format!("/contacts/{}", made[at]["contactId"].as_str().unwrap());
    client.patch(&contact(0), &[], &json!({"legalName": "Hierro SL"})).await.ok(200);
    assert_eq!(in_order(&office, "name").await, ["Águila SL", "Hierro SL", "luz SA"]);
    let renamed = json!({"contact": {"legalName": "Yeso SL"}});
    let path = format!("/suppliers/{}", made[2]["id"].as_str().unwrap());
    client.patch(&path, &[], &renamed).await.ok(200);
    assert_eq!(in_order(&office, "name").await, ["Hierro SL", "luz SA", "Yeso SL"]);
    // A contact that is no supplier takes the place of one.
    let other = json!({"kind": "organization", "legalName": "Zurbano SL"});
    let other = client.post("/contacts", &other).await.ok(201).id();
    let merged = json!({"mergedId": made[0]["contactId"]});
    client.post(&format!("/contacts/{other}/merge"), &merged).await.ok(200);
    assert_eq!(in_order(&office, "name").await, ["luz SA", "Yeso SL", "Zurbano SL"]);
}
