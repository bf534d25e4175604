//! Merging one company into another.

use std::collections::BTreeSet;

use svc_core::error::{StoreError, ValidationErrors};
use svc_core::event::{Event, EventType, Extra};
use svc_core::id::AccountId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::account::rules::{closed, save};
use crate::account::tree::{group_of, leave_by_merge};
use crate::account::{Account, AccountStatus};
use crate::contact::{Prefer, pick, prefer, preferred, unite_extension};
use crate::party::Extension;
use crate::ports::BusinessUnit;

/// What to merge, and whose value wins where both have one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeRequest {
    /// Wire names of members with the side to prefer; the survivor's when not named.
    pub prefer: Vec<(String, Prefer)>,
}

/// Why companies are not merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// The survivor is unknown or out of reach.
    #[error("no such account")]
    NotFound,
    /// The one to absorb is unknown or out of reach.
    #[error("mergedId is unknown")]
    UnknownMerged,
    /// The survivor is not at the version that the client expects.
    #[error("the account is at version {current}")]
    VersionConflict {
        /// The present version.
        current: Version,
    },
    /// Both ids are the same.
    #[error("an account cannot be merged with itself")]
    Same,
    /// One of them is deactivated or merged.
    #[error("{id} is {status}")]
    NotActive {
        /// Which one.
        id: AccountId,
        /// `deactivated` or `merged`.
        status: &'static str,
    },
    /// They are in different countries.
    #[error("accounts of different countries cannot be merged")]
    CountryConflict,
    /// Both have a tax id, and not the same.
    #[error("the accounts have different tax ids")]
    TaxIdConflict,
    /// The one to absorb is the caller's primary account.
    #[error("the primary account of the caller cannot be absorbed")]
    Primary,
    /// The one to absorb has an active subsidiary.
    #[error("the account to absorb has an active subsidiary")]
    ActiveSubsidiary,
    /// The one to absorb is at the top of a group that has other companies: it decides about them.
    #[error(
        "the account to absorb is the parent of its group: the other accounts leave the group first, or it is \
         dissolved"
    )]
    ParentStays,
    /// A contact of one clashes with a contact of the other by this member.
    #[error("contacts of both accounts share the same {field}")]
    ContactsClash {
        /// Wire name of the member.
        field: &'static str,
    },
    /// `prefer` names an unknown member.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Merges `absorbed` into `survivor`: its contacts move, memberships do not. Emits account.merge only.
///
/// # Errors
/// [`MergeError`]; nothing was changed.
pub async fn merge(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    survivor: AccountId,
    expected: Option<Version>,
    absorbed: AccountId,
    request: MergeRequest,
    callers_primary: AccountId,
) -> Result<Account, MergeError> {
    let Some(kept) = unit.accounts().find(call.scope, survivor).await? else {
        return Err(MergeError::NotFound);
    };
    if expected.is_some_and(|expected| expected != kept.version) {
        return Err(MergeError::VersionConflict { current: kept.version });
    }
    if survivor == absorbed {
        return Err(MergeError::Same);
    }
    let other = unit.accounts().find(call.scope, absorbed).await?;
    let other = other.ok_or(MergeError::UnknownMerged)?;
    let preferred = preferred(&request.prefer, MEMBERS)?;
    check(unit, &kept, &other, callers_primary).await?;
    let group = group_of(unit, &other).await?;
    // Whoever came next would decide about companies of others.
    if group.as_ref().is_some_and(|group| group.parent == absorbed && group.members.len() > 1) {
        return Err(MergeError::ParentStays);
    }

    match unit.contacts().move_all(absorbed, survivor).await {
        Err(StoreError::Taken { field }) => return Err(MergeError::ContactsClash { field }),
        outcome => outcome?,
    };
    let tombstone = Account {
        status: AccountStatus::Merged { into: survivor, at: call.now },
        group: None,
        parent: None,
        extension: Extension { external_id: None, ..other.extension.clone() },
        ..other.clone()
    };
    save(unit, call.scope, call, &other, tombstone, None).await?;
    if let Some(group) = group {
        leave_by_merge(unit, call, group, absorbed, survivor).await?;
    }
    let after = united(kept.clone(), other, &preferred);
    let after = save(unit, call.scope, call, &kept, after, None).await?;
    let event = Event::new(EventType::of("account.merge"), survivor, survivor, call.now, call.random)
        .with(Extra::MergedId(absorbed.to_string()));
    unit.outbox().publish(&[event]).await?;
    Ok(after)
}

/// Wire names of the members for which a side may be preferred.
const MEMBERS: &[&str] = &[
    "legalName",
    "tradeName",
    "taxId",
    "language",
    "timezone",
    "legalForm",
    "address",
    "phone",
    "email",
    "website",
    "baseCurrency",
    "externalId",
    "metadata",
];

async fn check(
    unit: &dyn BusinessUnit,
    kept: &Account,
    other: &Account,
    callers_primary: AccountId,
) -> Result<(), MergeError> {
    for account in [kept, other] {
        if let Some(status) = closed(account) {
            return Err(MergeError::NotActive { id: account.id, status });
        }
    }
    if kept.country != other.country {
        return Err(MergeError::CountryConflict);
    }
    if kept.tax_id.is_some() && other.tax_id.is_some() && kept.tax_id != other.tax_id {
        return Err(MergeError::TaxIdConflict);
    }
    if other.id == callers_primary {
        return Err(MergeError::Primary);
    }
    if unit.accounts().active_subsidiaries(other.id).await? > 0 {
        return Err(MergeError::ActiveSubsidiary);
    }
    Ok(())
}

/// The survivor with what it lacks, and with what is preferred, from the absorbed company.
fn united(kept: Account, other: Account, preferred: &BTreeSet<&str>) -> Account {
    let merged = |name: &str| preferred.contains(name);
    let mut after = kept;
    prefer(&mut after.legal_name, other.legal_name, merged("legalName"));
    prefer(&mut after.language, other.language, merged("language"));
    prefer(&mut after.timezone, other.timezone, merged("timezone"));
    prefer(&mut after.legal_form, other.legal_form, merged("legalForm"));
    prefer(&mut after.base_currency, other.base_currency, merged("baseCurrency"));
    pick(&mut after.trade_name, other.trade_name, merged("tradeName"));
    pick(&mut after.tax_id, other.tax_id, merged("taxId"));
    pick(&mut after.address, other.address, merged("address"));
    pick(&mut after.phone, other.phone, merged("phone"));
    pick(&mut after.email, other.email, merged("email"));
    pick(&mut after.website, other.website, merged("website"));
    unite_extension(&mut after.extension, other.extension, preferred);
    after
}
