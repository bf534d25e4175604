//! Every tool for every kind of caller: exact answers, and each cell is counted.

use std::time::Duration;

use serde_json::{Value, json};
use svc_auth::token::{ConnectionRole, Lifecycle};
use svc_core::role::Role;
use svc_testkit::business::sample;

use crate::world::{Answer, World};

/// Tools about one record, with the id of one that there is not.
const ABSENT: [(&str, &str); 5] = [
    ("reconciliation_suggest", "bmv_00000000000000000000000009"),
    ("reconciliation_apply", "bmv_00000000000000000000000009"),
    ("tax_return_prepare", "txr_00000000000000000000000009"),
    ("notice_update", "ntc_00000000000000000000000009"),
    ("file_read", "fil_00000000000000000000000009"),
];

/// The areas that a role of Acme reads and writes, as far as tools have to do with them.
fn may(role: Role, tool: &str) -> bool {
    let reads = !writes(tool);
    let is_of = |areas: &[&str]| areas.iter().any(|area| tool.starts_with(area));
    match role {
        Role::Holder | Role::Administrator => true,
        Role::Manager => reads || !is_of(&["journal", "fixed", "tax", "notice"]),
        Role::Accountant => {
            reads && !is_of(&["cases", "accounts", "data_room", "envelope"])
                || is_of(&["journal", "fixed", "tax", "notice", "reconciliation"])
                || ["contact_save", "supplier_save", "supplier_document_save", "file_upload_link"]
                    .contains(&tool)
        }
        Role::Employee => {
            reads
                && is_of(&[
                    "contacts",
                    "cases",
                    "invoices",
                    "supplier_documents",
                    "file",
                    "company_overview",
                    "search",
                ])
                || [
                    "contact_save",
                    "case_save",
                    "invoice_draft_save",
                    "supplier_document_save",
                    "file_upload_link",
                ]
                .contains(&tool)
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
        ("tax_return_submit", one("txr", json!({ "data": { "channel": "manual" } })), BOOKS),
        ("data_room_share", one("fil", json!({ "data": { "section": "1" } })), SALES),
        ("envelope_send", one("env", json!({})), SALES),
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

/// The tools that commit nothing.
fn plain() -> Vec<&'static str> {
    let commits = commits();
    World::tools().into_iter().filter(|tool| commits.iter().all(|(name, ..)| name != tool)).collect()
}

fn writes(tool: &str) -> bool {
    let writing = ["reconciliation_apply", "tax_return_prepare", "notice_update", "file_upload_link"];
    tool.ends_with("_save") || writing.contains(&tool)
}

fn arguments(tool: &str) -> Value {
    let absent = ABSENT.iter().find(|(name, _)| *name == tool).map(|(_, id)| *id);
    match (tool, absent) {
        (_, Some(id)) if writes(tool) => json!({ "id": id, "data": {} }),
        (_, Some(id)) => json!({ "id": id }),
        ("search", _) => json!({ "q": "sol" }),
        (tool, _) if tool.ends_with("_save") => json!({ "data": {} }),
        // No file is called so.
        ("file_upload_link", _) => json!({ "data": { "name": "" } }),
        _ => json!({}),
    }
}

#[tokio::test]
async fn every_tool_does_for_each_caller_what_both_roles_allow() {
    let world = World::new().await;
    let (mut cells, commits) = (0, commits());
    for of in Role::ALL {
        for role in ConnectionRole::ALL {
            let token = world.assistant(of, role).await;
            for tool in plain() {
                let answer = world.tool(&token, tool, arguments(tool)).await;
                let writes = writes(tool);
                let expected = match (writes && role == ConnectionRole::ReadOnly, may(of, tool), writes) {
                    (true, ..) => "403",
                    (false, false, _) => "missing_permission",
                    (false, true, _) if ABSENT.iter().any(|(name, _)| *name == tool) => "not_found",
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
    assert_eq!(cells, (plain().len() + commits.len()) * 6 * 3 + World::tools().len());
}

/// Every tool, and every way of those that have several, with arguments that are in order.
fn calls() -> Vec<(&'static str, Value)> {
    let plain = plain().into_iter().map(|tool| (tool, arguments(tool)));
    plain.chain(commits().into_iter().map(|(tool, arguments, _)| (tool, arguments))).collect()
}

#[tokio::test]
async fn every_tool_turns_away_who_has_no_business_there() {
    let world = World::new().await;
    let (credential, token) = world.connected(Role::Holder, ConnectionRole::Full).await;
    let mut cells = 0;
    for (tool, mut arguments) in calls() {
        arguments["company"] = json!(world.beta.to_string());
        let refused = world.tool(&token, tool, arguments).await.refused();
        let told = (&refused["code"], &refused["argument"]);
        assert_eq!(told, (&json!("invalid_argument"), &json!("company")), "{tool}");
        cells += 1;
    }
    let mut turns_away = async |token: &str, status: &str, code: &str| {
        for (tool, arguments) in calls() {
            let answer = world.tool(token, tool, arguments).await;
            assert_eq!((&*outcome(&answer), &answer.json["code"]), (status, &json!(code)), "{tool}");
            cells += 1;
        }
        // A minute has room for so many calls of a credential.
        world.clock.advance(Duration::from_mins(1));
    };
    let bound = world.token(&["full"], &["127.0.0.1"]).await;
    turns_away(&bound, "403", "ip_restricted_token_not_allowed").await;
    let leaver = world.assistant(Role::Manager, ConnectionRole::Full).await;
    world.leave(Role::Manager).await;
    turns_away(&leaver, "401", "creator_lost_role").await;
    world.move_to(&credential, Lifecycle::Disabled).await;
    turns_away(&token, "401", "token_disabled").await;
    world.move_to(&credential, Lifecycle::Active).await;
    assert_eq!(outcome(&world.tool(&token, "company_overview", json!({})).await), "done");
    world.clock.advance(Duration::from_hours(1));
    turns_away(&token, "401", "token_expired").await;
    assert_eq!(cells, 5 * calls().len());
}

/// What is in another company is not there, by whatever way it is asked for.
#[tokio::test]
async fn records_of_other_companies_are_found_by_no_tool() {
    let world = World::new().await;
    let theirs = sample::organization(world.beta, 900, "Luna SL");
    let unit = world.database.business().begin().await.unwrap();
    unit.contacts().insert(&sample::everything(), &theirs).await.unwrap();
    unit.commit().await.unwrap();
    let id = theirs.id.to_string();
    let token = world.assistant(Role::Holder, ConnectionRole::Full).await;
    let found = world.tool(&token, "contacts_find", json!({ "ids": [id] })).await;
    assert_eq!((&found.content()["items"], &found.content()["not_found"]), (&json!([]), &json!([id])));
    let searched = world.tool(&token, "search", json!({ "q": "luna" })).await;
    assert_eq!(searched.content()["found"], json!({}));
    for (tool, arguments) in [
        ("contact_save", json!({ "id": id, "data": { "notes": "x" } })),
        ("record_delete", json!({ "kind": "contact", "id": id, "if_version": 1 })),
    ] {
        assert_eq!(world.tool(&token, tool, arguments).await.refused()["code"], "not_found", "{tool}");
    }
    let refused = world.tool(&token, "supplier_save", json!({ "data": { "contactId": id } })).await.refused();
    assert_eq!(refused["code"], "unknown_reference", "{refused}");
    let data =
        json!({ "docType": "invoice", "contactId": id, "lines": [{ "description": "x", "unitPrice": "1" }] });
    let refused = world.tool(&token, "invoice_draft_save", json!({ "data": data })).await.refused();
    assert_eq!(refused["code"], "unknown_reference", "{refused}");
}

/// Personal data of a customer as it is written down, each of a form that nothing else has.
const PERSONAL: [&str; 4] = ["+34910777123", "ES9121000418450200051332", "A58818501", "Calle Oculta"];

/// A customer who is a supplier too, with a document each way, and a case.
async fn trade(world: &World, token: &str) {
    let saved = async |tool: &str, data: Value| {
        world.tool(token, tool, json!({ "data": data })).await.content()["item"].clone()
    };
    let [phone, iban, tax_id, street] = PERSONAL;
    let address = json!({ "line1": street, "city": "Madrid", "postalCode": "28001", "country": "ES" });
    let customer = saved(
        "contact_save",
        json!({
            "kind": "organization", "legalName": "Sol SL", "taxId": tax_id, "phone": phone,
            "iban": iban, "address": address,
        }),
    )
    .await;
    let id = &customer["id"];
    let supplier = saved("supplier_save", json!({ "contactId": id })).await;
    saved("case_save", json!({ "title": "Sol", "type": "legal", "contactId": id })).await;
    let line = json!({ "description": "Sol", "quantity": "1", "unitPrice": "10" });
    saved("invoice_draft_save", json!({ "docType": "invoice", "contactId": id, "lines": [line] })).await;
    let bought = json!({
        "docType": "invoice", "supplierId": supplier["id"], "number": "Sol-1", "issueDate": "2025-01-31", "lines": [line],
    });
    saved("supplier_document_save", bought).await;
    let movement = json!({
        "bookingDate": "2025-01-31", "amount": "1.00", "description": format!("From {iban}"), "counterpartyIban": iban,
    });
    world
        .notice(json!({
            "source": "aeat", "kind": "notification", "issuer": "Sol", "subject": "Sol", "reference": "Sol",
            "availableAt": "2025-01-31T09:00:00Z", "recipientTaxId": tax_id,
        }))
        .await;
    world.bank_account(json!({ "name": "Sol", "type": "bank", "iban": iban }), movement).await;
    let signer = json!({ "name": "Sol", "email": "sol@example.com", "phone": phone, "taxId": tax_id });
    let file = world.pdf("Sol.pdf").await["id"].clone();
    let envelope = json!({ "subject": "Sol", "files": [{ "fileId": file }], "signers": [signer] });
    saved("envelope_draft_save", envelope).await;
    world.made("/data-room/files", &json!({ "fileId": file, "section": "Sol" })).await;
    world.made("/tax/returns", &json!({ "model": "303", "year": 2025, "period": "02" })).await;
    world.changed("/tax/profile", &json!({ "refundIban": iban })).await;
}

/// The places of an answer that show personal data as it is written down.
fn shown(answer: &Answer) -> Vec<&'static str> {
    let text = answer.content().to_string();
    PERSONAL.into_iter().filter(|personal| text.contains(personal)).collect()
}

#[tokio::test]
async fn personal_data_is_shown_as_the_person_sees_it() {
    let world = World::new().await;
    let owner = world.assistant(Role::Holder, ConnectionRole::Operator).await;
    trade(&world, &owner).await;
    let auditor = world.assistant(Role::Auditor, ConnectionRole::ReadOnly).await;
    let mut cells = 0;
    for tool in World::tools().into_iter().filter(|tool| tool.ends_with("_find")) {
        let found = world.tool(&owner, tool, json!({})).await.content().clone();
        let ids: Vec<_> = found["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
        for arguments in [json!({}), json!({ "fields": "full" }), json!({ "ids": ids, "fields": "full" })] {
            let full = shown(&world.tool(&owner, tool, arguments.clone()).await);
            let masked = shown(&world.tool(&auditor, tool, arguments.clone()).await);
            assert_eq!(masked, Vec::<&str>::new(), "{tool} {arguments}");
            if tool == "contacts_find" && arguments["ids"].is_array() {
                assert_eq!(full, PERSONAL);
            }
            cells += 1;
        }
    }
    let profile = shown(&world.tool(&owner, "tax_profile_get", json!({})).await);
    assert_eq!(profile, [PERSONAL[1]]);
    for tool in ["company_overview", "search", "tax_profile_get"] {
        let masked = world.tool(&auditor, tool, arguments(tool)).await;
        assert_eq!(shown(&masked), Vec::<&str>::new(), "{tool}");
        cells += 1;
    }
    assert_eq!(cells, 15 * 3 + 3);
    // What is masked cannot be filtered by either.
    let refused = world.tool(&auditor, "contacts_find", json!({ "taxId": "B12345674" })).await.refused();
    assert_eq!(refused["code"], "personal_data_required");
}
