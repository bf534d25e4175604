//! Grants and their pairs of tokens.

use svc_auth::oauth::{Grant, Pair, Stage};
use svc_auth::token::Fingerprint;
use svc_core::error::StoreError;

use super::{Storage, add, at, grant, pair, print};

async fn by_code(storage: Storage<'_>, of: &Grant) -> Option<Grant> {
    storage.grants().by_code(&[of.code]).await.expect("read")
}

/// Every member survives the store, whatever the stage; the pepper counts as much as the digest.
pub async fn a_grant_is_found_by_its_code(storage: Storage<'_>) {
    let mut grants = [grant(1), grant(2), grant(3)];
    for (grant, stage) in grants.iter_mut().zip([Stage::Coded, Stage::Exchanged, Stage::Ended { at: at(7) }])
    {
        grant.stage = stage;
        add(storage, grant, &[]).await.expect("added");
    }
    for grant in &grants {
        assert_eq!(by_code(storage, grant).await.as_ref(), Some(grant));
        let among = [print(99), grant.code];
        assert_eq!(storage.grants().by_code(&among).await.expect("read").as_ref(), Some(grant));
        let other_pepper = Fingerprint { pepper: 7, ..grant.code };
        assert_eq!(storage.grants().by_code(&[other_pepper]).await.expect("read"), None);
    }
    assert_eq!(storage.grants().by_code(&[]).await.expect("read"), None);
}

/// The access token leads to it, and the refresh token, and neither in the place of the other.
pub async fn a_pair_is_found_by_either_token_with_its_grant(storage: Storage<'_>) {
    let (first, second) =
        (Grant { stage: Stage::Exchanged, ..grant(1) }, Grant { stage: Stage::Exchanged, ..grant(2) });
    let used = Pair { refreshed_at: Some(at(5)), ..pair(&first, 10) };
    add(storage, &first, &[used.clone(), pair(&first, 20)]).await.expect("added");
    add(storage, &second, &[pair(&second, 30)]).await.expect("added");
    for (grant, pair) in [(&first, used), (&first, pair(&first, 20)), (&second, pair(&second, 30))] {
        let found = Some((grant.clone(), pair.clone()));
        assert_eq!(storage.grants().by_access(&[print(98), pair.access]).await.expect("read"), found);
        assert_eq!(storage.grants().by_refresh(&[print(98), pair.refresh]).await.expect("read"), found);
        assert_eq!(storage.grants().by_refresh(&[pair.access]).await.expect("read"), None);
        assert_eq!(storage.grants().by_access(&[pair.refresh]).await.expect("read"), None);
        let other_pepper = Fingerprint { pepper: 7, ..pair.access };
        assert_eq!(storage.grants().by_access(&[other_pepper]).await.expect("read"), None);
    }
}

/// Who read it at another stage meets a conflict.
pub async fn a_stage_is_left_once(storage: Storage<'_>) {
    let coded = grant(1);
    add(storage, &coded, &[]).await.expect("added");
    let exchanged = Grant { stage: Stage::Exchanged, ..coded.clone() };
    assert_eq!(advance(storage, &coded, &exchanged).await, Ok(()));
    assert_eq!(by_code(storage, &coded).await, Some(exchanged.clone()));
    assert_eq!(advance(storage, &coded, &exchanged).await, Err(()));
    let ended = exchanged.ended(at(9));
    assert_eq!(advance(storage, &exchanged, &ended).await, Ok(()));
    assert_eq!(by_code(storage, &coded).await, Some(ended));
    assert_eq!(
        advance(storage, &grant(2), &Grant { stage: Stage::Exchanged, ..grant(2) }).await,
        Err(()),
        "not there"
    );
}

async fn advance(storage: Storage<'_>, before: &Grant, after: &Grant) -> Result<(), ()> {
    let unit = storage.begin().await.expect("a unit");
    let advanced = unit.grants().advance(before, after).await;
    settled(match advanced {
        Ok(()) => unit.commit().await,
        Err(error) => Err(error),
    })
}

fn settled(outcome: Result<(), StoreError>) -> Result<(), ()> {
    match outcome {
        Ok(()) => Ok(()),
        Err(StoreError::Conflict) => Err(()),
        Err(error) => panic!("{error}"),
    }
}

