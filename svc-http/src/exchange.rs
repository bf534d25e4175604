//! One admitted request: what a handler works with.
//!
//! An [`Exchange`] exists only after the checks of the specification, part 5.2,
//! so a handler cannot run without a caller.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderName};
use http::{HeaderMap, Method, Uri};
use svc_auth::authenticate::{Access, Admitted, Denied};
use svc_auth::client_address::client_address;
use svc_auth::principal::Principal;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, RequestId, TypedId};
use svc_core::pii::Sight;
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::Call;

use crate::app::App;
use crate::json::{self, Input, Nothing};
use crate::precondition::Expected;
use crate::problem::Problem;
use crate::query::{COMPANY, Query};
use crate::server::Peer;

/// What every request has from the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Names the request in answers and logs.
    pub(crate) request: RequestId,
    /// The instant of the request.
    pub(crate) now: Timestamp,
}

/// An admitted request.
pub(crate) struct Exchange {
    pub(crate) app: Arc<App>,
    pub(crate) context: Context,
    pub(crate) principal: Arc<Principal>,
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) path: Vec<(String, String)>,
    pub(crate) query: Query,
    pub(crate) body: Bytes,
}

impl Exchange {
    /// What the use cases need to know of this request.
    pub(crate) fn call(&self) -> Call<'_> {
        Call {
            scope: &self.principal.scope,
            sight: self.principal.sight,
            now: self.context.now,
            random: &*self.app.random,
        }
    }

    /// The same within a narrower scope.
    pub(crate) fn call_in<'a>(&'a self, scope: &'a Scope) -> Call<'a> {
        Call { scope, ..self.call() }
    }

    /// The primary account alone: subscriptions belong to it.
    pub(crate) fn primary_scope(&self) -> Result<Scope, Problem> {
        self.principal.scope.only(self.principal.primary).ok_or_else(Problem::not_found)
    }

    /// How the caller sees personal data.
    pub(crate) fn sight(&self) -> Sight {
        self.principal.sight
    }

    /// The id in the path. A text of another form names nothing, as an unknown id does.
    pub(crate) fn id<T: TypedId>(&self, name: &str) -> Result<T, Problem> {
        let text = self.path.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
        text.unwrap_or_default().parse().map_err(|_| Problem::not_found())
    }

    /// The body.
    pub(crate) fn json<T: Input>(&self) -> Result<T, Problem> {
        json::read(&self.headers, &self.body, self.method == Method::PATCH)
    }

    /// Refuses a body on a route that takes none.
    pub(crate) fn no_body(&self) -> Result<(), Problem> {
        if self.body.is_empty() { Ok(()) } else { self.json().map(|Nothing {}| ()) }
    }

    /// Finds out that the resource is there and as `If-Match` expects it, before its change is
    /// judged; answers the version to insist on, since somebody may change it meanwhile.
    pub(crate) async fn expected(
        &self,
        current: impl Future<Output = Result<Option<Version>, StoreError>> + Send,
    ) -> Result<Option<Version>, Problem> {
        let current = current.await?.ok_or_else(Problem::not_found)?;
        match Expected::read(&self.headers) {
            Expected::Any => Ok(None),
            Expected::OneOf(versions) if versions.contains(&current) => Ok(Some(current)),
            Expected::OneOf(_) => Err(Problem::version_conflict(current)),
        }
    }

    /// The companies that the query selects: the primary account unless it names others.
    pub(crate) fn companies(&self) -> Result<Vec<AccountId>, Problem> {
        let scope = &self.principal.scope;
        match self.query.text(COMPANY.name)? {
            None => Ok(vec![self.principal.primary]),
            Some("all") => Ok(self.principal.companies.iter().map(|company| company.id).collect()),
            Some(list) => list
                .split(',')
                .map(|id| {
                    id.trim().parse().ok().filter(|id| scope.contains(*id)).ok_or_else(Problem::not_found)
                })
                .collect(),
        }
    }

    /// The company that a new record goes to: the primary account unless the body names another one.
    pub(crate) fn company(&self, named: Option<AccountId>) -> Result<AccountId, Problem> {
        match named {
            Some(company) if !self.principal.scope.contains(company) => Err(Problem::not_found()),
            Some(company) => Ok(company),
            None => Ok(self.principal.primary),
        }
    }
}

/// Runs the checks of the specification, part 5.2.
pub(crate) async fn admit(
    app: &App,
    access: Access,
    headers: &HeaderMap,
    peer: Option<Peer>,
) -> Result<Admitted, Denied> {
    let mut lines = headers.get_all(AUTHORIZATION).iter();
    let authorization =
        lines.next().map(|value| value.to_str().map_err(|_| Denied::TokenInvalid)).transpose()?;
    if lines.next().is_some() {
        // Two credentials: nobody could say for whom the request is.
        return Err(Denied::TokenInvalid);
    }
    app.authenticator.admit(authorization, access, source(app, headers, peer)).await
}

fn source(app: &App, headers: &HeaderMap, peer: Option<Peer>) -> Option<IpAddr> {
    let settings = &app.settings;
    let name = HeaderName::try_from(settings.client_ip_header.as_str()).ok();
    let lines: Vec<&str> = name
        .map(|name| headers.get_all(name).iter().map(|line| line.to_str().unwrap_or_default()).collect())
        .unwrap_or_default();
    client_address(peer?.0.ip(), &lines, &settings.trusted_proxies)
}
