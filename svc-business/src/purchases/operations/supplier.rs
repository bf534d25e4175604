//! Making and changing suppliers, with their contacts.

use sha2::{Digest as _, Sha256};
use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::id::{ContactId, TypedId as _};
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use uuid::Uuid;

use super::SupplierRefused;
use super::reference::{ids, lock};
use crate::catalogue::event;
use crate::contact::{self, Contact, ContactInput, DuplicateTaxId};
use crate::half_digest::half_of;
use crate::party::TaxId;
use crate::ports::{DynContactUnit, DynPurchaseUnit};
use crate::purchases::supplier::{
    GivenContact, Supplier, SupplierInput, SupplierSetting, apply_supplier, given_contact,
};
use crate::record::{Home, Opened, replace};

/// Makes a contact a supplier: the one that the input names, an active one with the tax id that it describes, or a new
/// one. Emits supplier.create, and contact.create or contact.update.
///
/// # Errors
/// [`Refused`] with [`SupplierRefused`]; nothing was added.
pub async fn create(
    home: &Home<'_, DynPurchaseUnit>,
    input: &SupplierInput,
) -> Result<Supplier, Refused<SupplierRefused>> {
    let mut validator = Validator::new();
    let given = given_contact(&mut validator, input, true);
    let nowhere = ContactId::from_uuid(home.company.id.uuid());
    let blank = Supplier::blank(home.company.id, nowhere, &ids(home));
    let setting = setting(home, true);
    let supplier = apply_supplier(&mut validator, &blank, input, &setting);
    validator.finish()?;
    let contact = match given {
        Some(GivenContact::Named(id)) => alone(home, id).await?,
        Some(GivenContact::Described(described)) => described_contact(home, described).await?,
        None => return Err(Refused::Store(StoreError::backend("no contact was found wrong"))),
    };
    if let Some(existing) = home.unit.suppliers().of_contact(home.company.id, contact.id).await? {
        return Err(Refused::Own(SupplierRefused::Exists { existing }));
    }
    let supplier = Supplier { contact: contact.id, ..supplier };
    marked(home, &supplier, contact).await?;
    home.add(supplier).await
}

/// Applies a merge patch; what it says of the contact changes that. One that changes nothing keeps the version; a change
/// of the contact emits contact.update, and no other emits an event.
///
/// # Errors
/// [`Refused`] with [`SupplierRefused`]; nothing was changed.
pub async fn update(
    opened: Opened<'_, Supplier>,
    input: &SupplierInput,
) -> Result<Supplier, Refused<SupplierRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let mut validator = Validator::new();
    let given = given_contact(&mut validator, input, false);
    let after = apply_supplier(&mut validator, before, input, &setting(home, false));
    validator.finish()?;
    // Nothing refers to the contact anew while it becomes of another kind.
    let kind = matches!(given, Some(GivenContact::Described(described)) if !described.kind.is_absent());
    let mut contact =
        if kind { alone(home, before.contact).await? } else { named(home, before.contact).await? };
    if let Some(GivenContact::Described(described)) = given {
        let opened = Opened { home: contacts(home), before: contact };
        contact = contact::update(opened, described.clone()).await.map_err(of_contact)?;
    }
    marked(home, &after, contact).await?;
    opened.save(after).await
}

fn setting(home: &Home<'_, DynPurchaseUnit>, creating: bool) -> SupplierSetting {
    SupplierSetting { today: home.company.local_date(home.call.now), creating }
}

pub(super) fn contacts<'u>(home: &Home<'u, DynPurchaseUnit>) -> Home<'u, DynContactUnit> {
    home.within(home.unit)
}

async fn named(home: &Home<'_, DynPurchaseUnit>, id: ContactId) -> Result<Contact, Refused<SupplierRefused>> {
    let found = home.referred::<Contact>(home.unit.contacts(), &[id]).await?.pop();
    let message = "no contact of the company has this id";
    found.ok_or_else(|| ValidationErrors::one("contactId", "unknown_reference", message).into())
}

/// A contact of which no other unit of work makes a supplier meanwhile.
async fn alone(home: &Home<'_, DynPurchaseUnit>, id: ContactId) -> Result<Contact, Refused<SupplierRefused>> {
    lock(home, &[(id.uuid(), Lock::Exclusive)]).await?;
    named(home, id).await
}

/// What stands for the contact with a tax id in a company, when it is locked: there may be none yet.
fn described_by(home: &Home<'_, DynPurchaseUnit>, tax_id: &str) -> (Uuid, Lock) {
    // One that cannot be read is refused soon.
    let normal = TaxId::guess(tax_id, home.company.country).map(|(normal, _)| normal.as_str().to_owned());
    let hash = Sha256::new().chain_update(home.company.id.uuid()).chain_update(normal.unwrap_or_default());
    (half_of(hash), Lock::Exclusive)
}

/// A new contact with the role of a supplier, or the active one that has its tax id.
async fn described_contact(
    home: &Home<'_, DynPurchaseUnit>,
    described: &ContactInput,
) -> Result<Contact, Refused<SupplierRefused>> {
    if let Patch::Value(tax_id) = &described.tax_id {
        lock(home, &[described_by(home, tax_id)]).await?;
    }
    match contact::create_supplier(contacts(home), described.clone()).await {
        Ok(contact) => Ok(contact),
        Err(Refused::Own(DuplicateTaxId { existing })) => alone(home, existing).await,
        Err(refused) => Err(of_contact(refused)),
    }
}

/// The contact with the role that it has by this supplier.
async fn marked(
    home: &Home<'_, DynPurchaseUnit>,
    supplier: &Supplier,
    contact: Contact,
) -> Result<(), Refused<SupplierRefused>> {
    let after = supplier.mark(contact.clone()).map_err(|refused| {
        let message = refused.to_string();
        Refused::Invalid(ValidationErrors::one("contactId", refused.code(), message))
    })?;
    if after != contact {
        let unit = home.unit as &DynContactUnit;
        let after = replace(unit, home.call, &contact, after).await?;
        home.publish(const { event("contact.update") }, &after, None).await?;
    }
    Ok(())
}

/// What is wrong with the contact, named by its place in the input.
fn of_contact(refused: Refused<DuplicateTaxId>) -> Refused<SupplierRefused> {
    refused.within("contact").map(SupplierRefused::TaxId)
}
