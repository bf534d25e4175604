//! The client area over a SQLite file: people with passwords, their companies, and their browsers.
//!
//! Ana holds Acme and Beta, Ben administers Acme, Carl keeps the books of Acme,
//! and Dora holds Gamma, which has nothing to do with them.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::{Extension, Router};
use http::{Method, Request};
use serde_json::{Value, json};
use svc_auth::authenticate::Authenticator;
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::ports::PasswordHasher;
use svc_auth::session::{Lifetime, set_password};
use svc_auth::token::{Pepper, Peppers, Policy};
use svc_business::founding;
use svc_business::membership;
use svc_core::audit::Actor;
use svc_core::clock::Clock;
use svc_core::id::{AccountId, UserId};
use svc_core::pii::PiiAccess;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_http::{App, ScanningKey, Settings, router};
use svc_storage_seaorm::Database;
use svc_testkit::business::sample;
use svc_testkit::catalogue::{events, policy};
use svc_testkit::content::MemoryContent;
use svc_testkit::fakes::{CheapHasher, FakeSender, ManualClock, SeededRandom};
use svc_webhooks::delivery::AttemptConfig;
use svc_webhooks::retry::RetrySchedule;

use crate::multipart;
use crate::storage::database;
use crate::test_app::{Answer, answer, from_this_machine};

pub(crate) const PASSWORD: &str = "correct horse battery staple";

/// What secret scanners sign with where they may report.
pub(crate) const SCANNING_KEY: &str = "a key of secret scanners of 32 characters";

/// A person with a password.
struct Known {
    number: u128,
    email: &'static str,
    /// Their roles, by company.
    roles: &'static [(u128, Role)],
}

const PEOPLE: [Known; 4] = [
    Known { number: 11, email: "ana@example.com", roles: &[(1, Role::Holder), (2, Role::Holder)] },
    Known { number: 12, email: "ben@example.com", roles: &[(1, Role::Administrator)] },
    Known { number: 13, email: "carl@example.com", roles: &[(1, Role::Accountant)] },
    Known { number: 14, email: "dora@example.com", roles: &[(3, Role::Holder)] },
];

/// The id of one of the four.
pub(crate) fn user(name: &str) -> UserId {
    let email = format!("{name}@example.com");
    sample::id(PEOPLE.iter().find(|known| known.email == email).unwrap().number)
}

pub(crate) struct ClientAreaApp {
    pub(crate) router: Router,
    pub(crate) database: Database,
    pub(crate) clock: ManualClock,
    pub(crate) acme: AccountId,
    pub(crate) beta: AccountId,
    pub(crate) gamma: AccountId,
    pub(crate) random: Arc<SeededRandom>,
}

/// What an operator chose.
pub(crate) struct Chosen {
    pub(crate) hasher: Arc<dyn PasswordHasher>,
    pub(crate) policy: Policy,
    pub(crate) settings: Settings,
}

impl Default for Chosen {
    fn default() -> Self {
        Self { hasher: Arc::new(CheapHasher::new()), policy: policy(), settings: Settings::default() }
    }
}

impl Chosen {
    /// With a key for secret scanners.
    pub(crate) fn scanning() -> Self {
        let scanning_key = ScanningKey::new(SCANNING_KEY);
        Self { settings: Settings::default().scanning_key(scanning_key), ..Self::default() }
    }
}

impl ClientAreaApp {
    pub(crate) async fn new() -> Self {
        Self::with(Chosen::default()).await
    }

    pub(crate) async fn with(chosen: Chosen) -> Self {
        let (database, folder) = database().await;
        let clock = ManualClock::at(sample::at(0));
        let router = api(&database, &clock, chosen).layer(Extension(folder));
        let [acme, beta, gamma] = [1, 2, 3].map(sample::id);
        let random = Arc::new(SeededRandom::new(11));
        let area = Self { router, database, clock, acme, beta, gamma, random };
        area.seed().await;
        area
    }

    /// Begins the books of its companies.
    pub(crate) async fn with_books(self) -> Self {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        for id in [self.acme, self.beta, self.gamma] {
            let company = unit.accounts().find(&scope, id).await.unwrap().unwrap();
            founding::begin(unit.as_ref(), self.call(&scope), &company).await.unwrap();
        }
        unit.commit().await.unwrap();
        self
    }

    async fn seed(&self) {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        for (number, name) in [(1, "Acme"), (2, "Beta"), (3, "Gamma")] {
            let mut company = sample::bare_account(number);
            name.clone_into(&mut company.legal_name);
            unit.accounts().insert(&scope, &company).await.unwrap();
        }
        for Known { number, email, roles } in PEOPLE {
            let user = sample::user(number, email);
            unit.people().insert_user(&user).await.unwrap();
            for (company, role) in roles {
                let (company, call) = (sample::id(*company), self.call(&scope));
                membership::add(unit.as_ref(), call, Role::Holder, company, user.id, *role).await.unwrap();
            }
        }
        unit.commit().await.unwrap();
        let hash = CheapHasher::new().stored(PASSWORD);
        let unit = self.database.sessions().begin().await.unwrap();
        for Known { number, .. } in PEOPLE {
            set_password(unit.as_ref(), self.call(&scope), sample::id(number), hash.clone()).await.unwrap();
        }
        unit.commit().await.unwrap();
    }

