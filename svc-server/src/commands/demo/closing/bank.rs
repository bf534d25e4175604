//! A statement of the bank is imported, and its movements are reconciled.

use serde_json::{Value, json};
use time::Date;

use crate::commands::demo::api::Api;
use crate::commands::demo::story::{Expected, Step, euros, id, text};
use crate::failure::Failure;

/// The bank account, and the two movements that its statement brings.
pub(in crate::commands::demo) async fn statement(
    api: &Api,
    invoice: &Value,
    purchase: &str,
    today: Date,
) -> Result<(Step, Vec<String>), Failure> {
    let account =
        json!({"name": "Cuenta principal", "type": "bank", "iban": "ES91 2100 0418 4502 0005 1332"});
    let account = id(&api.post("/treasury/bank-accounts", &account).await?)?;
    let (number, gained) = (text(invoice, "/number")?, text(invoice, "/totals/total")?);
    let day = format!("{:02}/{:02}/{}", today.day(), u8::from(today.month()), today.year());
    let spanish = |amount: &str| amount.replace('.', ",");
    let table = format!(
        "Fecha;Concepto;Importe\n{day};Transferencia de Reformas Alba SL {number};{}\n{day};Recibo Maquinaria Norte \
         N-2048;-{}\n",
        spanish(&gained),
        spanish(purchase)
    );
    let path = format!("/treasury/bank-accounts/{account}/imports");
    let import = api.upload(&path, "statement.csv", table.as_bytes()).await?;
    let list = api.get(&format!("/treasury/bank-movements?bankAccountId={account}&sort=amount")).await?;
    let items = list.get("items").and_then(Value::as_array);
    let movements = items.into_iter().flatten().map(id).collect::<Result<Vec<_>, _>>()?;
    let words = format!("A bank account, and its statement: {} movements.", movements.len());
    let figures = json!({"bankAccountId": account, "importId": id(&import)?, "movements": movements.len()});
    let events = vec![
        Expected::of("bank_account.create", &account),
        Expected::of("bank_movement.create", &id(&import)?),
    ];
    Ok((Step::new("statement", &figures, words, events), movements))
}

/// A movement stands for what is likeliest: the purchase, or the payment of the invoice.
pub(in crate::commands::demo) async fn reconcile(
    api: &Api,
    movement: &str,
    invoice: &Value,
) -> Result<Step, Failure> {
    let path = format!("/treasury/bank-movements/{movement}");
    let proposals = api.get(&format!("{path}/proposals")).await?;
    let best = proposals.pointer("/proposals/0").cloned().unwrap_or_default();
    let [kind, target] = ["/allocations/0/type", "/allocations/0/id"].map(|at| text(&best, at));
    let (kind, target) = (kind?, target?);
    let reconciled = api.post(&format!("{path}/reconcile"), &json!({"proposalId": id(&best)?})).await?;
    let amount = text(&reconciled, "/amount")?;
    let shown = euros(amount.trim_start_matches('-'));
    let mut events = vec![Expected::of("reconciliation.confirm", movement)];
    events.extend(Expected::posting(None));
    let words = if kind == "supplier_document" {
        events.push(Expected::of("supplier_document.update", &target));
        let number = text(&best, "/allocations/0/number")?;
        format!("The likeliest is right: {shown} went out for {number}, which is paid.")
    } else {
        events.push(Expected::of("invoice.update", &id(invoice)?));
        format!("{shown} came in: the payment that was typed in before. It is counted once.")
    };
    let figures = json!({"movementId": movement, "type": kind, "targetId": target, "amount": amount});
    Ok(Step::new("reconciliation", &figures, words, events))
}
