//! Refusals of the business use cases.

use std::convert::Infallible;

use svc_business::contact::ContactStatus;
use svc_business::{account, case, contact, notice};
use svc_core::error::{StoreError, ValidationErrors};
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::tenant::ClosedCompany;

use super::{Code, Problem};

impl Problem {
    /// The record is not at the version that `If-Match` names; the answer's `ETag` is the present one.
    pub(crate) fn version_conflict(current: Version) -> Self {
        Self::new(Code::VersionConflict, format!("the present version is {current}")).version(current)
    }
}

impl<E: Into<Problem>> From<Refused<E>> for Problem {
    fn from(refused: Refused<E>) -> Self {
        refused.into_own().map_or_else(every_verb, Into::into)
    }
}

/// A verb that adds no reason of its own.
impl From<Infallible> for Problem {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The reasons that every verb has.
pub(super) fn every_verb(refused: Refused) -> Problem {
    match refused {
        Refused::UnknownCompany | Refused::NotFound => Problem::not_found(),
        Refused::VersionConflict { current } => Problem::version_conflict(current),
        Refused::Merged { object, into } => {
            Problem::new(Code::RecordMerged, format!("the {object} was merged into {into}"))
                .state("merged")
                .existing(&into)
        }
        Refused::CompanyClosed(closed) => company_closed(closed),
        Refused::Invalid(invalid) => invalid.into(),
        Refused::Taken { field } => StoreError::Taken { field }.into(),
        Refused::Own(never) => match never {},
        Refused::Store(error) => error.into(),
    }
}

impl From<contact::DuplicateTaxId> for Problem {
    fn from(contact::DuplicateTaxId { existing }: contact::DuplicateTaxId) -> Self {
        Self::duplicate_tax_id().existing(&existing)
    }
}

impl From<contact::InUse> for Problem {
    fn from(_: contact::InUse) -> Self {
        let detail = "something refers to the contact: archive it with PATCH {\"status\": \"archived\"}";
        Self::new(Code::ContactInUse, detail)
    }
}

impl From<contact::MergeError> for Problem {
    fn from(error: contact::MergeError) -> Self {
        match error {
            contact::MergeError::UnknownMerged => {
                unknown_merged("no contact of the same company has this id")
            }
            contact::MergeError::Same => merged_with_itself(),
            contact::MergeError::NotActive { id, status } => {
                let code = match status {
                    ContactStatus::Merged { .. } => Code::RecordMerged,
                    ContactStatus::Active | ContactStatus::Archived => Code::ContactArchived,
                };
                let name = status.name();
                Self::new(code, format!("{id} is {name}: only active contacts are merged")).state(name)
            }
            contact::MergeError::TaxIdConflict => tax_id_conflict("; `force` keeps the survivor's"),
        }
    }
}

impl From<case::CaseClosed> for Problem {
    fn from(error: case::CaseClosed) -> Self {
        Self::new(Code::CaseClosed, error.to_string()).state("closed")
    }
}

impl From<case::NotClosed> for Problem {
    fn from(error: case::NotClosed) -> Self {
        Self::new(Code::CaseNotClosed, error.to_string()).state(error.status.name())
    }
}

impl From<notice::NoticeRefused> for Problem {
    fn from(refused: notice::NoticeRefused) -> Self {
        let (code, status) = match refused {
            notice::NoticeRefused::NotAvailable(status) => (Code::NoticeNotAvailable, status),
            notice::NoticeRefused::Communication => (Code::NotANotification, notice::NoticeStatus::Available),
        };
        Self::new(code, refused.to_string()).state(status.name())
    }
}

impl From<account::CreateError> for Problem {
    fn from(error: account::CreateError) -> Self {
        match error {
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
        }
    }
}

impl From<account::BootstrapError> for Problem {
    fn from(error: account::BootstrapError) -> Self {
        match error {
            account::BootstrapError::NotEmpty => Self::new(Code::Conflict, error.to_string()),
            account::BootstrapError::Company(error) => error.into(),
        }
    }
}

impl From<account::UpdateError> for Problem {
    fn from(error: account::UpdateError) -> Self {
        let detail = error.to_string();
        match error {
            account::UpdateError::BadParent => Self::new(Code::ValidationFailed, detail.clone()).at(
                "parentAccountId",
                "invalid_value",
                detail,
            ),
            account::UpdateError::CurrencyFrozen => Self::new(Code::BaseCurrencyFrozen, detail),
            account::UpdateError::Parentless(group) => {
                let message = format!(
                    "{detail}: name another company of the group, or take this one out of it with DELETE \
                     /groups/{group}/members/{{accountId}}"
                );
                ValidationErrors::one("parentAccountId", "required", message).into()
            }
        }
    }
}

impl From<account::DeactivateError> for Problem {
    fn from(error: account::DeactivateError) -> Self {
        let code = match error {
            account::DeactivateError::Primary => Code::CannotDeactivatePrimary,
            account::DeactivateError::ActiveSubsidiary => Code::ActiveSubsidiary,
            account::DeactivateError::OpenEnvelope => Code::OpenEnvelope,
        };
        Self::new(code, error.to_string())
    }
}

impl From<account::ReactivateError> for Problem {
    fn from(error: account::ReactivateError) -> Self {
        match error {
            account::ReactivateError::Active => {
                Self::new(Code::AccountActive, "the company is active").state("active")
            }
            account::ReactivateError::NoHolder => Self::new(Code::LastHolder, error.to_string()),
        }
    }
}

impl From<account::MergeError> for Problem {
    fn from(error: account::MergeError) -> Self {
        let detail = error.to_string();
        match error {
            account::MergeError::UnknownMerged => unknown_merged("no company within reach has this id"),
            account::MergeError::Same => merged_with_itself(),
            account::MergeError::NotActive { closed, .. } => {
                let mut problem = company_closed(closed);
                problem.detail = detail;
                problem
            }
            account::MergeError::CountryConflict => Self::new(Code::CountryConflict, detail),
            account::MergeError::TaxIdConflict => tax_id_conflict(""),
            account::MergeError::Primary => Self::new(Code::CannotMergePrimary, detail),
            account::MergeError::ActiveSubsidiary => Self::new(Code::ActiveSubsidiary, detail),
            account::MergeError::HasBooks => Self::new(Code::AccountHasBooks, detail),
            account::MergeError::CurrencyFrozen => Self::new(Code::BaseCurrencyFrozen, detail),
            account::MergeError::ParentStays => Self::new(Code::ParentStays, detail),
            account::MergeError::RecordsClash { field } => {
                Self::new(Code::RecordsClash, detail).at(field, "clash", "is in records of both companies")
            }
        }
    }
}

/// The company is read-only.
fn company_closed(closed: ClosedCompany) -> Problem {
    let code = match closed {
        ClosedCompany::Deactivated => Code::AccountDeactivated,
        ClosedCompany::Merged => Code::AccountMerged,
    };
    Problem::new(code, format!("the company is {}", closed.name())).state(closed.name())
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
