//! Inviting people, and their answers.

use svc_business::membership::{self, ChangeError, IllegalStep, Membership, MembershipStatus};
use svc_business::ports::BusinessStorage;
use svc_core::audit::{Actor, Who};
use svc_core::id::{AccountId, SessionId, UserId};
use svc_core::role::Role;
use svc_core::unit::Call;
use svc_testkit::business::sample::id;

use super::world::{World, run};

impl World {
    /// Somebody new who is invited to a company.
    async fn guest(&self, company: AccountId, role: Role) -> (UserId, Membership) {
        let eva = self.user("eva@x.example").await.id;
        let invited = run!(self, membership::invite, Role::Holder, company, eva, role).expect("invited");
        (eva, invited)
    }
}

#[tokio::test]
async fn an_invitation_waits_for_its_person_and_becomes_a_membership() {
    let (mut world, company) = World::with_company().await;
    let (eva, invited) = world.guest(company.id, Role::Auditor).await;
    assert_eq!((invited.status, invited.accepted_at), (MembershipStatus::Invited, None));
    world.later();
    let joined = run!(world, membership::accept, eva, invited.id, Some(invited.version)).expect("accepted");
    assert_eq!((joined.status, joined.role), (MembershipStatus::Active, Role::Auditor));
    assert_eq!((joined.accepted_at, joined.invited_at), (Some(world.now), invited.invited_at));
    assert_eq!(joined.version, invited.version.next());
    assert_eq!(world.events(), Vec::<String>::new(), "the catalogue has no event for members");
}

#[tokio::test]
async fn the_inviter_is_the_person_who_acts_and_nobody_for_the_operator() {
    let (world, company) = World::with_company().await;
    let (_, by_operator) = world.guest(company.id, Role::Auditor).await;
    assert_eq!(by_operator.invited_by, None);
    let (holder, ben) = (world.holder(company.id).await, world.user("ben@x.example").await.id);
    let who = Who::Person { user: holder, session: id::<SessionId>(1) };
    let actor = Actor { who, from: None, request: None };
    let unit = world.begin().await;
    let call = Call { actor: &actor, ..world.call() };
    let invited = membership::invite(&*unit, call, Role::Holder, company.id, ben, Role::Manager).await;
    assert_eq!(invited.expect("invited").invited_by, Some(holder));
}

#[tokio::test]
async fn only_its_own_person_answers_an_invitation_once() {
    let (world, company) = World::with_company().await;
    let (eva, invited) = world.guest(company.id, Role::Auditor).await;
    let holder = world.holder(company.id).await;
    for answer in [
        run!(world, membership::accept, holder, invited.id, None),
        run!(world, membership::decline, holder, invited.id, None),
        run!(world, membership::accept, eva, id(404), None),
    ] {
        assert!(matches!(answer, Err(ChangeError::NotMember)), "{answer:?}");
    }
    let stale = run!(world, membership::decline, eva, invited.id, Some(invited.version.next()));
    assert!(matches!(stale, Err(ChangeError::VersionConflict { current }) if current == invited.version));
    run!(world, membership::decline, eva, invited.id, None).expect("declined");
    let late = run!(world, membership::accept, eva, invited.id, None);
    let refused = IllegalStep { step: "accept", status: MembershipStatus::Ended };
    assert!(matches!(late, Err(ChangeError::Illegal(step)) if step == refused), "{late:?}");
}

#[tokio::test]
async fn who_is_a_member_or_invited_is_not_invited_again_until_it_ended() {
    let (world, company) = World::with_company().await;
    let (eva, invited) = world.guest(company.id, Role::Auditor).await;
    let again = async || run!(world, membership::invite, Role::Holder, company.id, eva, Role::Manager);
    for status in [MembershipStatus::Invited, MembershipStatus::Active] {
        let refused = again().await;
        assert!(
            matches!(refused, Err(ChangeError::Present { id, status: met }) if (id, met) == (invited.id, status)),
            "{refused:?}"
        );
        if status == MembershipStatus::Invited {
            run!(world, membership::accept, eva, invited.id, None).expect("accepted");
        }
    }
    run!(world, membership::end, Role::Holder, company.id, eva, None).expect("ended");
    let back = again().await.expect("it ended");
    assert_eq!((back.id, back.role, back.status), (invited.id, Role::Manager, MembershipStatus::Invited));
}

#[tokio::test]
async fn who_is_unknown_or_may_not_invite_leaves_no_invitation() {
    let (world, company) = World::with_company().await;
    let eva = world.user("eva@x.example").await.id;
    let invite = async |by, account, user, role| run!(world, membership::invite, by, account, user, role);
    let unknown = invite(Role::Holder, company.id, id(404), Role::Auditor).await;
    assert!(matches!(unknown, Err(ChangeError::UnknownUser)));
    let nowhere = invite(Role::Holder, id(404), eva, Role::Auditor).await;
    assert!(matches!(nowhere, Err(ChangeError::UnknownAccount)));
    let holder = invite(Role::Administrator, company.id, eva, Role::Holder).await;
    assert!(matches!(holder, Err(ChangeError::HoldersOnly)));
    for by in Role::ALL.into_iter().filter(|role| !role.administers()) {
        let refused = invite(by, company.id, eva, Role::Auditor).await;
        assert!(matches!(refused, Err(ChangeError::AdministratorsOnly)), "{by}");
    }
    assert_eq!(world.storage.people().membership(company.id, eva).await.expect("find"), None);
}

#[tokio::test]
async fn an_invited_holder_counts_as_none() {
    let (world, company) = World::with_company().await;
    let first = world.holder(company.id).await;
    let (eva, invited) = world.guest(company.id, Role::Holder).await;
    let leave = async || run!(world, membership::end, Role::Holder, company.id, first, None);
    assert!(matches!(leave().await, Err(ChangeError::LastHolder)));
    let withdraw = run!(world, membership::end, Role::Administrator, company.id, eva, None);
    assert!(matches!(withdraw, Err(ChangeError::HoldersOnly)), "it was a holder who offered it");
    run!(world, membership::accept, eva, invited.id, None).expect("accepted");
    leave().await.expect("another one holds it");
}

#[tokio::test]
async fn the_operator_makes_an_invited_person_a_member_without_asking() {
    let (world, company) = World::with_company().await;
    let (eva, invited) = world.guest(company.id, Role::Auditor).await;
    let added = run!(world, membership::add, Role::Holder, company.id, eva, Role::Manager).expect("added");
    assert_eq!((added.id, added.role, added.status), (invited.id, Role::Manager, MembershipStatus::Active));
    assert_eq!(added.accepted_at, Some(world.now));
}
