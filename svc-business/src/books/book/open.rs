//! Finding the books of a company, and holding them.

use svc_core::error::StoreError;
use svc_core::id::TypedId as _;
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use uuid::Uuid;

use super::Book;
use crate::ports::DynBooksUnit;
use crate::record::Home;

/// The books of the company as they are.
///
/// # Errors
/// [`Refused::NotFound`] for a company that was closed before there were books, [`Refused::Store`].
pub(in crate::books) async fn find<E>(home: &Home<'_, DynBooksUnit>) -> Result<Book, Refused<E>> {
    let found = home.unit.books().find(home.call.scope, home.company.id).await?;
    found.ok_or(Refused::NotFound)
}

/// The books of the company, whose locks, settings and base currency stay as they are until the unit ends; `beside` are
/// locked with them.
///
/// # Errors
/// As of [`find`]; [`Refused::Store`] with a conflict when the base currency changed since the company was read.
pub(crate) async fn locked<E>(
    home: &Home<'_, DynBooksUnit>,
    lock: Lock,
    beside: &[(Uuid, Lock)],
) -> Result<Book, Refused<E>> {
    let company = home.company.id;
    let locks: Vec<_> = std::iter::once((company.uuid(), lock)).chain(beside.iter().copied()).collect();
    let held = home.unit.accounts().find_locked(home.call.scope, company, Lock::Shared, &locks).await?;
    if held.is_none_or(|held| held.base_currency != home.company.base_currency) {
        return Err(Refused::Store(StoreError::Conflict));
    }
    find(home).await
}
