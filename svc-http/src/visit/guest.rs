//! Links of guests: each leads to one grant of one company, and no further.
//!
//! A link alone shows nothing. A guest proves by a code that the mail is theirs, and the browser gets a [pass](super::pass) then, for
//! some hours, which counts no longer than the grant.

use axum::response::Response;
use http::Method;
use http::header::ACCEPT_RANGES;
use http::{HeaderMap, HeaderValue};
use svc_business::document::room::{self, DataRoomGrant, PASS_LASTS, Showing};
use svc_business::link::key::LinkHash;
use svc_core::id::{AccountId, DataRoomGrantId};
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_seal::Language;

use super::Visit;
use super::by_link::ByLink;
use super::ceremony::{is_link, unkept};
use super::pass::Pass;
use crate::documents::{self, Reading};
use crate::gate::cookie::ROOM;
use crate::problem::Problem;

/// The only kind of file that browsers show within a page: others, such as HTML, would run as pages of this service.
const SHOWN: &str = "application/pdf";

/// Where the link of a guest leads.
#[derive(Debug)]
pub struct GuestLed {
    /// The grant.
    pub grant: DataRoomGrantId,
    /// The company that it belongs to.
    pub company: AccountId,
    /// What is kept of the link.
    pub link: LinkHash,
    /// The link, as the path has it.
    token: String,
    /// That company alone.
    by: ByLink,
}

impl GuestLed {
    /// The company of the grant, and no other.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        self.by.scope()
    }

    /// The path of the page, below the root.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/room/{}", self.token)
    }

    fn pass(&self) -> Pass<'_, DataRoomGrantId> {
        Pass { cookie: &ROOM, of: self.grant, link: &self.link, path: self.path(), lasts: PASS_LASTS }
    }
}

impl Visit {
    /// Looks up the link of a guest.
    ///
    /// # Errors
    /// `not_found` for one that is unknown; when the store failed.
    pub async fn guest(&self, token: &str) -> Result<GuestLed, Problem> {
        if !is_link(token) {
            return Err(Problem::not_found());
        }
        let link = LinkHash::of(token);
        let found = self.app().business.data_room_grants().of_link(&link).await?;
        let (company, grant) = found.ok_or_else(Problem::not_found)?;
        let by = self.by_link("guest_link", Some(company));
        Ok(GuestLed { grant, company, link, token: token.to_owned(), by })
    }

    /// What use cases need to know of a visit of a guest.
    #[must_use]
    pub fn guest_call<'a>(&'a self, led: &'a GuestLed) -> CallContext<'a> {
        self.call_by_link(&led.by)
    }

    /// Whether this browser proved a code of the grant, and not too long ago.
    #[must_use]
    pub fn has_pass(&self, led: &GuestLed) -> bool {
        self.keeps(&led.pass())
    }

    /// Lets this browser in from now on: adds the line `Set-Cookie` to an answer.
    pub fn let_in(&self, led: &GuestLed, response: &mut Response) {
        self.give(&led.pass(), response);
    }

    /// Lets this browser in no more.
    pub fn let_out(&self, led: &GuestLed, response: &mut Response) {
        self.take(&led.pass(), response);
    }

    /// What a guest is given of an entry, whole: each opening is one view, and no byte goes out whose view is not committed.
    ///
    /// # Errors
    /// `not_found` when the entry was removed, or the grant ended, meanwhile; when its pages cannot be stamped; when a store
    /// failed.
    pub async fn shown_to_guest(
        &self,
        led: &GuestLed,
        grant: &DataRoomGrant,
        shown: &Showing,
    ) -> Result<Response, Problem> {
        let name = shown.name.as_str();
        let is_shown = shown.version.mime_type == SHOWN;
        let disposition = if is_shown { svc_files::inline(name) } else { svc_files::attachment(name) };
        let contents = &*self.app().contents;
        let answer = if shown.entry.watermark {
            let is_spanish = grant.language.as_str().split('-').next() == Some("es");
            let language = if is_spanish { Language::Es } else { Language::En };
            let by = Reading { reader: grant.email.as_str().to_owned(), at: self.now(), language };
            documents::stamped(contents, &shown.version, disposition, by).await?
        } else {
            documents::read(contents, &HeaderMap::new(), &shown.version, disposition).await?
        };
        if self.method() != Method::HEAD {
            let unit = self.app().business.begin().await?;
            room::viewed_by_guest(unit.as_ref(), self.guest_call(led), grant, shown).await?;
            unit.commit().await?;
        }
        let mut response = answer.into_response(PiiAccess::Masked);
        response.headers_mut().extend(unkept());
        response.headers_mut().insert(ACCEPT_RANGES, HeaderValue::from_static("none"));
        Ok(response)
    }
}
