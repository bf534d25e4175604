//! Changing, archiving and bringing back a contact.

use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::event::{Event, EventType};
use svc_core::id::ContactId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::Account;
use crate::contact::guards::{check_parent, closed, company_of, same_tax_id};
use crate::contact::rules::{Setting, apply};
use crate::contact::{Contact, ContactInput, ContactStatus};
use crate::ports::BusinessUnit;

/// Why a contact is not changed.
#[derive(Debug, Error)]
pub enum UpdateError {
    /// Unknown or out of reach.
    #[error("no such contact")]
    NotFound,
    /// It is not at the version that the client expects.
    #[error("the contact is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// It was absorbed by another one.
    #[error("the contact was merged into {into}")]
    Merged {
        /// The survivor.
        into: ContactId,
    },
    /// The company is deactivated or merged.
    #[error("the account is {status}")]
    CompanyNotActive {
        /// `deactivated` or `merged`.
        status: &'static str,
    },
    /// Broken rules of the input.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// An active contact has this tax id.
    #[error("an active contact with this tax id exists already")]
    DuplicateTaxId {
        /// That contact.
        existing: ContactId,
    },
    /// `externalId` is taken.
    #[error("a contact with this externalId exists already")]
    ExternalIdTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Applies a merge patch. One that changes nothing keeps the version and emits
/// nothing; any other emits contact.update.
///
/// # Errors
/// [`UpdateError`]; nothing was changed.
pub async fn update(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: ContactId,
    expected: Option<Version>,
    input: ContactInput,
) -> Result<Contact, UpdateError> {
    let (before, company) = load(unit, call, id, expected).await?;
    let allow_duplicate = input.allow_duplicate;
    let mut validator = Validator::new();
    let setting = Setting { company: &company, access: call.access, now: call.now, creating: false };
    let after = apply(&mut validator, &before, input, &setting);
    check_parent(&mut validator, unit, call.scope, Some(&before), &after).await?;
    validator.finish()?;
    writable(&before, &company)?;
    let claims = after.tax_id != before.tax_id || after.status != before.status;
    if claims
        && !allow_duplicate
        && let Some(existing) = same_tax_id(unit, &after).await?
    {
        return Err(UpdateError::DuplicateTaxId { existing });
    }
    save(unit, call, &before, after).await
}

/// The contact at the version that the client expects, and its company.
pub(super) async fn load(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: ContactId,
    expected: Option<Version>,
) -> Result<(Contact, Account), UpdateError> {
    let Some(contact) = unit.contacts().find(call.scope, id).await? else {
        return Err(UpdateError::NotFound);
    };
    if expected.is_some_and(|expected| expected != contact.version) {
        return Err(UpdateError::VersionConflict { current: contact.version });
    }
    let company = company_of(unit, call, &contact).await?;
    Ok((contact, company))
}

/// Refuses to change a tombstone, or anything of a company that is read-only.
pub(super) fn writable(contact: &Contact, company: &Account) -> Result<(), UpdateError> {
    match (contact.status, closed(company)) {
        (ContactStatus::Merged { into }, _) => Err(UpdateError::Merged { into }),
        (ContactStatus::Active | ContactStatus::Archived, Some(status)) => {
            Err(UpdateError::CompanyNotActive { status })
        }
        (ContactStatus::Active | ContactStatus::Archived, None) => Ok(()),
    }
}

/// Saves `after` with its event, unless nothing changed.
pub(super) async fn save(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    before: &Contact,
    mut after: Contact,
) -> Result<Contact, UpdateError> {
    if after == *before {
        return Ok(after);
    }
    after.version = before.version.next();
    after.updated_at = call.now;
    match unit.contacts().replace(call.scope, before.version, &after).await {
        Err(StoreError::Taken { field: "externalId" }) => return Err(UpdateError::ExternalIdTaken),
        outcome => outcome?,
    }
    let kind = EventType::of("contact.update");
    let event = Event::new(kind, after.company, after.id, call.now, call.random);
    unit.outbox().publish(&[event]).await?;
    Ok(after)
}
