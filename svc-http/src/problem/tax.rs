//! Refusals of the use cases of taxes.

use svc_business::tax::returns::ReturnRefused;

use super::{Code, Problem};

impl From<ReturnRefused> for Problem {
    fn from(refused: ReturnRefused) -> Self {
        let detail = refused.to_string();
        match refused {
            ReturnRefused::Filed { status } => Self::new(Code::ReturnFiled, detail).state(status.name()),
            ReturnRefused::NotPrepared { status } => {
                Self::new(Code::ReturnNotPrepared, detail).state(status.name())
            }
            ReturnRefused::NotSubmitted { status } => {
                Self::new(Code::ReturnNotSubmitted, detail).state(status.name())
            }
            ReturnRefused::NotOver { .. } => Self::new(Code::PeriodNotOver, detail),
            ReturnRefused::Stale => Self::new(Code::ReturnStale, detail),
            ReturnRefused::Incomplete(_) => Self::new(Code::ReturnIncomplete, detail),
            ReturnRefused::TooMany => Self::new(Code::ReturnTooLarge, detail),
            ReturnRefused::NotComputable { .. } => Self::new(Code::ReturnNotComputable, detail),
            ReturnRefused::Paid { .. } => Self::new(Code::ReturnPaid, detail),
            ReturnRefused::NoAccount(_) => Self::new(Code::DefaultAccountMissing, detail),
            ReturnRefused::Books(refused) => refused.into(),
        }
    }
}
