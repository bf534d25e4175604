//! Ana, who holds Acme and keeps the books of Beta, and the ways to act for her.

use std::net::IpAddr;
use std::time::Duration;

use svc_auth::ports::{CompanyStanding, Person, SessionStorage, Standing};
use svc_auth::session::{
    ChangePasswordError, Device, Lifetime, PasswordText, SessionValue, SignInError, SignInRequest, SignedIn,
    change_password, resume, sign_in,
};
use svc_auth::token::{Pepper, Peppers};
use svc_core::audit::Actor;
use svc_core::clock::{Clock, Timestamp};
use svc_core::id::{AccountId, TypedId, UserId};
use svc_core::pii::PiiAccess;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_testkit::fakes::{CheapHasher, ManualClock, SeededRandom};
use svc_testkit::session::MemorySessions;
use uuid::Uuid;

pub(crate) const EMAIL: &str = "ana@acme.example";
pub(crate) const PASSWORD: &str = "correct horse battery";

pub(crate) struct TestApp {
    pub(crate) storage: MemorySessions,
    pub(crate) hasher: CheapHasher,
    pub(crate) clock: ManualClock,
    pub(crate) random: SeededRandom,
    pub(crate) peppers: Peppers,
    pub(crate) ana: UserId,
    pub(crate) acme: AccountId,
    pub(crate) beta: AccountId,
}

pub(crate) fn user(number: u128) -> UserId {
    UserId::from_uuid(Uuid::from_u128(number))
}

pub(crate) fn company(number: u128, legal_name: &str, role: Role) -> CompanyStanding {
    CompanyStanding {
        id: AccountId::from_uuid(Uuid::from_u128(number)),
        legal_name: legal_name.into(),
        group: None,
        merged: false,
        api_access: true,
        membership: Standing::Member(role),
    }
}

impl TestApp {
    pub(crate) fn new() -> Self {
        let (acme, beta) = (company(1, "Acme", Role::Holder), company(2, "Beta", Role::Accountant));
        let app = Self {
            storage: MemorySessions::new(),
            hasher: CheapHasher::new(),
            clock: ManualClock::default(),
            random: SeededRandom::new(1),
            peppers: Peppers::new(Pepper::new(1, [1; 32]), Vec::new()),
            ana: user(1),
            acme: acme.id,
            beta: beta.id,
        };
        app.put_person(app.ana, EMAIL, true);
        app.storage.put_password(app.ana, app.hasher.stored(PASSWORD), app.clock.now());
        app.storage.put_membership(app.ana, &acme);
        app.storage.put_membership(app.ana, &beta);
        app
    }

    pub(crate) fn put_person(&self, id: UserId, email: &str, active: bool) {
        let email = email.to_owned();
        self.storage.put_person(Person { id, email, name: "Ana Ruiz".into(), active });
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn wait(&self, minutes: u64) {
        self.clock.advance(Duration::from_mins(minutes));
    }

    pub(crate) async fn sign_in_to(
        &self,
        storage: &dyn SessionStorage,
        (email, password): (&str, &str),
        from: Option<&str>,
    ) -> Result<(SignedIn, SessionValue), SignInError> {
        let from = from.map(|text| text.parse::<IpAddr>().expect("an address"));
        let device = Device::named("Firefox/140");
        let request =
            SignInRequest { email: email.into(), password: PasswordText::new(password), from, device };
        let lifetime = Lifetime::default();
        let (came, value) =
            sign_in(storage, &self.hasher, &self.peppers, lifetime, request, self.now(), &self.random)
                .await?;
        Ok((came.complete().expect("no second factor is on"), value))
    }

    pub(crate) async fn try_sign_in(
        &self,
        who: (&str, &str),
        from: Option<&str>,
    ) -> Result<(SignedIn, SessionValue), SignInError> {
        self.sign_in_to(&self.storage, who, from).await
    }

    /// Ana signs in.
    pub(crate) async fn sign_in(&self) -> (SignedIn, SessionValue) {
        self.try_sign_in((EMAIL, PASSWORD), None).await.expect("Ana may sign in")
    }

    pub(crate) async fn resume(&self, value: &SessionValue) -> Option<SignedIn> {
        let lifetime = Lifetime::default();
        resume(&self.storage, &self.peppers, lifetime, value.expose(), self.now()).await.expect("a store")
    }

    pub(crate) async fn change_password(
        &self,
        signed_in: &SignedIn,
        current: &str,
        new: &str,
    ) -> Result<(), ChangePasswordError> {
        self.change_password_in(&self.storage, signed_in, (current, new)).await
    }

    pub(crate) async fn change_password_in(
        &self,
        storage: &dyn SessionStorage,
        signed_in: &SignedIn,
        (current, new): (&str, &str),
    ) -> Result<(), ChangePasswordError> {
        let (current, new) = (PasswordText::new(current), PasswordText::new(new));
        let (actor, scope) = (signed_in.actor(None, None), signed_in.reached());
        let call = self.call(&scope, &actor);
        change_password(storage, &self.hasher, &self.peppers, call, signed_in, current, new).await
    }

    /// As [`Self::change_password`], by whom exactly.
    pub(crate) async fn change_password_as(
        &self,
        actor: &Actor,
        signed_in: &SignedIn,
        (current, new): (&str, &str),
    ) -> Result<(), ChangePasswordError> {
        let (current, new) = (PasswordText::new(current), PasswordText::new(new));
        let scope = signed_in.reached();
        let call = self.call(&scope, actor);
        change_password(&self.storage, &self.hasher, &self.peppers, call, signed_in, current, new).await
    }

    pub(crate) fn call<'a>(&'a self, scope: &'a Scope, actor: &'a Actor) -> CallContext<'a> {
        CallContext { scope, access: PiiAccess::Masked, actor, now: self.now(), random: &self.random }
    }
}
