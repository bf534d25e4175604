//! Permissions and routes of the service, and how a tenant gets a token.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Extension, Json, Router};
use serde::{Deserialize, Serialize};
use svc_auth::authenticate::Access;
use svc_auth::ports::AuthStorage;
use svc_auth::principal::Principal;
use svc_auth::token::{self, CreateRequest, Peppers, Policy, TokenValue};
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TokenId};
use svc_core::permission::{Permission, PermissionCatalogue};
use svc_core::pii::PiiAccess;
use svc_core::random::RandomSource;
use svc_core::resource::Expected;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use super::guard::{Guard, check};

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

/// Makes a token of a tenant that may do what `permissions` say.
///
/// The answer is the only place where the token's value ever is. Which of its users may ask for a token of
/// which tenant is for the service to decide, before it calls this.
///
/// # Errors
/// When a permission is not of this service, there is no such tenant, or the store fails.
pub async fn issue(
    storage: &dyn AuthStorage,
    peppers: &Peppers,
    tenant: AccountId,
    permissions: &[&str],
    (now, random): (Timestamp, &dyn RandomSource),
) -> Result<(TokenId, TokenValue), Box<dyn Error + Send + Sync>> {
    let request = CreateRequest {
        name: "integration".to_owned(),
        permissions: permissions.iter().copied().map(str::to_owned).collect(),
        personal_data: false,
        allowed_ips: Vec::new(),
        expires_at: None,
        primary: tenant,
        companies: Vec::new(),
        groups: Vec::new(),
        // This service has no people.
        creator: None,
    };
    let policy = Policy::of(PermissionCatalogue::new(PERMISSIONS));
    let scope = scope_of(tenant);
    let unit = storage.begin().await?;
    let (token, value) = token::create(&*unit, call(&scope, now, random), request, peppers, &policy).await?;
    unit.commit().await?;
    Ok((token.id, value))
}

/// Stops a token of a tenant for ever. The caller then lets the authenticator forget what is cached.
///
/// # Errors
/// When the tenant has no such token, it is revoked or expired already, or the store fails.
pub async fn revoke(
    storage: &dyn AuthStorage,
    tenant: AccountId,
    id: TokenId,
    (now, random): (Timestamp, &dyn RandomSource),
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let scope = scope_of(tenant);
    let unit = storage.begin().await?;
    let opened = token::open(&*unit, call(&scope, now, random), id, &Expected::Any).await?;
    token::revoke(opened).await?;
    unit.commit().await?;
    Ok(())
}

fn call<'a>(scope: &'a Scope, now: Timestamp, random: &'a dyn RandomSource) -> CallContext<'a> {
    CallContext { scope, access: PiiAccess::Masked, actor: &Actor::OPERATOR, now, random }
}

#[expect(clippy::disallowed_methods, reason = "the service has checked its caller by its own means")]
fn scope_of(tenant: AccountId) -> Scope {
    Scope::granted([tenant])
}
