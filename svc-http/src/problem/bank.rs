//! Refusals of the use cases of bank movements.

use svc_business::bank::import::ImportRefused;
use svc_business::bank::movement::MovementReconciled;
use svc_business::treasury::ReconcileRefused;

use super::{Code, Problem};

impl From<ReconcileRefused> for Problem {
    fn from(refused: ReconcileRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            ReconcileRefused::NotPending(status) => {
                Self::new(Code::MovementNotPending, detail).state(status.name())
            }
            ReconcileRefused::NotReconciled(status) => {
                Self::new(Code::MovementNotReconciled, detail).state(status.name())
            }
            ReconcileRefused::Sales(refused) => refused.into(),
            ReconcileRefused::Purchases(refused) => refused.into(),
            ReconcileRefused::NoAccount(_) => Self::new(Code::DefaultAccountMissing, detail),
            ReconcileRefused::Books(refused) => refused.into(),
        }
    }
}

impl From<ImportRefused> for Problem {
    fn from(refused: ImportRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            ImportRefused::Archived => Self::new(Code::BankAccountArchived, detail).state("archived"),
            ImportRefused::NumberMasked => Self::new(Code::PersonalDataWithheld, detail),
            ImportRefused::TooManyWaiting => Self::new(Code::TooManyImports, detail),
        }
    }
}

impl From<MovementReconciled> for Problem {
    fn from(refused: MovementReconciled) -> Self {
        Self::new(Code::MovementReconciled, refused.to_string()).state("reconciled")
    }
}
