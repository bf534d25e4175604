//! Visits of people who are known by a link in a mail and by nothing else.

use svc_core::audit::Actor;
use svc_core::id::AccountId;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use super::Visit;

/// What a link gives: a company at most, and a name in the log of changes.
#[derive(Debug)]
pub struct ByLink {
    scope: Scope,
    actor: Actor,
}

#[expect(clippy::disallowed_methods, reason = "the link is known to the store, which names its company")]
fn granted(company: Option<AccountId>) -> Scope {
    Scope::granted(company)
}

impl ByLink {
    /// What the link reaches, and nothing else.
    pub(super) const fn scope(&self) -> &Scope {
        &self.scope
    }
}

impl Visit {
    /// A visit by a link of this kind, which leads to this company, or to none.
    #[must_use]
    pub fn by_link(&self, kind: &'static str, company: Option<AccountId>) -> ByLink {
        let actor = Actor { from: self.from(), request: Some(self.request()), ..Actor::service(kind) };
        ByLink { scope: granted(company), actor }
    }

    /// What use cases need to know of it.
    #[must_use]
    pub fn call_by_link<'a>(&'a self, link: &'a ByLink) -> CallContext<'a> {
        let (scope, actor) = (&link.scope, &link.actor);
        CallContext { scope, access: PiiAccess::Masked, actor, now: self.now(), random: &*self.app().random }
    }
}

#[cfg(test)]
mod tests {
    use svc_testkit::business::sample;

    use super::*;

    #[test]
    fn a_link_reaches_the_company_that_it_leads_to_alone() {
        let [ours, theirs] = [1, 2].map(sample::id);
        let scope = granted(Some(ours));
        assert_eq!(scope.companies(), Some(&[ours].into()));
        assert!(scope.only(theirs).is_none() && scope.within([ours, theirs]).is_none());
    }

    #[test]
    fn a_link_without_a_company_reaches_none() {
        let [ours, theirs] = [1, 2].map(sample::id);
        let (none, one) = (granted(None), granted(Some(ours)));
        assert!(none.only(ours).is_none());
        assert!(one.only(ours).is_some() && one.only(theirs).is_none());
    }
}
