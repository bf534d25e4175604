//! What movements may stand for, by the API.

use serde_json::{Value, json};
use svc_business::job::JobKind;
use svc_business::treasury::automatic;
use svc_core::audit::Actor;
use svc_core::clock::Clock as _;
use svc_core::pii::PiiAccess;
use svc_core::unit::CallContext;
use svc_testkit::business::sample;
use svc_testkit::fakes::SeededRandom;

use super::{MOVEMENTS, Treasury};
use crate::billing::office::Office;
use crate::test_app::{Client, Want};

const BULK: &str = "/treasury/reconciliations/bulk-confirm";
const IBAN: &str = "DE89370400440532013000";

impl Treasury {
    /// A movement of the bank account with these members, by its path.
    async fn told_by_bank(&self, amount: &str, members: Value) -> String {
        let mut movement =
            json!({"bookingDate": "2025-02-20", "amount": amount, "description": "Movimiento"});
        movement.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let body = json!({"bankAccountId": self.bank, "movements": [movement]});
        let import = self.office.client.post(MOVEMENTS, &body).await.ok(201).id();
        let list = self.office.client.get(&format!("{MOVEMENTS}?importId={import}")).await.ok(200).json;
        format!("{MOVEMENTS}/{}", list["items"][0]["id"].as_str().unwrap())
    }
}

async fn proposals(client: &Client, movement: &str) -> Vec<Value> {
    let told = client.get(&format!("{movement}/proposals")).await.ok(200).json;
    told["proposals"].as_array().unwrap().clone()
}

/// Score, reasons, and the types of the parts.
fn short(proposal: &Value) -> (u64, Vec<&str>, Vec<&str>) {
    let texts = |list: &'_ Value, member: Option<&str>| -> Vec<String> {
        let text = |one: &Value| member.map_or(one, |member| &one[member]).as_str().unwrap().to_owned();
        list.as_array().unwrap().iter().map(text).collect()
    };
    let leaked = |texts: Vec<String>| texts.into_iter().map(|text| &*text.leak()).collect();
    (
        proposal["score"].as_u64().unwrap(),
        leaked(texts(&proposal["reasons"], None)),
        leaked(texts(&proposal["allocations"], Some("type"))),
    )
}

#[tokio::test]
async fn what_is_due_is_proposed_with_its_reasons_and_confirmed_by_its_id() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let invoice = treasury.invoice().await;
    let other = treasury.invoice().await;
    let number = invoice["number"].as_str().unwrap();
    let movement =
        treasury.told_by_bank("121.00", json!({"description": format!("PAGO FRA {number}")})).await;
    let told = proposals(client, &movement).await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(short(&told[0]), (80, vec!["amount_due", "number_in_text"], vec!["invoice"]));
    assert_eq!(short(&told[1]), (50, vec!["amount_due"], vec!["invoice"]));
    let part = &told[0]["allocations"][0];
    assert_eq!((&part["id"], &part["number"]), (&invoice["id"], &invoice["number"]));
    assert_eq!((&part["amount"], &part["contactId"]), (&json!("121.00"), &json!(treasury.office.customer)));
    assert_eq!(told[1]["allocations"][0]["id"], other["id"]);
    assert_eq!(proposals(client, &movement).await, told);

    let reconcile = format!("{movement}/reconcile");
    for (body, field) in [
        (json!({}), ("allocations", "required")),
        (json!({"proposalId": format!("bpr_{}", "0".repeat(26))}), ("proposalId", "unknown_reference")),
        (json!({"proposalId": told[0]["id"], "allocations": []}), ("proposalId", "not_allowed")),
    ] {
        assert_eq!(client.post(&reconcile, &body).await.field(), field, "{body}");
    }
    let chosen = json!({"proposalId": told[0]["id"]});
    let done = client.post(&reconcile, &chosen).await.ok(200).json;
    assert_eq!(done["reconciliation"]["allocations"][0]["id"], invoice["id"]);
    assert_eq!(treasury.due(&Office::path(&invoice)).await, "0.00");
    // Nothing is proposed for what is known, and a proposal does not outlive what it is about.
    assert_eq!(proposals(client, &movement).await, Vec::<Value>::new());
    assert_eq!(client.post(&reconcile, &chosen).await.problem(), (409, "movement_not_pending"));
    let late = treasury.told_by_bank("121.00", json!({"description": format!("PAGO FRA {number}")})).await;
    assert_eq!(proposals(client, &late).await.len(), 1);
    let late = client.post(&format!("{late}/reconcile"), &chosen).await;
    assert_eq!(late.field(), ("proposalId", "unknown_reference"));
}

