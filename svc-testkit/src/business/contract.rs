//! What every business storage must do, as cases that its tests run.
//!
//! The cases ask for no more than the ports promise, so one suite serves every storage. Each case gets a
//! storage of its own, empty:
//!
//! ```ignore
//! async fn empty() -> Arc<dyn BusinessStorage> {
//!     Arc::new(MyStorage::new().await)
//! }
//!
//! svc_testkit::business_storage_contract!(empty);
//! ```

mod accounts;
mod assets;
mod bank;
mod bookings;
mod books;
mod cases;
mod contacts;
mod daily;
mod data_room_grants;
mod data_rooms;
mod due;
mod envelopes;
mod files;
mod folders;
mod groups;
mod jobs;
mod lists;
mod mails;
mod movements;
mod notices;
mod people;
mod purchases;
mod reports;
mod sales;
mod several;
mod shop;
mod signing;
mod statements;
mod sums;
mod taxes;
mod totals;
mod units;

use std::sync::Arc;

use async_trait::async_trait;
use svc_business::account::Account;
use svc_business::contact::Contact;
use svc_business::group::Group;
use svc_business::ports::BusinessStorage;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::page::{PageRequest, PageRules};
use svc_core::resource::Resource;

use crate::business::sample::{bare_account, everything};
use crate::contract::contract;

/// The storage under test.
pub type Storage = Arc<dyn BusinessStorage>;

/// Reads what the storage under test has published.
#[async_trait]
pub trait PublishedEvents: Send + Sync {
    /// The bodies of all committed events, oldest first.
    async fn bodies(&self) -> Vec<Vec<u8>>;
}

