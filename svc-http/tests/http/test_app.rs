//! An API over a SQLite file with two companies, a person and tokens; tokens are kept in memory, so that a
//! test can change what their creator is.

use std::collections::HashSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::middleware::map_request;
use axum::{Extension, Router};
use http::Request;
use svc_auth::authenticate::Authenticator;
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::ports::{AuthStorage, Standing};
use svc_auth::session::Lifetime;
use svc_auth::token::{self, Pepper, Peppers};
use svc_core::audit::Actor;
use svc_core::clock::{Clock, Timestamp};
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, UserId};
use svc_core::idempotency::{Claim, Fence, IdempotencyStore, RequestHash, RequestKey};
use svc_core::page::PageRules;
use svc_core::pii::PiiAccess;
use svc_core::role::Role;
use svc_core::unit::CallContext;
use svc_http::server::Peer;
use svc_http::{App, Oauth, Settings, router};
use svc_storage_seaorm::Database;
use svc_testkit::audit::noted;
use svc_testkit::auth::{MemoryAuth, MemoryOauth};
use svc_testkit::business::sample;
use svc_testkit::catalogue::{events, policy, roles};
use svc_testkit::content::MemoryContent;
use svc_testkit::fakes::{CheapHasher, FakeDocuments, FakeSender, ManualClock, SeededRandom};
use svc_testkit::session::MemorySessions;
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::ports::HttpSender;
use svc_webhooks::retry::RetrySchedule;
use tempfile::TempDir;

pub(crate) use crate::client::{Answer, Client, answer, any_answer};
use crate::storage::{self, database};

pub(crate) struct TestApp {
    pub(crate) router: Router,
    pub(crate) database: Database,
    pub(crate) auth: MemoryAuth,
    pub(crate) sender: Arc<FakeSender>,
    pub(crate) clock: ManualClock,
    /// The primary account of every token.
    pub(crate) ours: AccountId,
    /// A second company, in the reach of no token unless it is named.
    pub(crate) other: AccountId,
    pub(crate) user: UserId,
    peppers: Peppers,
    random: Arc<SeededRandom>,
    claims: Arc<Claims>,
}

/// Claims of the database, but for keys whose first request looks as if it were still running.
struct Claims {
    inner: Arc<dyn IdempotencyStore>,
    running: Mutex<HashSet<String>>,
    /// Keys whose first run is overtaken by another one, which dies.
    overtaken: Mutex<HashSet<String>>,
}

#[async_trait]
impl IdempotencyStore for Claims {
    async fn claim(
        &self,
        key: &RequestKey,
        request: RequestHash,
        now: Timestamp,
    ) -> Result<Claim, StoreError> {
        if self.running.lock().unwrap().contains(&key.key) {
            return Ok(Claim::Running);
        }
        let claim = self.inner.claim(key, request, now).await?;
        if self.overtaken.lock().unwrap().remove(&key.key) {
            let later = now.plus(Duration::from_mins(2));
            assert!(matches!(self.inner.claim(key, request, later).await?, Claim::Held(_)));
        }
        Ok(claim)
    }

    async fn release(&self, key: &RequestKey, fence: Fence) -> Result<(), StoreError> {
        self.inner.release(key, fence).await
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.inner.purge(before).await
    }
}

/// What a token is asked to be.
pub(crate) struct Want<'a> {
    pub(crate) permissions: &'a [&'a str],
    pub(crate) personal_data: bool,
    pub(crate) allowed_ips: &'a [&'a str],
    pub(crate) companies: &'a [AccountId],
}

impl Default for Want<'_> {
    fn default() -> Self {
        Self { permissions: &["full"], personal_data: true, allowed_ips: &[], companies: &[] }
    }
}

impl TestApp {
    pub(crate) async fn new() -> Self {
        Self::on(database().await).await
    }

    /// An app on this database.
    pub(crate) async fn on(database: (Database, Arc<TempDir>)) -> Self {
        let sender = Arc::new(FakeSender::new());
        let limits = Limits { per_minute: 10_000, per_month: 1_000_000 };
        Self::build(database, sender.clone(), sender, limits, Settings::default()).await
    }

    pub(crate) async fn with(sender: FakeSender, limits: Limits, settings: Settings) -> Self {
        let sender = Arc::new(sender);
        Self::build(database().await, sender.clone(), sender, limits, settings).await
    }

    /// An API whose webhooks go out by a sender of the test's own.
    pub(crate) async fn sending(http: Arc<dyn HttpSender>) -> Self {
        let limits = Limits { per_minute: 10_000, per_month: 10_000 };
        Self::build(database().await, Arc::new(FakeSender::new()), http, limits, Settings::default()).await
    }

