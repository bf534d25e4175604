//! What a tax profile is.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, TaxProfileId};
use svc_core::pii::Pii;
use svc_core::resource::{Resource, ResourceStore, Version};
use svc_tax_forms::calendar::{Territory, VatRegime};
use thiserror::Error;
use time::{Date, Month};

use crate::catalogue::event;
use crate::party::{Iban, TaxId};
use crate::ports::DynTaxUnit;
use crate::record::Record;
use crate::trade::Rate;

/// What says which returns a company owes.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of a company, and they mix freely")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxProfile {
    /// Its id.
    pub id: TaxProfileId,
    /// The company.
    pub company: AccountId,
    /// The scheme of VAT.
    pub vat_regime: VatRegime,
    /// How often VAT is declared.
    pub vat_period: VatPeriod,
    /// Whether the registers of VAT are kept at the tax agency, which makes it declare each month.
    pub sii: bool,
    /// Whether VAT is refunded each month.
    pub redeme: bool,
    /// Whether its turnover was above 6,010,121.04 € in the year before: then withholdings are declared each month.
    pub large: bool,
    /// Whether its simplified invoices may come to 3,000 € (RD 1619/2012, article 4.2).
    pub extended_simplified: bool,
    /// The part of VAT that it deducts where it is not all, in whole percent.
    pub pro_rata: Option<u16>,
    /// How often operations within the European Union are declared.
    pub intra_community: IntraCommunity,
    /// The tax on its income.
    pub income_tax: IncomeTax,
    /// The rate of corporate tax.
    pub corporate_rate: Option<Rate>,
    /// From whom it withholds tax.
    pub withholds: BTreeSet<Withheld>,
    /// Where it is taxed.
    pub territory: Territory,
    /// What it does, at most 20.
    pub activities: Vec<Activity>,
    /// The last day of its tax year.
    pub year_end: YearEnd,
    /// How records of invoices are kept for the tax agency.
    pub verifactu: VerifactuMode,
    /// Where refunds are paid to.
    pub refund_iban: Option<Pii<Iban>>,
    /// Who acts for it before the tax agency.
    pub representative: Option<Representative>,
    /// Counts its changes.
    pub version: Version,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// How often VAT is declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VatPeriod {
    /// `quarterly`
    #[default]
    Quarterly,
    /// `monthly`
    Monthly,
}

svc_core::wire_names!(VatPeriod { Quarterly = "quarterly", Monthly = "monthly" });

/// How often operations within the European Union are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntraCommunity {
    /// There are none: `none`
    #[default]
    None,
    /// `quarterly`
    Quarterly,
    /// `monthly`
    Monthly,
}

svc_core::wire_names!(IntraCommunity { None = "none", Quarterly = "quarterly", Monthly = "monthly" });

/// The tax on the income of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncomeTax {
    /// Corporate tax: `corporate`
    Corporate,
    /// Income tax by direct assessment: `personal_direct`
    PersonalDirect,
    /// Income tax by modules: `personal_objective`
    PersonalObjective,
    /// None, as what it earns is that of its members: `none`
    None,
}

svc_core::wire_names!(IncomeTax {
    Corporate = "corporate",
    PersonalDirect = "personal_direct",
    PersonalObjective = "personal_objective",
    None = "none",
});

/// From whom a company withholds tax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Withheld {
    /// `employees`
    Employees,
    /// `professionals`
    Professionals,
    /// Landlords: `rent`
    Rent,
}

svc_core::wire_names!(Withheld { Employees = "employees", Professionals = "professionals", Rent = "rent" });

/// How records of invoices are kept for the tax agency (RD 1007/2023).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VerifactuMode {
    /// Not yet: `off`
    #[default]
    Off,
    /// Sent as they are made: `verifactu`
    Verifactu,
    /// Kept, and sent when asked for: `no_verifactu`
    NoVerifactu,
}

svc_core::wire_names!(VerifactuMode {
    Off = "off",
    Verifactu = "verifactu",
    NoVerifactu = "no_verifactu",
});

/// Something that a company does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The heading of the tax on activities, with its section: `1/844`, at most 10 characters.
    pub iae: Option<String>,
    /// The class of the national classification: `6920`, at most 5 characters.
    pub cnae: Option<String>,
    /// What it is, 1 to 200 characters.
    pub description: String,
    /// Whether it is the main one; one of several is.
    pub main: bool,
}

/// Who acts for a company before the tax agency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Representative {
    /// Who, 1 to 200 characters.
    pub name: String,
    /// Their tax id.
    pub tax_id: Pii<TaxId>,
}

/// The last day of tax years: `MM-DD` on the wire, `12-31` unless said otherwise; the last day of February is `02-28`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YearEnd {
    month: Month,
    day: u8,
}

/// Not a day of every year.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a day of every year as MM-DD, such as 12-31; 02-29 is none")]
pub struct YearEndError;

impl YearEnd {
    /// The month.
    #[must_use]
    pub const fn month(self) -> Month {
        self.month
    }

    /// The day of the month; the last one of February stands for that of leap years too.
    #[must_use]
    pub const fn day(self) -> u8 {
        match (self.month, self.day) {
            (Month::February, 28) => 29,
            (_, day) => day,
        }
    }
}

impl Default for YearEnd {
    fn default() -> Self {
        Self { month: Month::December, day: 31 }
    }
}

impl FromStr for YearEnd {
    type Err = YearEndError;

    fn from_str(text: &str) -> Result<Self, YearEndError> {
        let (month, day) = text.split_once('-').ok_or(YearEndError)?;
        let two = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        if !two(month) || !two(day) {
            return Err(YearEndError);
        }
        let month = month.parse::<u8>().ok().and_then(|month| Month::try_from(month).ok());
        let (month, day) = (month.ok_or(YearEndError)?, day.parse().map_err(|_| YearEndError)?);
        // A year without a 29th of February.
        Date::from_calendar_date(2025, month, day).map_err(|_| YearEndError)?;
        Ok(Self { month, day })
    }
}

impl fmt::Display for YearEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}-{:02}", u8::from(self.month), self.day)
    }
}

/// What a list of tax profiles can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaxProfileFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
}

/// What a list of tax profiles can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaxProfileSort {
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for TaxProfile {
    const NAME: &'static str = "tax_profile";
    type Id = TaxProfileId;
    type Filter = TaxProfileFilter;
    type SortKey = TaxProfileSort;

    fn id(&self) -> TaxProfileId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for TaxProfile {
    type Unit = DynTaxUnit;
    const CHANGED: Option<&'static EventDeclaration> = Some(event("tax_profile.update"));

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.tax_profiles()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}
