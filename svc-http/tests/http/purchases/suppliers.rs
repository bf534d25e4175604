//! Suppliers and their contacts: the order of names, and what becomes of two whose contacts are one.

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

#[tokio::test]
async fn suppliers_whose_contacts_are_merged_are_one() {
    let office = Office::new(Want::default()).await;
    let client = &office.client;
    let mut made = Vec::new();
    for (name, more) in
        [("Luz SA", json!({})), ("Luz y Gas SA", json!({"code": "S-7", "paymentTermDays": 15}))]
    {
        let mut body = json!({"contact": {"kind": "organization", "legalName": name}});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        made.push(client.post("/suppliers", &body).await.ok(201).json);
    }
    let bought = |supplier: usize, number: &str| {
        json!({"docType": "invoice", "supplierId": made[supplier]["id"], "number": number, "issueDate": "2025-02-10",
            "lines": [{"description": "Luz", "unitPrice": "100.00"}]})
    };
    let post = async |body: Value| client.post("/supplier-documents", &body).await;
    let first = post(bought(0, "F-1")).await.ok(201);
    let same = post(bought(1, "F-1")).await.ok(201);
    let other = post(bought(1, "F-2")).await.ok(201);
    let merge = format!("/contacts/{}/merge", made[0]["contactId"].as_str().unwrap());
    let merged = json!({"mergedId": made[1]["contactId"]});
    // The same invoice came in twice: people say which one goes.
    assert_eq!(client.post(&merge, &merged).await.problem(), (409, "duplicate_document"));
    let reject = format!("/supplier-documents/{}/reject", same.id());
    client.post(&reject, &json!({"reason": "Dos veces"})).await.ok(200);
    client.post(&merge, &merged).await.ok(200);
    let left = client.get("/suppliers").await.ok(200).json;
    assert_eq!((&left["total"], &left["items"][0]["id"]), (&json!(1), &made[0]["id"]));
    assert_eq!(
        (&left["items"][0]["code"], &left["items"][0]["paymentTermDays"]),
        (&json!("S-7"), &json!(15))
    );
    let moved = client.get(&format!("/supplier-documents/{}", other.id())).await.ok(200).json;
    assert_eq!(moved["supplierId"], made[0]["id"]);
    assert_eq!(post(bought(0, "F-2")).await.problem(), (409, "duplicate_document"));
    assert_eq!(client.get(&format!("/supplier-documents/{}", first.id())).await.ok(200).json["version"], 1);
    assert_eq!(client.get(&format!("/suppliers/{}", made[1]["id"].as_str().unwrap())).await.problem().0, 404);
}
