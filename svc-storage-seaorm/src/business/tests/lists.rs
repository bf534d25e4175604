use std::collections::BTreeSet;

use sea_orm::{DatabaseBackend, QueryTrait};
use svc_business::contact::{
    Contact, ContactFilter, ContactRole, ContactSort, ContactStatus, Identity, Kind, StatusFilter,
};
use svc_core::id::ContactId;
use svc_core::page::{Direction, Sort};
use time::macros::date;

use super::fixture::{
    Fixture, at, companies, contact, email, everything, extension, fixture, id, page, tax_id,
};
use crate::business::rows::{Window, matching, rows_of};
use crate::tests::explained;

async fn ids(db: &Fixture, filter: ContactFilter) -> Vec<ContactId> {
    let list = db.list::<Contact>(&everything(), &filter, &Sort::default(), page(1, 200)).await;
    assert_eq!(list.total, u64::try_from(list.items.len()).expect("a small number"));
    list.items.iter().map(|contact| contact.id).collect()
}

#[tokio::test]
async fn each_filter_finds_what_it_names() {
    let db = fixture().await;
    let person = Identity::Person {
        given_name: "José".to_owned(),
        family_name: "ÁLVAREZ".to_owned(),
        date_of_birth: None,
    };
    let full = Contact {
        identity: person,
        roles: BTreeSet::from([ContactRole::Supplier, ContactRole::Lead]),
        tags: vec!["vip".to_owned()],
        email: Some(email("JOSE_100%@example.com")),
        tax_id: Some(tax_id("12345678Z")),
        extension: extension("ext"),
        parent: Some(id(10)),
        created_at: at(10 * 86_400),
        updated_at: at(500),
        ..contact(1, 11)
    };
    db.add(&contact(1, 10)).await;
    db.add(&full).await;
    db.add(&Contact { status: ContactStatus::Archived, ..contact(1, 12) }).await;
    db.add(&Contact { status: ContactStatus::Merged { into: id(10) }, ..contact(1, 13) }).await;
    db.add(&contact(2, 14)).await;

    let all = ContactFilter::default;
    let text = |text: &str| ContactFilter { text: Some(text.to_owned()), ..all() };
    for (filter, expected) in [
        (all(), vec![10, 14, 11]),
        (ContactFilter { status: StatusFilter::Archived, ..all() }, vec![12]),
        (ContactFilter { status: StatusFilter::Merged, ..all() }, vec![13]),
        (ContactFilter { status: StatusFilter::All, ..all() }, vec![10, 12, 13, 14, 11]),
        (ContactFilter { companies: vec![id(2), id(3)], ..all() }, vec![14]),
        (ContactFilter { role: Some(ContactRole::Lead), ..all() }, vec![11]),
        (ContactFilter { role: Some(ContactRole::Other), ..all() }, vec![]),
        (ContactFilter { kind: Some(Kind::Person), ..all() }, vec![11]),
        (ContactFilter { tag: Some("vip".to_owned()), ..all() }, vec![11]),
        (ContactFilter { tag: Some("vi".to_owned()), ..all() }, vec![]),
        (ContactFilter { tax_id: full.tax_id.clone(), ..all() }, vec![11]),
        (ContactFilter { parent: full.parent, ..all() }, vec![11]),
        (ContactFilter { external_id: Some("ext".to_owned()), ..all() }, vec![11]),
        (ContactFilter { updated_since: Some(at(500)), ..all() }, vec![11]),
        (ContactFilter { updated_since: Some(at(501)), ..all() }, vec![]),
        (ContactFilter { from: Some(date!(2023 - 11 - 24)), ..all() }, vec![11]),
        (ContactFilter { from: Some(date!(2023 - 11 - 25)), ..all() }, vec![]),
        (ContactFilter { to: Some(date!(2023 - 11 - 14)), ..all() }, vec![10, 14]),
        (ContactFilter { to: Some(date!(2023 - 11 - 13)), ..all() }, vec![]),
        (text("josé  álv"), vec![11]),
        (text("jose_100%"), vec![11]),
        (text("jose%example"), vec![]),
        (text("jose_100_"), vec![]),
        (text("álvarez jose"), vec![]),
        (text("\\"), vec![]),
    ] {
        let expected: Vec<ContactId> = expected.into_iter().map(id).collect();
        assert_eq!(ids(&db, filter.clone()).await, expected, "{filter:?}");
    }
}

