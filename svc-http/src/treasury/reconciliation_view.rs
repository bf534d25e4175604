//! What a movement stands for, as a response carries it.

use svc_business::bank::movement::{Allocation, Reconciliation, Target, TargetKind};
use svc_business::books::account::AccountCode;
use svc_core::clock::Timestamp;
use svc_core::id::{JournalEntryId, PaymentId, UserId};
use svc_core::pii::PiiAccess;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::movement_view::shown;

wire_view! {
    /// What a movement stands for: parts that add up to it.
    #[derive(Debug)]
    pub(super) struct ReconciliationView as "BankMovementReconciled" {
        /// When that was said.
        at: Timestamp,
        /// The person who said it; null for a token, or the service itself.
        by: Option<UserId> => Form::ANY.json("null"),
        /// Whether the service said it, being sure.
        auto: bool,
        /// The parts.
        allocations: Vec<AllocationView>,
        /// The entry of the parts that have none of their own; null where each has one.
        entry_id: Option<JournalEntryId>,
    }
}

wire_view! {
    /// What a part of a movement stands for.
    #[derive(Debug)]
    struct AllocationView as "BankMovementAllocated" {
        r#type: TargetKind => Form::ANY.example("account"),
        /// The document, payment, line of the journal or other bank account.
        id: Option<String> => Form::pattern("^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$"),
        /// The account of the ledger.
        account_code: Option<AccountCode> => Form::ANY.example("6260000"),
        /// The part, with the sign of what the account gained.
        amount: String => Form::ANY.example("-12.50"),
        /// What it is; numbers of accounts in it are masked.
        description: Option<String> => Form::ANY.example("Fee"),
        /// The payment that was recorded for the document.
        payment_id: Option<PaymentId>,
    }
}

impl ReconciliationView {
    pub(super) fn of(known: &Reconciliation, access: PiiAccess) -> Self {
        Self {
            at: known.at,
            by: known.by,
            auto: known.is_automatic,
            allocations: known
                .allocations
                .iter()
                .map(|allocation| AllocationView::of(allocation, access))
                .collect(),
            entry_id: known.entry,
        }
    }
}

impl AllocationView {
    fn of(allocation: &Allocation, access: PiiAccess) -> Self {
        let bare = Self {
            r#type: allocation.target.kind(),
            id: None,
            account_code: None,
            amount: allocation.amount.to_string(),
            description: None,
            payment_id: None,
        };
        match &allocation.target {
            Target::Invoice { document, payment } => {
                Self { id: Some(document.to_string()), payment_id: Some(*payment), ..bare }
            }
            Target::SupplierDocument { document, payment } => {
                Self { id: Some(document.to_string()), payment_id: Some(*payment), ..bare }
            }
            Target::Payment { payment, .. } => Self { id: Some(payment.to_string()), ..bare },
            Target::JournalLine { line } => Self { id: Some(line.to_string()), ..bare },
            Target::Account { account, description } => Self {
                account_code: Some(*account),
                description: description.as_deref().map(|text| shown(text, access)),
                ..bare
            },
            Target::Transfer { account } => Self { id: Some(account.to_string()), ..bare },
            Target::TaxReturn { declared } => Self { id: Some(declared.to_string()), ..bare },
        }
    }
}
