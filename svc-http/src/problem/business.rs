//! Refusals of the business use cases.

use svc_business::{account, contact};
use svc_core::error::ValidationErrors;
use svc_core::id::ContactId;
use svc_core::resource::Version;

use super::store::external_id_taken;
use super::{Code, Problem};

impl Problem {
    /// The record is not at the version that `If-Match` names.
    pub(crate) fn version_conflict(current: Version) -> Self {
        Self::new(Code::VersionConflict, format!("the present version is {current}"))
            .state(current.to_string())
    }
}

impl From<contact::CreateError> for Problem {
    fn from(error: contact::CreateError) -> Self {
        match error {
            contact::CreateError::UnknownCompany => Self::not_found(),
            contact::CreateError::CompanyNotActive { status } => company_not_active(status),
            contact::CreateError::Invalid(invalid) => invalid.into(),
            contact::CreateError::DuplicateTaxId { existing } => duplicate_tax_id(existing),
            contact::CreateError::ExternalIdTaken => external_id_taken(),
            contact::CreateError::Store(error) => error.into(),
        }
    }
}

impl From<contact::UpdateError> for Problem {
    fn from(error: contact::UpdateError) -> Self {
        match error {
            contact::UpdateError::NotFound => Self::not_found(),
            contact::UpdateError::VersionConflict { current } => Self::version_conflict(current),
            contact::UpdateError::Merged { into } => contact_merged(into),
            contact::UpdateError::CompanyNotActive { status } => company_not_active(status),
            contact::UpdateError::Invalid(invalid) => invalid.into(),
            contact::UpdateError::DuplicateTaxId { existing } => duplicate_tax_id(existing),
            contact::UpdateError::ExternalIdTaken => external_id_taken(),
            contact::UpdateError::Store(error) => error.into(),
        }
    }
}

impl From<contact::DeleteError> for Problem {
    fn from(error: contact::DeleteError) -> Self {
        match error {
            contact::DeleteError::NotFound => Self::not_found(),
            contact::DeleteError::VersionConflict { current } => Self::version_conflict(current),
            contact::DeleteError::Merged { into } => contact_merged(into),
            contact::DeleteError::InUse => Self::new(
                Code::ContactInUse,
                "something refers to the contact: archive it with PATCH {\"status\": \"archived\"}",
            ),
            contact::DeleteError::CompanyNotActive { status } => company_not_active(status),
            contact::DeleteError::Store(error) => error.into(),
        }
    }
}

impl From<contact::MergeError> for Problem {
    fn from(error: contact::MergeError) -> Self {
        match error {
            contact::MergeError::NotFound => Self::not_found(),
            contact::MergeError::UnknownMerged => {
                unknown_merged("no contact of the same company has this id")
            }
            contact::MergeError::VersionConflict { current } => Self::version_conflict(current),
            contact::MergeError::Same => merged_with_itself(),
            contact::MergeError::NotActive { id, status } => {
                let code = if status == "merged" { Code::ContactMerged } else { Code::ContactArchived };
                Self::new(code, format!("{id} is {status}: only active contacts are merged")).state(status)
            }
            contact::MergeError::TaxIdConflict => tax_id_conflict("; `force` keeps the survivor's"),
            contact::MergeError::CompanyNotActive { status } => company_not_active(status),
            contact::MergeError::Invalid(invalid) => invalid.into(),
            contact::MergeError::Store(error) => error.into(),
        }
    }
}

impl From<account::CreateError> for Problem {
    fn from(error: account::CreateError) -> Self {
        match error {
            account::CreateError::Invalid(invalid) => invalid.into(),
            account::CreateError::UnknownParent => Self::new(
                Code::UnknownReference,
                "the parent account is unknown or out of reach",
            )
            .at("parentAccountId", "unknown_reference", "no company within reach has this id"),
            account::CreateError::ParentNotActive => {
                Self::new(Code::AccountDeactivated, "the parent account is not active").state("deactivated")
            }
            // The holder is the token's creator, so only a token that just died meets this.
            account::CreateError::UnknownHolder => Self::new(
                Code::CreatorLostRole,
                "the creator of the token, who would hold the company, is gone",
            ),
            account::CreateError::ExternalIdTaken => external_id_taken(),
            account::CreateError::Store(error) => error.into(),
        }
    }
}

