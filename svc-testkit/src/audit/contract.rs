//! What every audit log does.

mod chains;
mod entries;
mod pages;

use async_trait::async_trait;
use svc_core::audit::{AuditReader, ChainKeys, Entry, Record, Verifier};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::unit::UnitOfWork;

use crate::audit::entry;
use crate::contract::contract;

/// A log together with the units of work that append to it.
#[async_trait]
pub trait AuditFixture: Send + Sync {
    /// Reads the log.
    fn reader(&self) -> &dyn AuditReader;

    /// The keys that it seals with.
    fn keys(&self) -> ChainKeys;

    /// Opens a unit of work whose entries go to this log.
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError>;
}

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the contract of the audit log.
    ///
    /// `make` names an `async fn()` that gives an empty log: anything that
    /// dereferences to an [`AuditFixture`](crate::audit::AuditFixture). With
    /// `try_make` it gives an `Option`, and `None` (the engine is not on this
    /// machine) ends the case: the function says so on the console.
    ///
    /// The cases make up their companies: a log must not refer to rows of other
    /// crates, for it outlives them.
    ///
    /// ```
    /// mod memory {
    ///     async fn make() -> Box<svc_testkit::webhooks::MemoryWebhooks> {
    ///         Box::default()
    ///     }
    ///     svc_testkit::audit_contract! { make: make }
    /// }
    /// ```
    audit_contract by contract_tests at audit::cases {
        entries:
            an_entry_becomes_visible_with_the_commit,
            entries_of_a_dropped_unit_vanish_and_leave_no_gap,
            an_entry_comes_back_whole,
            details_come_back_byte_for_byte,
            entries_keep_the_order_in_which_they_were_appended,
            appending_nothing_adds_nothing;
        chains:
            each_company_has_a_chain_of_its_own,
            records_of_units_one_after_the_other_verify,
            heads_are_the_newest_records,
            a_company_without_records_has_no_log,
            records_come_in_order_after_a_number,
            units_at_once_leave_no_gap_and_no_double_number,
            units_at_once_may_name_companies_in_any_order;
        pages:
            a_page_shows_the_newest_first,
            a_page_is_one_of_many,
            a_page_holds_the_companies_of_its_scope_alone,
            pages_of_several_companies_join,
            every_filter_narrows_a_page,
            filters_narrow_together;
    }
}

type Fixture<'a> = &'a dyn AuditFixture;

async fn try_append(fixture: Fixture<'_>, entries: &[Entry]) -> Result<(), StoreError> {
    let unit = fixture.begin().await?;
    unit.audit().append(entries).await?;
    unit.commit().await
}

async fn append(fixture: Fixture<'_>, entries: &[Entry]) {
    try_append(fixture, entries).await.expect("committed");
}

/// Entries of one company, each a second after the one before it.
fn entries(account: AccountId, numbers: std::ops::Range<u32>) -> Vec<Entry> {
    numbers.map(|number| entry(account, number)).collect()
}

/// Every record of a company, in the order of the chain.
async fn records(fixture: Fixture<'_>, account: AccountId) -> Vec<Record> {
    let rows = fixture.reader().records(account, 0, 1_000).await.expect("read");
    rows.into_iter().map(|row| row.expect("as it was written")).collect()
}

async fn recorded(fixture: Fixture<'_>, account: AccountId) -> Vec<Entry> {
    records(fixture, account).await.into_iter().map(|record| record.entry).collect()
}

/// Verifies a company's whole chain up to the head that the store remembers, and tells its length.
async fn verified(fixture: Fixture<'_>, account: AccountId) -> u64 {
    let keys = fixture.keys();
    let verifier = Verifier { reader: fixture.reader(), keys: &keys, expected: &[] };
    let finding = verifier.verify(account, |_| {}).await.expect("read");
    assert_eq!(finding.fault, None);
    finding.last.map_or(0, |last| last.number)
}
