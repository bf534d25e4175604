//! Tax returns: what a company declares of a period, computed from its books (specification, domain part 9.2).
//!
//! A return is owed by the calendar of the company, or made by hand. It is prepared: its boxes are computed from what is
//! posted, with what a person says beside. It is submitted while the books are as they were then: VAT is settled, and the tags
//! of its period are locked. What the tax agency says of it is written down; one that it refuses is prepared again. What it comes to is paid, or refunded, by
//! movements of bank accounts.

mod create;
mod figures;
mod input;
mod kept;
mod payment;
mod ports;
mod prepare;
mod rate;
mod refusal;
mod reopening;
mod settlement;
mod sources;
mod state;
mod submit;
mod warning;

pub use self::create::{create, schedule};
pub use self::figures::{Computation, compute, stale};
pub use self::input::{OutcomeRequest, PrepareRequest, SubmitRequest, TaxReturnInput, TaxReturnRequest};
pub use self::kept::computed;
pub use self::payment::ReturnPayment;
pub use self::ports::{TaxReturnReader, TaxReturnStore};
pub use self::prepare::{judge, prepare, said};
pub use self::refusal::{MOST_TAGS, ReturnRefused};
pub use self::reopening::reopen_year;
pub use self::sources::ReturnSource;
pub use self::state::{
    Channel, Figures, Outcome, ReturnBox, ReturnKind, ReturnParty, ReturnStatus, Said, Submission, TaxReturn,
    TaxReturnFilter, TaxReturnSort,
};
pub use self::submit::{Verdict, outcome, submit};
pub use self::warning::{ReturnWarning, Waiting, WarningCode};
pub use svc_tax_forms::export;
pub use svc_tax_forms::{BoxValue, Form, Model, Origin, Period, ResultKind, TaxPeriod, TaxResult, Unit};
