//! Where a link leads, and how its guest stands.

use svc_business::document::room::{DataRoomGrant, GrantState};
use svc_http::Problem;
use svc_http::visit::GuestLed;

use crate::gate::{Anyone, Seen};
use crate::language::Language;
use crate::texts;

/// How a guest stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// In: this browser proved a code.
    In,
    /// Asked for a code.
    Asked,
    Expired,
    Revoked,
    /// The company is closed.
    Closed,
}

/// A guest, by their link.
pub(super) struct Met {
    pub(super) led: GuestLed,
    pub(super) grant: DataRoomGrant,
    /// What the company is called.
    pub(super) host: String,
    pub(super) stands: Stands,
    pub(super) language: Language,
}

impl Met {
    /// Of the link in the path; `None` when it leads nowhere.
    pub(super) async fn of(seen: &Seen<Anyone>) -> Result<Option<Self>, Problem> {
        let (visit, app) = (&seen.visit, seen.visit.app());
        let led = match visit.guest(visit.named("link").unwrap_or_default()).await {
            Ok(led) => led,
            Err(problem) if problem.status() == http::StatusCode::NOT_FOUND => return Ok(None),
            Err(problem) => return Err(problem),
        };
        let grant = app.business.data_room_grants().find(led.scope(), led.grant).await?;
        let company = app.business.accounts().find(led.scope(), led.company).await?;
        let Some((grant, company)) = grant.zip(company) else { return Ok(None) };
        let stands = match grant.state(visit.now()) {
            GrantState::Revoked => Stands::Revoked,
            GrantState::Expired => Stands::Expired,
            GrantState::Live if company.status.closed().is_some() => Stands::Closed,
            GrantState::Live if visit.has_pass(&led) => Stands::In,
            GrantState::Live => Stands::Asked,
        };
        let language = Language::parse(grant.language.as_str()).unwrap_or(Language::English);
        let host = company.trade_name.unwrap_or(company.legal_name);
        Ok(Some(Self { led, grant, host, stands, language }))
    }

    /// The path of the page, below the root.
    pub(super) fn path(&self) -> String {
        self.led.path()
    }

    pub(super) const fn texts(&self) -> &'static texts::Guest {
        &self.language.texts().guest
    }
}
