//! Inviting people, and their answers.

use std::time::Duration;

use svc_business::job::{JobKind, Outcome, Run};
use svc_business::membership::{
    self, ChangeError, Guest, IllegalStep, MOST_INVITATIONS_A_DAY, Membership, MembershipStatus,
};
use svc_business::user::{User, UserStatus};
use svc_core::audit::{Actor, Who};
use svc_core::id::{AccountId, MembershipId, SessionId, UserId};
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::role::Role;
use svc_core::unit::CallContext;
use svc_testkit::business::sample::id;
use svc_testkit::business::verbs;

use super::test_app::{TestApp, run};

impl TestApp {
    /// A new person who is invited to a company.
    async fn guest(&self, company: AccountId, role: Role) -> (UserId, Membership) {
        let eva = self.user("eva@x.example").await.id;
        let invited =
            run!(self, membership::invite, Role::Holder, company, Guest::Id(eva), role).expect("invited");
        (eva, invited)
    }
}

#[tokio::test]
async fn an_invitation_waits_for_its_person_and_becomes_a_membership() {
    let (mut app, company) = TestApp::with_company().await;
    let (eva, invited) = app.guest(company.id, Role::Auditor).await;
    assert_eq!((invited.status, invited.accepted_at), (MembershipStatus::Invited, None));
    app.later();
    let joined = run!(app, verbs::accept, eva, invited.id, Some(invited.version)).expect("accepted");
    assert_eq!((joined.status, joined.role), (MembershipStatus::Active, Role::Auditor));
    assert_eq!((joined.accepted_at, joined.invited_at), (Some(app.now), invited.invited_at));
    assert_eq!(joined.version, invited.version.next());
    assert_eq!(app.events().await, Vec::<String>::new(), "the catalogue has no event for members");
}

#[tokio::test]
async fn the_inviter_is_the_person_who_acts_and_none_for_the_operator() {
    let (app, company) = TestApp::with_company().await;
    let (_, by_operator) = app.guest(company.id, Role::Auditor).await;
    assert_eq!(by_operator.invited_by, None);
    let (holder, ben) = (app.holder(company.id).await, app.user("ben@x.example").await.id);
    let who = Who::Person { user: holder, session: id::<SessionId>(1) };
    let actor = Actor { who, from: None, request: None };
    let unit = app.begin().await;
    let call = CallContext { actor: &actor, ..app.call() };
    let invited =
        membership::invite(&*unit, call, Role::Holder, company.id, Guest::Id(ben), Role::Manager).await;
    assert_eq!(invited.expect("invited").invited_by, Some(holder));
}

#[tokio::test]
async fn only_its_own_person_answers_an_invitation_once() {
    let (app, company) = TestApp::with_company().await;
    let (eva, invited) = app.guest(company.id, Role::Auditor).await;
    let holder = app.holder(company.id).await;
    for answer in [
        run!(app, verbs::accept, holder, invited.id, None),
        run!(app, verbs::decline, holder, invited.id, None),
        run!(app, verbs::accept, eva, id(404), None),
    ] {
        assert!(matches!(answer, Err(Refused::NotFound)), "{answer:?}");
    }
    let stale = run!(app, verbs::decline, eva, invited.id, Some(invited.version.next()));
    assert!(matches!(stale, Err(Refused::VersionConflict { current }) if current == invited.version));
    run!(app, verbs::decline, eva, invited.id, None).expect("declined");
    let late = run!(app, verbs::accept, eva, invited.id, None);
    let refused = IllegalStep { step: "accept", status: MembershipStatus::Ended, expired: false };
    assert!(matches!(late, Err(Refused::Own(ChangeError::Illegal(step))) if step == refused), "{late:?}");
}

