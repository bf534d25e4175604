//! Saying what a movement stands for, and undoing that.

use svc_business::treasury::{self, Chosen, ReconcileRequest};

use super::movements::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(super) async fn reconcile(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let (id, expected) = (req.id("id")?, req.if_match());
    let request: ReconcileRequest = req.json()?;
    let unit = req.app.business.begin().await?;
    let chosen = Chosen::read(unit.as_ref(), req.call(), id, request).await?;
    let opened = treasury::open(unit.as_ref(), req.call(), id, &expected, &chosen).await?;
    let reconciled = treasury::reconcile(unit.as_ref(), opened, &chosen).await?;
    pending.finish(unit, answer(reconciled)).await
}

pub(super) async fn undo(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, expected) = (req.id("id")?, req.if_match());
    let unit = req.app.business.begin().await?;
    let opened = treasury::reopen(unit.as_ref(), req.call(), id, &expected).await?;
    let undone = treasury::undo(unit.as_ref(), opened).await?;
    unit.commit().await?;
    Ok(answer(undone))
}
