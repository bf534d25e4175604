//! Lists over several companies: one order, whichever company a record is of.

use std::collections::BTreeSet;

use svc_business::contact::{Contact, ContactFilter, ContactRole, ContactSort, ContactStatus, StatusFilter};
use svc_core::id::{AccountId, ContactId};
use svc_core::page::{Direction, PageRules, Sort};

use super::{Storage, ids, insert_accounts, put_accounts, put_contacts};
use crate::business::sample::{at, bare_account, organization, scope};

/// Pages of any size join to the whole list in every order, as far as the scope reaches, and with filters.
pub async fn lists_of_several_companies_are_one_list(storage: Storage) {
    let companies: [AccountId; 4] = put_accounts(&storage).await;
    let all: Vec<Contact> = (0..80_u32)
        .zip(companies.iter().cycle())
        .map(|(number, company)| contact(*company, number))
        .collect();
    put_contacts(&storage, &all).await;
    let [first, second, third, _] = companies;
    let (up, down) = (Direction::Ascending, Direction::Descending);
    let whole = ContactFilter { companies: vec![first, second, third, first], ..ContactFilter::default() };
    for filter in [
        whole.clone(),
        ContactFilter { role: Some(ContactRole::Lead), ..whole.clone() },
        ContactFilter { status: StatusFilter::Archived, ..whole.clone() },
        ContactFilter { tag: Some("b".to_owned()), ..whole.clone() },
        ContactFilter { updated_since: Some(at(3)), ..whole.clone() },
        ContactFilter { tag: Some("a".to_owned()), updated_since: Some(at(1)), ..whole.clone() },
        ContactFilter { companies: Vec::new(), ..whole },
    ] {
        // Of the companies that the filter names, the third is out of reach; without any, all within the scope are meant.
        let reached = scope(&[first, second]);
        let is_listed = |one: &&Contact| {
            (one.company == first || one.company == second)
                && is_archived(one) == (filter.status == StatusFilter::Archived)
                && filter.role.is_none_or(|role| one.roles.contains(&role))
                && filter.tag.as_ref().is_none_or(|tag| one.tags.contains(tag))
                && filter.updated_since.is_none_or(|since| one.updated_at >= since)
        };
        let mut expected: Vec<&Contact> = all.iter().filter(is_listed).collect();
        assert!(expected.len() > 6, "{filter:?}");
        for (key, direction) in [
            (ContactSort::CreatedAt, up),
            (ContactSort::CreatedAt, down),
            (ContactSort::Name, up),
            (ContactSort::UpdatedAt, down),
        ] {
            // A role is looked for along the order of creation, whose index has it.
            if filter.role.is_some() && key != ContactSort::CreatedAt {
                continue;
            }
            expected.sort_by_key(|one| match key {
                ContactSort::CreatedAt => (one.created_at, String::new(), one.id),
                ContactSort::UpdatedAt => (one.updated_at, String::new(), one.id),
                ContactSort::Name => (at(0), one.name_key(), one.id),
            });
            if direction == down {
                expected.reverse();
            }
            let expected: Vec<ContactId> = ids(expected.iter().copied());
            for limit in [1, 3, 7, 50] {
                let joined = joined(&storage, (&reached, &filter), Sort(Some((key, direction))), limit).await;
                assert_eq!(joined, expected, "{filter:?} {key:?} {direction:?} {limit}");
            }
        }
    }
}

/// So do those of more companies than a storage may merge.
pub async fn lists_of_many_companies_are_one_list(storage: Storage) {
    let accounts: Vec<_> = (1..=70).map(bare_account).collect();
    insert_accounts(&storage, &accounts).await;
    let companies: Vec<AccountId> = accounts.iter().map(|account| account.id).collect();
    let all: Vec<Contact> = (0..140_u32)
        .zip(companies.iter().cycle())
        .map(|(number, company)| contact(*company, number))
        .collect();
    put_contacts(&storage, &all).await;
    let mut expected: Vec<&Contact> = all.iter().filter(|one| !is_archived(one)).collect();
    expected.sort_by_key(|one| (one.created_at, one.id));
    let expected: Vec<ContactId> = ids(expected.iter().copied());
    let (reached, filter) = (scope(&companies), ContactFilter::default());
    assert_eq!(joined(&storage, (&reached, &filter), Sort::default(), 30).await, expected);
}

/// Instants and names repeat, so that ids keep the order among companies.
fn contact(company: AccountId, number: u32) -> Contact {
    let id = u128::from(number) + 100;
    let name = if number.is_multiple_of(2) { "Dos" } else { "Uno" };
    let tags = if number % 4 < 2 { vec!["a".to_owned(), "b".to_owned()] } else { vec!["a".to_owned()] };
    let role = if number.is_multiple_of(3) { ContactRole::Supplier } else { ContactRole::Lead };
    Contact {
        created_at: at(i64::from(number % 5)),
        updated_at: at(i64::from(number % 7)),
        roles: BTreeSet::from([role]),
        status: if number % 5 == 4 { ContactStatus::Archived } else { ContactStatus::Active },
        tags,
        ..organization(company, id, name)
    }
}

fn is_archived(contact: &Contact) -> bool {
    contact.status == ContactStatus::Archived
}

async fn joined(
    storage: &Storage,
    (reached, filter): (&svc_core::tenant::Scope, &ContactFilter),
    sort: Sort<ContactSort>,
    limit: u32,
) -> Vec<ContactId> {
    let mut joined = Vec::new();
    for number in 1.. {
        let request = PageRules::USUAL.page(Some(number), Some(limit)).expect("a page");
        let page = storage.contacts().page(reached, filter, &sort, request).await.expect("page");
        if page.items.is_empty() {
            assert_eq!(page.total, u64::try_from(joined.len()).expect("few"));
            break;
        }
        joined.extend(ids(&page.items));
    }
    joined
}
