//! The contract of svc-auth's storage port: the same cases for every adapter.
//!
//! An adapter's test writes
//! `svc_testkit::auth_storage_contract!(sqlite, sqlite_fixture);` with an
//! async function that gives a fresh and empty `Option<impl AuthFixture>`;
//! `None` skips the case, for an engine that is not on the machine (the
//! function then says so, or fails where that must not be).

use std::collections::BTreeSet;

use async_trait::async_trait;
use svc_auth::ip::AllowedIps;
use svc_auth::ports::{AuthStorage, CompanyStanding, Standing, Use};
use svc_auth::token::{Fingerprint, Lifecycle, Token};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, TypedId, UserId};
use svc_core::permission::Grants;
use svc_core::role::Role;
use uuid::Uuid;

use crate::auth::token;

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
    /// Adds a group without companies.
    async fn add_group(&self, id: GroupId);
    /// Adds an active company with API access, in the group if one is given.
    async fn add_company(&self, id: AccountId, legal_name: &str, group: Option<GroupId>);
    /// Makes a person an active member, or changes the role of a membership.
    async fn set_role(&self, person: UserId, company: AccountId, role: Role);
    /// Ends a membership.
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
}

/// Runs the contract of svc-auth's storage port as tests in the module `$name`,
/// each on a storage of its own; see [`contract`](crate::auth::contract).
///
/// The crate that uses it has `tokio` with `macros` and `rt` among its dev-dependencies.
#[macro_export]
macro_rules! auth_storage_contract {
    ($name:ident, $fixture:ident) => {
        mod $name {
            $crate::auth_storage_contract! { @cases $fixture;
                a_token_is_found_as_it_was_inserted
                an_unknown_token_is_absent
                a_fingerprint_is_found_among_candidates
                a_fingerprint_is_unique
                a_replaced_token_is_found_as_it_became
                a_stale_replace_is_a_conflict
                the_later_of_two_units_on_one_token_conflicts
                tokens_are_listed_by_primary_account_oldest_first
                a_use_is_kept_and_never_goes_back
                a_use_is_no_change_and_no_change_takes_a_use_back
                the_authority_version_moves_with_every_token_change
                the_authority_version_moves_with_companies_and_memberships
                a_dropped_unit_leaves_nothing_behind
                a_unit_reads_what_it_wrote
                standings_tell_what_a_person_is_in_each_company
                standings_include_companies_that_joined_a_group_later
            }
        }
    };
    (@cases $fixture:ident; $($case:ident)*) => {$(
        #[tokio::test]
        async fn $case() {
            if let Some(fixture) = super::$fixture().await {
                $crate::auth::contract::$case(&fixture).await;
            }
        }
    )*};
}

fn id<T: TypedId>(number: u128) -> T {
    T::from_uuid(Uuid::from_u128(number))
}

/// The person, company and second company that every case starts from.
struct World {
    ada: UserId,
    acme: AccountId,
    beta: AccountId,
}

async fn world(seed: &dyn AuthSeed) -> World {
    let world = World { ada: id(1), acme: id(11), beta: id(12) };
    seed.add_user(world.ada).await;
    seed.add_company(world.acme, "Acme", None).await;
    seed.add_company(world.beta, "Beta", None).await;
    seed.set_role(world.ada, world.acme, Role::Holder).await;
    world
}

async fn insert(storage: &dyn AuthStorage, token: &Token) {
    let unit = storage.begin().await.expect("a unit");
    unit.tokens().insert(token).await.expect("inserted");
    unit.commit().await.expect("committed");
}

async fn find(storage: &dyn AuthStorage, id: TokenId) -> Token {
    storage.tokens().find(id).await.expect("read").expect("it was inserted")
}

async fn version(storage: &dyn AuthStorage) -> i64 {
    storage.tokens().authority_version().await.expect("read")
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_unix_seconds(second)
}

