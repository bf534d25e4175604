//! Changing, archiving and bringing back a contact.

use svc_core::error::Validator;
use svc_core::id::ContactId;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::unit::CallContext;

use crate::contact::guards::{check_parent, claim_tax_id};
use crate::contact::rules::{Setting, apply};
use crate::contact::{Contact, ContactInput, DuplicateTaxId};
use crate::ports::DynContactUnit;
use crate::record::{self, Opened};

/// Opens a contact to [update] it by this input: alone where that says of what kind it is, as persons belong to
/// organizations, and documents are issued to a contact as what it is.
///
/// # Errors
/// As of [`record::open`].
pub async fn open<'u>(
    unit: &'u DynContactUnit,
    call: CallContext<'u>,
    id: ContactId,
    expected: &Expected,
    input: &ContactInput,
) -> Result<Opened<'u, Contact>, Refused> {
    if input.kind.is_absent() {
        record::open(unit, call, id, expected).await
    } else {
        record::alone(unit, call, id, &[], expected).await
    }
}

/// Applies a merge patch to a contact that was [opened](open) for it. One that changes nothing keeps the version and
/// emits nothing; any other emits contact.update. So does one that writes what the caller sees masked, whether or not it
/// was so already.
///
/// # Errors
/// [`Refused`] with [`DuplicateTaxId`]; nothing was changed.
pub async fn update(
    opened: Opened<'_, Contact>,
    input: ContactInput,
) -> Result<Contact, Refused<DuplicateTaxId>> {
    let (home, before) = (&opened.home, &opened.before);
    let (allow_duplicate, unseen) = (input.allow_duplicate, input.writes_unseen(opened.home.call.access));
    let mut validator = Validator::new();
    let setting =
        Setting { company: &home.company, access: home.call.access, now: home.call.now, creating: false };
    let mut after = apply(&mut validator, before, input, &setting);
    check_parent(&mut validator, home, Some(before), &after).await?;
    if after.kind() != before.kind() && home.unit.contacts().has_issued(before).await? {
        let message = "documents were issued to it as what it is: make another contact";
        validator.fail("kind", "not_allowed", message);
    }
    validator.finish()?;
    if after.tax_id != before.tax_id || after.status != before.status {
        claim_tax_id(home, &mut after, allow_duplicate).await?;
    }
    if unseen { opened.save_unseen(after).await } else { opened.save(after).await }
}