#[tokio::test]
async fn who_is_a_member_or_invited_is_not_invited_again_until_it_ended() {
    let (app, company) = TestApp::with_company().await;
    let (eva, invited) = app.guest(company.id, Role::Auditor).await;
    let again =
        async || run!(app, membership::invite, Role::Holder, company.id, Guest::Id(eva), Role::Manager);
    for status in [MembershipStatus::Invited, MembershipStatus::Active] {
        let refused = again().await;
        assert!(
            matches!(refused, Err(Refused::Own(ChangeError::Present { id, status: met })) if (id, met) == (invited.id, status)),
            "{refused:?}"
        );
        if status == MembershipStatus::Invited {
            run!(app, verbs::accept, eva, invited.id, None).expect("accepted");
        }
    }
    run!(app, verbs::end_membership, Role::Holder, (company.id, eva), None).expect("ended");
    let back = again().await.expect("it ended");
    assert_eq!((back.id, back.role, back.status), (invited.id, Role::Manager, MembershipStatus::Invited));
}

#[tokio::test]
async fn who_is_unknown_or_may_not_invite_leaves_no_invitation() {
    let (app, company) = TestApp::with_company().await;
    let eva = app.user("eva@x.example").await.id;
    let invite =
        async |by, account, user, role| run!(app, membership::invite, by, account, Guest::Id(user), role);
    let unknown = invite(Role::Holder, company.id, id(404), Role::Auditor).await;
    assert!(matches!(unknown, Err(Refused::Own(ChangeError::UnknownUser))));
    let nowhere = invite(Role::Holder, id(404), eva, Role::Auditor).await;
    assert!(matches!(nowhere, Err(Refused::UnknownCompany)));
    let holder = invite(Role::Administrator, company.id, eva, Role::Holder).await;
    assert!(matches!(holder, Err(Refused::Own(ChangeError::HoldersOnly))));
    for by in Role::ALL.into_iter().filter(|role| !role.administers()) {
        let refused = invite(by, company.id, eva, Role::Auditor).await;
        assert!(matches!(refused, Err(Refused::Own(ChangeError::AdministratorsOnly))), "{by}");
    }
    assert_eq!(app.storage.people().membership(company.id, eva).await.expect("find"), None);
}

#[tokio::test]
async fn an_invited_holder_counts_as_none() {
    let (app, company) = TestApp::with_company().await;
    let first = app.holder(company.id).await;
    let (eva, invited) = app.guest(company.id, Role::Holder).await;
    let leave = async || run!(app, verbs::end_membership, Role::Holder, (company.id, first), None);
    assert!(matches!(leave().await, Err(Refused::Own(ChangeError::LastHolder))));
    let withdraw = run!(app, verbs::end_membership, Role::Administrator, (company.id, eva), None);
    assert!(
        matches!(withdraw, Err(Refused::Own(ChangeError::HoldersOnly))),
        "it was a holder who offered it"
    );
    run!(app, verbs::accept, eva, invited.id, None).expect("accepted");
    leave().await.expect("another one holds it");
}

#[tokio::test]
async fn the_operator_makes_an_invited_person_a_member_without_asking() {
    let (app, company) = TestApp::with_company().await;
    let (eva, invited) = app.guest(company.id, Role::Auditor).await;
    let added = run!(app, membership::add, Role::Holder, company.id, eva, Role::Manager).expect("added");
    assert_eq!((added.id, added.role, added.status), (invited.id, Role::Manager, MembershipStatus::Active));
    assert_eq!(added.accepted_at, Some(app.now));
}