#[tokio::test]
async fn sums_parts_payments_and_purchases_are_proposed_too() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let invoices = [treasury.invoice().await, treasury.invoice().await];
    let name = client.get(&format!("/contacts/{}", treasury.office.customer)).await.ok(200).json["legalName"]
        .clone();
    let both = treasury.told_by_bank("242.00", json!({"counterpartyName": name})).await;
    let told = proposals(client, &both).await;
    assert_eq!(short(&told[0]), (50, vec!["amounts_due", "name_alike"], vec!["invoice", "invoice"]));
    assert_eq!(told.len(), 1);
    let part = treasury.told_by_bank("20.00", json!({"counterpartyName": name})).await;
    let told = proposals(client, &part).await;
    assert_eq!(short(&told[0]), (10, vec!["name_alike"], vec!["invoice"]));
    assert_eq!(told[0]["allocations"][0]["id"], invoices[0]["id"]);

    let bought = treasury.bought(4711).await;
    let paid = treasury.told_by_bank("-121.00", json!({"description": "Fra. 4711 Papeleria"})).await;
    let told = proposals(client, &paid).await;
    assert_eq!(short(&told[0]), (80, vec!["amount_due", "number_in_text"], vec!["supplier_document"]));
    assert_eq!((&told[0]["allocations"][0]["amount"], told.len()), (&json!("-121.00"), 1));
    // Once a payment is typed in, the movement is that payment.
    let payment = json!({"amount": "121.00", "date": "2025-02-18", "method": "transfer"});
    client.post(&format!("/supplier-documents/{bought}/payments"), &payment).await.ok(201);
    let told = proposals(client, &paid).await;
    assert_eq!((short(&told[0]), told.len()), ((80, vec!["payment_recorded"], vec!["payment"]), 1));
    let chosen = json!({"proposalId": told[0]["id"]});
    client.post(&format!("{paid}/reconcile"), &chosen).await.ok(200);
    let twice = treasury.told_by_bank("-121.00", json!({"description": "Fra. 4711 Papeleria"})).await;
    assert_eq!(proposals(client, &twice).await, Vec::<Value>::new());
}

#[tokio::test]
async fn what_was_booked_three_times_is_proposed_for_the_same_text() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    for month in 1..=3 {
        let text = json!({"description": format!("Comisión Mantenimiento 2025/{month:02}")});
        let movement = treasury.told_by_bank("-12.50", text).await;
        assert_eq!(proposals(client, &movement).await, Vec::<Value>::new(), "{month}");
        let fee = json!([{"type": "account", "accountCode": "6260000", "amount": "-12.50"}]);
        treasury.say(&movement, fee).await.ok(200);
    }
    let text = json!({"description": "COMISION  MANTENIMIENTO 2025/04"});
    let movement = treasury.told_by_bank("-13.00", text).await;
    let told = proposals(client, &movement).await;
    assert_eq!(short(&told[0]), (60, vec!["text_known"], vec!["account"]));
    assert_eq!(told[0]["allocations"][0]["accountCode"], "6260000");
    client.post(&format!("{movement}/reconcile"), &json!({"proposalId": told[0]["id"]})).await.ok(200);
    // What is taken back was not booked.
    treasury.undo(&movement).await.ok(200);
    assert_eq!(proposals(client, &movement).await.len(), 1);
}

#[tokio::test]
async fn numbers_of_accounts_and_tax_ids_are_clues_for_tokens_that_see_them() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let customer = format!("/contacts/{}", treasury.office.customer);
    client.patch(&customer, &[], &json!({"iban": IBAN, "taxId": "B86561412"})).await.ok(200);
    treasury.invoice().await;
    let masked = treasury.office.app.client(Want { personal_data: false, ..Want::default() }).await;
    let by_iban = treasury.told_by_bank("121.00", json!({"counterpartyIban": IBAN})).await;
    let by_tax_id = treasury.told_by_bank("121.00", json!({"description": "Transf. B-86561412 feb"})).await;
    for (movement, clue) in [(by_iban, "iban"), (by_tax_id, "tax_id_in_text")] {
        let told = proposals(client, &movement).await;
        assert_eq!(short(&told[0]), (70, vec!["amount_due", clue], vec!["invoice"]));
        let unseen = proposals(&masked, &movement).await;
        assert_eq!(short(&unseen[0]), (50, vec!["amount_due"], vec!["invoice"]));
        assert_eq!(unseen[0]["id"], told[0]["id"]);
    }
}

