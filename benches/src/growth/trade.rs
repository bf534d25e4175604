//! Invoices of a company, issued and posted as the service does it.

use std::time::{Duration, Instant};

use serde_json::json;
use svc_business::ports::AccountUnit as _;
use svc_business::record::{Home, home};
use svc_business::sales::document::SalesDocument;
use svc_business::sales::operations;
use svc_core::audit::Actor;
use svc_core::clock::{Clock as _, Timestamp};
use svc_core::id::AccountId;
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::system::SystemClock;
use svc_core::unit::{CallContext, UnitOfWork as _};
use svc_storage_seaorm::Database;
use svc_testkit::business::sample::{account, contact_id, everything};
use svc_testkit::fakes::SeededRandom;
use time::{Date, Month};

use crate::faults::progress;

/// Invoices of a unit.
const UNIT: u32 = 100;

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

/// Issues so many simplified invoices of two lines, each to another contact, on the days of the present year up to today;
/// answers their ids.
#[expect(clippy::disallowed_methods, reason = "the benchmark stands in for the authority")]
pub(super) async fn sell(database: &Database, company: AccountId, invoices: u32) -> Vec<String> {
    let (scope, actor, random) = (everything(), Actor::service("growth"), SeededRandom::new(1));
    let access = PiiAccess::Full(Reveal::granted());
    let today = SystemClock.now();
    let first = Date::from_calendar_date(today.date().year(), Month::January, 1).expect("a day");
    let first = Timestamp::start_of(first).plus(Duration::from_hours(12));
    complete(database, company).await;
    let (mut ids, mut told) = (Vec::new(), Instant::now());
    let numbers: Vec<u32> = (0..invoices).collect();
    for some in numbers.chunks(UNIT as usize) {
        let unit = database.begin().await.expect("a unit");
        for number in some {
            let now = first.plus(today.since(first).mul_f64(f64::from(*number) / f64::from(invoices)));
            let call = CallContext { scope: &scope, access, actor: &actor, now, random: &random };
            let house: Home<'_, _> =
                home::<SalesDocument>(unit.as_ref(), call, company).await.expect("the company");
            let input = json!({"docType": "simplified_invoice", "issue": true,
                "contactId": contact_id(u128::from(number + 1)), "lines": [
                    {"description": "Obra", "quantity": "3", "unitPrice": format!("{}.35", number % 90 + 1)},
                    {"description": "Libro", "unitPrice": "12.50", "taxCode": "es_vat_4"}]});
            let input = serde_json::from_value(input).expect("an invoice");
            let document = Box::pin(operations::create(&house, input)).await.expect("issued");
            ids.push(document.id.to_string());
        }
        unit.commit().await.expect("committed");
        if told.elapsed() > Duration::from_secs(10) {
            told = Instant::now();
            progress(&format!("{} of {invoices} invoices", ids.len()));
        }
    }
    ids
}
