//! What an asset cost, how it loses value, the accounts that count it and how it left, as columns.

use sea_orm::{QueryResult, Value};
use svc_business::books::account::AccountCode;
use svc_business::books::asset::class::{AssetAccounts, DepreciationAccounts};
use svc_business::books::asset::plan::{Frequency, Life, Method, Proration, Schedule, Terms, YearWeights};
use svc_business::books::asset::{AssetStatus, AssetStatusFilter, Disposal, DisposalReason};
use svc_core::error::StoreError;
use svc_core::money::{Amount, Currency};
use time::{Date, Month};

use crate::business::cell::{Cell, Columns, named};
use crate::value::broken;

named!(Method: name, YearWeights: name, Frequency: name, Proration: name, DisposalReason: name);

/// `currency`, `cost`, `residual`, `opening_accumulated`, `in_service`, `method`, `year_weights`, `life_months`,
/// `frequency`, `proration`, `year_start`
impl Columns for Terms {
    fn store(&self, values: &mut Vec<Value>) {
        values.extend([
            self.cost.currency().put(),
            self.cost.minor().put(),
            self.residual.minor().put(),
            self.opening_accumulated.minor().put(),
            self.in_service.put(),
        ]);
        let schedule = self.schedule;
        let method = schedule.map_or(Method::None, |schedule| schedule.pattern.method());
        values.extend([
            method.put(),
            schedule.and_then(|schedule| schedule.pattern.weights()).put(),
            schedule.map(|schedule| schedule.life.months()).put(),
            schedule.map(|schedule| schedule.frequency).put(),
            schedule.map(|schedule| schedule.proration).put(),
            schedule.map(|schedule| i16::from(u8::from(schedule.year_start))).put(),
        ]);
    }

    fn load(row: &QueryResult, _columns: &[&'static str]) -> Result<Self, StoreError> {
        let amount = |column| amount_of(row, column)?.ok_or_else(|| broken(column));
        Ok(Self {
            cost: amount("cost")?,
            residual: amount("residual")?,
            opening_accumulated: amount("opening_accumulated")?,
            in_service: Cell::take(row, "in_service")?,
            schedule: schedule(row)?,
        })
    }
}

fn schedule(row: &QueryResult) -> Result<Option<Schedule>, StoreError> {
    let weights: Option<YearWeights> = Cell::take(row, "year_weights")?;
    let method: Method = Cell::take(row, "method")?;
    let Some(pattern) = method.pattern(weights.unwrap_or_default()) else { return Ok(None) };
    let (months, month): (u16, i16) = (Cell::take(row, "life_months")?, Cell::take(row, "year_start")?);
    let month = u8::try_from(month).ok().and_then(|month| Month::try_from(month).ok());
    Ok(Some(Schedule {
        pattern,
        life: Life::new(months).map_err(|_| broken("fixed_assets.life_months"))?,
        frequency: Cell::take(row, "frequency")?,
        proration: Cell::take(row, "proration")?,
        year_start: month.ok_or_else(|| broken("fixed_assets.year_start"))?,
    }))
}

/// `asset_account`, `accumulated_account`, `expense_account`
impl Columns for AssetAccounts {
    fn store(&self, values: &mut Vec<Value>) {
        let lost = self.depreciation;
        values.extend([
            self.asset.put(),
            lost.map(|lost| lost.accumulated).put(),
            lost.map(|lost| lost.expense).put(),
        ]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [asset, accumulated, expense] = columns else { return Err(StoreError::backend("three columns")) };
        let lost: (Option<AccountCode>, Option<AccountCode>) =
            (Cell::take(row, accumulated)?, Cell::take(row, expense)?);
        let depreciation = match lost {
            (Some(accumulated), Some(expense)) => Some(DepreciationAccounts { accumulated, expense }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => return Err(broken("fixed_assets.expense_account")),
        };
        Ok(Self { asset: Cell::take(row, asset)?, depreciation })
    }
}

/// `status`, `disposed_on`, `proceeds`, `disposal_reason`, `gain_loss`
impl Columns for AssetStatus {
    fn store(&self, values: &mut Vec<Value>) {
        let (status, disposal) = match *self {
            Self::Draft => (AssetStatusFilter::Draft, None),
            Self::Active => (AssetStatusFilter::Active, None),
            Self::FullyDepreciated => (AssetStatusFilter::FullyDepreciated, None),
            Self::Disposed { disposal } => (AssetStatusFilter::Disposed, Some(disposal)),
        };
        values.extend([
            status.put(),
            disposal.map(|disposal| disposal.date).put(),
            disposal.map(|disposal| disposal.proceeds.minor()).put(),
            disposal.map(|disposal| disposal.reason).put(),
            disposal.map(|disposal| disposal.gain_loss.minor()).put(),
        ]);
    }

    fn load(row: &QueryResult, _columns: &[&'static str]) -> Result<Self, StoreError> {
        let on: Option<Date> = Cell::take(row, "disposed_on")?;
        let reason: Option<DisposalReason> = Cell::take(row, "disposal_reason")?;
        let amounts = (amount_of(row, "proceeds")?, amount_of(row, "gain_loss")?);
        match (Cell::take(row, "status")?, on, reason, amounts) {
            (AssetStatusFilter::Draft, None, None, (None, None)) => Ok(Self::Draft),
            (AssetStatusFilter::Active, None, None, (None, None)) => Ok(Self::Active),
            (AssetStatusFilter::FullyDepreciated, None, None, (None, None)) => Ok(Self::FullyDepreciated),
            (AssetStatusFilter::Disposed, Some(date), Some(reason), (Some(proceeds), Some(gain_loss))) => {
                Ok(Self::Disposed { disposal: Disposal { date, proceeds, reason, gain_loss } })
            }
            _ => Err(broken("fixed_assets.status")),
        }
    }
}

/// An amount in the currency of the row.
fn amount_of(row: &QueryResult, column: &'static str) -> Result<Option<Amount>, StoreError> {
    let (currency, minor): (Currency, Option<i64>) = (Cell::take(row, "currency")?, Cell::take(row, column)?);
    minor.map(|minor| Amount::from_minor(minor, currency).map_err(|_| broken(column))).transpose()
}
