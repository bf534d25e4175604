//! Rules about a contact that need to look at other records.

use svc_core::error::{StoreError, Validator};
use svc_core::page::{PageRules, Sort};
use svc_core::refused::Refused;

use crate::contact::{Contact, ContactFilter, ContactStatus, DuplicateTaxId, Kind, StatusFilter};
use crate::ports::DynContactUnit;
use crate::record::Home;

type ContactHome<'u> = Home<'u, DynContactUnit>;

/// Checks what the contact's parent is, and that nothing belongs to a person.
pub(super) async fn check_parent(
    validator: &mut Validator,
    home: &ContactHome<'_>,
    before: Option<&Contact>,
    after: &Contact,
) -> Result<(), StoreError> {
    let was = before.map(Contact::kind);
    if was == Some(Kind::Organization) && after.kind() == Kind::Person && has_children(home, after).await? {
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
    let found = home.referred::<Contact>(home.unit.contacts(), &[parent]).await?;
    let fits = found.first().is_some_and(|found| found.id != after.id && found.kind() == Kind::Organization);
    validator.require(
        fits,
        "parentContactId",
        "unknown_reference",
        "expected an organization among the contacts of the same company",
    );
    Ok(())
}

/// Whether any contact has this one as its parent.
pub(super) async fn has_children(home: &ContactHome<'_>, contact: &Contact) -> Result<bool, StoreError> {
    let filter = ContactFilter {
        companies: vec![contact.company],
        parent: Some(contact.id),
        status: StatusFilter::All,
        ..ContactFilter::default()
    };
    let first = PageRules::USUAL.page(None, Some(1)).expect("the first page always exists");
    let page = home.unit.contacts().page(home.call.scope, &filter, &Sort::default(), first).await?;
    Ok(page.total > 0)
}

/// Gives an active contact its tax id alone, or beside others where a duplicate is allowed.
///
/// A caller who sees tax ids masked is not told that another contact has the one that they wrote: they could
/// try one after the other. What they write is not compared and stands beside others; `GET
/// /contacts/{id}/duplicates` shows it to callers who see it.
pub(super) async fn claim_tax_id(
    home: &ContactHome<'_>,
    contact: &mut Contact,
    allow_duplicate: bool,
) -> Result<(), Refused<DuplicateTaxId>> {
    let alone = home.call.access.is_full() && !allow_duplicate;
    contact.shares_tax_id = !alone && contact.tax_id.is_some();
    let existing = match (&contact.tax_id, contact.status) {
        (Some(tax_id), ContactStatus::Active) if alone => {
            home.unit.contacts().active_with_tax_id(contact.company, tax_id, Some(contact.id)).await?
        }
        (_, ContactStatus::Active | ContactStatus::Archived | ContactStatus::Merged { .. }) => None,
    };
    match existing {
        Some(existing) => Err(Refused::Own(DuplicateTaxId { existing })),
        None => Ok(()),
    }
}
