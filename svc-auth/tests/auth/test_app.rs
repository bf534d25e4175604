//! One company with its holder, a clock moved by hand, and an authenticator.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use svc_auth::authenticate::{Access, Admitted, Authenticator, Denied};
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::ports::{AuthStorage, AuthUnit, Standing};
use svc_auth::token::{AuthorityError, CreateRequest, Pepper, Peppers, Token, TokenValue, create};
use svc_core::audit::Actor;
use svc_core::clock::{Clock, Timestamp};
use svc_core::id::{AccountId, GroupId, TypedId, UserId};
use svc_core::mark::Mark;
use svc_core::page::PageRules;
use svc_core::permission::Permission;
use svc_core::pii::PiiAccess;
use svc_core::random::RandomSource;
use svc_core::refused::Refused;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_testkit::auth::MemoryAuth;
use svc_testkit::business::sample::everything;
use svc_testkit::catalogue::policy;
use uuid::Uuid;

pub(crate) const READ_CONTACTS: Access = Access::Permission(Permission::of("contacts:contacts.read"));

pub(crate) const HOLDER: Standing = Standing::Member(Role::Holder);
pub(crate) const ADMINISTRATOR: Standing = Standing::Member(Role::Administrator);
pub(crate) const MANAGER: Standing = Standing::Member(Role::Manager);

pub(crate) struct HandClock(AtomicI64);

impl HandClock {
    pub(crate) fn advance(&self, wait: Duration) {
        self.0.fetch_add(i64::try_from(wait.as_micros()).unwrap(), Ordering::SeqCst);
    }

    pub(crate) fn turn_back(&self, span: Duration) {
        self.0.fetch_sub(i64::try_from(span.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_micros(self.0.load(Ordering::SeqCst))
    }
}

/// Different bytes at each call, the same in each run.
pub(crate) struct Counted(AtomicU64);

impl From<u64> for Counted {
    fn from(first: u64) -> Self {
        Self(AtomicU64::new(first))
    }
}

impl RandomSource for Counted {
    fn fill(&self, bytes: &mut [u8]) {
        let number = self.0.fetch_add(1, Ordering::SeqCst).to_be_bytes();
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = number[at % number.len()] ^ u8::try_from(at % 251).unwrap();
        }
    }
}

pub(crate) struct TestApp {
    pub(crate) storage: MemoryAuth,
    pub(crate) clock: Arc<HandClock>,
    pub(crate) random: Counted,
    pub(crate) peppers: Peppers,
    pub(crate) authenticator: Arc<Authenticator>,
    pub(crate) ada: UserId,
    pub(crate) acme: AccountId,
    everything: Scope,
}

pub(crate) fn user(number: u128) -> UserId {
    UserId::from_uuid(Uuid::from_u128(number))
}

pub(crate) fn account(number: u128) -> AccountId {
    AccountId::from_uuid(Uuid::from_u128(number))
}

pub(crate) fn group(number: u128) -> GroupId {
    GroupId::from_uuid(Uuid::from_u128(number))
}

fn peppers() -> Peppers {
    Peppers::new(Pepper::new(1, [1; 32]), Vec::new())
}

impl TestApp {
    pub(crate) fn new() -> Self {
        Self::limited(Limits::default())
    }

    pub(crate) fn limited(limits: Limits) -> Self {
        let storage = MemoryAuth::new();
        Self::over(Arc::new(storage.clone()), storage, limits)
    }

    /// A service whose tokens have a mark of its own.
    pub(crate) fn marked(mark: Mark) -> Self {
        let storage = MemoryAuth::new();
        Self::build(Arc::new(storage.clone()), storage, Limits::default(), peppers().marked(mark))
    }

    /// An authenticator over `seen`, a view of `storage`.
    pub(crate) fn over(seen: Arc<dyn AuthStorage>, storage: MemoryAuth, limits: Limits) -> Self {
        Self::build(seen, storage, limits, peppers())
    }

