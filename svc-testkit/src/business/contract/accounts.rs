//! Companies: kept whole, within scope, at their version; lists and questions about them.

use svc_business::account::{Account, AccountFilter, AccountSort, AccountStatus, StatusFilter};
use svc_core::id::AccountId;
use svc_core::page::{Direction, Sort};
use svc_core::pii::Pii;

use super::{Storage, assert_conflict, attempt, ids, insert_accounts, insert_group, whole};
use crate::business::sample::{account, at, bare_account, email, everything, group, id, scope, tax};

/// Every member of a full, a bare, a deactivated and a merged company comes back as it was put in.
pub async fn a_company_comes_back_whole(storage: Storage) {
    let top = bare_account(1);
    insert_accounts(&storage, std::slice::from_ref(&top)).await;
    insert_group(&storage, &group(5, &[top.id])).await;
    let full = Account { group: Some(id(5)), parent: Some(top.id), ..account(2) };
    let off = Account { status: AccountStatus::Deactivated { at: at(9) }, ..account(3) };
    let merged = Account { status: AccountStatus::Merged { into: top.id, at: at(8) }, ..bare_account(4) };
    let rest = [full, off, merged];
    insert_accounts(&storage, &rest).await;
    for account in rest.into_iter().chain([top]) {
        let found = storage.accounts().find(&scope(&[account.id]), account.id).await.expect("find");
        assert_eq!(found, Some(account));
    }
}

/// Replacing changes every member that may change.
pub async fn a_replaced_company_comes_back_whole(storage: Storage) {
    let before = bare_account(1);
    insert_accounts(&storage, std::slice::from_ref(&before)).await;
    let after = Account {
        version: before.version.next(),
        status: AccountStatus::Deactivated { at: at(4) },
        country: "FR".parse().expect("France is a country"),
        updated_at: at(50),
        ..account(1)
    };
    attempt!(storage, |unit| unit.accounts().replace(&everything(), &before, &after)).expect("replace");
    let found = storage.accounts().find(&everything(), after.id).await.expect("find");
    assert_eq!(found, Some(after));
}

/// A company out of scope can be neither seen nor changed.
pub async fn a_company_out_of_scope_is_absent(storage: Storage) {
    let [ours, theirs] = [bare_account(1), bare_account(2)];
    insert_accounts(&storage, &[ours.clone(), theirs.clone()]).await;
    let scope = scope(&[ours.id]);
    assert_eq!(storage.accounts().find(&scope, theirs.id).await.expect("find"), None);
    let page = storage.accounts().page(&scope, &AccountFilter::default(), &Sort::default(), whole()).await;
    assert_eq!(ids(&page.expect("page").items), vec![ours.id]);
    let changed = Account { version: theirs.version.next(), ..account(2) };
    assert_conflict(&attempt!(storage, |unit| unit.accounts().replace(&scope, &theirs, &changed)));
    assert_conflict(&attempt!(storage, |unit| unit.accounts().insert(&scope, &bare_account(3))));
    let found = storage.accounts().find(&everything(), theirs.id).await.expect("find");
    assert_eq!(found, Some(theirs));
}

/// A stale version replaces nothing.
pub async fn a_company_changes_only_at_its_version(storage: Storage) {
    let before = bare_account(1);
    insert_accounts(&storage, std::slice::from_ref(&before)).await;
    let stale = Account { version: before.version.next(), ..account(1) };
    let after = Account { version: stale.version.next(), ..stale.clone() };
    assert_conflict(&attempt!(storage, |unit| unit.accounts().replace(&everything(), &stale, &after)));
    let found = storage.accounts().find(&everything(), before.id).await.expect("find");
    assert_eq!(found, Some(before));
}

/// An `externalId` of one company says nothing of another one.
pub async fn companies_may_share_an_external_id(storage: Storage) {
    insert_accounts(&storage, &[account(1), account(2)]).await;
    let found = storage.accounts().find(&everything(), id(2)).await.expect("find");
    assert_eq!(found, Some(account(2)));
}

