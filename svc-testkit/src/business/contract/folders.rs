//! Folders: kept whole, found by every filter, one of a name in each place, with a depth.

use svc_business::document::folder::{Folder, FolderFilter, FolderSort, Within};
use svc_business::party::Extension;
use svc_core::error::StoreError;
use svc_core::id::FolderId;
use svc_core::page::{Direction, Sort};
use svc_core::resource::Version;

use super::{Storage, assert_conflict, assert_taken, attempt, ids, put_accounts, whole};
use crate::business::sample::{at, everything, folder, scope};

pub(super) async fn put(storage: &Storage, folders: &[Folder]) {
    for folder in folders {
        insert(storage, folder).await.expect("insert a folder");
    }
}

async fn insert(storage: &Storage, folder: &Folder) -> Result<(), StoreError> {
    attempt!(storage, |unit| unit.folders().insert(&everything(), folder))
}

async fn find(storage: &Storage, id: FolderId) -> Option<Folder> {
    storage.folders().find(&everything(), id).await.expect("find")
}

/// Every member comes back, within the scope and at its version, until the folder is erased.
pub async fn a_folder_comes_back_whole(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let top = folder(company, 30, None, "Facturas «2025»");
    let extension = Extension { external_id: Some("folder-31".to_owned()), ..Extension::default() };
    let inner = Folder { extension, ..folder(company, 31, Some(top.id), "Ñandú 東京") };
    put(&storage, &[top.clone(), inner.clone()]).await;
    assert_eq!(find(&storage, top.id).await.as_ref(), Some(&top));
    assert_eq!(find(&storage, inner.id).await.as_ref(), Some(&inner));
    assert_eq!(storage.folders().find(&scope(&[other]), top.id).await.expect("find"), None);
    let after = Folder { version: inner.version.next(), ..folder(company, 31, None, "Fuera") };
    attempt!(storage, |unit| unit.folders().replace(&everything(), &inner, &after)).expect("replace");
    assert_eq!(find(&storage, inner.id).await.as_ref(), Some(&after));
    assert_conflict(&attempt!(storage, |unit| unit.folders().replace(&everything(), &inner, &after)));
    attempt!(storage, |unit| unit.folders().erase(&everything(), &after)).expect("erase");
    assert_eq!(find(&storage, inner.id).await, None);
}

/// A name is there once in each place, whatever its case.
pub async fn a_name_of_a_folder_is_taken_once_in_its_place(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let top = folder(company, 30, None, "Facturas");
    let within = folder(company, 31, Some(top.id), "Facturas");
    put(&storage, &[top.clone(), within, folder(other, 32, None, "Facturas")]).await;
    assert_taken(&insert(&storage, &folder(company, 33, None, "FACTURAS")).await, "name");
    assert_taken(&insert(&storage, &folder(company, 34, Some(top.id), "facturas")).await, "name");
    let extension = Extension { external_id: Some("one".to_owned()), ..Extension::default() };
    let with = |number, name| Folder { extension: extension.clone(), ..folder(company, number, None, name) };
    put(&storage, &[with(35, "Uno")]).await;
    assert_taken(&insert(&storage, &with(36, "Dos")).await, "externalId");
}

/// Each filter narrows the list to what it names; each order is the one asked for.
pub async fn every_filter_and_order_of_folders_holds(storage: Storage) {
    let [company, elsewhere] = put_accounts(&storage).await;
    let top = folder(company, 30, None, "contratos");
    let extension = Extension { external_id: Some("f-31".to_owned()), ..Extension::default() };
    let inner = Folder { extension, updated_at: at(500), ..folder(company, 31, Some(top.id), "Bancos") };
    let last = folder(company, 32, None, "Actas");
    let foreign = folder(elsewhere, 33, None, "Actas");
    put(&storage, &[top.clone(), inner.clone(), last.clone(), foreign.clone()]).await;
    let any = FolderFilter::default;
    let matching = async |filter: FolderFilter, sort: Option<(FolderSort, Direction)>| {
        let page = storage.folders().page(&everything(), &filter, &Sort(sort), whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        ids(&page.items)
    };
    let ours = || FolderFilter { companies: vec![company], ..any() };
    for (name, filter, expected) in [
        ("all", any(), vec![&top, &inner, &last, &foreign]),
        ("company", ours(), vec![&top, &inner, &last]),
        ("top", FolderFilter { parent: Some(Within::Top), ..ours() }, vec![&top, &last]),
        ("within", FolderFilter { parent: Some(Within::Folder(top.id)), ..any() }, vec![&inner]),
        ("external id", FolderFilter { external_id: Some("f-31".to_owned()), ..any() }, vec![&inner]),
        ("updated since", FolderFilter { updated_since: Some(at(500)), ..any() }, vec![&inner]),
    ] {
        assert_eq!(matching(filter, None).await, ids(expected), "{name}");
    }
    let by = async |key, direction| matching(ours(), Some((key, direction))).await;
    assert_eq!(by(FolderSort::Name, Direction::Ascending).await, ids([&last, &inner, &top]));
    assert_eq!(by(FolderSort::UpdatedAt, Direction::Descending).await, ids([&inner, &last, &top]));
}

/// The levels below a folder are counted up to a limit, and what is in it refers to it.
pub async fn levels_below_a_folder_are_counted(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let mut chain = vec![folder(company, 30, None, "0")];
    for number in 31..36 {
        let parent = chain.last().map(|folder| folder.id);
        chain.push(folder(company, number, parent, "x"));
    }
    let beside = folder(company, 40, chain.first().map(|folder| folder.id), "y");
    chain.push(beside.clone());
    put(&storage, &chain).await;
    let levels = async |number: u32, limit| {
        let asked = folder(company, number, None, "");
        storage.folders().levels_below(&asked, limit).await.expect("read")
    };
    assert_eq!((levels(30, 10).await, levels(33, 10).await, levels(35, 10).await), (5, 2, 0));
    assert_eq!(levels(30, 3).await, 3);
    let unit = storage.begin().await.expect("begin");
    let referenced = async |folder: &Folder| unit.folders().is_referenced(folder).await.expect("read");
    assert!(referenced(chain.first().expect("the top")).await);
    assert!(!referenced(&beside).await);
}

/// A company takes its folders along.
pub async fn folders_follow_their_company(storage: Storage) {
    let [company, survivor] = put_accounts(&storage).await;
    let top = folder(company, 30, None, "Facturas");
    let inner = folder(company, 31, Some(top.id), "2025");
    put(&storage, &[top.clone(), inner.clone()]).await;
    attempt!(storage, |unit| unit.accounts().move_records(company, survivor, at(80))).expect("moved");
    for folder in [top, inner] {
        let moved = find(&storage, folder.id).await;
        let version = Version::FIRST.next();
        assert_eq!(moved, Some(Folder { company: survivor, version, updated_at: at(80), ..folder }));
    }
}
