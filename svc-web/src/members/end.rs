//! Ending a membership, or withdrawing an invitation.

use axum::response::Response;
use svc_business::membership::{self, MembershipStatus};
use svc_core::id::MembershipId;
use svc_http::Problem;

use super::{found, name};
use crate::ask::{self, Question};
use crate::frame::Place;
use crate::gate::{Administrator, Seen};
use crate::page;

/// GET /companies/{company}/members/{id}/end
pub(crate) async fn ask(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (member, t) = (found(&seen).await?, &seen.texts().members);
    let invited = member.membership.status == MembershipStatus::Invited;
    let question = Question {
        place: Place::Members,
        told: if invited { (t.withdraw, t.withdraw_text) } else { (t.end, t.end_text) },
        subject: (&name(&member), member.person().map_or("", |person| person.email.as_str())),
        version: member.membership.version,
        path: seen.path(&format!("/members/{}", member.membership.id)),
        step: "end",
        danger: true,
    };
    ask::page(&seen, question)
}

/// POST /companies/{company}/members/{id}/end
pub(crate) async fn end(seen: Seen<Administrator>) -> Result<Response, Problem> {
    let (app, at, id) = (seen.visit.app(), seen.at(), seen.id::<MembershipId>()?);
    let unit = app.business.begin().await?;
    let opened = membership::open(unit.as_ref(), seen.call(), at.company.id, id, &seen.expected()).await?;
    let ended = membership::end(opened, at.role).await;
    let ended = ended.map_err(|refused| Problem::membership(refused, "memberId"))?;
    let committed = unit.commit().await;
    // Whatever is known of the commit: it may have taken place.
    app.authenticator.forget();
    committed?;
    let own = ended.membership.user == at.visitor.signed_in().person().id;
    Ok(page::see_other(&if own { "/companies".to_owned() } else { seen.path("/members") }))
}
