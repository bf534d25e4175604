//! The contract of svc-auth's storage port: the same cases for every adapter.
//!
//! An adapter's test writes
//! `svc_testkit::auth_storage_contract!(sqlite, sqlite_fixture);` with an
//! async function that gives a fresh and empty `Option<impl AuthFixture>`;
//! `None` skips the case, for an engine that is not on the machine (the
//! function then says so, or fails where that must not be).
//!
//! An adapter that leaves optional parts of the port out names those that it has,
//! `svc_testkit::auth_storage_contract!(file, file_fixture, with: [versions]);`, and gives a
//! [`TokenFixture`]. The cases of a part are tests where it is named, and do not compile over a fixture
//! without the means to fill it.
//!
//! | part | of storages that |
//! |---|---|
//! | always | keep tokens |
//! | `versions` | count changes: [`TokenReader::authority_version`] is implemented |
//! | `audit` | keep an audit log, without which no change commits |
//! | `directory` | keep people, companies and groups: an [`AuthFixture`] |
//! | `directory_versions` | have both, `versions` and `directory` |

mod changes;
mod standings;
mod tokens;
mod units;
mod uses;
mod versions;

use async_trait::async_trait;
use svc_auth::ip::AllowedIps;
use svc_auth::ports::{AuthStorage, TokenReader, Use};
use svc_auth::token::Token;
use svc_core::audit::AuditReader;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::page::PageRules;
use svc_core::permission::Grants;
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;

use crate::audit::noted;
use crate::auth::token;
use crate::business::sample::{everything, id};
use crate::contract::contract;

/// Fills the tables that the auth port only reads. Every call is committed
/// when it returns, and goes through the adapter's own stores, so that the
/// authority version moves as it does in earnest; rules of use cases (the last
/// holder stays) do not apply.
#[async_trait]
pub trait AuthSeed: Send + Sync {
    /// Adds an active person.
    async fn add_user(&self, id: UserId);
    /// Disables a person.
    async fn disable_user(&self, id: UserId);
    /// Adds a group without companies; the one at its top is none that a case knows.
    async fn add_group(&self, id: GroupId);
    /// Adds an active company with API access, in the group if one is given.
    async fn add_company(&self, id: AccountId, legal_name: &str, group: Option<GroupId>);
    /// Makes a company of the group its parent company.
    async fn set_parent(&self, group: GroupId, company: AccountId);
    /// Makes a person an active member, or changes the role of a membership.
    async fn set_role(&self, person: UserId, company: AccountId, role: Role);
    /// Invites a person without a membership, or with an ended one; the person does not answer.
    async fn invite(&self, person: UserId, company: AccountId, role: Role);
    /// Ends a membership, or an invitation.
    async fn end_membership(&self, person: UserId, company: AccountId);
    /// Merges `absorbed` into `survivor`.
    async fn merge(&self, survivor: AccountId, absorbed: AccountId);
    /// Switches a company's API access.
    async fn set_api_access(&self, company: AccountId, on: bool);
}

/// A fresh storage with the means to fill it.
pub trait AuthFixture: AuthSeed {
    /// The storage.
    fn storage(&self) -> &dyn AuthStorage;

    /// The audit log that its units write to, if it can be read.
    fn log(&self) -> Option<&dyn AuditReader> {
        None
    }
}

/// A fresh storage of tokens. What they name must exist only where the storage looks.
#[async_trait]
pub trait TokenFixture: Send + Sync {
    /// The storage.
    fn storage(&self) -> &dyn AuthStorage;
    /// Lets tokens of this person in.
    async fn know_person(&self, _: UserId) {}
    /// Lets tokens that name this company in.
    async fn know_company(&self, _: AccountId) {}
    /// Lets tokens that name this group in.
    async fn know_group(&self, _: GroupId) {}
}

#[async_trait]
impl<F: AuthFixture> TokenFixture for F {
    fn storage(&self) -> &dyn AuthStorage {
        AuthFixture::storage(self)
    }

    async fn know_person(&self, id: UserId) {
        self.add_user(id).await;
    }

    async fn know_company(&self, id: AccountId) {
        self.add_company(id, "Acme", None).await;
    }

    async fn know_group(&self, id: GroupId) {
        self.add_group(id).await;
    }
}

/// Runs the contract of svc-auth's storage port as tests in the module `$name`,
/// each on a storage of its own; see [`contract`](crate::auth::contract).
///
/// The crate that uses it has `tokio` with `macros` and `rt` among its dev-dependencies.
#[macro_export]
macro_rules! auth_storage_contract {
    ($name:ident, $fixture:ident) => {
        $crate::auth_storage_contract! {
            $name, $fixture, with: [versions, audit, directory, directory_versions]
        }
    };
    ($name:ident, $fixture:ident, with: [$($part:ident),*]) => {
        mod $name {
            use super::$fixture;

            $crate::auth_token_cases! { tokens, $fixture }
            $($crate::auth_storage_part! { $part, $fixture })*
        }
    };
}

/// The part of the contract with this name, as a module of tests.
#[doc(hidden)]
#[macro_export]
macro_rules! auth_storage_part {
    (versions, $fixture:ident) => {
        $crate::auth_version_cases! { versions, $fixture }
    };
    (audit, $fixture:ident) => {
        $crate::auth_audit_cases! { audit, $fixture }
    };
    (directory, $fixture:ident) => {
        $crate::auth_directory_cases! { directory, $fixture }
    };
    (directory_versions, $fixture:ident) => {
        $crate::auth_directory_version_cases! { directory_versions, $fixture }
    };
}

