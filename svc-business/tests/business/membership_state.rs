//! The life of a membership: which step leads where, and which one is refused.

use proptest::prelude::*;
use svc_business::membership::{IllegalStep, Membership, MembershipStatus, Offer};
use svc_core::clock::Timestamp;
use svc_core::id::UserId;
use svc_core::role::Role;
use svc_testkit::business::sample::{at, id, membership};
use svc_testkit::property;

use self::MembershipStatus::{Active, Ended, Invited, Suspended};

/// A step of [`Membership`].
#[derive(Clone, Copy, Debug)]
enum Step {
    Invite,
    Accept,
    Decline,
    Grant,
    GiveRole,
    End,
}

const STEPS: [Step; 6] = [Step::Invite, Step::Accept, Step::Decline, Step::Grant, Step::GiveRole, Step::End];

fn ben() -> UserId {
    id(31)
}

fn offer() -> Offer {
    Offer { role: Role::Manager, by: Some(ben()), email: Some("cleo@acme.example".parse().expect("valid")) }
}

fn take(step: Step, membership: Membership, now: Timestamp) -> Result<Membership, IllegalStep> {
    match step {
        Step::Invite => membership.invite(offer(), now),
        Step::Accept => membership.accept(now),
        Step::Decline => membership.decline(now),
        Step::Grant => membership.grant(Role::Manager, now),
        Step::GiveRole => membership.give_role(Role::Manager, Some(ben()), now),
        Step::End => membership.end(now),
    }
}

/// The table of the module, written a second time: `None` is a refusal.
fn expected(step: Step, status: MembershipStatus) -> Option<MembershipStatus> {
    match (step, status) {
        (Step::Invite, Ended) => Some(Invited),
        (Step::Accept, Invited) | (Step::Grant, Invited | Suspended | Ended) => Some(Active),
        (Step::Decline, Invited) | (Step::End, Invited | Active | Suspended) => Some(Ended),
        (Step::GiveRole, Invited | Active | Suspended) => Some(status),
        (Step::Invite, Invited | Active | Suspended)
        | (Step::Accept | Step::Decline, Active | Suspended | Ended)
        | (Step::Grant, Active)
        | (Step::GiveRole | Step::End, Ended) => None,
    }
}

fn name(step: Step) -> &'static str {
    match step {
        Step::Invite => "invite",
        Step::Accept => "accept",
        Step::Decline => "decline",
        Step::Grant => "grant",
        Step::GiveRole => "give role",
        Step::End => "end",
    }
}

fn in_state(status: MembershipStatus) -> Membership {
    Membership { status, ..membership(40, id(1), id(30), Role::Auditor) }
}

#[test]
fn each_step_leads_where_the_table_says_and_every_other_one_is_refused_by_name_and_state() {
    for (step, status) in STEPS.iter().flat_map(|step| MembershipStatus::ALL.map(|status| (*step, status))) {
        let outcome = take(step, in_state(status), at(9)).map(|after| after.status);
        let wanted = expected(step, status).ok_or(IllegalStep { step: name(step), status, expired: false });
        assert_eq!(outcome, wanted, "{step:?} when {status:?}");
    }
}

#[test]
fn a_legal_step_is_the_next_version_of_the_same_membership() {
    for (step, status) in STEPS.iter().flat_map(|step| MembershipStatus::ALL.map(|status| (*step, status))) {
        let before = in_state(status);
        let Ok(after) = take(step, before.clone(), at(9)) else { continue };
        assert_eq!((after.id, after.user, after.account), (before.id, before.user, before.account));
        assert_eq!((after.version, after.updated_at), (before.version.next(), at(9)), "{step:?}");
        assert_eq!(after.created_at, before.created_at);
        let gives = matches!(step, Step::Invite | Step::Grant | Step::GiveRole);
        assert_eq!(after.role, if gives { Role::Manager } else { Role::Auditor }, "{step:?}");
    }
}

#[test]
fn who_comes_back_is_invited_anew_and_an_old_acceptance_is_remembered() {
    let gone = in_state(Ended);
    let invited = gone.clone().invite(offer(), at(9)).expect("it ended");
    assert_eq!((invited.invited_at, invited.invited_by), (at(9), Some(ben())));
    assert_eq!(invited.invited_email, offer().email);
    assert_eq!(invited.accepted_at, gone.accepted_at);
    let back = invited.clone().accept(at(10)).expect("invited");
    assert_eq!((back.accepted_at, back.invited_at, &back.invited_email), (Some(at(10)), at(9), &None));
    let declined = invited.decline(at(10)).expect("invited");
    assert_eq!(declined.accepted_at, gone.accepted_at);
    let granted = gone.grant(Role::Manager, at(11)).expect("it ended");
    assert_eq!((granted.invited_at, granted.invited_by, granted.accepted_at), (at(11), None, Some(at(11))));
}

#[test]
fn a_suspension_that_is_lifted_keeps_what_was_accepted() {
    let suspended = in_state(Suspended);
    let lifted = suspended.clone().grant(Role::Auditor, at(9)).expect("suspended");
    assert_eq!((lifted.accepted_at, lifted.invited_at), (suspended.accepted_at, suspended.invited_at));
}

#[test]
fn whatever_the_steps_only_who_accepted_or_was_added_is_active() {
    let steps = prop::collection::vec(prop::sample::select(&STEPS), 0..30);
    let (cases, _seed) = property::values(&steps, 256);
    for steps in cases {
        let mut now =
            Membership { status: Invited, accepted_at: None, ..membership(40, id(1), id(30), Role::Auditor) };
        let mut agreed = None;
        for (second, step) in (10..).zip(&steps) {
            let before = now.clone();
            match take(*step, now, at(second)) {
                Ok(after) => {
                    // A suspension is the only thing that ends without a new acceptance; no step suspends.
                    if matches!(step, Step::Accept | Step::Grant) {
                        agreed = Some(at(second));
                    }
                    assert!(after.status != Active || after.accepted_at.is_some(), "{steps:?}");
                    assert_eq!(after.accepted_at, agreed, "{steps:?}");
                    now = after;
                }
                Err(refused) => {
                    assert_eq!(refused.status, before.status);
                    now = before;
                }
            }
        }
    }
}
