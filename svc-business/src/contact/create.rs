//! Creating a contact.

use std::collections::BTreeSet;

use svc_core::error::Validator;
use svc_core::id::{ContactId, TypedId};
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::Account;
use crate::contact::guards::{check_parent, claim_tax_id};
use crate::contact::rules::{DEFAULT_METHOD, DEFAULT_TERM, Setting, apply};
use crate::contact::{Contact, ContactInput, ContactRole, ContactStatus, Identity};
use crate::party::{Extension, TaxIdKind};
use crate::ports::DynContactUnit;
use crate::record::Home;

/// An active contact has this tax id, and the input does not allow a duplicate.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("an active contact with this tax id exists already")]
pub struct DuplicateTaxId {
    /// That contact.
    pub existing: ContactId,
}

/// Adds a contact to a company. Emits contact.create.
///
/// # Errors
/// [`Refused`] with [`DuplicateTaxId`]; nothing was added.
pub async fn create(
    home: Home<'_, DynContactUnit>,
    input: ContactInput,
) -> Result<Contact, Refused<DuplicateTaxId>> {
    create_with(home, input, BTreeSet::new()).await
}

/// [`create`] of a contact that is a supplier from the start.
pub(crate) async fn create_supplier(
    home: Home<'_, DynContactUnit>,
    input: ContactInput,
) -> Result<Contact, Refused<DuplicateTaxId>> {
    create_with(home, input, BTreeSet::from([ContactRole::Supplier])).await
}

/// The active contact that has the tax id of this input; `None` where the caller sees tax ids masked.
pub(crate) async fn described(
    home: &Home<'_, DynContactUnit>,
    input: ContactInput,
) -> Result<Option<ContactId>, Refused> {
    let call = home.call;
    let mut validator = Validator::new();
    let setting = Setting { company: &home.company, access: call.access, now: call.now, creating: true };
    let contact = apply(&mut validator, &blank(&home.company, call), input, &setting);
    validator.finish()?;
    match &contact.tax_id {
        Some(tax_id) if call.access.is_full() => {
            Ok(home.unit.contacts().active_with_tax_id(contact.company, tax_id, None).await?)
        }
        Some(_) | None => Ok(None),
    }
}

async fn create_with(
    home: Home<'_, DynContactUnit>,
    input: ContactInput,
    roles: BTreeSet<ContactRole>,
) -> Result<Contact, Refused<DuplicateTaxId>> {
    let call = home.call;
    let allow_duplicate = input.allow_duplicate;
    let mut validator = Validator::new();
    let setting = Setting { company: &home.company, access: call.access, now: call.now, creating: true };
    let mut contact =
        apply(&mut validator, &Contact { roles, ..blank(&home.company, call) }, input, &setting);
    check_parent(&mut validator, &home, None, &contact).await?;
    validator.finish()?;
    claim_tax_id(&home, &mut contact, allow_duplicate).await?;
    home.add(contact).await
}

/// A contact as it is before the input of its creation.
fn blank(company: &Account, call: CallContext<'_>) -> Contact {
    Contact {
        id: ContactId::generate(call.now, call.random),
        company: company.id,
        identity: Identity::Organization { legal_name: String::new() },
        trade_name: None,
        roles: BTreeSet::new(),
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
        parent: None,
        language: company.language.clone(),
        currency: company.base_currency,
        payment_term_days: DEFAULT_TERM,
        payment_method: DEFAULT_METHOD,
        default_tax_code: None,
        withholding_rate: None,
        equivalence_surcharge: false,
        receivable_account_code: None,
        payable_account_code: None,
        tags: Vec::new(),
        notes: None,
        consent: None,
        status: ContactStatus::Active,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}
