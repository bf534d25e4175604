//! Records, and the texts that their hashes are made of.

use svc_core::money::Amount;
use svc_core::pii::Pii;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

use super::RecordHash;
use crate::party::{TaxId, value};
use crate::sales::series::DocumentNumber;

/// A record as it stands in the chain of a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<S> {
    /// What it says.
    pub subject: S,
    /// The hash of the record before it; `None` for the first one.
    pub previous: Option<RecordHash>,
    /// When it was made, to the second, with the offset of the company's time zone.
    pub generated_at: OffsetDateTime,
    /// Its own hash.
    pub hash: RecordHash,
}

/// What a record says.
pub trait Subject {
    /// The text of a hash, which is personal data of a sole trader: it does not leave this module.
    #[doc(hidden)]
    fn text(&self, previous: &str, generated_at: &str) -> Pii<String>;
}

/// A document was issued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The tax id of the company: `IDEmisorFactura`.
    pub issuer: Pii<TaxId>,
    /// `NumSerieFactura`
    pub number: DocumentNumber,
    /// The date of issue: `FechaExpedicionFactura`.
    pub date: Date,
    /// `TipoFactura`
    pub record_type: RecordType,
    /// Quotas and surcharges in the base currency: `CuotaTotal`.
    pub tax: Amount,
    /// The total in the base currency: `ImporteTotal`.
    pub total: Amount,
}

/// A document was voided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annulment {
    /// The tax id of the company: `IDEmisorFacturaAnulada`.
    pub issuer: Pii<TaxId>,
    /// `NumSerieFacturaAnulada`
    pub number: DocumentNumber,
    /// The date of issue: `FechaExpedicionFacturaAnulada`.
    pub date: Date,
}

/// The kind of an invoice: list L2 of Orden HAC/1177/2024.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordType {
    /// A full invoice.
    F1,
    /// A simplified invoice.
    F2,
    /// An invoice in the place of simplified ones.
    F3,
    /// Rectifying, by art. 80.1, 80.2 or 80.6 of Ley 37/1992, or an error in law.
    R1,
    /// Rectifying, by art. 80.3.
    R2,
    /// Rectifying, by art. 80.4.
    R3,
    /// Rectifying, for another reason.
    R4,
    /// Rectifying a simplified invoice.
    R5,
}

svc_core::wire_names!(RecordType {
    F1 = "F1",
    F2 = "F2",
    F3 = "F3",
    R1 = "R1",
    R2 = "R2",
    R3 = "R3",
    R4 = "R4",
    R5 = "R5",
});

/// Whether the tax office has a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transmission {
    /// It was not sent: `not_sent`
    NotSent,
    /// It was sent, without an answer yet: `pending`
    Pending,
    /// `accepted`
    Accepted,
    /// `rejected`
    Rejected,
}

svc_core::wire_names!(Transmission {
    NotSent = "not_sent",
    Pending = "pending",
    Accepted = "accepted",
    Rejected = "rejected",
});

/// A record of a document, and where it has got to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compliance<S> {
    /// Its place in the chain of the company, from 1 without gaps.
    pub place: u64,
    /// The record.
    pub record: Record<S>,
    /// Whether the tax office has it.
    pub transmission: Transmission,
}

/// A record of any kind, as a chain has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyRecord {
    /// A document was issued.
    Registration(Record<Registration>),
    /// A document was voided.
    Annulment(Record<Annulment>),
}

impl<S: Subject> Record<S> {
    /// The record that follows another one in the chain; fractions of a second are dropped.
    #[must_use]
    pub fn chained(subject: S, previous: Option<RecordHash>, generated_at: OffsetDateTime) -> Self {
        let generated_at = generated_at.replace_nanosecond(0).unwrap_or(generated_at);
        let hash = hash(&subject, previous, generated_at);
        Self { subject, previous, generated_at, hash }
    }

    /// Whether its hash is the one of what it says.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.hash == hash(&self.subject, self.previous, self.generated_at)
    }
}

fn hash(subject: &impl Subject, previous: Option<RecordHash>, generated_at: OffsetDateTime) -> RecordHash {
    let form = format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second][offset_hour sign:mandatory]:[offset_minute]"
    );
    // Formatting into a string with this description does not fail.
    let at = generated_at.format(form).unwrap_or_default();
    let previous = previous.map(|hash| hash.to_string()).unwrap_or_default();
    RecordHash::of(value::<String>(&subject.text(&previous, &at)))
}

/// A date as the tax office writes it.
pub(super) fn day(date: Date) -> String {
    format!("{:02}-{:02}-{:04}", date.day(), u8::from(date.month()), date.year())
}

impl Subject for Registration {
    fn text(&self, previous: &str, generated_at: &str) -> Pii<String> {
        let Self { issuer, number, date, record_type, tax, total } = self;
        Pii::new(format!(
            "IDEmisorFactura={}&NumSerieFactura={number}&FechaExpedicionFactura={}&TipoFactura={record_type}\
             &CuotaTotal={tax}&ImporteTotal={total}&Huella={previous}&FechaHoraHusoGenRegistro={generated_at}",
            value(issuer).as_str(),
            day(*date),
        ))
    }
}

impl Subject for Annulment {
    fn text(&self, previous: &str, generated_at: &str) -> Pii<String> {
        let Self { issuer, number, date } = self;
        Pii::new(format!(
            "IDEmisorFacturaAnulada={}&NumSerieFacturaAnulada={number}&FechaExpedicionFacturaAnulada={}\
             &Huella={previous}&FechaHoraHusoGenRegistro={generated_at}",
            value(issuer).as_str(),
            day(*date),
        ))
    }
}

impl AnyRecord {
    /// The hash of the record before it.
    #[must_use]
    pub const fn previous(&self) -> Option<RecordHash> {
        match self {
            Self::Registration(record) => record.previous,
            Self::Annulment(record) => record.previous,
        }
    }

    /// Its own hash.
    #[must_use]
    pub const fn hash(&self) -> RecordHash {
        match self {
            Self::Registration(record) => record.hash,
            Self::Annulment(record) => record.hash,
        }
    }

    /// Whether its hash is the one of what it says.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        match self {
            Self::Registration(record) => record.is_intact(),
            Self::Annulment(record) => record.is_intact(),
        }
    }
}
