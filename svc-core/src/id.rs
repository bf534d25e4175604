//! Typed identifiers in the `TypeID` text form.
//!
//! An id is a `UUIDv7` with a prefix that names its kind:
//! `con_01jd3k8z6qw2…`, 26 characters of Crockford base 32 after the prefix.
//! Ids sort by the millisecond in which they were made and have no order within
//! it, so what needs one keeps positions. Each kind is a Rust type of its own, so
//! a contact id can never stand where a company id is meant.

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use thiserror::Error;
use uuid::{Builder, Uuid};

use crate::clock::Timestamp;
use crate::random::{self, RandomSource};
use crate::wire::{Described, Parts};

/// What every typed id offers to generic code.
pub trait TypedId:
    Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display + FromStr<Err = IdError> + Send + Sync + 'static
{
    /// The prefix of the text form, without the underscore.
    const PREFIX: &'static str;

    /// Wraps a stored value.
    fn from_uuid(uuid: Uuid) -> Self;

    /// The stored value.
    fn uuid(self) -> Uuid;

    /// A regular expression of the text form.
    #[must_use]
    fn pattern() -> String {
        pattern(Self::PREFIX)
    }

    /// The least value of the millisecond of `at`: an id is less if it was made before that millisecond,
    /// and not less if it was made in it or later. No id itself.
    #[must_use]
    fn least(at: Timestamp) -> Self {
        Self::from_uuid(Uuid::from_u128(u128::from(millis(at)) << 80))
    }

    /// A new id of this kind, made at `now`.
    fn generate(now: Timestamp, random: &dyn RandomSource) -> Self {
        let millis = millis(now);
        Self::from_uuid(Builder::from_unix_timestamp_millis(millis, &random::bytes(random)).into_uuid())
    }
}

/// A regular expression of the ids with this prefix, which may be an expression itself.
#[must_use]
pub fn pattern(prefix: &str) -> String {
    // 26 digits in the base 32 of Crockford; 128 bits leave three for the first one.
    format!("^{prefix}_[0-7][0-9a-hjkmnp-tv-z]{{25}}$")
}

fn millis(at: Timestamp) -> u64 {
    u64::try_from(at.unix_micros().div_euclid(1_000)).unwrap_or(0)
}

/// The text is not an id of the kind that was expected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("expected an id of the form {prefix}_ and 26 characters")]
pub struct IdError {
    /// Prefix of the kind that was expected.
    pub prefix: &'static str,
}

