//! Creating a contact.

use std::collections::BTreeSet;

use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::event::{Event, EventType};
use svc_core::id::{AccountId, ContactId, TypedId};
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::Account;
use crate::contact::guards::{check_parent, closed, same_tax_id};
use crate::contact::rules::{DEFAULT_METHOD, DEFAULT_TERM, Setting, apply};
use crate::contact::{Contact, ContactInput, ContactStatus, Identity};
use crate::party::{Extension, TaxIdKind};
use crate::ports::BusinessUnit;

/// Why a contact is not created.
#[derive(Debug, Error)]
pub enum CreateError {
    /// The company is unknown or out of reach.
    #[error("companyId is unknown")]
    UnknownCompany,
    /// The company is deactivated or merged.
    #[error("the account is {status}")]
    CompanyNotActive {
        /// `deactivated` or `merged`.
        status: &'static str,
    },
    /// Broken rules of the input, unknown references among them.
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

/// Adds a contact to `company`. Emits contact.create.
///
/// # Errors
/// [`CreateError`]; nothing was added.
pub async fn create(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    company: AccountId,
    input: ContactInput,
) -> Result<Contact, CreateError> {
    let Some(company) = unit.accounts().find_to_add_to(call.scope, company).await? else {
        return Err(CreateError::UnknownCompany);
    };
    let allow_duplicate = input.allow_duplicate;
    let mut validator = Validator::new();
    let setting = Setting { company: &company, access: call.access, now: call.now, creating: true };
    let contact = apply(&mut validator, &blank(&company, call), input, &setting);
    check_parent(&mut validator, unit, call.scope, None, &contact).await?;
    validator.finish()?;
    if let Some(status) = closed(&company) {
        return Err(CreateError::CompanyNotActive { status });
    }
    if !allow_duplicate && let Some(existing) = same_tax_id(unit, &contact).await? {
        return Err(CreateError::DuplicateTaxId { existing });
    }
    match unit.contacts().insert(call.scope, &contact).await {
        Err(StoreError::Taken { field: "externalId" }) => return Err(CreateError::ExternalIdTaken),
        outcome => outcome?,
    }
    let kind = EventType::of("contact.create");
    let event = Event::new(kind, contact.company, contact.id, call.now, call.random);
    unit.outbox().publish(&[event]).await?;
    Ok(contact)
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