#[tokio::test]
async fn an_invitation_can_be_accepted_for_fourteen_days_and_be_made_again_after_them() {
    let (mut app, company) = TestApp::with_company().await;
    let (eva, invited) = app.guest(company.id, Role::Auditor).await;
    let again = async |app: &TestApp| {
        run!(app, membership::invite, Role::Holder, company.id, Guest::Id(eva), Role::Manager)
    };
    app.now = invited.invited_at.plus(Membership::OPEN_FOR).minus(Duration::from_micros(1));
    assert!(matches!(again(&app).await, Err(Refused::Own(ChangeError::Present { .. }))));
    let unit = app.begin().await;
    verbs::accept(&*unit, app.call(), eva, invited.id, None).await.expect("the last moment");
    drop(unit);

    app.now = invited.invited_at.plus(Membership::OPEN_FOR);
    let late = run!(app, verbs::accept, eva, invited.id, None);
    let refused = IllegalStep { step: "accept", status: MembershipStatus::Invited, expired: true };
    assert!(matches!(late, Err(Refused::Own(ChangeError::Illegal(step))) if step == refused), "{late:?}");
    assert_eq!((invited.state(app.now), refused.shown()), ("expired", "expired"));
    let renewed = again(&app).await.expect("the first one expired");
    assert_eq!((renewed.id, renewed.role, renewed.invited_at), (invited.id, Role::Manager, app.now));
    run!(app, verbs::accept, eva, invited.id, None).expect("accepted");
}

#[tokio::test]
async fn who_is_late_can_still_decline() {
    let (mut app, company) = TestApp::with_company().await;
    let (eva, invited) = app.guest(company.id, Role::Auditor).await;
    app.now = app.now.plus(Membership::OPEN_FOR);
    let declined = run!(app, verbs::decline, eva, invited.id, None).expect("declined");
    assert_eq!(declined.status, MembershipStatus::Ended);
}

impl TestApp {
    /// A new person with a role in a company.
    async fn member(&self, email: &str, company: AccountId, role: Role) -> UserId {
        let user = self.user(email).await.id;
        run!(self, membership::add, Role::Holder, company, user, role).expect("added");
        user
    }

    /// `by` invites Eva as `role`.
    async fn offer(&self, by: UserId, company: AccountId, role: Role) -> (UserId, Membership) {
        let eva = self.user("eva@x.example").await.id;
        let actor = acting(by);
        let unit = self.begin().await;
        let call = CallContext { actor: &actor, ..self.call() };
        let invited = membership::invite(&*unit, call, Role::Holder, company, Guest::Id(eva), role).await;
        unit.commit().await.expect("commit");
        (eva, invited.expect("invited"))
    }
}

fn acting(person: UserId) -> Actor {
    Actor { who: Who::Person { user: person, session: id::<SessionId>(1) }, from: None, request: None }
}

#[tokio::test]
async fn an_invitation_lapses_while_its_inviter_could_not_make_it() {
    let (app, company) = TestApp::with_company().await;
    let ben = app.member("ben@x.example", company.id, Role::Administrator).await;
    let (eva, invited) = app.offer(ben, company.id, Role::Auditor).await;
    let accept = async || {
        let unit = app.begin().await;
        verbs::accept(&*unit, app.call(), eva, invited.id, None).await
    };
    accept().await.expect("Ben administers");
    let give = async |role| {
        run!(app, verbs::change_role, Role::Holder, (company.id, ben), None, role).expect("given");
    };
    give(Role::Manager).await;
    assert!(matches!(accept().await, Err(Refused::Own(ChangeError::OfferLapsed))));
    give(Role::Holder).await;
    accept().await.expect("Ben holds");
    run!(app, verbs::end_membership, Role::Holder, (company.id, ben), None).expect("ended");
    assert!(matches!(accept().await, Err(Refused::Own(ChangeError::OfferLapsed))));
    run!(app, verbs::decline, eva, invited.id, None).expect("declining is always possible");
}

#[tokio::test]
async fn an_invitation_by_a_disabled_inviter_lapses() {
    let (app, company) = TestApp::with_company().await;
    let ben = app.member("ben@x.example", company.id, Role::Holder).await;
    let (eva, invited) = app.offer(ben, company.id, Role::Auditor).await;
    let unit = app.begin().await;
    let before = unit.people().user(ben).await.expect("find").expect("Ben");
    let after = User { status: UserStatus::Disabled, version: before.version.next(), ..before.clone() };
    unit.people().replace_user(before.version, &after).await.expect("replaced");
    unit.commit().await.expect("commit");
    let refused = run!(app, verbs::accept, eva, invited.id, None);
    assert!(matches!(refused, Err(Refused::Own(ChangeError::OfferLapsed))), "{refused:?}");
}

