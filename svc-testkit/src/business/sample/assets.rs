//! Fixed assets with nothing that they need not have.

use svc_business::books::account::CodeLength;
use svc_business::books::asset::class::AssetClass;
use svc_business::books::asset::plan::{Frequency, Life, Pattern, Proration, Schedule, Terms};
use svc_business::books::asset::{AssetStatus, FixedAsset};
use svc_business::party::Extension;
use svc_core::id::AccountId;
use svc_core::resource::Version;
use time::{Date, Month};

use super::{at, euros, id};

/// 1,200.00 over four years in monthly instalments, active.
#[must_use]
pub fn asset(company: AccountId, number: u128, acquired_on: Date) -> FixedAsset {
    let schedule = Schedule {
        pattern: Pattern::StraightLine,
        life: Life::new(48).expect("a life"),
        frequency: Frequency::Monthly,
        proration: Proration::Daily,
        year_start: Month::January,
    };
    FixedAsset {
        id: id(number),
        company,
        name: format!("Portátil {number}"),
        code: None,
        class: AssetClass::ItEquipment,
        acquired_on,
        terms: Terms {
            cost: euros(120_000),
            residual: euros(0),
            opening_accumulated: euros(0),
            in_service: acquired_on,
            schedule: Some(schedule),
        },
        accounts: AssetClass::ItEquipment.accounts(CodeLength::default()),
        posted: Vec::new(),
        status: AssetStatus::Active,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: at(i64::try_from(number).unwrap_or(0)),
        updated_at: at(0),
    }
}
