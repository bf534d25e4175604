//! Entries for tests.

use std::collections::BTreeMap;

use svc_core::audit::{Action, Actor, AuditReader, Details, Entry, Head};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TokenId};
use svc_core::unit::UnitOfWork;

use crate::business::sample::{at, id};

/// An entry of a company's log; `number` makes its subject and its instant.
#[must_use]
pub fn entry(account: AccountId, number: u32) -> Entry {
    Entry {
        account,
        at: at(i64::from(number)),
        actor: Actor::OPERATOR,
        action: Action::TokenUpdate,
        subject: id::<TokenId>(u128::from(number)).to_string(),
        before: None,
        after: Some(Details::of(&number)),
    }
}

/// Asserts that a commit was refused because nothing was told to the log.
#[track_caller]
pub(crate) fn assert_unwritten(outcome: &Result<(), StoreError>) {
    let refused = match outcome {
        Err(StoreError::Backend(source)) => source.to_string().contains("without an audit entry"),
        Err(
            StoreError::Conflict
            | StoreError::Taken { .. }
            | StoreError::Busy
            | StoreError::Undone
            | StoreError::OutOfRange,
        )
        | Ok(()) => false,
    };
    assert!(refused, "expected a refusal for want of an audit entry, not {outcome:?}");
}

/// Appends an entry to the log of `account`, for a test that changes a store
/// directly: a unit that changed a credential, a membership or a subscription
/// commits only with an entry, which a use case would have appended.
///
/// # Errors
/// Those of the log.
pub async fn noted(unit: &dyn UnitOfWork, account: AccountId) -> Result<(), StoreError> {
    unit.audit().append(&[entry(account, 0)]).await
}

/// The newest record of each company that has a log, as the store remembers it apart from the records.
///
/// # Panics
/// When one cannot be read.
pub async fn heads(reader: &dyn AuditReader) -> BTreeMap<AccountId, Head> {
    let mut heads = BTreeMap::new();
    for company in reader.companies().await.expect("read") {
        let company = company.expect("an id");
        if let Some(head) = reader.head(company).await.expect("read") {
            heads.insert(company, head.expect("as it was written"));
        }
    }
    heads
}
