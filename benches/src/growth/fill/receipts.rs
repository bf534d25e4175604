//! What a bank account of a company received for its last invoices.

use serde_json::json;
use svc_business::bank::import::add_by_hand;
use svc_business::bank::movement::{BankMovement, BankMovementFilter};
use svc_business::bank::{self, BankAccount};
use svc_business::ports::DynBankUnit;
use svc_business::record::{Opened, alone, home};
use svc_business::sales::document::SalesDocument;
use svc_core::clock::Clock as _;
use svc_core::id::{AccountId, SalesDocumentId};
use svc_core::page::{PageRules, Sort};
use svc_core::resource::{Expected, ResourceReader};
use svc_core::system::SystemClock;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::Database;
use svc_testkit::business::sample::everything;

use super::caller::Caller;

/// The movements of a bank account, by what they tell of the invoices that they pay. None of them is reconciled.
pub(in crate::growth) struct Received {
    /// The ids of those that tell the number of an invoice and the name of its customer.
    pub(in crate::growth) telling: Vec<String>,
    /// The ids of those that tell an amount alone.
    pub(in crate::growth) silent: Vec<String>,
}

/// What a movement says that tells no more than its amount.
const SILENT: &str = "Transferencia";

/// Adds an account that gained what is due of each of these invoices today; every other movement tells the number of its
/// invoice too, and the name of its customer.
pub(super) async fn receive(
    database: &Database,
    caller: &Caller,
    company: AccountId,
    invoices: &[String],
) -> Received {
    let (scope, now) = (everything(), SystemClock.now());
    let call = caller.at(now);
    let business = database.business();
    let ids: Vec<SalesDocumentId> = invoices.iter().map(|id| id.parse().expect("an id")).collect();
    let due = ResourceReader::<SalesDocument>::find_all(business.sales(), &scope, &ids).await.expect("read");
    let movement = |(place, document): (usize, &SalesDocument)| {
        let issue = document.issue_data().expect("issued");
        let told = place.is_multiple_of(2);
        json!({
            "bookingDate": now.date().to_string(),
            "amount": document.due().to_string(),
            "description": if told { format!("Pago factura {}", issue.number) } else { SILENT.to_owned() },
            "counterpartyName": issue.customer.as_ref().filter(|_| told).map(|customer| &customer.name),
        })
    };
    let movements = serde_json::to_value(due.iter().enumerate().map(movement).collect::<Vec<_>>());
    let movements: Vec<_> = serde_json::from_value(movements.expect("JSON")).expect("movements");
    let account = json!({"name": "Banco", "type": "cash"});
    let account = serde_json::from_value(account).expect("an account");
    let unit = database.begin().await.expect("a unit");
    let banks: &DynBankUnit = unit.as_ref();
    let house = home::<BankAccount>(banks, call, company).await.expect("the company");
    let account = bank::create(&house, &account).await.expect("added");
    unit.commit().await.expect("committed");
    let unit = database.begin().await.expect("a unit");
    let banks: &DynBankUnit = unit.as_ref();
    let opened: Opened<'_, BankAccount> =
        alone(banks, call, account.id, &[], &Expected::Any).await.expect("opened");
    add_by_hand(&opened, &movements).await.expect("added");
    unit.commit().await.expect("committed");
    let filter = BankMovementFilter { companies: vec![company], ..BankMovementFilter::default() };
    let page = PageRules::USUAL.page(None, Some(PageRules::USUAL.max)).expect("a page");
    let listed =
        ResourceReader::<BankMovement>::page(business.bank_movements(), &scope, &filter, &Sort(None), page);
    let (silent, telling): (Vec<BankMovement>, Vec<BankMovement>) = listed
        .await
        .expect("movements")
        .items
        .into_iter()
        .partition(|movement| movement.description == SILENT);
    let ids =
        |movements: Vec<BankMovement>| movements.iter().map(|movement| movement.id.to_string()).collect();
    Received { telling: ids(telling), silent: ids(silent) }
}
