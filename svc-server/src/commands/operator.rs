//! What the operator's commands have in common.

use std::sync::Arc;

use svc_auth::ports::{AuthUnit, PasswordHasher};
use svc_auth::token::{self, OpenedToken, Policy};
use svc_business::ports::BusinessUnit;
use svc_core::audit::Actor;
use svc_core::clock::{Clock as _, Timestamp};
use svc_core::id::{TokenId, UserId};
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Scope;
use svc_core::unit::{CallContext, UnitOfWork as _};
use svc_http::BlockingHasher;
use svc_storage_seaorm::SeaUnit;

use crate::commands::Context;
use crate::failure::Failure;
use crate::store::{Store, backend};

/// The operator at work on the database.
pub(crate) struct Operator {
    /// The database.
    pub(crate) store: Arc<Store>,
    /// The instant of the command.
    pub(crate) now: Timestamp,
    /// What is asked of every new token.
    pub(crate) policy: Policy,
    /// Hashes passwords, off the threads that serve requests.
    pub(crate) hasher: Arc<dyn PasswordHasher>,
    scope: Scope,
}

impl Operator {
    /// Opens the database to look at it alone, beside a server that runs.
    pub(crate) async fn look(context: &Context) -> Result<Self, Failure> {
        let settings = context.settings(Vec::new())?;
        Ok(Self::at(Arc::new(Store::look(&settings).await?), settings.policy))
    }

    /// Goes to work on a database that this command opened.
    pub(crate) fn at(store: Arc<Store>, policy: Policy) -> Self {
        Self::with(store, policy, Arc::new(BlockingHasher::default()))
    }

    /// Goes to work on an open database with the hasher of this process.
    pub(crate) fn with(store: Arc<Store>, policy: Policy, hasher: Arc<dyn PasswordHasher>) -> Self {
        Self { store, now: SystemClock.now(), policy, hasher, scope: every_company() }
    }

    /// Opens a unit of work.
    pub(crate) async fn begin(&self) -> Result<Box<SeaUnit>, Failure> {
        self.store.database.begin().await.map_err(|error| backend(&error))
    }

    /// Makes a unit's changes durable.
    pub(crate) async fn commit(&self, unit: Box<SeaUnit>) -> Result<(), Failure> {
        unit.commit().await.map_err(|error| backend(&error))
    }

    /// The call that use cases serve. Operators write personal data and are never shown any.
    pub(crate) fn call(&self) -> CallContext<'_> {
        CallContext {
            scope: &self.scope,
            access: PiiAccess::Masked,
            actor: &Actor::OPERATOR,
            now: self.now,
            random: &OsRandom,
        }
    }

    /// The person named by an id or an e-mail address.
    pub(crate) async fn person(&self, unit: &dyn BusinessUnit, named: &str) -> Result<UserId, Failure> {
        let found = match named.parse::<UserId>() {
            Ok(id) => unit.people().user(id).await,
            Err(_) => unit.people().user_by_email(named).await,
        };
        found.map_err(|error| backend(&error))?.map(|user| user.id).ok_or_else(|| {
            Failure::new("unknown_user", format!("there is no user {named}"))
                .hint("add the person with `svc-server user create --email …`, or name another one")
        })
    }

    /// Opens the token with this id.
    pub(crate) async fn token<'u>(
        &'u self,
        unit: &'u dyn AuthUnit,
        id: TokenId,
    ) -> Result<OpenedToken<'u>, Failure> {
        token::open(unit, self.call(), id, &Expected::Any).await.map_err(|refused| {
            if matches!(refused, Refused::NotFound) {
                let message = format!("there is no token {id}");
                return Failure::new("refused", message).hint("`svc-server token list` shows the ids");
            }
            refused.into()
        })
    }

    /// Ends the work and closes the database, whatever came of it.
    pub(crate) async fn close<T>(self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        self.store.database.close().await;
        outcome
    }
}

#[expect(clippy::disallowed_methods, reason = "the operator of the machine acts for every company")]
fn every_company() -> Scope {
    Scope::system("operator command")
}
