//! Giving a group another name.

use svc_core::id::GroupId;
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use crate::group::audit::renamed;
use crate::group::rules::{decides, load, name};
use crate::group::{ChangeError, Group};
use crate::ports::BusinessUnit;

/// What the client asks to change; `None` leaves a member as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateRequest {
    /// 1 to 200 characters.
    pub name: Option<String>,
}

/// Changes a group, which the log of each of its companies tells. A change that changes nothing keeps the version.
///
/// # Errors
/// [`ChangeError::NotFound`], [`ChangeError::VersionConflict`], [`ChangeError::ParentOnly`],
/// [`ChangeError::Invalid`], [`ChangeError::Store`]; nothing was changed.
pub async fn update(
    unit: &dyn BusinessUnit,
    call: CallContext<'_>,
    id: GroupId,
    expected: Option<Version>,
    request: UpdateRequest,
) -> Result<Group, ChangeError> {
    let before = load(unit, call, id, expected).await?;
    decides(call, &before)?;
    let name = request.name.map_or_else(|| Ok(before.name.clone()), |text| name(&text))?;
    if name == before.name {
        return Ok(before);
    }
    let after = Group { name, version: before.version.next(), updated_at: call.now, ..before.clone() };
    unit.groups().replace(before.version, &after).await?;
    renamed(unit, call, &before, &after).await?;
    Ok(after)
}
