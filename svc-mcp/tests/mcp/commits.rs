//! What commits a company: nothing is done before a person has approved just that, and once afterwards.

use std::time::Duration;

use serde_json::{Value, json};
use svc_auth::approval::{Approval, Stage};
use svc_auth::token::ConnectionRole;
use svc_core::clock::Clock as _;
use svc_core::id::ApprovalId;
use svc_core::role::Role;

use crate::world::{Answer, Era, World};

/// The assistant of the holder of Acme, which may ask for everything, and a draft of an invoice.
pub(crate) struct Desk {
    pub(crate) world: World,
    pub(crate) token: String,
    pub(crate) draft: Value,
}

impl Desk {
    pub(crate) async fn new() -> Self {
        let world = World::new().await;
        let token = world.assistant(Role::Holder, ConnectionRole::Full).await;
        let draft = world.draft(&token, "Ferretería Sol SL").await;
        Self { world, token, draft }
    }

    pub(crate) fn issue(&self) -> Value {
        json!({ "id": self.draft["id"], "if_version": self.draft["version"] })
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.world.tool(&self.token, tool, arguments).await
    }

    pub(crate) async fn status(&self) -> Value {
        let ids = json!({ "ids": [self.draft["id"]] });
        self.call("invoices_find", ids).await.content()["items"][0]["status"].clone()
    }
}

impl World {
    /// A draft of an invoice of 121 euros to this customer.
    async fn draft(&self, token: &str, customer: &str) -> Value {
        let address =
            json!({ "line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES" });
        let customer = json!({ "kind": "organization", "legalName": customer, "taxId": "B12345674", "address": address });
        let customer = self.tool(token, "contact_save", json!({ "data": customer })).await;
        let line = json!({ "description": "Consulting", "quantity": "2", "unitPrice": "50" });
        let draft =
            json!({ "docType": "invoice", "contactId": customer.content()["item"]["id"], "lines": [line] });
        let draft = self.tool(token, "invoice_draft_save", json!({ "data": draft })).await;
        draft.content()["item"].clone()
    }

    /// The approval that an answer names.
    pub(crate) async fn approval(&self, id: ApprovalId) -> Approval {
        let oauth = self.database.oauth();
        oauth.approvals().approval(id).await.unwrap().expect("it is there")
    }

    /// The person decides.
    pub(crate) async fn decide(&self, id: ApprovalId, approves: bool) {
        let before = self.approval(id).await;
        let unit = self.database.oauth().begin().await.unwrap();
        let after = before.decided(approves, self.clock.now()).unwrap();
        unit.approvals().advance(&before, &after).await.unwrap();
        unit.commit().await.unwrap();
    }
}

/// Where a call sends its person, and the approval there.
#[track_caller]
pub(crate) fn asked(answer: &Answer) -> ApprovalId {
    let refused = answer.refused();
    assert_eq!(refused["code"], "approval_required", "{refused}");
    let url = refused["url"].as_str().unwrap();
    url.strip_prefix("http://127.0.0.1:8080/approvals/").expect("a page of this service").parse().unwrap()
}

