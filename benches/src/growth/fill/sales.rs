//! Invoices of a company, issued, posted and paid as the service does it.

use serde_json::json;
use svc_business::ports::{AccountUnit as _, SalesUnit};
use svc_business::record::{Home, Opened, alone, home};
use svc_business::sales::document::SalesDocument;
use svc_business::sales::input::SalesDocumentInput;
use svc_business::sales::operations;
use svc_core::id::{AccountId, ContactId};
use svc_core::resource::Expected;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::Database;
use svc_testkit::business::sample::{account, contact_id, everything};

use super::caller::{Caller, ThisYear, transfer};
use crate::filling::Steps;

/// Invoices of a unit.
const UNIT: usize = 100;

/// What a company has sold.
pub(in crate::growth) struct Sold {
    /// The ids of its invoices, in the order of their days.
    pub(in crate::growth) invoices: Vec<String>,
    /// Those of them that wait for their payment.
    pub(in crate::growth) unpaid: Vec<String>,
}

/// Gives the company what an invoice says of it.
async fn complete(database: &Database, company: AccountId) {
    let found = database.business().accounts().find(&everything(), company).await.expect("read");
    let before = found.expect("the company");
    let (known, mut after) = (account(1), before.clone());
    (after.tax_id, after.address) = (known.tax_id, known.address);
    after.version = before.version.next();
    let unit = database.begin().await.expect("a unit");
    unit.accounts().replace(&everything(), &before, &after).await.expect("replaced");
    unit.commit().await.expect("committed");
}

/// Issues so many simplified invoices of two lines to one after the other of the first fifth of the contacts, on the days
/// of the present year up to today, and pays all but so many that are spread evenly.
pub(super) async fn sell(
    database: &Database,
    caller: &Caller,
    company: AccountId,
    contacts: u32,
    [invoices, unpaid]: [u32; 2],
) -> Sold {
    let customers = (contacts / 5).max(1);
    complete(database, company).await;
    let (year, mut steps) = (ThisYear::new(), Steps::new("invoices", invoices));
    let numbers: Vec<u32> = (0..invoices).collect();
    let is_unpaid = |number: u32| number.is_multiple_of((invoices / unpaid.max(1)).max(1));
    let mut sold = Sold { invoices: Vec::new(), unpaid: Vec::new() };
    for some in numbers.chunks(UNIT) {
        let unit = database.begin().await.expect("a unit");
        let mut issued = Vec::new();
        for number in some {
            let call = caller.at(year.at(*number, invoices));
            let house: Home<'_, _> =
                home::<SalesDocument>(unit.as_ref(), call, company).await.expect("the company");
            let input = invoice(contact_id(u128::from(number % customers + 1)), *number);
            issued.push(Box::pin(operations::create(&house, input)).await.expect("issued"));
        }
        unit.commit().await.expect("committed");
        let unit = database.begin().await.expect("a unit");
        let sales: &dyn SalesUnit = unit.as_ref();
        for (number, document) in some.iter().zip(&issued) {
            sold.invoices.push(document.id.to_string());
            if is_unpaid(*number) {
                sold.unpaid.push(document.id.to_string());
                continue;
            }
            let call = caller.at(year.at(*number, invoices));
            let opened: Opened<'_, SalesDocument> =
                alone(sales, call, document.id, &[], &Expected::Any).await.expect("opened");
            let payment = transfer(document.due(), call.now.date());
            Box::pin(operations::pay(opened, &payment)).await.expect("paid");
        }
        unit.commit().await.expect("committed");
        steps.done(some.len());
    }
    sold
}

fn invoice(contact: ContactId, number: u32) -> SalesDocumentInput {
    let input = json!({"docType": "simplified_invoice", "issue": true, "contactId": contact, "lines": [
        {"description": "Obra", "quantity": "3", "unitPrice": format!("{}.35", number % 90 + 1)},
        {"description": "Libro", "unitPrice": "12.50", "taxCode": "es_vat_4"}]});
    serde_json::from_value(input).expect("an invoice")
}
