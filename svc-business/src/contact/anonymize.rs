//! Erasing a person's data while keeping the record (GDPR, article 17).

use svc_core::error::StoreError;
use svc_core::page::{PageRules, Sort};
use svc_core::refused::Refused;

use crate::contact::{Contact, ContactFilter, Identity, StatusFilter};
use crate::party::{Extension, TaxIdKind};
use crate::record::{Opened, replace};

/// Blanks every personal member: names, tax id, e-mail, phones, birth date,
/// addresses, bank account, notes, consent, external id and metadata. Emits contact.update; a
/// contact that is anonymous already stays as it is. Tombstones of contacts that it
/// absorbed are blanked with it, without an event of their own.
///
/// # Errors
/// [`Refused`]; nothing was changed.
pub async fn anonymize(opened: Opened<'_, Contact>) -> Result<Contact, Refused> {
    blank_tombstones(&opened).await?;
    opened.save(blanked(opened.before.clone())).await
}

/// What was absorbed by the contact was the same person, and its tombstone still tells who.
async fn blank_tombstones(opened: &Opened<'_, Contact>) -> Result<(), StoreError> {
    let (unit, call, survivor) = (opened.home.unit, opened.home.call, &opened.before);
    let filter = ContactFilter {
        companies: vec![survivor.company],
        status: StatusFilter::Merged,
        merged_into: Some(survivor.id),
        ..ContactFilter::default()
    };
    // Blanking changes neither membership nor order of this list, so its pages hold still.
    for number in 1.. {
        let request = PageRules::USUAL.page(Some(number), Some(PageRules::USUAL.max));
        let request = request.expect("pages count from 1 and the limit is the maximum");
        let page = unit.contacts().page(call.scope, &filter, &Sort::default(), request).await?;
        for tombstone in &page.items {
            let blank = blanked(tombstone.clone());
            if blank != *tombstone {
                replace(unit, call, tombstone, blank).await?;
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
        shares_tax_id: false,
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
