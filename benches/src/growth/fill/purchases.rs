//! What a company buys: suppliers and their documents, one in ten of which is approved, posted and paid but for a few.

use serde_json::json;
use svc_business::ports::{DynPurchaseUnit, PurchaseUnit};
use svc_business::purchases::document::SupplierDocument;
use svc_business::purchases::input::SupplierDocumentInput;
use svc_business::purchases::operations;
use svc_business::purchases::supplier::Supplier;
use svc_business::record::{Home, Opened, alone, home};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, SupplierId};
use svc_core::resource::Expected;
use svc_core::unit::{CallContext, UnitOfWork as _};
use svc_storage_seaorm::Database;
use svc_testkit::business::sample::contact_id;

use super::caller::{Caller, ThisYear, transfer};
use crate::filling::Steps;

/// Records of a unit.
const UNIT: usize = 100;
/// Of so many documents one is approved.
const APPROVED: u32 = 10;
/// So many of them wait for their payment, about; the others are paid.
const UNPAID: u32 = 20;

/// What a company has bought.
pub(in crate::growth) struct Bought {
    /// The ids of its suppliers, which have the numbers from 1 on.
    pub(in crate::growth) suppliers: Vec<SupplierId>,
    /// The ids of documents that wait for approval.
    pub(in crate::growth) waiting: Vec<String>,
}

/// Makes so many suppliers of contacts, and receives so many documents of one after the other on the days of
/// the present year up to today.
pub(super) async fn buy(
    database: &Database,
    caller: &Caller,
    company: AccountId,
    [suppliers, documents]: [u32; 2],
) -> Bought {
    let suppliers = supply(database, caller, company, suppliers).await;
    let (year, numbers) = (ThisYear::new(), (0..documents).collect::<Vec<u32>>());
    let mut steps = Steps::new("supplier documents", documents);
    let mut waiting = Vec::new();
    for some in numbers.chunks(UNIT) {
        let unit = database.begin().await.expect("a unit");
        let mut received = Vec::new();
        for number in some {
            let at = year.at(*number, documents);
            let house: Home<'_, DynPurchaseUnit> =
                home::<SupplierDocument>(unit.as_ref(), caller.at(at), company).await.expect("the company");
            let supplier = suppliers.get(*number as usize % suppliers.len()).expect("a supplier");
            let input = invoice(*supplier, *number, at);
            received.push(Box::pin(operations::create(&house, &input)).await.expect("received").id);
        }
        unit.commit().await.expect("committed");
        let unit = database.begin().await.expect("a unit");
        let purchases: &dyn PurchaseUnit = unit.as_ref();
        let mut owing = Vec::new();
        for (number, id) in some.iter().zip(received) {
            if !number.is_multiple_of(APPROVED) {
                waiting.push(id.to_string());
                continue;
            }
            let call = caller.at(year.at(*number, documents));
            let opened: Opened<'_, SupplierDocument> =
                alone(purchases, call, id, &[], &Expected::Any).await.expect("opened");
            let request = serde_json::from_value(json!({})).expect("a request");
            let document = Box::pin(operations::approve(opened, &request)).await.expect("approved");
            if !number.is_multiple_of(APPROVED * (documents / APPROVED / UNPAID).max(1)) {
                owing.push((call, document));
            }
        }
        unit.commit().await.expect("committed");
        pay(database, owing).await;
        steps.done(some.len());
    }
    Bought { suppliers, waiting }
}

/// The contact that a supplier is. None of them is archived, see [`people`](crate::filling::people).
pub(in crate::growth) fn contact_number(supplier: u32) -> u32 {
    2 * supplier - 1
}

async fn pay(database: &Database, owing: Vec<(CallContext<'_>, SupplierDocument)>) {
    let unit = database.begin().await.expect("a unit");
    let purchases: &dyn PurchaseUnit = unit.as_ref();
    for (call, document) in owing {
        let opened: Opened<'_, SupplierDocument> =
            alone(purchases, call, document.id, &[], &Expected::Any).await.expect("opened");
        let payment = transfer(document.due(), call.now.date());
        Box::pin(operations::pay(opened, &payment)).await.expect("paid");
    }
    unit.commit().await.expect("committed");
}

async fn supply(database: &Database, caller: &Caller, company: AccountId, count: u32) -> Vec<SupplierId> {
    let (year, numbers) = (ThisYear::new(), (1..=count).collect::<Vec<u32>>());
    let mut steps = Steps::new("suppliers", count);
    let mut ids = Vec::new();
    for some in numbers.chunks(UNIT) {
        let unit = database.begin().await.expect("a unit");
        for number in some {
            let call = caller.at(year.at(*number, count));
            let house: Home<'_, DynPurchaseUnit> =
                home::<Supplier>(unit.as_ref(), call, company).await.expect("the company");
            let supplier = json!({"contactId": contact_id(contact_number(*number).into()), "code": format!("S-{number}"),
                "supplierType": if number.is_multiple_of(4) { "creditor" } else { "trade" }});
            let input = serde_json::from_value(supplier).expect("a supplier");
            ids.push(Box::pin(operations::create_supplier(&house, &input)).await.expect("added").id);
        }
        unit.commit().await.expect("committed");
        steps.done(some.len());
    }
    ids
}

fn invoice(supplier: SupplierId, number: u32, at: Timestamp) -> SupplierDocumentInput {
    let input = json!({"docType": "invoice", "supplierId": supplier, "number": format!("F-{number}"),
        "issueDate": at.date().to_string(), "lines": [
        {"description": "Papel", "quantity": "3", "unitPrice": format!("{}.35", number % 90 + 1)},
        {"description": "Porte", "unitPrice": "12.50"}]});
    serde_json::from_value(input).expect("an invoice")
}
