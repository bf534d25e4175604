//! Founding the first company from the browser, by the operator who reads the link at the start.

use async_trait::async_trait;
use svc_auth::ports::{Salt, SessionUnit};
use svc_auth::session::{SetPasswordError, check_password, set_password};
use svc_business::account::BootstrapRequest;
use svc_business::founding;
use svc_business::ports::AccountUnit as _;
use svc_business::user;
use svc_core::error::StoreError;
use svc_core::system::OsRandom;
use svc_core::unit::UnitOfWork as _;
use svc_http::Problem;
use svc_web::{FirstCompany, Founder};

use crate::commands::company::Company;
use crate::store::Store;
use crate::wiring::Wiring;

/// Whether the database has no company yet.
pub(crate) async fn is_open(store: &Store) -> Result<bool, StoreError> {
    Ok(!store.database.begin().await?.accounts().any().await?)
}

#[async_trait]
impl Founder for Wiring {
    async fn is_open(&self) -> Result<bool, Problem> {
        Ok(is_open(&self.store).await?)
    }

    async fn found(&self, request: FirstCompany) -> Result<(), Problem> {
        let FirstCompany { legal_name, name, email, password, locale } = request;
        let operator = self.operator();
        // Before a unit of work begins: the unit keeps other writers of SQLite waiting.
        let hash = operator.hasher.hash(password.clone(), Salt::generate(&OsRandom)).await?;
        let unit = self.store.database.begin().await?;
        let holder = user::CreateRequest { email, name: Some(name), locale: Some(locale.to_owned()) };
        let request = BootstrapRequest { input: Company::named(&legal_name).input(), holder };
        let (_, holder) = founding::bootstrap(unit.as_ref(), operator.call(), request).await?;
        if let Some(person) = SessionUnit::people(unit.as_ref()).person(holder.id).await? {
            check_password("password", &password, &person)?;
        }
        set_password(unit.as_ref(), operator.call(), holder.id, hash).await.map_err(|error| match error {
            SetPasswordError::UnknownPerson => Problem::internal(),
            SetPasswordError::Store(error) => error.into(),
        })?;
        Ok(unit.commit().await?)
    }
}
