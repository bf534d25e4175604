//! What says which returns a company owes.

use time::{Date, Duration, Month};

use crate::period::{PeriodError, TaxPeriod};

/// What says which returns a company owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Where it is taxed.
    pub territory: Territory,
    /// The scheme of VAT.
    pub vat_regime: VatRegime,
    /// How often VAT is declared; each month under SII.
    pub vat_period: Frequency,
    /// Whether the registers of VAT are kept at the AEAT (RD 1624/1992 art. 62.6): then 390 and 347 are not owed.
    pub sii: bool,
    /// Whether the turnover of the year before was above 6,010,121.04 €: then withholdings are declared each month
    /// (RD 439/2007 art. 108.1).
    pub large: bool,
    /// From whom it withholds tax.
    pub withholds: Withholds,
    /// The tax on its income.
    pub income_tax: IncomeTax,
    /// How often operations within the European Union are declared; `None` without any.
    pub intra_community: Option<Frequency>,
}

/// Where a company is taxed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Territory {
    /// Where VAT and the other taxes are due to the state: `common`
    #[default]
    Common,
    /// Without VAT (Ley 37/1992 art. 3): `canary`
    Canary,
    /// Without VAT (Ley 37/1992 art. 3): `ceuta_melilla`
    CeutaMelilla,
    /// With returns of its own (Ley 28/1990): `navarra`
    Navarra,
    /// With returns of its own (Ley 12/2002): `basque`
    Basque,
}

svc_core::wire_names!(Territory {
    Common = "common",
    Canary = "canary",
    CeutaMelilla = "ceuta_melilla",
    Navarra = "navarra",
    Basque = "basque",
});

impl Territory {
    /// Whether VAT is declared to the state there.
    pub(super) const fn has_vat(self) -> bool {
        matches!(self, Self::Common)
    }

    /// Whether returns go to an authority of its own, on models of its own.
    pub(super) const fn has_own_returns(self) -> bool {
        matches!(self, Self::Navarra | Self::Basque)
    }
}

/// The scheme of VAT (Ley 37/1992).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VatRegime {
    /// The general one: `general`
    General,
    /// By payments (art. 163 decies): `cash_basis`
    CashBasis,
    /// By modules (art. 122): `simplified`
    Simplified,
    /// Of retailers (art. 148): `equivalence_surcharge`
    EquivalenceSurcharge,
    /// Every operation is exempt: `exempt`
    Exempt,
    /// No operation is subject: `not_subject`
    NotSubject,
}

svc_core::wire_names!(VatRegime {
    General = "general",
    CashBasis = "cash_basis",
    Simplified = "simplified",
    EquivalenceSurcharge = "equivalence_surcharge",
    Exempt = "exempt",
    NotSubject = "not_subject",
});

/// How often a return is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frequency {
    /// `monthly`
    Monthly,
    /// `quarterly`
    Quarterly,
    /// `yearly`
    Yearly,
}

svc_core::wire_names!(Frequency { Monthly = "monthly", Quarterly = "quarterly", Yearly = "yearly" });

/// From whom a company withholds tax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Withholds {
    /// From those who work for it.
    pub employees: bool,
    /// From professionals.
    pub professionals: bool,
    /// From its landlords.
    pub rent: bool,
}

/// The tax on the income.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncomeTax {
    /// Corporate tax.
    Corporate {
        /// The last month and day of the tax year; a day that the month does not have is its last one.
        year_ends: (Month, u8),
    },
    /// Income tax by direct assessment.
    PersonalDirect,
    /// Income tax by modules, whose instalments are model 131.
    PersonalObjective,
    /// None.
    None,
}

impl IncomeTax {
    /// The tax year of corporate tax that begins in a year; `None` of another tax.
    ///
    /// # Errors
    /// [`PeriodError::Year`] of a year that no calendar has.
    pub fn tax_year(self, begins_in: i32) -> Result<Option<TaxPeriod>, PeriodError> {
        let Self::Corporate { year_ends: (month, day) } = self else { return Ok(None) };
        let ends = tax_year(begins_in, month, day)?;
        if ends.year() == begins_in {
            return Ok(Some(ends));
        }
        tax_year(begins_in.saturating_add(1), month, day).map(Some)
    }
}

impl Profile {
    pub(super) fn vat_frequency(&self) -> Option<Frequency> {
        if !self.territory.has_vat() {
            return None;
        }
        match self.vat_regime {
            VatRegime::General | VatRegime::CashBasis | VatRegime::Simplified if self.sii => {
                Some(Frequency::Monthly)
            }
            VatRegime::General | VatRegime::CashBasis | VatRegime::Simplified => Some(self.vat_period),
            VatRegime::EquivalenceSurcharge | VatRegime::Exempt | VatRegime::NotSubject => None,
        }
    }

    pub(super) fn withholding_frequency(&self) -> Frequency {
        if self.large { Frequency::Monthly } else { Frequency::Quarterly }
    }

    /// RD 1065/2007 art. 32.1: those under modules and a scheme without books of VAT are left out, and those under SII.
    pub(super) fn declares_third_parties(&self) -> bool {
        let without_books =
            matches!(self.vat_regime, VatRegime::Simplified | VatRegime::EquivalenceSurcharge);
        !self.sii && (self.income_tax != IncomeTax::PersonalObjective || !without_books)
    }
}

/// The tax year of twelve months that ends in a year.
pub(super) fn tax_year(year: i32, month: Month, day: u8) -> Result<TaxPeriod, PeriodError> {
    let end = |year: i32| {
        let last = day.clamp(1, month.length(year));
        Date::from_calendar_date(year, month, last).map_err(|_| PeriodError::Year)
    };
    TaxPeriod::tax_year(end(year.saturating_sub(1))?.saturating_add(Duration::DAY), end(year)?)
}