    /// `by` invites one of the four, who accepts; answers the id of the membership.
    pub(crate) async fn join(&self, by: &Browser, company: AccountId, name: &str, role: &str) -> String {
        let body = json!({"userId": user(name), "role": role});
        let id = by.post(&format!("/accounts/{company}/members"), &body).await.ok(201).id();
        let person = self.browser(name).await;
        person.act(&format!("/session/invitations/{id}/accept")).await.ok(200);
        id
    }

    /// A call of the operator.
    pub(crate) fn call<'a>(&'a self, scope: &'a Scope) -> CallContext<'a> {
        let now = self.clock.now();
        CallContext { scope, access: PiiAccess::Masked, actor: &Actor::OPERATOR, now, random: &*self.random }
    }

    /// Signs in from a browser, whatever comes of it.
    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Answer {
        let body = json!({"email": email, "password": password});
        self.send(Method::POST, "/session", &[], &body.to_string()).await
    }

    /// The browser of a person who just signed in.
    pub(crate) async fn browser(&self, name: &str) -> Browser {
        let signed_in = self.sign_in(&format!("{name}@example.com"), PASSWORD).await.ok(201);
        let cookie = signed_in.header("set-cookie").split(';').next().unwrap().to_owned();
        let csrf = signed_in.json["csrfToken"].as_str().unwrap().to_owned();
        Browser { router: self.router.clone(), cookie, csrf }
    }

    /// Switches API access of a company, as the service does.
    pub(crate) async fn set_api_access(&self, company: AccountId, on: bool) {
        let scope = sample::everything();
        let unit = self.database.business().begin().await.unwrap();
        svc_business::account::set_api_access(unit.as_ref(), self.call(&scope), company, on).await.unwrap();
        unit.commit().await.unwrap();
    }

    /// Sends a request without any credential.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        send(&self.router, method, path, headers, body).await
    }

    /// What a token hears of itself.
    pub(crate) async fn whoami(&self, token: &str) -> Answer {
        let bearer = format!("Bearer {token}");
        self.send(Method::GET, "/auth/whoami", &[("authorization", &bearer)], "").await
    }
}

fn api(database: &Database, clock: &ManualClock, chosen: Chosen) -> Router {
    let peppers = Peppers::new(Pepper::new(1, [9; 32]), vec![]);
    let limiter = Arc::new(MemoryLimiter::new(Limits { per_minute: 10_000, per_month: 1_000_000 }));
    let clock: Arc<dyn Clock> = Arc::new(clock.clone());
    let authenticator = Authenticator::new(database.auth(), limiter, clock.clone(), peppers.clone());
    router(App {
        business: database.business(),
        webhooks: database.webhooks(),
        replays: database.replays(),
        events: Arc::new(events().clone()),
        idempotency: database.idempotency(),
        authenticator: Arc::new(authenticator),
        auth: database.auth(),
        sessions: database.sessions(),
        hasher: chosen.hasher,
        peppers,
        policy: chosen.policy,
        lifetime: Lifetime::default(),
        oauth: None,
        contents: Arc::new(MemoryContent::new(clock.clone())),
        ceremony_key: svc_testkit::business::envelopes::key(),
        audit: database.audit(),
        audit_keys: database.audit_keys(),
        sender: Arc::new(FakeSender::new()),
        attempts: AttemptConfig::new(
            Duration::from_secs(10),
            RetrySchedule::STANDARD,
            "https://example.com".to_owned(),
        ),
        clock,
        random: Arc::new(SeededRandom::new(7)),
        settings: chosen.settings,
    })
    .layer(axum::middleware::map_request(from_this_machine))
}

/// A signed-in person's browser.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) router: Router,
    /// `name=value`
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

impl Browser {
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, &[], &body.to_string()).await
    }

    /// An action that takes no input.
    pub(crate) async fn act(&self, path: &str) -> Answer {
        self.send(Method::POST, path, &[], "").await
    }

    pub(crate) async fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        self.send(Method::POST, path, headers, &body.to_string()).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PATCH, path, &[], &body.to_string()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, &[], "").await
    }

    /// Sends what a page of this service would: with the cookie, the CSRF token and the origin.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let usual = [
            ("x-csrf-token", self.csrf.as_str()),
            ("origin", "http://127.0.0.1:8080"),
            ("sec-fetch-site", "same-origin"),
        ];
        self.send_bare(method, path, &[&usual, headers].concat(), body).await
    }

    /// Sends the cookie and nothing else that a page would add.
    pub(crate) async fn send_bare(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let cookie = [("cookie", self.cookie.as_str())];
        send(&self.router, method, path, &[&cookie, headers].concat(), body).await
    }
}

async fn send(router: &Router, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
    let (media, body) = multipart::sent(path, body.to_owned());
    if !body.is_empty() {
        request = request.header("content-type", media);
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(router, request.body(Body::from(body)).unwrap()).await
}
