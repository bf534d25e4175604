use std::sync::Mutex;

use super::*;
use crate::audit::{Action, Actor, ChainKey, Entry, Filter, Record};
use crate::clock::Timestamp;
use crate::page::{Page, PageRequest};
use crate::tenant::Scope;
use async_trait::async_trait;

/// Records as a writer of the table left them, with the head that the store remembers at the beginning of
/// the walk and the one at its end.
struct Log {
    records: Vec<Record>,
    heads: Mutex<(Option<Head>, Option<Head>)>,
}

#[async_trait]
impl AuditReader for Log {
    async fn page(&self, _: &Scope, _: &Filter, _: PageRequest) -> Result<Page<Record>, StoreError> {
        Err(StoreError::backend("a verification reads no pages"))
    }

    async fn records(
        &self,
        _: AccountId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Result<Record, Unreadable>>, StoreError> {
        let later = self.records.iter().filter(|record| record.number > after);
        Ok(later.take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().map(Ok).collect())
    }

    async fn companies(&self) -> Result<Vec<Result<AccountId, Unreadable>>, StoreError> {
        Ok(vec![Ok(account())])
    }

    async fn head(&self, _: AccountId) -> Result<Option<Result<Head, Unreadable>>, StoreError> {
        let mut heads = self.heads.lock().expect("not poisoned");
        let head = heads.0;
        heads.0 = heads.1;
        Ok(head.map(Ok))
    }
}

fn account() -> AccountId {
    "acc_00000000000000000000000001".parse().expect("an id")
}

fn keys() -> ChainKeys {
    ChainKeys::new(ChainKey::new(1, [7; 32]), Vec::new())
}

fn head(record: &Record) -> Head {
    Head { number: record.number, seal: record.seal }
}

/// A chain of more than two batches.
fn chain() -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for number in 1..=u64::from(BATCH) * 2 + 5 {
        let entry = Entry {
            account: account(),
            at: Timestamp::from_unix_seconds(1_738_314_900),
            actor: Actor::OPERATOR,
            action: Action::TokenDisable,
            subject: format!("tok_{number}"),
            before: None,
            after: None,
        };
        let last = records.last().map(head);
        records.push(keys().seal(last, entry));
    }
    records
}

/// How many records fit, and what is wrong.
async fn walk(records: Vec<Record>, head: Option<Head>, expected: &[Mark]) -> (u64, Option<Fault>) {
    moved(records, (head, head), expected).await
}

/// The same with a head that moves meanwhile.
async fn moved(
    records: Vec<Record>,
    heads: (Option<Head>, Option<Head>),
    expected: &[Mark],
) -> (u64, Option<Fault>) {
    let (keys, log) = (keys(), Log { records, heads: Mutex::new(heads) });
    let verifier = Verifier { reader: &log, keys: &keys, expected };
    let finding = verifier.verify(account(), |_| {}).await.expect("read");
    (finding.last.map_or(0, |last| last.number), finding.fault)
}

#[tokio::test]
async fn a_whole_chain_is_whole_and_its_marks_fit() {
    let log = chain();
    let [middle, last] = [1_500, log.len() - 1].map(|at| head(&log[at]));
    let marks = [middle, last].map(|head| Mark::of(account(), head));
    assert_eq!(walk(log, Some(last), &marks).await, (2_005, None));
}

#[tokio::test]
async fn what_was_changed_removed_or_put_in_is_named_by_its_record() {
    let log = chain();
    let end = Some(head(&log[log.len() - 1]));
    let mut changed = log.clone();
    changed[1_200].entry.subject = "tok_other".to_owned();
    let mut removed = log.clone();
    removed.remove(1_200);
    let mut doubled = log.clone();
    doubled.insert(1_200, log[1_199].clone());
    let seal = Broken::Seal { number: 1_201 };
    let gap = Broken::Number { expected: 1_201, found: 1_202 };
    let twice = Broken::Number { expected: 1_201, found: 1_200 };
    for (log, broken) in [(changed, seal), (removed, gap), (doubled, twice)] {
        let fault = Fault::from(broken);
        assert_eq!(fault.record(), Some(1_201));
        assert_eq!(walk(log, end, &[]).await, (1_200, Some(fault)));
    }
}

#[tokio::test]
async fn an_end_that_was_cut_off_is_found_by_the_head_or_by_a_mark() {
    let log = chain();
    let end = head(&log[log.len() - 1]);
    let cut = log[..1_000].to_vec();
    let told = Broken::Cut { expected: 2_005, found: Some(1_000) };
    assert_eq!(walk(cut.clone(), Some(end), &[]).await, (1_000, Some(told.into())));
    // Who cuts the head too is found out by what was kept elsewhere.
    let shorter = Some(head(&cut[999]));
    assert_eq!(walk(cut.clone(), shorter, &[]).await, (1_000, None));
    let kept = [Mark::of(account(), end)];
    assert_eq!(walk(cut, shorter, &kept).await, (1_000, Some(Fault::Gone(2_005))));
    assert_eq!(walk(Vec::new(), None, &kept).await, (0, Some(Fault::Gone(2_005))));
}

