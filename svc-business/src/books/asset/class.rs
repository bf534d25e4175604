//! Classes of fixed assets: the accounts that they use, and what the tax table allows.
//!
//! The table is data: `es_classes.csv` has the accounts of the chart of small companies and, for each class, the
//! highest yearly percentage and the longest life in years of the Spanish Corporate Tax Act (Ley 27/2014, article
//! 12.1.a, in force since 2015-01-01). A shorter life makes a difference between books and tax, which is allowed and
//! worth a warning.
//!
//! Software uses 680, as the Plan General de Contabilidad has it for intangible assets. The chart has one account,
//! 282, for what investment property lost. Its percentage is 2 or 3 by its use, so the table has the higher one.

mod row;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use self::row::Row;
use crate::books::account::{AccountCode, CodeLength};
use crate::books::asset::plan::{Life, Method};

/// What kind of thing a fixed asset is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssetClass {
    /// `software`
    Software,
    /// Works and warehouses: `industrial_building`
    IndustrialBuilding,
    /// Offices, shops and dwellings: `commercial_building`
    CommercialBuilding,
    /// `technical_installations`
    TechnicalInstallations,
    /// `machinery`
    Machinery,
    /// `tools`
    Tools,
    /// `other_installations`
    OtherInstallations,
    /// `furniture`
    Furniture,
    /// `it_equipment`
    ItEquipment,
    /// `vehicles`
    Vehicles,
    /// Land loses no value with time: `land`
    Land,
    /// Buildings that are held for rent or gain: `investment_property`
    InvestmentProperty,
}

svc_core::wire_names!(AssetClass {
    Software = "software",
    IndustrialBuilding = "industrial_building",
    CommercialBuilding = "commercial_building",
    TechnicalInstallations = "technical_installations",
    Machinery = "machinery",
    Tools = "tools",
    OtherInstallations = "other_installations",
    Furniture = "furniture",
    ItEquipment = "it_equipment",
    Vehicles = "vehicles",
    Land = "land",
    InvestmentProperty = "investment_property",
});

/// The accounts of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetAccounts {
    /// `assetAccountCode`: its cost.
    pub asset: AccountCode,
    /// The accounts of what it loses; none for land.
    pub depreciation: Option<DepreciationAccounts>,
}

/// The accounts of what an asset loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepreciationAccounts {
    /// `accumulatedAccountCode`: all that it lost so far.
    pub accumulated: AccountCode,
    /// `expenseAccountCode`: what it loses in a year.
    pub expense: AccountCode,
}

/// What the tax table allows for a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaxLimit {
    /// The highest percentage of the cost in a year.
    pub percent: u16,
    /// The longest life, in years.
    pub years: u16,
}

/// Something that is allowed and worth saying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetWarning {
    /// The asset loses more in a year than the tax table allows: `exceeds_tax_table`
    ExceedsTaxTable,
}

svc_core::wire_names!(AssetWarning { ExceedsTaxTable = "exceeds_tax_table" });

impl AssetClass {
    /// The accounts in books that started from the chart of small companies, with codes of this length.
    #[must_use]
    pub fn accounts(self, length: CodeLength) -> AssetAccounts {
        let row = self.row();
        let padded = |code: AccountCode| code.padded(length).unwrap_or(code);
        let depreciation = row.depreciation.map(|accounts| DepreciationAccounts {
            accumulated: padded(accounts.accumulated),
            expense: padded(accounts.expense),
        });
        AssetAccounts { asset: padded(row.asset), depreciation }
    }

    /// What the tax table allows; `None` for what loses no value.
    #[must_use]
    pub fn tax_limit(self) -> Option<TaxLimit> {
        self.row().limit
    }

    /// The shortest life that the tax table allows: what an asset has that names none.
    #[must_use]
    pub fn default_life(self) -> Option<Life> {
        let percent = self.tax_limit()?.percent;
        Life::new(1_200_u16.checked_add(percent)?.checked_sub(1)?.checked_div(percent)?).ok()
    }

    /// What is worth saying about an asset of this class with such a life.
    #[must_use]
    pub fn warning(self, life: Life) -> Option<AssetWarning> {
        let limit = self.tax_limit()?;
        // A life of N months is 1200 / N percent a year.
        let faster = u32::from(limit.percent).saturating_mul(u32::from(life.months())) < 1_200;
        faster.then_some(AssetWarning::ExceedsTaxTable)
    }

    /// Whether assets of this class can lose value in this way: land in none, buildings and furniture not by the
    /// declining balance (Real Decreto 634/2015, article 5).
    #[must_use]
    pub fn allows(self, method: Method) -> bool {
        let row = self.row();
        match method {
            Method::None => true,
            Method::StraightLine | Method::SumOfYears => row.depreciation.is_some(),
            Method::DecliningBalance => row.declining,
        }
    }

    fn row(self) -> &'static Row {
        TABLE.iter().find(|row| row.class == self).expect("the shipped table has every class")
    }
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    row::read(include_str!("class/es_classes.csv")).expect("the shipped table is well formed")
});