/// The second use meets a conflict, and the first one stays.
pub async fn a_refresh_token_is_used_once(storage: Storage<'_>) {
    let exchanged = Grant { stage: Stage::Exchanged, ..grant(1) };
    let first = pair(&exchanged, 10);
    add(storage, &exchanged, std::slice::from_ref(&first)).await.expect("added");
    assert_eq!(use_up(storage, &first.used(at(5))).await, Ok(()));
    assert_eq!(use_up(storage, &first.used(at(6))).await, Err(()));
    let (_, stored) = storage.grants().by_refresh(&[first.refresh]).await.expect("read").expect("there");
    assert_eq!(stored, first.used(at(5)));
}

async fn use_up(storage: Storage<'_>, used: &Pair) -> Result<(), ()> {
    let unit = storage.begin().await.expect("a unit");
    let done = unit.grants().use_up(used).await;
    settled(match done {
        Ok(()) => unit.commit().await,
        Err(error) => Err(error),
    })
}

/// Of many at the same time one is the first, and the pair that follows is there once.
pub async fn of_two_units_with_one_secret_the_first_to_commit_wins(storage: Storage<'_>) {
    let coded = grant(1);
    let exchanged = Grant { stage: Stage::Exchanged, ..coded.clone() };
    add(storage, &coded, &[]).await.expect("added");
    let exchange = async |number: u8| {
        let unit = storage.begin().await?;
        unit.grants().advance(&coded, &exchanged).await?;
        unit.grants().give(&pair(&coded, number)).await?;
        unit.commit().await
    };
    let outcomes = futures_util::future::join_all((0..8).map(|number| exchange(10 + 2 * number))).await;
    let won = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(won, 1, "{outcomes:?}");
    let lost = |outcome: &&Result<(), StoreError>| {
        matches!(outcome, Err(StoreError::Conflict | StoreError::Busy | StoreError::Undone))
    };
    assert_eq!(outcomes.iter().filter(lost).count(), 7, "{outcomes:?}");
    let mut given = 0;
    for number in 0..8 {
        given +=
            usize::from(storage.grants().by_access(&[print(10 + 2 * number)]).await.expect("read").is_some());
    }
    assert_eq!(given, 1);
}

/// Two grants never share a code, and two pairs no token.
pub async fn codes_and_tokens_are_unique(storage: Storage<'_>) {
    let first = grant(1);
    add(storage, &first, &[pair(&first, 10)]).await.expect("added");
    let taken = |outcome: Result<(), StoreError>| {
        assert!(matches!(outcome, Err(StoreError::Taken { .. })), "{outcome:?}");
    };
    taken(add(storage, &Grant { code: first.code, ..grant(2) }, &[]).await);
    taken(add(storage, &grant(3), &[Pair { access: print(10), ..pair(&grant(3), 40) }]).await);
    taken(add(storage, &grant(4), &[Pair { refresh: print(11), ..pair(&grant(4), 50) }]).await);
    assert_eq!(by_code(storage, &grant(3)).await, None, "with its pair");
}

/// Pairs whose refresh token has ended, and grants that have none left.
pub async fn what_is_over_is_forgotten(storage: Storage<'_>) {
    let (over, kept, waits) = (grant(1), grant(2), Grant { code_until: at(200), ..grant(3) });
    let (never_exchanged, first) =
        (Grant { code_until: at(61), ..grant(4) }, Grant { code_until: at(9), ..grant(5) });
    let short = |grant: &Grant, number| Pair { refresh_until: at(99), ..pair(grant, number) };
    add(storage, &over, &[short(&over, 10)]).await.expect("added");
    add(storage, &kept, &[short(&kept, 20), pair(&kept, 30)]).await.expect("added");
    for coded in [&waits, &never_exchanged, &first] {
        add(storage, coded, &[]).await.expect("added");
    }
    let unit = storage.begin().await.expect("a unit");
    // Those whose code ended first, as many as are asked for.
    assert_eq!(unit.grants().purge_grants(at(100), 2).await.expect("purged"), [first, over.clone()]);
    assert_eq!(
        unit.grants().purge_grants(at(100), 2).await.expect("purged"),
        std::slice::from_ref(&never_exchanged)
    );
    assert_eq!(unit.grants().purge_grants(at(100), 2).await.expect("purged"), []);
    unit.commit().await.expect("committed");
    assert_eq!(by_code(storage, &never_exchanged).await, None);
    assert_eq!(by_code(storage, &over).await, None);
    assert_eq!(by_code(storage, &kept).await.as_ref(), Some(&kept));
    assert_eq!(by_code(storage, &waits).await.as_ref(), Some(&waits));
    assert_eq!(storage.grants().by_access(&[print(20)]).await.expect("read"), None);
    assert!(storage.grants().by_access(&[print(30)]).await.expect("read").is_some());
}
