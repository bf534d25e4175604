//! A service that has tenants, and neither people nor groups.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use svc_auth::approval::{AskError, CallDigest, ask};
use svc_auth::authenticate::{Access, Authenticator, Denied};
use svc_auth::limit::{Limits, MemoryLimiter};
use svc_auth::ports::{
    AccountDirectory, AuthStorage, AuthUnit, CompanyStanding, GroupPlace, StandAlone, Standing,
    TenantDirectory, TokenReader, TokenStore,
};
use svc_auth::principal::Principal;
use svc_auth::token::AuthorityError::{NotAdministered, ParentNotAdministered};
use svc_auth::token::{AuthorityError, CreateRequest, Fingerprint, Token, TokenValue, UpdateRequest, create};
use svc_core::audit::{Actor, AuditLog, Who};
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, SessionId, TokenId, TypedId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::refused::Refused;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::{CallContext, UnitOfWork};
use svc_testkit::auth::{MemoryAuth, MemoryOauth, verbs};
use svc_testkit::business::sample::scope;
use svc_testkit::catalogue::policy;
use uuid::Uuid;

use crate::test_app::{TestApp, account, bearer, group, user};

/// The tenants that there are at present.
#[derive(Clone, Default)]
struct Tenants(Arc<Mutex<BTreeSet<AccountId>>>);

#[async_trait]
impl TenantDirectory for Tenants {
    async fn name(&self, id: AccountId) -> Result<Option<String>, StoreError> {
        Ok(self.0.lock().unwrap().get(&id).map(ToString::to_string))
    }
}

/// The tokens of a storage with companies, over a directory without; it counts no changes.
struct Alone {
    tokens: MemoryAuth,
    directory: StandAlone<Tenants>,
}

struct AloneUnit {
    inner: Box<dyn AuthUnit>,
    directory: Arc<dyn AccountDirectory>,
}

#[async_trait]
impl AuthStorage for Alone {
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError> {
        let inner = self.tokens.begin().await?;
        Ok(Box::new(AloneUnit { inner, directory: Arc::new(self.directory.clone()) }))
    }

    fn tokens(&self) -> &dyn TokenReader {
        self
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &self.directory
    }
}

#[async_trait]
impl TokenReader for Alone {
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        self.tokens.find(id).await
    }

    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Token>, StoreError> {
        self.tokens.find_by_fingerprint(candidates).await
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Token>, StoreError> {
        self.tokens.page(scope, page).await
    }

    async fn connections_of(&self, person: UserId, at_most: usize) -> Result<Vec<Token>, StoreError> {
        self.tokens.connections_of(person, at_most).await
    }
}

#[async_trait]
impl UnitOfWork for AloneUnit {
    fn audit(&self) -> &dyn AuditLog {
        self.inner.audit()
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.inner.commit().await
    }
}

impl AuthUnit for AloneUnit {
    fn tokens(&self) -> &dyn TokenStore {
        self.inner.tokens()
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &*self.directory
    }
}

/// The usual world, of which only tokens and clock are used, over tenants that stand alone.
struct Service {
    app: TestApp,
    storage: Arc<Alone>,
    tenants: Tenants,
    authenticator: Authenticator,
}

impl Service {
    fn new() -> Self {
        let (app, tenants) = (TestApp::new(), Tenants::default());
        tenants.0.lock().unwrap().extend([account(1), account(2)]);
        let directory = StandAlone(tenants.clone());
        let storage = Arc::new(Alone { tokens: app.storage.clone(), directory });
        let limiter = Arc::new(MemoryLimiter::new(Limits::default()));
        let clock = Arc::clone(&app.clock) as Arc<dyn Clock>;
        let authenticator =
            Authenticator::new(Arc::clone(&storage) as _, limiter, clock, app.peppers.clone());
        Self { app, storage, tenants, authenticator }
    }

    /// A token of no person.
    fn request(&self) -> CreateRequest {
        CreateRequest { creator: None, ..self.app.request() }
    }

    async fn create(
        &self,
        call: CallContext<'_>,
        request: CreateRequest,
    ) -> Result<(Token, TokenValue), Refused<AuthorityError>> {
        let unit = self.storage.begin().await?;
        let made = create(&*unit, call, request, &self.app.peppers, &policy()).await?;
        unit.commit().await?;
        Ok(made)
    }

    async fn caller(&self, value: &TokenValue) -> Result<Arc<Principal>, Denied> {
        let header = bearer(value);
        let asked = self.authenticator.admit(Some(&header), Access::AnyToken, None).await;
        let principal = asked.map_err(|rejected| rejected.denied)?.principal;
        assert_eq!(principal.creator, None);
        Ok(principal)
    }

    async fn admit(&self, value: &TokenValue) -> Result<Vec<AccountId>, Denied> {
        let principal = self.caller(value).await?;
        Ok(principal.companies.iter().map(|company| company.id).collect())
    }
}

#[tokio::test]
async fn a_token_of_no_person_reaches_its_primary_account_and_no_other_tenant() {
    let service = Service::new();
    let (token, value) = service.create(service.app.call(), service.request()).await.unwrap();
    assert_eq!((token.created_by, token.primary), (None, account(1)));
    assert_eq!(service.admit(&value).await.unwrap(), [account(1)]);
}

