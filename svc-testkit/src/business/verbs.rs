//! Verbs on records with their opening, each as one function that a test runs in a unit of its own. The errors
//! are those of the verb; without a version any is expected.

use svc_business::account::{self, Account, AccountInput};
use svc_business::case::{self, Case, CaseClosed, CaseInput, CloseRequest, NotClosed};
use svc_business::contact::{self, Contact, ContactInput, DuplicateTaxId, InUse};
use svc_business::group::{self, Group, UpdateRequest};
use svc_business::membership::{self, Membership, OpenedMembership};
use svc_business::ports::BusinessUnit;
use svc_business::record;
use svc_core::id::{AccountId, CaseId, ContactId, GroupId, MembershipId, UserId};
use svc_core::refused::Refused;
use svc_core::resource::{Expected, Version};
use svc_core::role::Role;
use svc_core::unit::CallContext;

/// A unit of work of any area.
pub type Unit = dyn BusinessUnit;
/// What comes of a verb with reasons of its own.
pub type Outcome<T, E> = Result<T, Refused<E>>;

/// Opens the company and creates a contact.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn create_contact(
    unit: &Unit,
    call: CallContext<'_>,
    company: AccountId,
    input: ContactInput,
) -> Outcome<Contact, DuplicateTaxId> {
    let home = record::home::<Contact>(unit, call, company).await.map_err(Refused::widen)?;
    contact::create(home, input).await
}

/// Opens a contact and changes it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn update_contact(
    unit: &Unit,
    call: CallContext<'_>,
    id: ContactId,
    version: Option<Version>,
    input: ContactInput,
) -> Outcome<Contact, DuplicateTaxId> {
    let opened =
        contact::open(unit, call, id, &Expected::of(version), &input).await.map_err(Refused::widen)?;
    contact::update(opened, input).await
}

/// Opens a contact and blanks it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn anonymize_contact(
    unit: &Unit,
    call: CallContext<'_>,
    id: ContactId,
    version: Option<Version>,
) -> Result<Contact, Refused> {
    contact::anonymize(record::open::<Contact>(unit, call, id, &Expected::of(version)).await?).await
}

/// Opens a contact and erases it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn delete_contact(
    unit: &Unit,
    call: CallContext<'_>,
    id: ContactId,
    version: Option<Version>,
) -> Outcome<(), InUse> {
    let opened = record::alone::<Contact>(unit, call, id, &[], &Expected::of(version))
        .await
        .map_err(Refused::widen)?;
    contact::delete(opened).await
}

/// Opens a contact and merges another one into it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn merge_contact(
    unit: &Unit,
    call: CallContext<'_>,
    id: ContactId,
    version: Option<Version>,
    absorbed: ContactId,
    request: contact::MergeRequest,
) -> Outcome<Contact, contact::MergeError> {
    let opened = record::alone::<Contact>(unit, call, id, &[absorbed], &Expected::of(version)).await;
    let opened = opened.map_err(Refused::widen)?;
    contact::merge(opened, absorbed, request).await
}

/// Opens the company and creates a case.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn create_case(
    unit: &Unit,
    call: CallContext<'_>,
    company: AccountId,
    input: CaseInput,
) -> Result<Case, Refused> {
    case::create(record::home::<Case>(unit, call, company).await?, input).await
}

/// Opens a case and changes it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn update_case(
    unit: &Unit,
    call: CallContext<'_>,
    id: CaseId,
    version: Option<Version>,
    input: CaseInput,
) -> Outcome<Case, CaseClosed> {
    let opened =
        record::open::<Case>(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    case::update(opened, input).await
}

/// Opens a case and closes it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn close_case(
    unit: &Unit,
    call: CallContext<'_>,
    id: CaseId,
    version: Option<Version>,
    request: CloseRequest,
) -> Outcome<Case, CaseClosed> {
    let opened =
        record::open::<Case>(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    case::close(opened, request).await
}

/// Opens a case and brings it back.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn reopen_case(
    unit: &Unit,
    call: CallContext<'_>,
    id: CaseId,
    version: Option<Version>,
) -> Outcome<Case, NotClosed> {
    let opened =
        record::open::<Case>(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    case::reopen(opened).await
}

/// Opens a case and adds a note to it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn note_case(
    unit: &Unit,
    call: CallContext<'_>,
    id: CaseId,
    version: Option<Version>,
    text: &str,
) -> Result<Case, Refused> {
    case::note(record::open::<Case>(unit, call, id, &Expected::of(version)).await?, text).await
}