contract! {
    $
    /// Runs the contract of `BusinessStorage`, each case as a test of its own.
    ///
    /// `$make` names an async function that gives an empty `Arc<dyn BusinessStorage>`, or an `Option`
    /// of one: `None` (the engine is not on this machine) ends the case.
    /// The crate that runs it needs tokio with `macros` and `rt`.
    business_storage_contract by contract_tests_by_value at business::storage_cases {
        contacts:
            a_contact_comes_back_whole,
            contacts_are_found_together,
            a_replaced_contact_comes_back_whole,
            a_contact_out_of_scope_is_absent,
            a_contact_changes_only_at_its_version,
            an_external_id_is_taken_once_per_company,
            a_tax_id_is_found_among_active_contacts_of_its_company,
            contacts_are_found_by_their_bank_account,
            contacts_that_are_alike_are_found,
            a_tax_id_is_had_alone_once,
            nothing_is_added_to_a_closed_company,
            references_follow_a_merge,
            records_move_together_or_not_at_all;
        several:
            lists_of_several_companies_are_one_list,
            lists_of_many_companies_are_one_list;
        lists:
            every_filter_narrows_a_list_of_contacts,
            contacts_are_listed_in_the_order_asked_for,
            joined_pages_are_the_whole_list,
            wildcards_in_a_search_are_literal,
            a_search_ignores_case_and_accents_in_every_alphabet,
            a_search_finds_parts_of_words,
            a_search_follows_changes,
            totals_follow_changes,
            lists_by_tag_follow_changes,
            changes_are_counted_from_either_end,
            a_search_reads_names_and_mail_addresses_only;
        accounts:
            a_company_comes_back_whole,
            a_replaced_company_comes_back_whole,
            a_company_out_of_scope_is_absent,
            a_company_changes_only_at_its_version,
            companies_may_share_an_external_id,
            every_filter_narrows_a_list_of_companies,
            companies_are_listed_in_the_order_asked_for,
            companies_with_the_same_tax_id_are_found,
            active_subsidiaries_are_counted;
        groups:
            a_group_comes_back_with_its_members,
            a_removed_group_lets_its_members_go,
            a_group_is_listed_through_any_of_its_members,
            members_out_of_scope_are_left_out,
            groups_are_listed_oldest_first;
        people:
            a_user_is_found_by_id_and_by_mail_address,
            a_mail_address_is_taken_once,
            a_membership_comes_back_whole,
            a_change_without_its_audit_entry_does_not_commit,
            members_are_listed_with_their_person,
            a_member_is_found_in_its_company,
            active_holders_are_counted,
            invitations_are_listed_with_company_and_inviter,
            open_invitations_are_counted,
            people_invited_in_vain_are_counted,
            a_link_leads_to_its_invitation_until_it_is_forgotten,
            an_invitation_is_found_by_its_own_person;
        cases:
            a_case_comes_back_whole,
            a_case_changes_in_scope_and_at_its_version,
            an_external_id_of_a_case_is_taken_once,
            every_filter_and_order_of_cases_holds,
            cases_are_numbered_by_company_and_year,
            a_timeline_is_read_in_pages,
            cases_are_linked_with_records_of_their_company,
            cases_follow_their_contacts_and_their_company;
        notices:
            a_notice_comes_back_whole,
            a_notice_of_a_source_is_there_once,
            every_filter_and_order_of_notices_holds,
            expiring_notices_come_in_order,
            notices_follow_their_company;
        taxes:
            a_tax_profile_comes_back_whole,
            a_tax_return_comes_back_whole,
            every_filter_and_order_of_returns_holds,
            what_is_left_of_a_return_is_found,
            rows_of_a_return_come_back_whole;
        files:
            a_file_comes_back_whole,
            every_filter_and_order_of_files_holds,
            contents_are_named_until_they_are_purged,
            contents_that_no_file_names_are_collected,
            files_follow_contacts_and_their_company;
        data_room_grants:
            a_grant_of_a_guest_comes_back_whole,
            a_link_leads_to_its_grant_and_open_ones_are_counted,
            views_name_their_guests;
        data_rooms:
            a_data_room_entry_comes_back_whole,
            every_filter_and_order_of_a_data_room_holds,
            places_of_a_section_are_given_once,
            views_are_counted_and_the_latest_are_kept,
            a_data_room_holds_its_files_and_follows_its_company;
        folders:
            a_folder_comes_back_whole,
            a_name_of_a_folder_is_taken_once_in_its_place,
            every_filter_and_order_of_folders_holds,
            levels_below_a_folder_are_counted,
            folders_follow_their_company;
        envelopes:
            an_envelope_comes_back_whole,
            a_draft_of_an_envelope_is_erased,
            a_trail_is_chained_and_a_link_leads_to_its_envelope,
            every_filter_and_order_of_envelopes_holds,
            what_is_due_of_envelopes_comes_in_order,
            a_file_is_signed_in_open_and_completed_envelopes,
            envelopes_follow_their_contacts;
        books:
            books_come_back_whole,
            every_filter_and_order_of_a_ledger_holds,
            an_entry_comes_back_whole,
            every_filter_and_order_of_a_journal_holds,
            numbers_are_given_once,
            lines_follow_their_contacts;
        sums:
            sums_are_those_of_the_lines;
        assets:
            an_asset_comes_back_whole,
            every_filter_and_order_of_assets_holds,
            what_is_due_comes_in_its_order;
        bank:
            a_bank_account_comes_back_whole,
            every_filter_and_order_of_bank_accounts_holds,
            bank_accounts_follow_their_company;
        bookings:
            what_texts_are_booked_on_is_learned,
            pending_movements_of_an_import_come_in_parts;
        movements:
            an_import_and_its_movements_come_back_whole,
            what_a_movement_stands_for_comes_back,
            a_place_is_taken_once,
            every_filter_and_order_of_movements_holds,
            movements_follow_their_company;
        statements:
            every_filter_and_order_of_imports_holds,
            what_statements_ended_with_is_found,
            a_file_is_kept_until_it_is_dropped;
        reports:
            ledger_lines_are_those_of_the_days,
            entries_of_days_are_read_in_parts,
            what_is_open_is_kept_by_contact,
            what_is_due_is_summed_by_days,
            tags_come_with_their_entries;
        totals:
            entries_beyond_what_is_counted_are_refused,
            sums_beyond_what_is_counted_are_refused;
        sales:
            a_sales_document_comes_back_whole,
            a_draft_is_erased_with_its_history,
            every_filter_narrows_a_list_of_sales_documents,
            numbers_are_given_once_and_records_are_chained;
        purchases:
            a_supplier_comes_back_whole,
            a_supplier_document_comes_back_whole,
            every_filter_narrows_a_list_of_supplier_documents,
            a_lead_finds_what_is_due_first,
            what_waits_is_counted_by_the_day_of_its_booking,
            documents_are_registered_once;
        jobs:
            a_job_is_one_workers_at_a_time,
            a_job_may_be_of_no_company,
            jobs_tell_how_they_ran;
        mails:
            a_mail_is_settled_with_its_job;
        daily:
            a_day_lets_notices_expire,
            a_day_makes_the_returns_that_are_owed,
            a_day_follows_the_end_of_the_year,
            a_day_lets_envelopes_expire,
            a_day_does_what_is_due_once;
        units:
            a_dropped_unit_leaves_nothing,
            a_change_is_seen_with_its_commit;
    }
}

