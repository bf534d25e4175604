//! What merges of companies and of contacts have in common.

use std::collections::BTreeSet;

use svc_core::error::{ValidationErrors, Validator};

use crate::party::{Extension, MOST_METADATA, MOST_TAGS};

/// Whose value wins where both have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The survivor's: the default.
    Survivor,
    /// The absorbed one's.
    Merged,
}

svc_core::wire_names!(Prefer { Survivor = "survivor", Merged = "merged" });

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

/// The union of both, the survivor's values winning unless the others are preferred.
pub(crate) fn unite_extension(kept: &mut Extension, other: Extension, preferred: &BTreeSet<&str>) {
    pick(&mut kept.external_id, other.external_id, preferred.contains("externalId"));
    for (key, value) in other.metadata {
        if preferred.contains("metadata") || !kept.metadata.contains_key(&key) {
            kept.metadata.insert(key, value);
        }
    }
}

/// Refuses a merge whose result would have more than a record may have: what a merge adds up, a change could not take
/// back piece by piece.
///
/// # Errors
/// Each list that would be too long, at `mergedId`.
pub(crate) fn check_united(tags: usize, extension: &Extension) -> Result<(), ValidationErrors> {
    let mut validator = Validator::new();
    for (count, most, what) in
        [(tags, MOST_TAGS, "tags"), (extension.metadata.len(), MOST_METADATA, "keys of metadata")]
    {
        let message = format!(
            "both together have {count} {what}, and one record has at most {most}: remove some first"
        );
        validator.require(count <= most, "mergedId", "too_many", message);
    }
    validator.finish()
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
