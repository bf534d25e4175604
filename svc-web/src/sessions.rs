//! Where a person is signed in.

mod browser;
pub(crate) mod connections;

use askama::Template;
use axum::response::Response;
use svc_auth::session::{self, Session};
use svc_core::id::SessionId;
use svc_http::Problem;

use self::browser::told;
use crate::frame::{Frame, Place};
use crate::gate::{Person, Seen};
use crate::instant::Instant;
use crate::page;
use crate::texts::filled;

#[derive(Template)]
#[template(path = "sessions.html")]
struct View {
    f: Frame,
    rows: Vec<Row>,
    connections: Vec<connections::Row>,
    ended: bool,
    disconnected: bool,
}

struct Row {
    id: SessionId,
    browser: String,
    /// What the browser calls itself, whole.
    device: Option<String>,
    from: Option<String>,
    began: Instant,
    used: Instant,
    ends: Instant,
    present: bool,
}

/// GET /sessions
pub(crate) async fn list(seen: Seen<Person>) -> Result<Response, Problem> {
    let (app, signed_in) = (seen.visit.app(), seen.gate.visitor.signed_in());
    let sessions = session::list_sessions(&*app.sessions, app.lifetime, signed_in, seen.visit.now()).await?;
    let present = signed_in.session().id;
    let rows = sessions.into_iter().map(|session| row(&seen, session, present)).collect();
    let connections = connections::rows(&seen).await?;
    let had = |word| seen.visit.query().has(word);
    let (ended, disconnected) = (had("ended"), had("disconnected"));
    page::ok(&View { f: Frame::of(&seen, Place::Elsewhere), rows, connections, ended, disconnected })
}

/// POST /sessions/{id}/end
pub(crate) async fn end(seen: Seen<Person>) -> Result<Response, Problem> {
    let (signed_in, id) = (seen.gate.visitor.signed_in(), seen.id::<SessionId>()?);
    session::end_session(&*seen.visit.app().sessions, signed_in, id).await?;
    Ok(page::see_other("/sessions?ended"))
}

/// POST /sessions/end-all
pub(crate) async fn end_all(seen: Seen<Person>) -> Result<Response, Problem> {
    session::sign_out_everywhere(&*seen.visit.app().sessions, seen.gate.visitor.signed_in()).await?;
    let mut response = page::see_other("/sign-in?signed-out");
    page::set_cookie(&mut response, &seen.visit.no_session_cookie());
    Ok(response)
}

impl Row {
    /// What the button of the row does, for who does not see the row.
    fn end_of(&self, text: &str) -> String {
        filled(text, &self.browser)
    }
}

fn row(seen: &Seen<Person>, session: Session, present: SessionId) -> Row {
    let t = &seen.texts().sessions;
    let device = session.device.map(|device| device.to_string());
    Row {
        id: session.id,
        browser: told(device.as_deref().unwrap_or_default(), t),
        device,
        from: session.from.map(|from| from.to_string()),
        began: session.created_at.into(),
        used: session.last_used_at.into(),
        ends: session.expires_at.into(),
        present: session.id == present,
    }
}
