//! Refusals of changes of memberships and groups.

use svc_business::membership::MembershipStatus;
use svc_business::{group, membership};
use svc_core::error::ValidationErrors;
use svc_core::refused::Refused;

use super::business::every_verb;
use super::{Code, Problem};

impl Problem {
    /// A refused change of a membership; `field` is the member of the request that names the person.
    #[must_use]
    pub fn membership(refused: Refused<membership::ChangeError>, field: &'static str) -> Self {
        let error = match refused.into_own() {
            Ok(error) => error,
            Err(refused) => return every_verb(refused),
        };
        let detail = error.to_string();
        match error {
            membership::ChangeError::UnknownUser => {
                ValidationErrors::one(field, "unknown_reference", "no active person is known by this").into()
            }
            membership::ChangeError::Present { id, status } => {
                let detail = match status {
                    MembershipStatus::Invited => {
                        "the person is invited already: offer another role with PATCH, or withdraw it with DELETE"
                    }
                    MembershipStatus::Active | MembershipStatus::Suspended | MembershipStatus::Ended => {
                        "the person is a member already: change the role with PATCH"
                    }
                };
                Self::new(Code::AlreadyExists, detail).existing(&id).state(status.name())
            }
            membership::ChangeError::Illegal(step) => Self::new(Code::NotInvited, detail).state(step.shown()),
            membership::ChangeError::OfferLapsed => Self::new(Code::OfferLapsed, detail),
            membership::ChangeError::TooManyInvitations => {
                Self::new(Code::TooManyInvitations, format!("{detail}: wait for answers, or withdraw some"))
            }
            membership::ChangeError::TooManyToday => {
                Self::new(Code::TooManyInvitations, format!("{detail}: invite again tomorrow"))
            }
            membership::ChangeError::AdministratorsOnly | membership::ChangeError::HoldersOnly => {
                Self::new(Code::RoleRequired, detail)
            }
            membership::ChangeError::LastHolder => Self::new(Code::LastHolder, detail),
        }
    }

    /// A refused change of a group; `field` is the member of the request that names a company.
    #[must_use]
    pub fn group(refused: Refused<group::ChangeError>, field: &'static str) -> Self {
        let error = match refused.into_own() {
            Ok(error) => error,
            Err(refused) => return every_verb(refused),
        };
        let detail = error.to_string();
        match error {
            group::ChangeError::NotInGroup(_) => Self::not_found(),
            group::ChangeError::ParentOnly => Self::new(Code::RoleRequired, detail),
            group::ChangeError::UnknownAccount(_) => {
                let message = "no active company that you hold or administer has this id";
                ValidationErrors::one(field, "unknown_reference", message).into()
            }
            group::ChangeError::InGroup(_) => {
                Self::new(Code::AccountInGroup, detail).at(field, "account_in_group", "is in a group already")
            }
            group::ChangeError::ParentStays => Self::new(Code::ParentStays, detail),
        }
    }
}
