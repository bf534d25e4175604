//! Tax profiles as rows, and tax returns.

mod figures;
mod parties;
mod payments;
mod returns;

use std::collections::BTreeSet;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};
use svc_business::party::TaxId;
use svc_business::tax::profile::{
    Activity, IncomeTax, IntraCommunity, Representative, TaxProfile, TaxProfileFilter, TaxProfileSort,
    Territory, VatPeriod, VatRegime, VerifactuMode, Withheld, YearEnd,
};
use svc_business::tax::{TaxProfileReader, TaxProfileStore};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId};
use svc_core::pii::Pii;

use super::cell::{Cell, Columns, Stored, displayed, named};
use super::record::{Row, columns};
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::{broken, json};

impl Row for TaxProfile {
    const TABLE: &'static str = "svc_tax_profiles";

    columns! {
        {
            id: "id",
            company: "company_id",
            vat_regime: "vat_regime",
            vat_period: "vat_period",
            sii: "sii",
            redeme: "redeme",
            large: "large",
            extended_simplified: "extended_simplified",
            pro_rata: "pro_rata",
            intra_community: "intra_community",
            income_tax: "income_tax",
            corporate_rate: "corporate_rate",
            withholds: "withholds",
            territory: "territory",
            activities: "activities",
            year_end: "year_end",
            verifactu: "verifactu",
            refund_iban: "refund_iban",
            representative: "representative_name" | "representative_tax_id",
            version: "version",
            created_at: "created_at",
            updated_at: "updated_at",
        }
        children {  }
        derived {  }
    }

    fn companies(filter: &TaxProfileFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, _filter: &TaxProfileFilter) -> Sql {
        sql
    }

    fn sort_column(key: TaxProfileSort) -> &'static str {
        match key {
            TaxProfileSort::UpdatedAt => "updated_at",
        }
    }
}

#[async_trait]
impl<C: DeferInsert + Send + Sync> TaxProfileReader for SeaStore<C> {
    async fn of_company(&self, company: AccountId) -> Result<Option<TaxProfile>, StoreError> {
        let found =
            format!("SELECT {} FROM svc_tax_profiles WHERE company_id = ", TaxProfile::COLUMNS.join(", "));
        let rows = self.rows(self.sql(&found).bind(company.uuid())).await?;
        rows.first().map(TaxProfile::read).transpose()
    }

    async fn missing(&self, limit: u32) -> Result<Vec<AccountId>, StoreError> {
        self.companies_without("svc_tax_profiles", "company_id", limit).await
    }
}

impl<C: DeferInsert + Send + Sync> TaxProfileStore for SeaStore<C> {}

named!(
    VatRegime: name, VatPeriod: name, IntraCommunity: name, IncomeTax: name, Territory: name, VerifactuMode: name
);
displayed!(YearEnd);

/// Withholdings are bits of one number; the bit of one never changes.
const fn bit(withheld: Withheld) -> i32 {
    match withheld {
        Withheld::Employees => 1,
        Withheld::Professionals => 2,
        Withheld::Rent => 4,
    }
}

impl Stored for BTreeSet<Withheld> {
    type Sql = i32;

    fn to_sql(&self) -> i32 {
        self.iter().fold(0, |bits, withheld| bits | bit(*withheld))
    }

    fn from_sql(bits: i32) -> Option<Self> {
        let set: Self = Withheld::ALL.iter().copied().filter(|withheld| bits & bit(*withheld) != 0).collect();
        (set.to_sql() == bits).then_some(set)
    }
}

#[derive(Serialize, Deserialize)]
struct StoredActivity {
    iae: Option<String>,
    cnae: Option<String>,
    description: String,
    main: bool,
}

impl Stored for Vec<Activity> {
    type Sql = String;

    fn to_sql(&self) -> String {
        let stored = |activity: &Activity| {
            let Activity { iae, cnae, description, main } = activity.clone();
            StoredActivity { iae, cnae, description, main }
        };
        json(&self.iter().map(stored).collect::<Vec<_>>())
    }

    fn from_sql(sql: String) -> Option<Self> {
        let stored: Vec<StoredActivity> = serde_json::from_str(&sql).ok()?;
        let activity =
            |StoredActivity { iae, cnae, description, main }| Activity { iae, cnae, description, main };
        Some(stored.into_iter().map(activity).collect())
    }
}

/// `representative_name`, `representative_tax_id`
impl Columns for Option<Representative> {
    fn store(&self, values: &mut Vec<Value>) {
        let (name, tax_id) = self.clone().map(|one| (one.name, one.tax_id)).unzip();
        values.extend([name.put(), tax_id.put()]);
    }

    fn load(row: &QueryResult, columns: &[&'static str]) -> Result<Self, StoreError> {
        let [name, tax_id] = columns else { return Err(StoreError::backend("two columns")) };
        let tax_id: Option<Pii<TaxId>> = Cell::take(row, tax_id)?;
        match (Cell::take(row, name)?, tax_id) {
            (Some(name), Some(tax_id)) => Ok(Some(Representative { name, tax_id })),
            (None, None) => Ok(None),
            (Some::<String>(_), None) | (None, Some(_)) => Err(broken("tax_profiles.representative")),
        }
    }
}
