//! What an envelope does, told by a model of a few lines, and what signers and senders may try.

use proptest::prelude::*;
use svc_business::signature::key::{LinkHash, Salt};
use svc_business::signature::machine::{Consent, EnvelopeRefused, Step};
use svc_business::signature::{
    Envelope, EnvelopeFile, Ink, Signer, SignerAuth, SignerRole, SigningOrder, VoidReason,
};
use svc_core::clock::Timestamp;
use svc_core::trail::{Chain, Link};
use svc_testkit::business::envelopes::{access, act, act_of, draft, key, pin, signer};
use svc_testkit::business::sample::{at, id};

/// What is tried; signers are named by their place, modulo how many there are.
#[derive(Clone, Debug)]
pub(crate) enum Try {
    View(usize),
    Prove(usize, bool),
    Sign(usize),
    Decline(usize),
    Reassign(usize),
    Remind,
    Void,
    Expire,
    Wait(u32),
}

pub(crate) fn tries() -> impl Strategy<Value = Vec<Try>> {
    let one = 0_usize..6;
    let step = prop_oneof![
        8 => one.clone().prop_map(Try::View),
        4 => (one.clone(), any::<bool>()).prop_map(|(at, right)| Try::Prove(at, right)),
        10 => one.clone().prop_map(Try::Sign),
        1 => one.clone().prop_map(Try::Decline),
        2 => one.prop_map(Try::Reassign),
        1 => Just(Try::Remind),
        1 => Just(Try::Void),
        1 => Just(Try::Expire),
        2 => (1_u32..40 * 24 * 3_600).prop_map(Try::Wait),
        4 => (1_u32..300).prop_map(Try::Wait),
    ];
    prop::collection::vec(step, 1..60)
}

pub(crate) fn envelopes() -> impl Strategy<Value = Envelope> {
    let role = prop_oneof![
        4 => Just(SignerRole::Signer), 2 => Just(SignerRole::Approver), 1 => Just(SignerRole::Copy)
    ];
    let auth = prop_oneof![3 => Just(SignerAuth::Email), 1 => Just(SignerAuth::EmailOtp)];
    let people = prop::collection::vec((role, 1_u16..4, auth), 1..5);
    (people, any::<bool>(), 0_u8..4).prop_map(|(people, sequential, days)| {
        let mut signers: Vec<Signer> = (1_u128..).zip(people).map(person).collect();
        // One at least signs.
        signers.push(person((40, (SignerRole::Signer, 2, SignerAuth::Email))));
        let order = if sequential { SigningOrder::Sequential } else { SigningOrder::Parallel };
        let file = EnvelopeFile { file: id(901), pin: None };
        let mut envelope = Envelope { order, reminder_every_days: days, ..draft(id(1), 10, signers) };
        envelope.files.push(file);
        envelope
    })
}

fn person((number, (role, order, auth)): (u128, (SignerRole, u16, SignerAuth))) -> Signer {
    Signer { role, order, auth, ..signer(number) }
}

/// Where a signer is, as the model knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Waits,
    Asked,
    Looks,
    Signed,
    Gone,
}

/// An envelope as the model knows it.
struct Model {
    people: Vec<(SignerRole, u16, SignerAuth, Place, Option<Timestamp>)>,
    sequential: bool,
    ends: Timestamp,
    is_open: bool,
    is_complete: bool,
    /// When each was last asked.
    asked: Vec<Timestamp>,
}

impl Model {
    fn of(envelope: &Envelope, now: Timestamp) -> Self {
        let person = |one: &Signer| (one.role, one.order, one.auth, Place::Waits, None);
        let mut model = Self {
            people: envelope.signers.iter().map(person).collect(),
            sequential: envelope.order == SigningOrder::Sequential,
            ends: envelope.expires_at.expect("sent"),
            is_open: true,
            is_complete: false,
            asked: vec![now; envelope.signers.len()],
        };
        model.ask(now);
        model
    }

    fn ask(&mut self, now: Timestamp) {
        let acts = |role: SignerRole| role != SignerRole::Copy;
        let open = |place: Place| !matches!(place, Place::Signed | Place::Gone);
        let turns = self.people.iter().filter(|one| acts(one.0) && open(one.3)).map(|one| one.1);
        let turn = turns.min();
        for (one, asked) in self.people.iter_mut().zip(&mut self.asked) {
            if acts(one.0) && one.3 == Place::Waits && (!self.sequential || Some(one.1) == turn) {
                one.3 = Place::Asked;
                *asked = now;
            }
        }
    }

