//! When returns are due: obligations of a company in a year, their last days, and the working days of notices.
//!
//! A term ends on its last day, and on the next working day when that is a Saturday, a Sunday or a holiday (Ley 39/2015
//! art. 30.5). The rules of each model are those of its order.

mod days;
mod due;
mod profile;

use time::Date;

pub use self::days::{Holidays, add_natural_days, easter};
pub use self::due::due;
pub use self::profile::{Frequency, IncomeTax, Profile, Territory, VatRegime, Withholds};
use crate::model::Model;
use crate::period::{Period, PeriodError, Quarter, TaxPeriod};

/// A return that a company owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Obligation {
    /// The last day on which it can be filed in time.
    pub due: Date,
    /// The model.
    pub model: Model,
    /// The period that it is of.
    pub period: TaxPeriod,
}

/// The returns of the periods that a year has, by their last day.
///
/// Corporate tax is that of the tax year that ends in the year. Navarre and the Basque Country have returns of their own, none of which
/// is here.
///
/// # Errors
/// [`PeriodError::Year`].
pub fn obligations(
    profile: &Profile,
    year: i32,
    holidays: &Holidays,
) -> Result<Vec<Obligation>, PeriodError> {
    let mut owed = Vec::new();
    if profile.territory.has_own_returns() {
        return Ok(owed);
    }
    let mut owe = |model, frequency: Frequency| {
        for period in frequency.periods() {
            let period = TaxPeriod::new(year, period)?;
            owed.push(Obligation { due: due(model, &period, holidays), model, period });
        }
        Ok(())
    };
    if let Some(frequency) = profile.vat_frequency() {
        owe(Model::M303, frequency)?;
        if !profile.sii {
            owe(Model::M390, Frequency::Yearly)?;
        }
    }
    if profile.withholds.employees || profile.withholds.professionals {
        owe(Model::M111, profile.withholding_frequency())?;
        owe(Model::M190, Frequency::Yearly)?;
    }
    if profile.withholds.rent {
        owe(Model::M115, profile.withholding_frequency())?;
        owe(Model::M180, Frequency::Yearly)?;
    }
    if let Some(frequency) = profile.intra_community.filter(|_| profile.territory.has_vat()) {
        owe(Model::M349, frequency)?;
    }
    if profile.declares_third_parties() {
        owe(Model::M347, Frequency::Yearly)?;
    }
    match profile.income_tax {
        IncomeTax::PersonalDirect => owe(Model::M130, Frequency::Quarterly)?,
        IncomeTax::Corporate { year_ends: (month, day) } => {
            let period = profile::tax_year(year, month, day)?;
            owed.push(Obligation { due: due(Model::M200, &period, holidays), model: Model::M200, period });
        }
        IncomeTax::PersonalObjective | IncomeTax::None => {}
    }
    owed.sort_unstable();
    Ok(owed)
}

impl Frequency {
    fn periods(self) -> Vec<Period> {
        match self {
            Self::Monthly => {
                (1..=12).filter_map(|number| time::Month::try_from(number).ok()).map(Period::Month).collect()
            }
            Self::Quarterly => Quarter::ALL.into_iter().map(Period::Quarter).collect(),
            Self::Yearly => vec![Period::Year],
        }
    }
}
