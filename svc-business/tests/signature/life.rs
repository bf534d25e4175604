//! Single steps of an envelope's life, and what is sent with them.

use svc_business::signature::code::CodeRefused;
use svc_business::signature::machine::{Consent, EnvelopeRefused, MailKind, Step};
use svc_business::signature::{
    Envelope, Ink, SealedFiles, Signer, SignerAuth, SignerRole, SignerStatus, SigningOrder, VoidReason,
};
use svc_core::id::SignerId;
use svc_testkit::business::envelopes::{access, act, act_of, draft, link, pin, signer};
use svc_testkit::business::sample::{at, id};

const DAY: i64 = 24 * 3_600;

fn sent(signers: Vec<Signer>) -> Step {
    let draft =
        Envelope { order: SigningOrder::Sequential, reminder_every_days: 3, ..draft(id(1), 10, signers) };
    draft.send(vec![pin(0)], access, &act(at(0))).expect("a whole draft")
}

fn mails(step: &Step) -> Vec<(SignerId, MailKind)> {
    step.mails.iter().map(|mail| (mail.signer, mail.kind)).collect()
}

fn signed(envelope: Envelope, by: u128, now: i64) -> Step {
    let (link, act) = (link(id(by)), act_of(id(by), at(now)));
    let viewed = envelope.view(&link, &act).expect("asked").expect("for the first time").envelope;
    let made = Ink::Drawn(vec![vec![(0, 0), (10, 20)]]);
    viewed.sign(&link, &Consent("Acepto"), &made, &act).expect("signed")
}

#[test]
fn a_draft_is_sent_whole_and_once() {
    let one = || vec![signer(1)];
    let send = |draft: Envelope, pins| draft.send(pins, access, &act(at(0)));
    let incomplete = |outcome| assert!(matches!(outcome, Err(EnvelopeRefused::Incomplete(_))), "{outcome:?}");
    incomplete(send(draft(id(1), 10, one()), Vec::new()));
    incomplete(send(draft(id(1), 10, vec![Signer { role: SignerRole::Copy, ..signer(1) }]), vec![pin(0)]));
    let with = |seconds| Envelope { expires_at: Some(at(seconds)), ..draft(id(1), 10, one()) };
    incomplete(send(with(0), vec![pin(0)]));
    incomplete(send(with(365 * DAY + 1), vec![pin(0)]));
    let year = send(with(365 * DAY), vec![pin(0)]).expect("a year").envelope;
    assert_eq!(year.expires_at, Some(at(365 * DAY)));
    let month = sent(one()).envelope;
    assert_eq!(month.expires_at, Some(at(30 * DAY)));
    assert_eq!(send(month, vec![pin(0)]), Err(EnvelopeRefused::NotDraft("sent")));
}

#[test]
fn people_are_asked_in_their_order_and_copies_in_the_end() {
    let copy = Signer { role: SignerRole::Copy, ..signer(3) };
    let step = sent(vec![Signer { order: 2, ..signer(2) }, signer(1), copy]);
    assert_eq!(mails(&step), [(id(1), MailKind::Invitation)]);
    let early = step.envelope.clone().view(&link(id(2)), &act(at(1)));
    assert_eq!(early, Err(EnvelopeRefused::NotYourTurn));
    let step = signed(step.envelope, 1, 60);
    assert_eq!(mails(&step), [(id(2), MailKind::Invitation)]);
    let step = signed(step.envelope, 2, 120);
    assert_eq!((step.envelope.status.name(), mails(&step)), ("completed", Vec::new()));
    let files = SealedFiles { files: vec![id(950)], certificate: id(951) };
    let wrong = SealedFiles { files: Vec::new(), ..files.clone() };
    assert!(step.envelope.clone().sealed(wrong, &act(at(121))).is_err());
    let step = step.envelope.sealed(files.clone(), &act(at(122))).expect("completed").expect("once");
    let all = [2, 1, 3].map(|number| (id(number), MailKind::Completed));
    assert_eq!(mails(&step), all);
    assert_eq!(step.envelope.signer(id(3)).map(|copy| copy.status.name()), Some("notified"));
    assert_eq!(step.envelope.sealed(files, &act(at(123))), Ok(None));
}

#[test]
fn a_signer_with_a_code_proves_it_first() {
    let envelope = sent(vec![Signer { auth: SignerAuth::EmailOtp, ..signer(1) }]).envelope;
    let (link, act) = (link(id(1)), act_of(id(1), at(1)));
    let sign =
        |envelope: Envelope| envelope.sign(&link, &Consent("Acepto"), &Ink::Typed("A".to_owned()), &act);
    assert_eq!(sign(envelope.clone()), Err(EnvelopeRefused::NotViewed));
    let viewed = envelope.view(&link, &act).expect("asked").expect("new").envelope;
    assert_eq!(sign(viewed), Err(EnvelopeRefused::Code(CodeRefused::Needed)));
    let plain = sent(vec![signer(1)]).envelope;
    let salt = svc_business::signature::key::Salt([0; 16]);
    let refused = plain.request_code(&link, (&svc_testkit::business::envelopes::key(), salt), &act);
    assert_eq!(refused, Err(EnvelopeRefused::Code(CodeRefused::NotNeeded)));
}