contract! {
    $
    /// Runs the contract of a business storage's outbox.
    ///
    /// `$make` names an async function that gives an empty
    /// `(Arc<dyn BusinessStorage>, Arc<dyn PublishedEvents>)`, or an `Option` of it as above.
    business_outbox_contract by contract_tests_by_value at business::outbox_cases {
        units:
            events_are_published_with_the_commit;
        signing:
            an_envelope_is_signed_by_all,
            of_two_ends_one_wins,
            places_and_envelopes_are_given_away;
    }
}

/// One change in a unit of its own, committed when it passed.
macro_rules! attempt {
    ($storage:expr, |$unit:ident| $change:expr) => {{
        let $unit = $storage.begin().await.expect("begin");
        match $change.await {
            Ok(value) => $unit.commit().await.map(|()| value),
            Err(error) => Err(error),
        }
    }};
}
use attempt;

/// Companies with the ids 1, 2, … in the storage.
async fn put_accounts<const N: usize>(storage: &Storage) -> [AccountId; N] {
    let accounts =
        std::array::from_fn::<_, N, _>(|at| bare_account(u128::try_from(at).expect("a small number") + 1));
    insert_accounts(storage, &accounts).await;
    accounts.map(|account| account.id)
}

async fn insert_accounts(storage: &Storage, accounts: &[Account]) {
    let unit = storage.begin().await.expect("begin");
    for account in accounts {
        unit.accounts().insert(&everything(), account).await.expect("insert a company");
    }
    unit.commit().await.expect("commit");
}

async fn put_contacts(storage: &Storage, contacts: &[Contact]) {
    let unit = storage.begin().await.expect("begin");
    for contact in contacts {
        unit.contacts().insert(&everything(), contact).await.expect("insert a contact");
    }
    unit.commit().await.expect("commit");
}

async fn insert_group(storage: &Storage, group: &Group) {
    let unit = storage.begin().await.expect("begin");
    unit.groups().insert(&everything(), group).await.expect("insert a group");
    unit.commit().await.expect("commit");
}

/// A page that holds everything a case puts in.
fn whole() -> PageRequest {
    PageRules::USUAL.page(None, Some(PageRules::USUAL.max)).expect("the first page always exists")
}

fn ids<'a, R: Resource>(records: impl IntoIterator<Item = &'a R>) -> Vec<R::Id> {
    records.into_iter().map(Resource::id).collect()
}

#[track_caller]
fn assert_conflict<T: std::fmt::Debug>(outcome: &Result<T, StoreError>) {
    assert!(matches!(outcome, Err(StoreError::Conflict)), "expected a conflict, not {outcome:?}");
}

#[track_caller]
fn assert_taken<T: std::fmt::Debug>(outcome: &Result<T, StoreError>, member: &str) {
    let taken = matches!(outcome, Err(StoreError::Taken { field }) if *field == member);
    assert!(taken, "expected that {member} is taken, not {outcome:?}");
}
