//! Tax returns and notices: prepared and seen to by an assistant, filed once a person has approved it in the client area.

use serde_json::json;
use svc_auth::token::ConnectionRole;
use svc_core::role::Role;

use crate::commits::asked;
use crate::world::{Era, World};

#[tokio::test]
async fn a_return_is_found_prepared_and_filed_with_approval() {
    let world = World::new().await;
    let token = world.assistant(Role::Holder, ConnectionRole::Full).await;
    let made = world.made("/tax/returns", &json!({ "model": "303", "year": 2025, "period": "02" })).await;
    let early = world.tool(&token, "tax_return_prepare", json!({ "id": made["id"] })).await.content().clone();
    assert_eq!(
        (&early["item"]["status"], &early["company"]),
        (&json!("prepared"), &json!(world.acme.to_string()))
    );
    assert!(early["item"]["boxes"].as_array().is_some_and(|boxes| !boxes.is_empty()));
    let found = world.tool(&token, "tax_returns_find", json!({ "model": "303", "period": "02" })).await;
    let item = found.content()["items"][0].clone();
    assert_eq!((&item["id"], &item["status"], item.get("boxes")), (&made["id"], &json!("prepared"), None));
    let stale = json!({ "id": made["id"], "if_version": 1 });
    assert_eq!(world.tool(&token, "tax_return_prepare", stale).await.refused()["code"], "version_conflict");

    let submit = json!({
        "id": made["id"], "if_version": item["version"], "data": { "channel": "manual", "receiptNumber": "2025303123" },
    });
    let call = async || {
        let params = json!({ "name": "tax_return_submit", "arguments": submit });
        world.ask_with(Era::Stateless, &token, ("tools/call", params), json!({ "elicitation": {} })).await
    };
    let id = asked(&call().await);
    let shown = world.approval(id).await.shown;
    let said = |name: &str| shown.iter().find(|line| line.name == name).map(|line| &*line.value);
    assert_eq!(
        (said("model"), said("period"), said("data.receiptNumber")),
        (Some("303"), Some("02 2025"), Some("2025303123"))
    );
    assert!(said("result.type").is_some_and(|result| result.contains("0.00")), "{shown:?}");
    world.decide(id, true).await;
    let filed = call().await.content()["item"].clone();
    assert_eq!(
        (&filed["status"], &filed["submission"]["receiptNumber"]),
        (&json!("submitted"), &json!("2025303123"))
    );
}

#[tokio::test]
async fn the_profile_tells_which_returns_are_owed() {
    let world = World::new().await;
    let token = world.assistant(Role::Accountant, ConnectionRole::ReadOnly).await;
    let profile = world.tool(&token, "tax_profile_get", json!({})).await.content().clone();
    assert_eq!(profile["item"]["object"], "tax_profile");
    let owed = profile["item"]["obligations"].as_array().unwrap();
    assert!(owed.iter().any(|one| one["model"] == "303" && one["dueDate"].is_string()), "{profile}");
    assert!(profile["untrusted"].as_array().unwrap().contains(&json!("activities")));
}

#[tokio::test]
async fn a_notice_is_seen_to_and_never_accessed() {
    let world = World::new().await;
    let token = world.assistant(Role::Accountant, ConnectionRole::Operator).await;
    let notice = json!({
        "source": "aeat", "kind": "notification", "issuer": "AEAT", "subject": "Requerimiento", "reference": "R-1",
        "availableAt": "2025-02-28T09:00:00Z",
    });
    let id = world.notice(notice).await;
    let data = json!({
        "responseDueOn": "2025-03-20", "assignedUserId": crate::world::person(Role::Holder).to_string(), "handled": true,
    });
    let update = json!({ "id": id, "if_version": 1, "data": data });
    let seen = world.tool(&token, "notice_update", update.clone()).await.content().clone();
    assert_eq!(
        (&seen["item"]["responseDueOn"], &seen["item"]["handled"], &seen["item"]["status"]),
        (&json!("2025-03-20"), &json!(true), &json!("available"))
    );
    assert!(seen["untrusted"].as_array().unwrap().contains(&json!("subject")));
    assert_eq!(world.tool(&token, "notice_update", update).await.refused()["code"], "version_conflict");
    let access = json!({ "id": id, "data": { "status": "accessed" } });
    assert_eq!(world.tool(&token, "notice_update", access).await.refused()["code"], "validation_failed");
    let keyed = json!({ "id": id, "data": {}, "idempotency_key": "k" });
    assert_eq!(world.tool(&token, "notice_update", keyed).await.refused()["argument"], "idempotency_key");
}
