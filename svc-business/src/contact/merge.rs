//! Merging two contacts that are the same.

use std::collections::BTreeSet;

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::id::ContactId;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use thiserror::Error;

use crate::catalogue::event;
use crate::contact::guards::has_children;
use crate::contact::{Contact, ContactStatus, Identity, Kind};
use crate::party::{Extension, Prefer, check_united, pick, prefer, preferred, unite_extension};
use crate::record::{JOURNAL, Opened, replace};

/// How to merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeRequest {
    /// Wire names of members with the side to prefer.
    pub prefer: Vec<(String, Prefer)>,
    /// Merge although both have a tax id and not the same: the survivor's is kept.
    pub force: bool,
}

/// Why contacts are not merged.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum MergeError {
    /// The one to absorb is unknown, out of reach or in another company.
    #[error("mergedId is unknown")]
    UnknownMerged,
    /// Both ids are the same.
    #[error("a contact cannot be merged with itself")]
    Same,
    /// One of them is archived, or the one to absorb is a tombstone.
    #[error("{id} is {}", .status.name())]
    NotActive {
        /// Which one.
        id: ContactId,
        /// Where it is in its life.
        status: ContactStatus,
    },
    /// Both have a tax id, and not the same; or the caller sees tax ids masked.
    #[error("the contacts have different tax ids")]
    TaxIdConflict,
}

/// Merges `absorbed` into the contact that was opened with it [alone](crate::record::alone), which takes what it lacks
/// and every reference. Emits contact.merge only; the absorbed one stays as a tombstone.
///
/// # Errors
/// [`Refused`] with [`MergeError`]; nothing was changed.
pub async fn merge(
    opened: Opened<'_, Contact>,
    absorbed: ContactId,
    request: MergeRequest,
) -> Result<Contact, Refused<MergeError>> {
    let (unit, call, kept) = (opened.home.unit, opened.home.call, &opened.before);
    if kept.id == absorbed {
        return Err(Refused::Own(MergeError::Same));
    }
    let other = unit.contacts().find(call.scope, absorbed).await?;
    let other = other.filter(|other| other.company == kept.company);
    let other = other.ok_or(Refused::Own(MergeError::UnknownMerged))?;
    let preferred = preferred(&request.prefer, MEMBERS)?;
    check(&opened, &other, request.force).await?;

    let after = united(kept.clone(), other.clone(), &preferred, call.access);
    check_united(after.tags.len(), &after.extension)?;
    if let Some(parent) = after.parent.filter(|parent| kept.parent != Some(*parent)) {
        // It may have been absorbed itself meanwhile, with the one that is absorbed here pointed elsewhere.
        let found = opened.home.referred::<Contact>(unit.contacts(), &[parent]).await?;
        found.first().ok_or(StoreError::Conflict)?;
    }

    // A year that is closed writes balances of contacts, and names them by no lock.
    unit.accounts().find_locked(call.scope, kept.company, Lock::Shared, &[JOURNAL]).await?;
    // The tombstone first: it sets free what the survivor may take.
    let tombstone = replace(unit, call, &other, tombstone(other.clone(), kept.id)).await?;
    let after = opened.replace(after).await?;
    unit.contacts().repoint(&tombstone, &after, call.now).await?;
    let merged = ("merged_id", absorbed.to_string().into());
    opened.home.publish(const { event("contact.merge") }, &after, Some(merged)).await?;
    Ok(after)
}

/// Wire names of the members for which a side may be preferred.
const MEMBERS: &[&str] = &[
    "givenName",
    "familyName",
    "legalName",
    "tradeName",
    "taxId",
    "email",
    "phone",
    "mobile",
    "dateOfBirth",
    "address",
    "shippingAddress",
    "iban",
    "parentContactId",
    "language",
    "currency",
    "paymentTermDays",
    "paymentMethod",
    "defaultTaxCode",
    "withholdingRate",
    "equivalenceSurcharge",
    "notes",
    "consent",
    "externalId",
    "metadata",
];

async fn check(
    opened: &Opened<'_, Contact>,
    other: &Contact,
    force: bool,
) -> Result<(), Refused<MergeError>> {
    let kept = &opened.before;
    for contact in [kept, other] {
        match contact.status {
            ContactStatus::Active => {}
            status @ (ContactStatus::Archived | ContactStatus::Merged { .. }) => {
                return Err(Refused::Own(MergeError::NotActive { id: contact.id, status }));
            }
        }
    }
    // To callers who see them masked, two tax ids always differ: they could try one after the other.
    let seen = opened.home.call.access.is_full();
    let both = kept.tax_id.is_some() && other.tax_id.is_some();
    if both && !force && !(seen && kept.tax_id == other.tax_id) {
        return Err(Refused::Own(MergeError::TaxIdConflict));
    }
    if kept.kind() == Kind::Person && has_children(&opened.home, other).await? {
        let message = "persons belong to this organization: it cannot be merged into a person";
        return Err(ValidationErrors::one("mergedId", "kind_mismatch", message).into());
    }
    Ok(())
}