#[tokio::test]
async fn pages_join_up_to_the_whole_list_in_every_order() {
    let db = fixture().await;
    for number in 10..33 {
        // Every third one shares its name and instant of change: the id breaks the tie.
        let name = format!("Name {}", (number * 7) % 5);
        let identity = Identity::Organization { legal_name: name };
        let updated_at = at(i64::try_from(number % 3).expect("a small number"));
        db.add(&Contact { identity, updated_at, ..contact(1 + number % 2, number) }).await;
    }
    let scopes = [companies([1, 2]), companies([1]), everything()];
    let (up, down) = (Direction::Ascending, Direction::Descending);
    for sort in [
        vec![],
        vec![(ContactSort::CreatedAt, down)],
        vec![(ContactSort::Name, up)],
        vec![(ContactSort::UpdatedAt, down), (ContactSort::Name, up)],
    ] {
        for scope in &scopes {
            let sort = Sort(sort.clone());
            let list = |number, limit| db.list::<Contact>(scope, &DEFAULT, &sort, page(number, limit));
            let whole = list(1, 200).await;
            let mut expected = whole.items.clone();
            expected.sort_by(|left, right| order(&sort, left, right));
            assert_eq!(whole.items, expected, "{sort:?}");
            let mut joined = Vec::new();
            for number in 1..=whole.total.div_ceil(4) {
                let part = list(u32::try_from(number).expect("few pages"), 4).await;
                assert_eq!(part.total, whole.total);
                joined.extend(part.items);
            }
            assert_eq!(joined, whole.items, "{sort:?}");
            let past = list(7, 4).await;
            assert_eq!((past.items.len(), past.total), (0, whole.total));
        }
    }
}

static DEFAULT: std::sync::LazyLock<ContactFilter> = std::sync::LazyLock::new(ContactFilter::default);

fn order(sort: &Sort<ContactSort>, left: &Contact, right: &Contact) -> std::cmp::Ordering {
    let by = |key: &ContactSort| match key {
        ContactSort::Name => left.name().to_lowercase().cmp(&right.name().to_lowercase()),
        ContactSort::CreatedAt => left.created_at.cmp(&right.created_at),
        ContactSort::UpdatedAt => left.updated_at.cmp(&right.updated_at),
    };
    let turned = |ordering: std::cmp::Ordering, direction| match direction {
        Direction::Ascending => ordering,
        Direction::Descending => ordering.reverse(),
    };
    let last = sort.0.last().map_or(Direction::Ascending, |(_, direction)| *direction);
    let keys = sort
        .0
        .iter()
        .fold(std::cmp::Ordering::Equal, |so_far, (key, direction)| so_far.then(turned(by(key), *direction)));
    keys.then(turned(left.id.cmp(&right.id), last))
}

#[tokio::test]
async fn no_page_reads_or_sorts_the_rows_that_it_skips() {
    let db = fixture().await;
    let window = Window::of(page(60, 200), 20_000).expect("a page within the list");
    let (active, all) = (StatusFilter::Active, StatusFilter::All);
    for (sort, status, index) in [
        (vec![], active, "contacts_order"),
        (vec![], all, "contacts_order"),
        (vec![(ContactSort::CreatedAt, Direction::Descending)], active, "contacts_order"),
        (vec![(ContactSort::Name, Direction::Ascending)], active, "contacts_name"),
        (vec![(ContactSort::UpdatedAt, Direction::Descending)], all, "contacts_changes"),
    ] {
        let filter = ContactFilter { status, ..ContactFilter::default() };
        let list = matching::<Contact>(&companies([1]), &filter);
        let page = rows_of::<Contact>(list, &Sort(sort), window).build(DatabaseBackend::Sqlite);
        let steps = explained(&db.store.conn, page).await;
        assert!(steps.iter().any(|step| step.contains(&format!("COVERING INDEX {index} "))), "{steps:#?}");
        assert_eq!(steps.iter().filter(|step| step.contains("TEMP B-TREE")).count(), 1, "{steps:#?}");
        assert!(!steps.iter().any(|step| step.starts_with("SCAN")), "{steps:#?}");
    }
}
