//! Files: kept whole with their versions, links and tags, found by every filter, with contents that are told from those that
//! no file names.

use std::sync::Arc;

use svc_business::document::file::{
    File, FileFilter, FileLink, FileSort, FileStatus, FileStatusFilter, FileVersion, collect,
};
use svc_business::document::folder::Within;
use svc_business::job::{Job, JobKind};
use svc_business::party::Extension;
use svc_core::audit::Actor;
use svc_core::clock::Clock as _;
use svc_core::content::{ContentStore as _, Digest};
use svc_core::id::{AccountId, ContactId};
use svc_core::page::{Direction, Sort};
use svc_core::pii::PiiAccess;
use svc_core::unit::CallContext;

use super::folders::put as put_folders;
use super::{Storage, assert_conflict, assert_taken, attempt, ids, put_accounts, put_contacts, whole};
use crate::business::sample::{at, date, everything, file, file_version, folder, id, organization, scope};
use crate::content::{MemoryContent, upload};
use crate::fakes::{ManualClock, SeededRandom};

const DAY: i64 = 24 * 3_600;

/// A file with every member; it needs a contact and a folder with the number before its own.
fn full(company: AccountId, number: u32, contact: ContactId) -> File {
    let second = FileVersion {
        mime_type: "text/csv".to_owned(),
        by: Some(id(99)),
        ..file_version(company, 2, &format!("second {number}"))
    };
    File {
        name: "Ñandú «2025».csv".to_owned(),
        folder: Some(id(u128::from(number - 1))),
        versions: vec![file_version(company, 1, &format!("file {number}")), second],
        links: vec![
            FileLink::Notice(id(71)),
            FileLink::Contact(contact),
            FileLink::Invoice(id(72)),
            FileLink::Envelope(id(73)),
            FileLink::TaxReturn(id(74)),
        ],
        tags: vec!["vip".to_owned(), "Añejo".to_owned()],
        contains_personal_data: true,
        retain_until: Some(date(2031, 12, 31)),
        extension: Extension {
            external_id: Some(format!("file-{number}")),
            metadata: [("region".to_owned(), "north".to_owned())].into(),
        },
        ..file(company, number)
    }
}

/// A full file with what it needs.
async fn put_full(storage: &Storage, company: AccountId, number: u32) -> File {
    let contact = organization(company, 10, "Cliente SL");
    put_contacts(storage, std::slice::from_ref(&contact)).await;
    put_folders(storage, &[folder(company, number - 1, None, "Facturas")]).await;
    let file = full(company, number, contact.id);
    put(storage, std::slice::from_ref(&file)).await;
    file
}

pub(super) async fn put(storage: &Storage, files: &[File]) {
    let unit = storage.begin().await.expect("begin");
    for file in files {
        unit.files().insert(&everything(), file).await.expect("insert a file");
    }
    unit.commit().await.expect("commit");
}

async fn find(storage: &Storage, file: &File) -> Option<File> {
    storage.files().find(&everything(), file.id).await.expect("find")
}

/// Every member comes back, as it was added and as it was replaced, within the scope and at its version.
pub async fn a_file_comes_back_whole(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let (whole, bare_one) = (put_full(&storage, company, 31).await, file(company, 40));
    put(&storage, std::slice::from_ref(&bare_one)).await;
    assert_eq!(find(&storage, &whole).await.as_ref(), Some(&whole));
    assert_eq!(find(&storage, &bare_one).await.as_ref(), Some(&bare_one));
    assert_eq!(storage.files().find(&scope(&[other]), whole.id).await.expect("find"), None);
    let mut after = File { version: whole.version.next(), updated_at: at(60), ..whole.clone() };
    after.versions.push(file_version(company, 3, "third"));
    after.links.reverse();
    after.status = FileStatus::Deleted { at: at(60), purged: false };
    attempt!(storage, |unit| unit.files().replace(&everything(), &whole, &after)).expect("replace");
    assert_eq!(find(&storage, &whole).await.as_ref(), Some(&after));
    assert_conflict(&attempt!(storage, |unit| unit.files().replace(&everything(), &whole, &after)));
    let clash =
        File { extension: Extension { metadata: [].into(), ..whole.extension.clone() }, ..file(company, 41) };
    assert_taken(&attempt!(storage, |unit| unit.files().insert(&everything(), &clash)), "externalId");
}

