//! The opening of every verb on a record, and its saving: one order of refusals for all kinds.
//!
//! 1. [`open`] finds the record within the scope ([`Refused::NotFound`]), compares its version
//!    ([`Refused::VersionConflict`]), refuses a tombstone ([`Refused::Merged`]) and locks the company, which
//!    must be active ([`Refused::CompanyClosed`]). [`home`] opens a company for a new record.
//! 2. The verb judges its input and makes the record as it is to be.
//! 3. [`Opened::save`] keeps it with the next version and publishes that it was changed; a record that is as
//!    it was keeps its version and publishes nothing. [`Home::add`] keeps a new one.
//!
//! A verb that ends records, or moves what refers to them, opens them [`alone`]: no other unit of work changes them,
//! or refers to them anew, meanwhile. A new record needs no lock: the store itself refuses one whose company was
//! closed by then. But a record that refers to another one anew reads that by [`Home::referred`], which locks.

use serde_json::Value;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::{Event, EventDeclaration};
use svc_core::id::{AccountId, TypedId};
use svc_core::refused::Refused;
use svc_core::resource::{Expected, Lock, Resource, ResourceReader, ResourceStore, Version};
use svc_core::unit::CallContext;
use uuid::Uuid;

use crate::account::Account;
use crate::ports::AccountUnit;

/// What stands for the journal of a company, when it is locked: what is open with a contact belongs to no year. It is
/// locked behind the years, as a year that is closed is held before, and behind contacts, which entries name.
pub(crate) const JOURNAL: (Uuid, Lock) = (Uuid::max(), Lock::Exclusive);

/// A kind of record that belongs to a company.
pub trait Record: Resource + PartialEq {
    /// The unit of work of its area.
    type Unit: AccountUnit + ?Sized;
    /// Published when one is added; none where the catalogue has no such event.
    const CREATED: Option<&'static EventDeclaration> = None;
    /// Published when one is changed; none where the catalogue has no such event.
    const CHANGED: Option<&'static EventDeclaration> = None;

    /// Where it is kept.
    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self>;

    /// The same record as of this version.
    #[must_use]
    fn stamped(self, version: Version, at: Timestamp) -> Self;

    /// The survivor, when the record was absorbed by another one.
    fn merged_into(&self) -> Option<Self::Id> {
        None
    }
}

/// An active company that a unit of work works in.
pub struct Home<'u, U: ?Sized> {
    /// The unit of work.
    pub unit: &'u U,
    /// The call that it serves.
    pub call: CallContext<'u>,
    /// The company.
    pub company: Account,
}

/// A record that is about to be changed.
pub struct Opened<'u, R: Record> {
    /// Where it belongs.
    pub home: Home<'u, R::Unit>,
    /// The record as it is.
    pub before: R,
}

/// Opens a company for a new record.
///
/// # Errors
/// [`Refused::UnknownCompany`], [`Refused::CompanyClosed`], [`Refused::Store`].
pub async fn home<'u, R: Record>(
    unit: &'u R::Unit,
    call: CallContext<'u>,
    company: AccountId,
) -> Result<Home<'u, R::Unit>, Refused> {
    let found = unit.accounts().find(call.scope, company).await?;
    active(unit, call, found.ok_or(Refused::UnknownCompany)?)
}

/// Opens a record to change it.
///
/// # Errors
/// [`Refused::NotFound`], [`Refused::VersionConflict`], [`Refused::Merged`], [`Refused::CompanyClosed`],
/// [`Refused::Store`].
pub async fn open<'u, R: Record>(
    unit: &'u R::Unit,
    call: CallContext<'u>,
    id: R::Id,
    expected: &Expected,
) -> Result<Opened<'u, R>, Refused> {
    let before = find::<R>(unit, call, id).await?;
    let home = judge(unit, call, &before, expected, &[(id.uuid(), Lock::Shared)]).await?;
    Ok(Opened { home, before })
}

/// Opens a record as [`open`] does, while no other unit of work changes it, or one of those `beside` it, or refers
/// to them anew.
///
/// # Errors
/// As of [`open`].
pub async fn alone<'u, R: Record>(
    unit: &'u R::Unit,
    call: CallContext<'u>,
    id: R::Id,
    beside: &[R::Id],
    expected: &Expected,
) -> Result<Opened<'u, R>, Refused> {
    alone_beside(unit, call, id, &locks(beside, Lock::Exclusive), expected).await
}

/// Opens a record as [`alone`] does, with records of any kind beside it.
pub(crate) async fn alone_beside<'u, R: Record>(
    unit: &'u R::Unit,
    call: CallContext<'u>,
    id: R::Id,
    beside: &[(Uuid, Lock)],
    expected: &Expected,
) -> Result<Opened<'u, R>, Refused> {
    // The record tells its company; once it is locked, it stays as it is read again.
    let company = find::<R>(unit, call, id).await?.company();
    let records = [&[(id.uuid(), Lock::Exclusive)], beside].concat();
    unit.accounts().find_locked(call.scope, company, Lock::Shared, &records).await?;
    let before = find::<R>(unit, call, id).await?;
    let home = judge(unit, call, &before, expected, &[]).await?;
    Ok(Opened { home, before })
}

