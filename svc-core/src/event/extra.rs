//! Further members of `data` (specification, part 6.7), and which events have them.

use serde::ser::SerializeMap;

/// A further member of `data`: an id or a count, never personal data.
///
/// Variants are in the alphabetical order of their names, which is the order
/// in the body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extra {
    /// `merged_id`: the record that a merge absorbed.
    MergedId(String),
    /// `movement_count`: how many bank movements an import added.
    MovementCount(u64),
    /// `payment_id`: the payment that was recorded.
    PaymentId(String),
    /// `previous_id`: the envelope that was reissued.
    PreviousId(String),
    /// `previous_signer_id`: the signer who was replaced.
    PreviousSignerId(String),
    /// `reverses_id`: the journal entry that was reversed.
    ReversesId(String),
    /// `signer_id`: the signer who took over.
    SignerId(String),
}

impl Extra {
    /// Adds the member to the `data` of a body.
    pub(super) fn write<M: SerializeMap>(&self, data: &mut M) -> Result<(), M::Error> {
        match self {
            Self::MergedId(id) => data.serialize_entry("merged_id", id),
            Self::MovementCount(count) => data.serialize_entry("movement_count", count),
            Self::PaymentId(id) => data.serialize_entry("payment_id", id),
            Self::PreviousId(id) => data.serialize_entry("previous_id", id),
            Self::PreviousSignerId(id) => data.serialize_entry("previous_signer_id", id),
            Self::ReversesId(id) => data.serialize_entry("reverses_id", id),
            Self::SignerId(id) => data.serialize_entry("signer_id", id),
        }
    }
}

/// What is known of a further member of one event type.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Whether every event of the type has it.
    pub(super) always: bool,
    pub(super) value: Value,
}

/// What a further member holds.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// An id of the kind with this prefix.
    Id { prefix: &'static str, of: fn(String) -> Extra },
    /// A number from 0.
    Count { of: fn(u64) -> Extra },
}

const fn id(
    name: &'static str,
    prefix: &'static str,
    of: fn(String) -> Extra,
    about: &'static str,
) -> Member {
    Member { name, about, always: true, value: Value::Id { prefix, of } }
}

const MERGED_CONTACT: Member = id("merged_id", "con", Extra::MergedId, "The contact that was absorbed.");
const MERGED_ACCOUNT: Member = id("merged_id", "acc", Extra::MergedId, "The account that was absorbed.");
const PAYMENT: Member = id("payment_id", "pay", Extra::PaymentId, "The payment that was recorded.");
const REVERSES: Member = Member {
    always: false,
    ..id("reverses_id", "jen", Extra::ReversesId, "The entry that this one reverses, if it reverses one.")
};
const MOVEMENTS: Member = Member {
    name: "movement_count",
    about: "How many movements were imported.",
    always: true,
    value: Value::Count { of: Extra::MovementCount },
};
const PREVIOUS: Member = id("previous_id", "env", Extra::PreviousId, "The envelope that was reissued.");
const PREVIOUS_SIGNER: Member =
    id("previous_signer_id", "sgr", Extra::PreviousSignerId, "The signer who was replaced.");
const SIGNER: Member = id("signer_id", "sgr", Extra::SignerId, "The signer who took over.");

/// The further members of an event type, in the order of the body.
pub(super) fn members(event: &str) -> &'static [Member] {
    match event {
        "contact.merge" => &[MERGED_CONTACT],
        "account.merge" => &[MERGED_ACCOUNT],
        "invoice.pay" => &[PAYMENT],
        "journal_entry.create" => &[REVERSES],
        "bank_movement.create" => &[MOVEMENTS],
        "envelope.reissued" => &[PREVIOUS],
        "envelope.reassigned" => &[PREVIOUS_SIGNER, SIGNER],
        _ => &[],
    }
}
