//! What a company owes by its profile.

use svc_tax_forms::calendar::{self, Frequency, Holidays, Obligation, Profile, Withholds};
use svc_tax_forms::{PeriodError, TaxPeriod};

use super::{IncomeTax, IntraCommunity, TaxProfile, VatPeriod, Withheld};

impl TaxProfile {
    /// The returns of the periods of a year, by the last day on which each is filed in time.
    ///
    /// # Errors
    /// [`PeriodError::Year`] of a year that no calendar has.
    pub fn obligations(&self, year: i32) -> Result<Vec<Obligation>, PeriodError> {
        calendar::obligations(&self.calendar(), year, &Holidays::national())
    }

    /// The tax year of corporate tax that begins in a year, wherever it is declared; `None` of a company that owes another tax.
    ///
    /// # Errors
    /// [`PeriodError::Year`] of a year that no calendar has.
    pub fn tax_year(&self, begins_in: i32) -> Result<Option<TaxPeriod>, PeriodError> {
        self.calendar().income_tax.tax_year(begins_in)
    }

    fn calendar(&self) -> Profile {
        let withholds = |from| self.withholds.contains(&from);
        Profile {
            territory: self.territory,
            vat_regime: self.vat_regime,
            vat_period: match self.vat_period {
                VatPeriod::Quarterly if self.redeme => Frequency::Monthly,
                VatPeriod::Quarterly => Frequency::Quarterly,
                VatPeriod::Monthly => Frequency::Monthly,
            },
            sii: self.sii,
            large: self.large,
            withholds: Withholds {
                employees: withholds(Withheld::Employees),
                professionals: withholds(Withheld::Professionals),
                rent: withholds(Withheld::Rent),
            },
            income_tax: match self.income_tax {
                IncomeTax::Corporate => {
                    calendar::IncomeTax::Corporate { year_ends: (self.year_end.month(), self.year_end.day()) }
                }
                IncomeTax::PersonalDirect => calendar::IncomeTax::PersonalDirect,
                IncomeTax::PersonalObjective => calendar::IncomeTax::PersonalObjective,
                IncomeTax::None => calendar::IncomeTax::None,
            },
            intra_community: match self.intra_community {
                IntraCommunity::None => None,
                IntraCommunity::Quarterly => Some(Frequency::Quarterly),
                IntraCommunity::Monthly => Some(Frequency::Monthly),
            },
        }
    }
}
