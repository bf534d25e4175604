//! What people are in companies.

use std::collections::BTreeSet;

use svc_auth::ports::{CompanyStanding, GroupPlace, Standing};
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

/// A unit has a directory of its own.
pub async fn a_unit_reads_what_a_person_is_in_a_company(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let unit = fixture.storage().begin().await.expect("a unit");
    let standings = unit.directory().standings(world.ada, &[world.acme].into(), &BTreeSet::new()).await;
    let found: Vec<_> = standings.expect("read").into_iter().map(|company| company.membership).collect();
    assert_eq!(found, [Standing::Member(Role::Holder)]);
}

/// A stranger stays one, however the invitation ends; a former member is that until they accept.
pub async fn an_invitation_makes_no_member_and_takes_nothing_away(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let (ada, beta, gamma) = (world.ada, world.beta, id(13));
    fixture.add_company(gamma, "Gamma", None).await;
    fixture.set_role(ada, gamma, Role::Accountant).await;
    fixture.end_membership(ada, gamma).await;
    let standing = async || {
        let found = standings(fixture, ada, &[beta, gamma], &[]).await;
        found.iter().map(|company| company.membership).collect::<Vec<_>>()
    };
    fixture.invite(ada, beta, Role::Administrator).await;
    fixture.invite(ada, gamma, Role::Administrator).await;
    assert_eq!(standing().await, [Standing::Stranger, Standing::Former]);
    fixture.end_membership(ada, beta).await;
    fixture.end_membership(ada, gamma).await;
    assert_eq!(standing().await, [Standing::Stranger, Standing::Former]);
    fixture.invite(ada, beta, Role::Administrator).await;
    fixture.set_role(ada, beta, Role::Administrator).await;
    assert_eq!(standing().await, [Standing::Member(Role::Administrator), Standing::Former]);
    fixture.end_membership(ada, beta).await;
    assert_eq!(standing().await, [Standing::Former, Standing::Former]);
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
        standings.iter().map(|company| (company.id, company.group.map(|place| place.id))).collect()
    };
    let found = ids(standings(fixture, world.ada, &[world.acme, gamma], &[group]).await);
    assert_eq!(found, [(world.acme, None), (gamma, Some(group))]);
    fixture.add_company(delta, "Delta", Some(group)).await;
    let found = ids(standings(fixture, world.ada, &[world.acme], &[group]).await);
    assert_eq!(found, [(world.acme, None), (gamma, Some(group)), (delta, Some(group))]);
}

/// One of its companies at most, and the present one; whether it is named or comes with its group.
pub async fn standings_tell_which_company_is_the_parent_of_its_group(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let (group, other) = (id(21), id(22));
    let [gamma, delta, elsewhere] = [13, 14, 15].map(id);
    fixture.add_group(group).await;
    fixture.add_group(other).await;
    for (company, name, group) in
        [(gamma, "Gamma", group), (delta, "Delta", group), (elsewhere, "Else", other)]
    {
        fixture.add_company(company, name, Some(group)).await;
    }
    let (parent, subsidiary) = (GroupPlace::parent, GroupPlace::subsidiary);
    let named = async || places(fixture, world.ada, &[world.acme, gamma, delta, elsewhere], &[]).await;
    let by_group = async || places(fixture, world.ada, &[], &[group]).await;
    let before = [(gamma, Some(subsidiary(group))), (delta, Some(subsidiary(group)))];
    assert_eq!(by_group().await, before);

    fixture.set_parent(group, gamma).await;
    fixture.set_parent(other, elsewhere).await;
    let [ours, theirs] = [(gamma, Some(parent(group))), (delta, Some(subsidiary(group)))];
    assert_eq!(by_group().await, [ours, theirs]);
    let all = [(world.acme, None), ours, theirs, (elsewhere, Some(parent(other)))];
    assert_eq!(named().await, all);

    fixture.set_parent(group, delta).await;
    let after = [(gamma, Some(subsidiary(group))), (delta, Some(parent(group)))];
    assert_eq!(by_group().await, after);
}

async fn places(
    fixture: &impl AuthFixture,
    person: UserId,
    companies: &[AccountId],
    groups: &[GroupId],
) -> Vec<(AccountId, Option<GroupPlace>)> {
    let standings = standings(fixture, person, companies, groups).await;
    standings.iter().map(|company| (company.id, company.group)).collect()
}
