//! Giving a group another name.

use svc_core::refused::Refused;

use crate::group::audit::renamed;
use crate::group::rules::{OpenedGroup, name, save};
use crate::group::{ChangeError, Group};

/// What the client asks to change; `None` leaves a member as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateRequest {
    /// 1 to 200 characters.
    pub name: Option<String>,
}

/// Changes a group, which the log of each of its companies tells. A change that changes nothing keeps the version.
///
/// # Errors
/// [`ChangeError::ParentOnly`], [`Refused::Invalid`], [`Refused::Store`]; nothing was changed.
pub async fn update(opened: OpenedGroup<'_>, request: UpdateRequest) -> Result<Group, Refused<ChangeError>> {
    opened.decides()?;
    let OpenedGroup { unit, call, before } = opened;
    let name = request.name.map_or_else(|| Ok(before.name.clone()), |text| name(&text))?;
    if name == before.name {
        return Ok(before);
    }
    let after = save(unit, call, &before, Group { name, ..before.clone() }).await?;
    renamed(unit, call, &before, &after).await?;
    Ok(after)
}
