//! Finding contacts that may be the same.

use std::cmp::Reverse;

use svc_core::error::StoreError;
use svc_core::id::ContactId;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;

use crate::contact::{Contact, ContactReader, ContactStatus};

/// A contact that may be the same as another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The candidate.
    pub contact: Contact,
    /// How likely, 1 to 100.
    pub score: u8,
    /// Why, strongest first.
    pub reasons: Vec<DuplicateReason>,
}

/// What two contacts have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DuplicateReason {
    /// `tax_id`
    TaxId,
    /// `email`
    Email,
    /// `phone`
    Phone,
    /// `name`: equal after normalisation.
    Name,
}

svc_core::wire_names!(DuplicateReason { TaxId = "tax_id", Email = "email", Phone = "phone", Name = "name" });

impl DuplicateReason {
    const fn weight(self) -> u8 {
        match self {
            Self::TaxId => 90,
            Self::Email => 75,
            Self::Phone => 65,
            Self::Name => 50,
        }
    }
}

/// Contacts of the same company that may be the same as `id`, likeliest first,
/// at most 50; `None` when `id` is unknown or out of reach.
///
/// What the caller sees masked is not compared: a contact of their own with one guess after the other would
/// find out what others have.
///
/// # Errors
/// When the store failed.
pub async fn duplicates(
    contacts: &dyn ContactReader,
    scope: &Scope,
    id: ContactId,
    access: PiiAccess,
) -> Result<Option<Vec<Duplicate>>, StoreError> {
    let Some(mut contact) = contacts.find(scope, id).await? else {
        return Ok(None);
    };
    if !access.is_full() {
        (contact.tax_id, contact.phone, contact.mobile) = (None, None, None);
    }
    if matches!(contact.status, ContactStatus::Merged { .. }) {
        return Ok(Some(Vec::new()));
    }
    let mut found: Vec<Duplicate> = contacts
        .possible_duplicates(&contact, CANDIDATES)
        .await?
        .into_iter()
        .filter(|other| other.id != contact.id)
        .filter_map(|other| compare(&contact, other))
        .collect();
    found.sort_by_key(|duplicate| (Reverse(duplicate.score), duplicate.contact.id));
    found.truncate(LISTED);
    Ok(Some(found))
}

/// How many contacts are compared.
const CANDIDATES: u32 = 200;
/// How many are answered.
const LISTED: usize = 50;

fn compare(contact: &Contact, other: Contact) -> Option<Duplicate> {
    let phones = |contact: &Contact| [contact.phone.clone(), contact.mobile.clone()];
    let known = phones(contact);
    let shared = phones(&other).into_iter().flatten().any(|phone| known.contains(&Some(phone)));
    let name = contact.name_key();
    let reasons: Vec<DuplicateReason> = [
        (DuplicateReason::TaxId, contact.tax_id.is_some() && contact.tax_id == other.tax_id),
        (DuplicateReason::Email, contact.email.is_some() && contact.email_key() == other.email_key()),
        (DuplicateReason::Phone, shared),
        (DuplicateReason::Name, !name.is_empty() && name == other.name_key()),
    ]
    .into_iter()
    .filter_map(|(reason, holds)| holds.then_some(reason))
    .collect();
    // The strongest reason sets the score, each further one adds to it.
    let further = u8::try_from(reasons.len().saturating_sub(1)).unwrap_or(0);
    let score = reasons.first()?.weight() + 3 * further;
    Some(Duplicate { contact: other, score, reasons })
}
