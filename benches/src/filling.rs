//! Companies that have many contacts and cases before a server starts, written through the storage.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use svc_business::account::AccountFilter;
use svc_business::case::{Case, CaseStatus, CaseType};
use svc_business::contact::{Contact, ContactRole, ContactStatus, Identity};
use svc_business::ports::DynBusinessUnit;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::page::{PageRules, Sort};
use svc_core::pii::Pii;
use svc_storage_seaorm::{Database, Settings};
use svc_testkit::business::sample::{self, at, contact_id, email, everything, organization, phone, tax};
use svc_testkit::postgres::query;

use crate::faults::{Site, progress};
use crate::traffic::dni;

/// Records of a unit of work.
pub(crate) const UNIT: u32 = 500;
/// Seconds between two records.
const BETWEEN: i64 = 10;

/// The database of a site.
pub(crate) async fn database_of(site: &Site) -> Database {
    Database::open(&Settings::new(&*site.url, Site::keys())).await.expect("the database")
}

/// The company of a database that has one.
pub(crate) async fn company_of(database: &Database) -> AccountId {
    let request = PageRules::USUAL.page(None, None).expect("a page");
    let (filter, sort) = (AccountFilter::default(), Sort::default());
    let companies = database.business().accounts().page(&everything(), &filter, &sort, request).await;
    companies.expect("companies").items.first().expect("the first company").id
}

/// Gives the company of a site so many contacts, and a tenth as many cases, before its server starts.
pub(crate) async fn populate(site: &Site, contacts: u32) {
    let database = database_of(site).await;
    let company = company_of(&database).await;
    people(&database, company, contacts).await;
    database.close().await;
    vacuum(site);
}

/// Lets PostgreSQL look at what was written, as autovacuum does before long.
pub(crate) fn vacuum(site: &Site) {
    if site.url.starts_with("postgres") {
        drop(query(&site.url, "VACUUM ANALYZE"));
    }
}

/// Gives a company so many contacts, and a tenth as many cases. They have the numbers from 1 on.
pub(crate) async fn people(database: &Database, company: AccountId, contacts: u32) {
    in_units(database, "contacts", contacts, UNIT, async |unit, number| {
        unit.contacts().insert(&everything(), &contact(company, number)).await
    })
    .await;
    in_units(database, "cases", contacts / 10, UNIT, async |unit, number| {
        unit.cases().insert(&everything(), &case(company, number)).await
    })
    .await;
}

/// Inserts so many records, so many to a unit of work. They have the numbers from 1 on.
pub(crate) async fn in_units(
    database: &Database,
    records: &'static str,
    count: u32,
    of_unit: u32,
    insert: impl AsyncFn(&DynBusinessUnit, u32) -> Result<(), StoreError>,
) {
    let (business, mut steps) = (database.business(), Steps::new(records, count));
    let numbers: Vec<u32> = (1..=count).collect();
    for some in numbers.chunks(of_unit as usize) {
        let unit = business.begin().await.expect("a unit");
        for number in some {
            insert(unit.as_ref(), *number).await.expect("inserted");
        }
        unit.commit().await.expect("committed");
        steps.done(some.len());
    }
}

/// Tells now and then how far a filling has come.
pub(crate) struct Steps {
    records: &'static str,
    all: u32,
    done: usize,
    told: Instant,
}

impl Steps {
    /// Of so many records.
    pub(crate) fn new(records: &'static str, all: u32) -> Self {
        Self { records, all, done: 0, told: Instant::now() }
    }

    /// So many more are there.
    pub(crate) fn done(&mut self, more: usize) {
        self.done += more;
        if self.told.elapsed() > Duration::from_secs(10) {
            self.told = Instant::now();
            progress(&format!("{} of {} {}", self.done, self.all, self.records));
        }
    }
}

fn contact(company: AccountId, number: u32) -> Contact {
    let name = match number % 4 {
        0 | 2 => format!("Luna{number}x Sociedad Limitada"),
        1 => format!("Talleres Luna{number}x"),
        _ => format!("Luna{number}x Asesores"),
    };
    let when = at(i64::from(number) * BETWEEN - 40_000_000);
    let status = if number.is_multiple_of(50) { ContactStatus::Archived } else { ContactStatus::Active };
    let role = if number.is_multiple_of(3) { ContactRole::Supplier } else { ContactRole::Customer };
    let mut contact = Contact {
        roles: BTreeSet::from([role]),
        tax_id: Some(Pii::new(tax(&dni(number)))),
        email: Some(email(&format!("luna{number}@example.com"))),
        phone: Some(Pii::new(phone(&format!("+346{number:08}")))),
        tags: vec!["customer".to_owned(), format!("route {}", number % 40)],
        status,
        created_at: when,
        updated_at: when,
        ..organization(company, number.into(), &name)
    };
    contact.extension.external_id = Some(format!("crm-{number}"));
    if number.is_multiple_of(5) {
        contact.identity = Identity::Person {
            given_name: "Ana".to_owned(),
            family_name: format!("Luna{number}x Sociedad"),
            date_of_birth: None,
        };
        contact.parent = Some(contact_id(u128::from(number) - 1));
    }
    contact
}

fn case(company: AccountId, number: u32) -> Case {
    let when = at(i64::from(number) * BETWEEN - 40_000_000);
    Case {
        title: format!("Asunto {number}x"),
        case_type: if number.is_multiple_of(2) { CaseType::Tax } else { CaseType::Legal },
        status: if number.is_multiple_of(5) { CaseStatus::Open } else { CaseStatus::InProgress },
        created_at: when,
        updated_at: when,
        ..sample::case(company, number, contact_id(number.into()), contact_id(number.into()))
    }
}
