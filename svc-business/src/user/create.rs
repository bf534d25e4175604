//! Adding a person: the operator's work, and that of an invitation.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{TypedId, UserId};
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use crate::party::{Email, LanguageTag, line};
use crate::ports::DynAccountUnit;
use crate::user::{LONGEST_NAME, User, UserStatus};

/// Who to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateRequest {
    /// E-mail address.
    pub email: String,
    /// Full name, 1 to 200 characters; the part of the e-mail before `@` when left out.
    pub name: Option<String>,
    /// BCP 47; `es` when left out.
    pub locale: Option<String>,
}

/// Adds a person.
///
/// # Errors
/// [`Refused::Invalid`]; [`Refused::Taken`] when a person has the e-mail address; [`Refused::Store`]. Nothing was added.
pub async fn create(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    request: CreateRequest,
) -> Result<User, Refused> {
    let mut validator = Validator::new();
    let email: Option<Email> = validator.take("email", "invalid_email", request.email.parse());
    let local = request.email.trim().split('@').next().unwrap_or_default().to_owned();
    let name = line(&mut validator, "name", &request.name.unwrap_or(local), LONGEST_NAME);
    let locale = request.locale.as_deref().unwrap_or("es").parse::<LanguageTag>();
    let locale = validator.take("locale", "invalid_language", locale);
    validator.finish()?;
    let (Some(email), Some(name), Some(locale)) = (email, name, locale) else {
        unreachable!("a member that is missing left a finding");
    };
    if unit.people().user_by_email(email.as_str()).await?.is_some() {
        return Err(Refused::Taken { field: "email" });
    }
    let user = new(call, email, name, locale);
    unit.people().insert_user(&user).await?;
    Ok(user)
}

/// Adds a person who was invited by an address that no person has yet. They have no password, so they cannot sign in, and are
/// called by their address until they say otherwise.
///
/// # Errors
/// [`StoreError::Taken`] with `email` when a person has the address by now.
pub(crate) async fn awaited(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    email: Email,
    locale: LanguageTag,
) -> Result<User, StoreError> {
    let name = email.as_str().split('@').next().unwrap_or_default().to_owned();
    let user = new(call, email, name, locale);
    unit.people().insert_user(&user).await?;
    Ok(user)
}

fn new(call: CallContext<'_>, email: Email, name: String, locale: LanguageTag) -> User {
    User {
        id: UserId::generate(call.now, call.random),
        email,
        name,
        locale,
        mfa_enabled: false,
        status: UserStatus::Active,
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    }
}