macro_rules! typed_ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl TypedId for $name {
            const PREFIX: &'static str = $prefix;

            fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Self::PREFIX)?;
                f.write_str("_")?;
                f.write_str(std::str::from_utf8(&encode(self.0)).expect("the alphabet is ASCII"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                text.strip_prefix(Self::PREFIX)
                    .and_then(|rest| rest.strip_prefix('_'))
                    .and_then(decode)
                    .map(Self)
                    .ok_or(IdError { prefix: Self::PREFIX })
            }
        }

        impl Described for $name {
            fn schema(_: &mut Parts) -> serde_json::Value {
                serde_json::json!({ "type": "string", "pattern": Self::pattern() })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

typed_ids! {
    /// A company on the platform (an *account* in the specification).
    AccountId = "acc";
    /// A group of companies.
    GroupId = "grp";
    /// A person who signs in.
    UserId = "usr";
    /// A person's role in one company.
    MembershipId = "mem";
    /// A contact of a company.
    ContactId = "con";
    /// A case of a company.
    CaseId = "cas";
    /// A sales document of a company.
    SalesDocumentId = "inv";
    /// A line of a sales document.
    SalesLineId = "sln";
    /// A series that numbers sales documents.
    SeriesId = "ser";
    /// A supplier of a company.
    SupplierId = "sup";
    /// A supplier document of a company.
    SupplierDocumentId = "sdc";
    /// A job: what is done later, without a request.
    JobId = "job";
    /// A line of a supplier document.
    SupplierLineId = "sdl";
    /// A payment of a document.
    PaymentId = "pay";
    /// A bank account of a company.
    BankAccountId = "bka";
    /// A movement on a bank account.
    BankMovementId = "bmv";
    /// What says which returns a company owes.
    TaxProfileId = "txp";
    /// What a company declares of a period.
    TaxReturnId = "txr";
    /// What a public body notifies a company of.
    NoticeId = "ntc";
    /// What a movement on a bank account may stand for.
    BankProposalId = "bpr";
    /// An import of bank movements: a statement, or what was written by hand.
    BankMovementImportId = "bmi";
    /// A file of a company.
    FileId = "fil";
    /// A folder of files.
    FolderId = "fld";
    /// A file that a company shows to others.
    DataRoomFileId = "drf";
    /// A guest's way into a data room.
    DataRoomGrantId = "drg";
    /// What people are asked to sign.
    EnvelopeId = "env";
    /// A person that an envelope names.
    SignerId = "sgr";
    /// An account in the books of a company.
    LedgerAccountId = "lac";
    /// A fiscal year of a company's books.
    FiscalYearId = "fyr";
    /// An entry in the journal of a company.
    JournalEntryId = "jen";
    /// A line of a journal entry.
    JournalLineId = "jln";
    /// A fixed asset of a company.
    FixedAssetId = "fas";
    /// A credential: an API token.
    TokenId = "tok";
    /// An application that registered itself as a client of OAuth.
    RegisteredClientId = "ocl";
    /// What a person gave a client: its code and the tokens that followed.
    GrantId = "ogr";
    /// What a person is asked to approve: one call of an assistant.
    ApprovalId = "apr";
    /// A call of a tool by an assistant, as it is written down.
    CallId = "cal";
    /// A signed-in person's session.
    SessionId = "ses";
    /// A webhook subscription.
    SubscriptionId = "whs";
    /// One delivery of one event to one subscription.
    DeliveryId = "dlv";
    /// A job that sends events or deliveries again.
    ReplayId = "rpl";
    /// An event; the prefix is fixed by the specification, part 2.3.
    EventId = "evt";
    /// A request to the API, for support and logs.
    RequestId = "req";
}

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Every answer is full of ids, so their text is made on the stack.
fn encode(uuid: Uuid) -> [u8; 26] {
    let mut rest = uuid.as_u128();
    let mut text = [0; 26];
    for letter in text.iter_mut().rev() {
        let digit = usize::try_from(rest & 31).expect("a digit is five bits");
        *letter = ALPHABET.get(digit).copied().expect("a digit is five bits");
        rest >>= 5;
    }
    text
}

fn decode(text: &str) -> Option<Uuid> {
    let letters = text.as_bytes();
    // 26 places hold 130 bits: the first letter carries only three.
    if letters.len() != 26 || letters.first().is_some_and(|first| *first > b'7') {
        return None;
    }
    let mut number = 0_u128;
    for letter in letters {
        let digit = ALPHABET.iter().position(|known| known == letter)?;
        number = (number << 5) | u128::try_from(digit).ok()?;
    }
    Some(Uuid::from_u128(number))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_id_survives_its_text_form(number in any::<u128>()) {
            let id = ContactId::from_uuid(Uuid::from_u128(number));
            prop_assert_eq!(id.to_string().parse::<ContactId>(), Ok(id));
        }

        #[test]
        fn text_order_is_creation_order(earlier in 0_i64..4_000_000_000, gap in 1_i64..1_000_000) {
            let first = ContactId::generate(Timestamp::from_unix_seconds(earlier), &Zeros);
            let second = ContactId::generate(Timestamp::from_unix_seconds(earlier + gap), &Zeros);
            prop_assert!(first < second);
            prop_assert!(first.to_string() < second.to_string());
        }
    }

    #[test]
    fn a_millisecond_begins_with_its_first_id_and_ends_before_that_of_the_next() {
        let at = Timestamp::from_unix_micros(1_738_314_900_123_456);
        for random in [&Zeros as &dyn RandomSource, &Ones] {
            let id = EventId::generate(at, random);
            assert!(EventId::least(at) <= id);
            assert!(id < EventId::least(at.plus(std::time::Duration::from_millis(1))));
        }
    }

    struct Ones;

    impl RandomSource for Ones {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(255);
        }
    }

    struct Zeros;

    impl RandomSource for Zeros {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[test]
    fn the_text_form_is_the_published_typeid_vector() {
        // https://github.com/jetify-com/typeid/blob/main/spec/valid.yml
        let uuid = Uuid::parse_str("0110c853-1d09-52d8-d73e-1194e95b5f19").expect("valid");
        assert_eq!(encode(uuid), *b"0123456789abcdefghjkmnpqrs");
    }

    #[test]
    fn another_kind_or_a_bad_text_is_refused() {
        let id = ContactId::generate(Timestamp::default(), &Zeros).to_string();
        for text in
            [id.replace("con_", "acc_"), id.to_uppercase(), format!("{id}0"), "con_".into(), String::new()]
        {
            assert_eq!(text.parse::<ContactId>(), Err(IdError { prefix: "con" }), "{text}");
        }
        assert!("con_8zzzzzzzzzzzzzzzzzzzzzzzzz".parse::<ContactId>().is_err());
    }
}
