use svc_business::membership::{Membership, MembershipStatus};
use svc_business::party::LanguageTag;
use svc_business::ports::{PeopleReader, PeopleStore};
use svc_business::user::{User, UserStatus};
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;

use super::fixture::{at, companies, email, fixture, id, is_conflict, page, taken};

fn user(number: u128) -> User {
    User {
        id: id(number),
        email: email(&format!("User{number}@Example.com")),
        name: format!("User {number}"),
        locale: LanguageTag::from_stored("es".to_owned()),
        mfa_enabled: true,
        status: UserStatus::Disabled,
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(0),
    }
}

fn membership(number: u128, account: u128, user: u128) -> Membership {
    Membership {
        id: id(number),
        user: id(user),
        account: id(account),
        role: Role::Holder,
        status: MembershipStatus::Active,
        invited_at: at(1),
        invited_by: None,
        invited_email: None,
        accepted_at: Some(at(2)),
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(0),
    }
}

#[tokio::test]
async fn an_email_address_belongs_to_one_user_whatever_its_case() {
    let db = fixture().await;
    db.store.insert_user(&user(40)).await.expect("a new user");
    assert_eq!(db.store.user(id(40)).await.expect("an answer"), Some(user(40)));
    assert_eq!(db.store.user_by_email("USER40@example.COM").await.expect("an answer"), Some(user(40)));
    let twin = User { email: email("user40@EXAMPLE.com"), ..user(41) };
    assert_eq!(taken(&db.store.insert_user(&twin).await), Some("email"));
}

#[tokio::test]
async fn members_who_left_are_not_listed_and_not_counted_as_holders() {
    let db = fixture().await;
    for number in [40, 41] {
        db.store.insert_user(&user(number)).await.expect("a new user");
        let membership = membership(number + 10, 1, number);
        db.store.insert_membership(&membership).await.expect("a new membership");
        assert_eq!(db.store.membership(id(1), id(number)).await.expect("an answer"), Some(membership));
    }
    assert_eq!(db.store.holders(id(1)).await.expect("a count"), 2);
    let members =
        async |scope: Scope, number| db.store.members(&scope, id(1), page(number, 1)).await.expect("a page");
    let last = members(companies([1]), 2).await;
    assert_eq!(last.total, 2);
    assert_eq!(last.items.iter().map(|member| member.user.clone()).collect::<Vec<_>>(), [user(41)]);
    assert_eq!(members(companies([2]), 1).await.total, 0);

    let ended = Membership {
        status: MembershipStatus::Ended,
        version: Version::FIRST.next(),
        ..membership(50, 1, 40)
    };
    db.store.replace_membership(Version::FIRST, &ended).await.expect("the stored version");
    assert!(is_conflict(&db.store.replace_membership(Version::FIRST, &ended).await));
    assert_eq!(members(companies([1]), 1).await.total, 1);
    assert_eq!(db.store.holders(id(1)).await.expect("a count"), 1);
}
