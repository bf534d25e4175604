//! What people are asked to approve.

use svc_auth::approval::{Approval, CallDigest, LIFE, Shown, Stage};
use svc_core::error::StoreError;
use svc_core::id::{ApprovalId, TokenId};

use super::{Storage, at, id};

/// One that was asked for at second 10, by this credential for this call.
fn approval(number: u8, credential: u128, call: &str) -> Approval {
    let line = |name: &str, value: &str| Shown { name: name.to_owned(), value: value.to_owned() };
    Approval {
        id: id(u128::from(number)),
        company: id(500),
        person: id(600 + credential),
        credential: id(credential),
        tool: "invoice_issue".to_owned(),
        call: CallDigest::of(&[call]),
        shown: vec![line("customerName", "Sol \"y\" Mar SL"), line("totals.total", "121.00 EUR")],
        stage: Stage::Asked,
        asked_at: at(10),
        until: at(10).plus(LIFE),
    }
}

async fn add(storage: Storage<'_>, approval: &Approval, now: i64) -> Result<(), StoreError> {
    let unit = storage.begin().await.expect("a unit");
    unit.approvals().add(approval, at(now)).await?;
    unit.commit().await
}

async fn found(storage: Storage<'_>, id: ApprovalId) -> Option<Approval> {
    storage.approvals().approval(id).await.expect("read")
}

/// Every member survives the store, whatever the stage; another credential, another call and the end find none.
pub async fn an_approval_is_found_by_the_call_that_it_is_for(storage: Storage<'_>) {
    for (number, stage) in (1..).zip(Stage::ALL) {
        let approval = Approval { stage, ..approval(number, 100, &format!("call {number}")) };
        add(storage, &approval, 10).await.expect("added");
        assert_eq!(found(storage, approval.id).await.as_ref(), Some(&approval));
        let for_call = async |credential: TokenId, call: CallDigest, now: i64| {
            storage.approvals().for_call(credential, call, at(now)).await.expect("read")
        };
        assert_eq!(for_call(approval.credential, approval.call, 309).await.as_ref(), Some(&approval));
        assert_eq!(for_call(approval.credential, approval.call, 310).await, None, "it has ended");
        assert_eq!(for_call(id(101), approval.call, 10).await, None);
        assert_eq!(for_call(approval.credential, CallDigest::of(&["other"]), 10).await, None);
    }
    assert_eq!(found(storage, id(99)).await, None);
}

/// The next one for a call takes the place of one that has ended, and of no other.
pub async fn a_call_has_one_approval_at_a_time(storage: Storage<'_>) {
    let first = approval(1, 100, "call");
    add(storage, &first, 10).await.expect("added");
    let next = Approval { asked_at: at(310), until: at(610), ..approval(2, 100, "call") };
    for now in [10, 309] {
        assert!(matches!(add(storage, &next, now).await, Err(StoreError::Taken { .. })), "{now}");
    }
    assert_eq!(found(storage, first.id).await.as_ref(), Some(&first));
    add(storage, &next, 310).await.expect("the first has ended");
    assert_eq!((found(storage, first.id).await, found(storage, next.id).await), (None, Some(next)));
    add(storage, &approval(3, 101, "call"), 10).await.expect("another credential");
    add(storage, &approval(4, 100, "other"), 10).await.expect("another call");
}

/// Of many at the same time one is the first, and a decision is not taken twice.
pub async fn an_approval_leaves_a_stage_once(storage: Storage<'_>) {
    let asked = approval(1, 100, "call");
    add(storage, &asked, 10).await.expect("added");
    let advance = async |before: &Approval, after: Approval| {
        let unit = storage.begin().await?;
        unit.approvals().advance(before, &after).await?;
        unit.commit().await
    };
    let approved = asked.decided(true, at(20)).expect("it was asked for");
    advance(&asked, approved.clone()).await.expect("the first");
    let late = advance(&asked, asked.decided(false, at(21)).expect("as it was read")).await;
    assert!(matches!(late, Err(StoreError::Conflict)), "{late:?}");
    assert_eq!(found(storage, asked.id).await.as_ref(), Some(&approved));

    let used = Approval { stage: Stage::Used, until: at(400), ..approved.clone() };
    let outcomes = futures_util::future::join_all((0..8).map(|_| advance(&approved, used.clone()))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let lost = |outcome: &&Result<(), StoreError>| {
        matches!(outcome, Err(StoreError::Conflict | StoreError::Busy | StoreError::Undone))
    };
    assert_eq!(outcomes.iter().filter(lost).count(), 7, "{outcomes:?}");
    assert_eq!(found(storage, asked.id).await, Some(used));
    let nowhere = approval(9, 100, "other");
    let missing = advance(&nowhere, nowhere.decided(true, at(20)).expect("asked for")).await;
    assert!(matches!(missing, Err(StoreError::Conflict)), "{missing:?}");
}

/// The newest first; what was decided or has ended waits no longer.
pub async fn what_waits_is_listed_for_its_person_and_counted_for_its_credential(storage: Storage<'_>) {
    for (number, after) in [(1, 0), (2, 30), (3, 60)] {
        let first = approval(number, 100, &format!("call {number}"));
        add(
            storage,
            &Approval { until: first.until.plus(std::time::Duration::from_secs(after)), ..first },
            10,
        )
        .await
        .expect("added");
    }
    add(storage, &Approval { stage: Stage::Approved, ..approval(4, 100, "decided") }, 10)
        .await
        .expect("added");
    add(storage, &approval(5, 101, "of another credential and person"), 10).await.expect("added");
    let listed = async |now: i64, most: u32| -> Vec<ApprovalId> {
        let open = storage.approvals().open_of_person(id(700), at(now), most).await.expect("read");
        open.into_iter().map(|approval| approval.id).collect()
    };
    assert_eq!(listed(20, 10).await, [id(3), id(2), id(1)]);
    assert_eq!(listed(20, 2).await, [id(3), id(2)]);
    assert_eq!(listed(340, 10).await, [id(3)]);
    for (now, count) in [(20, 3), (310, 2), (370, 0)] {
        let open = storage.approvals().open_of_credential(id(100), at(now)).await.expect("read");
        assert_eq!(open, count, "{now}");
    }
}

/// What has ended is forgotten.
pub async fn approvals_that_have_ended_are_forgotten(storage: Storage<'_>) {
    let (over, kept) = (approval(1, 100, "a"), Approval { until: at(400), ..approval(2, 100, "b") });
    add(storage, &over, 10).await.expect("added");
    add(storage, &kept, 10).await.expect("added");
    let unit = storage.begin().await.expect("a unit");
    assert_eq!(unit.approvals().purge_approvals(at(400)).await.expect("purged"), 1);
    unit.commit().await.expect("committed");
    assert_eq!((found(storage, over.id).await, found(storage, kept.id).await), (None, Some(kept)));
}
