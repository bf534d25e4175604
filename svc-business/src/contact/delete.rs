//! Deleting a contact that nothing refers to.

use svc_core::refused::Refused;
use thiserror::Error;

use crate::catalogue::event;
use crate::contact::Contact;
use crate::record::Opened;

/// Something refers to the contact; archive it instead.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("something refers to the contact: archive it instead")]
pub struct InUse;

/// Erases a contact that was opened [alone](crate::record::alone). Emits contact.delete.
///
/// # Errors
/// [`Refused`] with [`InUse`]; nothing was changed.
pub async fn delete(opened: Opened<'_, Contact>) -> Result<(), Refused<InUse>> {
    let (contacts, contact) = (opened.home.unit.contacts(), &opened.before);
    if contacts.is_referenced(contact).await? {
        return Err(Refused::Own(InUse));
    }
    contacts.erase(opened.home.call.scope, contact).await?;
    Ok(opened.home.publish(const { event("contact.delete") }, contact, None).await?)
}
