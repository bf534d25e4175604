//! Memberships, and passwords of members.

use svc_auth::session::{PasswordText, change_password, set_password};
use svc_business::account::{self, AccountInput, FoundRequest};
use svc_business::membership::{self, Guest};
use svc_core::audit::Action;
use svc_core::id::{MembershipId, UserId};
use svc_core::patch::Patch;
use svc_core::role::Role;

use crate::audited::world::{Case, World, case, input, told};
use crate::fresh::keys;

/// Somebody new in Acme.
async fn member(world: &World, role: Role) -> UserId {
    let user = world.person().await;
    told!(world, |unit, call| membership::add(&*unit, call, Role::Holder, world.acme, user, role));
    user
}

pub(super) async fn added(world: &World) -> Vec<Case> {
    let acme = world.acme;
    let user = world.person().await;
    let new = case!(
        world,
        "membership::add of a stranger",
        |unit, call| membership::add(&*unit, call, Role::Holder, acme, user, Role::Auditor),
        [(acme, Action::MemberAdd)]
    );
    told!(world, |unit, call| membership::end(&*unit, call, Role::Holder, acme, user, None));
    let back = case!(
        world,
        "membership::add of somebody who left",
        |unit, call| membership::add(&*unit, call, Role::Holder, acme, user, Role::Auditor),
        [(acme, Action::MemberAdd)]
    );
    let request = FoundRequest { input: input("Gamma"), holder: world.ana };
    let (gamma, told) = told!(world, |unit, call| account::found(&*unit, call, request));
    let founded = Case::new("account::found", told, [(gamma.id, Action::MemberAdd)]);

    let below = AccountInput { parent: Patch::Value(acme), ..input("Hija") };
    let (daughter, told) =
        told!(world, |unit, call| account::create_subsidiary(&*unit, call, below, world.ana));
    let expected = [
        (acme, Action::GroupJoin),
        (daughter.id, Action::MemberAdd),
        (daughter.id, Action::GroupJoin),
        (acme, Action::GroupJoin),
    ];
    vec![new, back, founded, Case::new("account::create_subsidiary", told, expected)]
}

/// Somebody new who is invited to Acme.
async fn guest(world: &World) -> (UserId, MembershipId) {
    let user = world.person().await;
    let invite = told!(world, |unit, call| {
        membership::invite(&*unit, call, Role::Holder, world.acme, Guest::Id(user), Role::Auditor)
    });
    (user, invite.0.id)
}

pub(super) async fn invited(world: &World) -> Vec<Case> {
    let acme = world.acme;
    let user = world.person().await;
    let new = case!(
        world,
        "membership::invite of a stranger",
        |unit, call| membership::invite(&*unit, call, Role::Holder, acme, Guest::Id(user), Role::Auditor),
        [(acme, Action::MemberInvite)]
    );
    told!(world, |unit, call| membership::end(&*unit, call, Role::Holder, acme, user, None));
    let again = case!(
        world,
        "membership::invite of somebody who left",
        |unit, call| membership::invite(&*unit, call, Role::Holder, acme, Guest::Id(user), Role::Auditor),
        [(acme, Action::MemberInvite)]
    );
    vec![new, again]
}

pub(super) async fn accepted(world: &World) -> Vec<Case> {
    let (user, id) = guest(world).await;
    vec![case!(
        world,
        "membership::accept",
        |unit, call| membership::accept(&*unit, call, user, id, None),
        [(world.acme, Action::MemberAccept)]
    )]
}

pub(super) async fn declined(world: &World) -> Vec<Case> {
    let (user, id) = guest(world).await;
    vec![case!(
        world,
        "membership::decline",
        |unit, call| membership::decline(&*unit, call, user, id, None),
        [(world.acme, Action::MemberDecline)]
    )]
}

pub(super) async fn updated(world: &World) -> Vec<Case> {
    let acme = world.acme;
    let user = member(world, Role::Auditor).await;
    let changed = case!(
        world,
        "membership::change_role",
        |unit, call| membership::change_role(&*unit, call, Role::Holder, acme, user, None, Role::Manager),
        [(acme, Action::MemberUpdate)]
    );
    let added = case!(
        world,
        "membership::add of a member with another role",
        |unit, call| membership::add(&*unit, call, Role::Holder, acme, user, Role::Employee),
        [(acme, Action::MemberUpdate)]
    );
    vec![changed, added]
}

pub(super) async fn removed(world: &World) -> Vec<Case> {
    let user = member(world, Role::Auditor).await;
    let ended = case!(
        world,
        "membership::end",
        |unit, call| membership::end(&*unit, call, Role::Holder, world.acme, user, None),
        [(world.acme, Action::MemberRemove)]
    );
    let (user, _) = guest(world).await;
    let withdrawn = case!(
        world,
        "membership::end of an invitation",
        |unit, call| membership::end(&*unit, call, Role::Holder, world.acme, user, None),
        [(world.acme, Action::MemberRemove)]
    );
    vec![ended, withdrawn]
}

pub(super) async fn passwords(world: &World) -> Vec<Case> {
    let everywhere = [world.acme, world.beta].map(|company| (company, Action::PasswordSet));
    let hash = world.hasher.stored("a passphrase of some length");
    let set = case!(
        world,
        "session::set_password",
        |unit, call| set_password(&*unit, call, world.ana, hash),
        everywhere
    );
    let user = member(world, Role::Auditor).await;
    let hash = world.hasher.stored("a passphrase of some length");
    let of_one = case!(
        world,
        "session::set_password of a member of one company",
        |unit, call| set_password(&*unit, call, user, hash),
        [(world.acme, Action::PasswordSet)]
    );

    let signed_in = world.signed_in().await;
    let [current, new] =
        [crate::audited::world::PASSWORD, "another passphrase of some length"].map(PasswordText::new);
    let heads = world.heads().await;
    let sessions = world.database.sessions();
    change_password(&*sessions, &world.hasher, &keys().peppers(), world.call(), &signed_in, current, new)
        .await
        .expect("the right password");
    let told = world.since(&heads).await;
    vec![set, of_one, Case::new("session::change_password", told, everywhere)]
}

pub(super) async fn without_change(world: &World) -> Vec<Case> {
    let user = member(world, Role::Auditor).await;
    let (acme, by) = (world.acme, Role::Holder);
    let change = case!(
        world,
        "membership::change_role to the same one",
        |unit, call| membership::change_role(&*unit, call, by, acme, user, None, Role::Auditor),
        []
    );
    let add = case!(
        world,
        "membership::add of a member with the same role",
        |unit, call| membership::add(&*unit, call, by, acme, user, Role::Auditor),
        []
    );
    let (nobody, hash) = (world.person().await, world.hasher.stored("a passphrase of some length"));
    let stranger = case!(
        world,
        "session::set_password of a member of no company",
        |unit, call| set_password(&*unit, call, nobody, hash),
        []
    );
    vec![change, add, stranger]
}
