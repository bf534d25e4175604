//! Changing a tax profile.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::refused::Refused;

use super::rules::apply;
use super::{TaxProfile, TaxProfileInput};
use crate::record::Opened;

/// Applies a merge patch. One that changes nothing keeps the version and emits nothing; any other emits
/// `tax_profile.update`, and so does one that writes what is masked to the caller, whether or not it was so already.
///
/// # Errors
/// [`Refused`]; findings on the members. Nothing was changed.
pub async fn update(opened: Opened<'_, TaxProfile>, input: TaxProfileInput) -> Result<TaxProfile, Refused> {
    let unseen = !opened.home.call.access.is_full() && writes_personal(&input);
    let mut validator = Validator::new();
    let after = apply(&mut validator, &opened.before, input);
    validator.finish()?;
    if unseen { opened.save_unseen(after).await } else { opened.save(after).await }
}

/// Whether a patch writes what a masked caller does not see.
fn writes_personal(input: &TaxProfileInput) -> bool {
    !input.refund_iban.is_absent() || matches!(input.representative, Patch::Value(_))
}