#[tokio::test]
async fn an_invoice_is_issued_once_its_person_has_approved_just_that() {
    let desk = Desk::new().await;
    let refused = desk.call("invoice_issue", desk.issue()).await;
    let id = asked(&refused);
    assert_eq!(refused.refused()["expires_at"], json!(desk.world.approval(id).await.until));
    assert_eq!(asked(&desk.call("invoice_issue", desk.issue()).await), id, "it waits still");
    let mut confirmed = desk.issue();
    confirmed["confirm"] = json!(true);
    let refused = desk.call("invoice_issue", confirmed).await.refused();
    assert_eq!((&refused["code"], &refused["argument"]), (&json!("invalid_argument"), &json!("confirm")));
    assert_eq!(desk.status().await, "draft");

    let shown: Vec<_> =
        desk.world.approval(id).await.shown.into_iter().map(|line| (line.name, line.value)).collect();
    let expected = [
        ("docType", "invoice"),
        ("totals.total", "121.00 EUR"),
        ("totals.payable", "121.00 EUR"),
        ("customer.name", "Ferretería Sol SL"),
        ("customer.taxId", "B12345674"),
        ("customer.address.line1", "Calle Mayor 1 28013 Madrid ES"),
        ("line", "Consulting · 2 · 50 · es_vat_21 · 100.00"),
    ];
    for (name, value) in expected {
        assert!(shown.contains(&(name.to_owned(), value.to_owned())), "{name} {value} in {shown:?}");
    }

    desk.world.decide(id, true).await;
    // What is approved is that call: not another one, nor that of another assistant.
    let mut other = desk.issue();
    other["data"] = json!({ "issueDate": "2025-02-28" });
    assert_ne!(asked(&desk.call("invoice_issue", other).await), id);
    let colleague = desk.world.assistant(Role::Holder, ConnectionRole::Full).await;
    assert_ne!(asked(&desk.world.tool(&colleague, "invoice_issue", desk.issue()).await), id);
    assert_eq!(desk.status().await, "draft");

    let issued = desk.call("invoice_issue", desk.issue()).await.content().clone();
    assert_eq!(
        (&issued["item"]["status"], &issued["company"]),
        (&json!("issued"), &json!(desk.world.acme.to_string()))
    );
    assert!(
        issued["item"]["number"].is_string()
            && issued["untrusted"].as_array().unwrap().contains(&json!("lines"))
    );
    assert_eq!(desk.world.approval(id).await.stage, Stage::Used);
    // An answer that was lost is had again.
    assert_eq!(*desk.call("invoice_issue", desk.issue()).await.content(), issued);

    let item = &issued["item"];
    let void =
        json!({ "id": item["id"], "if_version": item["version"], "data": { "reason": "Wrong customer" } });
    let id = asked(&desk.call("invoice_cancel", void.clone()).await);
    let shown = desk.world.approval(id).await.shown;
    let said = |name: &str| shown.iter().find(|line| line.name == name).map(|line| line.value.as_str());
    assert_eq!((said("data.reason"), said("number")), (Some("Wrong customer"), item["number"].as_str()));
    assert_eq!(said("customer.name"), Some("Ferretería Sol SL"));
    desk.world.decide(id, true).await;
    let voided = desk.call("invoice_cancel", void).await.content().clone();
    assert_eq!(voided["item"]["status"], "voided");
}

#[tokio::test]
async fn what_was_declined_or_has_ended_is_not_done() {
    let desk = Desk::new().await;
    let id = asked(&desk.call("invoice_issue", desk.issue()).await);
    desk.world.decide(id, false).await;
    assert_eq!(desk.call("invoice_issue", desk.issue()).await.refused()["code"], "approval_declined");
    desk.world.clock.advance(Duration::from_mins(5));
    let next = asked(&desk.call("invoice_issue", desk.issue()).await);
    assert_ne!(next, id, "it may be asked again");
    desk.world.decide(next, true).await;
    desk.world.clock.advance(Duration::from_mins(5));
    assert_ne!(asked(&desk.call("invoice_issue", desk.issue()).await), next, "it was not used in time");
    assert_eq!(desk.status().await, "draft");
}

/// What was shown is what is done: a record that has changed since needs a look of its own.
#[tokio::test]
async fn a_record_that_changed_in_between_is_not_committed() {
    let desk = Desk::new().await;
    let id = asked(&desk.call("invoice_issue", desk.issue()).await);
    let change = json!({ "id": desk.draft["id"], "data": { "notes": "changed" } });
    desk.call("invoice_draft_save", change).await.content();
    desk.world.decide(id, true).await;
    let refused = desk.call("invoice_issue", desk.issue()).await.refused();
    assert_eq!((&refused["argument"], desk.status().await), (&json!("if_version"), json!("draft")));
}

/// The version of a draft does not tell of its customer: who is invoiced is what the person saw.
#[tokio::test]
async fn a_customer_that_changed_in_between_is_shown_anew() {
    let desk = Desk::new().await;
    let first = asked(&desk.call("invoice_issue", desk.issue()).await);
    desk.world.decide(first, true).await;
    let change = json!({ "id": desk.draft["contactId"], "data": { "legalName": "Otra SL" } });
    desk.call("contact_save", change).await.content();
    let next = asked(&desk.call("invoice_issue", desk.issue()).await);
    assert_ne!(next, first);
    let shown = desk.world.approval(next).await.shown;
    assert!(shown.iter().any(|line| line.name == "customer.name" && line.value == "Otra SL"), "{shown:?}");
    assert_eq!(desk.status().await, "draft");
    desk.world.decide(next, true).await;
    let issued = desk.call("invoice_issue", desk.issue()).await.content().clone();
    assert_eq!(issued["item"]["customerName"], "Otra SL");
}

