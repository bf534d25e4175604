//! What the path of a request names, and whether it is there for the caller.
//!
//! A path that names nothing within reach is answered with 404, whatever else is wrong with the request
//! (specification, D-25): parameters, headers and bodies are judged of what is there. Handlers find what they
//! work on before they judge a body, but a good deal is refused before a handler runs: an unknown parameter, a
//! body that is too large, a malformed `Idempotency-Key`. So each refusal of what was sent comes through
//! [`Subject::first`], which looks for what the path names, and a request that is good pays nothing for it.

use std::str::FromStr;
use std::sync::Arc;

use http::StatusCode;
use svc_auth::principal::Principal;
use svc_business::purchases::document::SupplierDocument;
use svc_business::sales::document::SalesDocument;
use svc_business::{account, group};
use svc_core::id::{AccountId, ContactId, FileId, MembershipId, PaymentId};
use svc_core::resource::ResourceReader;
use svc_core::tenant::Scope;

use crate::app::App;
use crate::gate::{Acting, Caller, PersonCaller};
use crate::problem::Problem;

/// What a path names, to a caller.
pub(crate) struct Subject<C> {
    /// The path of the route, with `{name}` for what is named.
    route: &'static str,
    named: Arc<[(String, String)]>,
    app: Arc<App>,
    caller: Arc<C>,
}

