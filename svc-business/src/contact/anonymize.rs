//! Erasing a person's data while keeping the record (GDPR, article 17).

use svc_core::error::StoreError;
use svc_core::id::ContactId;
use svc_core::page::{PageRules, Sort};
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use crate::contact::update::{load, save, writable};
use crate::contact::{Contact, ContactFilter, ContactStatus, Identity, StatusFilter, UpdateError};
use crate::party::{Extension, TaxIdKind};
use crate::ports::BusinessUnit;

/// Blanks every personal member: names, tax id, e-mail, phones, birth date,
/// addresses, bank account, notes, consent, external id and metadata. Emits contact.update; a
/// contact that is anonymous already stays as it is. Tombstones of contacts that it
/// absorbed are blanked with it, without an event of their own.
///
/// # Errors
/// [`UpdateError`]; nothing was changed.
pub async fn anonymize(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: ContactId,
    expected: Option<Version>,
) -> Result<Contact, UpdateError> {
    let (before, company) = load(unit, call, id, expected).await?;
    writable(&before, &company)?;
    blank_tombstones(unit, call, &before).await?;
    save(unit, call, &before, blanked(before.clone())).await
}

/// What was absorbed by the contact was the same person, and its tombstone still tells who.
async fn blank_tombstones(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    survivor: &Contact,
) -> Result<(), StoreError> {
    let filter = ContactFilter {
        companies: vec![survivor.company],
        status: StatusFilter::Merged,
        ..ContactFilter::default()
    };
    // Blanking changes neither membership nor order of this list, so its pages hold still.
    for number in 1.. {
        let request = PageRules::USUAL.page(Some(number), Some(PageRules::USUAL.max));
        let request = request.expect("pages count from 1 and the limit is the maximum");
        let page = unit.contacts().page(call.scope, &filter, &Sort::default(), request).await?;
        for tombstone in &page.items {
            let blank = blanked(tombstone.clone());
            if tombstone.status == (ContactStatus::Merged { into: survivor.id }) && blank != *tombstone {
                let blank = Contact { version: tombstone.version.next(), updated_at: call.now, ..blank };
                unit.contacts().replace(call.scope, tombstone.version, &blank).await?;
            }
        }
        if !page.has_more() {
            break;
        }
    }
    Ok(())
}

fn blanked(contact: Contact) -> Contact {
    let identity = match contact.identity {
        Identity::Person { .. } => {
            Identity::Person { given_name: String::new(), family_name: String::new(), date_of_birth: None }
        }
        Identity::Organization { .. } => Identity::Organization { legal_name: String::new() },
    };
    Contact {
        identity,
        trade_name: None,
        tax_id_kind: TaxIdKind::None,
        tax_id: None,
        email: None,
        phone: None,
        mobile: None,
        address: None,
        shipping_address: None,
        iban: None,
        bic: None,
        notes: None,
        consent: None,
        extension: Extension::default(),
        ..contact
    }
}
