//! One admitted request: what a handler works with.
//!
//! An [`ApiRequest`] exists only after its route's gate let the caller in, so a
//! handler cannot run without one, and its type says who that is.

use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;
use svc_webhooks::subscription::Subscribable;

use bytes::Bytes;
use http::{HeaderMap, Method, Uri};
use svc_business::account::Account;
use svc_core::error::ValidationErrors;
use svc_core::id::{AccountId, TypedId};
use svc_core::pii::PiiAccess;
use svc_core::resource::Expected;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use crate::app::App;
use crate::context::Context;
use crate::gate::{Acting, Caller, PersonCaller, TokenCaller};
use crate::json::{self, Input, Nothing};
use crate::precondition;
use crate::problem::Problem;
use crate::query::{COMPANY, Query};
use crate::subject::Subject;
use crate::upload::Upload;

/// An admitted request of a caller `C`: a token, unless a route says otherwise.
pub(crate) struct ApiRequest<C = TokenCaller> {
    pub(crate) app: Arc<App>,
    pub(crate) context: Context,
    pub(crate) caller: Arc<C>,
    /// The address of the client, as far as it is known.
    pub(crate) from: Option<IpAddr>,
    /// Whether the request came over https.
    pub(crate) secure: bool,
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    /// The path of the route, with `{name}` for what is named.
    pub(crate) route: &'static str,
    /// What the path names.
    pub(crate) named: Arc<[(String, String)]>,
    pub(crate) query: Query,
    pub(crate) body: Bytes,
    /// What came of the file of the body, on a route that stores it.
    pub(crate) upload: Option<Upload>,
}

impl<C> Clone for ApiRequest<C> {
    fn clone(&self) -> Self {
        Self {
            app: Arc::clone(&self.app),
            context: self.context,
            caller: Arc::clone(&self.caller),
            from: self.from,
            secure: self.secure,
            method: self.method.clone(),
            uri: self.uri.clone(),
            headers: self.headers.clone(),
            route: self.route,
            named: Arc::clone(&self.named),
            query: self.query.clone(),
            body: self.body.clone(),
            upload: self.upload.clone(),
        }
    }
}

impl<C: Acting> ApiRequest<C> {
    /// What the use cases need to know of this request.
    pub(crate) fn call(&self) -> CallContext<'_> {
        CallContext {
            scope: self.caller.scope(),
            access: self.caller.access(),
            actor: self.caller.actor(),
            now: self.context.now,
            random: &*self.app.random,
        }
    }

    /// The same within a narrower scope.
    pub(crate) fn call_in<'a>(&'a self, scope: &'a Scope) -> CallContext<'a> {
        CallContext { scope, ..self.call() }
    }
}

impl<C: Caller> ApiRequest<C> {
    /// How the caller sees personal data.
    pub(crate) fn access(&self) -> PiiAccess {
        self.caller.access()
    }

    /// The id in the path. A text of another form names nothing, as an unknown id does.
    pub(crate) fn id<T: TypedId>(&self, name: &str) -> Result<T, Problem> {
        self.in_path(name)
    }

    /// What the path names. A text of another form names nothing, as an unknown one does.
    pub(crate) fn in_path<T: FromStr>(&self, name: &str) -> Result<T, Problem> {
        let text = self.named.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
        text.unwrap_or_default().parse().map_err(|_| Problem::not_found())
    }

    /// What the path names, whether or not it is there.
    pub(crate) fn subject(&self) -> Subject<C> {
        Subject::new(self.route, self.named.clone(), self.app.clone(), self.caller.clone())
    }

    /// The body.
    pub(crate) fn json<T: Input>(&self) -> Result<T, Problem> {
        json::read(&self.headers, &self.body, self.method == Method::PATCH)
    }

    /// What was uploaded.
    pub(crate) fn upload(&self) -> Result<&Upload, Problem> {
        // The route says that it stores one.
        self.upload.as_ref().ok_or_else(Problem::internal)
    }

    /// Refuses a body on a route that takes none.
    pub(crate) fn no_body(&self) -> Result<(), Problem> {
        if self.body.is_empty() { Ok(()) } else { self.json().map(|Nothing {}| ()) }
    }

    /// What the client expects of the version of the record in the path.
    pub(crate) fn if_match(&self) -> Expected {
        precondition::expected(&self.headers)
    }
}

impl ApiRequest {
    /// What the token may subscribe to.
    pub(crate) fn subscribable(&self) -> Subscribable<'_> {
        Subscribable::new(&self.app.events, &self.caller.principal.grants).named(&self.app.attempts.names)
    }

    /// The primary account alone: subscriptions belong to it.
    pub(crate) fn primary_scope(&self) -> Result<Scope, Problem> {
        let principal = &self.caller.principal;
        principal.scope.only(principal.primary).ok_or_else(Problem::not_found)
    }

    /// A company within the scope.
    pub(crate) async fn company_of(&self, scope: &Scope, company: AccountId) -> Result<Account, Problem> {
        let found = self.app.business.accounts().find(scope, company).await?;
        found.ok_or_else(Problem::not_found)
    }

    /// The company that the query names by `companyId`, which is one within the scope: the primary account unless it does.
    pub(crate) fn named_company(&self) -> Result<AccountId, Problem> {
        let principal = &self.caller.principal;
        let company = self.query.parse("companyId")?.unwrap_or(principal.primary);
        principal.scope.contains(company).then_some(company).ok_or_else(Problem::not_found)
    }

    /// The companies that the query selects: the primary account unless it names others.
    pub(crate) fn companies(&self) -> Result<Vec<AccountId>, Problem> {
        let scope = &self.caller.principal.scope;
        match self.query.text(COMPANY.name)? {
            None => Ok(vec![self.caller.principal.primary]),
            Some("all") => Ok(self.caller.principal.companies.iter().map(|company| company.id).collect()),
            Some(list) => list
                .split(',')
                .map(|id| {
                    id.trim().parse().ok().filter(|id| scope.contains(*id)).ok_or_else(Problem::not_found)
                })
                .collect(),
        }
    }

    /// The company that a new record goes to: the primary account unless the body names another one. One out
    /// of reach is refused as any other id in a body that names nothing (specification, D-18).
    pub(crate) fn company(&self, named: Option<AccountId>) -> Result<AccountId, ValidationErrors> {
        match named {
            Some(company) if !self.caller.principal.scope.contains(company) => {
                let message = "no company within reach has this id";
                Err(ValidationErrors::one("companyId", "unknown_reference", message))
            }
            Some(company) => Ok(company),
            None => Ok(self.caller.principal.primary),
        }
    }
}

impl ApiRequest<PersonCaller> {
    /// The companies that the query selects: all that the person holds or administers, unless it names some.
    pub(crate) fn selected(&self) -> Result<Scope, Problem> {
        let administered = self.caller.scope();
        let list = match self.query.text(COMPANY.name)? {
            None | Some("all") => return Ok(administered.clone()),
            Some(list) => list,
        };
        let mut companies = Vec::new();
        for id in list.split(',') {
            let company = id.trim().parse().map_err(|_| Problem::not_found())?;
            self.caller.role_in(company)?;
            companies.push(company);
        }
        administered.within(companies).ok_or_else(Problem::not_found)
    }
}
