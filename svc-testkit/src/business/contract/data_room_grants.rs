//! Grants of guests: kept whole, found by their links, counted while they are open, and named by the views of their guests.

use svc_business::document::room::{
    DataRoomGrant, DataRoomGrantFilter, DataRoomGrantSort, DataRoomView, Sections, Viewer,
};
use svc_business::link::code::{Code, Codes};
use svc_business::link::key::{Access, LinkHash, Salt};
use svc_core::id::{AccountId, DataRoomGrantId};
use svc_core::page::{Direction, Sort};
use svc_core::resource::Version;

use super::data_rooms::{bare as bare_entry, file, put as put_entries};
use super::{Storage, assert_conflict, attempt, ids, put_accounts, whole};
use crate::business::sample::{at, everything, id, scope};

fn link(number: u32) -> LinkHash {
    LinkHash([u8::try_from(number).expect("few"); 32])
}

/// A grant with as little as there can be.
fn bare(company: AccountId, number: u32) -> DataRoomGrant {
    DataRoomGrant {
        id: id(u128::from(number)),
        company,
        email: format!("guest{number}@example.com").parse().expect("an address"),
        language: "en".parse().expect("a language"),
        sections: Sections::of(vec!["1 Corporate".parse().expect("a section")]).expect("sections"),
        personal_data: false,
        expires_at: at(1_000),
        revoked_at: None,
        added_by: None,
        access: Access { salt: Salt([3; 16]), hash: link(number) },
        codes: Codes::default(),
        last_visit_at: None,
        views: 0,
        version: Version::FIRST,
        created_at: at(i64::from(number)),
        updated_at: at(i64::from(number)),
    }
}

/// The same with every member.
fn full(company: AccountId, number: u32) -> DataRoomGrant {
    let sections = ["1 Uno/1.2 Dos", "Ñandú", "3 «Tres»"].map(|text| text.parse().expect("a section"));
    let code = Code { salt: Salt([4; 16]), hash: [5; 32], at: at(70), tries: 2, proved_at: Some(at(80)) };
    DataRoomGrant {
        language: "es-ES".parse().expect("a language"),
        sections: Sections::of(sections.to_vec()).expect("sections"),
        personal_data: true,
        revoked_at: Some(at(900)),
        added_by: Some(id(99)),
        codes: Codes { sent: 3, last: Some(code) },
        last_visit_at: Some(at(85)),
        views: 7,
        ..bare(company, number)
    }
}

async fn put(storage: &Storage, grants: &[DataRoomGrant]) {
    let unit = storage.begin().await.expect("begin");
    for grant in grants {
        unit.data_room_grants().insert(&everything(), grant).await.expect("insert a grant");
    }
    unit.commit().await.expect("commit");
}

async fn find(storage: &Storage, id: DataRoomGrantId) -> Option<DataRoomGrant> {
    storage.data_room_grants().find(&everything(), id).await.expect("find")
}

/// Every member comes back, within the scope and at its version; a list has the latest one first.
pub async fn a_grant_of_a_guest_comes_back_whole(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let (all, little, foreign) = (full(company, 30), bare(company, 31), bare(other, 32));
    put(&storage, &[all.clone(), little.clone(), foreign.clone()]).await;
    assert_eq!(find(&storage, all.id).await.as_ref(), Some(&all));
    assert_eq!(find(&storage, little.id).await.as_ref(), Some(&little));
    assert_eq!(storage.data_room_grants().find(&scope(&[other]), all.id).await.expect("find"), None);
    let after = DataRoomGrant {
        version: little.version.next(),
        access: little.access,
        expires_at: at(2_000),
        ..full(company, 31)
    };
    attempt!(storage, |unit| unit.data_room_grants().replace(&everything(), &little, &after))
        .expect("replace");
    assert_eq!(find(&storage, little.id).await.as_ref(), Some(&after));
    assert_conflict(&attempt!(storage, |unit| unit.data_room_grants().replace(
        &everything(),
        &little,
        &after
    )));
    let newest = Sort(Some((DataRoomGrantSort::CreatedAt, Direction::Descending)));
    for (companies, expected) in [
        (vec![company], vec![&after, &all]),
        (vec![], vec![&foreign, &after, &all]),
        (vec![other], vec![&foreign]),
    ] {
        let filter = DataRoomGrantFilter { companies };
        let page =
            storage.data_room_grants().page(&everything(), &filter, &newest, whole()).await.expect("page");
        assert_eq!(
            (ids(&page.items), page.total),
            (ids(expected.clone()), u64::try_from(expected.len()).expect("few"))
        );
    }
}