/// Each filter narrows the list to what it names.
pub async fn every_filter_narrows_a_list_of_companies(storage: Storage) {
    let top = Account { legal_name: "Muñoz 100% SL".to_owned(), ..bare_account(1) };
    insert_accounts(&storage, std::slice::from_ref(&top)).await;
    insert_group(&storage, &group(5, &[top.id])).await;
    let grouped = Account {
        group: Some(id(5)),
        legal_name: "Beta_ SL".to_owned(),
        trade_name: Some("ÉPICA".to_owned()),
        ..bare_account(2)
    };
    let off = Account {
        status: AccountStatus::Deactivated { at: at(9) },
        legal_name: "Gamma".to_owned(),
        email: Some(email("Hola@Gamma.example")),
        updated_at: at(100),
        ..bare_account(3)
    };
    insert_accounts(&storage, &[grouped.clone(), off.clone()]).await;
    let any = AccountFilter::default();
    let text = |text: &str| AccountFilter { text: Some(text.to_owned()), ..AccountFilter::default() };
    let cases: Vec<(&str, AccountFilter, Vec<&Account>)> = vec![
        ("none", any.clone(), vec![&top, &grouped, &off]),
        ("active", AccountFilter { status: Some(StatusFilter::Active), ..any.clone() }, vec![&top, &grouped]),
        ("deactivated", AccountFilter { status: Some(StatusFilter::Deactivated), ..any.clone() }, vec![&off]),
        ("merged", AccountFilter { status: Some(StatusFilter::Merged), ..any.clone() }, vec![]),
        ("group", AccountFilter { group: Some(id(5)), ..any.clone() }, vec![&grouped]),
        ("updated since", AccountFilter { updated_since: Some(at(100)), ..any.clone() }, vec![&off]),
        ("legal name", text("MUÑOZ"), vec![&top]),
        ("trade name", text("épica"), vec![&grouped]),
        ("e-mail", text("hola@"), vec![&off]),
        ("percent sign", text("%"), vec![&top]),
        ("underscore", text("_"), vec![&grouped]),
    ];
    for (name, filter, expected) in cases {
        let page = storage.accounts().page(&everything(), &filter, &Sort::default(), whole()).await;
        assert_eq!(ids(&page.expect("page").items), ids(expected), "{name}");
    }
}

/// Each key sorts both ways, and the id breaks ties.
pub async fn companies_are_listed_in_the_order_asked_for(storage: Storage) {
    let with = |number, name: &str, created, updated| Account {
        legal_name: name.to_owned(),
        created_at: at(created),
        updated_at: at(updated),
        ..bare_account(number)
    };
    insert_accounts(
        &storage,
        &[with(1, "beta", 2, 5), with(2, "Alfa", 2, 6), with(3, "ñu", 1, 7), with(4, "ALFA", 3, 4)],
    )
    .await;
    let (up, down) = (Direction::Ascending, Direction::Descending);
    let cases: [(Option<_>, [u128; 4]); 5] = [
        (None, [3, 1, 2, 4]),
        (Some((AccountSort::CreatedAt, down)), [4, 2, 1, 3]),
        (Some((AccountSort::Name, up)), [2, 4, 1, 3]),
        (Some((AccountSort::Name, down)), [3, 1, 4, 2]),
        (Some((AccountSort::UpdatedAt, up)), [4, 1, 2, 3]),
    ];
    for (sort, expected) in cases {
        let page =
            storage.accounts().page(&everything(), &AccountFilter::default(), &Sort(sort), whole()).await;
        assert_eq!(ids(&page.expect("page").items), expected.map(id::<AccountId>), "{sort:?}");
    }
}

/// Companies with one tax id are found within the scope, merged ones left out.
pub async fn companies_with_the_same_tax_id_are_found(storage: Storage) {
    let plain = |number| Account { ..account(number) };
    let merged = Account { status: AccountStatus::Merged { into: id(1), at: at(1) }, ..account(3) };
    let other = Account { tax_id: Some(Pii::new(tax("A58818501"))), ..account(4) };
    insert_accounts(&storage, &[plain(1), plain(2), merged, other, plain(5)]).await;
    let scope = scope(&[id(1), id(2), id(3), id(4)]);
    let found = storage.accounts().with_tax_id(&scope, &Pii::new(tax("B12345674")), id(1)).await;
    assert_eq!(found.expect("query"), [id::<AccountId>(2)]);
}

/// Only active companies directly below count as active subsidiaries.
pub async fn active_subsidiaries_are_counted(storage: Storage) {
    assert!(!storage.accounts().any().await.expect("query"));
    insert_accounts(&storage, &[bare_account(1)]).await;
    assert!(storage.accounts().any().await.expect("query"));
    insert_group(&storage, &group(9, &[id(1)])).await;
    let below =
        |number, parent| Account { group: Some(id(9)), parent: Some(id(parent)), ..bare_account(number) };
    let off = Account { status: AccountStatus::Deactivated { at: at(1) }, ..below(4, 1) };
    insert_accounts(&storage, &[below(2, 1)]).await;
    insert_accounts(&storage, &[below(3, 2), off]).await;
    let count = async |parent| storage.accounts().active_subsidiaries(id(parent)).await.expect("query");
    assert_eq!((count(1).await, count(2).await, count(3).await), (1, 1, 0));
}
