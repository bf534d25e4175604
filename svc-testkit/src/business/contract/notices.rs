//! Notices: kept whole, found by every filter, one of a source and reference.

use svc_business::notice::{
    Notice, NoticeFilter, NoticeKind, NoticeSort, NoticeSource, NoticeStatus, NoticeStatusFilter,
};
use svc_core::id::{AccountId, CaseId};
use svc_core::page::{Direction, Sort};
use svc_core::resource::Version;

use super::{Storage, assert_conflict, assert_taken, attempt, ids, put_accounts, put_contacts, whole};
use crate::business::sample::{
    at, bare_case, bare_notice, date, everything, id, notice, organization, scope,
};

/// A case of a company.
async fn case(storage: &Storage, company: AccountId) -> CaseId {
    let client = organization(company, 10, "Cliente SL");
    put_contacts(storage, std::slice::from_ref(&client)).await;
    let case = bare_case(company, 20, client.id);
    attempt!(storage, |unit| unit.cases().insert(&everything(), &case)).expect("a case");
    case.id
}

async fn put(storage: &Storage, notices: &[Notice]) {
    let unit = storage.begin().await.expect("begin");
    for notice in notices {
        unit.notices().insert(&everything(), notice).await.expect("insert a notice");
    }
    unit.commit().await.expect("commit");
}

/// Every member comes back, in each status, within the scope and at its version.
pub async fn a_notice_comes_back_whole(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let full = notice(company, 30, case(&storage, company).await);
    let bare = bare_notice(company, 31);
    let rejected =
        Notice { status: NoticeStatus::Rejected { at: at(91), by: id(97) }, ..bare_notice(company, 32) };
    let expired = Notice { status: NoticeStatus::Expired, ..bare_notice(company, 33) };
    put(&storage, &[full.clone(), bare.clone(), rejected.clone(), expired.clone()]).await;
    let find = async |notice: &Notice| storage.notices().find(&everything(), notice.id).await.expect("find");
    for notice in [&full, &bare, &rejected, &expired] {
        assert_eq!(find(notice).await.as_ref(), Some(notice));
    }
    assert_eq!(storage.notices().find(&scope(&[other]), full.id).await.expect("find"), None);
    let after = Notice { version: full.version.next(), ..bare_notice(company, 30) };
    attempt!(storage, |unit| unit.notices().replace(&everything(), &full, &after)).expect("replace");
    assert_eq!(find(&after).await.as_ref(), Some(&after));
    assert_conflict(&attempt!(storage, |unit| unit.notices().replace(&everything(), &full, &after)));
    let hidden = Notice { version: bare.version.next(), ..bare.clone() };
    assert_conflict(&attempt!(storage, |unit| unit.notices().replace(&scope(&[other]), &bare, &hidden)));
}

/// A company has one notice of a source with a reference.
pub async fn a_notice_of_a_source_is_there_once(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let first = bare_notice(company, 30);
    let reference = first.reference.clone();
    let same = |company, number| Notice { reference: reference.clone(), ..bare_notice(company, number) };
    let of_another = Notice { source: NoticeSource::Dgt, ..same(company, 31) };
    put(&storage, &[first, of_another, same(other, 32)]).await;
    let clash = same(company, 33);
    assert_taken(&attempt!(storage, |unit| unit.notices().insert(&everything(), &clash)), "reference");
}

