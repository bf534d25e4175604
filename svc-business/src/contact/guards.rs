//! Rules about a contact that need to look at other records.

use svc_core::error::{StoreError, Validator};
use svc_core::id::ContactId;
use svc_core::page::{PageRules, Sort};
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use crate::account::{Account, AccountStatus};
use crate::contact::{Contact, ContactFilter, ContactStatus, Kind, StatusFilter};
use crate::ports::BusinessUnit;

/// Validator what the contact's parent is, and that nothing belongs to a person.
pub(super) async fn check_parent(
    validator: &mut Validator,
    unit: &dyn BusinessUnit,
    scope: &Scope,
    before: Option<&Contact>,
    after: &Contact,
) -> Result<(), StoreError> {
    let was = before.map(Contact::kind);
    if was == Some(Kind::Organization)
        && after.kind() == Kind::Person
        && has_children(unit, scope, after).await?
    {
        validator.fail("kind", "not_allowed", "persons belong to this organization");
    }
    let Some(parent) = after.parent else {
        return Ok(());
    };
    if !validator.require(
        after.kind() == Kind::Person,
        "parentContactId",
        "not_allowed",
        "only a person belongs to an organization",
    ) || before.and_then(|before| before.parent) == Some(parent)
    {
        return Ok(());
    }
    let found = unit.contacts().find(scope, parent).await?;
    let fits = found.is_some_and(|found| {
        found.id != after.id
            && found.company == after.company
            && found.kind() == Kind::Organization
            && !matches!(found.status, ContactStatus::Merged { .. })
    });
    validator.require(
        fits,
        "parentContactId",
        "unknown_reference",
        "expected an organization among the contacts of the same company",
    );
    Ok(())
}

/// Whether any contact has this one as its parent.
pub(super) async fn has_children(
    unit: &dyn BusinessUnit,
    scope: &Scope,
    contact: &Contact,
) -> Result<bool, StoreError> {
    let filter = ContactFilter {
        companies: vec![contact.company],
        parent: Some(contact.id),
        status: StatusFilter::All,
        ..ContactFilter::default()
    };
    let first = PageRules::USUAL.page(None, Some(1)).expect("the first page always exists");
    Ok(unit.contacts().page(scope, &filter, &Sort::default(), first).await?.total > 0)
}

/// The active contact that has the tax id of `contact`, when `contact` is active itself.
pub(super) async fn same_tax_id(
    unit: &dyn BusinessUnit,
    contact: &Contact,
) -> Result<Option<ContactId>, StoreError> {
    match (&contact.tax_id, contact.status) {
        (Some(tax_id), ContactStatus::Active) => {
            unit.contacts().active_with_tax_id(contact.company, tax_id, Some(contact.id)).await
        }
        (None, _) | (Some(_), ContactStatus::Archived | ContactStatus::Merged { .. }) => Ok(None),
    }
}

/// The company of a contact within the call's scope.
pub(super) async fn company_of(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    contact: &Contact,
) -> Result<Account, StoreError> {
    unit.accounts()
        .find(call.scope, contact.company)
        .await?
        .ok_or_else(|| StoreError::backend("a contact's company is missing"))
}

/// The name of a status that forbids writing.
pub(super) const fn closed(company: &Account) -> Option<&'static str> {
    match company.status {
        AccountStatus::Active => None,
        AccountStatus::Deactivated { .. } | AccountStatus::Merged { .. } => Some(company.status.name()),
    }
}
