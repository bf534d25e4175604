//! What a client says that a movement stands for.

use svc_core::id::{BankProposalId, ContactId};
use svc_core::wire::Form;
use svc_core::wire_request;

use crate::bank::movement::TargetKind;
use crate::books::account::AccountCode;
use crate::invoicing::input::FX_RATE;
use crate::party::form;

/// Parts of a movement at most.
pub(super) const MOST_ALLOCATIONS: usize = 50;
/// The id of what a part stands for.
const ID: Form = Form::pattern("^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$");

wire_request! {
    /// What a movement stands for: parts that add up to it, or a proposal.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ReconcileRequest as "BankMovementReconciliation" {
        /// The parts; or `proposalId`.
        pub allocations: Option<Vec<AllocationRequest>> => Form::list(1, 50, &Form::ANY),
        /// The proposal whose parts it has, as it was read.
        pub proposal_id: Option<BankProposalId>,
        /// How many units of the company's currency one of the movement's was on that day; for accounts that are held in
        /// another currency.
        pub fx_rate: Option<String> => FX_RATE,
    }
}

wire_request! {
    /// What a part of a movement stands for.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct AllocationRequest as "BankMovementAllocation" {
        /// What it is.
        pub kind as "type": TargetKind => Form::ANY.example("account"),
        /// The document, payment, line of the journal, other bank account or tax return; not for an account of the ledger.
        pub id: Option<String> => ID,
        /// The account of the ledger, of the type `account`.
        pub account_code: Option<AccountCode> => Form::ANY.example("6260000"),
        /// The part, with the sign of the movement; an `account` may have the other one, as a fee has.
        pub amount: String => form::SIGNED_AMOUNT.example("-12.50"),
        /// Whom it is about, of the type `account`.
        pub contact_id: Option<ContactId>,
        /// What it is, of the type `account`.
        pub description: Option<String> => Form::text(1, 500).example("Fee"),
    }
}
