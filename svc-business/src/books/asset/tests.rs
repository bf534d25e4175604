//! What the tests of assets share: the books of a small company, and a laptop.

mod journal;
mod model;
mod rules;
mod transitions;

use svc_core::clock::Timestamp;
use svc_core::error::ValidationErrors;
use svc_core::id::{JournalEntryId, TypedId};
use svc_core::money::{Amount, Currency};
use svc_core::patch::Patch;
use time::macros::date;
use time::{Date, Month};
use uuid::Uuid;

use super::*;
use crate::books::account::{AccountCode, CodeLength};
use crate::books::chart::Chart;
use crate::books::default_accounts::DefaultAccounts;
use crate::books::entry::{KnownAccount, KnownAccounts};

fn id<T: TypedId>(number: u128) -> T {
    T::from_uuid(Uuid::from_u128(number))
}

fn code(text: &str) -> AccountCode {
    text.parse().expect("a code")
}

fn euros(text: &str) -> Amount {
    Amount::parse(text, Currency::EUR).expect("an amount")
}

fn books() -> AssetBooks {
    AssetBooks { currency: Currency::EUR, length: CodeLength::default(), year_start: Month::January }
}

fn known() -> KnownAccounts {
    let known = |account: crate::books::chart::ChartAccount| {
        let (postable, tax_role) = (account.postable, account.tax_role);
        (account.code, KnownAccount { postable, active: true, tax_role, shared: false })
    };
    Chart::EsPgcPymes.accounts(CodeLength::default()).into_iter().map(known).collect()
}

fn disposal_accounts(asset: &FixedAsset) -> DisposalAccounts {
    let defaults = DefaultAccounts::of(Chart::EsPgcPymes, CodeLength::default());
    DisposalAccounts::of(asset.class, &defaults, None).expect("the chart has all")
}

/// A patch as a client writes it.
fn input(json: serde_json::Value) -> FixedAssetInput {
    serde_json::from_value(json).expect("a patch")
}

fn create(input: &FixedAssetInput) -> Result<FixedAsset, ValidationErrors> {
    let new = NewAsset { id: id(1), company: id(2), now: Timestamp::default() };
    FixedAsset::create(new, input, books())
}

/// 1,200.00 over 48 months from 2025-01-01, monthly: 25.00 each.
fn laptop() -> FixedAssetInput {
    input(serde_json::json!({
        "name": "Laptop", "assetClass": "it_equipment", "acquisitionDate": "2025-01-01", "cost": "1200.00",
        "frequency": "monthly",
    }))
}

fn draft() -> FixedAsset {
    create(&laptop()).expect("a draft")
}

fn active() -> FixedAsset {
    draft().activate(&known()).expect("active")
}

fn ids() -> impl FnMut() -> JournalEntryId {
    let mut next = 100;
    move || {
        next += 1;
        id(next)
    }
}

fn depreciated(asset: FixedAsset, through: Date) -> FixedAsset {
    asset.depreciate(through, ids()).expect("active").asset
}

fn sold(date: Date, proceeds: &str) -> DisposalTerms {
    DisposalTerms { date, proceeds: euros(proceeds), reason: DisposalReason::Sold }
}

/// The findings as `field code`.
fn findings<T: std::fmt::Debug>(outcome: Result<T, ValidationErrors>) -> Vec<String> {
    let errors = outcome.expect_err("findings");
    errors.0.iter().map(|error| format!("{} {}", error.field, error.code)).collect()
}
