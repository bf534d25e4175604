//! Changing a tax profile.

use svc_core::error::Validator;
use svc_core::refused::Refused;

use super::rules::apply;
use super::{TaxProfile, TaxProfileInput};
use crate::record::Opened;

/// Applies a merge patch. One that changes nothing keeps the version and emits nothing; any other emits
/// `tax_profile.update`.
///
/// # Errors
/// [`Refused`]; findings on the members. Nothing was changed.
pub async fn update(opened: Opened<'_, TaxProfile>, input: TaxProfileInput) -> Result<TaxProfile, Refused> {
    let mut validator = Validator::new();
    let after = apply(&mut validator, &opened.before, input);
    validator.finish()?;
    opened.save(after).await
}
