//! Data rooms: entries kept whole, found by every filter, with places that are given once and views that are counted.

use svc_business::document::room::{
    DataRoomFile, DataRoomFilter, DataRoomSort, DataRoomView, MOST_VIEWS, Section, Viewer,
};
use svc_business::party::Extension;
use svc_core::id::{AccountId, DataRoomFileId, FileId};
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::resource::Version;

use super::files::put as put_files;
use super::{Storage, assert_conflict, assert_taken, attempt, ids, put_accounts, whole};
use crate::business::sample::{self, at, everything, id, scope};

fn section(text: &str) -> Section {
    text.parse().expect("a section")
}

/// An entry with as little as there can be.
pub(super) fn bare(company: AccountId, number: u32, file: FileId, text: &str) -> DataRoomFile {
    DataRoomFile {
        id: id(u128::from(number)),
        company,
        file,
        file_version: 1,
        section: section(text),
        place: number,
        title: format!("Estatutos {number}"),
        watermark: false,
        downloadable: true,
        expires_at: None,
        added_by: None,
        views: 0,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: at(i64::from(number)),
        updated_at: at(i64::from(number)),
    }
}

/// The same with every member.
fn full(company: AccountId, number: u32, file: FileId, text: &str) -> DataRoomFile {
    DataRoomFile {
        file_version: 2,
        title: "Ñandú «2025»".to_owned(),
        watermark: true,
        downloadable: false,
        expires_at: Some(at(900)),
        added_by: Some(id(99)),
        views: 7,
        extension: Extension {
            external_id: Some(format!("room-{number}")),
            metadata: [("region".to_owned(), "north".to_owned())].into(),
        },
        ..bare(company, number, file, text)
    }
}

pub(super) async fn file(storage: &Storage, company: AccountId, number: u32) -> FileId {
    let file = sample::file(company, number);
    put_files(storage, std::slice::from_ref(&file)).await;
    file.id
}

pub(super) async fn put(storage: &Storage, entries: &[DataRoomFile]) {
    let unit = storage.begin().await.expect("begin");
    for entry in entries {
        unit.data_room().insert(&everything(), entry).await.expect("insert an entry");
    }
    unit.commit().await.expect("commit");
}

async fn find(storage: &Storage, id: DataRoomFileId) -> Option<DataRoomFile> {
    storage.data_room().find(&everything(), id).await.expect("find")
}

/// Every member comes back, within the scope and at its version, until the entry is erased.
pub async fn a_data_room_entry_comes_back_whole(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let file = file(&storage, company, 20).await;
    let (whole, plain) = (full(company, 30, file, "1 Uno/1.2 Dos"), bare(company, 31, file, "Tres"));
    put(&storage, &[whole.clone(), plain.clone()]).await;
    assert_eq!(find(&storage, whole.id).await.as_ref(), Some(&whole));
    assert_eq!(find(&storage, plain.id).await.as_ref(), Some(&plain));
    assert_eq!(storage.data_room().find(&scope(&[other]), whole.id).await.expect("find"), None);
    let clash = DataRoomFile { extension: whole.extension.clone(), ..bare(company, 32, file, "Tres") };
    assert_taken(&attempt!(storage, |unit| unit.data_room().insert(&everything(), &clash)), "externalId");
    let after = DataRoomFile { version: plain.version.next(), ..full(company, 31, file, "4 Cuatro") };
    let after = DataRoomFile { extension: Extension::default(), ..after };
    attempt!(storage, |unit| unit.data_room().replace(&everything(), &plain, &after)).expect("replace");
    assert_eq!(find(&storage, plain.id).await.as_ref(), Some(&after));
    assert_conflict(&attempt!(storage, |unit| unit.data_room().erase(&everything(), &plain)));
    attempt!(storage, |unit| unit.data_room().erase(&everything(), &after)).expect("erase");
    assert_eq!(find(&storage, plain.id).await, None);
}