async fn find<R: Record>(unit: &R::Unit, call: CallContext<'_>, id: R::Id) -> Result<R, Refused> {
    R::store(unit).find(call.scope, id).await?.ok_or(Refused::NotFound)
}

async fn judge<'u, R: Record>(
    unit: &'u R::Unit,
    call: CallContext<'u>,
    record: &R,
    expected: &Expected,
    records: &[(Uuid, Lock)],
) -> Result<Home<'u, R::Unit>, Refused> {
    expected.check(record.version())?;
    if let Some(into) = record.merged_into() {
        return Err(Refused::Merged { object: R::NAME, into: into.to_string() });
    }
    let company = unit.accounts().find_locked(call.scope, record.company(), Lock::Shared, records).await?;
    active(unit, call, company.ok_or_else(|| StoreError::backend("the company of a record is missing"))?)
}

fn locks<'i, I: TypedId + 'i>(ids: impl IntoIterator<Item = &'i I>, lock: Lock) -> Vec<(Uuid, Lock)> {
    ids.into_iter().map(|id| (id.uuid(), lock)).collect()
}

fn active<'u, U: ?Sized>(
    unit: &'u U,
    call: CallContext<'u>,
    company: Account,
) -> Result<Home<'u, U>, Refused> {
    match company.status.closed() {
        Some(closed) => Err(Refused::CompanyClosed(closed)),
        None => Ok(Home { unit, call, company }),
    }
}

impl<'u, U: ?Sized> Home<'u, U> {
    /// The same company, for use cases of another area: `unit` is the unit of this one as that area sees it.
    pub(crate) fn within<V: ?Sized>(&self, unit: &'u V) -> Home<'u, V> {
        Home { unit, call: self.call, company: self.company.clone() }
    }
}

impl<U: AccountUnit + ?Sized> Home<'_, U> {
    /// Keeps a new record of the company, and publishes that it was created.
    ///
    /// # Errors
    /// [`Refused::Taken`], [`Refused::Store`].
    pub async fn add<R: Record<Unit = U>, E>(&self, record: R) -> Result<R, Refused<E>> {
        R::store(self.unit).insert(self.call.scope, &record).await?;
        if let Some(created) = R::CREATED {
            self.publish(created, &record, None).await?;
        }
        Ok(record)
    }

    /// The records of the same company that a record is about to refer to, which no other unit of work ends
    /// meanwhile; without unknown ones, tombstones and those of other companies.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn referred<R: Record>(
        &self,
        records: &dyn ResourceReader<R>,
        ids: &[R::Id],
    ) -> Result<Vec<R>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let locks = locks(ids, Lock::Shared);
        self.unit.accounts().find_locked(self.call.scope, self.company.id, Lock::Shared, &locks).await?;
        let mut found = records.find_all(self.call.scope, ids).await?;
        found.retain(|found| found.company() == self.company.id && found.merged_into().is_none());
        Ok(found)
    }

    pub(crate) async fn publish<R: Record>(
        &self,
        declared: &EventDeclaration,
        record: &R,
        further: Option<(&'static str, Value)>,
    ) -> Result<(), StoreError> {
        self.publish_with(declared, record, further).await
    }

    /// The same with any number of further members.
    pub(crate) async fn publish_with<R: Record>(
        &self,
        declared: &EventDeclaration,
        record: &R,
        further: impl IntoIterator<Item = (&'static str, Value), IntoIter: Send> + Send,
    ) -> Result<(), StoreError> {
        let call = self.call;
        let event = Event::new(declared, record.company(), record.id(), call.now, call.random);
        let event = further.into_iter().fold(event, |event, (name, value)| event.with(name, value));
        self.unit.outbox().publish(&[event]).await
    }
}

impl<R: Record> Opened<'_, R> {
    /// Keeps the record as it is to be with its next version and publishes that it was changed. A record that
    /// is as it was keeps its version, and nothing is published.
    ///
    /// # Errors
    /// [`Refused::Taken`], [`Refused::Store`] with a conflict when another unit of work changed it meanwhile.
    pub async fn save<E>(&self, after: R) -> Result<R, Refused<E>> {
        if after == self.before {
            return Ok(after);
        }
        self.save_unseen(after).await
    }

    /// The same for a caller who wrote what they see masked: it is a change whether or not it changes anything,
    /// for a version that stays would tell them that they guessed right.
    ///
    /// # Errors
    /// Those of [`Opened::save`].
    pub(crate) async fn save_unseen<E>(&self, after: R) -> Result<R, Refused<E>> {
        let after = self.replace(after).await?;
        if let Some(changed) = R::CHANGED {
            self.home.publish(changed, &after, None).await?;
        }
        Ok(after)
    }

    /// Keeps the record as it is to be with its next version; what is to be published is the verb's own.
    pub(crate) async fn replace(&self, after: R) -> Result<R, StoreError> {
        replace(self.home.unit, self.home.call, &self.before, after).await
    }
}

/// Keeps `after` in the place of `before` with the next version, publishing nothing.
pub(crate) async fn replace<R: Record>(
    unit: &R::Unit,
    call: CallContext<'_>,
    before: &R,
    after: R,
) -> Result<R, StoreError> {
    let after = after.stamped(before.version().next(), call.now);
    R::store(unit).replace(call.scope, before, &after).await?;
    Ok(after)
}
