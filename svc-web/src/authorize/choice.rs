//! The companies that an assistant can be let into.

use svc_core::id::AccountId;
use svc_http::visit::Visitor;

/// Something that can be chosen.
pub(super) struct Choice<T> {
    pub(super) id: T,
    pub(super) name: String,
    pub(super) chosen: bool,
}

/// The person's companies with API access. The only one is chosen already; of several, none is.
pub(super) fn companies(visitor: &Visitor, chosen: Option<AccountId>) -> Vec<Choice<AccountId>> {
    let open = visitor.companies().filter(|(company, _)| company.api_access);
    let mut choices: Vec<_> = open
        .map(|(company, _)| Choice {
            id: company.id,
            name: company.legal_name.clone(),
            chosen: chosen == Some(company.id),
        })
        .collect();
    if let [only] = choices.as_mut_slice() {
        only.chosen = true;
    }
    choices
}
