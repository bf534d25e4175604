//! Proposals from facts.

use std::collections::BTreeMap;

use svc_core::id::ContactId;
use svc_core::money::Amount;
use time::Date;

use super::MOST;
use super::clue::Texts;
use super::facts::{DueReturn, Facts};
use super::state::{Proposal, ProposedPart, ProposedTarget, Reason, id_of};
use crate::bank::movement::{BankMovement, PaidDocument};
use crate::invoicing::DueDocument;

/// Documents of one contact that are added up at most: those first that were issued first.
const MOST_ADDED: usize = 40;
/// How many days before or after the movement a document is due that is near.
pub(super) const NEAR: u32 = 10;
/// The score from which a proposal is as good as certain.
const SURE: u8 = 90;
/// How far it is ahead of the next one then.
const AHEAD: u8 = 20;
/// The highest score.
const BEST: u8 = 100;

type Owed = DueDocument<PaidDocument>;

/// What a movement may stand for, the likeliest first: at most [`MOST`].
#[must_use]
pub fn propose(movement: &BankMovement, facts: &Facts) -> Vec<Proposal> {
    let amount = movement.moved.amount;
    let clues = Clues { movement, facts, texts: Texts::of(movement) };
    let mut proposals: Vec<Proposal> = facts
        .unmatched
        .iter()
        .map(|recorded| {
            let part = ProposedPart::new(amount, ProposedTarget::Payment(recorded.payment));
            proposal(vec![part], vec![Reason::PaymentRecorded], Some(recorded.date))
        })
        .collect();
    proposals.extend(facts.booked_on.map(|code| {
        let part = ProposedPart::new(amount, ProposedTarget::Account(code));
        proposal(vec![part], vec![Reason::TextKnown], None)
    }));
    proposals.extend(facts.due.iter().filter_map(|owed| clues.pays(owed)));
    proposals.extend(clues.pays_several());
    proposals.extend(facts.returns.iter().map(|owed| clues.pays_return(owed)));
    proposals.sort_by(|one, other| {
        let by_score = other.score.cmp(&one.score);
        // What has no day comes last.
        let day = |proposal: &Proposal| proposal.since.unwrap_or(Date::MAX);
        let numbers = |proposal: &Proposal| -> Vec<Option<String>> {
            proposal.parts.iter().map(|part| part.number.clone()).collect()
        };
        let by_day = by_score.then_with(|| day(one).cmp(&day(other)));
        by_day.then_with(|| numbers(one).cmp(&numbers(other))).then_with(|| one.id.cmp(&other.id))
    });
    proposals.dedup_by(|one, other| one.id == other.id);
    proposals.truncate(MOST);
    proposals
}

/// The proposal that is reconciled without being asked: one that is as good as certain, with no other one near it.
#[must_use]
pub fn sure(proposals: &[Proposal]) -> Option<&Proposal> {
    let first = proposals.first().filter(|first| first.score >= SURE)?;
    let next = proposals.get(1).map_or(0, |next| next.score);
    (next <= first.score.saturating_sub(AHEAD)).then_some(first)
}

fn proposal(parts: Vec<ProposedPart>, mut reasons: Vec<Reason>, since: Option<Date>) -> Proposal {
    reasons.sort_unstable();
    reasons.dedup();
    let score = reasons.iter().fold(0_u8, |score, reason| score.saturating_add(reason.weight()));
    Proposal { id: id_of(&parts), score: score.min(BEST), reasons, parts, since }
}

struct Clues<'f> {
    movement: &'f BankMovement,
    facts: &'f Facts,
    texts: Texts,
}

