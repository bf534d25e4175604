//! Deleting a contact that nothing refers to.

use svc_core::error::StoreError;
use svc_core::event::{Event, EventType};
use svc_core::id::ContactId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::contact::ContactStatus;
use crate::contact::guards::{closed, company_of};
use crate::ports::BusinessUnit;

/// Why a contact is not deleted.
#[derive(Debug, Error)]
pub enum DeleteError {
    /// Unknown or out of reach.
    #[error("no such contact")]
    NotFound,
    /// It is not at the version that the client expects.
    #[error("the contact is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// It was absorbed by another one: tombstones stay.
    #[error("the contact was merged into {into}")]
    Merged {
        /// The survivor.
        into: ContactId,
    },
    /// Something refers to it; archive it instead.
    #[error("something refers to the contact: archive it instead")]
    InUse,
    /// The company is deactivated or merged.
    #[error("the account is {status}")]
    CompanyNotActive {
        /// `deactivated` or `merged`.
        status: &'static str,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Erases a contact. Emits contact.delete.
///
/// # Errors
/// [`DeleteError`]; nothing was changed.
pub async fn delete(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: ContactId,
    expected: Option<Version>,
) -> Result<(), DeleteError> {
    let Some(contact) = unit.contacts().find(call.scope, id).await? else {
        return Err(DeleteError::NotFound);
    };
    if expected.is_some_and(|expected| expected != contact.version) {
        return Err(DeleteError::VersionConflict { current: contact.version });
    }
    match contact.status {
        ContactStatus::Active | ContactStatus::Archived => {}
        ContactStatus::Merged { into } => return Err(DeleteError::Merged { into }),
    }
    if let Some(status) = closed(&company_of(unit, call, &contact).await?) {
        return Err(DeleteError::CompanyNotActive { status });
    }
    if unit.contacts().in_use(&contact).await? {
        return Err(DeleteError::InUse);
    }
    unit.contacts().delete(call.scope, &contact).await?;
    let kind = EventType::of("contact.delete");
    let event = Event::new(kind, contact.company, contact.id, call.now, call.random);
    unit.outbox().publish(&[event]).await?;
    Ok(())
}
