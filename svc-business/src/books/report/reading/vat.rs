//! The documents of a VAT register.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::id::{ContactId, JournalEntryId};
use svc_core::tenant::Scope;

use super::{MOST_LINES, ONE_MORE, ReportError, contacts_of};
use crate::account::Account;
use crate::books::report::{Period, VatDocument};
use crate::ports::BooksStorage;

/// What the posted entries of a company say about taxes that fell due in some days: a document for each entry.
///
/// The number of a document is the reference of its entry, or else the number of the entry; names and tax ids are
/// those that contacts have now.
///
/// # Errors
/// [`ReportError`].
pub async fn vat_documents<S: BooksStorage + ?Sized>(
    storage: &S,
    scope: &Scope,
    company: &Account,
    period: Period,
) -> Result<Vec<VatDocument>, ReportError> {
    let tagged = storage.journal().tags_within(company.id, period, ONE_MORE).await?;
    if tagged.len() > MOST_LINES {
        return Err(ReportError::TooMany);
    }
    let mut documents: BTreeMap<JournalEntryId, VatDocument> = BTreeMap::new();
    for tagged in tagged {
        let document = documents.entry(tagged.entry).or_insert_with(|| VatDocument {
            number: tagged.reference.unwrap_or_else(|| tagged.number.to_string()),
            issue_date: tagged.received.map_or(tagged.date, |received| received.issue_date),
            register_number: tagged.received.and_then(|received| received.register_number),
            contact: None,
            contact_name: String::new(),
            tax_id: None,
            tags: Vec::new(),
        });
        document.contact = document.contact.or(tagged.tag.contact);
        document.tags.push(tagged.tag);
    }
    let ids: BTreeSet<ContactId> = documents.values().filter_map(|document| document.contact).collect();
    let contacts = contacts_of(storage, scope, ids).await?;
    for document in documents.values_mut() {
        if let Some(contact) = document.contact.and_then(|contact| contacts.get(&contact)) {
            document.contact_name = contact.name();
            document.tax_id.clone_from(&contact.tax_id);
        }
    }
    Ok(documents.into_values().collect())
}
