//! What people are in companies.

use svc_auth::ports::{CompanyStanding, Standing};
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::role::Role;

use super::{AuthFixture, world};
use crate::business::sample::id;

async fn standings(
    fixture: &impl AuthFixture,
    person: UserId,
    companies: &[AccountId],
    groups: &[GroupId],
) -> Vec<CompanyStanding> {
    let (companies, groups) = (companies.iter().copied().collect(), groups.iter().copied().collect());
    let directory = fixture.storage().directory();
    let mut standings = directory.standings(person, &companies, &groups).await.expect("read");
    standings.sort_by_key(|company| company.id);
    standings
}

/// Stranger, member, former; merged; API access; disabled people; unknown ids left out.
pub async fn standings_tell_what_a_person_is_in_each_company(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let (bob, gamma) = (id(2), id(13));
    fixture.add_user(bob).await;
    fixture.add_company(gamma, "Gamma", None).await;
    fixture.set_role(world.ada, gamma, Role::Accountant).await;
    fixture.end_membership(world.ada, gamma).await;
    fixture.set_api_access(world.beta, false).await;
    let named = [world.acme, world.beta, gamma, id(404)];
    let company = |id, name: &str, api_access, membership| CompanyStanding {
        id,
        legal_name: name.into(),
        group: None,
        merged: false,
        api_access,
        membership,
    };
    let expected = [
        company(world.acme, "Acme", true, Standing::Member(Role::Holder)),
        company(world.beta, "Beta", false, Standing::Stranger),
        company(gamma, "Gamma", true, Standing::Former),
    ];
    assert_eq!(standings(fixture, world.ada, &named, &[id(404)]).await, expected);
    let of_bob = standings(fixture, bob, &[world.acme], &[]).await;
    assert_eq!(of_bob, [company(world.acme, "Acme", true, Standing::Stranger)]);

    fixture.set_role(world.ada, world.acme, Role::Auditor).await;
    fixture.merge(world.acme, gamma).await;
    let later = standings(fixture, world.ada, &[world.acme, gamma], &[]).await;
    let memberships: Vec<_> = later.iter().map(|company| (company.membership, company.merged)).collect();
    assert_eq!(memberships.first(), Some(&(Standing::Member(Role::Auditor), false)));
    assert_eq!(later.get(1).map(|company| company.merged), Some(true));

    fixture.disable_user(world.ada).await;
    let disabled = standings(fixture, world.ada, &[world.acme, world.beta], &[]).await;
    assert!(disabled.iter().all(|company| company.membership == Standing::Former), "{disabled:?}");
}

/// Each company once, also when it is named and in a named group.
pub async fn standings_include_companies_that_joined_a_group_later(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let (group, other) = (id(21), id(22));
    fixture.add_group(group).await;
    fixture.add_group(other).await;
    let [gamma, delta, elsewhere] = [13, 14, 15].map(id);
    fixture.add_company(gamma, "Gamma", Some(group)).await;
    fixture.add_company(elsewhere, "Elsewhere", Some(other)).await;
    let ids = |standings: Vec<CompanyStanding>| -> Vec<_> {
        standings.iter().map(|company| (company.id, company.group)).collect()
    };
    let found = ids(standings(fixture, world.ada, &[world.acme, gamma], &[group]).await);
    assert_eq!(found, [(world.acme, None), (gamma, Some(group))]);
    fixture.add_company(delta, "Delta", Some(group)).await;
    let found = ids(standings(fixture, world.ada, &[world.acme], &[group]).await);
    assert_eq!(found, [(world.acme, None), (gamma, Some(group)), (delta, Some(group))]);
}
