//! The contract of the storage of OAuth.

mod approvals;
mod calls;
mod clients;
mod grants;
mod uploads;

use svc_auth::oauth::{Client, CodeVerifier, Grant, Pair, RedirectUri, Stage};
use svc_auth::ports::OauthStorage;
use svc_auth::token::Fingerprint;
use svc_core::error::StoreError;

use crate::business::sample::{at, id};
use crate::contract::contract;

contract! {
    $
    /// Generates one `#[tokio::test]` per case of the contract of the storage of OAuth.
    ///
    /// `make` names an `async fn()` that gives an empty storage: anything that dereferences to an
    /// [`OauthStorage`](svc_auth::ports::OauthStorage). With `try_make` it gives an `Option`, and `None` (the engine is
    /// not on this machine) ends the case: the function says so on the console.
    ///
    /// The cases make up the credentials of their grants: a storage must not ask for them.
    ///
    /// ```
    /// mod memory {
    ///     use std::sync::Arc;
    ///
    ///     use svc_auth::ports::OauthStorage;
    ///     use svc_testkit::auth::MemoryOauth;
    ///
    ///     async fn make() -> Arc<dyn OauthStorage> {
    ///         Arc::new(MemoryOauth::default())
    ///     }
    ///     svc_testkit::oauth_storage_contract! { make: make }
    /// }
    /// ```
    oauth_storage_contract by contract_tests at oauth::cases {
        clients:
            a_client_is_found_as_it_registered,
            a_client_that_registers_again_keeps_its_id,
            clients_without_a_credential_are_forgotten;
        grants:
            a_grant_is_found_by_its_code,
            a_pair_is_found_by_either_token_with_its_grant,
            a_stage_is_left_once,
            a_refresh_token_is_used_once,
            of_two_units_with_one_secret_the_first_to_commit_wins,
            codes_and_tokens_are_unique,
            what_is_over_is_forgotten;
        approvals:
            an_approval_is_found_by_the_call_that_it_is_for,
            a_call_has_one_approval_at_a_time,
            an_approval_leaves_a_stage_once,
            what_waits_is_listed_for_its_person_and_counted_for_its_credential,
            approvals_that_have_ended_are_forgotten;
        uploads:
            a_link_is_found_by_its_fingerprint_alone,
            links_are_counted_for_their_credential_until_they_end;
        calls:
            calls_are_kept_once_and_read_from_the_newest,
            many_calls_are_kept_in_one_batch,
            old_calls_are_forgotten;
    }
}

type Storage<'a> = &'a dyn OauthStorage;

fn print(number: u8) -> Fingerprint {
    Fingerprint { pepper: 1, digest: [number; 32] }
}

fn redirect(path: &str) -> RedirectUri {
    RedirectUri::parse(&format!("https://app.example/{path}")).expect("an address")
}

fn client(number: u128, name: &str) -> Client {
    let id = svc_auth::token::ClientId::Registered(id(number));
    Client {
        id,
        name: name.to_owned(),
        redirects: vec![redirect("a"), redirect("b?c=d")],
        known_since: at(10),
    }
}

/// A grant whose code has this fingerprint and ends at second 60.
fn grant(number: u8) -> Grant {
    let verifier = CodeVerifier::parse(&"v".repeat(43)).expect("a verifier");
    Grant {
        id: id(u128::from(number)),
        credential: id(100 + u128::from(number)),
        client: "https://app.example/client.json".parse().expect("an id"),
        redirect: redirect("a"),
        challenge: verifier.challenge(),
        code: print(number),
        code_until: at(60),
        stage: Stage::Coded,
    }
}

/// A pair whose access token has this fingerprint and whose refresh token the next one.
fn pair(of: &Grant, number: u8) -> Pair {
    Pair {
        grant: of.id,
        access: print(number),
        access_until: at(3_600),
        refresh: print(number + 1),
        refresh_until: at(86_400),
        refreshed_at: None,
    }
}

async fn add(storage: Storage<'_>, grant: &Grant, pairs: &[Pair]) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    unit.grants().add(grant).await?;
    for pair in pairs {
        unit.grants().give(pair).await?;
    }
    unit.commit().await
}
