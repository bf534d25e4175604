//! A company with its holder, a token and a subscription, and what changes leave in the logs.

use std::collections::BTreeMap;

use svc_auth::session::{Lifetime, PasswordText, SignInRequest, SignedIn, set_password, sign_in};
use svc_auth::token::{self, Token, TokenValue};
use svc_business::account::{Account, AccountInput, FoundRequest, LegalForm};
use svc_business::founding;
use svc_business::user;
use svc_core::audit::{Action, Actor};
use svc_core::id::{AccountId, TypedId as _, UserId};
use svc_core::patch::Patch;
use svc_core::permission::Grants;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::{CallContext, UnitOfWork as _};
use svc_storage_seaorm::{Database, SeaUnit};
use svc_testkit::audit::heads;
use svc_testkit::business::sample::everything;
use svc_testkit::catalogue::{policy, subscribable};
use svc_testkit::fakes::{CheapHasher, FakeSender, SeededRandom};
use svc_webhooks::subscription::{self, CreateRequest, Draft, Subscription};

use crate::fresh::{Fresh, NOW, keys};

pub(super) const PASSWORD: &str = "correct horse battery staple";

pub(super) struct TestApp {
    pub(super) database: Database,
    pub(super) ana: UserId,
    pub(super) acme: AccountId,
    pub(super) beta: AccountId,
    pub(super) hasher: CheapHasher,
    random: SeededRandom,
    scope: Scope,
}

/// The records that a change added, each company's in their order.
pub(super) type Told = Vec<(AccountId, Action)>;

/// A use case with what it left in the logs and what it should leave there.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) told: Told,
    pub(super) expected: Told,
}

/// Runs one use case in a unit of its own; answers its outcome and what it left in the logs.
macro_rules! told {
    ($app:expr, |$unit:ident, $call:ident| $change:expr) => {{
        let heads = $app.heads().await;
        let $unit = $app.begin().await;
        let $call = $app.call();
        let value = $change.await.expect("the rules allow it");
        $unit.finish().await;
        (value, $app.since(&heads).await)
    }};
}
pub(super) use told;

/// A use case whose entries are known beforehand, as a [`Case`].
macro_rules! case {
    ($app:expr, $name:literal, |$unit:ident, $call:ident| $change:expr, $expected:expr) => {{
        let (_, told) = $crate::audited::test_app::told!($app, |$unit, $call| $change);
        $crate::audited::test_app::Case::new($name, told, $expected)
    }};
}
pub(super) use case;

/// An open unit that tests end without an answer.
pub(super) struct Open(Box<SeaUnit>);

impl std::ops::Deref for Open {
    type Target = SeaUnit;

    fn deref(&self) -> &SeaUnit {
        &self.0
    }
}

impl Open {
    pub(super) async fn finish(self) {
        self.0.commit().await.expect("committed");
    }
}

impl Case {
    pub(super) fn new(
        name: &'static str,
        told: Told,
        expected: impl IntoIterator<Item = (AccountId, Action)>,
    ) -> Self {
        let mut expected: Told = expected.into_iter().collect();
        expected.sort_by_key(|(account, _)| *account);
        Self { name, told, expected }
    }
}

impl TestApp {
    /// A world of its own on a database that it may share with others.
    pub(super) async fn new(fresh: &Fresh, number: usize) -> Self {
        let none = uuid::Uuid::nil();
        let mut app = Self {
            database: fresh.database.clone(),
            ana: UserId::from_uuid(none),
            acme: AccountId::from_uuid(none),
            beta: AccountId::from_uuid(none),
            hasher: CheapHasher::new(),
            random: SeededRandom::new(number as u64),
            scope: everything(),
        };
        app.ana = app.person().await;
        app.acme = app.company("Acme").await;
        app.beta = app.company("Beta").await;
        app
    }

    pub(super) async fn begin(&self) -> Open {
        Open(self.database.begin().await.expect("a unit"))
    }

