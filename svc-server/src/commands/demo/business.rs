//! The second act: the company sells, is paid, buys and depreciates.

use serde_json::{Value, json};
use time::Date;

use super::api::Api;
use super::calendar::{self, month_of};
use super::story::{Expected, Step, euros, id, text};
use crate::failure::Failure;

/// The company becomes one that may issue invoices.
pub(super) async fn complete(api: &Api) -> Result<Step, Failure> {
    let company = api.complete_company().await?;
    let words = "The company gets the tax id and the address that its invoices name.".to_owned();
    let events = vec![Expected::of("account.update", &company)];
    Ok(Step::new("company", &json!({"companyId": company}), words, events))
}

/// A customer, and a draft of an invoice for it.
pub(super) async fn draft(api: &Api) -> Result<(Step, Value), Failure> {
    let customer = json!({"kind": "organization", "legalName": "Reformas Alba SL", "taxId": "A58818501",
        "paymentTermDays": 30, "address": {"line1": "Calle Menor 2", "city": "Madrid", "postalCode": "28013",
        "country": "ES"}});
    let customer = id(&api.post("/contacts", &customer).await?)?;
    let lines = json!([
        {"description": "Taladro percutor", "quantity": "3", "unitPrice": "85.50", "itemType": "good"},
        {"description": "Instalación", "quantity": "20", "unit": "HUR", "unitPrice": "45.00"}]);
    let draft = json!({"docType": "invoice", "contactId": customer, "lines": lines});
    let draft = api.post("/billing", &draft).await?;
    let document = id(&draft)?;
    let total = text(&draft, "/totals/total")?;
    let tax = text(&draft, "/totals/taxTotal")?;
    let words =
        format!("A draft of an invoice to Reformas Alba SL: {}, {} of it tax.", euros(&total), euros(&tax));
    let figures = json!({"invoiceId": document, "total": total, "tax": tax});
    let events = vec![Expected::of("contact.create", &customer), Expected::of("invoice.create", &document)];
    Ok((Step::new("draft", &figures, words, events), draft))
}

/// The draft gets its number, and its entry in the books.
pub(super) async fn issue(api: &Api, draft: &Value) -> Result<(Step, Value), Failure> {
    let document = id(draft)?;
    let issued = api.post(&format!("/billing/{document}/issue"), &json!({})).await?;
    let [number, date, due] = ["/number", "/issueDate", "/dueDate"].map(|at| text(&issued, at));
    let (number, date, due) = (number?, date?, due?);
    let entry = text(&issued, "/journalEntryId")?;
    let words = format!("It is issued: invoice {number} of {date}, due on {due}.");
    let figures = json!({"invoiceId": document, "number": number, "issueDate": date, "dueDate": due});
    let mut events = vec![Expected::of("invoice.issue", &document)];
    events.extend(Expected::posting(Some(&entry)));
    Ok((Step::new("issue", &figures, words, events), issued))
}

/// The day on which it was issued: today, by the company's calendar.
pub(super) fn day_of(issued: &Value) -> Result<Date, Failure> {
    calendar::date(&text(issued, "/issueDate")?)
}

/// The customer pays all of it.
pub(super) async fn pay(api: &Api, issued: &Value) -> Result<Step, Failure> {
    let document = id(issued)?;
    let [number, date, due] = ["/number", "/issueDate", "/totals/due"].map(|at| text(issued, at));
    let (number, date, due) = (number?, date?, due?);
    let payment = json!({"amount": due, "date": date, "method": "transfer"});
    let payment = id(&api.post(&format!("/billing/{document}/payments"), &payment).await?)?;
    let words = format!("It is paid: {} by transfer for {number}.", euros(&due));
    let figures = json!({"invoiceId": document, "paymentId": payment, "amount": due});
    let mut events = vec![Expected::of("invoice.pay", &document).with("payment_id", &payment)];
    events.extend(Expected::posting(None));
    Ok(Step::new("payment", &figures, words, events))
}

/// What was bought.
pub(super) struct Bought {
    /// The asset that the machine became.
    pub(super) asset: String,
    /// What is to be paid for it.
    pub(super) total: String,
}

/// A supplier's document with a machine is approved.
pub(super) async fn buy(api: &Api, today: Date) -> Result<(Step, Bought), Failure> {
    let supplier = json!({"contact": {"kind": "organization", "legalName": "Maquinaria Norte SA"}});
    let supplier = api.post("/suppliers", &supplier).await?;
    let (contact, supplier) = (text(&supplier, "/contactId")?, id(&supplier)?);
    let (first, _) = month_of(today);
    let document = json!({"docType": "invoice", "supplierId": supplier, "number": "N-2048", "receivedDate": today.to_string(),
        "issueDate": first.to_string(),
        "lines": [{"description": "Torno", "unitPrice": "6000.00", "assetClass": "machinery"}]});
    let document = id(&api.post("/supplier-documents", &document).await?)?;
    let approved = api.post(&format!("/supplier-documents/{document}/approve"), &json!({})).await?;
    let (asset, entry) = (text(&approved, "/assetIds/0")?, text(&approved, "/journalEntryId")?);
    let total = text(&approved, "/totals/total")?;
    let words = format!("It buys a lathe from Maquinaria Norte SA: {}, approved and booked.", euros(&total));
    let figures = json!({"documentId": document, "total": total, "fixedAssetId": asset});
    let mut events = vec![
        Expected::of("contact.create", &contact),
        Expected::of("supplier.create", &supplier),
        Expected::of("supplier_document.create", &document),
        Expected::of("supplier_document.update", &document),
        Expected::of("fixed_asset.create", &asset),
    ];
    events.extend(Expected::posting(Some(&entry)));
    Ok((Step::new("purchase", &figures, words, events), Bought { asset, total }))
}

/// The machine is put to use, and loses its share of the present month; answers the last day of that.
pub(super) async fn depreciate(api: &Api, asset: &str, today: Date) -> Result<(Step, Date), Failure> {
    let path = api.books(&format!("/fixed-assets/{asset}"));
    api.patch(&path, &json!({"frequency": "monthly"})).await?;
    api.post(&format!("{path}/activate"), &json!({})).await?;
    let (_, month_end) = month_of(today);
    let run = json!({"through": month_end.to_string(), "post": true});
    let run = api.post(&api.books("/fixed-assets/depreciation-runs"), &run).await?;
    let of_asset = |lost: &&Value| text(lost, "/fixedAssetId").is_ok_and(|id| id == asset);
    let assets = run.pointer("/assets").and_then(Value::as_array);
    let lost = assets.into_iter().flatten().find(of_asset).cloned().unwrap_or_default();
    let amount = text(&lost, "/instalments/0/amount")?;
    let entry = text(&lost, "/instalments/0/entryId")?;
    let words =
        format!("The lathe is put to use and loses {} in the month up to {month_end}.", euros(&amount));
    let figures = json!({"fixedAssetId": asset, "amount": amount, "through": month_end.to_string()});
    // Three changes: how often it loses value, its use, and what it lost.
    let mut events: Vec<_> = (0..3).map(|_| Expected::of("fixed_asset.update", asset)).collect();
    events.extend(Expected::posting(Some(&entry)));
    Ok((Step::new("depreciation", &figures, words, events), month_end))
}
