//! The companies and their subscriptions, written as the use cases would leave them.

use svc_core::id::SubscriptionId;
use svc_storage_seaorm::{Database, Settings};
use svc_testkit::audit::noted;
use svc_testkit::business::sample::bare_account;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::subscription::State;

use crate::NOW;
use crate::faults::Site;
use crate::service::token;

/// Companies, all alike.
pub(super) const COMPANIES: u16 = 50;
/// Healthy receivers of each: as many as a company may have.
pub(super) const HEALTHY_EACH: u16 = 20;
/// Healthy receivers in all.
pub(super) const HEALTHY: u16 = COMPANIES * HEALTHY_EACH;

const EVENT: &str = "contact.create";

/// What was written.
#[derive(Debug)]
pub(super) struct Seeded {
    /// `Bearer svc_live_…` of each company.
    pub(super) authorizations: Vec<String>,
    /// The hostile receivers in their order, all switched off.
    pub(super) hostile: Vec<Subscribed>,
}

/// A subscription and whose it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subscribed {
    /// The number of its company, from 0.
    pub(super) company: usize,
    /// The subscription.
    pub(super) id: SubscriptionId,
}

/// Fills a new database.
///
/// # Panics
/// When it cannot be filled.
pub(super) async fn seed(url: &str, healthy: impl Fn(u16) -> String, hostile: &[String]) -> Seeded {
    let keys = Site::keys();
    let peppers = keys.peppers();
    let database = Database::open(&Settings::new(url.to_owned(), keys)).await.expect("a database");
    database.migrate(NOW).await.expect("the schema is made");
    let mut authorizations = Vec::new();
    for number in 1..=COMPANIES {
        authorizations.push(token(&database, &peppers, number.into(), "full").await);
    }
    let samples = Samples::new(1);
    for company in 0..COMPANIES {
        let own = company * HEALTHY_EACH..(company + 1) * HEALTHY_EACH;
        let urls: Vec<_> = own.map(&healthy).collect();
        insert(&database, &samples, company.into(), &urls, true).await;
    }
    let mut inserted = Vec::new();
    for (number, url) in hostile.iter().enumerate() {
        let company = number % usize::from(COMPANIES);
        let ids = insert(&database, &samples, company, std::slice::from_ref(url), false).await;
        inserted.extend(ids.into_iter().map(|id| Subscribed { company, id }));
    }
    database.close().await;
    Seeded { authorizations, hostile: inserted }
}

async fn insert(
    database: &Database,
    samples: &Samples,
    company: usize,
    urls: &[String],
    active: bool,
) -> Vec<SubscriptionId> {
    let account = bare_account(company as u128 + 1).id;
    let unit = database.webhooks().begin().await.expect("a unit");
    let mut ids = Vec::new();
    for url in urls {
        let mut subscription = samples.subscription(account, &[EVENT]);
        subscription.endpoint = Endpoint::parse(url).expect("a URL");
        if !active {
            subscription.state = State::Inactive;
        }
        assert!(unit.subscriptions().insert(&subscription, u32::MAX).await.expect("inserted"));
        ids.push(subscription.id);
    }
    noted(&*unit, account).await.expect("written down");
    unit.commit().await.expect("committed");
    ids
}