    pub(super) fn call(&self) -> CallContext<'_> {
        CallContext {
            scope: &self.scope,
            access: PiiAccess::Masked,
            actor: &Actor::OPERATOR,
            now: NOW,
            random: &self.random,
        }
    }

    /// The number of the newest record of each company.
    pub(super) async fn heads(&self) -> BTreeMap<AccountId, u64> {
        let heads = heads(&*self.database.audit()).await;
        heads.into_iter().map(|(account, head)| (account, head.number)).collect()
    }

    /// The records that came after these.
    pub(super) async fn since(&self, before: &BTreeMap<AccountId, u64>) -> Told {
        let mut told = Told::new();
        for account in self.heads().await.into_keys() {
            let after = before.get(&account).copied().unwrap_or(0);
            let records = self.database.audit().records(account, after, 100).await.expect("read");
            let records = records.into_iter().map(|record| record.expect("as it was written"));
            told.extend(records.map(|record| (account, record.entry.action)));
        }
        told
    }

    /// A new person.
    pub(super) async fn person(&self) -> UserId {
        let email = format!("{}@x.example", UserId::generate(NOW, &self.random));
        let request = user::CreateRequest { email, name: None, locale: None };
        told!(self, |unit, call| user::create(&*unit, call, request)).0.id
    }

    /// A company that Ana holds.
    pub(super) async fn company(&self, name: &str) -> AccountId {
        let request = FoundRequest { input: input(name), holder: self.ana };
        told!(self, |unit, call| founding::found(&*unit, call, request)).0.id
    }

    /// A subsidiary that Ana holds, in the group of its parent.
    pub(super) async fn subsidiary(&self, parent: AccountId) -> Account {
        let input = AccountInput { parent: Patch::Value(parent), ..input("Hija") };
        told!(self, |unit, call| founding::create_subsidiary(&*unit, call, input, self.ana)).0
    }

    /// A token of Acme that names Beta too.
    pub(super) async fn token(&self) -> Token {
        self.valued_token().await.0
    }

    pub(super) async fn valued_token(&self) -> (Token, TokenValue) {
        let peppers = keys().peppers();
        let request = self.token_request();
        told!(self, |unit, call| token::create(&*unit, call, request, &peppers, &policy())).0
    }

    pub(super) fn token_request(&self) -> token::CreateRequest {
        token::CreateRequest {
            name: "integration".to_owned(),
            permissions: vec!["read".to_owned()],
            personal_data: false,
            allowed_ips: Vec::new(),
            expires_at: None,
            primary: self.acme,
            companies: vec![self.beta],
            groups: Vec::new(),
            creator: Some(self.ana),
        }
    }

    pub(super) async fn draft(&self) -> Draft {
        let request = CreateRequest {
            name: "ERP".to_owned(),
            url: "https://hooks.example.com/svc".to_owned(),
            events: vec!["contact.create".to_owned()],
            headers: [("X-Api-Key".to_owned(), "k".to_owned().into())].into(),
            in_flight: None,
        };
        Draft::check(request, subscribable(&read()), &FakeSender::new()).await.expect("valid")
    }

    /// A subscription of Acme.
    pub(super) async fn subscription(&self) -> Subscription {
        let draft = self.draft().await;
        told!(self, |unit, call| subscription::create(&*unit, call, self.acme, draft)).0
    }

    /// Ana with a password, signed in.
    pub(super) async fn signed_in(&self) -> SignedIn {
        let hash = self.hasher.stored(PASSWORD);
        told!(self, |unit, call| set_password(&*unit, call, self.ana, hash));
        let sessions = self.database.sessions();
        let person = sessions.people().person(self.ana).await.expect("read").expect("Ana");
        let request = SignInRequest {
            email: person.email,
            password: PasswordText::new(PASSWORD),
            from: None,
            device: None,
        };
        let (peppers, lifetime) = (keys().peppers(), Lifetime::default());
        let signed_in =
            sign_in(&*sessions, &self.hasher, &peppers, lifetime, request, NOW, &self.random).await;
        signed_in.expect("the right password").0.complete().expect("no second factor")
    }
}

pub(super) fn read() -> Grants {
    "read".parse().expect("a level")
}

pub(super) fn input(name: &str) -> AccountInput {
    AccountInput {
        legal_name: Patch::Value(name.to_owned()),
        legal_form: Patch::Value(LegalForm::Sl),
        ..AccountInput::default()
    }
}