contract! {
    $
    /// What every storage of tokens does.
    #[doc(hidden)]
    auth_token_cases by contract_tests_in_module at auth::token_cases {
        tokens:
            a_token_is_found_as_it_was_inserted,
            a_connection_is_found_with_its_client_and_role,
            connections_of_a_person_come_youngest_first,
            an_unknown_token_is_absent,
            a_fingerprint_is_found_among_candidates,
            a_fingerprint_is_unique,
            tokens_are_listed_by_primary_account_oldest_first;
        changes:
            a_replaced_token_is_found_as_it_became,
            a_stale_replace_is_a_conflict,
            the_later_of_two_units_on_one_token_conflicts;
        uses:
            a_use_is_kept_and_never_goes_back,
            a_use_is_no_change_and_no_change_takes_a_use_back;
        units:
            a_dropped_unit_leaves_nothing_behind,
            a_unit_reads_what_it_wrote;
    }
}

contract! {
    $
    /// Of storages that count changes.
    #[doc(hidden)]
    auth_version_cases by contract_tests_in_module at auth::version_cases {
        versions: the_authority_version_moves_with_every_token_change;
    }
}

contract! {
    $
    /// Of storages that keep an audit log.
    #[doc(hidden)]
    auth_audit_cases by contract_tests_in_module at auth::audit_cases {
        units: a_change_without_its_audit_entry_does_not_commit;
    }
}

contract! {
    $
    /// Of storages that keep people, companies and groups.
    #[doc(hidden)]
    auth_directory_cases by contract_tests_in_module at auth::directory_cases {
        standings:
            standings_tell_what_a_person_is_in_each_company,
            a_unit_reads_what_a_person_is_in_a_company,
            an_invitation_makes_no_member_and_takes_nothing_away,
            standings_include_companies_that_joined_a_group_later,
            standings_tell_which_company_is_the_parent_of_its_group;
    }
}

contract! {
    $
    /// Of storages that keep people, companies and groups, and count their changes.
    #[doc(hidden)]
    auth_directory_version_cases by contract_tests_in_module at auth::directory_version_cases {
        versions: the_authority_version_moves_with_companies_and_memberships;
    }
}

/// The person, company and second company that every case starts from.
struct TestApp {
    ada: UserId,
    acme: AccountId,
    beta: AccountId,
}

impl TestApp {
    fn new() -> Self {
        Self { ada: id(1), acme: id(11), beta: id(12) }
    }
}

/// As far as tokens name it.
async fn known(fixture: &impl TokenFixture) -> TestApp {
    let world = TestApp::new();
    fixture.know_person(world.ada).await;
    fixture.know_company(world.acme).await;
    fixture.know_company(world.beta).await;
    world
}

/// With what the person is in the company.
async fn world(seed: &dyn AuthSeed) -> TestApp {
    let world = TestApp::new();
    seed.add_user(world.ada).await;
    seed.add_company(world.acme, "Acme", None).await;
    seed.add_company(world.beta, "Beta", None).await;
    seed.set_role(world.ada, world.acme, Role::Holder).await;
    world
}

async fn insert(storage: &dyn AuthStorage, token: &Token) {
    let unit = storage.begin().await.expect("a unit");
    unit.tokens().insert(token).await.expect("inserted");
    noted(&*unit, token.primary).await.expect("noted");
    unit.commit().await.expect("committed");
}

async fn replace(storage: &dyn AuthStorage, before: Version, after: &Token) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    unit.tokens().replace(before, after).await?;
    noted(&*unit, after.primary).await?;
    unit.commit().await
}

async fn touch(storage: &dyn AuthStorage, uses: &[Use]) {
    let unit = storage.begin().await.expect("a unit");
    unit.tokens().touch(uses).await.expect("touched");
    unit.commit().await.expect("committed");
}

async fn find(storage: &dyn AuthStorage, id: TokenId) -> Token {
    storage.tokens().find(id).await.expect("read").expect("it was inserted")
}

async fn version(storage: &dyn AuthStorage) -> Option<i64> {
    storage.tokens().authority_version().await.expect("read")
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_unix_seconds(second)
}

/// A token with something in every member, apart from companies and groups that must exist.
fn rich(world: &TestApp) -> Token {
    Token {
        grants: Grants::parse(["contacts:contacts.read", "sales:*.*"]).expect("valid"),
        allowed_ips: AllowedIps::parse(["203.0.113.7", "198.51.100.0/24", "2001:db8::/32"]).expect("valid"),
        personal_data: true,
        companies: [world.beta].into(),
        expires_at: Some(Timestamp::from_unix_micros(4_102_444_800_123_456)),
        created_at: Timestamp::from_unix_micros(1_738_314_900_123_457),
        ..token(1, world.ada, world.acme)
    }
}

/// The tokens of a scope, on one page.
async fn of(tokens: &dyn TokenReader, scope: &Scope) -> Vec<Token> {
    let page = PageRules::USUAL.page(None, None).expect("the first page");
    tokens.page(scope, page).await.expect("read").items
}

async fn every(fixture: &impl TokenFixture) -> Vec<Token> {
    of(fixture.storage().tokens(), &everything()).await
}
