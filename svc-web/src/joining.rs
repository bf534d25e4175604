//! Answering an invitation by the link that a mail brought.
//!
//! The page tells the company, the role and who invites. A person who signed in here before signs in and comes back; one who
//! never did founds themselves: name and password, and with that they accept. Nothing but the link tells whether its person
//! has a password. A GET changes nothing, as programs that look into mails follow links and press no buttons.

mod found;

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use svc_business::membership::{InvitationLink, Linked, MembershipStatus};
use svc_business::user::UserStatus;
use svc_http::Problem;
use svc_http::visit::Seed;

pub(crate) use self::found::found;
use crate::errors::Errors;
use crate::frame::{Frame, Place};
use crate::gate::{Anyone, Person, Seen};
use crate::instant::Instant;
use crate::sign_in::{then, tied};
use crate::{invitations, page};

/// What names a visit by this kind of link in logs.
const KIND: &str = "invitation_link";

/// Who the visitor is to an open invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Its person, signed in.
    Answer,
    /// Another person, signed in.
    Other,
    /// Its person has a password, and is not signed in here.
    SignIn,
    /// Its person has none yet.
    Found,
}

/// What a link leads to at this instant.
enum Met {
    Open(Box<Linked>, Way),
    /// Why it leads nowhere any more: title and text.
    Dead(&'static str, &'static str),
    /// It never was one, or it is forgotten.
    Unknown,
}

#[derive(Template)]
#[template(path = "invitation.html")]
struct View {
    f: Frame,
    company: String,
    role: &'static str,
    role_hint: &'static str,
    inviter: Option<String>,
    email: String,
    until: Instant,
    version: i64,
    /// Where the page is, with the root.
    at: String,
    sign_in: String,
    way: Way,
    name: String,
    errors: Errors,
}

impl View {
    fn is(&self, way: &str) -> bool {
        way == match self.way {
            Way::Answer => "answer",
            Way::Other => "other",
            Way::SignIn => "sign-in",
            Way::Found => "found",
        }
    }
}

#[derive(Template)]
#[template(path = "dead_link.html")]
struct Dead {
    f: Frame,
    title: &'static str,
    text: &'static str,
    next: (&'static str, &'static str),
}

/// GET /invitation/{link}
pub(crate) async fn show(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let t = &seen.texts().joining;
    match met(&seen).await? {
        Met::Open(linked, way) => open(&seen, StatusCode::OK, &linked, way, Errors::default()),
        Met::Dead(title, text) => dead(&seen, StatusCode::GONE, (title, text), ("/", t.onward)),
        Met::Unknown => dead(&seen, StatusCode::NOT_FOUND, (t.unknown, t.unknown_text), ("/", t.onward)),
    }
}

/// POST /invitation/{link}/accept
pub(crate) async fn accept(seen: Seen<Person>) -> Result<Response, Problem> {
    let linked = linked(&seen).await?.ok_or_else(Problem::not_found)?;
    let accepted = invitations::answered(&seen, linked.invitation.membership.id, true).await?;
    Ok(page::see_other(&format!("/companies/{}", accepted.membership.account)))
}

/// POST /invitation/{link}/decline
pub(crate) async fn decline(seen: Seen<Anyone>) -> Result<Response, Problem> {
    let page = path(&seen);
    let Met::Open(linked, way) = met(&seen).await? else { return Ok(page::see_other(&page)) };
    let (app, visit) = (seen.visit.app(), &seen.visit);
    let membership = &linked.invitation.membership;
    let by = visit.by_link(KIND, Some(membership.account));
    let reach = visit.visitor().map(|visitor| (visitor, visitor.signed_in().administered()));
    let call = match (&reach, way) {
        (Some((visitor, reach)), Way::Answer) => visit.call(visitor, reach),
        (None, Way::Found) => visit.call_by_link(&by),
        (Some(_) | None, Way::Answer | Way::Other | Way::SignIn | Way::Found) => {
            return Ok(page::see_other(&page));
        }
    };
    invitations::settle(app, call, (linked.person.id, membership.id), &seen.expected(), false).await?;
    Ok(page::see_other(&page))
}