#[tokio::test]
async fn a_token_that_names_another_tenant_or_a_group_is_not_made() {
    let service = Service::new();
    for request in [
        CreateRequest { companies: vec![account(2)], ..service.request() },
        CreateRequest { groups: vec![group(1)], ..service.request() },
        CreateRequest { primary: account(404), ..service.request() },
    ] {
        let answer = service.create(service.app.call(), request).await;
        let refused = matches!(answer, Err(Refused::Own(NotAdministered(_) | ParentNotAdministered(_))));
        assert!(refused, "{answer:?}");
    }
}

#[tokio::test]
async fn a_token_of_no_person_is_told_that_there_is_no_person_to_approve_a_call() {
    let service = Service::new();
    let (_, value) = service.create(service.app.call(), service.request()).await.unwrap();
    let (caller, digest) = (service.caller(&value).await.unwrap(), CallDigest::of(&["call"]));
    let (approvals, about) = (MemoryOauth::default(), (account(1), "invoice_issue"));
    let asked = ask(&approvals, service.app.call(), (&caller, digest), about, vec![]).await;
    assert!(matches!(asked, Err(Refused::Own(AskError::NoPerson))), "{asked:?}");
}

/// A directory that takes each caller for a holder of each company.
struct Trusting;

#[async_trait]
impl AccountDirectory for Trusting {
    async fn standings(
        &self,
        _: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        self.standings_without_person(companies, groups).await
    }

    async fn standings_without_person(
        &self,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        let standing = |id: &AccountId| CompanyStanding {
            id: *id,
            legal_name: id.to_string(),
            group: groups.first().map(|group| GroupPlace::parent(*group)),
            merged: false,
            api_access: true,
            membership: Standing::Member(Role::Holder),
        };
        Ok(companies.iter().map(standing).collect())
    }
}

#[tokio::test]
async fn whatever_a_directory_says_a_token_of_no_person_names_what_the_caller_reaches() {
    let service = Service::new();
    let ours = scope(&[account(1)]);
    let call = CallContext { scope: &ours, ..service.app.call() };
    for (request, made) in [
        (service.request(), true),
        (CreateRequest { companies: vec![account(2)], ..service.request() }, false),
        (CreateRequest { groups: vec![group(1)], ..service.request() }, false),
    ] {
        let inner = service.storage.tokens.begin().await.unwrap();
        let unit = AloneUnit { inner, directory: Arc::new(Trusting) };
        let answer = create(&unit, call, request, &service.app.peppers, &policy()).await;
        assert_eq!(answer.is_ok(), made, "{answer:?}");
    }
}

/// The directory lets every caller act for every tenant, so the scope of the call is what keeps them apart.
#[tokio::test]
async fn a_caller_makes_and_changes_tokens_within_its_scope_only() {
    let service = Service::new();
    let (ours, theirs) = (scope(&[account(1)]), scope(&[account(2)]));
    let who = Who::Person { user: user(7), session: SessionId::from_uuid(Uuid::from_u128(7)) };
    let person = Actor { who, from: None, request: None };
    let call = |scope| CallContext { scope, actor: &person, ..service.app.call() };
    let foreign = service.create(call(&theirs), service.request()).await;
    assert!(matches!(foreign, Err(Refused::Own(NotAdministered(id))) if id == account(1)), "{foreign:?}");

    let (token, _) = service.create(call(&ours), service.request()).await.unwrap();
    let renaming = || UpdateRequest { name: Some("renamed".to_owned()), ..UpdateRequest::default() };
    let unit = service.storage.begin().await.unwrap();
    let foreign = verbs::update(&*unit, call(&theirs), token.id, None, renaming()).await;
    assert!(matches!(foreign, Err(Refused::NotFound)), "{foreign:?}");
    verbs::update(&*unit, call(&ours), token.id, None, renaming()).await.unwrap();
}

#[tokio::test]
async fn the_tokens_of_a_tenant_that_is_gone_are_refused_from_the_next_refresh_on() {
    let service = Service::new();
    let (_, value) = service.create(service.app.call(), service.request()).await.unwrap();
    service.authenticator.refresh().await.unwrap();
    service.admit(&value).await.unwrap();
    service.tenants.0.lock().unwrap().remove(&account(1));
    assert!(service.admit(&value).await.is_ok(), "it is cached");
    service.authenticator.refresh().await.unwrap();
    assert!(matches!(service.admit(&value).await, Err(Denied::CreatorLostRole)));
}

/// What keeps the rules of a service with people: there a token always has one who answers for it.
#[tokio::test]
async fn where_people_answer_for_tokens_one_of_no_person_is_neither_made_nor_let_in() {
    let app = TestApp::new();
    let answer = app.try_create(CreateRequest { creator: None, ..app.request() }).await;
    assert!(matches!(answer, Err(Refused::Own(NotAdministered(id))) if id == app.acme), "{answer:?}");

    let service = Service::new();
    let (_, value) = service.create(service.app.call(), service.request()).await.unwrap();
    let answer = service.app.admit(&bearer(&value)).await;
    assert!(matches!(answer, Err(Denied::CreatorLostRole)), "{answer:?}");
}
