//! What a movement may stand for: reading that, and confirming many proposals at once.

use http::StatusCode;
use serde_json::Value;
use svc_business::bank::movement::TargetKind;
use svc_business::books::account::AccountCode;
use svc_business::treasury::proposal::{self, Proposal, ProposedPart, Reason, Sources};
use svc_business::treasury::{self, AllocationRequest, Chosen, ReconcileRequest};
use svc_core::error::ValidationErrors;
use svc_core::id::{BankMovementId, BankProposalId, ContactId};
use svc_core::pii::PiiAccess;
use svc_core::rerun;
use svc_core::resource::Expected;
use svc_core::wire::Form;
use svc_core::{wire_request, wire_view};

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::bulk;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::{Document, Problem};

/// Proposals that are confirmed at once at most.
const MOST: usize = 100;

wire_view! {
    /// What a movement may stand for.
    #[derive(Debug)]
    pub(super) struct ProposalsView as "BankMovementProposals" {
        /// The likeliest first, 10 at most.
        proposals: Vec<ProposalView>,
    }
}

wire_view! {
    /// What a movement may stand for, and why.
    #[derive(Debug)]
    struct ProposalView as "BankMovementProposal" {
        /// Confirms it, as long as the same is proposed.
        id: BankProposalId,
        /// How likely it is, from 1 to 100.
        score: u8 => Form::ANY.number(80),
        /// Why, the weightiest first.
        reasons: Vec<Reason>,
        /// The parts, which add up to the movement.
        allocations: Vec<PartView>,
    }
}

wire_view! {
    /// What a part of a movement may stand for.
    #[derive(Debug)]
    struct PartView as "BankMovementProposedAllocation" {
        r#type: TargetKind => Form::ANY.example("invoice"),
        /// The document, payment or tax return.
        id: Option<String> => Form::ID.example("inv_01jjxvfvr4f16pz7s9h7p4hsqk"),
        /// The account of the ledger.
        account_code: Option<AccountCode> => Form::ANY.json("null"),
        /// The part, with the sign of what the account gained.
        amount: String => Form::ANY.example("121.00"),
        /// The number of the document, or what the tax return is called.
        number: Option<String> => Form::ANY.example("F2025-00042"),
        /// Whom the document is with.
        contact_id: Option<ContactId>,
    }
}

wire_request! {
    /// The proposals to confirm.
    #[derive(Debug)]
    pub(super) struct Body as "BankReconciliationBulkConfirm" {
        /// Each movement with the proposal that was read for it.
        items: Vec<Confirm> => Form::list(1, MOST, &Form::ANY),
    }
}

wire_request! {
    /// A proposal to confirm.
    #[derive(Debug)]
    struct Confirm as "BankReconciliationConfirm" {
        movement_id: BankMovementId,
        proposal_id: BankProposalId,
    }
}

wire_view! {
    /// What became of each proposal.
    #[derive(Debug)]
    pub(super) struct Report as "BankReconciliationBulkReport" {
        /// In the order of the request.
        items: Vec<Outcome>,
        /// Movements that were reconciled.
        succeeded: usize,
        /// Movements that were not.
        failed: usize,
    }
}

wire_view! {
    /// What became of a proposal.
    #[derive(Debug)]
    struct Outcome as "BankReconciliationBulkOutcome" {
        /// Its place in the request, from 0.
        index: usize,
        /// The HTTP status of the single call.
        status: u16,
        /// The movement.
        id: BankMovementId,
        /// The problem that the single call would answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] error: Option<Value> => Form::ANY.like::<Document<'static>>(),
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (scope, business) = (&req.caller.principal.scope, &req.app.business);
    let found = business.bank_movements().find(scope, req.id("id")?).await?;
    let movement = found.ok_or_else(Problem::not_found)?;
    let facts = Sources::committed(&**business).facts(scope, req.call().access, &movement).await?;
    let proposals = proposal::propose(&movement, &facts);
    let view =
        move |_: PiiAccess| ProposalsView { proposals: proposals.iter().map(ProposalView::of).collect() };
    Ok(Answer::personal(StatusCode::OK, view).of(movement.company))
}

pub(super) async fn bulk_confirm(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Body { items } = req.json()?;
    if items.is_empty() || items.len() > MOST {
        let message = format!("expected 1 to {MOST} items");
        return Err(ValidationErrors::one("items", "out_of_range", message).into());
    }
    let mut outcomes = Vec::with_capacity(items.len());
    for (index, Confirm { movement_id: id, proposal_id }) in items.into_iter().enumerate() {
        let outcome = match rerun::until_done(|| confirm(&req, id, proposal_id)).await {
            Ok(()) => Outcome { index, status: StatusCode::OK.as_u16(), id, error: None },
            Err(problem) => {
                let (status, error) = bulk::refused(&req, &problem);
                Outcome { index, status: status.as_u16(), id, error: Some(error) }
            }
        };
        outcomes.push(outcome);
    }
    let succeeded = outcomes.iter().filter(|outcome| outcome.error.is_none()).count();
    let report = Report { succeeded, failed: outcomes.len() - succeeded, items: outcomes };
    bulk::finish(&req, pending, &report).await
}

/// Confirms one proposal, in a unit of its own.
async fn confirm(req: &ApiRequest, id: BankMovementId, proposal: BankProposalId) -> Result<(), Problem> {
    let unit = req.app.business.begin().await?;
    let request = ReconcileRequest { allocations: None, proposal_id: Some(proposal), fx_rate: None };
    let chosen = Chosen::read(unit.as_ref(), req.call(), id, request).await?;
    let opened = treasury::open(unit.as_ref(), req.call(), id, &Expected::Any, &chosen).await?;
    treasury::reconcile(unit.as_ref(), opened, &chosen).await?;
    unit.commit().await?;
    Ok(())
}

impl ProposalView {
    fn of(proposal: &Proposal) -> Self {
        Self {
            id: proposal.id,
            score: proposal.score,
            reasons: proposal.reasons.clone(),
            allocations: proposal.parts.iter().map(PartView::of).collect(),
        }
    }
}

impl PartView {
    fn of(part: &ProposedPart) -> Self {
        let AllocationRequest { kind, id, account_code, amount, .. } = part.into();
        let (number, contact_id) = (part.number.clone(), part.contact);
        Self { r#type: kind, id, account_code, amount, number, contact_id }
    }
}
