//! Refusals of the use cases of accounting.

use svc_business::books::asset::AssetRefused;
use svc_business::books::book::BookError;
use svc_business::books::entry::{ChangeRefused, PostRefused, ReverseRefused};
use svc_business::books::fiscal_year::{CloseRefused, ClosingRefused, ReopenRefused, YearRefused};
use svc_business::books::journal::EntryRefused;
use svc_business::books::ledger::AccountInUse;
use svc_business::books::lock::{PeriodLocked, TaxPeriodSubmitted};
use svc_business::books::report::ReportError;

use super::{Code, Problem};

impl From<BookError> for Problem {
    fn from(error: BookError) -> Self {
        match error {
            BookError::InUse => Self::new(Code::BooksInUse, error.to_string()),
            BookError::Drafts { .. } => Self::new(Code::DraftEntries, error.to_string()),
        }
    }
}

impl From<AccountInUse> for Problem {
    fn from(error: AccountInUse) -> Self {
        Self::new(Code::LedgerAccountInUse, error.to_string())
    }
}

impl From<ChangeRefused> for Problem {
    fn from(refused: ChangeRefused) -> Self {
        let code = match refused {
            ChangeRefused::Posted => Code::EntryPosted,
            ChangeRefused::NotManual => Code::EntryNotManual,
        };
        Self::new(code, refused.to_string())
    }
}

impl From<YearRefused> for Problem {
    fn from(refused: YearRefused) -> Self {
        let code = match refused {
            YearRefused::None { .. } => Code::NoFiscalYear,
            YearRefused::Closed { .. } => Code::FiscalYearClosed,
        };
        Self::new(code, refused.to_string())
    }
}

impl From<PeriodLocked> for Problem {
    fn from(locked: PeriodLocked) -> Self {
        Self::new(Code::PeriodLocked, locked.to_string())
    }
}

impl From<TaxPeriodSubmitted> for Problem {
    fn from(submitted: TaxPeriodSubmitted) -> Self {
        Self::new(Code::TaxPeriodSubmitted, submitted.to_string())
    }
}

impl From<PostRefused> for Problem {
    fn from(refused: PostRefused) -> Self {
        match refused {
            PostRefused::Posted => Self::new(Code::EntryPosted, refused.to_string()).state("posted"),
            PostRefused::Year(refused) => refused.into(),
            PostRefused::Locked(locked) => locked.into(),
            PostRefused::Submitted(submitted) => submitted.into(),
            PostRefused::Invalid(invalid) => invalid.into(),
            PostRefused::Full => Self::new(Code::FiscalYearFull, refused.to_string()),
        }
    }
}

impl From<ReverseRefused> for Problem {
    fn from(refused: ReverseRefused) -> Self {
        match refused {
            ReverseRefused::Draft => Self::new(Code::EntryNotPosted, refused.to_string()).state("draft"),
            ReverseRefused::Reversed { by } => {
                Self::new(Code::EntryReversed, refused.to_string()).state("reversed").existing(&by)
            }
            ReverseRefused::OfYear | ReverseRefused::OfAsset => {
                Self::new(Code::EntryNotManual, refused.to_string())
            }
            ReverseRefused::Matched => Self::new(Code::MovementReconciled, refused.to_string()),
            ReverseRefused::Post(refused) => refused.into(),
        }
    }
}

impl From<EntryRefused> for Problem {
    fn from(refused: EntryRefused) -> Self {
        match refused {
            EntryRefused::Change(refused) => refused.into(),
            EntryRefused::Post(refused) => refused.into(),
        }
    }
}

impl From<CloseRefused> for Problem {
    fn from(refused: CloseRefused) -> Self {
        let code = match refused {
            CloseRefused::Closed => Code::FiscalYearClosed,
            CloseRefused::Drafts { .. } => Code::DraftEntries,
            CloseRefused::PreviousOpen { .. } => Code::PreviousYearOpen,
        };
        Self::new(code, refused.to_string())
    }
}

impl From<ReopenRefused> for Problem {
    fn from(refused: ReopenRefused) -> Self {
        let code = match refused {
            ReopenRefused::Open => Code::FiscalYearOpen,
            ReopenRefused::NextClosed { .. } => Code::NextYearClosed,
            ReopenRefused::ReturnSubmitted => Code::TaxPeriodSubmitted,
            ReopenRefused::Locked(_) => Code::PeriodLocked,
        };
        Self::new(code, refused.to_string())
    }
}

impl From<ClosingRefused> for Problem {
    fn from(refused: ClosingRefused) -> Self {
        match refused {
            ClosingRefused::Close(refused) => refused.into(),
            ClosingRefused::Reopen(refused) => refused.into(),
            ClosingRefused::Post(refused) => refused.into(),
            ClosingRefused::Reverse(refused) => refused.into(),
            ClosingRefused::NoResultAccount => Self::new(Code::NoResultAccount, refused.to_string()),
        }
    }
}

impl From<ReportError> for Problem {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::TooMany => Self::parameter("from", error.to_string()),
            ReportError::Store(error) => error.into(),
        }
    }
}

impl From<AssetRefused> for Problem {
    fn from(refused: AssetRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            AssetRefused::NotDraft { status } => Self::new(Code::AssetNotDraft, detail).state(status),
            AssetRefused::NotInUse { status } => Self::new(Code::AssetNotActive, detail).state(status),
            AssetRefused::NoAccount(_) => Self::new(Code::DefaultAccountMissing, detail),
            AssetRefused::Post(refused) => refused.into(),
        }
    }
}