/// Opens a company and changes it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn update_account(
    unit: &Unit,
    call: CallContext<'_>,
    id: AccountId,
    version: Option<Version>,
    input: AccountInput,
) -> Outcome<Account, account::UpdateError> {
    let opened = account::open(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    account::update(opened, input).await
}

/// Opens a company and deactivates it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn deactivate_account(
    unit: &Unit,
    call: CallContext<'_>,
    id: AccountId,
    version: Option<Version>,
    primary: AccountId,
) -> Outcome<Account, account::DeactivateError> {
    let opened = account::alone(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    account::deactivate(opened, Some(primary)).await
}

/// Opens a company and reactivates it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn reactivate_account(
    unit: &Unit,
    call: CallContext<'_>,
    id: AccountId,
    version: Option<Version>,
) -> Outcome<Account, account::ReactivateError> {
    let opened = account::alone(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    account::reactivate(opened).await
}

/// Opens a company and merges another one into it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn merge_account(
    unit: &Unit,
    call: CallContext<'_>,
    id: AccountId,
    version: Option<Version>,
    absorbed: AccountId,
    request: account::MergeRequest,
    primary: AccountId,
) -> Outcome<Account, account::MergeError> {
    let opened = account::alone(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    account::merge(opened, absorbed, request, primary).await
}

/// Opens a group and renames it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn update_group(
    unit: &Unit,
    call: CallContext<'_>,
    id: GroupId,
    version: Option<Version>,
    request: UpdateRequest,
) -> Outcome<Group, group::ChangeError> {
    let opened = group::open(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    group::update(opened, request).await
}

/// Opens a group and takes a company out of it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn leave_group(
    unit: &Unit,
    call: CallContext<'_>,
    id: GroupId,
    version: Option<Version>,
    account: AccountId,
) -> Outcome<(), group::ChangeError> {
    let opened = group::open(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    group::remove(opened, account).await
}

/// Opens a group and dissolves it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn dissolve_group(
    unit: &Unit,
    call: CallContext<'_>,
    id: GroupId,
    version: Option<Version>,
) -> Outcome<(), group::ChangeError> {
    let opened = group::open(unit, call, id, &Expected::of(version)).await.map_err(Refused::widen)?;
    group::dissolve(opened).await
}

/// Opens the membership of a person and gives them another role.
///
/// # Errors
/// Those of the opening and of the verb; [`Refused::NotFound`] for who never was a member.
pub async fn change_role(
    unit: &Unit,
    call: CallContext<'_>,
    by: Role,
    (company, user): (AccountId, UserId),
    version: Option<Version>,
    role: Role,
) -> Outcome<Membership, membership::ChangeError> {
    let opened = membership_of(unit, call, (company, user), version).await.map_err(Refused::widen)?;
    Ok(membership::change_role(opened, by, role).await?.membership)
}

/// Opens the membership of a person and ends it.
///
/// # Errors
/// Those of the opening and of the verb; [`Refused::NotFound`] for who never was a member.
pub async fn end_membership(
    unit: &Unit,
    call: CallContext<'_>,
    by: Role,
    (company, user): (AccountId, UserId),
    version: Option<Version>,
) -> Outcome<Membership, membership::ChangeError> {
    let opened = membership_of(unit, call, (company, user), version).await.map_err(Refused::widen)?;
    Ok(membership::end(opened, by).await?.membership)
}

/// Opens what a person was offered and accepts it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn accept(
    unit: &Unit,
    call: CallContext<'_>,
    person: UserId,
    id: MembershipId,
    version: Option<Version>,
) -> Outcome<Membership, membership::ChangeError> {
    let opened = membership::open_invitation(unit, call, person, id, &Expected::of(version)).await;
    Ok(membership::accept(opened.map_err(Refused::widen)?).await?.membership)
}

/// Opens what a person was offered and declines it.
///
/// # Errors
/// Those of the opening and of the verb.
pub async fn decline(
    unit: &Unit,
    call: CallContext<'_>,
    person: UserId,
    id: MembershipId,
    version: Option<Version>,
) -> Outcome<Membership, membership::ChangeError> {
    let opened = membership::open_invitation(unit, call, person, id, &Expected::of(version)).await;
    Ok(membership::decline(opened.map_err(Refused::widen)?).await?.membership)
}

async fn membership_of<'u>(
    unit: &'u Unit,
    call: CallContext<'u>,
    (company, user): (AccountId, UserId),
    version: Option<Version>,
) -> Result<OpenedMembership<'u>, Refused> {
    let known = unit.people().membership(company, user).await?.ok_or(Refused::NotFound)?;
    membership::open(unit, call, company, known.id, &Expected::of(version)).await
}
