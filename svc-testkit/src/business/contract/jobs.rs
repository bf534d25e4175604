//! Jobs: put once, one worker's at a time, due again when a claim runs out, and kept for a while once they have ended.

use std::time::Duration;

use svc_business::job::{Job, JobKind, NewJob, Outcome, Run};
use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use super::{Storage, assert_conflict, attempt, put_accounts};
use crate::business::sample::{at, id};

const KIND: JobKind = JobKind::CompanyDay;

fn job(number: u128, key: &str, company: AccountId, due: Timestamp) -> NewJob {
    NewJob {
        id: id(number),
        kind: KIND,
        key: key.to_owned(),
        company: Some(company),
        body: format!("of {key}"),
        due,
    }
}

fn run(seconds: i64, outcome: Outcome, note: &str) -> Run {
    Run { at: at(seconds), took: Duration::from_millis(5), outcome, note: note.to_owned() }
}

async fn put(storage: &Storage, jobs: &[NewJob]) {
    attempt!(storage, |unit| unit.jobs().put(jobs)).expect("put");
}

async fn claim(storage: &Storage, now: i64, until: i64, limit: u32) -> Vec<Job> {
    let claimed = attempt!(storage, |unit| unit.jobs().claim(KIND, at(now), at(until), limit));
    claimed.expect("claim")
}

/// A job is there once for each key, with the unit that put it, and one worker's until its claim runs out.
pub async fn a_job_is_one_workers_at_a_time(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let unit = storage.begin().await.expect("begin");
    unit.jobs().put(&[job(1, "a", company, at(5))]).await.expect("put");
    drop(unit);
    assert_eq!(storage.jobs().next_due(KIND).await.expect("read"), None, "its unit did not commit");
    put(&storage, &[job(1, "a", company, at(5)), job(2, "b", other, at(3)), job(3, "c", other, at(90))])
        .await;
    put(&storage, &[job(4, "a", company, at(1))]).await;
    assert_eq!(storage.jobs().next_due(KIND).await.expect("read"), Some(at(3)));
    assert_eq!(claim(&storage, 2, 60, 10).await, []);
    let first = claim(&storage, 10, 60, 1).await;
    let [b] = first.as_slice() else { panic!("{first:?}") };
    assert_eq!((b.id, b.company, b.body.as_str(), b.failures), (id(2), Some(other), "of b", 0));
    let rest = claim(&storage, 10, 60, 10).await;
    let [a] = rest.as_slice() else { panic!("{rest:?}") };
    assert_eq!(a.id, id(1));
    assert_eq!(claim(&storage, 59, 120, 10).await, []);
    // The claims ran out.
    let mut again = claim(&storage, 60, 120, 10).await;
    again.sort_by_key(|job| job.id);
    let [again_a, again_b] = again.as_slice() else { panic!("{again:?}") };
    let late = run(61, Outcome::Done, "late");
    assert_conflict(&attempt!(storage, |unit| unit.jobs().end(a, &late)));
    assert_conflict(&attempt!(storage, |unit| unit.jobs().put_off(b, at(70), &late)));
    attempt!(storage, |unit| unit.jobs().end(again_a, &late)).expect("its own");
    attempt!(storage, |unit| unit.jobs().put_off(again_b, at(100), &late)).expect("its own");
    assert_eq!(storage.jobs().next_due(KIND).await.expect("read"), Some(at(90)));
}

/// What the service does for a person is of no company.
pub async fn a_job_may_be_of_no_company(storage: Storage) {
    let [company, _] = put_accounts(&storage).await;
    let own = NewJob { company: None, ..job(1, "a", company, at(1)) };
    put(&storage, &[own]).await;
    let claimed = claim(&storage, 10, 60, 10).await;
    let [own] = claimed.as_slice() else { panic!("{claimed:?}") };
    assert_eq!((own.company, own.body.as_str()), (None, "of a"));
    assert!(own.home().is_err());
    assert_eq!(storage.jobs().waiting(company, KIND, 2).await.expect("read"), 0);
    attempt!(storage, |unit| unit.jobs().end(own, &run(11, Outcome::Done, "sent"))).expect("its own");
    let overview = storage.jobs().overview(at(20), 5).await.expect("read");
    assert_eq!(
        overview.latest.iter().map(|look| (look.id, look.company)).collect::<Vec<_>>(),
        [(id(1), None)]
    );
}

/// A job that failed is counted, one that ended is kept for a while with its key, and an operator sees both.
pub async fn jobs_tell_how_they_ran(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let jobs = storage.jobs();
    let mut without = jobs.without(KIND, 10).await.expect("read");
    without.sort();
    assert_eq!(without, [company, other]);
    put(&storage, &[job(1, "a", company, at(1)), job(2, "b", company, at(2)), job(3, "c", company, at(900))])
        .await;
    assert_eq!(jobs.without(KIND, 10).await.expect("read"), [other]);
    assert_eq!(jobs.waiting(company, KIND, 2).await.expect("read"), 2);
    assert_eq!(jobs.waiting(other, KIND, 2).await.expect("read"), 0);
    let overview = jobs.overview(at(10), 1).await.expect("read");
    let due: Vec<_> = overview.due.iter().map(|look| (look.id, look.due, look.run.clone())).collect();
    assert_eq!(due, [(id(1), Some(at(1)), None)]);
    assert!(overview.troubled.is_empty() && overview.latest.is_empty());
    let (failed, done) = (run(10, Outcome::Failed, "no way"), run(11, Outcome::Done, "all well"));
    for claimed in claim(&storage, 10, 60, 2).await {
        if claimed.id == id(1) {
            attempt!(storage, |unit| unit.jobs().put_off(&claimed, at(40), &failed)).expect("its own");
        } else {
            attempt!(storage, |unit| unit.jobs().end(&claimed, &done)).expect("its own");
        }
    }
    let overview = jobs.overview(at(12), 10).await.expect("read");
    let [troubled] = overview.troubled.as_slice() else { panic!("{overview:?}") };
    assert_eq!((troubled.failures, troubled.due, troubled.run.as_ref()), (1, Some(at(40)), Some(&failed)));
    let latest: Vec<_> = overview.latest.iter().map(|look| (look.id, look.due, look.run.clone())).collect();
    assert_eq!(latest, [(id(2), None, Some(done)), (id(1), Some(at(40)), Some(failed))]);
    assert!(overview.due.is_empty());
    put(&storage, &[job(5, "b", company, at(1))]).await;
    assert_eq!(jobs.next_due(KIND).await.expect("read"), Some(at(40)), "the key is used");
    let again = claim(&storage, 50, 60, 2).await;
    let [again] = again.as_slice() else { panic!("{again:?}") };
    assert_eq!(again.failures, 1);
    let purge = async |before| attempt!(storage, |unit| unit.jobs().purge(before)).expect("purge");
    assert_eq!(purge(at(11)).await, 0);
    assert_eq!(purge(at(12)).await, 1);
    put(&storage, &[job(5, "b", company, at(1))]).await;
    assert_eq!(jobs.next_due(KIND).await.expect("read"), Some(at(1)), "the key is free");
}
