#![doc = include_str!("../README.md")]

pub mod calendar;
mod compute;
pub mod export;
mod fact;
mod form;
mod model;
mod period;
mod value;

pub use self::compute::{
    ComputeError, Computed, ComputedBox, Facts, Manual, Outside, OutsideReason, PartyRow, Previous,
    PreviousReturn, ResultKind, TaxResult, Warning,
};
pub use self::fact::{FactKind, LedgerFact, Party, Rectifies, Reference, TaxFact, Treatment, WithholdingKey};
pub use self::form::{BoxDefinition, DefinitionError, Form, Label, Origin, Provenance, Unit, catalogue};
pub use self::model::Model;
pub use self::period::{Period, PeriodError, Quarter, TaxPeriod};
pub use self::value::{BoxValue, BoxValueError};