/// What the route refuses was not done: once it is put right, the person is asked anew.
#[tokio::test]
async fn an_approved_call_that_is_refused_asks_again() {
    let desk = Desk::new().await;
    let data = json!({ "kind": "organization", "legalName": "Bar Mar SL" });
    let customer = desk.call("contact_save", json!({ "data": data })).await.content()["item"].clone();
    let line = json!({ "description": "Nails", "quantity": "2", "unitPrice": "10" });
    let draft = json!({ "docType": "invoice", "contactId": customer["id"], "lines": [line] });
    let draft = desk.call("invoice_draft_save", json!({ "data": draft })).await.content()["item"].clone();
    let issue = json!({ "id": draft["id"], "if_version": draft["version"] });
    let first = asked(&desk.call("invoice_issue", issue.clone()).await);
    desk.world.decide(first, true).await;
    assert_eq!(desk.call("invoice_issue", issue.clone()).await.refused()["code"], "validation_failed");
    let address =
        json!({ "line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES" });
    let put_right = json!({ "id": customer["id"], "data": { "taxId": "B12345674", "address": address, "allowDuplicate": true } });
    desk.call("contact_save", put_right).await.content();
    let next = asked(&desk.call("invoice_issue", issue.clone()).await);
    assert_ne!(next, first);
    desk.world.decide(next, true).await;
    assert_eq!(desk.call("invoice_issue", issue).await.content()["item"]["status"], "issued");
}

#[tokio::test]
async fn of_many_calls_at_once_one_issues() {
    let desk = Desk::new().await;
    let id = asked(&desk.call("invoice_issue", desk.issue()).await);
    desk.world.decide(id, true).await;
    let calls =
        futures_util::future::join_all((0..20).map(|_| desk.call("invoice_issue", desk.issue()))).await;
    let mut done = 0;
    for call in &calls {
        if call.json["result"]["isError"] == true {
            assert_eq!(call.refused()["code"], "idempotency_in_progress");
        } else {
            assert_eq!(call.content()["item"]["status"], "issued");
            done += 1;
        }
    }
    assert!(done >= 1, "{calls:?}");
    let history = desk.call("invoices_find", json!({ "status": "issued" })).await;
    assert_eq!(history.content()["total"], 1);
}

/// A person is asked about what can be done, and about nothing else.
#[tokio::test]
async fn what_cannot_be_done_is_told_before_a_person_is_asked() {
    let desk = Desk::new().await;
    let stale = json!({ "id": desk.draft["id"], "if_version": 99 });
    let unknown = json!({ "id": "inv_00000000000000000000000009", "if_version": 1 });
    for (tool, arguments, code, argument) in [
        ("invoice_issue", json!({}), "invalid_argument", json!("id")),
        ("invoice_issue", json!({ "id": desk.draft["id"] }), "invalid_argument", json!("if_version")),
        ("invoice_issue", stale, "invalid_argument", json!("if_version")),
        ("invoice_issue", unknown, "not_found", Value::Null),
        ("invoice_cancel", desk.issue(), "invalid_argument", json!("data")),
        ("record_delete", desk.issue(), "invalid_argument", json!("kind")),
        (
            "record_delete",
            json!({ "kind": "user", "id": "x", "if_version": 1 }),
            "invalid_argument",
            json!("kind"),
        ),
        ("webhook_manage", json!({ "action": "rotate" }), "invalid_argument", json!("action")),
        (
            "webhook_manage",
            json!({ "action": "create", "data": { "headers": { "X-A": "b" } } }),
            "invalid_argument",
            json!("data.headers"),
        ),
        (
            "invoice_issue",
            json!({ "id": desk.draft["id"], "if_version": 1, "data": { "x\ntotals.total: 1.00 EUR": 1 } }),
            "invalid_argument",
            json!("data.x\ntotals.total: 1.00 EUR"),
        ),
        (
            "webhook_manage",
            json!({ "action": "create", "data": { "name": "x".repeat(3_001) } }),
            "invalid_argument",
            json!("data.name"),
        ),
    ] {
        let refused = desk.call(tool, arguments.clone()).await.refused();
        assert_eq!((&refused["code"], &refused["argument"]), (&json!(code), &argument), "{tool} {arguments}");
    }
    let person = crate::world::person(Role::Holder);
    let oauth = desk.world.database.oauth();
    let open = oauth.approvals().open_of_person(person, desk.world.clock.now(), 10).await.unwrap();
    assert_eq!(open, []);
}

#[tokio::test]
async fn subscriptions_are_managed_and_their_secrets_stay_with_people() {
    let desk = Desk::new().await;
    let approved = async |arguments: Value| {
        let id = asked(&desk.call("webhook_manage", arguments.clone()).await);
        desk.world.decide(id, true).await;
        desk.call("webhook_manage", arguments).await.content()["item"].clone()
    };
    let data = json!({ "name": "Shop", "url": "https://shop.example/hooks", "events": ["contact.create"] });
    let made = approved(json!({ "action": "create", "data": data })).await;
    assert!(
        made["id"].is_string() && made.get("secret").is_none() && made.get("message").is_none(),
        "{made}"
    );
    let listed = desk.call("webhook_manage", json!({ "action": "list" })).await.content()["item"].clone();
    let one = &listed["items"][0];
    assert_eq!((&one["id"], one.get("secret")), (&made["id"], None));
    let change = json!({ "action": "update", "id": one["id"], "if_version": one["version"], "data": { "active": false } });
    let changed = approved(change).await;
    assert_eq!(changed["active"], false);
    let delete = json!({ "action": "delete", "id": one["id"], "if_version": changed["version"] });
    let id = asked(&desk.call("webhook_manage", delete.clone()).await);
    let shown = desk.world.approval(id).await.shown;
    let said = |name: &str| shown.iter().find(|line| line.name == name).map(|line| &*line.value);
    assert_eq!(
        (said("way"), said("events"), said("active")),
        (Some("delete"), Some("contact.create"), Some("false"))
    );
    let gone = approved(delete).await;
    assert_eq!(gone, Value::Null);
    let listed = desk.call("webhook_manage", json!({ "action": "list" })).await;
    assert_eq!(listed.content()["item"]["items"], json!([]));
}

