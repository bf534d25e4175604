//! The tax profile of a company: what says which returns it owes (specification, domain part 9.1).
//!
//! A company has one, which begins with it as its legal form suggests. Its obligations follow from it, and are told by
//! [`svc_tax_forms::calendar`].

mod begin;
mod input;
mod obligations;
mod rules;
mod state;
mod update;

pub use self::begin::begin;
pub use self::input::{ActivityInput, RepresentativeInput, TaxProfileInput};
pub use self::state::{
    Activity, IncomeTax, IntraCommunity, Representative, TaxProfile, TaxProfileFilter, TaxProfileSort,
    VatPeriod, VerifactuMode, Withheld, YearEnd, YearEndError,
};
pub use self::update::update;
pub use svc_tax_forms::calendar::{Obligation, Territory, VatRegime};