/// Whose things a path may name.
pub(crate) enum Whose<'a> {
    /// Those within a token's reach.
    Token(&'a Principal),
    /// Those of a person, and of the companies that they hold or administer.
    Person(&'a PersonCaller),
    /// The caller has none.
    Unknown,
}

impl<C> Clone for Subject<C> {
    fn clone(&self) -> Self {
        let Self { route, named, app, caller } = self;
        Self { route, named: named.clone(), app: app.clone(), caller: caller.clone() }
    }
}

impl<C: Caller> Subject<C> {
    pub(crate) fn new(
        route: &'static str,
        named: Arc<[(String, String)]>,
        app: Arc<App>,
        caller: Arc<C>,
    ) -> Self {
        Self { route, named, app, caller }
    }

    /// The problem; or 404, when it judges what was sent and what the path names is not there.
    pub(crate) async fn first(&self, problem: Problem) -> Problem {
        if self.named.is_empty() || !judges_what_was_sent(problem.status()) {
            return problem;
        }
        match self.find().await {
            Ok(()) => problem,
            Err(absent) => absent,
        }
    }

    async fn find(&self) -> Result<(), Problem> {
        let found = match self.caller.whose() {
            Whose::Token(principal) => self.of_token(principal).await?,
            Whose::Person(person) => self.of_person(person).await?,
            Whose::Unknown => true,
        };
        if found { Ok(()) } else { Err(Problem::not_found()) }
    }

    async fn of_token(&self, principal: &Principal) -> Result<bool, Problem> {
        let (app, scope) = (&self.app, &principal.scope);
        let own = scope.only(principal.primary).ok_or_else(Problem::not_found)?;
        Ok(match self.kind() {
            "/contacts" => app.business.contacts().find(scope, self.id::<ContactId>()?).await?.is_some(),
            "/cases" => app.business.cases().find(scope, self.id()?).await?.is_some(),
            "/tax/notices" => app.business.notices().find(scope, self.id()?).await?.is_some(),
            "/tax/returns" => app.business.tax_returns().find(scope, self.id()?).await?.is_some(),
            "/files" => app.business.files().find(scope, self.id()?).await?.is_some(),
            "/data-room/files" => app.business.data_room().find(scope, self.id()?).await?.is_some(),
            "/folders" => app.business.folders().find(scope, self.id()?).await?.is_some(),
            "/envelopes" => self.of_envelopes(scope).await?,
            "/groups" => app.business.groups().find(scope, self.id()?).await?.is_some(),
            "/billing/series" => app.business.series().find(scope, self.id()?).await?.is_some(),
            "/billing" => self.of_billing(scope).await?,
            "/suppliers" => app.business.suppliers().find(scope, self.id()?).await?.is_some(),
            "/supplier-documents" => self.of_purchases(scope).await?,
            "/books" => self.of_books(scope).await?,
            "/treasury/bank-accounts" => {
                app.business.bank_accounts().find(scope, self.id()?).await?.is_some()
            }
            "/treasury/bank-movements" => {
                app.business.bank_movements().find(scope, self.id()?).await?.is_some()
            }
            "/treasury/imports" => app.business.bank_imports().find(scope, self.id()?).await?.is_some(),
            "/accounts" if self.route.contains("/members") => {
                app.business.accounts().find(scope, self.id()?).await?.is_some()
            }
            "/accounts" => account::find(app.business.accounts(), scope, self.id()?).await?.is_some(),
            "/webhooks/subscriptions" => app.webhooks.subscriptions().find(&own, self.id()?).await?.is_some(),
            "/webhooks/deliveries" => app.webhooks.deliveries().find(&own, self.id()?).await?.is_some(),
            "/webhooks/replays" => app.replays.replays().find(&own, self.id()?).await?.is_some(),
            "/webhooks/events" => app.events.get(&self.id::<String>()?).is_some(),
            _ => true,
        })
    }

    async fn of_billing(&self, scope: &Scope) -> Result<bool, Problem> {
        let sales = self.app.business.sales();
        let found = ResourceReader::<SalesDocument>::find(sales, scope, self.at("id")?).await?;
        let Some(document) = found else { return Ok(false) };
        if !self.names("paymentId") {
            return Ok(true);
        }
        let payment: PaymentId = self.at("paymentId")?;
        Ok(document.issue_data().is_some_and(|issue| issue.settlement.find(payment).is_some()))
    }

    async fn of_envelopes(&self, scope: &Scope) -> Result<bool, Problem> {
        let found = self.app.business.envelopes().find(scope, self.at("id")?).await?;
        let Some(envelope) = found else { return Ok(false) };
        if !self.names("fileId") {
            return Ok(true);
        }
        let named: FileId = self.at("fileId")?;
        Ok(envelope.files.iter().any(|file| file.file == named))
    }

    async fn of_purchases(&self, scope: &Scope) -> Result<bool, Problem> {
        let documents = self.app.business.supplier_documents();
        let found = ResourceReader::<SupplierDocument>::find(documents, scope, self.at("id")?).await?;
        let Some(document) = found else { return Ok(false) };
        if !self.names("paymentId") {
            return Ok(true);
        }
        let payment: PaymentId = self.at("paymentId")?;
        let approval = document.approval_data();
        Ok(approval.is_some_and(|approval| approval.settlement.find(payment).is_some()))
    }

    async fn of_books(&self, scope: &Scope) -> Result<bool, Problem> {
        let (business, Some(scope)) = (&self.app.business, scope.only(self.at("companyId")?)) else {
            return Ok(false);
        };
        if !self.names("id") {
            return Ok(true);
        }
        let record =
            self.route.trim_start_matches("/books/{companyId}").split_once("/{").map(|(kind, _)| kind);
        Ok(match record {
            Some("/accounts") => business.ledger().find(&scope, self.at("id")?).await?.is_some(),
            Some("/fiscal-years") => business.fiscal_years().find(&scope, self.at("id")?).await?.is_some(),
            Some("/fixed-assets") => business.fixed_assets().find(&scope, self.at("id")?).await?.is_some(),
            Some("/journal-entries") => business.journal().find(&scope, self.at("id")?).await?.is_some(),
            _ => true,
        })
    }

    async fn of_person(&self, person: &PersonCaller) -> Result<bool, Problem> {
        let (app, scope) = (&self.app, person.scope());
        Ok(match self.kind() {
            "/tokens" => {
                let found = app.auth.tokens().find(self.id()?).await?;
                found.is_some_and(|token| scope.contains(token.primary))
            }
            "/groups" if self.names("accountId") => {
                group::has_member(app.business.groups(), scope, self.id()?, self.at("accountId")?).await?
            }
            "/tax/notices" => app.business.notices().find(scope, self.id()?).await?.is_some(),
            "/tax/returns" => app.business.tax_returns().find(scope, self.id()?).await?.is_some(),
            "/groups" => app.business.groups().find(scope, self.id()?).await?.is_some(),
            "/accounts" => {
                let company: AccountId = self.id()?;
                // Also what the person is refused for there comes before what they sent.
                person.role_in(company)?;
                !self.names("memberId") || {
                    let member: MembershipId = self.at("memberId")?;
                    app.business.people().member(scope, company, member).await?.is_some()
                }
            }
            "/session/invitations" => {
                let who = person.signed_in.person().id;
                app.business.people().invitation(who, self.id()?).await?.is_some()
            }
            _ => true,
        })
    }

    /// The route's path up to the first name.
    fn kind(&self) -> &'static str {
        self.route.split_once("/{").map_or(self.route, |(kind, _)| kind)
    }

    fn names(&self, name: &str) -> bool {
        self.named.iter().any(|(known, _)| known == name)
    }

    /// What the path names first.
    fn id<T: FromStr>(&self) -> Result<T, Problem> {
        read(self.named.first())
    }

    fn at<T: FromStr>(&self, name: &str) -> Result<T, Problem> {
        read(self.named.iter().find(|(known, _)| known == name))
    }
}

/// A text of another form names nothing, as an unknown id does.
fn read<T: FromStr>(named: Option<&(String, String)>) -> Result<T, Problem> {
    let text = named.map(|(_, text)| text.as_str()).unwrap_or_default();
    text.parse().map_err(|_| Problem::not_found())
}

/// Whether a refusal with this status is of parameters, headers or the body, and not of the caller, of what the
/// path names, or of what that is like.
fn judges_what_was_sent(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::NOT_ACCEPTABLE
            | StatusCode::REQUEST_TIMEOUT
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::UNPROCESSABLE_ENTITY
    )
}
