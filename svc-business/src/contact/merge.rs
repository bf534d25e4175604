//! Merging two contacts that are the same.

use std::collections::BTreeSet;

use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::event::{Event, EventType, Extra};
use svc_core::id::ContactId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::contact::guards::{closed, company_of, has_children};
use crate::contact::{Contact, ContactStatus, Identity, Kind};
use crate::party::Extension;
use crate::ports::BusinessUnit;

/// Whose value wins where both have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The survivor's: the default.
    Survivor,
    /// The absorbed one's.
    Merged,
}

svc_core::wire_names!(Prefer { Survivor = "survivor", Merged = "merged" });

/// How to merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeRequest {
    /// Wire names of members with the side to prefer.
    pub prefer: Vec<(String, Prefer)>,
    /// Merge although both have a tax id and not the same: the survivor's is kept.
    pub force: bool,
}

/// Why contacts are not merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// The survivor is unknown or out of reach.
    #[error("no such contact")]
    NotFound,
    /// The one to absorb is unknown, out of reach or in another company.
    #[error("mergedId is unknown")]
    UnknownMerged,
    /// The survivor is not at the version that the client expects.
    #[error("the contact is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// Both ids are the same.
    #[error("a contact cannot be merged with itself")]
    Same,
    /// One of them is archived or merged.
    #[error("{id} is {status}")]
    NotActive {
        /// Which one.
        id: ContactId,
        /// `archived` or `merged`.
        status: &'static str,
    },
    /// Both have a tax id, and not the same.
    #[error("the contacts have different tax ids")]
    TaxIdConflict,
    /// The company is deactivated or merged.
    #[error("the account is {status}")]
    CompanyNotActive {
        /// `deactivated` or `merged`.
        status: &'static str,
    },
    /// `prefer` names an unknown member.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Merges `absorbed` into `survivor`, which takes what it lacks and every
/// reference. Emits contact.merge only; the absorbed one stays as a tombstone.
///
/// # Errors
/// [`MergeError`]; nothing was changed.
pub async fn merge(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    survivor: ContactId,
    expected: Option<Version>,
    absorbed: ContactId,
    request: MergeRequest,
) -> Result<Contact, MergeError> {
    let contacts = unit.contacts();
    let Some(kept) = contacts.find(call.scope, survivor).await? else {
        return Err(MergeError::NotFound);
    };
    if expected.is_some_and(|expected| expected != kept.version) {
        return Err(MergeError::VersionConflict { current: kept.version });
    }
    if survivor == absorbed {
        return Err(MergeError::Same);
    }
    let other = contacts.find(call.scope, absorbed).await?;
    let Some(other) = other.filter(|other| other.company == kept.company) else {
        return Err(MergeError::UnknownMerged);
    };
    let preferred = preferred(&request.prefer, MEMBERS)?;
    check(unit, call, &kept, &other, request.force).await?;

    let mut after = united(kept.clone(), other.clone(), &preferred);
    after.version = kept.version.next();
    after.updated_at = call.now;
    // The tombstone first: it sets free the externalId that the survivor may take.
    contacts.replace(call.scope, other.version, &tombstone(other.clone(), survivor, call)).await?;
    contacts.replace(call.scope, kept.version, &after).await?;
    contacts.repoint(after.company, absorbed, survivor, call.now).await?;
    let event = Event::new(EventType::of("contact.merge"), after.company, survivor, call.now, call.random)
        .with(Extra::MergedId(absorbed.to_string()));
    unit.outbox().publish(&[event]).await?;
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

/// The members for which the absorbed side is preferred.
///
/// # Errors
/// Every name that is not one of `members`.
pub(crate) fn preferred<'a>(
    prefer: &'a [(String, Prefer)],
    members: &[&str],
) -> Result<BTreeSet<&'a str>, ValidationErrors> {
    let mut validator = Validator::new();
    for (name, _) in prefer {
        let known = members.contains(&name.as_str());
        validator.require(
            known,
            &format!("prefer.{name}"),
            "unknown_field",
            "no member that a merge decides on",
        );
    }
    validator.finish()?;
    // A name that is there twice goes by its last mention, as in any JSON object.
    let mut absorbed = BTreeSet::new();
    for (name, side) in prefer {
        match side {
            Prefer::Survivor => absorbed.remove(name.as_str()),
            Prefer::Merged => absorbed.insert(name.as_str()),
        };
    }
    Ok(absorbed)
}

async fn check(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    kept: &Contact,
    other: &Contact,
    force: bool,
) -> Result<(), MergeError> {
    for contact in [kept, other] {
        match contact.status {
            ContactStatus::Active => {}
            ContactStatus::Archived | ContactStatus::Merged { .. } => {
                return Err(MergeError::NotActive { id: contact.id, status: contact.status.name() });
            }
        }
    }
    if let Some(status) = closed(&company_of(unit, call, kept).await?) {
        return Err(MergeError::CompanyNotActive { status });
    }
    let differ = kept.tax_id.is_some() && other.tax_id.is_some() && kept.tax_id != other.tax_id;
    if differ && !force {
        return Err(MergeError::TaxIdConflict);
    }
    if kept.kind() == Kind::Person && has_children(unit, call.scope, other).await? {
        return Err(ValidationErrors::one(
            "mergedId",
            "kind_mismatch",
            "persons belong to this organization: it cannot be merged into a person",
        )
        .into());
    }
    Ok(())
}

/// The survivor with what it lacks, and with what is preferred, from the absorbed contact.
fn united(kept: Contact, other: Contact, preferred: &BTreeSet<&str>) -> Contact {
    let merged = |name: &str| preferred.contains(name);
    let mut after = kept;
    unite_identity(&mut after.identity, &other.identity, preferred);
    // Two tax ids that differ meet only when the merge is forced, and then the survivor's stays.
    if after.tax_id.is_none() && other.tax_id.is_some() {
        after.tax_id = other.tax_id;
        after.tax_id_kind = other.tax_id_kind;
    }
    // A bank belongs to its account: the two move together.
    if after.iban == other.iban {
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

/// The union of both, the survivor's values winning unless the others are preferred.
pub(crate) fn unite_extension(kept: &mut Extension, other: Extension, preferred: &BTreeSet<&str>) {
    pick(&mut kept.external_id, other.external_id, preferred.contains("externalId"));
    for (key, value) in other.metadata {
        if preferred.contains("metadata") || !kept.metadata.contains_key(&key) {
            kept.metadata.insert(key, value);
        }
    }
}

/// Fills an empty member; replaces a full one when the other side is preferred.
pub(crate) fn pick<T>(kept: &mut Option<T>, other: Option<T>, preferred: bool) {
    if other.is_some() && (preferred || kept.is_none()) {
        *kept = other;
    }
}

/// Replaces a member that is never empty when the other side is preferred.
pub(crate) fn prefer<T>(kept: &mut T, other: T, preferred: bool) {
    if preferred {
        *kept = other;
    }
}

/// What stays of the absorbed contact: readable, but no longer in the way of others.
fn tombstone(other: Contact, survivor: ContactId, call: CallContext<'_>) -> Contact {
    Contact {
        status: ContactStatus::Merged { into: survivor },
        parent: None,
        extension: Extension { external_id: None, ..other.extension },
        version: other.version.next(),
        updated_at: call.now,
        ..other
    }
}