/// A link leads to its grant, whatever the state of that, and grants are counted while they let their guests in.
pub async fn a_link_leads_to_its_grant_and_open_ones_are_counted(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let ended = DataRoomGrant { revoked_at: Some(at(50)), ..bare(company, 31) };
    let short = DataRoomGrant { expires_at: at(100), ..bare(company, 32) };
    put(&storage, &[bare(company, 30), ended.clone(), short, bare(other, 33)]).await;
    let led = async |number| storage.data_room_grants().of_link(&link(number)).await.expect("asked");
    assert_eq!(led(30).await, Some((company, id(30))));
    assert_eq!(led(31).await, Some((company, ended.id)));
    assert_eq!(led(33).await, Some((other, id(33))));
    assert_eq!(led(34).await, None);
    let open = async |company, seconds, limit| {
        storage.data_room_grants().open(company, at(seconds), limit).await.expect("counted")
    };
    assert_eq!((open(company, 60, 9).await, open(company, 60, 1).await), (2, 1));
    assert_eq!((open(company, 99, 9).await, open(company, 100, 9).await), (2, 1));
    assert_eq!((open(company, 1_000, 9).await, open(other, 60, 9).await), (0, 1));
}

/// What a guest is given is a view that names them, and is counted of their grant; both follow their company.
pub async fn views_name_their_guests(storage: Storage) {
    let [company, survivor] = put_accounts(&storage).await;
    let file = file(&storage, company, 20).await;
    let (entry, grant) = (bare_entry(company, 30, file, "1 Corporate"), bare(company, 40));
    let ended = DataRoomGrant { revoked_at: Some(at(50)), ..bare(company, 41) };
    put_entries(&storage, std::slice::from_ref(&entry)).await;
    put(&storage, &[grant.clone(), ended.clone()]).await;
    let viewer = Viewer::Guest(grant.id);
    let counted = attempt!(storage, |unit| unit.data_room().view(&entry, at(60), viewer));
    assert_eq!(counted.expect("viewed"), Some(1));
    let visited = async |seconds, viewed| {
        attempt!(storage, |unit| unit.data_room_grants().visited(&grant, at(seconds), viewed)).expect("noted")
    };
    assert!(visited(55, false).await && visited(60, true).await);
    let noted = find(&storage, grant.id).await.expect("there");
    assert_eq!((noted.views, noted.last_visit_at, noted.version), (1, Some(at(60)), grant.version));
    attempt!(storage, |unit| unit.accounts().move_records(company, survivor, at(80))).expect("moved");
    assert!(!visited(90, true).await, "it is of another company by now");
    let views = storage.data_room().views(&scope(&[survivor]), entry.id, whole()).await.expect("read");
    let view = DataRoomView { number: 1, at: at(60), viewer, guest: Some(grant.email.clone()) };
    assert_eq!(views.map(|page| page.items), Some(vec![view]));
    let moved = find(&storage, grant.id).await.expect("there");
    assert_eq!((moved.company, moved.views, moved.version), (survivor, 1, grant.version.next()));
    assert_eq!(moved.revoked_at, Some(at(80)), "sections of the other company may have the same names");
    assert_eq!(find(&storage, ended.id).await.and_then(|ended| ended.revoked_at), Some(at(50)));
    let led = storage.data_room_grants().of_link(&grant.access.hash).await.expect("asked");
    assert_eq!(led, Some((survivor, grant.id)));
}