    async fn build(
        (database, folder): (Database, Arc<TempDir>),
        sender: Arc<FakeSender>,
        http: Arc<dyn HttpSender>,
        limits: Limits,
        settings: Settings,
    ) -> Self {
        let (business, auth) = (database.business(), MemoryAuth::new());
        let clock = ManualClock::at(sample::at(0));
        let random = Arc::new(SeededRandom::new(7));
        let peppers = Peppers::new(Pepper::new(1, [9; 32]), vec![]);
        let [ours, other] = [sample::id(1), sample::id(2)];
        let user = sample::id(5);
        let unit = business.begin().await.unwrap();
        for number in [1, 2] {
            unit.accounts().insert(&sample::everything(), &sample::bare_account(number)).await.unwrap();
        }
        unit.people().insert_user(&sample::user(5, "ana@example.com")).await.unwrap();
        for (number, company) in [(1, ours), (2, other)] {
            let membership = sample::membership(number, company, user, Role::Holder);
            unit.people().insert_membership(&membership).await.unwrap();
            noted(&*unit, company).await.unwrap();
        }
        unit.commit().await.unwrap();
        for company in [ours, other] {
            auth.put_company(company, "A company", None);
            auth.put_api_access(company, true);
            auth.put_standing(user, company, Standing::Member(Role::Holder));
        }
        let claims = Arc::new(Claims {
            inner: database.idempotency(),
            running: Mutex::default(),
            overtaken: Mutex::default(),
        });
        let limiter = Arc::new(MemoryLimiter::new(limits));
        let authenticator =
            Authenticator::new(Arc::new(auth.clone()), limiter, Arc::new(clock.clone()), peppers.clone())
                .with_connections(Arc::new(MemoryOauth::beside(&auth)), roles());
        let router = router(App {
            business,
            webhooks: database.webhooks(),
            replays: database.replays(),
            events: Arc::new(events().clone()),
            idempotency: claims.clone(),
            authenticator: Arc::new(authenticator),
            auth: Arc::new(auth.clone()),
            sessions: Arc::new(MemorySessions::beside(&auth)),
            hasher: Arc::new(CheapHasher::new()),
            peppers: peppers.clone(),
            policy: policy(),
            lifetime: Lifetime::default(),
            oauth: Some(Arc::new(Oauth::new(
                "https://svc.example".parse().unwrap(),
                Arc::new(MemoryOauth::beside(&auth)),
                Arc::new(FakeDocuments::new()),
            ))),
            contents: Arc::new(MemoryContent::new(Arc::new(clock.clone()))),
            ceremony_key: svc_testkit::business::envelopes::key(),
            audit: Arc::new(auth.audit().clone()),
            audit_keys: auth.audit().keys().clone(),
            sender: http,
            attempts: AttemptConfig::new(
                Duration::from_secs(10),
                RetrySchedule::STANDARD,
                "https://example.com".to_owned(),
            ),
            clock: Arc::new(clock.clone()),
            random: random.clone(),
            settings,
        })
        .layer(map_request(from_this_machine))
        .layer(Extension(folder));
        Self { router, database, auth, sender, clock, ours, other, user, peppers, random, claims }
    }

    pub(crate) const fn peppers(&self) -> &Peppers {
        &self.peppers
    }

    pub(crate) async fn token(&self, want: Want<'_>) -> String {
        let request = token::CreateRequest {
            name: "test".to_owned(),
            permissions: want.permissions.iter().map(ToString::to_string).collect(),
            personal_data: want.personal_data,
            allowed_ips: want.allowed_ips.iter().map(ToString::to_string).collect(),
            expires_at: None,
            primary: self.ours,
            companies: want.companies.to_vec(),
            groups: vec![],
            creator: Some(self.user),
        };
        let scope = sample::everything();
        let call = CallContext {
            scope: &scope,
            access: PiiAccess::Masked,
            actor: &Actor::OPERATOR,
            now: self.clock.now(),
            random: &*self.random,
        };
        let unit = self.auth.begin().await.unwrap();
        let (_, value) = token::create(unit.as_ref(), call, request, &self.peppers, &policy()).await.unwrap();
        unit.commit().await.unwrap();
        value.expose().to_owned()
    }

    pub(crate) async fn client(&self, want: Want<'_>) -> Client {
        Client { router: self.router.clone(), token: self.token(want).await }
    }

    /// Changes every token, as the client area would.
    pub(crate) async fn change_tokens(&self, change: impl Fn(&mut token::Token)) {
        let unit = self.auth.begin().await.unwrap();
        for token in unit
            .tokens()
            .page(&sample::everything(), PageRules::USUAL.page(None, None).unwrap())
            .await
            .unwrap()
            .items
        {
            let mut after = token.clone();
            change(&mut after);
            after.version = token.version.next();
            unit.tokens().replace(token.version, &after).await.unwrap();
            noted(&*unit, token.primary).await.unwrap();
        }
        unit.commit().await.unwrap();
        self.clock.advance(Duration::from_secs(61));
    }

    /// Every event that was committed, in its order.
    pub(crate) async fn events(&self) -> Vec<Event> {
        storage::events(&self.database).await
    }

    /// The next run of this key is overtaken by another one, which dies: it cannot keep its reply.
    pub(crate) fn overtake(&self, key: &str) {
        self.claims.overtaken.lock().unwrap().insert(key.to_owned());
    }

    /// From now on this key looks as if its first request were still running.
    pub(crate) fn hold(&self, key: &str) {
        self.claims.running.lock().unwrap().insert(key.to_owned());
    }
}

/// Where requests come from that do not say so: who comes from nowhere is refused.
pub(crate) async fn from_this_machine<B>(mut request: Request<B>) -> Request<B> {
    request.extensions_mut().get_or_insert_with(|| Peer(SocketAddr::from((Ipv4Addr::LOCALHOST, 40_000))));
    request
}