#[tokio::test]
async fn the_person_who_changes_what_is_offered_offers_it() {
    let (app, company) = TestApp::with_company().await;
    let ben = app.member("ben@x.example", company.id, Role::Administrator).await;
    let (eva, invited) = app.offer(ben, company.id, Role::Auditor).await;
    let holder = app.holder(company.id).await;
    let (unit, actor) = (app.begin().await, acting(holder));
    let call = CallContext { actor: &actor, ..app.call() };
    let by = Role::Holder;
    let raised = verbs::change_role(&*unit, call, by, (company.id, eva), None, Role::Holder).await;
    assert_eq!(raised.expect("raised").invited_by, Some(holder));
    unit.commit().await.expect("commit");
    let joined = run!(app, verbs::accept, eva, invited.id, None).expect("a holder offers it");
    assert_eq!(joined.role, Role::Holder);
}

#[tokio::test]
async fn twenty_open_invitations_are_the_most_and_answered_or_expired_ones_count_no_more() {
    let (mut app, company) = TestApp::with_company().await;
    let invite = async |app: &TestApp, email: &str| {
        let guest = Guest::Email(email.parse().expect("an address"));
        run!(app, membership::invite, Role::Holder, company.id, guest, Role::Auditor)
    };
    let mut guests = Vec::new();
    for number in 0..23 {
        guests.push(app.user(&format!("guest{number}@x.example")).await);
    }
    for guest in &guests[..20] {
        invite(&app, guest.email.as_str()).await.expect("one of twenty");
    }
    for email in [guests[20].email.as_str(), "nobody@x.example"] {
        let refused = invite(&app, email).await;
        assert!(
            matches!(refused, Err(Refused::Own(ChangeError::TooManyInvitations))),
            "{email}: {refused:?}"
        );
    }
    run!(app, verbs::end_membership, Role::Holder, (company.id, guests[0].id), None).expect("withdrawn");
    invite(&app, guests[20].email.as_str()).await.expect("one was withdrawn");
    assert!(matches!(
        invite(&app, guests[21].email.as_str()).await,
        Err(Refused::Own(ChangeError::TooManyInvitations))
    ));
    app.now = app.now.plus(Membership::OPEN_FOR);
    invite(&app, guests[21].email.as_str()).await.expect("the others expired");
}

#[tokio::test]
async fn the_address_that_was_sent_is_kept_until_the_person_accepts() {
    let (app, company) = TestApp::with_company().await;
    let eva = app.user("eva@x.example").await.id;
    let sent = "EVA@x.example".parse().expect("an address");
    let guest = Guest::Email(sent);
    let invited = run!(app, membership::invite, Role::Holder, company.id, guest.clone(), Role::Auditor);
    let invited = invited.expect("invited");
    assert_eq!((invited.user, invited.is_disclosed()), (eva, false));
    assert_eq!(invited.invited_email.map(Guest::Email), Some(guest));
    let joined = run!(app, verbs::accept, eva, invited.id, None).expect("accepted");
    assert_eq!((joined.invited_email.as_ref(), joined.is_disclosed()), (None, true));
    run!(app, verbs::end_membership, Role::Holder, (company.id, eva), None).expect("ended");
    let back = run!(app, membership::invite, Role::Holder, company.id, Guest::Id(eva), Role::Auditor);
    assert!(back.expect("invited").is_disclosed(), "she was a member");
}

/// The jobs of mails of invitations that are due.
async fn mails(app: &TestApp) -> Vec<MembershipId> {
    let unit = app.begin().await;
    let until = app.now.plus(Duration::from_mins(5));
    let jobs = unit.jobs().claim(JobKind::InvitationMail, app.now, until, 100).await.expect("claimed");
    let run = Run { at: app.now, took: Duration::ZERO, outcome: Outcome::Done, note: String::new() };
    for job in &jobs {
        unit.jobs().end(job, &run).await.expect("ended");
    }
    unit.commit().await.expect("commit");
    jobs.iter().map(|job| membership::invited_by_mail(job).expect("a letter")).collect()
}

