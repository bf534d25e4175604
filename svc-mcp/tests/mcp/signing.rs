//! Envelopes: drafted by an assistant, and sent once a person has approved it in the client area.

use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_core::role::Role;

use crate::commits::asked;
use crate::world::{Era, World};

async fn drafted(world: &World, token: &str) -> Value {
    let file = world.pdf("Lease.pdf").await;
    let data = json!({
        "subject": "Lease of the office", "message": "Please sign", "files": [{ "fileId": file["id"] }],
        "signers": [{ "name": "Ana", "email": "ana@example.com" }],
    });
    world.tool(token, "envelope_draft_save", json!({ "data": data })).await.content()["item"].clone()
}

#[tokio::test]
async fn an_envelope_is_drafted_changed_and_found() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::Operator).await;
    let draft = drafted(&world, &token).await;
    assert_eq!(draft["status"], "draft");
    let change =
        json!({ "id": draft["id"], "if_version": draft["version"], "data": { "order": "sequential" } });
    let changed = world.tool(&token, "envelope_draft_save", change).await.content()["item"].clone();
    assert_eq!(changed["order"], "sequential");
    let send = json!({ "data": { "subject": "x", "send": true } });
    assert_eq!(world.tool(&token, "envelope_draft_save", send).await.refused()["argument"], "data.send");
    let found = world.tool(&token, "envelopes_find", json!({ "signerEmail": "ana@example.com" })).await;
    let item = &found.content()["items"][0];
    assert_eq!((&item["id"], &item["subject"]), (&draft["id"], &json!("Lease of the office")));
    let ids = json!({ "ids": [draft["id"]], "fields": "full" });
    let read = world.tool(&token, "envelopes_find", ids).await.content()["items"][0].clone();
    assert_eq!(read["signers"][0]["status"], "waiting");
    let searched = world.tool(&token, "search", json!({ "q": "lease" })).await.content()["found"].clone();
    assert_eq!((&searched["envelopes"][0]["id"], searched["files"].is_array()), (&draft["id"], true));
}

/// A form in the client is not enough: what binds people is decided in the client area.
#[tokio::test]
async fn an_envelope_is_sent_only_by_the_page() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::Full).await;
    let draft = drafted(&world, &token).await;
    let send = json!({ "id": draft["id"], "if_version": draft["version"] });
    let call = async |more: Value, elicitation: Value| {
        let mut params = json!({ "name": "envelope_send", "arguments": send });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let can = json!({ "elicitation": elicitation });
        world.ask_with(Era::Stateless, &token, ("tools/call", params), can).await
    };
    let id = asked(&call(json!({}), json!({})).await);
    assert_eq!(asked(&call(json!({}), json!({ "url": {} })).await), id);
    let shown = world.approval(id).await.shown;
    let said = |name: &str| shown.iter().find(|line| line.name == name).map(|line| &*line.value);
    assert_eq!(said("subject"), Some("Lease of the office"));
    assert_eq!(said("signer"), Some("Ana · ana@example.com · signer · 1 · email"));
    assert!(said("file").unwrap().starts_with("Lease.pdf · 1 · application/pdf"), "{shown:?}");
    let ticked = json!({ "action": "accept", "content": { "approve": true } });
    let forged = json!({ "requestState": id.to_string(), "inputResponses": { "approval": ticked } });
    assert_eq!(asked(&call(forged, json!({})).await), id, "a form decides nothing here");
    world.decide(id, true).await;
    let done = call(json!({}), json!({})).await.content().clone();
    assert_eq!(
        (&done["item"]["status"], &done["item"]["signers"][0]["status"]),
        (&json!("sent"), &json!("notified"))
    );
}

/// The version of a draft does not tell of its files: what people are asked to sign is what was approved.
#[tokio::test]
async fn a_file_that_was_renamed_in_between_is_shown_anew() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::Full).await;
    let draft = drafted(&world, &token).await;
    let send = json!({ "id": draft["id"], "if_version": draft["version"] });
    let first = asked(&world.tool(&token, "envelope_send", send.clone()).await);
    world.decide(first, true).await;
    let path = format!("/files/{}", draft["files"][0]["fileId"].as_str().unwrap());
    world.changed(&path, &json!({ "name": "Sale.pdf" })).await;
    let next = asked(&world.tool(&token, "envelope_send", send).await);
    assert_ne!(next, first);
    let shown = world.approval(next).await.shown;
    assert!(shown.iter().any(|line| line.value.starts_with("Sale.pdf")), "{shown:?}");
}
