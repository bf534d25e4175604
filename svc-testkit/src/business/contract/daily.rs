//! The day of a company: what is due is done once, however often the day is run.

use serde_json::json;
use svc_business::books::asset::FixedAsset;
use svc_business::books::asset::{FixedAssetInput, activate, create};
use svc_business::daily::{self, DayReport};
use svc_business::job::{Job, JobKind, Outcome};
use svc_business::notice::{Notice, NoticeKind, NoticeStatus};
use svc_business::record;
use svc_business::sales::document::Acceptance;
use svc_business::signature::{Envelope, VoidReason};
use svc_business::tax::profile::{IncomeTax, TaxProfile};
use svc_business::tax::returns::{Model, TaxReturnFilter};
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::page::Sort;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use super::shop::Shop;
use super::{Storage, attempt, whole};
use crate::business::envelopes::{access, act, draft, pin, signer};
use crate::business::sample::{at, bare_notice, date, everything};
use crate::fakes::SeededRandom;

const DAY: i64 = 24 * 3_600;

async fn run(shop: &Shop, job: &Job, now: Timestamp) -> (DayReport, Option<Timestamp>) {
    let (scope, actor, random) = (everything(), Actor::service("contract"), SeededRandom::new(9));
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &random };
    daily::run(&*shop.storage, call, job).await.expect("a day")
}

/// Quotes expire, assets depreciate and the next year opens, each once.
pub async fn a_day_does_what_is_due_once(storage: Storage) {
    let shop = Shop::new(storage).await;
    let quote = |due: &str| {
        json!({"docType": "quote", "contactId": shop.customer, "issue": true, "issueDate": "2025-03-01",
            "dueDate": due, "lines": [{"description": "Obra", "unitPrice": "5.00"}]})
    };
    let (over, holds) = (shop.write(&quote("2025-03-10")).await, shop.write(&quote("2025-04-20")).await);
    let used = shop.write(&quote("2025-03-10")).await;
    shop.invoice_of(used.id).await;
    let asset: FixedAssetInput = serde_json::from_value(json!({"name": "Torno", "assetClass": "machinery",
        "acquisitionDate": "2025-01-01", "cost": "1200.00", "frequency": "monthly"}))
    .expect("a patch");
    let asset = shop
        .within(async |unit, call| {
            let home =
                record::home::<FixedAsset>(unit, call, shop.company.id).await.map_err(Refused::widen)?;
            create(&home, asset).await
        })
        .await
        .expect("an asset");
    shop.within(async |unit, call| {
        let opened = record::alone::<FixedAsset>(unit, call, asset.id, &[], &Expected::Any);
        activate(opened.await.map_err(Refused::widen)?).await
    })
    .await
    .expect("active");
    let claimed = attempt!(shop.storage, |unit| unit.jobs().claim(JobKind::CompanyDay, at(0), at(60), 10));
    let claimed = claimed.expect("claim");
    let [job] = claimed.as_slice() else { panic!("one job of one company: {claimed:?}") };
    assert_eq!(job.company, Some(shop.company.id));
    // In April three months have passed, and the quote is over.
    let april = at(40 * DAY);
    let (report, due) = run(&shop, job, april).await;
    assert_eq!((report.expired_quotes, report.instalments, report.years), (1, 3, 0), "{report}");
    assert_eq!(report.outcome(), Outcome::Done);
    let due = due.expect("it goes on");
    assert!(due > april && due.since(april).as_secs() <= 25 * 3_600, "{due}");
    let acceptance = async |id| shop.find(id).await.and_then(|document| document.kind.acceptance());
    assert_eq!(acceptance(over.id).await, Some(Acceptance::Expired));
    assert_eq!(acceptance(holds.id).await, Some(Acceptance::Pending));
    assert_eq!(acceptance(used.id).await, Some(Acceptance::Pending));
    let (again, _) = run(&shop, job, april).await;
    assert_eq!(again, DayReport::default(), "{again}");
    let (december, _) = run(&shop, job, at(290 * DAY)).await;
    assert_eq!((december.expired_quotes, december.years), (1, 1), "{december}");
    let years = shop.storage.fiscal_years().of_company(shop.company.id).await.expect("read");
    assert_eq!(years.iter().map(|year| year.name.as_str()).max(), Some("2026"));
}

/// A notification expires on the day after its last one.
pub async fn a_day_lets_notices_expire(storage: Storage) {
    let shop = Shop::new(storage).await;
    let until = |number, day| Notice {
        kind: NoticeKind::Notification,
        expires_on: Some(date(2025, 3, day)),
        ..bare_notice(shop.company.id, number)
    };
    let (first, second) = (until(90, 10), until(91, 12));
    for notice in [&first, &second, &bare_notice(shop.company.id, 92)] {
        attempt!(shop.storage, |unit| unit.notices().insert(&everything(), notice)).expect("insert");
    }
    let claimed = attempt!(shop.storage, |unit| unit.jobs().claim(JobKind::CompanyDay, at(0), at(60), 10));
    let claimed = claimed.expect("claim");
    let [job] = claimed.as_slice() else { panic!("one job of one company: {claimed:?}") };
    let noon = |day: i64| at((day - 1) * DAY + 12 * 3_600 - at(0).unix_micros() / 1_000_000 % DAY);
    let expired = async |day| run(&shop, job, noon(day)).await.0.expired_notices;
    assert_eq!((expired(10).await, expired(11).await, expired(11).await, expired(20).await), (0, 1, 0, 1));
    let after = shop.storage.notices().find(&everything(), first.id).await.expect("find").expect("there");
    assert_eq!((after.status, after.version), (NoticeStatus::Expired, first.version.next()));
}

