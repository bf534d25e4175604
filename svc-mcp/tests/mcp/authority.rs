//! Every tool for every kind of caller: exact answers, and each cell is counted.

use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_core::role::Role;

use crate::world::{Answer, World};

/// The areas that a role of Acme reads and writes, as far as tools have to do with them.
fn may(role: Role, tool: &str) -> bool {
    let reads = !tool.ends_with("_save");
    let books = tool.starts_with("journal") || tool.starts_with("fixed");
    match role {
        Role::Holder | Role::Administrator => true,
        Role::Manager => reads || !books,
        Role::Accountant => {
            reads && !tool.starts_with("cases") && tool != "accounts_find"
                || books
                || ["contact_save", "supplier_save", "supplier_document_save"].contains(&tool)
        }
        Role::Employee => {
            [
                "contacts_find",
                "cases_find",
                "invoices_find",
                "supplier_documents_find",
                "company_overview",
                "search",
            ]
            .contains(&tool)
                || ["contact_save", "case_save", "invoice_draft_save"].contains(&tool)
                || tool == "supplier_document_save"
        }
        Role::Auditor => reads,
    }
}

/// What a call came to, in a word.
fn outcome(answer: &Answer) -> String {
    match answer.status {
        200 if answer.json["result"]["isError"] == true => {
            let told: Value =
                serde_json::from_str(answer.json["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
            told["code"].as_str().unwrap().to_owned()
        }
        200 if answer.json["result"].is_object() => "done".to_owned(),
        status => status.to_string(),
    }
}

/// What commits, by what is asked: the tool, its arguments and the roles of Acme that may.
fn commits() -> Vec<(&'static str, Value, &'static [Role])> {
    const SALES: &[Role] = &[Role::Holder, Role::Administrator, Role::Manager];
    const BOOKS: &[Role] = &[Role::Holder, Role::Administrator, Role::Accountant];
    const CONTACTS: &[Role] = &[Role::Holder, Role::Administrator, Role::Manager, Role::Accountant];
    const WEBHOOKS: &[Role] = &[Role::Holder, Role::Administrator];
    const SEES_WEBHOOKS: &[Role] = &[Role::Holder, Role::Administrator, Role::Auditor];
    let one = |prefix: &str, more: Value| {
        let mut arguments = json!({ "id": format!("{prefix}_00000000000000000000000009"), "if_version": 1 });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    vec![
        ("invoice_issue", one("inv", json!({})), SALES),
        ("invoice_cancel", one("inv", json!({ "data": { "reason": "x" } })), SALES),
        ("journal_entry_post", one("jen", json!({})), BOOKS),
        ("webhook_manage", json!({ "action": "list" }), SEES_WEBHOOKS),
        ("webhook_manage", json!({ "action": "create", "data": {} }), WEBHOOKS),
        ("webhook_manage", one("whs", json!({ "action": "update", "data": {} })), WEBHOOKS),
        ("webhook_manage", one("whs", json!({ "action": "delete" })), WEBHOOKS),
        ("record_delete", one("con", json!({ "kind": "contact" })), CONTACTS),
        ("record_delete", one("inv", json!({ "kind": "invoice" })), SALES),
        ("record_delete", one("jen", json!({ "kind": "journal_entry" })), BOOKS),
        ("record_delete", one("fas", json!({ "kind": "fixed_asset" })), BOOKS),
    ]
}

fn arguments(tool: &str) -> Value {
    match tool {
        "search" => json!({ "q": "sol" }),
        tool if tool.ends_with("_save") => json!({ "data": {} }),
        _ => json!({}),
    }
}

#[tokio::test]
async fn every_tool_does_for_each_caller_what_both_roles_allow() {
    let world = World::new().await;
    let (mut cells, commits) = (0, commits());
    let committing = |tool: &&str| commits.iter().any(|(name, ..)| name == tool);
    for of in Role::ALL {
        for role in ConnectionRole::ALL {
            let token = world.assistant(of, role).await;
            for tool in World::tools().into_iter().filter(|tool| !committing(tool)) {
                let answer = world.tool(&token, tool, arguments(tool)).await;
                let writes = tool.ends_with("_save");
                let expected = match (writes && role == ConnectionRole::ReadOnly, may(of, tool), writes) {
                    (true, ..) => "403",
                    (false, false, _) => "missing_permission",
                    (false, true, true) => "validation_failed",
                    (false, true, false) => "done",
                };
                assert_eq!(outcome(&answer), expected, "{of:?} {role:?} {tool}");
                cells += 1;
            }
            for (tool, arguments, may) in &commits {
                let answer = world.tool(&token, tool, arguments.clone()).await;
                let expected = match (role == ConnectionRole::Full, may.contains(&of)) {
                    (false, _) => "403",
                    (true, false) => "missing_permission",
                    (true, true) if arguments["action"] == "list" => "done",
                    // What is new is asked about; what is not there is told before a person is.
                    (true, true) if arguments["action"] == "create" => "approval_required",
                    (true, true) => "not_found",
                };
                assert_eq!(outcome(&answer), expected, "{of:?} {role:?} {tool} {arguments}");
                cells += 1;
            }
        }
    }
    for tool in World::tools() {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": {} } });
        let unknown = world.send(None, &[], call.to_string()).await;
        assert_eq!(outcome(&unknown), "401", "{tool}");
        cells += 1;
    }
    let plain = World::tools().into_iter().filter(|tool| !committing(tool)).count();
    assert_eq!(cells, (plain + commits.len()) * 6 * 3 + World::tools().len());
}

#[tokio::test]
async fn personal_data_is_shown_as_the_person_sees_it() {
    let world = World::new().await;
    let owner = world.assistant(Role::Holder, ConnectionRole::Operator).await;
    let data = json!({ "kind": "organization", "legalName": "Sol SL", "phone": "+34910000000" });
    world.tool(&owner, "contact_save", json!({ "data": data })).await.content();
    let auditor = world.assistant(Role::Auditor, ConnectionRole::ReadOnly).await;
    let phone = async |token: &str| {
        world.tool(token, "contacts_find", json!({})).await.content()["items"][0]["phone"].clone()
    };
    assert_eq!(phone(&owner).await, "+34910000000");
    let masked = phone(&auditor).await;
    assert!(masked.as_str().is_none_or(|text| !text.contains("910000000")), "{masked}");
    // What is masked cannot be filtered by either.
    let refused = world.tool(&auditor, "contacts_find", json!({ "taxId": "B12345674" })).await.refused();
    assert_eq!(refused["code"], "personal_data_required");
}
