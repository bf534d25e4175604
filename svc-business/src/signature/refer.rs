//! What an envelope refers to.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{CaseId, ContactId, FileId, SalesDocumentId};

use super::ports::{EnvelopeFiles, FileState};
use super::state::{Envelope, EnvelopeLink, FilePin};
use crate::case::Case;
use crate::contact::Contact;
use crate::ports::DynSignatureUnit;
use crate::record::Home;
use crate::sales::document::SalesDocument;

/// Judges the contacts and records that an envelope newly names.
pub(super) async fn records(
    validator: &mut Validator,
    home: &Home<'_, DynSignatureUnit>,
    before: &Envelope,
    after: &Envelope,
) -> Result<(), StoreError> {
    let is_new = |link: &EnvelopeLink| !before.links.contains(link);
    let had = |contact: ContactId| before.signers.iter().any(|signer| signer.contact == Some(contact));
    let (mut contacts, mut cases, mut invoices) = (Vec::new(), Vec::new(), Vec::new());
    for (at, link) in after.links.iter().enumerate().filter(|(_, link)| is_new(link)) {
        let field = format!("links[{at}].id");
        match *link {
            EnvelopeLink::Case(id) => cases.push((field, id)),
            EnvelopeLink::Contact(id) => contacts.push((field, id)),
            EnvelopeLink::Invoice(id) => invoices.push((field, id)),
        }
    }
    for (at, signer) in after.signers.iter().enumerate() {
        if let Some(id) = signer.contact.filter(|id| !had(*id)) {
            contacts.push((format!("signers[{at}].contactId"), id));
        }
    }
    let ids: Vec<ContactId> = contacts.iter().map(|(_, id)| *id).collect();
    let known = home.referred::<Contact>(home.unit.contacts(), &ids).await?;
    for (field, id) in contacts {
        let message = "no contact of the same company has this id";
        validator.require(known.iter().any(|one| one.id == id), &field, "unknown_reference", message);
    }
    let ids: Vec<CaseId> = cases.iter().map(|(_, id)| *id).collect();
    let known = home.referred::<Case>(home.unit.cases(), &ids).await?;
    for (field, id) in cases {
        let message = "no case of the same company has this id";
        validator.require(known.iter().any(|one| one.id == id), &field, "unknown_reference", message);
    }
    let ids: Vec<SalesDocumentId> = invoices.iter().map(|(_, id)| *id).collect();
    let known = home.referred::<SalesDocument>(home.unit.sales(), &ids).await?;
    for (field, id) in invoices {
        // A draft may be erased; what was issued stays.
        let message = "no issued sales document of the same company has this id";
        let holds = known.iter().any(|one| one.id == id && one.issue_data().is_some());
        validator.require(holds, &field, "unknown_reference", message);
    }
    Ok(())
}

/// The versions that the files of an envelope have now; findings name the file.
pub(super) async fn pins(
    validator: &mut Validator,
    home: &Home<'_, DynSignatureUnit>,
    files: &dyn EnvelopeFiles,
    envelope: &Envelope,
) -> Result<Vec<FilePin>, StoreError> {
    let ids: Vec<FileId> = envelope.files.iter().map(|one| one.file).collect();
    let states = files.states(home.company.id, &ids).await?;
    let mut states = states.into_iter();
    let mut pins = Vec::new();
    for at in 0..ids.len() {
        let field = format!("files[{at}].fileId");
        match states.next().flatten() {
            Some(FileState::Signable(pin)) => pins.push(pin),
            Some(FileState::Refused { code, why }) => validator.fail(field, code, why),
            None => validator.fail(field, "unknown_reference", "no file of the same company has this id"),
        }
    }
    Ok(pins)
}
