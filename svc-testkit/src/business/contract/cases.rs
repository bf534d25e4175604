//! Cases: kept whole with their children, found by every filter, numbered, with a timeline that only grows.

use svc_business::case::{
    Case, CaseFilter, CaseLink, CaseLinkType, CaseSort, CaseStatus, CaseType, Entry, EntryKind, Outcome,
    StatusFilter,
};
use svc_business::contact::ContactStatus;
use svc_business::document::file::{File, FileStatus};
use svc_business::tax::returns::Model;
use svc_core::id::{AccountId, CaseId, ContactId, TypedId as _};
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use uuid::Uuid;

use super::shop::Shop;
use super::{
    Storage, assert_conflict, assert_taken, attempt, files, ids, insert_accounts, put_accounts, put_contacts,
    taxes, whole,
};
use crate::business::envelopes::{draft, signer};
use crate::business::sample::{
    at, bare_account, bare_case, bare_notice, case, date, everything, file, id, organization, scope,
};

/// Two contacts of a company.
async fn contacts(storage: &Storage, company: AccountId) -> [ContactId; 2] {
    let all = [10, 11].map(|number| organization(company, number, "Cliente SL"));
    put_contacts(storage, &all).await;
    all.map(|contact| contact.id)
}

async fn put(storage: &Storage, cases: &[Case]) {
    let unit = storage.begin().await.expect("begin");
    for case in cases {
        unit.cases().insert(&everything(), case).await.expect("insert a case");
    }
    unit.commit().await.expect("commit");
}

async fn find(storage: &Storage, id: CaseId) -> Option<Case> {
    storage.cases().find(&everything(), id).await.expect("find")
}

/// Every member of a case comes back, as it was added and as it was replaced, children in their order.
pub async fn a_case_comes_back_whole(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let [client, other] = contacts(&storage, company).await;
    let (full, bare) = (case(company, 20, client, other), bare_case(company, 21, client));
    put(&storage, &[full.clone(), bare.clone()]).await;
    assert_eq!(find(&storage, full.id).await, Some(full.clone()));
    assert_eq!(find(&storage, bare.id).await, Some(bare.clone()));
    let after = Case {
        participants: vec![other, client],
        tags: vec!["Añejo".to_owned(), "nuevo".to_owned(), "vip".to_owned()],
        status: CaseStatus::OnHold,
        version: full.version.next(),
        updated_at: at(60),
        ..full.clone()
    };
    attempt!(storage, |unit| unit.cases().replace(&everything(), &full, &after)).expect("replace");
    assert_eq!(find(&storage, full.id).await, Some(after.clone()));
    let emptied = Case { version: after.version.next(), ..bare_case(company, 20, client) };
    attempt!(storage, |unit| unit.cases().replace(&everything(), &after, &emptied)).expect("replace");
    assert_eq!(find(&storage, full.id).await, Some(emptied));
    assert_eq!(find(&storage, bare.id).await, Some(bare), "another case keeps its children");
}

/// Nothing of a company out of scope is seen or changed, and a stale version replaces nothing.
pub async fn a_case_changes_in_scope_and_at_its_version(storage: Storage) {
    let [ours, theirs] = put_accounts(&storage).await;
    let [client, _] = contacts(&storage, theirs).await;
    let theirs = bare_case(theirs, 20, client);
    put(&storage, std::slice::from_ref(&theirs)).await;
    let (scope, after) = (scope(&[ours]), Case { version: theirs.version.next(), ..theirs.clone() });
    assert_eq!(storage.cases().find(&scope, theirs.id).await.expect("find"), None);
    assert_conflict(&attempt!(storage, |unit| unit.cases().replace(&scope, &theirs, &after)));
    let stale = Case { version: Version::from_i64(9), ..theirs.clone() };
    assert_conflict(&attempt!(storage, |unit| unit.cases().replace(&everything(), &stale, &after)));
    assert_eq!(find(&storage, theirs.id).await, Some(theirs));
}

/// `externalId` is unique within a company, for cases by themselves.
pub async fn an_external_id_of_a_case_is_taken_once(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let [client, other] = contacts(&storage, company).await;
    let first = case(company, 20, client, other);
    put(&storage, std::slice::from_ref(&first)).await;
    let clash = Case { extension: first.extension.clone(), ..bare_case(company, 21, client) };
    assert_taken(&attempt!(storage, |unit| unit.cases().insert(&everything(), &clash)), "externalId");
}

