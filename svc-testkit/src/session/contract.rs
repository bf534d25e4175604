//! What every storage of sessions does.

mod attempts;
mod factors;
mod guesses;
mod passwords;
mod people;
mod resets;
mod sessions;
mod units;

use async_trait::async_trait;
use svc_auth::ports::{Person, SessionStorage};
use svc_auth::session::{Device, Password, PasswordHash, Session};
use svc_auth::token::Fingerprint;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, SessionId, UserId};
use svc_core::resource::Version;

use crate::audit::noted;
use crate::auth::AuthSeed;
use crate::business::sample::{at, id};
use crate::contract::contract;

/// Fills the tables of people that the session port only reads, as [`AuthSeed`] does.
#[async_trait]
pub trait PeopleSeed: AuthSeed {
    /// Adds a person with this id, e-mail address and name, active or disabled.
    async fn add_person(&self, person: &Person);
    /// Suspends an active membership.
    async fn suspend(&self, person: UserId, company: AccountId);
}

/// A fresh storage with the means to fill it.
pub trait SessionFixture: PeopleSeed {
    /// The storage.
    fn session_storage(&self) -> &dyn SessionStorage;
}

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the contract of session storage.
    ///
    /// `make` names an `async fn()` that gives an empty storage: anything that
    /// dereferences to a [`SessionFixture`](crate::session::SessionFixture). With
    /// `try_make` it gives an `Option`, and `None` (the engine is not on this
    /// machine) ends the case: the function says so on the console.
    ///
    /// Sessions and passwords are those of people whom the case has added.
    ///
    /// ```
    /// mod memory {
    ///     async fn make() -> Box<svc_testkit::session::MemorySessions> {
    ///         Box::default()
    ///     }
    ///     svc_testkit::session_storage_contract! { make: make }
    /// }
    /// ```
    session_storage_contract by contract_tests at session::cases {
        sessions:
            a_session_is_found_as_it_was_inserted,
            a_session_is_found_among_candidates,
            a_fingerprint_belongs_to_one_session,
            an_id_belongs_to_one_session,
            a_touch_is_kept_and_never_goes_back,
            a_session_that_is_gone_stays_gone,
            sessions_of_a_person_come_youngest_first,
            a_session_ends_for_its_own_person_alone,
            all_sessions_of_a_person_end_but_one,
            idle_and_expired_sessions_are_purged;
        passwords:
            a_first_password_is_put_once,
            a_password_is_replaced_at_its_version_alone,
            of_two_passwords_at_once_one_is_kept,
            each_person_has_a_password_of_their_own,
            a_stronger_hash_is_no_change_of_a_password,
            a_password_that_a_unit_read_does_not_change_before_it_ends;
        factors:
            a_second_factor_is_put_once_and_comes_back_whole,
            a_second_factor_is_replaced_at_its_version_alone,
            a_second_factor_is_used_without_an_audit_entry_and_changed_with_one,
            a_second_factor_that_was_removed_is_gone,
            of_two_uses_of_one_code_one_counts;
        resets:
            a_link_is_found_among_candidates_and_the_next_one_takes_its_place,
            a_link_goes_with_its_person_and_dead_ones_are_purged;
        people:
            a_person_is_found_by_id_and_by_mail_address,
            a_disabled_person_is_known_and_a_member_of_nothing,
            memberships_tell_what_a_person_is_in_each_company,
            memberships_leave_out_what_is_not_active,
            memberships_come_by_legal_name_and_then_by_id;
        attempts:
            a_charge_answers_what_was_there_before,
            a_key_that_failed_long_ago_starts_again,
            failures_come_in_the_order_of_the_keys,
            a_charge_that_was_given_back_does_not_count,
            cleared_keys_start_again_and_others_do_not,
            old_failures_are_purged,
            charges_at_once_lose_no_count;
        guesses:
            guesses_from_one_network_delay_no_other_network;
        units:
            a_dropped_unit_leaves_no_session_and_no_password,
            a_unit_of_sessions_reads_what_it_wrote,
            a_password_and_the_end_of_sessions_commit_together,
            a_password_without_its_audit_entry_does_not_commit;
    }
}

type Fixture<'a> = &'a dyn SessionFixture;

/// An active person; `number` makes their id and e-mail address.
fn person(number: u128) -> Person {
    Person {
        id: id(number),
        email: format!("person{number}@correo.example"),
        name: format!("Ángela {number}"),
        active: true,
    }
}

/// Adds an active person.
async fn active_person(fixture: Fixture<'_>, number: u128) -> UserId {
    let person = person(number);
    fixture.add_person(&person).await;
    person.id
}

/// A session with something in every member; `number` makes its id and fingerprint.
fn session(number: u8, user: UserId) -> Session {
    Session {
        id: id::<SessionId>(u128::from(number)),
        user,
        fingerprint: fingerprint(number),
        created_at: at(0),
        last_used_at: at(60),
        expires_at: at(43_200),
        from: "2001:db8::7".parse().ok(),
        device: Device::named("Firefox/140"),
        awaits_code: false,
    }
}

fn fingerprint(number: u8) -> Fingerprint {
    Fingerprint { pepper: 1, digest: [number; 32] }
}

async fn insert(fixture: Fixture<'_>, sessions: &[Session]) {
    let unit = fixture.session_storage().begin().await.expect("a unit");
    for session in sessions {
        unit.sessions().insert(session).await.expect("inserted");
    }
    unit.commit().await.expect("committed");
}

async fn find(fixture: Fixture<'_>, session: &Session) -> Option<Session> {
    fixture.session_storage().sessions().find_by_fingerprint(&[session.fingerprint]).await.expect("read")
}

/// Which of these sessions are stored.
async fn stored(fixture: Fixture<'_>, sessions: &[Session]) -> Vec<SessionId> {
    let mut found = Vec::new();
    for session in sessions {
        found.extend(find(fixture, session).await.map(|session| session.id));
    }
    found
}

/// A person's password; `number` makes its hash, its instant and its version.
fn password(user: UserId, number: i64) -> Password {
    Password {
        user,
        hash: PasswordHash::from_stored(format!("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA${number}")),
        set_at: at(number),
        version: Version::from_i64(number),
    }
}

async fn put(fixture: Fixture<'_>, before: Option<Version>, after: &Password) -> Result<(), StoreError> {
    let unit = fixture.session_storage().begin().await?;
    unit.passwords().put(before, after).await?;
    noted(&*unit, id(11)).await?;
    unit.commit().await
}

async fn password_of(fixture: Fixture<'_>, user: UserId) -> Option<Password> {
    fixture.session_storage().passwords().find(user).await.expect("read")
}

fn second(number: i64) -> Timestamp {
    Timestamp::from_unix_seconds(1_738_314_900 + number)
}
