//! The entries that belong to an asset.

use svc_core::id::FixedAssetId;
use svc_core::money::{Amount, MoneyError};
use time::Date;

use super::class::AssetClass;
use super::plan::PostedInstalment;
use super::{Disposal, FixedAsset};
use crate::books::account::AccountCode;
use crate::books::default_accounts::{DefaultAccounts, MissingAccount, Purpose};
use crate::books::entry::{EntryKind, Movement, Source};

/// An entry of an asset, as it is to be drafted or posted; its lines add up to zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetEntry {
    /// `depreciation` or `disposal`.
    pub kind: EntryKind,
    /// The day on which it counts.
    pub date: Date,
    /// What it is about.
    pub description: String,
    /// The asset, and which of its entries this is: no two are alike.
    pub source: Source,
    /// Its lines.
    pub lines: Vec<AssetLine>,
}

/// One line of an entry of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetLine {
    /// The account.
    pub account: AccountCode,
    /// What is moved.
    pub movement: Movement,
}

/// The accounts of a disposal beside those of the asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisposalAccounts {
    /// What takes the proceeds: what the buyer owes, or a bank account.
    pub proceeds: AccountCode,
    /// What was won.
    pub gain: AccountCode,
    /// What was lost.
    pub loss: AccountCode,
}

impl DisposalAccounts {
    /// The default accounts for an asset of this class, with `proceeds` in the place of what buyers of fixed assets
    /// owe. Intangible assets, tangible ones and investment property have accounts of their own for what was won
    /// (*770, 771, 772*) and lost (*670, 671, 672*).
    ///
    /// # Errors
    /// [`MissingAccount`].
    pub fn of(
        class: AssetClass,
        defaults: &DefaultAccounts,
        proceeds: Option<AccountCode>,
    ) -> Result<Self, MissingAccount> {
        let find = |purpose| defaults.need(purpose);
        let (gain, loss) = results(class);
        let proceeds = proceeds.map_or_else(|| find(Purpose::DisposalReceivable), Ok)?;
        Ok(Self { proceeds, gain: find(gain)?, loss: find(loss)? })
    }
}

impl FixedAsset {
    /// The entry of an instalment: the expense (*68*) against what is lost in all (*28*), on the last day of its
    /// period. `None` for an asset that loses no value.
    #[must_use]
    pub fn depreciation_entry(&self, instalment: &PostedInstalment) -> Option<AssetEntry> {
        let accounts = self.accounts.depreciation?;
        let PostedInstalment { period, from, to, amount, .. } = *instalment;
        let lines = [(accounts.expense, amount), (accounts.accumulated, amount.negated())];
        Some(AssetEntry {
            kind: EntryKind::Depreciation,
            date: to,
            description: format!("Amortización de {}: {from} a {to}", self.name),
            source: source(self.id, &format!("depreciation-{period}")),
            lines: moved(lines),
        })
    }

    /// The entry of a disposal: what was lost in all (*28*) and the proceeds against the cost (*21*), and the
    /// difference as a gain or a loss. The asset is the one that left, with what it lost up to that day.
    ///
    /// Tax on the proceeds belongs to the document by which the asset was sold.
    ///
    /// # Errors
    /// [`MoneyError`], which an asset that was disposed of does not meet.
    pub fn disposal_entry(
        &self,
        disposal: &Disposal,
        accounts: DisposalAccounts,
    ) -> Result<AssetEntry, MoneyError> {
        let Disposal { date, proceeds, gain_loss, .. } = *disposal;
        let result = if gain_loss.minor() > 0 { accounts.gain } else { accounts.loss };
        let accumulated = match self.accounts.depreciation {
            Some(depreciation) => Some((depreciation.accumulated, self.accumulated()?)),
            None => None,
        };
        let rest = [
            (accounts.proceeds, proceeds),
            (self.accounts.asset, self.terms.cost.negated()),
            (result, gain_loss.negated()),
        ];
        Ok(AssetEntry {
            kind: EntryKind::Disposal,
            date,
            description: format!("Baja de {}", self.name),
            source: source(self.id, "disposal"),
            lines: moved(accumulated.into_iter().chain(rest)),
        })
    }
}

/// What counts gains and losses of a class.
const fn results(class: AssetClass) -> (Purpose, Purpose) {
    match class {
        AssetClass::Software => (Purpose::IntangibleDisposalGain, Purpose::IntangibleDisposalLoss),
        AssetClass::InvestmentProperty => (Purpose::PropertyDisposalGain, Purpose::PropertyDisposalLoss),
        AssetClass::IndustrialBuilding
        | AssetClass::CommercialBuilding
        | AssetClass::TechnicalInstallations
        | AssetClass::Machinery
        | AssetClass::Tools
        | AssetClass::OtherInstallations
        | AssetClass::Furniture
        | AssetClass::ItEquipment
        | AssetClass::Vehicles
        | AssetClass::Land => (Purpose::TangibleDisposalGain, Purpose::TangibleDisposalLoss),
    }
}

fn source(asset: FixedAssetId, role: &str) -> Source {
    Source::new("fixed_asset", &asset.to_string(), role).expect("an id and a role are plain")
}

/// Lines for what is not zero.
fn moved(amounts: impl IntoIterator<Item = (AccountCode, Amount)>) -> Vec<AssetLine> {
    let line = |(account, amount)| Some(AssetLine { account, movement: Movement::of_balance(amount)? });
    amounts.into_iter().filter_map(line).collect()
}