#[tokio::test]
async fn another_chain_that_fits_in_itself_does_not_fit_a_mark() {
    let log = chain();
    let end = Some(head(&log[log.len() - 1]));
    let other = [Mark { seal: "0".repeat(64), ..Mark::of(account(), head(&log[9])) }];
    assert_eq!(walk(log, end, &other).await, (10, Some(Fault::Other(10))));
}

#[tokio::test]
async fn a_record_behind_the_head_is_a_fault_unless_the_head_moved_too() {
    let log = chain();
    let early = Some(head(&log[999]));
    assert_eq!(walk(log.clone(), early, &[]).await, (1_000, Some(Fault::Beyond(1_001))));
    // Appended while the walk went on: the store remembers it by now.
    let now = Some(head(&log[1_000]));
    assert_eq!(moved(log[..1_001].to_vec(), (early, now), &[]).await, (1_000, None));
    assert_eq!(moved(log[..1_001].to_vec(), (None, now), &[]).await, (1_001, None));
}

#[tokio::test]
async fn a_log_without_a_head_and_a_company_without_a_log_are_faults() {
    assert_eq!(walk(chain(), None, &[]).await, (2_005, Some(Fault::Headless(2_005))));
    assert_eq!(walk(Vec::new(), None, &[]).await, (0, Some(Fault::Missing)));
}

#[tokio::test]
async fn a_record_that_is_there_twice_is_found_at_the_edge_of_a_batch_too() {
    let log = chain();
    let end = Some(head(&log[log.len() - 1]));
    for number in [1, 2, 999, 1_000, 1_001, 1_999, 2_000, 2_004, 2_005] {
        let mut doubled = log.clone();
        doubled.insert(number, log[number - 1].clone());
        let number = u64::try_from(number).expect("small");
        let (fits, fault) = walk(doubled, end, &[]).await;
        let twice = Broken::Number { expected: number + 1, found: number };
        assert_eq!((fits, fault), (number, Some(twice.into())), "{number}");
    }
}

/// The parts of a log of so many records each, from this mark on, and what the last one came to.
async fn in_parts(records: Vec<Record>, most: u64, after: Option<Mark>) -> (Vec<u64>, Finding) {
    let end = records.last().map(head);
    let (keys, log) = (keys(), Log { records, heads: Mutex::new((end, end)) });
    let verifier = Verifier { reader: &log, keys: &keys, expected: &[] };
    let (mut parts, mut after) = (Vec::new(), after);
    loop {
        match verifier.verify_part(account(), after.as_ref(), most).await.expect("read") {
            PartFinding::Further(mark) => {
                parts.push(mark.number);
                after = Some(mark);
            }
            PartFinding::Ended(finding) => return (parts, finding),
        }
    }
}

#[tokio::test]
async fn a_log_is_verified_in_parts_as_it_is_as_a_whole() {
    let log = chain();
    let whole = Finding { last: log.last().map(head), fault: None };
    assert_eq!(in_parts(log.clone(), 1, None).await, (vec![1_000, 1_999, 2_005], whole.clone()));
    assert_eq!(in_parts(log.clone(), 1_001, None).await, (vec![1_999], whole.clone()));
    assert_eq!(in_parts(log.clone(), 10_000, None).await, (Vec::new(), whole));
    let mut changed = log.clone();
    changed[1_500].entry.subject = "tok_other".to_owned();
    let (parts, finding) = in_parts(changed, 1, None).await;
    assert_eq!((parts, finding.last), (vec![1_000], Some(head(&log[1_499]))));
    assert_eq!(finding.fault, Some(Broken::Seal { number: 1_501 }.into()));
}

#[tokio::test]
async fn a_part_begins_at_a_record_that_is_still_there() {
    let log = chain();
    let mark = Mark::of(account(), head(&log[1_199]));
    let whole = Finding { last: log.last().map(head), fault: None };
    assert_eq!(in_parts(log.clone(), 10_000, Some(mark.clone())).await.1, whole);
    let broken = |fault| Finding { last: None, fault: Some(fault) };
    let other = Mark { seal: "0".repeat(64), ..mark.clone() };
    assert_eq!(in_parts(log.clone(), 1, Some(other)).await.1, broken(Fault::Other(1_200)));
    let mut removed = log.clone();
    removed.remove(1_199);
    assert_eq!(in_parts(removed, 1, Some(mark.clone())).await.1, broken(Fault::Other(1_200)));
    let cut = log[..1_000].to_vec();
    assert_eq!(in_parts(cut, 1, Some(mark)).await.1, broken(Fault::Gone(1_200)));
}
