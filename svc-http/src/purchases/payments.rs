//! Recording a payment, and taking it back.

use http::StatusCode;
use svc_business::purchases::document::SupplierDocument;
use svc_business::purchases::input::PaymentRequest;
use svc_business::purchases::operations::{self, Paid, counterpart};
use svc_business::record;

use super::documents::find;
use super::parts_view::PaymentView;
use super::view::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(super) async fn pay(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let request = req.json::<PaymentRequest>();
    // What is wrong with the body is told once the document is known.
    let beside = request.as_ref().ok().and_then(|request| request.offset_document);
    let beside: Vec<_> = beside.into_iter().collect();
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SupplierDocument>(unit.as_ref(), req.call(), id, &beside, &expected).await?;
    let Paid { document, payment } = operations::pay(opened, &request?).await?;
    let answer = Answer::plain(StatusCode::CREATED, &PaymentView::of(&payment));
    let location = format!("/supplier-documents/{}", document.id);
    pending.finish(unit, answer.of(document.company).version(document.version).location(&location)).await
}

pub(super) async fn remove(req: ApiRequest) -> Result<Answer, Problem> {
    let payment = req.id("paymentId")?;
    let beside: Vec<_> = counterpart(&find(&req).await?, payment).into_iter().collect();
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SupplierDocument>(unit.as_ref(), req.call(), id, &beside, &expected).await?;
    let document = operations::remove_payment(opened, payment).await?;
    unit.commit().await?;
    answer(&req, StatusCode::OK, document).await
}
