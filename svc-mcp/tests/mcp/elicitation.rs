//! Clients that ask their person themselves: by a form, or by the page that they open.

use std::time::Duration;

use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_core::id::ApprovalId;
use svc_core::role::Role;

use crate::commits::{Desk, asked};
use crate::world::Era;

/// One call of a client of the stateless revision that can ask its person.
async fn elicited(desk: &Desk, elicitation: Value, more: Value) -> Value {
    let mut params = json!({ "name": "invoice_issue", "arguments": desk.issue() });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let capabilities = json!({ "elicitation": elicitation });
    let call = ("tools/call", params);
    let answer = desk.world.ask_with(Era::Stateless, &desk.token, call, capabilities).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json["result"].clone()
}

fn told(state: &Value, answer: &Value) -> Value {
    json!({ "requestState": state, "inputResponses": { "approval": answer } })
}

#[tokio::test]
async fn a_client_that_can_asks_its_person_itself() {
    let desk = Desk::new().await;
    let asks = elicited(&desk, json!({}), json!({})).await;
    assert_eq!(asks["resultType"], "input_required", "{asks}");
    let form = &asks["inputRequests"]["approval"]["params"];
    assert_eq!(form["requestedSchema"]["required"], json!(["approve"]));
    let message = form["message"].as_str().unwrap();
    for line in ["totals.payable: 121.00 EUR", "customer.name: Ferretería Sol SL", "company: "] {
        assert!(message.contains(line), "{message}");
    }
    let state = asks["requestState"].clone();
    // Closing the form decides nothing; the page is there still.
    let closed = elicited(&desk, json!({}), told(&state, &json!({ "action": "cancel" }))).await;
    assert!(
        closed["isError"] == true
            && closed["content"][0]["text"].as_str().unwrap().contains("approval_required")
    );
    // What another assistant, or another call, was told is worth nothing here.
    let colleague = desk.world.assistant(Role::Holder, ConnectionRole::Full).await;
    let thief = Desk { world: desk.world, token: colleague, draft: desk.draft };
    let accept = json!({ "action": "accept", "content": { "approve": true } });
    let stolen = elicited(&thief, json!({}), told(&state, &accept)).await;
    assert!(stolen["isError"] == true, "{stolen}");
    assert_eq!(thief.status().await, "draft");

    // One that shows no forms has none to send back.
    let named = thief.call("invoice_issue", thief.issue()).await;
    let ticked = told(&json!(asked(&named).to_string()), &accept);
    let mut params = json!({ "name": "invoice_issue", "arguments": thief.issue() });
    params.as_object_mut().unwrap().extend(ticked.as_object().unwrap().clone());
    for era in [Era::Initialized, Era::Stateless] {
        let unseen = thief.world.ask(era, &thief.token, "tools/call", params.clone()).await;
        assert_eq!(unseen.refused()["code"], "approval_required", "{era:?}");
    }

    let own = elicited(&thief, json!({}), json!({})).await;
    assert_eq!(own["resultType"], "input_required", "{own}");
    let done = elicited(&thief, json!({}), told(&own["requestState"], &accept)).await;
    assert_eq!(done["structuredContent"]["item"]["status"], "issued", "{done}");
}

#[tokio::test]
async fn a_form_that_is_not_ticked_declines_and_a_client_of_pages_opens_the_page() {
    let desk = Desk::new().await;
    let asks = elicited(&desk, json!({ "form": {} }), json!({})).await;
    let refusal = json!({ "action": "accept", "content": { "approve": false } });
    let refused = elicited(&desk, json!({ "form": {} }), told(&asks["requestState"], &refusal)).await;
    assert!(refused["content"][0]["text"].as_str().unwrap().contains("approval_declined"), "{refused}");
    assert_eq!(desk.status().await, "draft");

    desk.world.clock.advance(Duration::from_mins(5));
    let asks = elicited(&desk, json!({ "url": {} }), json!({})).await;
    let page = &asks["inputRequests"]["page"]["params"];
    let id: ApprovalId = asks["requestState"].as_str().unwrap().parse().unwrap();
    assert_eq!(
        (&page["mode"], &page["url"]),
        (&json!("url"), &json!(format!("http://127.0.0.1:8080/approvals/{id}")))
    );
    let opened =
        json!({ "requestState": id.to_string(), "inputResponses": { "page": { "action": "accept" } } });
    let early = elicited(&desk, json!({ "url": {} }), opened.clone()).await;
    assert!(
        early["content"][0]["text"].as_str().unwrap().contains("approval_required"),
        "opening decides nothing: {early}"
    );
    desk.world.decide(id, true).await;
    let done = elicited(&desk, json!({ "url": {} }), opened).await;
    assert_eq!(done["structuredContent"]["item"]["status"], "issued", "{done}");
}