/// Each filter narrows the list to what it names; each order is the one asked for.
pub async fn every_filter_and_order_of_files_holds(storage: Storage) {
    let [company, elsewhere] = put_accounts(&storage).await;
    let whole_file = put_full(&storage, company, 31).await;
    let late = File { created_at: at(200_000), updated_at: at(500), ..file(company, 32) };
    let gone = File { status: FileStatus::Deleted { at: at(60), purged: false }, ..file(company, 33) };
    let foreign = file(elsewhere, 34);
    put(&storage, &[late.clone(), gone.clone(), foreign.clone()]).await;
    let any = FileFilter::default;
    let matching = async |filter: FileFilter, sort: Option<(FileSort, Direction)>| {
        let page = storage.files().page(&everything(), &filter, &Sort(sort), whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        ids(&page.items)
    };
    let ours = || FileFilter { companies: vec![company], ..any() };
    let linked = |link| FileFilter { link: Some(link), ..any() };
    let within = |within| FileFilter { folder: Some(within), ..ours() };
    let day = late.created_at.date();
    let text = |text: &str| FileFilter { text: Some(text.to_owned()), ..any() };
    for (name, filter, expected) in [
        ("all", any(), vec![&whole_file, &foreign, &late]),
        ("company", FileFilter { companies: vec![elsewhere], ..any() }, vec![&foreign]),
        ("deleted", FileFilter { status: FileStatusFilter::Deleted, ..any() }, vec![&gone]),
        ("folder", within(Within::Folder(id(30))), vec![&whole_file]),
        ("top", within(Within::Top), vec![&late]),
        ("contact", linked(FileLink::Contact(organization(company, 10, "").id)), vec![&whole_file]),
        ("notice", linked(FileLink::Notice(id(71))), vec![&whole_file]),
        ("envelope", linked(FileLink::Envelope(id(73))), vec![&whole_file]),
        ("another kind", linked(FileLink::Case(id(71))), vec![]),
        ("type", FileFilter { mime_type: Some("text/csv".to_owned()), ..any() }, vec![&whole_file]),
        ("first type", FileFilter { mime_type: Some("application/pdf".to_owned()), ..ours() }, vec![&late]),
        ("tag", FileFilter { tag: Some("vip".to_owned()), ..any() }, vec![&whole_file]),
        ("text", text("nandu"), vec![&whole_file]),
        ("external id", FileFilter { external_id: Some("file-31".to_owned()), ..any() }, vec![&whole_file]),
        ("updated since", FileFilter { updated_since: Some(at(500)), ..any() }, vec![&late]),
        ("from", FileFilter { from: Some(day), ..any() }, vec![&late]),
        ("to", FileFilter { to: day.previous_day(), ..any() }, vec![&whole_file, &foreign]),
    ] {
        assert_eq!(matching(filter, None).await, ids(expected), "{name}");
    }
    let by = async |key, direction| matching(ours(), Some((key, direction))).await;
    assert_eq!(by(FileSort::Name, Direction::Ascending).await, ids([&late, &whole_file]));
    assert_eq!(by(FileSort::UpdatedAt, Direction::Descending).await, ids([&late, &whole_file]));
    let in_folder = within(Within::Folder(id(30)));
    let sort = Some((FileSort::Name, Direction::Descending));
    assert_eq!(matching(in_folder, sort).await, ids([&whole_file]));
}

/// A content is named as long as a file of any company names it that was not purged.
pub async fn contents_are_named_until_they_are_purged(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let deleted = |number, seconds| File {
        status: FileStatus::Deleted { at: at(seconds), purged: false },
        ..file(company, number)
    };
    let (kept, early, late) = (file(company, 30), deleted(31, 10), deleted(32, 20));
    // It was moved here; its content stayed where it was.
    let moved = File { company: other, ..file(company, 33) };
    put(&storage, &[kept.clone(), early.clone(), late.clone(), moved.clone()]).await;
    let digest = |file: &File| file.versions.first().expect("a version").content.digest;
    let all = [&kept, &early, &late, &moved].map(digest);
    let unknown = Digest::of(b"unknown");
    let named = async |company, digests: &[Digest]| {
        let mut named = storage.files().named(company, digests).await.expect("read");
        named.sort_unstable();
        named
    };
    let sorted = |files: &[&File]| {
        let mut digests: Vec<_> = files.iter().map(|file| digest(file)).collect();
        digests.sort_unstable();
        digests
    };
    assert_eq!(
        named(company, &[&all[..], &[unknown]].concat()).await,
        sorted(&[&kept, &early, &late, &moved])
    );
    assert_eq!((named(other, &all).await, named(company, &[]).await), (vec![], vec![]));
    let purge = async |before, limit| {
        attempt!(storage, |unit| unit.files().purge(company, at(before), limit)).expect("purged")
    };
    assert_eq!((purge(10, 9).await, purge(30, 1).await), (0, 1), "the earliest one goes first");
    assert_eq!(named(company, &all).await, sorted(&[&kept, &late, &moved]));
    assert_eq!((purge(30, 9).await, purge(30, 9).await), (1, 0));
    assert_eq!(named(company, &all).await, sorted(&[&kept, &moved]));
    let status = FileStatus::Deleted { at: at(10), purged: true };
    assert_eq!(find(&storage, &early).await, Some(File { status, ..early }));
}

/// A link follows the contact that it names, and a company takes its files along.
pub async fn files_follow_contacts_and_their_company(storage: Storage) {
    let [company, survivor] = put_accounts(&storage).await;
    let file = put_full(&storage, company, 31).await;
    let (from, to) = (organization(company, 10, "Cliente SL"), organization(company, 11, "Otro SL"));
    put_contacts(&storage, std::slice::from_ref(&to)).await;
    attempt!(storage, |unit| unit.contacts().repoint(&from, &to, at(70))).expect("re-pointed");
    let mut links = file.links.clone();
    links.splice(1..2, [FileLink::Contact(to.id)]);
    let next = file.version.next();
    let expected = File { links, version: next, updated_at: at(70), ..file };
    assert_eq!(find(&storage, &expected).await.as_ref(), Some(&expected));
    attempt!(storage, |unit| unit.accounts().move_records(company, survivor, at(80))).expect("moved");
    let moved = find(&storage, &expected).await;
    assert_eq!(moved, Some(File { company: survivor, version: next.next(), updated_at: at(80), ..expected }));
}

/// Contents stay while a file names them, for thirty days after it was deleted, and for a day without any.
pub async fn contents_that_no_file_names_are_collected(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let clock = ManualClock::at(at(0));
    let contents = MemoryContent::new(Arc::new(clock.clone()));
    let stored = async |text: &str| upload(&contents, company, text.as_bytes()).await.expect("stored");
    let (kept, shared, orphan) = (stored("kept").await, stored("shared").await, stored("orphan").await);
    let named = |number, content, status| {
        let mut file = File { status, ..file(company, number) };
        file.versions = vec![FileVersion { content, ..file_version(company, 1, "") }];
        file
    };
    let deleted = |seconds| FileStatus::Deleted { at: at(seconds), purged: false };
    let all = [
        named(30, kept, FileStatus::Active),
        named(31, shared, deleted(0)),
        named(32, shared, deleted(5 * DAY)),
    ];
    put(&storage, &all).await;
    let collected = async |seconds| {
        clock.set(at(seconds));
        let (scope, actor, random) = (everything(), Actor::service("contract"), SeededRandom::new(9));
        let now = clock.now();
        let call =
            CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &random };
        let job = Job {
            id: id(1),
            kind: JobKind::FileContents,
            company: Some(company),
            body: String::new(),
            failures: 0,
            claim: 1,
        };
        let (report, due) = collect(&*storage, &contents, call, &job).await.expect("collected");
        assert_eq!(due, at(seconds + DAY));
        let left = contents.list(company, None, 9).await.expect("listed");
        (report.purged, report.deleted, left.len())
    };
    assert_eq!(collected(60).await, (0, 0, 3), "what is new may be about to be named");
    assert_eq!(collected(2 * DAY).await, (0, 1, 2));
    assert_eq!(contents.find(company, orphan.digest).await.expect("read"), None);
    assert_eq!(collected(31 * DAY).await, (1, 0, 2), "another file names it");
    assert_eq!(collected(36 * DAY).await, (1, 1, 1));
    assert!(contents.find(company, kept.digest).await.expect("read").is_some());
}