/// Each filter narrows the list to what it names; each order is the one asked for.
pub async fn every_filter_and_order_of_a_data_room_holds(storage: Storage) {
    let [company, elsewhere] = put_accounts(&storage).await;
    let (one, two) = (file(&storage, company, 20).await, file(&storage, company, 21).await);
    let foreign = file(&storage, elsewhere, 22).await;
    let last = full(company, 30, one, "10 Fin");
    let top = bare(company, 31, one, "1 Corporate");
    let below = bare(company, 32, two, "1 Corporate/1.2 Statutes");
    let beside = DataRoomFile { updated_at: at(500), ..bare(company, 33, two, "1 Corporate B") };
    let foreign = bare(elsewhere, 34, foreign, "1 Corporate");
    let all = [last.clone(), top.clone(), below.clone(), beside.clone(), foreign.clone()];
    put(&storage, &all).await;
    let any = DataRoomFilter::default;
    let matching = async |filter: DataRoomFilter, sort: Option<(DataRoomSort, Direction)>| {
        let page =
            storage.data_room().page(&everything(), &filter, &Sort(sort), whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        ids(&page.items)
    };
    let ours = || DataRoomFilter { companies: vec![company], ..any() };
    let within = |text: &str| DataRoomFilter { section: Some(section(text)), ..ours() };
    for (name, filter, expected) in [
        ("all", any(), vec![&last, &top, &below, &beside, &foreign]),
        ("company", DataRoomFilter { companies: vec![elsewhere], ..any() }, vec![&foreign]),
        ("section", within("1 corporate"), vec![&top, &below]),
        ("below", within("1 Corporate/1.2 statutes"), vec![&below]),
        ("none", within("1 Corp"), vec![]),
        (
            "everywhere",
            DataRoomFilter { section: Some(section("1 Corporate")), ..any() },
            vec![&top, &below, &foreign],
        ),
        ("file", DataRoomFilter { file: Some(two), ..any() }, vec![&below, &beside]),
        ("external id", DataRoomFilter { external_id: Some("room-30".to_owned()), ..any() }, vec![&last]),
        ("updated since", DataRoomFilter { updated_since: Some(at(500)), ..any() }, vec![&beside]),
    ] {
        assert_eq!(matching(filter, None).await, ids(expected), "{name}");
    }
    let (up, down) = (Direction::Ascending, Direction::Descending);
    let by = async |filter, key, direction| matching(filter, Some((key, direction))).await;
    assert_eq!(by(ours(), DataRoomSort::Index, up).await, ids([&top, &below, &beside, &last]));
    assert_eq!(by(within("1 Corporate"), DataRoomSort::Index, down).await, ids([&below, &top]));
    assert_eq!(by(ours(), DataRoomSort::UpdatedAt, down).await, ids([&beside, &below, &top, &last]));
}

/// A place is given once in its section, whatever the case of that, and behind those that came from elsewhere.
pub async fn places_of_a_section_are_given_once(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let next = async |company, text: &str| {
        attempt!(storage, |unit| unit.data_room().next_place(company, &section(text))).expect("a place")
    };
    assert_eq!((next(company, "1 Uno").await, next(company, "1 UNO").await), (1, 2));
    assert_eq!((next(company, "1 Uno/1.1 Dos").await, next(other, "1 Uno").await), (1, 1));
    let unit = storage.begin().await.expect("begin");
    assert_eq!(unit.data_room().next_place(company, &section("1 Uno")).await.expect("a place"), 3);
    drop(unit);
    let file = file(&storage, company, 20).await;
    let came = bare(company, 30, file, "1 Uno");
    let below = bare(company, 31, file, "1 Uno/1.1 Dos");
    put(&storage, &[came.clone(), below]).await;
    assert_eq!(next(company, "1 Uno").await, 31);
    attempt!(storage, |unit| unit.data_room().erase(&everything(), &came)).expect("erase");
    assert_eq!((next(company, "1 Uno").await, next(company, "1 Uno/1.1 Dos").await), (32, 32));
}

/// Views are counted, and the latest ones are read in pages.
pub async fn views_are_counted_and_the_latest_are_kept(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let file = file(&storage, company, 20).await;
    let entry = bare(company, 30, file, "Uno");
    put(&storage, &[entry.clone(), bare(company, 31, file, "Uno")]).await;
    let view = async |seconds, viewer| {
        attempt!(storage, |unit| unit.data_room().view(&entry, at(seconds), viewer)).expect("viewed")
    };
    let viewers = [Viewer::Token(id(80)), Viewer::Person(id(81)), Viewer::Service];
    for (number, viewer) in (1_u32..).zip(viewers) {
        assert_eq!(view(100 + i64::from(number), viewer).await, Some(number));
    }
    let seen =
        |number: u32, viewer| DataRoomView { number, at: at(100 + i64::from(number)), viewer, guest: None };
    let all = [seen(3, viewers[2]), seen(2, viewers[1]), seen(1, viewers[0])];
    let page = async |number, limit| {
        let request = PageRules::USUAL.page(Some(number), Some(limit)).expect("a page");
        let page = storage.data_room().views(&everything(), entry.id, request).await.expect("read");
        page.map(|page| (page.items, page.total)).expect("an entry")
    };
    assert_eq!(page(1, 9).await, (all.to_vec(), 3));
    assert_eq!(page(1, 2).await, (all[..2].to_vec(), 3));
    assert_eq!(page(2, 2).await, (all[2..].to_vec(), 3));
    assert_eq!(page(3, 2).await, (vec![], 3));
    let hidden = storage.data_room().views(&scope(&[other]), entry.id, whole()).await.expect("read");
    assert_eq!(hidden, None);
    let counted = find(&storage, entry.id).await.expect("there");
    assert_eq!((counted.views, counted.version, counted.updated_at), (3, entry.version, entry.updated_at));
    // As if there had been many in between.
    let many = DataRoomFile { views: MOST_VIEWS, version: counted.version.next(), ..counted.clone() };
    attempt!(storage, |unit| unit.data_room().replace(&everything(), &counted, &many)).expect("replaced");
    assert_eq!(view(200, Viewer::Service).await, Some(MOST_VIEWS + 1));
    let (items, total) = page(1, 9).await;
    assert_eq!((items.len(), total), (1, u64::from(MOST_VIEWS)));
    let few = DataRoomFile { views: 3, version: many.version.next(), ..many.clone() };
    attempt!(storage, |unit| unit.data_room().replace(&everything(), &many, &few)).expect("replaced");
    assert_eq!(page(1, 9).await, (all[..2].to_vec(), 3), "the first one is kept no more");
    attempt!(storage, |unit| unit.data_room().erase(&everything(), &few)).expect("erased with its views");
    assert_eq!(view(300, Viewer::Service).await, None);
    assert_eq!(storage.data_room().views(&everything(), entry.id, whole()).await.expect("read"), None);
}

/// A file is in use by its entries, and a company takes its data room along.
pub async fn a_data_room_holds_its_files_and_follows_its_company(storage: Storage) {
    let [company, survivor] = put_accounts(&storage).await;
    let file = sample::file(company, 20);
    put_files(&storage, &[file.clone(), sample::file(company, 21)]).await;
    let entry = full(company, 30, file.id, "1 Uno");
    put(&storage, std::slice::from_ref(&entry)).await;
    let is_used = async |company, number| {
        attempt!(storage, |unit| unit.files().is_referenced(&sample::file(company, number))).expect("asked")
    };
    assert_eq!((is_used(company, 20).await, is_used(company, 21).await), (true, false));
    let viewed = attempt!(storage, |unit| unit.data_room().view(&entry, at(60), Viewer::Service));
    assert_eq!(viewed.expect("viewed"), Some(8));
    attempt!(storage, |unit| unit.accounts().move_records(company, survivor, at(80))).expect("moved");
    let moved = DataRoomFile {
        company: survivor,
        views: 8,
        version: entry.version.next(),
        updated_at: at(80),
        ..entry
    };
    assert_eq!(find(&storage, moved.id).await.as_ref(), Some(&moved));
    let views = storage.data_room().views(&scope(&[survivor]), moved.id, whole()).await.expect("read");
    assert_eq!(views.map(|page| page.items.len()), Some(1));
    assert!(is_used(survivor, 20).await);
    attempt!(storage, |unit| unit.data_room().erase(&everything(), &moved)).expect("erase");
    assert!(!is_used(survivor, 20).await);
}
