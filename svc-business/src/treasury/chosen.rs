//! What a caller chose that a movement stands for: parts that it names, or a proposal.

use svc_core::error::ValidationErrors;
use svc_core::id::BankMovementId;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use super::input::{AllocationRequest, ReconcileRequest};
use super::proposal::{Proposal, ProposedPart, ProposedTarget, Sources, propose};
use crate::bank::movement::{BankMovementStatus, TargetKind};
use crate::ports::DynTreasuryUnit;

/// The parts that a movement is to stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub(super) allocations: Vec<AllocationRequest>,
    pub(super) fx_rate: Option<String>,
}

impl Chosen {
    /// What a request chooses for a movement. A proposal is what is proposed for it now.
    ///
    /// # Errors
    /// Findings on `allocations` (`required`) and `proposalId`: `not_allowed` beside allocations, `unknown_reference` for
    /// what is not proposed now. [`Refused::NotFound`], [`Refused::Store`].
    pub async fn read(
        unit: &DynTreasuryUnit,
        call: CallContext<'_>,
        id: BankMovementId,
        request: ReconcileRequest,
    ) -> Result<Self, Refused> {
        let ReconcileRequest { allocations, proposal_id, fx_rate } = request;
        let finding =
            |field, code, message: &'static str| Err(ValidationErrors::one(field, code, message).into());
        let proposal = match (allocations, proposal_id) {
            (Some(allocations), None) => return Ok(Self { allocations, fx_rate }),
            (None, Some(proposal)) => proposal,
            (None, None) => {
                return finding("allocations", "required", "name the parts, or a proposal by `proposalId`");
            }
            (Some(_), Some(_)) => {
                return finding("proposalId", "not_allowed", "name either the parts or a proposal");
            }
        };
        let movement = unit.bank_movements().find(call.scope, id).await?.ok_or(Refused::NotFound)?;
        if movement.state.status() != BankMovementStatus::Pending {
            // Nothing is proposed for it, and it is refused for what it is.
            return Ok(Self { allocations: Vec::new(), fx_rate });
        }
        let facts = Sources::within(unit).facts(call.scope, call.access, &movement).await?;
        if let Some(found) = propose(&movement, &facts).iter().find(|found| found.id == proposal) {
            return Ok(Self { fx_rate, ..Self::from(found) });
        }
        let message = "nothing like this is proposed for the movement now: read its proposals again";
        finding("proposalId", "unknown_reference", message)
    }
}

impl From<&Proposal> for Chosen {
    fn from(proposal: &Proposal) -> Self {
        Self { allocations: proposal.parts.iter().map(AllocationRequest::from).collect(), fx_rate: None }
    }
}

impl From<&ProposedPart> for AllocationRequest {
    fn from(part: &ProposedPart) -> Self {
        let (kind, id, account_code) = match part.target {
            ProposedTarget::Invoice(id) => (TargetKind::Invoice, Some(id.to_string()), None),
            ProposedTarget::SupplierDocument(id) => {
                (TargetKind::SupplierDocument, Some(id.to_string()), None)
            }
            ProposedTarget::Payment(id) => (TargetKind::Payment, Some(id.to_string()), None),
            ProposedTarget::Account(code) => (TargetKind::Account, None, Some(code)),
            ProposedTarget::TaxReturn(id) => (TargetKind::TaxReturn, Some(id.to_string()), None),
        };
        let amount = part.amount.to_string();
        Self { kind, id, account_code, amount, contact_id: None, description: None }
    }
}