/// The returns that a company owes are made when their periods begin, once.
pub async fn a_day_makes_the_returns_that_are_owed(storage: Storage) {
    let shop = Shop::new(storage).await;
    let claimed = attempt!(shop.storage, |unit| unit.jobs().claim(JobKind::CompanyDay, at(0), at(60), 10));
    let claimed = claimed.expect("claim");
    let [job] = claimed.as_slice() else { panic!("one job of one company: {claimed:?}") };
    let made = async |days: i64| run(&shop, job, at(days * DAY)).await.0.returns;
    assert!(made(0).await > 0 && made(0).await == 0 && made(1).await == 0);
    assert!(made(45).await > 0, "the second quarter has begun");
    let page = TaxReturnFilter { model: Some(Model::M303), ..TaxReturnFilter::default() };
    let page =
        shop.storage.tax_returns().page(&everything(), &page, &Sort::default(), whole()).await.expect("page");
    let of_vat: Vec<_> = page.items.iter().map(|one| (one.period.period().to_string(), one.due)).collect();
    assert_eq!(of_vat, [("1T".to_owned(), date(2025, 4, 21)), ("2T".to_owned(), date(2025, 7, 21))]);
}

/// A tax year whose end was moved has one return still, of its other days, and the other returns are made as before.
pub async fn a_day_follows_the_end_of_the_year(storage: Storage) {
    let shop = Shop::new(storage).await;
    let claimed = attempt!(shop.storage, |unit| unit.jobs().claim(JobKind::CompanyDay, at(0), at(60), 10));
    let claimed = claimed.expect("claim");
    let [job] = claimed.as_slice() else { panic!("one job of one company: {claimed:?}") };
    let made = async |days: i64| run(&shop, job, at(days * DAY)).await.0.returns;
    let ends = async |end: &str| {
        let found = shop.storage.tax_profiles().of_company(shop.company.id).await;
        let before = found.expect("read").expect("there");
        let (year_end, version) = (end.parse().expect("a day"), before.version.next());
        let after = TaxProfile { income_tax: IncomeTax::Corporate, year_end, version, ..before.clone() };
        let moved =
            attempt!(shop.storage, |unit| unit.tax_profiles().replace(&everything(), &before, &after));
        moved.expect("replaced");
    };
    ends("12-31").await;
    assert!(made(0).await > 0);
    ends("06-30").await;
    assert_eq!((made(1).await, made(2).await), (1, 0), "the return of the year that is under way");
    assert!(made(45).await > 0, "the second quarter has begun");
    let page = TaxReturnFilter { model: Some(Model::M200), ..TaxReturnFilter::default() };
    let page =
        shop.storage.tax_returns().page(&everything(), &page, &Sort::default(), whole()).await.expect("page");
    let ends: Vec<_> = page.items.iter().map(|one| (one.period.year(), one.period.to())).collect();
    assert!(ends.contains(&(2024, date(2025, 6, 30))), "{ends:?}");
}

/// An envelope expires after its term, and those who have not signed are reminded until then.
pub async fn a_day_lets_envelopes_expire(storage: Storage) {
    let shop = Shop::new(storage).await;
    let draft = draft(shop.company.id, 90, vec![signer(60), signer(61)]);
    let draft = Envelope { reminder_every_days: 20, ..draft };
    let sent = draft.send(vec![pin(0)], access, &act(at(0))).expect("a whole draft");
    let sent_once = attempt!(shop.storage, |unit| async {
        unit.envelopes().insert(&everything(), &sent.envelope).await?;
        unit.envelopes().append(&sent.envelope, &sent.entries).await
    });
    sent_once.expect("sent");
    let claimed = attempt!(shop.storage, |unit| unit.jobs().claim(JobKind::CompanyDay, at(0), at(60), 10));
    let claimed = claimed.expect("claim");
    let [job] = claimed.as_slice() else { panic!("one job of one company: {claimed:?}") };
    let done = async |day: i64| {
        let (report, _) = run(&shop, job, at(day * DAY)).await;
        (report.expired_envelopes, report.reminded_envelopes)
    };
    assert_eq!((done(19).await, done(20).await, done(21).await), ((0, 0), (0, 1), (0, 0)));
    assert_eq!((done(30).await, done(31).await), ((1, 0), (0, 0)));
    let waiting = shop.storage.jobs().waiting(shop.company.id, JobKind::EnvelopeMail, 100).await;
    assert_eq!(waiting.expect("read"), 4, "two are reminded, and told of the end");
    let after = shop.storage.envelopes().find(&everything(), sent.envelope.id).await.expect("find");
    assert_eq!(after.as_ref().and_then(Envelope::void_reason), Some(&VoidReason::Expired));
}