/// Where the link leads; `None` for one that is unknown.
async fn linked<G: Sync>(seen: &Seen<G>) -> Result<Option<Linked>, Problem> {
    let Some(link) = seen.visit.named("link").and_then(InvitationLink::parse) else { return Ok(None) };
    Ok(seen.visit.app().business.people().linked(&link.hash()).await?)
}

async fn met(seen: &Seen<Anyone>) -> Result<Met, Problem> {
    let (t, now) = (&seen.texts().joining, seen.visit.now());
    let Some(linked) = linked(seen).await? else { return Ok(Met::Unknown) };
    let membership = &linked.invitation.membership;
    Ok(match membership.status {
        MembershipStatus::Active | MembershipStatus::Suspended => Met::Dead(t.used, t.used_text),
        MembershipStatus::Ended => Met::Dead(t.ended, t.ended_text),
        MembershipStatus::Invited if membership.is_expired(now) || linked.expires_at <= now => {
            Met::Dead(t.expired, t.expired_text)
        }
        MembershipStatus::Invited if linked.person.status == UserStatus::Disabled => {
            Met::Dead(t.ended, t.ended_text)
        }
        MembershipStatus::Invited => {
            let way = way(seen, &linked).await?;
            Met::Open(Box::new(linked), way)
        }
    })
}

async fn way(seen: &Seen<Anyone>, linked: &Linked) -> Result<Way, Problem> {
    let person = linked.person.id;
    Ok(match seen.visit.visitor() {
        Some(visitor) if visitor.signed_in().person().id == person => Way::Answer,
        Some(_) => Way::Other,
        None if seen.visit.app().sessions.passwords().find(person).await?.is_some() => Way::SignIn,
        None => Way::Found,
    })
}

/// The path of the page, below the root.
fn path<G>(seen: &Seen<G>) -> String {
    format!("/invitation/{}", seen.visit.named("link").unwrap_or_default())
}

fn open(
    seen: &Seen<Anyone>,
    status: StatusCode,
    linked: &Linked,
    way: Way,
    errors: Errors,
) -> Result<Response, Problem> {
    let (t, membership) = (&seen.texts().companies, &linked.invitation.membership);
    let view = |f: Frame| View {
        company: linked.invitation.legal_name.clone(),
        role: t.role(membership.role),
        role_hint: t.role_hint(membership.role),
        inviter: linked.invitation.inviter.as_ref().map(|inviter| inviter.name.clone()),
        email: linked.person.email.as_str().to_owned(),
        until: linked.expires_at.into(),
        version: membership.version.as_i64(),
        at: format!("{}{}", f.root, path(seen)),
        sign_in: format!("{}{}", f.root, then("/sign-in", &path(seen))),
        way,
        name: seen.visit.form().text("name").to_owned(),
        errors,
        f,
    };
    around(seen, status, view)
}

/// The page of a link that is used, dead or unknown, and where its person goes on.
pub(crate) fn dead(
    seen: &Seen<Anyone>,
    status: StatusCode,
    (title, text): (&'static str, &'static str),
    next: (&'static str, &'static str),
) -> Result<Response, Problem> {
    around(seen, status, |f| Dead { f, title, text, next })
}

/// A page for a browser that is signed in, or is not.
pub(crate) fn around<T: Template>(
    seen: &Seen<Anyone>,
    status: StatusCode,
    view: impl FnOnce(Frame) -> T,
) -> Result<Response, Problem> {
    if seen.visit.visitor().is_some() {
        return page::with(status, &view(Frame::of(seen, Place::Elsewhere)));
    }
    tied(seen, status, |tie: &Seed| view(Frame::before_sign_in(seen, tie)))
}
