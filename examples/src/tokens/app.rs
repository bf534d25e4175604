//! Routes of the service, and how it gets its first token.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Extension, Json, Router};
use serde::{Deserialize, Serialize};
use svc_auth::authenticate::Access;
use svc_auth::ports::{AuthStorage as _, Standing};
use svc_auth::principal::Principal;
use svc_auth::token::{self, CreateRequest, Peppers, Policy, TokenValue};
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TypedId as _, UserId};
use svc_core::permission::{Permission, PermissionCatalogue};
use svc_core::pii::PiiAccess;
use svc_core::random::RandomSource;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use super::guard::{Guard, check};
use super::row::Broken;
use super::state::Company;
use super::store::FileStore;

/// The permissions of this service.
const PERMISSIONS: [Permission; 2] =
    [Permission::of("archive:files.read"), Permission::of("archive:files.create")];
const READ: Access = Access::Permission(Permission::among(&PERMISSIONS, "archive:files.read"));
const CREATE: Access = Access::Permission(Permission::among(&PERMISSIONS, "archive:files.create"));

/// What this service is about: names of files, by company.
#[derive(Clone, Debug, Default)]
pub struct Files(Arc<Mutex<BTreeMap<AccountId, Vec<String>>>>);

/// The routes, each with what it asks of its callers.
///
/// `/members` is for signed-in people, which this example leaves out: no token is accepted there.
pub fn routes(guard: &Guard) -> Router {
    let guarded =
        |access, route: MethodRouter<Files>| route.route_layer(from_fn_with_state(guard.asks(access), check));
    Router::new()
        .route("/files", guarded(READ, get(list)).merge(guarded(CREATE, post(add))))
        .route("/me", guarded(Access::AnyToken, get(me)))
        .route("/members", guarded(Access::SessionOnly, get(StatusCode::NOT_IMPLEMENTED)))
        .with_state(Files::default())
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
}

async fn list(Shared(files): Shared<Files>, Extension(caller): Extension<Arc<Principal>>) -> Response {
    let files = files.0.lock().unwrap_or_else(PoisonError::into_inner);
    // The caller sees only those files that are within its scope.
    let reached = files.iter().filter(|(company, _)| caller.scope.contains(**company));
    let names: Vec<_> = reached.flat_map(|(_, names)| names.clone()).map(|name| File { name }).collect();
    Json(names).into_response()
}

async fn add(
    Shared(files): Shared<Files>,
    Extension(caller): Extension<Arc<Principal>>,
    Json(file): Json<File>,
) -> Response {
    let mut files = files.0.lock().unwrap_or_else(PoisonError::into_inner);
    files.entry(caller.primary).or_default().push(file.name.clone());
    (StatusCode::CREATED, Json(file)).into_response()
}

#[derive(Serialize)]
struct Me {
    name: String,
    permissions: Vec<String>,
    companies: Vec<AccountId>,
}

async fn me(Extension(caller): Extension<Arc<Principal>>) -> Response {
    let me = Me {
        name: caller.name.clone(),
        permissions: caller.grants.written().to_vec(),
        companies: caller.companies.iter().map(|company| company.id).collect(),
    };
    Json(me).into_response()
}

/// Makes a company, its holder and a token that may read and add files.
///
/// The answer is the only place where the token's value ever is.
///
/// # Errors
/// When the token may not be made, or the store fails.
pub async fn first_token(
    store: &FileStore,
    peppers: &Peppers,
    now: Timestamp,
    random: &dyn RandomSource,
) -> Result<TokenValue, Broken> {
    let (company, holder) = (AccountId::generate(now, random), UserId::generate(now, random));
    let acme = Company { legal_name: "Acme SL".to_owned(), group: None, merged: false, api_access: true };
    store
        .change(|state| {
            state.companies.insert(company, acme);
            state.standings.insert((company, holder), Standing::Member(Role::Holder));
        })
        .await?;

    let scope = operator_scope();
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &Actor::OPERATOR, now, random };
    let request = CreateRequest {
        name: "first token".to_owned(),
        permissions: vec!["archive:files.*".to_owned()],
        personal_data: false,
        allowed_ips: Vec::new(),
        expires_at: None,
        primary: company,
        companies: Vec::new(),
        groups: Vec::new(),
        creator: Some(holder),
    };
    let policy = Policy::of(PermissionCatalogue::new(PERMISSIONS));
    let unit = store.begin().await?;
    let (_, value) = token::create(&*unit, call, request, peppers, &policy).await?;
    unit.commit().await?;
    Ok(value)
}

#[expect(clippy::disallowed_methods, reason = "the operator acts for every company")]
fn operator_scope() -> Scope {
    Scope::system("the first token")
}