#[tokio::test]
async fn proposals_are_confirmed_many_at_once_each_by_itself() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let mut items = Vec::new();
    for _ in 0..2 {
        let invoice = treasury.invoice().await;
        let text = json!({"description": invoice["number"]});
        let movement = treasury.told_by_bank("121.00", text).await;
        let id = movement.rsplit('/').next().unwrap().to_owned();
        items.push(json!({"movementId": id, "proposalId": proposals(client, &movement).await[0]["id"]}));
    }
    items.insert(1, json!({"movementId": items[0]["movementId"], "proposalId": items[0]["proposalId"]}));
    items.push(json!({"movementId": format!("bmv_{}", "0".repeat(26)), "proposalId": format!("bpr_{}", "0".repeat(26))}));
    let done = client.post(BULK, &json!({ "items": items })).await.ok(200).json;
    assert_eq!((&done["succeeded"], &done["failed"]), (&json!(2), &json!(2)));
    let told: Vec<_> =
        done["items"].as_array().unwrap().iter().map(|item| item["status"].as_u64().unwrap()).collect();
    assert_eq!(told, [200, 409, 200, 404]);
    assert_eq!(done["items"][1]["error"]["code"], "movement_not_pending");
    assert_eq!(client.post(BULK, &json!({"items": []})).await.field(), ("items", "out_of_range"));
}

#[tokio::test]
async fn the_service_reconciles_what_is_certain_where_the_books_say_so() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let name = client.get(&format!("/contacts/{}", treasury.office.customer)).await.ok(200).json["legalName"]
        .clone();
    let invoice = treasury.invoice().await;
    let certain = |number: &Value| json!({"description": format!("Pago {}", number.as_str().unwrap()), "counterpartyName": name});
    treasury.told_by_bank("121.00", certain(&invoice["number"])).await;
    assert_eq!(jobs(&treasury).await, [], "nothing is done unasked");
    client
        .patch(&treasury.office.books(""), &[], &json!({"automation": {"autoReconcile": true}}))
        .await
        .ok(200);
    let sure = treasury.told_by_bank("121.00", certain(&invoice["number"])).await;
    let unsure = treasury.told_by_bank("121.00", json!({})).await;
    assert_eq!(jobs(&treasury).await, [(1, 1), (1, 0)]);
    let done = client.get(&sure).await.ok(200).json;
    assert_eq!((&done["status"], &done["reconciliation"]["auto"]), (&json!("reconciled"), &json!(true)));
    assert_eq!(treasury.due(&Office::path(&invoice)).await, "0.00");
    assert_eq!(client.get(&unsure).await.ok(200).json["status"], "pending");
}

/// Runs the jobs that wait; how many movements each looked at, and how many it reconciled.
async fn jobs(treasury: &Treasury) -> Vec<(u32, u32)> {
    let (business, scope) = (treasury.office.app.database.business(), sample::everything());
    let (actor, random) = (Actor::service("bank_reconcile"), SeededRandom::new(3));
    let now = treasury.office.app.clock.now();
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &random };
    let mut told = Vec::new();
    loop {
        let unit = business.begin().await.unwrap();
        let until = now.plus(std::time::Duration::from_mins(5));
        let claimed = unit.jobs().claim(JobKind::BankReconcile, now, until, 1).await.unwrap();
        unit.commit().await.unwrap();
        let Some(job) = claimed.first() else { return told };
        // Twice, as after the death of a server that had not written down that it was done.
        let done = automatic::run(&*business, call, job).await.unwrap();
        let again = automatic::run(&*business, call, job).await.unwrap();
        assert_eq!((again.looked_at, again.reconciled), (done.looked_at - done.reconciled, 0));
        told.push((done.looked_at, done.reconciled));
    }
}
