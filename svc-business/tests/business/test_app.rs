//! A service for tests: storage on SQLite, a clock by hand, seeded randomness, a caller.

use std::sync::atomic::{AtomicU64, Ordering};

use svc_business::account::{Account, AccountInput, FoundRequest, LegalForm};
use svc_business::contact::{Contact, ContactInput, DuplicateTaxId, Kind};
use svc_business::founding;
use svc_business::ports::BusinessUnit;
use svc_business::user::{self, User};
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::error::ValidationErrors;
use svc_core::id::{AccountId, ContactId, UserId};
use svc_core::page::PageRules;
use svc_core::patch::Patch;
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::random::RandomSource;
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_testkit::business::sample;

use super::storage::Storage;
use svc_testkit::business::verbs;

pub(crate) struct TestApp {
    pub(crate) storage: Storage,
    random: Counter,
    pub(crate) scope: Scope,
    pub(crate) access: PiiAccess,
    pub(crate) now: Timestamp,
}

/// Repeatable bytes: splitmix64 over a counter.
struct Counter(AtomicU64);

impl RandomSource for Counter {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let mut word = self.0.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            *byte = (word >> 32).to_le_bytes()[0];
        }
    }
}

/// Runs one use case in a unit of its own: committed when it passed, dropped when it failed. A commit
/// may be the first to meet a value that is taken.
macro_rules! run {
    ($app:expr, $case:path $(, $argument:expr)* $(,)?) => {{
        let unit = $app.begin().await;
        match $case(&*unit, $app.call() $(, $argument)*).await {
            Ok(value) => unit.commit().await.map(|()| value).map_err(Into::into),
            Err(refused) => Err(refused),
        }
    }};
}
pub(crate) use run;

impl TestApp {
    pub(crate) async fn new() -> Self {
        Self {
            storage: Storage::new().await,
            random: Counter(AtomicU64::new(1)),
            scope: sample::everything(),
            access: full(),
            now: sample::at(0),
        }
    }

    /// A service with one company, its events taken away.
    pub(crate) async fn with_company() -> (Self, Account) {
        let app = Self::new().await;
        let company = app.company("Sol SL").await;
        app.events().await;
        (app, company)
    }

    pub(crate) fn call(&self) -> CallContext<'_> {
        CallContext {
            scope: &self.scope,
            access: self.access,
            actor: &Actor::OPERATOR,
            now: self.now,
            random: &self.random,
        }
    }

    pub(crate) async fn begin(&self) -> Box<dyn BusinessUnit> {
        self.storage.begin().await.expect("begin")
    }

    /// Lets time pass.
    pub(crate) fn later(&mut self) {
        self.now = self.now.plus(std::time::Duration::from_mins(1));
    }

    pub(crate) async fn user(&self, email: &str) -> User {
        let request = user::CreateRequest { email: email.to_owned(), name: None, locale: None };
        run!(self, user::create, request).expect("a valid user")
    }

    pub(crate) async fn company(&self, name: &str) -> Account {
        let key = name.bytes().filter(u8::is_ascii_alphanumeric).map(char::from).collect::<String>();
        let holder = self.user(&format!("{key}@holder.example")).await;
        let request = FoundRequest { input: company_input(name), holder: holder.id };
        run!(self, founding::found, request).expect("a valid company")
    }

    /// The oldest member of a company: who holds it.
    pub(crate) async fn holder(&self, company: AccountId) -> UserId {
        let page = PageRules::USUAL.page(None, None).expect("a page");
        let members = self.storage.people().members(&sample::everything(), company, page).await;
        members.expect("page").items.remove(0).user.id
    }

    pub(crate) async fn contact(&self, company: AccountId, input: ContactInput) -> Contact {
        run!(self, verbs::create_contact, company, input).expect("a valid contact")
    }

    pub(crate) async fn update(
        &self,
        id: ContactId,
        expected: Option<Version>,
        input: ContactInput,
    ) -> Result<Contact, Refused<DuplicateTaxId>> {
        run!(self, verbs::update_contact, id, expected, input)
    }

    pub(crate) async fn find(&self, id: ContactId) -> Option<Contact> {
        self.storage.contacts().find(&sample::everything(), id).await.expect("find")
    }

    pub(crate) async fn account(&self, id: AccountId) -> Account {
        self.storage.accounts().find(&sample::everything(), id).await.expect("find").expect("a company")
    }

    /// The names and objects of the events since the last look: `contact.create con_…`.
    pub(crate) async fn events(&self) -> Vec<String> {
        self.storage
            .take_events()
            .await
            .iter()
            .map(|event| format!("{} {}", event.kind, event.object_id))
            .collect()
    }

    /// The number of events since the last look, by name.
    pub(crate) async fn event_names(&self) -> Vec<String> {
        self.storage.take_events().await.iter().map(|event| event.kind.to_string()).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "tests stand in for the authority")]
pub(crate) fn full() -> PiiAccess {
    PiiAccess::Full(Reveal::granted())
}

pub(crate) fn company_input(name: &str) -> AccountInput {
    AccountInput {
        legal_name: text(name),
        legal_form: Patch::Value(LegalForm::Sl),
        ..AccountInput::default()
    }
}

pub(crate) fn organization(name: &str) -> ContactInput {
    ContactInput { kind: Patch::Value(Kind::Organization), legal_name: text(name), ..ContactInput::default() }
}

pub(crate) fn person(given: &str, family: &str) -> ContactInput {
    ContactInput {
        kind: Patch::Value(Kind::Person),
        given_name: text(given),
        family_name: text(family),
        ..ContactInput::default()
    }
}

pub(crate) fn text(value: &str) -> Patch<String> {
    Patch::Value(value.to_owned())
}

/// Findings as `field code`, in order.
pub(crate) fn findings(invalid: &ValidationErrors) -> Vec<String> {
    invalid.0.iter().map(|error| format!("{} {}", error.field, error.code)).collect()
}