    fn build(seen: Arc<dyn AuthStorage>, storage: MemoryAuth, limits: Limits, peppers: Peppers) -> Self {
        let (ada, acme) = (user(1), account(1));
        storage.put_company(acme, "Acme", None);
        storage.put_standing(ada, acme, HOLDER);
        let clock = Arc::new(HandClock(AtomicI64::new(1_767_225_600_000_000)));
        let limiter = Arc::new(MemoryLimiter::new(limits));
        let authenticator =
            Authenticator::new(seen, limiter, Arc::clone(&clock) as Arc<dyn Clock>, peppers.clone());
        Self {
            storage,
            clock,
            random: Counted::from(0),
            peppers,
            authenticator: Arc::new(authenticator),
            ada,
            acme,
            everything: everything(),
        }
    }

    /// The same world, where each address may fail so many times per minute.
    pub(crate) fn with_failures(self, per_minute: NonZeroU32) -> Self {
        let authenticator = Arc::into_inner(self.authenticator).unwrap().with_failures_per_minute(per_minute);
        Self { authenticator: Arc::new(authenticator), ..self }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A call of the operator at the present instant.
    pub(crate) fn call(&self) -> CallContext<'_> {
        CallContext {
            scope: &self.everything,
            access: PiiAccess::Masked,
            actor: &Actor::OPERATOR,
            now: self.now(),
            random: &self.random,
        }
    }

    /// Puts companies into a group, the first one at its top.
    pub(crate) fn family<const N: usize>(&self, group: GroupId, companies: [u128; N]) -> GroupId {
        for number in companies {
            self.storage.put_company(account(number), &format!("Company {number}"), Some(group));
        }
        self.storage.put_parent(group, account(companies[0]));
        group
    }

    /// A Full token of Ada for Acme.
    pub(crate) fn request(&self) -> CreateRequest {
        CreateRequest {
            name: "Shop sync".into(),
            permissions: vec!["full".into()],
            personal_data: false,
            allowed_ips: Vec::new(),
            expires_at: None,
            primary: self.acme,
            companies: Vec::new(),
            groups: Vec::new(),
            creator: Some(self.ada),
        }
    }

    pub(crate) async fn try_create(
        &self,
        request: CreateRequest,
    ) -> Result<(Token, TokenValue), Refused<AuthorityError>> {
        let unit = self.storage.begin().await?;
        let made = create(&*unit, self.call(), request, &self.peppers, &policy()).await?;
        unit.commit().await?;
        Ok(made)
    }

    pub(crate) async fn create(&self, request: CreateRequest) -> (Token, TokenValue) {
        self.try_create(request).await.unwrap()
    }

    /// Creates a token and gives its `Authorization` header.
    pub(crate) async fn header(&self, request: CreateRequest) -> String {
        bearer(&self.create(request).await.1)
    }

    /// Every stored token.
    pub(crate) async fn tokens(&self) -> Vec<Token> {
        let page = PageRules::USUAL.page(None, None).unwrap();
        self.storage.tokens().page(&self.everything, page).await.unwrap().items
    }

    /// Runs a use case in a unit and commits it; the cache is told nothing.
    pub(crate) async fn unit(&self) -> Box<dyn AuthUnit> {
        self.storage.begin().await.unwrap()
    }

    pub(crate) async fn admit(&self, header: &str) -> Result<Admitted, Denied> {
        self.ask(Some(header), Access::AnyToken, None).await
    }

    pub(crate) async fn admit_from(&self, header: &str, source: &str) -> Result<Admitted, Denied> {
        self.ask(Some(header), Access::AnyToken, Some(source)).await
    }

    /// A whole request; a refusal without what is left of the budgets.
    pub(crate) async fn ask(
        &self,
        header: Option<&str>,
        access: Access,
        source: Option<&str>,
    ) -> Result<Admitted, Denied> {
        let source = source.map(|source| source.parse().unwrap());
        self.authenticator.admit(header, access, source).await.map_err(|refused| refused.denied)
    }
}

pub(crate) fn bearer(value: &TokenValue) -> String {
    format!("Bearer {}", value.expose())
}
