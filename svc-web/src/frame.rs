//! What every page has around its own part: language, appearance, navigation, and the token of its forms.

use http::HeaderMap;
use svc_auth::session::CsrfToken;
use svc_core::id::AccountId;
use svc_http::visit::{Browser, Seed, Visit, Visitor};

use crate::assets;
use crate::companies;
use crate::gate::{Anyone, Known, Seen};
use crate::language::Language;
use crate::preferences::Theme;
use crate::texts::{Texts, filled};

/// So many companies are offered on every page; the list of companies has all of them.
const SWITCHED: usize = 20;

/// Where a page is found: the entry of the navigation that is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Beside the navigation.
    Elsewhere,
    /// The companies of a person.
    Companies,
    /// One company at a glance.
    Company,
    /// Its data.
    Data,
    /// Its members.
    Members,
    /// The guests of its data room.
    DataRoom,
    /// Its tokens.
    Tokens,
    /// Its webhooks.
    Webhooks,
    /// Its log of events.
    Events,
    /// Its audit log.
    Audit,
    /// What programs begin with.
    Api,
}

/// What every page has.
pub(crate) struct Frame {
    pub(crate) language: Language,
    pub(crate) t: &'static Texts,
    pub(crate) theme: Theme,
    /// In front of every path.
    pub(crate) root: String,
    /// In every form.
    csrf: Option<String>,
    /// The path of this page, to come back to.
    pub(crate) path: String,
    pub(crate) place: Place,
    pub(crate) person: Option<String>,
    pub(crate) company: Option<Company>,
    pub(crate) companies: Vec<Link>,
    /// Whether there are assistants, who ask for approvals.
    pub(crate) approvals: bool,
    pub(crate) css: &'static str,
    pub(crate) script: &'static str,
}

/// The company that a page is about.
pub(crate) struct Company {
    pub(crate) id: AccountId,
    pub(crate) name: String,
    /// Whether the person administers it.
    pub(crate) administered: bool,
    /// Whether the person's role reads the data of the company.
    pub(crate) reads_data: bool,
    /// Whether the section Developers is shown.
    pub(crate) developers: bool,
}

/// Another company of the person.
pub(crate) struct Link {
    pub(crate) id: AccountId,
    pub(crate) name: String,
}

impl Frame {
    /// Around a page of a visit that was let in.
    pub(crate) fn of<G: Known>(seen: &Seen<G>, place: Place) -> Self {
        let visit = &seen.visit;
        let mut frame = Self::around(visit.headers(), seen.root(), path(visit), visit.browser());
        frame.place = place;
        frame.approvals = visit.app().oauth.is_some();
        frame.company = seen.gate.company().map(|standing| Company {
            id: standing.id,
            name: standing.legal_name.clone(),
            administered: standing.is_administered(),
            reads_data: companies::data::reads(standing),
            developers: standing.is_administered() && standing.api_access,
        });
        frame
    }

    /// The same for a browser that is not signed in: its forms carry the token of this seed.
    pub(crate) fn before_sign_in<G: Known>(seen: &Seen<G>, tie: &Seed) -> Self {
        let mut frame = Self::of(seen, Place::Elsewhere);
        frame.csrf = Some(tie.csrf().expose().to_owned());
        frame
    }

    /// Around a page of a person who came by a link: in the language of what it leads to, without the client area. The token is
    /// that of the browser's forms.
    pub(crate) fn of_link(seen: &Seen<Anyone>, language: Language, tie: &CsrfToken) -> Self {
        let path = "/".to_owned();
        let frame = Self::around(seen.visit.headers(), seen.root(), path, &Browser::default());
        Self { language, t: language.texts(), csrf: Some(tie.expose().to_owned()), ..frame }
    }

    /// Around a page for this browser.
    pub(crate) fn around(headers: &HeaderMap, root: &str, path: String, browser: &Browser) -> Self {
        let language = Language::of(headers);
        let visitor = browser.visitor.as_deref();
        let companies = visitor.into_iter().flat_map(Visitor::companies).take(SWITCHED);
        Self {
            language,
            t: language.texts(),
            theme: Theme::of(headers),
            root: root.to_owned(),
            csrf: browser.csrf().map(|token| token.expose().to_owned()),
            path,
            place: Place::Elsewhere,
            person: visitor.map(|visitor| visitor.signed_in().person().name.clone()),
            company: None,
            companies: companies.map(|(one, _)| Link { id: one.id, name: one.legal_name.clone() }).collect(),
            approvals: false,
            css: assets::css_name(),
            script: assets::script_name(),
        }
    }

    /// The token of the page's forms; a browser without one has no form that takes it.
    pub(crate) fn csrf(&self) -> &str {
        self.csrf.as_deref().unwrap_or_default()
    }

    /// Languages that the page can be had in.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    pub(crate) fn languages(&self) -> [Language; 2] {
        Language::ALL
    }

    /// What an invitation can be answered with.
    pub(crate) fn answers(&self) -> [(&'static str, &'static str, &'static str); 2] {
        [("accept", self.t.companies.accept, "main"), ("decline", self.t.companies.decline, "")]
    }

    /// How pages can look.
    pub(crate) fn themes(&self) -> [(Theme, &'static str); 3] {
        Theme::ALL.map(|theme| (theme, self.t.frame.theme(theme)))
    }

    /// Where the page of a company is.
    pub(crate) fn at(&self, path: &str) -> String {
        let company = self.company.as_ref().map(|company| format!("/companies/{}", company.id));
        format!("{}{}{path}", self.root, company.unwrap_or_default())
    }

    /// A text with this value in it.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    pub(crate) fn filled(&self, text: &str, value: impl std::fmt::Display) -> String {
        filled(text, value)
    }

    /// What it means for a token to be of this company.
    pub(crate) fn companies_hint(&self) -> String {
        filled(self.t.tokens.companies_hint, self.company.as_ref().map_or("", |company| &company.name))
    }

    /// Marks the entry of the navigation that the page is under.
    pub(crate) fn is(&self, place: &str) -> bool {
        place == self.place.name()
    }
}

impl Place {
    const fn name(self) -> &'static str {
        match self {
            Self::Elsewhere => "",
            Self::Companies => "companies",
            Self::Company => "company",
            Self::Data => "data",
            Self::Members => "members",
            Self::DataRoom => "data-room",
            Self::Tokens => "tokens",
            Self::Webhooks => "webhooks",
            Self::Events => "events",
            Self::Audit => "audit-log",
            Self::Api => "api",
        }
    }
}

/// The page that a form leads back to: a POST has none of its own.
fn path(visit: &Visit) -> String {
    if visit.method().is_safe() { visit.uri().to_string() } else { "/".to_owned() }
}