/// A token with something in every member, apart from companies and groups that must exist.
fn rich(world: &World) -> Token {
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

/// Every member survives the store.
pub async fn a_token_is_found_as_it_was_inserted(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let group = id(21);
    fixture.add_group(group).await;
    let token = Token { groups: [group].into(), ..rich(&world) };
    insert(fixture.storage(), &token).await;
    assert_eq!(find(fixture.storage(), token.id).await, token);
}

/// Absent is `None`, not an error.
pub async fn an_unknown_token_is_absent(fixture: &impl AuthFixture) {
    let tokens = fixture.storage().tokens();
    assert_eq!(tokens.find(id(404)).await.expect("read"), None);
    let unknown = Fingerprint { pepper: 1, digest: [4; 32] };
    assert_eq!(tokens.find_by_fingerprint(&[unknown]).await.expect("read"), None);
    assert_eq!(tokens.find_by_fingerprint(&[]).await.expect("read"), None);
}

/// Any of the candidates is enough, and the pepper counts as much as the digest.
pub async fn a_fingerprint_is_found_among_candidates(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let [first, second] = [1, 2].map(|number| token(number, world.ada, world.acme));
    insert(fixture.storage(), &first).await;
    insert(fixture.storage(), &second).await;
    let tokens = fixture.storage().tokens();
    let candidates = [Fingerprint { pepper: 7, digest: [9; 32] }, second.fingerprint];
    assert_eq!(tokens.find_by_fingerprint(&candidates).await.expect("read"), Some(second.clone()));
    let other_pepper = Fingerprint { pepper: 7, ..second.fingerprint };
    assert_eq!(tokens.find_by_fingerprint(&[other_pepper]).await.expect("read"), None);
}

/// Two tokens never share a value.
pub async fn a_fingerprint_is_unique(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let second = Token { fingerprint: first.fingerprint, ..token(2, world.ada, world.acme) };
    let unit = fixture.storage().begin().await.expect("a unit");
    let outcome = match unit.tokens().insert(&second).await {
        Ok(()) => unit.commit().await,
        Err(error) => Err(error),
    };
    assert!(matches!(outcome, Err(StoreError::Taken { field: "fingerprint" })), "{outcome:?}");
    assert_eq!(fixture.storage().tokens().list(None).await.expect("read"), [first]);
}

/// A replace stores every member that a change may touch.
pub async fn a_replaced_token_is_found_as_it_became(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let before = rich(&world);
    insert(fixture.storage(), &before).await;
    let after = Token {
        prefix: "svc_live_new".into(),
        fingerprint: Fingerprint { pepper: 2, digest: [5; 32] },
        lifecycle: Lifecycle::Revoked { at: Timestamp::from_unix_micros(1_738_400_000_000_001) },
        version: before.version.next(),
        ..before.clone()
    };
    let unit = fixture.storage().begin().await.expect("a unit");
    unit.tokens().replace(before.version, &after).await.expect("replaced");
    unit.commit().await.expect("committed");
    assert_eq!(find(fixture.storage(), after.id).await, after);
    let old = fixture.storage().tokens().find_by_fingerprint(&[before.fingerprint]).await;
    assert_eq!(old.expect("read"), None);
}

/// Also when the token does not exist.
pub async fn a_stale_replace_is_a_conflict(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let second = Token { version: first.version.next(), ..first.clone() };
    for (before, after) in
        [(second.version, second.clone()), (first.version, token(2, world.ada, world.acme))]
    {
        let unit = fixture.storage().begin().await.expect("a unit");
        let outcome = unit.tokens().replace(before, &after).await;
        assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
    }
    assert_eq!(find(fixture.storage(), first.id).await, first);
}

/// The one that lost leaves nothing behind.
pub async fn the_later_of_two_units_on_one_token_conflicts(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let off = first.clone().disable(at(2)).expect("active");
    let gone = first.clone().revoke(at(2)).expect("active");
    // Read by both before either writes.
    for (after, wins) in [(&off, true), (&gone, false)] {
        let unit = fixture.storage().begin().await.expect("a unit");
        match unit.tokens().replace(first.version, after).await {
            Ok(()) => unit.commit().await.expect("committed"),
            Err(StoreError::Conflict) => assert!(!wins),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(find(fixture.storage(), first.id).await, off);
}

/// `None` lists every token.
pub async fn tokens_are_listed_by_primary_account_oldest_first(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let [late, early] = [3, 1].map(|number| token(number, world.ada, world.acme));
    let other = Token { companies: [world.acme].into(), ..token(2, world.ada, world.beta) };
    for token in [&late, &early, &other] {
        insert(fixture.storage(), token).await;
    }
    let tokens = fixture.storage().tokens();
    assert_eq!(tokens.list(Some(world.acme)).await.expect("read"), [early.clone(), late.clone()]);
    assert_eq!(tokens.list(Some(id(404))).await.expect("read"), []);
    assert_eq!(tokens.list(None).await.expect("read"), [early, other, late]);
}

/// In whatever order batches arrive; unknown tokens are passed over.
pub async fn a_use_is_kept_and_never_goes_back(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let token = token(1, world.ada, world.acme);
    insert(fixture.storage(), &token).await;
    let from = "2001:db8::7".parse().ok();
    for (second, from) in [(100, from), (50, None)] {
        let unit = fixture.storage().begin().await.expect("a unit");
        let uses = [id(404), token.id].map(|token| Use { token, at: at(second), from });
        unit.tokens().touch(&uses).await.expect("touched");
        unit.commit().await.expect("committed");
    }
    let stored = find(fixture.storage(), token.id).await;
    assert_eq!((stored.last_used_at, stored.last_used_from), (Some(at(100)), from));
}

/// Versions stay, and a replace of a token read before the use keeps the use.
pub async fn a_use_is_no_change_and_no_change_takes_a_use_back(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let token = token(1, world.ada, world.acme);
    insert(fixture.storage(), &token).await;
    let before = version(fixture.storage()).await;
    let unit = fixture.storage().begin().await.expect("a unit");
    unit.tokens().touch(&[Use { token: token.id, at: at(9), from: None }]).await.expect("touched");
    unit.commit().await.expect("committed");
    assert_eq!(version(fixture.storage()).await, before);

    let off = token.clone().disable(at(10)).expect("active");
    let unit = fixture.storage().begin().await.expect("a unit");
    unit.tokens().replace(token.version, &off).await.expect("the use moved no version");
    unit.commit().await.expect("committed");
    assert_eq!(find(fixture.storage(), token.id).await, Token { last_used_at: Some(at(9)), ..off });
}

/// Insert and replace move it; reading does not.
pub async fn the_authority_version_moves_with_every_token_change(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let token = token(1, world.ada, world.acme);
    let at_first = version(fixture.storage()).await;
    assert_eq!(version(fixture.storage()).await, at_first);
    insert(fixture.storage(), &token).await;
    let inserted = version(fixture.storage()).await;
    assert_ne!(inserted, at_first);
    let unit = fixture.storage().begin().await.expect("a unit");
    let off = token.clone().disable(at(2)).expect("active");
    unit.tokens().replace(token.version, &off).await.expect("replaced");
    unit.commit().await.expect("committed");
    assert_ne!(version(fixture.storage()).await, inserted);
}

/// Whatever may give or take a right.
pub async fn the_authority_version_moves_with_companies_and_memberships(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let group = id(21);
    fixture.add_group(group).await;
    let mut seen = BTreeSet::from([version(fixture.storage()).await]);
    fixture.add_company(id(13), "Gamma", Some(group)).await;
    seen.insert(version(fixture.storage()).await);
    fixture.set_role(world.ada, world.acme, Role::Auditor).await;
    seen.insert(version(fixture.storage()).await);
    fixture.end_membership(world.ada, world.acme).await;
    seen.insert(version(fixture.storage()).await);
    fixture.merge(world.acme, world.beta).await;
    seen.insert(version(fixture.storage()).await);
    fixture.disable_user(world.ada).await;
    seen.insert(version(fixture.storage()).await);
    assert_eq!(seen.len(), 6, "{seen:?}");
}

/// Dropping is rolling back.
pub async fn a_dropped_unit_leaves_nothing_behind(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let first = token(1, world.ada, world.acme);
    insert(fixture.storage(), &first).await;
    let before = version(fixture.storage()).await;
    let unit = fixture.storage().begin().await.expect("a unit");
    unit.tokens().insert(&token(2, world.ada, world.acme)).await.expect("inserted");
    let off = first.clone().disable(at(2)).expect("active");
    unit.tokens().replace(first.version, &off).await.expect("replaced");
    unit.tokens().touch(&[Use { token: first.id, at: at(3), from: None }]).await.expect("touched");
    drop(unit);
    assert_eq!(fixture.storage().tokens().list(None).await.expect("read"), [first]);
    assert_eq!(version(fixture.storage()).await, before);
}

/// And nobody else does before it commits.
pub async fn a_unit_reads_what_it_wrote(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let token = token(1, world.ada, world.acme);
    let unit = fixture.storage().begin().await.expect("a unit");
    unit.tokens().insert(&token).await.expect("inserted");
    assert_eq!(unit.tokens().find(token.id).await.expect("read"), Some(token.clone()));
    let standings = unit.directory().standings(world.ada, &[world.acme].into(), &BTreeSet::new()).await;
    assert_eq!(standings.expect("read").len(), 1);
    assert_eq!(fixture.storage().tokens().find(token.id).await.expect("read"), None);
    unit.commit().await.expect("committed");
    assert_eq!(find(fixture.storage(), token.id).await, token);
}

async fn standings(
    fixture: &impl AuthFixture,
    person: UserId,
    companies: &[AccountId],
    groups: &[GroupId],
) -> Vec<CompanyStanding> {
    let (companies, groups) = (companies.iter().copied().collect(), groups.iter().copied().collect());
    let directory = fixture.storage().directory();
    let mut standings = directory.standings(person, &companies, &groups).await.expect("read");
    standings.sort_by_key(|company| company.id);
    standings
}

/// Stranger, member, former; merged; API access; disabled people; unknown ids left out.
pub async fn standings_tell_what_a_person_is_in_each_company(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let (bob, gamma) = (id(2), id(13));
    fixture.add_user(bob).await;
    fixture.add_company(gamma, "Gamma", None).await;
    fixture.set_role(world.ada, gamma, Role::Accountant).await;
    fixture.end_membership(world.ada, gamma).await;
    fixture.set_api_access(world.beta, false).await;
    let named = [world.acme, world.beta, gamma, id(404)];
    let company = |id, name: &str, api_access, membership| CompanyStanding {
        id,
        legal_name: name.into(),
        group: None,
        merged: false,
        api_access,
        membership,
    };
    let expected = [
        company(world.acme, "Acme", true, Standing::Member(Role::Holder)),
        company(world.beta, "Beta", false, Standing::Stranger),
        company(gamma, "Gamma", true, Standing::Former),
    ];
    assert_eq!(standings(fixture, world.ada, &named, &[id(404)]).await, expected);
    let of_bob = standings(fixture, bob, &[world.acme], &[]).await;
    assert_eq!(of_bob, [company(world.acme, "Acme", true, Standing::Stranger)]);

    fixture.set_role(world.ada, world.acme, Role::Auditor).await;
    fixture.merge(world.acme, gamma).await;
    let later = standings(fixture, world.ada, &[world.acme, gamma], &[]).await;
    let memberships: Vec<_> = later.iter().map(|company| (company.membership, company.merged)).collect();
    assert_eq!(memberships.first(), Some(&(Standing::Member(Role::Auditor), false)));
    assert_eq!(later.get(1).map(|company| company.merged), Some(true));

    fixture.disable_user(world.ada).await;
    let disabled = standings(fixture, world.ada, &[world.acme, world.beta], &[]).await;
    assert!(disabled.iter().all(|company| company.membership == Standing::Former), "{disabled:?}");
}

/// Each company once, also when it is named and in a named group.
pub async fn standings_include_companies_that_joined_a_group_later(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let (group, other) = (id(21), id(22));
    fixture.add_group(group).await;
    fixture.add_group(other).await;
    let [gamma, delta, elsewhere] = [13, 14, 15].map(id);
    fixture.add_company(gamma, "Gamma", Some(group)).await;
    fixture.add_company(elsewhere, "Elsewhere", Some(other)).await;
    let ids = |standings: Vec<CompanyStanding>| -> Vec<_> {
        standings.iter().map(|company| (company.id, company.group)).collect()
    };
    let found = ids(standings(fixture, world.ada, &[world.acme, gamma], &[group]).await);
    assert_eq!(found, [(world.acme, None), (gamma, Some(group))]);
    fixture.add_company(delta, "Delta", Some(group)).await;
    let found = ids(standings(fixture, world.ada, &[world.acme], &[group]).await);
    assert_eq!(found, [(world.acme, None), (gamma, Some(group)), (delta, Some(group))]);
}
