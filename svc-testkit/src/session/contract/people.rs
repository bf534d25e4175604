//! People and the companies that they are members of.

use svc_auth::ports::{CompanyStanding, GroupPlace, Person, Standing};
use svc_core::id::{AccountId, UserId};
use svc_core::role::Role;

use super::{Fixture, active_person, person};
use crate::business::sample::id;

async fn by_mail(fixture: Fixture<'_>, address: &str) -> Option<Person> {
    fixture.session_storage().people().person_by_email(address).await.expect("read")
}

async fn by_id(fixture: Fixture<'_>, id: UserId) -> Option<Person> {
    fixture.session_storage().people().person(id).await.expect("read")
}

async fn memberships(fixture: Fixture<'_>, person: UserId) -> Vec<CompanyStanding> {
    fixture.session_storage().people().memberships(person).await.expect("read")
}

/// In any case of letters, and by the whole address.
pub async fn a_person_is_found_by_id_and_by_mail_address(fixture: Fixture<'_>) {
    let ana = Person { email: "Ana.Lopez@Correo.example".to_owned(), ..person(1) };
    fixture.add_person(&ana).await;
    fixture.add_person(&person(2)).await;
    assert_eq!(by_id(fixture, ana.id).await, Some(ana.clone()));
    assert_eq!(by_id(fixture, id(404)).await, None);
    for address in ["Ana.Lopez@Correo.example", "ana.lopez@correo.example", "ANA.LOPEZ@CORREO.EXAMPLE"] {
        assert_eq!(by_mail(fixture, address).await.as_ref(), Some(&ana), "{address}");
    }
    for address in ["ana.lopez@correo.exampl", "%@correo.example", "ana_lopez@correo.example", ""] {
        assert_eq!(by_mail(fixture, address).await, None, "{address}");
    }
}

/// Whether they came disabled or were disabled later.
pub async fn a_disabled_person_is_known_and_a_member_of_nothing(fixture: Fixture<'_>) {
    let bob = Person { active: false, ..person(2) };
    let ana = active_person(fixture, 1).await;
    fixture.add_person(&bob).await;
    fixture.add_company(id(11), "Acme", None).await;
    fixture.set_role(ana, id(11), Role::Holder).await;
    fixture.set_role(bob.id, id(11), Role::Manager).await;
    assert_eq!(by_mail(fixture, &bob.email).await, Some(bob.clone()));
    assert_eq!(memberships(fixture, bob.id).await, []);
    assert_eq!(memberships(fixture, ana).await.len(), 1);

    fixture.disable_user(ana).await;
    let disabled = Person { active: false, ..person(1) };
    assert_eq!(by_id(fixture, ana).await, Some(disabled.clone()));
    assert_eq!(by_mail(fixture, &disabled.email).await, Some(disabled));
    assert_eq!(memberships(fixture, ana).await, []);
}

/// In every role, with the place in the group and API access.
pub async fn memberships_tell_what_a_person_is_in_each_company(fixture: Fixture<'_>) {
    let (ana, bob) = (active_person(fixture, 1).await, active_person(fixture, 2).await);
    let group = id(21);
    fixture.add_group(group).await;
    let places = [(12, GroupPlace::parent(group)), (14, GroupPlace::subsidiary(group))];
    let mut expected = Vec::new();
    for (number, role) in (11_u128..).zip(Role::ALL) {
        let company = CompanyStanding {
            id: id(number),
            legal_name: format!("Compañía {number}"),
            group: places.iter().find(|(known, _)| *known == number).map(|(_, place)| *place),
            merged: false,
            api_access: number != 13,
            membership: Standing::Member(role),
        };
        fixture.add_company(company.id, &company.legal_name, company.group.map(|place| place.id)).await;
        fixture.set_role(ana, company.id, role).await;
        fixture.set_api_access(company.id, company.api_access).await;
        expected.push(company);
    }
    fixture.set_parent(group, id(12)).await;
    assert_eq!(memberships(fixture, ana).await, expected);
    assert_eq!(memberships(fixture, bob).await, []);
    assert_eq!(memberships(fixture, id(404)).await, []);
}

/// Merged companies, and memberships that ended, are suspended or were never accepted.
pub async fn memberships_leave_out_what_is_not_active(fixture: Fixture<'_>) {
    let ana = active_person(fixture, 1).await;
    let [active, merged, ended, suspended, invited, stranger]: [AccountId; 6] =
        [11, 12, 13, 14, 15, 16].map(id);
    for company in [active, merged, ended, suspended, invited, stranger] {
        fixture.add_company(company, "Acme", None).await;
    }
    for company in [active, merged, ended, suspended] {
        fixture.set_role(ana, company, Role::Administrator).await;
    }
    assert_eq!(memberships(fixture, ana).await.len(), 4);
    fixture.merge(active, merged).await;
    fixture.end_membership(ana, ended).await;
    fixture.suspend(ana, suspended).await;
    fixture.invite(ana, invited, Role::Administrator).await;
    let ids: Vec<_> = memberships(fixture, ana).await.iter().map(|company| company.id).collect();
    assert_eq!(ids, [active]);
}

/// Code point by code point; the language of the engine does not count.
pub async fn memberships_come_by_legal_name_and_then_by_id(fixture: Fixture<'_>) {
    let ana = active_person(fixture, 1).await;
    let named =
        [(15, "beta"), (14, "Zeta"), (13, "Acme"), (12, "Ávila"), (17, "Acme"), (11, "acme 2"), (16, "Acme")];
    for (number, name) in named {
        fixture.add_company(id(number), name, None).await;
        fixture.set_role(ana, id(number), Role::Employee).await;
    }
    let ids: Vec<_> = memberships(fixture, ana).await.iter().map(|company| company.id).collect();
    assert_eq!(ids, [13, 16, 17, 14, 11, 15, 12].map(id::<AccountId>));
}