#[test]
fn a_place_is_taken_with_its_role_and_order() {
    let old = Signer { role: SignerRole::Approver, order: 2, auth: SignerAuth::EmailOtp, ..signer(1) };
    let envelope = sent(vec![old]).envelope;
    let new = Signer { access: Some(access(id(5))), ..signer(5) };
    let step = envelope.reassign(id(1), new.clone(), &act(at(9))).expect("open");
    assert_eq!(mails(&step), [(id(5), MailKind::Invitation)]);
    let taken = step.envelope.signer(id(5)).expect("there");
    assert_eq!((taken.role, taken.order, taken.auth), (SignerRole::Approver, 2, SignerAuth::EmailOtp));
    let replaced = step.envelope.signer(id(1)).expect("there").status.clone();
    assert_eq!(replaced, SignerStatus::Replaced { notified_at: Some(at(0)), viewed_at: None, by: id(5) });
    assert_eq!(step.envelope.by_link(&link(id(1)), &act(at(10))), Err(EnvelopeRefused::LinkDead));
    assert_eq!(
        step.envelope.reassign(id(1), new, &act(at(10))),
        Err(EnvelopeRefused::SignerDone("replaced"))
    );
}

#[test]
fn reminders_come_in_their_time() {
    let envelope = sent(vec![signer(1)]).envelope;
    assert_eq!(envelope.clone().remind(&act(at(60))), Err(EnvelopeRefused::RemindedLately));
    assert_eq!(envelope.clone().remind_when_due(&act(at(3 * DAY - 1))), Ok(None));
    let step = envelope.remind_when_due(&act(at(3 * DAY))).expect("open").expect("due");
    assert_eq!(mails(&step), [(id(1), MailKind::Reminder)]);
    assert_eq!(step.envelope.clone().remind_when_due(&act(at(3 * DAY + 1))), Ok(None), "once");
    let asked = step.envelope.remind(&act(at(3 * DAY + 3_600))).expect("an hour later");
    assert_eq!(mails(&asked), [(id(1), MailKind::Reminder)]);
}

#[test]
fn reminders_keep_the_days_between_them_at_whatever_minute_they_are_sent() {
    let mut envelope = sent(vec![signer(1)]).envelope;
    let mut sent_on = Vec::new();
    // A daily run that comes a little earlier or later each day.
    for (day, late) in (1..=20).zip([500, 900, 100, 700].into_iter().cycle()) {
        let run = act(at(day * DAY + late));
        if let Some(step) = envelope.clone().remind_when_due(&run).expect("open") {
            sent_on.push(day);
            envelope = step.envelope;
        }
    }
    assert_eq!(sent_on, [3, 6, 9, 12, 15, 18]);
}

#[test]
fn an_envelope_gives_way_once_and_a_completed_one_never() {
    let open = sent(vec![signer(1)]).envelope;
    let step = open.clone().supersede(id(77), &act(at(1))).expect("open");
    assert_eq!(step.envelope.void_reason(), Some(&VoidReason::Reissued));
    assert_eq!(step.envelope.superseded_by, Some(id(77)));
    assert!(step.mails.is_empty(), "{step:?}");
    assert_eq!(step.envelope.supersede(id(78), &act(at(2))), Err(EnvelopeRefused::Superseded));
    let voided = open.clone().void("motivo".to_owned(), &act(at(1))).expect("open").envelope;
    let gave_way = voided.supersede(id(77), &act(at(2))).expect("voided").envelope;
    assert_eq!(gave_way.void_reason(), Some(&VoidReason::Sender("motivo".to_owned())), "it ended once");
    let completed = signed(open, 1, 5).envelope;
    assert_eq!(completed.supersede(id(77), &act(at(6))), Err(EnvelopeRefused::NotReissued));
    let draft = draft(id(1), 10, vec![signer(1)]);
    assert_eq!(draft.supersede(id(77), &act(at(6))), Err(EnvelopeRefused::NotSent));
}

#[test]
fn the_term_ends_an_envelope_before_the_job_says_so() {
    let envelope = sent(vec![signer(1)]).envelope;
    assert_eq!(envelope.clone().expire(&act(at(30 * DAY - 1))), Ok(None));
    let late = act(at(30 * DAY));
    let closed = EnvelopeRefused::Closed("voided");
    assert_eq!(envelope.clone().void("motivo".to_owned(), &late), Err(closed.clone()));
    assert_eq!(envelope.by_link(&link(id(1)), &late), Err(closed.clone()));
    let step = envelope.expire(&late).expect("sent").expect("over");
    assert_eq!(mails(&step), [(id(1), MailKind::Voided)]);
    assert_eq!(step.envelope.expire(&late), Err(closed));
}
