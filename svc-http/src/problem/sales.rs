//! Refusals of the use cases of sales.

use svc_business::books::bookkeeping::BooksRefused;
use svc_business::sales::document::{Acceptance, SettlementError, State};
use svc_business::sales::document::{ConvertRefused, WrongState};
use svc_business::sales::issue::IssueRefused;
use svc_business::sales::journal::JournalRefused;
use svc_business::sales::operations::SalesRefused;
use svc_business::sales::pay::{PayRefused, RemoveRefused};
use svc_business::sales::quote::QuoteRefused;
use svc_business::sales::rectify::{RectifyRefused, ReleaseRefused};
use svc_business::sales::rules::AmendRefused;
use svc_business::sales::void::VoidRefused;
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::money::MoneyError;

use super::{Code, Problem};

impl From<SalesRefused> for Problem {
    fn from(refused: SalesRefused) -> Self {
        match refused {
            SalesRefused::State(refused) => refused.into(),
            SalesRefused::Amend(refused) => refused.into(),
            SalesRefused::Issue(refused) => refused.into(),
            SalesRefused::Pay(refused) => refused.into(),
            SalesRefused::Remove(refused) => refused.into(),
            SalesRefused::Void(refused) => refused.into(),
            SalesRefused::Release(refused) => refused.into(),
            SalesRefused::Rectify(refused) => refused.into(),
            SalesRefused::Convert(refused) => refused.into(),
            SalesRefused::Quote(refused) => refused.into(),
            refused @ SalesRefused::TooManyMails => Self::new(Code::TooManyMails, refused.to_string()),
            refused @ SalesRefused::FilesMasked => Self::new(Code::PersonalDataWithheld, refused.to_string()),
            SalesRefused::Journal(refused) => refused.into(),
            SalesRefused::Books(refused) => refused.into(),
        }
    }
}

impl From<WrongState> for Problem {
    fn from(wrong: WrongState) -> Self {
        let code = match wrong.state {
            State::Draft => Code::NotIssued,
            State::Issued => Code::InvoiceIssued,
            State::Voided => Code::InvoiceVoided,
        };
        Self::new(code, wrong.to_string()).state(wrong.state.name())
    }
}

impl From<AmendRefused> for Problem {
    fn from(refused: AmendRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            AmendRefused::State(wrong) => wrong.into(),
            AmendRefused::Fixed { field } => Self::new(Code::InvoiceIssued, detail.clone())
                .state("issued")
                .at(field, "read_only_field", detail),
        }
    }
}

impl From<IssueRefused> for Problem {
    fn from(refused: IssueRefused) -> Self {
        match refused {
            IssueRefused::State(wrong) => wrong.into(),
            IssueRefused::Locked(locked) => locked.into(),
            IssueRefused::Submitted(submitted) => submitted.into(),
            IssueRefused::Rectify(refused) => refused.into(),
            IssueRefused::Exhausted(_) => Self::new(Code::SeriesExhausted, refused.to_string()),
            IssueRefused::Invalid(invalid) => invalid.into(),
        }
    }
}

impl From<PayRefused> for Problem {
    fn from(refused: PayRefused) -> Self {
        match refused {
            PayRefused::State(wrong) => wrong.into(),
            PayRefused::NotFiscal => Self::new(Code::NotPayable, refused.to_string()),
            PayRefused::Invalid(invalid) => invalid.into(),
            PayRefused::Money(error) => beyond_range(error),
        }
    }
}

impl From<RemoveRefused> for Problem {
    fn from(refused: RemoveRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            RemoveRefused::State(wrong) => wrong.into(),
            RemoveRefused::NotFound => Self::not_found(),
            RemoveRefused::Reconciled => Self::new(Code::PaymentReconciled, detail),
            // The use case takes an offset back from both documents.
            RemoveRefused::Offset { document } | RemoveRefused::Automatic { document } => {
                Self::new(Code::PaymentAutomatic, detail).existing(&document)
            }
            RemoveRefused::Settlement(error) => of_settlement(error),
        }
    }
}

