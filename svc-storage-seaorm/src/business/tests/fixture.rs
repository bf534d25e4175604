//! A database in a temporary file, and records to put in it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sea_orm::{ConnectionTrait, DatabaseConnection};
use svc_business::account::{Account, AccountStatus, LegalForm};
use svc_business::contact::{Contact, ContactRole, ContactStatus, Identity, PaymentMethod};
use svc_business::party::{Country, Email, Extension, LanguageTag, TaxId, TaxIdKind};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, TypedId};
use svc_core::money::Currency;
use svc_core::page::{Page, PageRequest, PageRules, Sort};
use svc_core::pii::Pii;
use svc_core::resource::{Resource, ResourceReader, ResourceStore, Version};
use svc_core::tenant::Scope;
use tempfile::TempDir;
use uuid::Uuid;

use crate::keys::Keys;
use crate::migration::auth;
use crate::migration::business::statements;
use crate::seal::Sealer;
use crate::store::SeaStore;

pub(super) struct Fixture {
    pub(super) store: SeaStore<DatabaseConnection>,
    _folder: TempDir,
}

/// An empty database with the companies 1 and 2.
pub(super) async fn fixture() -> Fixture {
    let (conn, folder) = crate::tests::sqlite().await;
    let engine = conn.get_database_backend();
    let invitations = crate::migration::invitations::statements(engine);
    for statement in auth::statements(engine).into_iter().chain(statements(engine)).chain(invitations) {
        conn.execute_unprepared(&statement).await.expect("a valid statement");
    }
    let fixture =
        Fixture { store: SeaStore::new(conn, Arc::new(Sealer::new(Keys::new(1, [7; 32])))), _folder: folder };
    for number in [1, 2] {
        fixture.add(&account(number)).await;
    }
    fixture
}

impl Fixture {
    /// The store as a store of groups: its verbs have the names of the resources' verbs.
    pub(super) fn groups(&self) -> &dyn svc_business::ports::GroupStore {
        &self.store
    }

    pub(super) async fn add<R: Resource>(&self, record: &R)
    where
        SeaStore<DatabaseConnection>: ResourceStore<R>,
    {
        self.store.insert(&everything(), record).await.expect("a new record");
    }

    pub(super) async fn find<R: Resource>(&self, id: R::Id) -> Option<R>
    where
        SeaStore<DatabaseConnection>: ResourceReader<R>,
    {
        self.store.find(&everything(), id).await.expect("a readable record")
    }

    pub(super) async fn list<R: Resource>(
        &self,
        scope: &Scope,
        filter: &R::Filter,
        sort: &Sort<R::SortKey>,
        request: PageRequest,
    ) -> Page<R>
    where
        SeaStore<DatabaseConnection>: ResourceReader<R>,
    {
        self.store.page(scope, filter, sort, request).await.expect("a page")
    }

    pub(super) async fn sql(&self, statement: &str) {
        self.store.conn.execute_unprepared(statement).await.expect("a valid statement");
    }
}

pub(super) fn is_conflict(outcome: &Result<(), StoreError>) -> bool {
    matches!(outcome, Err(StoreError::Conflict))
}

pub(super) fn taken<T>(outcome: &Result<T, StoreError>) -> Option<&'static str> {
    match outcome {
        Err(StoreError::Taken { field }) => Some(field),
        Ok(_) | Err(StoreError::Conflict | StoreError::Busy | StoreError::Backend(_)) => None,
    }
}

#[expect(clippy::disallowed_methods, reason = "tests stand in for the authority")]
pub(super) fn everything() -> Scope {
    Scope::system("test")
}

#[expect(clippy::disallowed_methods, reason = "tests stand in for the authority")]
pub(super) fn companies(numbers: impl IntoIterator<Item = u128>) -> Scope {
    Scope::granted(numbers.into_iter().map(id))
}

pub(super) fn id<T: TypedId>(number: u128) -> T {
    T::from_uuid(Uuid::from_u128(number))
}

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix_seconds(1_700_000_000 + seconds)
}

pub(super) fn page(number: u32, limit: u32) -> PageRequest {
    PageRules::USUAL.page(Some(number), Some(limit)).expect("a valid page")
}

pub(super) fn extension(external_id: &str) -> Extension {
    Extension { external_id: Some(external_id.to_owned()), metadata: BTreeMap::new() }
}

pub(super) fn tax_id(text: &str) -> Pii<TaxId> {
    Pii::new(TaxId::from_stored(text.to_owned()))
}

pub(super) fn email(text: &str) -> Email {
    Email::from_stored(text.to_owned())
}

/// A company with only what every company has.
pub(super) fn account(number: u128) -> Account {
    Account {
        id: id(number),
        legal_name: format!("Company {number}"),
        trade_name: None,
        tax_id: None,
        country: Country::SPAIN,
        language: LanguageTag::from_stored("es".to_owned()),
        timezone: "Europe/Madrid".to_owned(),
        legal_form: LegalForm::Sl,
        address: None,
        phone: None,
        email: None,
        website: None,
        base_currency: Currency::EUR,
        group: None,
        parent: None,
        api_access: true,
        status: AccountStatus::Active,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(0),
    }
}

/// A contact with only what every contact has; created in the order of its number.
pub(super) fn contact(company: u128, number: u128) -> Contact {
    let seconds = i64::try_from(number).expect("a small number");
    Contact {
        id: id::<ContactId>(number),
        company: id::<AccountId>(company),
        identity: Identity::Organization { legal_name: format!("Contact {number:05}") },
        trade_name: None,
        roles: BTreeSet::from([ContactRole::Customer]),
        tax_id_kind: TaxIdKind::None,
        tax_id: None,
        email: None,
        phone: None,
        mobile: None,
        address: None,
        shipping_address: None,
        iban: None,
        bic: None,
        parent: None,
        language: LanguageTag::from_stored("es".to_owned()),
        currency: Currency::EUR,
        payment_term_days: 30,
        payment_method: PaymentMethod::Transfer,
        default_tax_code: None,
        withholding_rate: None,
        equivalence_surcharge: false,
        receivable_account_code: None,
        payable_account_code: None,
        tags: Vec::new(),
        notes: None,
        consent: None,
        status: ContactStatus::Active,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: at(seconds),
        updated_at: at(seconds),
    }
}