    /// Those whose turn it is, with when they were last asked.
    fn asked(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        let pairs = self.people.iter().zip(&mut self.asked);
        pairs.filter(|(one, _)| matches!(one.3, Place::Asked | Place::Looks)).map(|(_, asked)| asked)
    }
}

/// An envelope under test, with all that ever was added to its trail.
pub(crate) struct World {
    pub(crate) envelope: Envelope,
    pub(crate) trail: Vec<Link>,
    pub(crate) now: Timestamp,
    model: Model,
    next: u128,
}

impl World {
    pub(crate) fn send(draft: Envelope) -> Self {
        let now = at(100);
        let pins = (0..).zip(&draft.files).map(|(number, _)| pin(number)).collect();
        let step = draft.send(pins, access, &act(now)).expect("a whole draft");
        let model = Model::of(&step.envelope, now);
        Self { envelope: step.envelope, trail: step.entries, now, model, next: 500 }
    }

    fn keep(&mut self, step: Step) {
        self.envelope = step.envelope;
        self.trail.extend(step.entries);
    }

    pub(crate) fn attempt_all(&mut self, tries: &[Try]) {
        for attempt in tries {
            self.attempt(attempt);
        }
    }

    /// Tries one thing, and compares what became of it with what the model says.
    pub(crate) fn attempt(&mut self, attempt: &Try) {
        let before = self.envelope.clone();
        let open = self.model.is_open && self.now < self.model.ends;
        let count = self.model.people.len();
        let place = |at: usize| at % count;
        match *attempt {
            Try::Wait(seconds) => self.now = self.now.plus(std::time::Duration::from_secs(seconds.into())),
            Try::View(at) => self.view(place(at), open),
            Try::Prove(at, right) => self.prove(place(at), right, open),
            Try::Sign(at) => self.sign(place(at), open),
            Try::Decline(at) => self.decline(place(at), open),
            Try::Reassign(at) => self.reassign(place(at), open),
            Try::Remind => {
                let (hour, now) = (std::time::Duration::from_hours(1), self.now);
                let waited = self.model.asked().all(|asked| now >= asked.plus(hour));
                let outcome = before.clone().remind(&act(self.now));
                assert_eq!(outcome.is_ok(), open && waited, "{outcome:?}");
                if let Ok(step) = outcome {
                    self.model.asked().for_each(|asked| *asked = now);
                    self.keep(step);
                }
            }
            Try::Void => {
                let outcome = before.clone().void("motivo".to_owned(), &act(self.now));
                assert_eq!(outcome.is_ok(), open, "{outcome:?}");
                if let Ok(step) = outcome {
                    self.end(step);
                }
            }
            Try::Expire => match before.clone().expire(&act(self.now)) {
                Ok(Some(step)) => {
                    assert!(self.model.is_open && self.now >= self.model.ends);
                    self.end(step);
                    assert_eq!(self.envelope.void_reason(), Some(&VoidReason::Expired));
                }
                Ok(None) => assert!(open),
                Err(refused) => {
                    assert!(
                        matches!(refused, EnvelopeRefused::Closed(_)) && !self.model.is_open,
                        "{refused}"
                    );
                }
            },
        }
    }

    fn end(&mut self, step: Step) {
        self.model.is_open = false;
        self.keep(step);
    }

    /// The link that a signer was ever sent.
    pub(crate) fn link(&self, at: usize) -> LinkHash {
        let access = self.envelope.signers[at].access;
        access.map_or(LinkHash([0; 32]), |access| access.hash)
    }

    fn view(&mut self, at: usize, open: bool) {
        let (act, link) = (act_of(self.envelope.signers[at].id, self.now), self.link(at));
        let person = &mut self.model.people[at];
        let may = open && matches!(person.3, Place::Asked | Place::Looks | Place::Signed);
        let outcome = self.envelope.clone().view(&link, &act);
        assert_eq!(outcome.is_ok(), may, "{outcome:?}");
        if let Ok(Some(step)) = outcome {
            assert_eq!(std::mem::replace(&mut person.3, Place::Looks), Place::Asked);
            self.keep(step);
        }
    }