impl From<VoidRefused> for Problem {
    fn from(refused: VoidRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            VoidRefused::State(wrong) => wrong.into(),
            VoidRefused::HasPayments => Self::new(Code::InvoiceHasPayments, detail),
            VoidRefused::Rectified => Self::new(Code::InvoiceRectified, detail),
            VoidRefused::Locked(locked) => locked.into(),
            VoidRefused::Submitted(_) => Self::new(Code::ReturnSubmitted, detail),
            VoidRefused::Invalid(invalid) => invalid.into(),
        }
    }
}

impl From<ReleaseRefused> for Problem {
    fn from(refused: ReleaseRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            ReleaseRefused::State(wrong) => wrong.into(),
            ReleaseRefused::Over => Self::new(Code::OverRectified, detail),
            ReleaseRefused::Settlement(error) => of_settlement(error),
        }
    }
}

impl From<RectifyRefused> for Problem {
    fn from(refused: RectifyRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            RectifyRefused::State(wrong) => wrong.into(),
            RectifyRefused::NotFiscal => Self::new(Code::NotRectifiable, detail),
            RectifyRefused::Over { document, .. } => {
                let problem = Self::new(Code::OverRectified, detail);
                match document {
                    Some(document) => problem.existing(&document),
                    None => problem,
                }
            }
            RectifyRefused::PaidExceeds { .. } => Self::new(Code::PaidExceedsNewTotal, detail),
            RectifyRefused::Invalid(invalid) => invalid.into(),
            RectifyRefused::Money(error) => beyond_range(error),
        }
    }
}

impl From<ConvertRefused> for Problem {
    fn from(refused: ConvertRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            ConvertRefused::State(wrong) => wrong.into(),
            ConvertRefused::Types { .. } => Self::new(Code::NotConvertible, detail),
            ConvertRefused::Quote(acceptance) => answered(acceptance, detail),
        }
    }
}

impl From<QuoteRefused> for Problem {
    fn from(refused: QuoteRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            QuoteRefused::State(wrong) => wrong.into(),
            QuoteRefused::NotQuote | QuoteRefused::Holds => Self::new(Code::NotAQuote, detail),
            QuoteRefused::Answered(acceptance) => answered(acceptance, detail),
        }
    }
}

impl From<JournalRefused> for Problem {
    fn from(refused: JournalRefused) -> Self {
        match refused {
            JournalRefused::State(wrong) => wrong.into(),
            JournalRefused::Account(_) => Self::new(Code::DefaultAccountMissing, refused.to_string()),
            JournalRefused::Money(error) => beyond_range(error),
        }
    }
}

impl From<BooksRefused> for Problem {
    fn from(refused: BooksRefused) -> Self {
        match refused {
            BooksRefused::Post(refused) => refused.into(),
            BooksRefused::Reverse(refused) => refused.into(),
        }
    }
}

/// The quote has its answer.
fn answered(acceptance: Acceptance, detail: String) -> Problem {
    let code = match acceptance {
        // A pending one has none.
        Acceptance::Pending | Acceptance::Accepted => Code::QuoteAccepted,
        Acceptance::Rejected => Code::QuoteRejected,
        Acceptance::Expired => Code::QuoteExpired,
    };
    Problem::new(code, detail).state(acceptance.name())
}

pub(super) fn of_settlement(error: SettlementError) -> Problem {
    match error {
        SettlementError::Exceeds => Problem::new(Code::InvoiceHasPayments, error.to_string()),
        SettlementError::Money(error) => beyond_range(error),
    }
}

/// An amount in the base currency is beyond the range of amounts.
pub(super) fn beyond_range(error: MoneyError) -> Problem {
    match error {
        MoneyError::Range => ValidationErrors::one("fxRate", "out_of_range", error.to_string()).into(),
        MoneyError::Currency | MoneyError::Format | MoneyError::Mixed => StoreError::backend(error).into(),
    }
}
