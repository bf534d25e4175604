//! Adding a person: the operator's work.

use svc_core::error::{StoreError, ValidationErrors, Validator};
use svc_core::id::{TypedId, UserId};
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::party::{Email, LanguageTag, line};
use crate::ports::DynAccountUnit;
use crate::user::{User, UserStatus};

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

/// Why a person is not added.
#[derive(Debug, Error)]
pub enum CreateError {
    /// Broken rules of the input.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// Somebody has this e-mail address already.
    #[error("a user with this e-mail address exists already")]
    EmailTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds a person.
///
/// # Errors
/// [`CreateError`]; nothing was added.
pub async fn create(
    unit: &DynAccountUnit,
    call: CallContext<'_>,
    request: CreateRequest,
) -> Result<User, CreateError> {
    let mut validator = Validator::new();
    let email: Option<Email> = validator.take("email", "invalid_email", request.email.parse());
    let local = request.email.trim().split('@').next().unwrap_or_default().to_owned();
    let name = line(&mut validator, "name", &request.name.unwrap_or(local), 200);
    let locale = request.locale.as_deref().unwrap_or("es").parse::<LanguageTag>();
    let locale = validator.take("locale", "invalid_language", locale);
    validator.finish()?;
    let (Some(email), Some(name), Some(locale)) = (email, name, locale) else {
        unreachable!("a member that is missing left a finding");
    };
    if unit.people().user_by_email(email.as_str()).await?.is_some() {
        return Err(CreateError::EmailTaken);
    }
    let user = User {
        id: UserId::generate(call.now, call.random),
        email,
        name,
        locale,
        mfa_enabled: false,
        status: UserStatus::Active,
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    match unit.people().insert_user(&user).await {
        Err(StoreError::Taken { field: "email" }) => Err(CreateError::EmailTaken),
        outcome => Ok(outcome.map(|()| user)?),
    }
}