/// The survivor with what it lacks, and with what is preferred, from the absorbed contact.
fn united(kept: Contact, other: Contact, preferred: &BTreeSet<&str>, access: PiiAccess) -> Contact {
    let merged = |name: &str| preferred.contains(name);
    let mut after = kept;
    unite_identity(&mut after.identity, &other.identity, preferred);
    // Two tax ids that differ meet only when the merge is forced, and then the survivor's stays.
    if after.tax_id.is_none() && other.tax_id.is_some() {
        after.tax_id = other.tax_id;
        after.tax_id_kind = other.tax_id_kind;
        after.shares_tax_id = other.shares_tax_id;
    }
    // A bank belongs to its account: the two move together. Whether two accounts are one is not compared for a
    // caller who sees them masked: the bank would tell.
    if after.iban == other.iban && (access.is_full() || after.iban.is_none()) {
        pick(&mut after.bic, other.bic, false);
    } else if other.iban.is_some() && (after.iban.is_none() || merged("iban")) {
        after.iban = other.iban;
        after.bic = other.bic;
    }
    pick(&mut after.trade_name, other.trade_name, merged("tradeName"));
    pick(&mut after.email, other.email, merged("email"));
    pick(&mut after.phone, other.phone, merged("phone"));
    pick(&mut after.mobile, other.mobile, merged("mobile"));
    pick(&mut after.address, other.address, merged("address"));
    pick(&mut after.shipping_address, other.shipping_address, merged("shippingAddress"));
    pick(&mut after.default_tax_code, other.default_tax_code, merged("defaultTaxCode"));
    pick(&mut after.withholding_rate, other.withholding_rate, merged("withholdingRate"));
    pick(&mut after.receivable_account_code, other.receivable_account_code, false);
    pick(&mut after.payable_account_code, other.payable_account_code, false);
    pick(&mut after.notes, other.notes, merged("notes"));
    pick(&mut after.consent, other.consent, merged("consent"));
    if after.kind() == Kind::Person {
        pick(&mut after.parent, other.parent, merged("parentContactId"));
    }
    prefer(&mut after.language, other.language, merged("language"));
    prefer(&mut after.currency, other.currency, merged("currency"));
    prefer(&mut after.payment_term_days, other.payment_term_days, merged("paymentTermDays"));
    prefer(&mut after.payment_method, other.payment_method, merged("paymentMethod"));
    prefer(&mut after.equivalence_surcharge, other.equivalence_surcharge, merged("equivalenceSurcharge"));
    after.roles.extend(other.roles);
    for tag in other.tags {
        if !after.tags.contains(&tag) {
            after.tags.push(tag);
        }
    }
    unite_extension(&mut after.extension, other.extension, preferred);
    after
}

fn unite_identity(kept: &mut Identity, other: &Identity, preferred: &BTreeSet<&str>) {
    let name = |member: &str, kept: &mut String, other: &String| {
        if !other.is_empty() && (kept.is_empty() || preferred.contains(member)) {
            kept.clone_from(other);
        }
    };
    match (kept, other) {
        (
            Identity::Person { given_name, family_name, date_of_birth },
            Identity::Person {
                given_name: other_given,
                family_name: other_family,
                date_of_birth: other_birth,
            },
        ) => {
            name("givenName", given_name, other_given);
            name("familyName", family_name, other_family);
            pick(date_of_birth, other_birth.clone(), preferred.contains("dateOfBirth"));
        }
        (Identity::Organization { legal_name }, Identity::Organization { legal_name: other }) => {
            name("legalName", legal_name, other);
        }
        (Identity::Person { .. }, Identity::Organization { .. })
        | (Identity::Organization { .. }, Identity::Person { .. }) => {}
    }
}

/// What stays of the absorbed contact: readable, but no longer in the way of others.
fn tombstone(other: Contact, survivor: ContactId) -> Contact {
    Contact {
        status: ContactStatus::Merged { into: survivor },
        parent: None,
        extension: Extension { external_id: None, ..other.extension },
        ..other
    }
}