impl Clues<'_> {
    /// A movement that pays a document, in whole or in part.
    fn pays(&self, owed: &Owed) -> Option<Proposal> {
        let amount = self.movement.moved.amount;
        let mut reasons = self.reasons(owed);
        if owed.due == amount {
            reasons.push(Reason::AmountDue);
        } else {
            // A part is paid by one that says what it pays, or who.
            let says = reasons.iter().any(|reason| *reason != Reason::DueDateNear);
            let is_part = amount.minor().unsigned_abs() < owed.due.minor().unsigned_abs();
            (says && is_part).then_some(())?;
        }
        Some(proposal(vec![part(owed, amount)], reasons, Some(owed.issued)))
    }

    /// A movement that pays all that is left of a tax return, or is its refund.
    fn pays_return(&self, owed: &DueReturn) -> Proposal {
        let amount = self.movement.moved.amount;
        let mut reasons = vec![Reason::AmountDue];
        if owed.receipt.as_deref().is_some_and(|receipt| self.texts.name_number(receipt)) {
            reasons.push(Reason::NumberInText);
        }
        if self.texts.tell_of_taxes(owed.model.name()) {
            reasons.push(Reason::TaxesInText);
        }
        reasons.extend(self.is_near(owed.due_date).then_some(Reason::DueDateNear));
        let target = ProposedTarget::TaxReturn(owed.declared);
        let part = ProposedPart { amount, target, number: Some(owed.name.clone()), contact: None };
        proposal(vec![part], reasons, Some(owed.ends))
    }

    fn is_near(&self, due: Date) -> bool {
        self.movement.booking_date.to_julian_day().abs_diff(due.to_julian_day()) <= NEAR
    }

    /// Movements that pay two or three documents of one contact.
    fn pays_several(&self) -> Vec<Proposal> {
        let mut of_contact = BTreeMap::<ContactId, Vec<&Owed>>::new();
        for owed in &self.facts.due {
            if let Some(contact) = owed.contact {
                of_contact.entry(contact).or_default().push(owed);
            }
        }
        let mut proposals = Vec::new();
        for mut owed in of_contact.into_values() {
            owed.sort_by_key(|owed| owed.issued);
            owed.truncate(MOST_ADDED);
            for (at, first) in owed.iter().enumerate() {
                for (next, second) in owed.iter().enumerate().skip(at.saturating_add(1)) {
                    proposals.extend(self.adds_up(&[first, second]));
                    for third in owed.iter().skip(next.saturating_add(1)) {
                        proposals.extend(self.adds_up(&[first, second, third]));
                    }
                }
            }
        }
        proposals
    }

    fn adds_up(&self, owed: &[&Owed]) -> Option<Proposal> {
        let amount = self.movement.moved.amount;
        let sum = Amount::sum(owed.iter().map(|owed| owed.due), amount.currency()).ok()?;
        (sum == amount).then_some(())?;
        let mut reasons: Vec<Reason> = owed.iter().flat_map(|owed| self.reasons(owed)).collect();
        reasons.push(Reason::AmountsDue);
        let parts = owed.iter().map(|owed| part(owed, owed.due)).collect();
        Some(proposal(parts, reasons, owed.iter().map(|owed| owed.issued).min()))
    }

    /// What beside the amount speaks for a document.
    fn reasons(&self, owed: &Owed) -> Vec<Reason> {
        let is_among =
            |contacts: &[ContactId]| owed.contact.is_some_and(|contact| contacts.contains(&contact));
        let mut reasons = Vec::new();
        if owed.number.as_deref().is_some_and(|number| self.texts.name_number(number)) {
            reasons.push(Reason::NumberInText);
        }
        if is_among(&self.facts.with_iban) {
            reasons.push(Reason::Iban);
        } else if is_among(&self.facts.with_tax_id) {
            reasons.push(Reason::TaxIdInText);
        } else if owed.name.as_deref().is_some_and(|name| self.texts.are_like(name)) {
            reasons.push(Reason::NameAlike);
        }
        if owed.due_date.is_some_and(|due| self.is_near(due)) {
            reasons.push(Reason::DueDateNear);
        }
        reasons
    }
}

fn part(owed: &Owed, amount: Amount) -> ProposedPart {
    let target = match owed.document {
        PaidDocument::Sales(document) => ProposedTarget::Invoice(document),
        PaidDocument::Purchase(document) => ProposedTarget::SupplierDocument(document),
    };
    ProposedPart { amount, target, number: owed.number.clone(), contact: owed.contact }
}
