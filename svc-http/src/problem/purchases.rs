//! Refusals of the use cases of purchases.

use svc_business::purchases::approve::ApproveRefused;
use svc_business::purchases::assets::AssetsRefused;
use svc_business::purchases::document::{DuplicateDocument, State, WrongState};
use svc_business::purchases::journal::JournalRefused;
use svc_business::purchases::operations::{PurchaseRefused, SupplierRefused};
use svc_business::purchases::pay::{PayRefused, RemoveRefused};
use svc_business::purchases::review::RejectRefused;
use svc_business::purchases::rules::AmendRefused;
use svc_business::purchases::void::VoidRefused;

use super::sales::{beyond_range, of_settlement};
use super::{Code, Problem};

impl From<PurchaseRefused> for Problem {
    fn from(refused: PurchaseRefused) -> Self {
        match refused {
            PurchaseRefused::State(refused) => refused.into(),
            PurchaseRefused::Duplicate(refused) => refused.into(),
            PurchaseRefused::Amend(refused) => refused.into(),
            PurchaseRefused::Approve(refused) => refused.into(),
            PurchaseRefused::Reject(refused) => refused.into(),
            PurchaseRefused::Pay(refused) => refused.into(),
            PurchaseRefused::Remove(refused) => refused.into(),
            PurchaseRefused::Void(refused) => refused.into(),
            PurchaseRefused::AssetInUse => Self::new(Code::AssetInUse, refused.to_string()),
            PurchaseRefused::Journal(refused) => refused.into(),
            PurchaseRefused::Assets(refused) => refused.into(),
            PurchaseRefused::Asset(refused) => refused.into(),
            PurchaseRefused::Supplier(refused) => refused.into(),
            PurchaseRefused::Books(refused) => refused.into(),
        }
    }
}

impl From<SupplierRefused> for Problem {
    fn from(refused: SupplierRefused) -> Self {
        match refused {
            SupplierRefused::Exists { existing } => {
                Self::new(Code::SupplierExists, refused.to_string()).existing(&existing)
            }
            SupplierRefused::TaxId(refused) => refused.into(),
        }
    }
}

impl From<WrongState> for Problem {
    fn from(wrong: WrongState) -> Self {
        let code = match wrong.state {
            State::Received => Code::NotApproved,
            State::Approved => Code::DocumentApproved,
            State::Rejected => Code::DocumentRejected,
            State::Voided => Code::DocumentVoided,
        };
        Self::new(code, wrong.to_string()).state(wrong.state.name())
    }
}

impl From<DuplicateDocument> for Problem {
    fn from(refused: DuplicateDocument) -> Self {
        Self::new(Code::DuplicateDocument, refused.to_string()).existing(&refused.existing)
    }
}

impl From<AmendRefused> for Problem {
    fn from(refused: AmendRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            AmendRefused::State(wrong) => wrong.into(),
            AmendRefused::Fixed { field } => Self::new(Code::DocumentApproved, detail.clone())
                .state("approved")
                .at(field, "read_only_field", detail),
        }
    }
}

impl From<ApproveRefused> for Problem {
    fn from(refused: ApproveRefused) -> Self {
        match refused {
            ApproveRefused::State(wrong) => wrong.into(),
            ApproveRefused::Locked(locked) => locked.into(),
            ApproveRefused::Submitted(submitted) => submitted.into(),
            ApproveRefused::Exhausted(_) => Self::new(Code::RegisterExhausted, refused.to_string()),
            ApproveRefused::Invalid(invalid) => invalid.into(),
        }
    }
}

impl From<RejectRefused> for Problem {
    fn from(refused: RejectRefused) -> Self {
        match refused {
            RejectRefused::State(wrong) => wrong.into(),
            RejectRefused::Invalid(invalid) => invalid.into(),
        }
    }
}

impl From<PayRefused> for Problem {
    fn from(refused: PayRefused) -> Self {
        match refused {
            PayRefused::State(wrong) => wrong.into(),
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
            RemoveRefused::Offset { document } => {
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
            VoidRefused::HasPayments => Self::new(Code::DocumentHasPayments, detail),
            VoidRefused::Locked(locked) => locked.into(),
            VoidRefused::Submitted(_) => Self::new(Code::ReturnSubmitted, detail),
            VoidRefused::Invalid(invalid) => invalid.into(),
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

impl From<AssetsRefused> for Problem {
    fn from(refused: AssetsRefused) -> Self {
        match refused {
            AssetsRefused::State(wrong) => wrong.into(),
            AssetsRefused::Money(error) => beyond_range(error),
        }
    }
}
