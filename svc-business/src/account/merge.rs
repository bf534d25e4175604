//! Merging one company into another.

use std::collections::BTreeSet;

use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::resource::Lock;
use svc_core::tenant::ClosedCompany;
use thiserror::Error;

use crate::account::tree::{group_of, leave_by_merge};
use crate::account::{Account, AccountStatus};
use crate::catalogue::event;
use crate::party::{Extension, Prefer, check_united, pick, prefer, preferred, unite_extension};
use crate::ports::DynAccountUnit;
use crate::record::{Opened, replace};

/// What to merge, and whose value wins where both have one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeRequest {
    /// Wire names of members with the side to prefer; the survivor's when not named.
    pub prefer: Vec<(String, Prefer)>,
}

/// Why companies are not merged.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum MergeError {
    /// The one to absorb is unknown or out of reach.
    #[error("mergedId is unknown")]
    UnknownMerged,
    /// Both ids are the same.
    #[error("an account cannot be merged with itself")]
    Same,
    /// One of them is deactivated or merged.
    #[error("{id} is {}", .closed.name())]
    NotActive {
        /// Which one.
        id: AccountId,
        /// Why it is read-only.
        closed: ClosedCompany,
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
    /// The one to absorb has written in its books.
    #[error(
        "the account to absorb has journal entries, sales or supplier documents, fixed assets, or submitted tax returns"
    )]
    HasBooks,
    /// Something was posted in the survivor's books, in another currency than the one that is preferred.
    #[error("baseCurrency stays as it is once something is posted, issued or approved in it")]
    CurrencyFrozen,
    /// The one to absorb is at the top of a group that has other companies: it decides about them.
    #[error(
        "the account to absorb is the parent of its group: the other accounts leave the group first, or it is \
         dissolved"
    )]
    ParentStays,
    /// A record of one clashes with a record of the other by this member.
    #[error("records of both accounts share the same {field}")]
    RecordsClash {
        /// Wire name of the member.
        field: &'static str,
    },
}

/// Merges `absorbed` into the company that was opened [`alone`](super::alone): its records move, memberships do
/// not. Emits account.merge only.
///
/// # Errors
/// [`Refused`] with [`MergeError`]; nothing was changed.
pub async fn merge(
    opened: Opened<'_, Account>,
    absorbed: AccountId,
    request: MergeRequest,
    callers_primary: AccountId,
) -> Result<Account, Refused<MergeError>> {
    let (unit, call, kept) = (opened.home.unit, opened.home.call, &opened.before);
    if kept.id == absorbed {
        return Err(Refused::Own(MergeError::Same));
    }
    let other = unit.accounts().find_locked(call.scope, absorbed, Lock::Exclusive, &[]).await?;
    let other = other.ok_or(Refused::Own(MergeError::UnknownMerged))?;
    let preferred = preferred(&request.prefer, MEMBERS)?;
    check(unit, kept, &other, callers_primary, call.access, &preferred).await?;
    let group = group_of(unit, &other).await?;
    // The company that came next would decide about companies of others.
    if group.as_ref().is_some_and(|group| group.parent == absorbed && group.members.len() > 1) {
        return Err(Refused::Own(MergeError::ParentStays));
    }

    let after = united(kept.clone(), other.clone(), &preferred);
    check_united(0, &after.extension)?;
    match unit.accounts().move_records(absorbed, kept.id, call.now).await {
        Err(StoreError::Taken { field }) => return Err(Refused::Own(MergeError::RecordsClash { field })),
        outcome => outcome?,
    }
    let tombstone = Account {
        status: AccountStatus::Merged { into: kept.id, at: call.now },
        group: None,
        parent: None,
        extension: Extension { external_id: None, ..other.extension.clone() },
        ..other.clone()
    };
    replace(unit, call, &other, tombstone).await?;
    if let Some(group) = group {
        leave_by_merge(unit, call, group, absorbed, kept.id).await?;
    }
    let after = opened.replace(after).await?;
    let merged = ("merged_id", absorbed.to_string().into());
    opened.home.publish(const { event("account.merge") }, &after, Some(merged)).await?;
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
    unit: &DynAccountUnit,
    kept: &Account,
    other: &Account,
    callers_primary: AccountId,
    access: PiiAccess,
    preferred: &BTreeSet<&str>,
) -> Result<(), Refused<MergeError>> {
    let subsidiary = async || unit.accounts().active_subsidiaries(other.id).await;
    let closed = [kept, other].into_iter().find_map(|one| Some((one.id, one.status.closed()?)));
    // To callers who see them masked, two tax ids always differ: they could try one after the other.
    let both = kept.tax_id.is_some() && other.tax_id.is_some();
    let currency_changes = preferred.contains("baseCurrency") && kept.base_currency != other.base_currency;
    let differ = both && !(access.is_full() && kept.tax_id == other.tax_id);
    Err(Refused::Own(match closed {
        Some((id, closed)) => MergeError::NotActive { id, closed },
        None if kept.country != other.country => MergeError::CountryConflict,
        None if differ => MergeError::TaxIdConflict,
        None if other.id == callers_primary => MergeError::Primary,
        None if subsidiary().await? > 0 => MergeError::ActiveSubsidiary,
        None if unit.accounts().has_entries(other.id).await? => MergeError::HasBooks,
        None if currency_changes && unit.accounts().uses_base_currency(kept.id).await? => {
            MergeError::CurrencyFrozen
        }
        None => return Ok(()),
    }))
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
