//! Who may open a page, as a type.
//!
//! A handler takes a [`Seen`] of the gate that it stands behind, and the site has no other way to call it. Requests from
//! other sites never come this far: see [`svc_http::visit`].

use std::sync::Arc;

use svc_auth::ports::CompanyStanding;
use svc_core::id::AccountId;
use svc_core::resource::{Expected, Version};
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_http::visit::{Visit, Visitor};
use svc_http::{Code, Problem};

use crate::language::Language;
use crate::texts::Texts;

/// A visit that was let in by a gate.
pub(crate) struct Seen<G> {
    pub(crate) visit: Arc<Visit>,
    pub(crate) gate: G,
    pub(crate) language: Language,
}

/// Why a visit is not let in.
pub(crate) enum Turned {
    /// There is no session: the page that was asked for comes after.
    ToSignIn,
    /// It is told.
    Away(Problem),
}

/// Lets visits in.
pub(crate) trait Gate: Sized + Send + Sync + 'static {
    /// What the handler gets to know of the visitor.
    fn admit(visit: &Visit) -> Result<Self, Turned>;
}

/// Every visitor.
pub(crate) struct Anyone;

/// A person who is signed in.
pub(crate) struct Person {
    pub(crate) visitor: Arc<Visitor>,
    /// All companies that they hold or administer.
    reach: Scope,
}

/// A person at the company that the path names, of which they are an active member.
pub(crate) struct Member {
    pub(crate) visitor: Arc<Visitor>,
    pub(crate) company: CompanyStanding,
    pub(crate) role: Role,
}

/// A person who holds or administers it.
pub(crate) struct Administrator {
    pub(crate) visitor: Arc<Visitor>,
    pub(crate) company: CompanyStanding,
    pub(crate) role: Role,
    /// That company alone.
    pub(crate) scope: Scope,
    /// All companies that the person holds or administers.
    pub(crate) reach: Scope,
}

/// The same, where the service has API access on for the company: the section Developers is hidden otherwise
/// (specification, part 3.1).
pub(crate) struct Developer(pub(crate) Administrator);

/// A gate behind which a company is administered.
pub(crate) trait Administers: Known {
    /// Who administers it.
    fn administrator(&self) -> &Administrator;
}

impl Administers for Administrator {
    fn administrator(&self) -> &Administrator {
        self
    }
}

impl Administers for Developer {
    fn administrator(&self) -> &Administrator {
        &self.0
    }
}

/// What a page about a company knows of it.
pub(crate) trait Known: Gate {
    /// The company that the page is about.
    fn company(&self) -> Option<&CompanyStanding> {
        None
    }
}

impl Gate for Anyone {
    fn admit(_: &Visit) -> Result<Self, Turned> {
        Ok(Self)
    }
}

impl Gate for Person {
    fn admit(visit: &Visit) -> Result<Self, Turned> {
        let visitor = visit.visitor().ok_or(Turned::ToSignIn)?;
        Ok(Self { visitor: Arc::clone(visitor), reach: visitor.signed_in().administered() })
    }
}

impl Gate for Member {
    fn admit(visit: &Visit) -> Result<Self, Turned> {
        let visitor = Arc::clone(visit.visitor().ok_or(Turned::ToSignIn)?);
        let id: Option<AccountId> = visit.named("company").and_then(|id| id.parse().ok());
        let found = id.and_then(|id| visitor.company(id)).map(|(company, role)| (company.clone(), role));
        let (company, role) = found.ok_or_else(|| Turned::Away(Problem::not_found()))?;
        Ok(Self { visitor, company, role })
    }
}

impl Gate for Administrator {
    fn admit(visit: &Visit) -> Result<Self, Turned> {
        let Member { visitor, company, role } = Member::admit(visit)?;
        let reach = visitor.signed_in().administered();
        let scope = reach.only(company.id).ok_or_else(|| Turned::Away(Problem::role_required()))?;
        Ok(Self { visitor, company, role, scope, reach })
    }
}

impl Gate for Developer {
    fn admit(visit: &Visit) -> Result<Self, Turned> {
        let administrator = Administrator::admit(visit)?;
        if !administrator.company.api_access {
            let detail = "the operator has switched API access off for this company";
            return Err(Turned::Away(Problem::new(Code::ApiAccessOff, detail)));
        }
        Ok(Self(administrator))
    }
}

impl Known for Anyone {}

impl Known for Person {}

impl Known for Member {
    fn company(&self) -> Option<&CompanyStanding> {
        Some(&self.company)
    }
}

impl Known for Administrator {
    fn company(&self) -> Option<&CompanyStanding> {
        Some(&self.company)
    }
}

impl Known for Developer {
    fn company(&self) -> Option<&CompanyStanding> {
        self.0.company()
    }
}

impl<G> Seen<G> {
    /// What the pages say, in the language of the visitor.
    pub(crate) const fn texts(&self) -> &'static Texts {
        self.language.texts()
    }

    /// The path below which the pages are mounted, without a slash at its end.
    pub(crate) fn root(&self) -> &str {
        self.visit.app().settings.prefix()
    }

    /// The id in the path. A text of another form names nothing, as an unknown id does.
    pub(crate) fn id<T: std::str::FromStr>(&self) -> Result<T, Problem> {
        self.visit.named("id").and_then(|id| id.parse().ok()).ok_or_else(Problem::not_found)
    }

    /// The version that the form was made from: what changed since then refuses it. A form that names none fits no
    /// version.
    pub(crate) fn expected(&self) -> Expected {
        let version = self.visit.form().text("version").parse();
        version.map_or(Expected::OneOf(Vec::new()), |version| Expected::only(Version::from_i64(version)))
    }
}

impl Seen<Person> {
    /// What use cases need to know of what a person does for themselves.
    pub(crate) fn call(&self) -> CallContext<'_> {
        self.visit.call(&self.gate.visitor, &self.gate.reach)
    }
}

impl<G: Administers> Seen<G> {
    /// The company, its scope and its administrator.
    pub(crate) fn at(&self) -> &Administrator {
        self.gate.administrator()
    }

    /// What use cases need to know, within this company.
    pub(crate) fn call(&self) -> CallContext<'_> {
        self.visit.call(&self.at().visitor, &self.at().scope)
    }

    /// The same within all companies that the person holds or administers.
    pub(crate) fn wide_call(&self) -> CallContext<'_> {
        self.visit.call(&self.at().visitor, &self.at().reach)
    }

    /// The path of a page about this company.
    pub(crate) fn path(&self, below: &str) -> String {
        format!("/companies/{}{below}", self.at().company.id)
    }
}
