//! Letting a guest into a data room, for longer, and no more.

use serde::Serialize;
use svc_core::audit::{Action, Entry};
use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::id::{DataRoomGrantId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::{Lock, Version};
use thiserror::Error;
use uuid::Uuid;

use super::letter::{self, GuestMailKind};
use super::{DataRoomGrant, GrantState, LONGEST_GRANT, MOST_OPEN_GRANTS, Section, Sections};
use crate::link::code::Codes;
use crate::link::key::{Access, CeremonyKey};
use crate::party::{Email, LanguageTag};
use crate::ports::DynDocumentUnit;
use crate::record::{Home, Opened};

/// What a person writes of a grant.
#[derive(Clone, Debug)]
pub struct GrantInput {
    /// The address of the guest.
    pub email: String,
    /// The sections, as texts.
    pub sections: Vec<String>,
    /// From when on the guest is let in no more; `None` for a text that names no instant.
    pub expires_at: Option<Timestamp>,
    /// Whether the guest is given files that contain personal data as well.
    pub personal_data: bool,
    /// The language of mails and pages.
    pub language: LanguageTag,
}

/// Why a grant is not made or changed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum GrantRefused {
    /// Too many guests are let in.
    #[error("the data room lets {MOST_OPEN_GRANTS} guests in: end a grant first")]
    TooMany,
    /// It was ended.
    #[error("the grant was ended: make another one")]
    Revoked,
    /// Too many mails wait.
    #[error("too many mails to guests wait: try again later")]
    TooManyMails,
}

/// A grant as the log shows it: without the address, so that no personal data stays there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logged<'a> {
    sections: Vec<&'a str>,
    expires_at: Timestamp,
    personal_data: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<Timestamp>,
}

/// Lets a guest in, and puts the mail with the link beside the commit.
///
/// # Errors
/// [`Refused`] with [`GrantRefused`]; findings on `email`, `sections`, `expiresAt` and `personalData`. Nothing was changed.
pub async fn grant(
    home: &Home<'_, DynDocumentUnit>,
    input: GrantInput,
    key: &CeremonyKey,
) -> Result<DataRoomGrant, Refused<GrantRefused>> {
    let call = home.call;
    let mut validator = Validator::new();
    let email = validator.take("email", "invalid_email", input.email.trim().parse::<Email>());
    let sections = sections(&mut validator, &input.sections);
    let expires_at = end(&mut validator, input.expires_at, call.now);
    // A guest sees no more than the person who lets them in.
    let message = "only a person who sees personal data gives files that contain it";
    validator.require(!input.personal_data || call.access.is_full(), "personalData", "not_allowed", message);
    validator.finish()?;
    let (Some(email), Some(sections), Some(expires_at)) = (email, sections, expires_at) else {
        return Err(ValidationErrors::one("email", "required", "must be present").into());
    };
    room_for_one(home).await?;
    let id = DataRoomGrantId::generate(call.now, call.random);
    let grant = DataRoomGrant {
        id,
        company: home.company.id,
        email,
        language: input.language,
        sections,
        personal_data: input.personal_data,
        expires_at,
        revoked_at: None,
        added_by: call.actor.user(),
        access: Access::draw(key, id, call.random),
        codes: Codes::default(),
        last_visit_at: None,
        views: 0,
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    let grant = home.add(grant).await?;
    letter::put(home, &grant, GuestMailKind::Invitation).await?;
    log(home, Action::DataRoomGrant, None, &grant).await?;
    Ok(grant)
}

/// Lets a guest in until another instant, and sends the link again. One whose time had passed is let in again.
///
/// # Errors
/// [`Refused`] with [`GrantRefused`]; findings on `expiresAt`. Nothing was changed.
pub async fn extend(
    opened: Opened<'_, DataRoomGrant>,
    expires_at: Option<Timestamp>,
) -> Result<DataRoomGrant, Refused<GrantRefused>> {
    let (home, before) = (&opened.home, &opened.before);
    let mut validator = Validator::new();
    let expires_at = end(&mut validator, expires_at, home.call.now);
    validator.finish()?;
    match before.state(home.call.now) {
        GrantState::Revoked => return Err(Refused::Own(GrantRefused::Revoked)),
        GrantState::Expired => room_for_one(home).await?,
        GrantState::Live => {}
    }
    let expires_at = expires_at.unwrap_or(before.expires_at);
    let after = opened.save(DataRoomGrant { expires_at, ..before.clone() }).await?;
    letter::put(home, &after, GuestMailKind::Extension).await?;
    log(home, Action::DataRoomExtend, Some(before), &after).await?;
    Ok(after)
}

/// Shuts a guest out, at once. One that is shut out already stays so.
///
/// # Errors
/// [`Refused`]; nothing was changed.
pub async fn revoke(opened: Opened<'_, DataRoomGrant>) -> Result<DataRoomGrant, Refused> {
    let (home, before) = (&opened.home, &opened.before);
    if before.revoked_at.is_some() {
        return Ok(before.clone());
    }
    let after = DataRoomGrant { revoked_at: Some(home.call.now), ..before.clone() };
    let after = opened.save(after).await?;
    log(home, Action::DataRoomRevoke, Some(before), &after).await?;
    Ok(after)
}

/// The sections that a person named.
fn sections(validator: &mut Validator, texts: &[String]) -> Option<Sections> {
    let mut named = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let field = format!("sections[{at}]");
        named.extend(validator.take(&field, "invalid_section", text.parse::<Section>()));
    }
    if named.len() < texts.len() {
        return None;
    }
    validator.take("sections", "required", Sections::of(named))
}

/// The end of a grant, within the bounds.
fn end(validator: &mut Validator, at: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    let Some(at) = at else {
        validator.fail("expiresAt", "required", "must be a day, such as 2026-01-31");
        return None;
    };
    let within = at > now && at <= now.plus(LONGEST_GRANT);
    let message = "must be later than now, and within a year";
    validator.require(within, "expiresAt", "out_of_range", message);
    Some(at)
}

/// What stands for the guests of a company, when it is locked.
const GUESTS: (Uuid, Lock) = (Uuid::from_u128(0x4775_6573_7473), Lock::Exclusive);

/// Judges that one guest more may be let in; no other unit lets one in until this one ends.
async fn room_for_one(home: &Home<'_, DynDocumentUnit>) -> Result<(), Refused<GrantRefused>> {
    let (call, company) = (home.call, home.company.id);
    home.unit.accounts().find_locked(call.scope, company, Lock::Shared, &[GUESTS]).await?;
    if home.unit.data_room_grants().open(company, call.now, MOST_OPEN_GRANTS).await? >= MOST_OPEN_GRANTS {
        return Err(Refused::Own(GrantRefused::TooMany));
    }
    Ok(())
}

async fn log(
    home: &Home<'_, DynDocumentUnit>,
    action: Action,
    before: Option<&DataRoomGrant>,
    after: &DataRoomGrant,
) -> Result<(), StoreError> {
    let shown = |grant: &'_ DataRoomGrant| -> serde_json::Value {
        let logged = Logged {
            sections: grant.sections.as_slice().iter().map(Section::as_str).collect(),
            expires_at: grant.expires_at,
            personal_data: grant.personal_data,
            revoked_at: grant.revoked_at,
        };
        serde_json::to_value(&logged).unwrap_or_default()
    };
    let (before, shown) = (before.map(shown), shown(after));
    let entry = Entry::new(home.call, after.company, action, after.id, (before.as_ref(), Some(&shown)));
    home.unit.audit().append(&[entry]).await
}