impl From<account::UpdateError> for Problem {
    fn from(error: account::UpdateError) -> Self {
        let detail = error.to_string();
        match error {
            account::UpdateError::NotFound => Self::not_found(),
            account::UpdateError::VersionConflict { current } => Self::version_conflict(current),
            account::UpdateError::NotActive { status } => company_not_active(status),
            account::UpdateError::Invalid(invalid) => invalid.into(),
            account::UpdateError::BadParent => Self::new(Code::ValidationFailed, detail.clone()).at(
                "parentAccountId",
                "invalid_value",
                detail,
            ),
            account::UpdateError::Parentless(group) => {
                let message = format!(
                    "{detail}: name another company of the group, or take this one out of it with DELETE \
                     /groups/{group}/members/{{accountId}}"
                );
                ValidationErrors::one("parentAccountId", "required", message).into()
            }
            account::UpdateError::ExternalIdTaken => external_id_taken(),
            account::UpdateError::Store(error) => error.into(),
        }
    }
}

impl From<account::DeactivateError> for Problem {
    fn from(error: account::DeactivateError) -> Self {
        let detail = error.to_string();
        match error {
            account::DeactivateError::NotFound => Self::not_found(),
            account::DeactivateError::VersionConflict { current } => Self::version_conflict(current),
            account::DeactivateError::NotActive { status } => company_not_active(status),
            account::DeactivateError::Primary => Self::new(Code::CannotDeactivatePrimary, detail),
            account::DeactivateError::ActiveSubsidiary => Self::new(Code::ActiveSubsidiary, detail),
            account::DeactivateError::Store(error) => error.into(),
        }
    }
}

impl From<account::ReactivateError> for Problem {
    fn from(error: account::ReactivateError) -> Self {
        match error {
            account::ReactivateError::NotFound => Self::not_found(),
            account::ReactivateError::VersionConflict { current } => Self::version_conflict(current),
            account::ReactivateError::NotDeactivated { status } => company_not_active(status),
            account::ReactivateError::Store(error) => error.into(),
        }
    }
}

impl From<account::MergeError> for Problem {
    fn from(error: account::MergeError) -> Self {
        let detail = error.to_string();
        match error {
            account::MergeError::NotFound => Self::not_found(),
            account::MergeError::UnknownMerged => unknown_merged("no company within reach has this id"),
            account::MergeError::VersionConflict { current } => Self::version_conflict(current),
            account::MergeError::Same => merged_with_itself(),
            account::MergeError::NotActive { status, .. } => {
                let mut problem = company_not_active(status);
                problem.detail = detail;
                problem
            }
            account::MergeError::CountryConflict => Self::new(Code::CountryConflict, detail),
            account::MergeError::TaxIdConflict => tax_id_conflict(""),
            account::MergeError::Primary => Self::new(Code::CannotMergePrimary, detail),
            account::MergeError::ActiveSubsidiary => Self::new(Code::ActiveSubsidiary, detail),
            account::MergeError::ParentStays => Self::new(Code::ParentStays, detail),
            account::MergeError::ContactsClash { field } => {
                Self::new(Code::ContactsClash, detail).at(field, "clash", "is in contacts of both companies")
            }
            account::MergeError::Invalid(invalid) => invalid.into(),
            account::MergeError::Store(error) => error.into(),
        }
    }
}

/// The company is in a state that forbids the action; `status` is its wire name.
fn company_not_active(status: &'static str) -> Problem {
    let code = match status {
        "merged" => Code::AccountMerged,
        "active" => Code::AccountActive,
        _ => Code::AccountDeactivated,
    };
    Problem::new(code, format!("the company is {status}")).state(status)
}

fn contact_merged(into: ContactId) -> Problem {
    let detail = format!("the contact was merged into {into}");
    Problem::new(Code::ContactMerged, detail).state("merged").existing(&into)
}

fn duplicate_tax_id(existing: ContactId) -> Problem {
    Problem::new(
        Code::DuplicateTaxId,
        "an active contact with this tax id exists; `allowDuplicate` permits it",
    )
    .existing(&existing)
    .at("taxId", "duplicate_tax_id", "an active contact has this tax id")
}

fn tax_id_conflict(hint: &str) -> Problem {
    Problem::new(Code::TaxIdConflict, format!("both have a tax id, and not the same{hint}"))
}

fn unknown_merged(message: &'static str) -> Problem {
    Problem::new(Code::UnknownReference, format!("`mergedId`: {message}")).at(
        "mergedId",
        "unknown_reference",
        message,
    )
}

fn merged_with_itself() -> Problem {
    let message = "must not be the survivor itself";
    Problem::new(Code::ValidationFailed, format!("`mergedId` {message}")).at(
        "mergedId",
        "invalid_value",
        message,
    )
}