    fn prove(&mut self, at: usize, right: bool, open: bool) {
        let (id, link) = (self.envelope.signers[at].id, self.link(at));
        let (act, salt) = (act_of(id, self.now), Salt([3; 16]));
        let (_, _, auth, place, _) = self.model.people[at];
        let may = open && matches!(place, Place::Asked | Place::Looks) && auth == SignerAuth::EmailOtp;
        let Ok(step) = self.envelope.clone().request_code(&link, (&key(), salt), &act) else { return };
        assert!(may, "a code is sent to those who need one");
        self.keep(step);
        let code = key().one_time_code(id, &salt);
        let typed = if right { code.as_str() } else { "wrong!" };
        let proved = self.envelope.clone().prove_code(&link, (&key(), typed), &act).expect("it was sent");
        assert_eq!(proved.judged.is_ok(), right);
        self.model.people[at].4 = right.then_some(self.now);
        self.keep(proved.step);
    }

    fn sign(&mut self, at: usize, open: bool) {
        let (act, link) = (act_of(self.envelope.signers[at].id, self.now), self.link(at));
        let (_, _, auth, place, proved) = self.model.people[at];
        let lasts = std::time::Duration::from_mins(30);
        let is_proved = proved.is_some_and(|proof| self.now < proof.plus(lasts)) || auth == SignerAuth::Email;
        let made = Ink::Typed("Ana".to_owned());
        let outcome = self.envelope.clone().sign(&link, &Consent("Acepto"), &made, &act);
        assert_eq!(outcome.is_ok(), open && place == Place::Looks && is_proved, "{outcome:?}");
        if let Ok(step) = outcome {
            self.model.people[at].3 = Place::Signed;
            self.model.ask(self.now);
            let required = self.model.people.iter().filter(|one| one.0 != SignerRole::Copy);
            let all = required.filter(|one| one.3 != Place::Gone).all(|one| one.3 == Place::Signed);
            (self.model.is_complete, self.model.is_open) = (all, !all);
            self.keep(step);
        }
    }

    fn decline(&mut self, at: usize, open: bool) {
        let (act, link) = (act_of(self.envelope.signers[at].id, self.now), self.link(at));
        let may = open && self.model.people[at].3 == Place::Looks;
        let outcome = self.envelope.clone().decline(&link, "no".to_owned(), &act);
        assert_eq!(outcome.is_ok(), may, "{outcome:?}");
        if let Ok(step) = outcome {
            self.end(step);
        }
    }

    fn reassign(&mut self, at: usize, open: bool) {
        let (role, order, auth, place, _) = self.model.people[at];
        self.next += 1;
        let new = Signer { access: Some(access(id(self.next))), ..signer(self.next) };
        let outcome = self.envelope.clone().reassign(self.envelope.signers[at].id, new, &act(self.now));
        let may = open && !matches!(place, Place::Signed | Place::Gone);
        assert_eq!(outcome.is_ok(), may, "{outcome:?}");
        if let Ok(step) = outcome {
            self.model.people[at].3 = Place::Gone;
            self.model.people.push((role, order, auth, Place::Waits, None));
            self.model.asked.push(self.now);
            self.model.ask(self.now);
            self.keep(step);
        }
    }

    /// What holds after every step.
    pub(crate) fn check(&self) {
        let envelope = &self.envelope;
        let name = envelope.status.name();
        assert_eq!(name == "completed", self.model.is_complete);
        assert_eq!(envelope.status.ended_at().is_none(), self.model.is_open);
        let required = || envelope.signers.iter().filter(|signer| signer.is_required());
        assert_eq!(name == "completed", required().all(Signer::has_signed), "{envelope:?}");
        let terminal = ["envelope.completed", "envelope.declined", "envelope.voided"];
        let ends = self.trail.iter().filter(|link| terminal.contains(&link.entry.action.as_str()));
        assert_eq!(ends.count(), usize::from(!self.model.is_open));
        if envelope.order == SigningOrder::Sequential {
            for one in required().filter(|one| one.status.notified_at().is_some()) {
                let mut lower = required().filter(|other| other.order < one.order);
                // A place that was reassigned before its turn came is asked in its turn again.
                assert!(lower.all(Signer::has_signed), "{envelope:?}");
            }
        }
        let chain = Chain::from_links(self.trail.clone());
        assert_eq!(chain.verify(), Ok(()));
        assert_eq!((chain.head(), self.trail.len()), (envelope.trail.hash, envelope.trail.entries as usize));
        for at in 0..envelope.signers.len() {
            let link = self.link(at);
            let alive = envelope.by_link(&link, &act(self.now)).is_ok();
            let gone =
                !envelope.signers[at].is_required() || !self.model.is_open || self.now >= self.model.ends;
            assert!(!(alive && gone), "the link of {:?} lives", envelope.signers[at]);
        }
    }
}
