//! The company in which contracts of documents play.

use svc_business::account::Account;
use svc_business::founding;
use svc_core::audit::Actor;
use svc_core::id::ContactId;
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use super::{Storage, insert_accounts, put_contacts};
use crate::business::sample::{account, at, everything, organization};
use crate::business::verbs::Unit;
use crate::fakes::SeededRandom;

/// A company with books, and a contact of it with a tax id and an address.
pub(super) struct Shop {
    pub(super) storage: Storage,
    pub(super) company: Account,
    pub(super) customer: ContactId,
    random: SeededRandom,
}

impl Shop {
    pub(super) async fn new(storage: Storage) -> Self {
        let company = account(1);
        insert_accounts(&storage, std::slice::from_ref(&company)).await;
        let mut customer = organization(company.id, 10, "Ferretería Sol SL");
        customer.tax_id = company.tax_id.clone();
        customer.address = company.address.clone();
        put_contacts(&storage, std::slice::from_ref(&customer)).await;
        let shop = Self { storage, company, customer: customer.id, random: SeededRandom::new(7) };
        shop.within(async |unit, call| Ok::<(), Refused>(founding::begin(unit, call, &shop.company).await?))
            .await
            .expect("committed");
        shop
    }

    /// Does this in a unit of its own.
    #[expect(clippy::disallowed_methods, reason = "the contract stands in for the authority")]
    pub(super) async fn within<T, E>(
        &self,
        work: impl AsyncFnOnce(&Unit, CallContext<'_>) -> Result<T, Refused<E>>,
    ) -> Result<T, Refused<E>> {
        let (scope, actor) = (everything(), Actor::service("contract"));
        let access = PiiAccess::Full(Reveal::granted());
        let call = CallContext { scope: &scope, access, actor: &actor, now: at(0), random: &self.random };
        let unit = self.storage.begin().await?;
        let done = work(unit.as_ref(), call).await?;
        unit.commit().await?;
        Ok(done)
    }
}