/// Each filter narrows the list to what it names; each order is the one asked for.
pub async fn every_filter_and_order_of_notices_holds(storage: Storage) {
    let [company, elsewhere] = put_accounts(&storage).await;
    let full = notice(company, 30, case(&storage, company).await);
    let waiting = Notice {
        kind: NoticeKind::Notification,
        expires_on: Some(date(2025, 3, 1)),
        issuer: "Ayuntamiento de Málaga".to_owned(),
        available_at: at(200_000),
        updated_at: at(500),
        ..bare_notice(company, 31)
    };
    let informing = bare_notice(company, 32);
    let foreign = bare_notice(elsewhere, 33);
    put(&storage, &[full.clone(), waiting.clone(), informing.clone(), foreign.clone()]).await;
    let any = NoticeFilter::default;
    let matching = async |filter: NoticeFilter, sort: Option<(NoticeSort, Direction)>| {
        let page = storage.notices().page(&everything(), &filter, &Sort(sort), whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        ids(&page.items)
    };
    let day = waiting.available_at.date();
    for (name, filter, expected) in [
        ("all", any(), vec![&full, &waiting, &informing, &foreign]),
        ("company", NoticeFilter { companies: vec![elsewhere], ..any() }, vec![&foreign]),
        ("status", NoticeFilter { status: Some(NoticeStatusFilter::Accessed), ..any() }, vec![&full]),
        ("source", NoticeFilter { source: Some(NoticeSource::Aeat), ..any() }, vec![&full]),
        ("kind", NoticeFilter { kind: Some(NoticeKind::Notification), ..any() }, vec![&full, &waiting]),
        ("handled", NoticeFilter { handled: Some(true), ..any() }, vec![&full]),
        ("case", NoticeFilter { case: full.case, ..any() }, vec![&full]),
        ("text", NoticeFilter { text: Some("malaga".to_owned()), ..any() }, vec![&waiting]),
        ("updated since", NoticeFilter { updated_since: Some(at(500)), ..any() }, vec![&waiting]),
        ("from", NoticeFilter { from: Some(day), ..any() }, vec![&waiting]),
        ("to", NoticeFilter { to: Some(day), ..any() }, vec![&full, &waiting, &informing, &foreign]),
        (
            "before",
            NoticeFilter { companies: vec![company], to: day.previous_day(), ..any() },
            vec![&full, &informing],
        ),
    ] {
        assert_eq!(matching(filter, None).await, ids(expected), "{name}");
    }
    let ours = || NoticeFilter { companies: vec![company], ..any() };
    let (up, down) = (Direction::Ascending, Direction::Descending);
    let by = async |key, direction| matching(ours(), Some((key, direction))).await;
    assert_eq!(by(NoticeSort::AvailableAt, down).await, ids([&waiting, &informing, &full]));
    assert_eq!(by(NoticeSort::ExpiresOn, up).await, ids([&waiting, &full, &informing]));
    assert_eq!(by(NoticeSort::UpdatedAt, down).await, ids([&waiting, &informing, &full]));
    for filter in [
        NoticeFilter { handled: Some(false), ..ours() },
        NoticeFilter { status: Some(NoticeStatusFilter::Available), ..ours() },
    ] {
        assert_eq!(matching(filter.clone(), None).await, ids([&waiting, &informing]));
        let order = Some((NoticeSort::AvailableAt, up));
        assert_eq!(matching(filter, order).await, ids([&informing, &waiting]));
    }
}

/// Available notices whose last day has passed come in the order of those days.
pub async fn expiring_notices_come_in_order(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let until = |company, number, day| Notice {
        kind: NoticeKind::Notification,
        expires_on: Some(date(2025, 3, day)),
        ..bare_notice(company, number)
    };
    let ended = Notice { status: NoticeStatus::Expired, ..until(company, 34, 1) };
    let (late, early, last) = (until(company, 30, 9), until(company, 31, 2), until(company, 32, 10));
    let all = [late.clone(), early.clone(), last, bare_notice(company, 33), ended, until(other, 35, 1)];
    put(&storage, &all).await;
    let expiring =
        async |limit| storage.notices().expiring(company, date(2025, 3, 10), limit).await.expect("read");
    assert_eq!(expiring(9).await, [early.id, late.id]);
    assert_eq!(expiring(1).await, [early.id]);
}

/// A company takes its notices along.
pub async fn notices_follow_their_company(storage: Storage) {
    let [company, survivor] = put_accounts(&storage).await;
    let full = notice(company, 30, case(&storage, company).await);
    put(&storage, std::slice::from_ref(&full)).await;
    attempt!(storage, |unit| unit.accounts().move_records(company, survivor, at(80))).expect("moved");
    let moved = storage.notices().find(&everything(), full.id).await.expect("find");
    let expected = Notice { company: survivor, version: Version::FIRST.next(), updated_at: at(80), ..full };
    assert_eq!(moved, Some(expected));
}