/// Each filter narrows the list to what it names; each order is the one asked for.
pub async fn every_filter_and_order_of_cases_holds(storage: Storage) {
    let [company, elsewhere] = put_accounts(&storage).await;
    let [client, other] = contacts(&storage, company).await;
    let [stranger] = [organization(elsewhere, 30, "Ajena SL")];
    put_contacts(&storage, std::slice::from_ref(&stranger)).await;
    let full = case(company, 20, client, other);
    let held = Case {
        status: CaseStatus::OnHold,
        due_on: Some(date(2025, 3, 31)),
        opened_on: date(2024, 12, 31),
        updated_at: at(500),
        ..bare_case(company, 21, other)
    };
    let lost = Case {
        status: CaseStatus::Closed { outcome: Outcome::Lost, on: date(2025, 3, 2) },
        ..bare_case(company, 22, client)
    };
    let foreign = bare_case(elsewhere, 23, stranger.id);
    put(&storage, &[full.clone(), held.clone(), lost.clone(), foreign.clone()]).await;
    let any = CaseFilter::default;
    let matching = async |filter: CaseFilter, sort: Option<(CaseSort, Direction)>| {
        let page = storage.cases().page(&everything(), &filter, &Sort(sort), whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        ids(&page.items)
    };
    let text = |text: &str| CaseFilter { text: Some(text.to_owned()), ..any() };
    for (name, filter, expected) in [
        ("all", any(), vec![&full, &held, &lost, &foreign]),
        ("company", CaseFilter { companies: vec![elsewhere], ..any() }, vec![&foreign]),
        ("on hold", CaseFilter { status: Some(StatusFilter::OnHold), ..any() }, vec![&held]),
        ("closed", CaseFilter { status: Some(StatusFilter::Closed), ..any() }, vec![&full, &lost]),
        ("type", CaseFilter { case_type: Some(CaseType::Tax), ..any() }, vec![&full]),
        ("contact", CaseFilter { contact: Some(other), ..any() }, vec![&held]),
        ("responsible", CaseFilter { responsible: Some(id(99)), ..any() }, vec![]),
        ("tag", CaseFilter { tag: Some("vip".to_owned()), ..any() }, vec![&full]),
        ("number", text("2025-0021"), vec![&held]),
        ("title", text("inspección 20"), vec![&full]),
        ("external id", CaseFilter { external_id: Some("case-20".to_owned()), ..any() }, vec![&full]),
        ("updated since", CaseFilter { updated_since: Some(at(500)), ..any() }, vec![&held]),
        ("from", CaseFilter { from: Some(date(2025, 1, 1)), ..any() }, vec![&full, &lost, &foreign]),
        ("to", CaseFilter { to: Some(date(2024, 12, 31)), ..any() }, vec![&held]),
    ] {
        assert_eq!(matching(filter, None).await, ids(expected), "{name}");
    }
    let ours = || CaseFilter { companies: vec![company], ..any() };
    let (up, down) = (Direction::Ascending, Direction::Descending);
    assert_eq!(matching(ours(), Some((CaseSort::Number, down))).await, ids([&lost, &held, &full]));
    assert_eq!(matching(ours(), Some((CaseSort::DueOn, up))).await, ids([&held, &full, &lost]));
    assert_eq!(matching(ours(), Some((CaseSort::UpdatedAt, down))).await, ids([&held, &lost, &full]));
}

/// Numbers count up for each company and year; a unit that is dropped leaves no more than a gap.
pub async fn cases_are_numbered_by_company_and_year(storage: Storage) {
    let [first, second] = put_accounts(&storage).await;
    let next = async |company, year| {
        attempt!(storage, |unit| unit.cases().next_number(company, year)).expect("a number")
    };
    assert_eq!((next(first, 2025).await, next(first, 2025).await), (1, 2));
    assert_eq!((next(second, 2025).await, next(first, 2026).await), (1, 1));
    let dropped = storage.begin().await.expect("begin");
    dropped.cases().next_number(first, 2025).await.expect("a number");
    drop(dropped);
    assert!(next(first, 2025).await > 2);
}

/// A timeline comes back in pages, oldest entry first, and not for a scope without the company.
pub async fn a_timeline_is_read_in_pages(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let [client, _] = contacts(&storage, company).await;
    let with = Case { entries: 5, ..bare_case(company, 20, client) };
    let entry = |position: u32| Entry {
        position,
        at: at(i64::from(position)),
        by: (position == 2).then(|| id(30)),
        kind: if position == 4 { EntryKind::Closed } else { EntryKind::Note },
        status: if position == 4 {
            CaseStatus::Closed { outcome: Outcome::Won, on: date(2025, 3, 9) }
        } else {
            CaseStatus::Open
        },
        text: (position != 4).then(|| format!("Nota {position} «ñ»")),
    };
    let unit = storage.begin().await.expect("begin");
    unit.cases().insert(&everything(), &with).await.expect("insert");
    for position in 0..5 {
        unit.cases().append(&with, &entry(position)).await.expect("append");
    }
    unit.commit().await.expect("commit");
    let page = async |number| {
        let request = PageRules::USUAL.page(Some(number), Some(2)).expect("a page");
        let page = storage.cases().timeline(&scope(&[company]), with.id, request).await.expect("read");
        let page = page.expect("a case");
        assert_eq!(page.total, 5);
        page.items
    };
    for (number, expected) in [(1, vec![0, 1]), (2, vec![2, 3]), (3, vec![4]), (4, vec![])] {
        assert_eq!(page(number).await, expected.into_iter().map(entry).collect::<Vec<_>>());
    }
    assert_eq!(storage.cases().timeline(&scope(&[other]), with.id, whole()).await.expect("read"), None);
}

/// A case may be linked with sales documents, active files, envelopes, notices and tax returns of its own company.
pub async fn cases_are_linked_with_records_of_their_company(storage: Storage) {
    let shop = Shop::new(storage).await;
    let (storage, company) = (&shop.storage, shop.company.id);
    let other = bare_account(5);
    insert_accounts(storage, std::slice::from_ref(&other)).await;
    let invoice = shop.invoice("10.00", true).await.id.uuid();
    let deleted = File { status: FileStatus::Deleted { at: at(50), purged: false }, ..file(company, 41) };
    files::put(storage, &[file(company, 40), deleted, file(other.id, 42)]).await;
    let envelopes = [draft(company, 43, vec![signer(60)]), draft(other.id, 44, vec![signer(61)])];
    let notices = [bare_notice(company, 45), bare_notice(other.id, 46)];
    let returns = [(company, 47), (other.id, 48)]
        .map(|(company, number)| taxes::pending(company, number, Model::M303, (2025, "1T")));
    let unit = storage.begin().await.expect("begin");
    for ((envelope, notice), declared) in envelopes.iter().zip(&notices).zip(&returns) {
        unit.envelopes().insert(&everything(), envelope).await.expect("an envelope");
        unit.notices().insert(&everything(), notice).await.expect("a notice");
        unit.tax_returns().insert(&everything(), declared).await.expect("a return");
    }
    unit.commit().await.expect("commit");
    let link = |kind, number| CaseLink { kind, id: Uuid::from_u128(number) };
    let known = [
        CaseLink { kind: CaseLinkType::Invoice, id: invoice },
        link(CaseLinkType::File, 40),
        link(CaseLinkType::Envelope, 43),
        link(CaseLinkType::Notice, 45),
        link(CaseLinkType::TaxReturn, 47),
    ];
    let unknown = [
        CaseLink { kind: CaseLinkType::File, id: invoice },
        link(CaseLinkType::Invoice, 40),
        link(CaseLinkType::File, 41),
        link(CaseLinkType::File, 42),
        link(CaseLinkType::Envelope, 44),
        link(CaseLinkType::Notice, 46),
        link(CaseLinkType::TaxReturn, 48),
    ];
    let all: Vec<_> = known.into_iter().chain(unknown).collect();
    let found = async |scope: &Scope| storage.cases().linkable(scope, company, &all).await.expect("read");
    assert_eq!(found(&everything()).await, known);
    assert_eq!(found(&scope(&[other.id])).await, []);
    assert_eq!(storage.cases().linkable(&everything(), company, &[]).await.expect("read"), []);
}

/// A contact that a case is for, or that takes part, is in use; cases follow when it is absorbed, and move with
/// their company.
pub async fn cases_follow_their_contacts_and_their_company(storage: Storage) {
    let [company, survivor] = put_accounts(&storage).await;
    let [client, other] = contacts(&storage, company).await;
    let mut both = case(company, 20, client, other);
    both.participants = vec![client, other];
    put(&storage, std::slice::from_ref(&both)).await;
    let contact = async |id| storage.contacts().find(&everything(), id).await.expect("find").expect("there");
    let (absorbed, kept) = (contact(client).await, contact(other).await);
    let unit = storage.begin().await.expect("begin");
    assert!(unit.contacts().is_referenced(&absorbed).await.expect("query"));
    let tombstone = svc_business::contact::Contact {
        status: ContactStatus::Merged { into: other },
        version: absorbed.version.next(),
        ..absorbed.clone()
    };
    unit.contacts().replace(&everything(), &absorbed, &tombstone).await.expect("a tombstone");
    unit.contacts().repoint(&tombstone, &kept, at(70)).await.expect("repoint");
    unit.commit().await.expect("commit");
    let followed = find(&storage, both.id).await.expect("there");
    assert_eq!((followed.contact, &followed.participants), (other, &vec![other]), "each contact once");
    assert!(followed.version > both.version && followed.updated_at == at(70));
    // Those that follow are changed as if they had been written so.
    let third = organization(company, 12, "Tercera SL");
    put_contacts(&storage, std::slice::from_ref(&third)).await;
    let joined =
        Case { participants: vec![other, third.id], version: followed.version.next(), ..followed.clone() };
    attempt!(storage, |unit| unit.cases().replace(&everything(), &followed, &joined)).expect("replace");
    assert_eq!(find(&storage, both.id).await.as_ref(), Some(&joined));

    attempt!(storage, |unit| unit.accounts().move_records(company, survivor, at(80))).expect("moved");
    let moved = find(&storage, both.id).await.expect("there");
    assert_eq!((moved.company, moved.tags, moved.participants), (survivor, both.tags, vec![other, third.id]));
}