#[tokio::test]
async fn a_record_is_erased_and_an_entry_posted_with_approval() {
    let desk = Desk::new().await;
    let contact = desk.world.contact(&desk.token, "Luna SL").await;
    let erase = json!({ "kind": "contact", "id": contact["id"], "if_version": contact["version"] });
    let id = asked(&desk.call("record_delete", erase.clone()).await);
    let shown = desk.world.approval(id).await.shown;
    let shown: Vec<_> = shown.iter().map(|line| (&*line.name, &*line.value)).collect();
    assert_eq!(shown[..3], [("way", "contact"), ("name", "Luna SL"), ("kind", "organization")]);
    desk.world.decide(id, true).await;
    assert_eq!(desk.call("record_delete", erase).await.content()["item"], Value::Null);
    let ids = json!({ "ids": [contact["id"]] });
    assert_eq!(desk.call("contacts_find", ids).await.content()["not_found"], json!([contact["id"]]));

    let line = |account: &str, debit: &str, credit: &str| json!({ "accountCode": account, "debit": debit, "credit": credit });
    let lines = [line("6290000", "10.00", "0.00"), line("5700000", "0.00", "10.00")];
    let entry = json!({ "date": "2025-03-01", "description": "Stamps", "lines": lines });
    let entry =
        desk.call("journal_entry_draft_save", json!({ "data": entry })).await.content()["item"].clone();
    let post = json!({ "id": entry["id"], "if_version": entry["version"] });
    let id = asked(&desk.call("journal_entry_post", post.clone()).await);
    let shown = desk.world.approval(id).await.shown;
    assert!(shown.iter().any(|line| line.name == "line" && line.value.starts_with("6290000")), "{shown:?}");
    desk.world.decide(id, true).await;
    let posted = desk.call("journal_entry_post", post).await.content()["item"].clone();
    assert_eq!((&posted["status"], &posted["number"]), (&json!("posted"), &json!(1)));
}

/// One record for each call, whatever came of it: who, what and which ids, and nothing of what was said.
#[tokio::test]
async fn every_call_is_written_down_without_what_was_said() {
    let desk = Desk::new().await;
    let (reader, token) = desk.world.connected(Role::Holder, ConnectionRole::ReadOnly).await;
    let find = (
        "tools/call",
        json!({ "name": "contacts_find", "arguments": { "q": "ferretería", "fields": "full" } }),
    );
    let found = desk.world.ask_with(Era::Stateless, &token, find, json!({})).await;
    let id = found.content()["items"][0]["id"].clone();
    desk.world.clock.advance(Duration::from_secs(1));
    desk.world.tool(&token, "contacts_find", json!({ "color": "red" })).await.refused();
    desk.world.clock.advance(Duration::from_secs(1));
    assert_eq!(
        desk.world.tool(&token, "contact_save", json!({ "data": { "notes": "x" } })).await.status,
        403
    );
    desk.world.ask(Era::Initialized, &token, "tools/list", json!({})).await;

    let calls = desk.world.calls(reader.id).await;
    let told: Vec<_> = calls.iter().map(|call| (&*call.tool, &*call.outcome, &*call.arguments)).collect();
    let expected = [
        ("contact_save", "insufficient_scope", r#"{"data":{"notes":"***"}}"#),
        ("contacts_find", "invalid_argument", r#"{"color":"***"}"#),
        ("contacts_find", "done", r#"{"fields":"full","q":"***"}"#),
    ];
    assert_eq!(told, expected);
    let first = &calls[2];
    assert_eq!(
        (&json!(first.touched), &*first.client, &*first.revision),
        (&json!([id]), "desk 1.0", "2026-07-28")
    );
    assert_eq!((first.person, first.company), (Some(crate::world::person(Role::Holder)), desk.world.acme));
    assert!(first.from.is_some() && calls[0].at == desk.world.clock.now());
}
