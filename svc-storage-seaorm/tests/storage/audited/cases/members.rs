//! Memberships, and passwords of members.

use svc_auth::session::{PasswordText, change_password, set_password};
use svc_business::account::{AccountInput, FoundRequest};
use svc_business::founding;
use svc_business::membership::{self, Guest};
use svc_core::audit::Action;
use svc_core::id::{MembershipId, UserId};
use svc_core::patch::Patch;
use svc_core::role::Role;
use svc_testkit::business::verbs;

use crate::audited::test_app::{Case, TestApp, case, input, told};
use crate::fresh::keys;

/// A new person in Acme.
async fn member(app: &TestApp, role: Role) -> UserId {
    let user = app.person().await;
    told!(app, |unit, call| membership::add(&*unit, call, Role::Holder, app.acme, user, role));
    user
}

pub(super) async fn added(app: &TestApp) -> Vec<Case> {
    let acme = app.acme;
    let user = app.person().await;
    let new = case!(
        app,
        "membership::add of a stranger",
        |unit, call| membership::add(&*unit, call, Role::Holder, acme, user, Role::Auditor),
        [(acme, Action::MemberAdd)]
    );
    told!(app, |unit, call| verbs::end_membership(&*unit, call, Role::Holder, (acme, user), None));
    let back = case!(
        app,
        "membership::add of a person who left",
        |unit, call| membership::add(&*unit, call, Role::Holder, acme, user, Role::Auditor),
        [(acme, Action::MemberAdd)]
    );
    let request = FoundRequest { input: input("Gamma"), holder: app.ana };
    let (gamma, told) = told!(app, |unit, call| founding::found(&*unit, call, request));
    let founded = Case::new("founding::found", told, [(gamma.id, Action::MemberAdd)]);

    let below = AccountInput { parent: Patch::Value(acme), ..input("Hija") };
    let (daughter, told) = told!(app, |unit, call| founding::create_subsidiary(&*unit, call, below, app.ana));
    let expected = [
        (acme, Action::GroupJoin),
        (daughter.id, Action::MemberAdd),
        (daughter.id, Action::GroupJoin),
        (acme, Action::GroupJoin),
    ];
    vec![new, back, founded, Case::new("founding::create_subsidiary", told, expected)]
}

/// A new person who is invited to Acme.
async fn guest(app: &TestApp) -> (UserId, MembershipId) {
    let user = app.person().await;
    let invite = told!(app, |unit, call| {
        membership::invite(&*unit, call, Role::Holder, app.acme, Guest::Id(user), Role::Auditor)
    });
    (user, invite.0.id)
}

pub(super) async fn invited(app: &TestApp) -> Vec<Case> {
    let acme = app.acme;
    let user = app.person().await;
    let new = case!(
        app,
        "membership::invite of a stranger",
        |unit, call| membership::invite(&*unit, call, Role::Holder, acme, Guest::Id(user), Role::Auditor),
        [(acme, Action::MemberInvite)]
    );
    told!(app, |unit, call| verbs::end_membership(&*unit, call, Role::Holder, (acme, user), None));
    let again = case!(
        app,
        "membership::invite of a person who left",
        |unit, call| membership::invite(&*unit, call, Role::Holder, acme, Guest::Id(user), Role::Auditor),
        [(acme, Action::MemberInvite)]
    );
    vec![new, again]
}

pub(super) async fn accepted(app: &TestApp) -> Vec<Case> {
    let (user, id) = guest(app).await;
    vec![case!(
        app,
        "membership::accept",
        |unit, call| verbs::accept(&*unit, call, user, id, None),
        [(app.acme, Action::MemberAccept)]
    )]
}

pub(super) async fn declined(app: &TestApp) -> Vec<Case> {
    let (user, id) = guest(app).await;
    vec![case!(
        app,
        "membership::decline",
        |unit, call| verbs::decline(&*unit, call, user, id, None),
        [(app.acme, Action::MemberDecline)]
    )]
}

pub(super) async fn updated(app: &TestApp) -> Vec<Case> {
    let acme = app.acme;
    let user = member(app, Role::Auditor).await;
    let changed = case!(
        app,
        "membership::change_role",
        |unit, call| verbs::change_role(&*unit, call, Role::Holder, (acme, user), None, Role::Manager),
        [(acme, Action::MemberUpdate)]
    );
    let added = case!(
        app,
        "membership::add of a member with another role",
        |unit, call| membership::add(&*unit, call, Role::Holder, acme, user, Role::Employee),
        [(acme, Action::MemberUpdate)]
    );
    vec![changed, added]
}

pub(super) async fn removed(app: &TestApp) -> Vec<Case> {
    let user = member(app, Role::Auditor).await;
    let ended = case!(
        app,
        "membership::end",
        |unit, call| verbs::end_membership(&*unit, call, Role::Holder, (app.acme, user), None),
        [(app.acme, Action::MemberRemove)]
    );
    let (user, _) = guest(app).await;
    let withdrawn = case!(
        app,
        "membership::end of an invitation",
        |unit, call| verbs::end_membership(&*unit, call, Role::Holder, (app.acme, user), None),
        [(app.acme, Action::MemberRemove)]
    );
    vec![ended, withdrawn]
}

pub(super) async fn passwords(app: &TestApp) -> Vec<Case> {
    let everywhere = [app.acme, app.beta].map(|company| (company, Action::PasswordSet));
    let hash = app.hasher.stored("a passphrase of some length");
    let set = case!(
        app,
        "session::set_password",
        |unit, call| set_password(&*unit, call, app.ana, hash),
        everywhere
    );
    let user = member(app, Role::Auditor).await;
    let hash = app.hasher.stored("a passphrase of some length");
    let of_one = case!(
        app,
        "session::set_password of a member of one company",
        |unit, call| set_password(&*unit, call, user, hash),
        [(app.acme, Action::PasswordSet)]
    );

    let signed_in = app.signed_in().await;
    let [current, new] =
        [crate::audited::test_app::PASSWORD, "another passphrase of some length"].map(PasswordText::new);
    let heads = app.heads().await;
    let sessions = app.database.sessions();
    change_password(&*sessions, &app.hasher, &keys().peppers(), app.call(), &signed_in, current, new)
        .await
        .expect("the right password");
    let told = app.since(&heads).await;
    vec![set, of_one, Case::new("session::change_password", told, everywhere)]
}

pub(super) async fn without_change(app: &TestApp) -> Vec<Case> {
    let user = member(app, Role::Auditor).await;
    let (acme, by) = (app.acme, Role::Holder);
    let change = case!(
        app,
        "membership::change_role to the same one",
        |unit, call| verbs::change_role(&*unit, call, by, (acme, user), None, Role::Auditor),
        []
    );
    let add = case!(
        app,
        "membership::add of a member with the same role",
        |unit, call| membership::add(&*unit, call, by, acme, user, Role::Auditor),
        []
    );
    let (stranger, hash) = (app.person().await, app.hasher.stored("a passphrase of some length"));
    let stranger = case!(
        app,
        "session::set_password of a member of no company",
        |unit, call| set_password(&*unit, call, stranger, hash),
        []
    );
    vec![change, add, stranger]
}
