//! A fixed asset as a record of its company, and what a verb on it reads of the books.

use std::collections::BTreeSet;

use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::event::EventDeclaration;
use svc_core::refused::Refused;
use svc_core::resource::{ResourceStore, Version};

use super::{AssetBooks, AssetEntry, FixedAsset};
use crate::books::account::AccountCode;
use crate::books::book::Book;
use crate::books::entry::{Entry, KnownAccounts};
use crate::books::journal::entry_of;
use crate::catalogue::event;
use crate::ports::DynBooksUnit;
use crate::record::{Home, Record};

impl Record for FixedAsset {
    type Unit = DynBooksUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("fixed_asset.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("fixed_asset.update"));

    fn store(unit: &DynBooksUnit) -> &dyn ResourceStore<Self> {
        unit.fixed_assets()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}

impl AssetBooks {
    /// What these books say, of a company with this base currency.
    pub(super) fn of(home: &Home<'_, DynBooksUnit>, book: &Book) -> Self {
        Self {
            currency: home.company.base_currency,
            length: book.code_length,
            year_start: book.year_start.month(),
        }
    }
}

impl FixedAsset {
    /// Judges that it is counted in the base currency that the company has: that one changes until something is posted.
    pub(super) fn judge_currency<E>(&self, books: AssetBooks) -> Result<(), Refused<E>> {
        if self.terms.cost.currency() == books.currency {
            return Ok(());
        }
        let message =
            format!("the base currency of the company is {} since: create the asset anew", books.currency);
        Err(ValidationErrors::one("cost", "invalid_currency", message).into())
    }

    /// The accounts that count it.
    pub(super) fn codes(&self) -> impl Iterator<Item = AccountCode> + use<> {
        let lost = self.accounts.depreciation.map(|lost| [lost.accumulated, lost.expense]);
        lost.into_iter().flatten().chain([self.accounts.asset])
    }
}

/// What the books know of these accounts.
pub(super) async fn known_accounts(
    home: &Home<'_, DynBooksUnit>,
    book: &Book,
    codes: impl IntoIterator<Item = AccountCode>,
) -> Result<KnownAccounts, StoreError> {
    let codes: BTreeSet<_> = codes.into_iter().collect();
    let codes: Vec<_> = codes.into_iter().collect();
    let found = home.unit.ledger().with_codes(home.company.id, &codes).await?;
    Ok(found.iter().map(|account| (account.code, account.known(book.subledger))).collect())
}

impl AssetEntry {
    /// The entry as a draft of the journal.
    pub(super) fn draft(self, home: &Home<'_, DynBooksUnit>) -> Entry {
        let lines = self.lines.into_iter().map(|line| (line.account, None, line.movement));
        let draft = entry_of(home, self.kind, self.date, self.description, lines);
        Entry { source: Some(self.source), ..draft }
    }
}