#[tokio::test]
async fn an_address_that_no_person_has_is_invited_like_any_other() {
    let (app, company) = TestApp::with_company().await;
    app.user("eva@x.example").await;
    let invite = async |email: &str| {
        let guest = Guest::Email(email.parse().expect("an address"));
        run!(app, membership::invite, Role::Holder, company.id, guest, Role::Auditor).expect("invited")
    };
    let (known, new) = (invite("eva@x.example").await, invite("new.person@x.example").await);
    assert_eq!((known.status, known.is_disclosed()), (new.status, new.is_disclosed()));
    let person = app.storage.people().user(new.user).await.expect("read").expect("a person who is awaited");
    assert_eq!((person.name.as_str(), person.status), ("new.person", UserStatus::Active));
    assert_eq!(person.locale, company.language);
    let mut sent = mails(&app).await;
    sent.sort();
    let mut both = vec![known.id, new.id];
    both.sort();
    assert_eq!(sent, both);
    // The same address again is the same person.
    run!(app, verbs::end_membership, Role::Holder, (company.id, new.user), None).expect("withdrawn");
    assert_eq!(invite("NEW.person@x.example").await.user, new.user);
}

#[tokio::test]
async fn an_invitation_is_sent_again_once_an_hour_while_it_is_open() {
    let (mut app, company) = TestApp::with_company().await;
    let (eva, invited) = app.guest(company.id, Role::Auditor).await;
    let again = async |app: &TestApp, by| {
        let unit = app.begin().await;
        let expected = Expected::Any;
        let opened =
            membership::open(&*unit, app.call(), company.id, invited.id, &expected).await.expect("there");
        membership::send_again(opened, by).await?;
        unit.commit().await.map_err(Refused::Store)
    };
    assert_eq!(mails(&app).await, [invited.id]);
    again(&app, Role::Holder).await.expect("taken");
    assert_eq!(mails(&app).await, [], "within the hour");
    app.now = app.now.plus(Duration::from_hours(1));
    again(&app, Role::Administrator).await.expect("taken");
    assert_eq!(mails(&app).await, [invited.id]);
    let refused = again(&app, Role::Manager).await;
    assert!(matches!(refused, Err(Refused::Own(ChangeError::AdministratorsOnly))), "{refused:?}");
    app.now = app.now.plus(Membership::OPEN_FOR);
    let refused = again(&app, Role::Holder).await;
    assert!(matches!(refused, Err(Refused::Own(ChangeError::Illegal(step))) if step.expired), "{refused:?}");
    run!(app, membership::invite, Role::Holder, company.id, Guest::Id(eva), Role::Auditor).expect("anew");
    run!(app, verbs::accept, eva, invited.id, None).expect("accepted");
    let refused = again(&app, Role::Holder).await;
    assert!(matches!(refused, Err(Refused::Own(ChangeError::Illegal(_)))), "{refused:?}");
}

#[tokio::test]
async fn a_company_that_withdraws_what_it_invites_stops_at_the_limit_of_a_day() {
    let (mut app, company) = TestApp::with_company().await;
    let invite = async |app: &TestApp, number: u64| {
        let guest = Guest::Email(format!("g{number}@x.example").parse().expect("an address"));
        run!(app, membership::invite, Role::Holder, company.id, guest, Role::Auditor)
    };
    for number in 0..MOST_INVITATIONS_A_DAY {
        let invited = invite(&app, number).await.expect("one of them");
        run!(app, verbs::end_membership, Role::Holder, (company.id, invited.user), None).expect("withdrawn");
    }
    let refused = invite(&app, MOST_INVITATIONS_A_DAY).await;
    assert!(matches!(refused, Err(Refused::Own(ChangeError::TooManyToday))), "{refused:?}");
    app.now = app.now.plus(Duration::from_hours(24));
    invite(&app, MOST_INVITATIONS_A_DAY).await.expect("another day");
}
