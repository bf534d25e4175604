//! Recording a notice.

use svc_core::clock::Timestamp;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{NoticeId, TypedId as _};
use svc_core::refused::Refused;
use svc_core::resource::Version;
use time::{Date, Duration};

use super::{Notice, NoticeKind, NoticeRequest, NoticeStatus, refer};
use crate::party::{calendar_date, line, tax_id};
use crate::ports::DynNoticeUnit;
use crate::record::Home;

/// Natural days within which a notification is accessed, from the day after (Ley 39/2015, article 43.2).
const TERM: Duration = Duration::days(10);

/// Records a notice; one whose term has passed is expired. Emits `notice.create`.
///
/// # Errors
/// [`Refused`]; findings on the members of the request; [`Refused::Taken`] with `reference` when the company has the
/// notice already. Nothing was added.
pub async fn create(home: Home<'_, DynNoticeUnit>, input: &NoticeRequest) -> Result<Notice, Refused> {
    let (call, company) = (home.call, &home.company);
    let mut validator = Validator::new();
    let issuer = line(&mut validator, "issuer", &input.issuer, 200);
    let subject = line(&mut validator, "subject", &input.subject, 500);
    let reference = line(&mut validator, "reference", &input.reference, 100);
    let available_at = available(&mut validator, &input.available_at, call.now);
    let recipient_tax_id =
        input.recipient_tax_id.as_deref().and_then(|text| tax_id(&mut validator, "recipientTaxId", text));
    let due = input.response_due_on.as_deref();
    let response_due_on = due.and_then(|text| calendar_date(&mut validator, "responseDueOn", text));
    if let Some(case) = input.case_id {
        refer::case(&mut validator, &home, case).await?;
    }
    if let Some(member) = input.assigned_user_id {
        refer::member(&mut validator, &home, member).await?;
    }
    validator.finish()?;
    // What is missing has a finding.
    let missing = || ValidationErrors::one("availableAt", "required", "must be present");
    let available_at = available_at.ok_or_else(missing)?;
    let expires_on = last_day(input.kind, company.local_date(available_at));
    let has_expired = expires_on.is_some_and(|last| last < company.local_date(call.now));
    let notice = Notice {
        id: NoticeId::generate(call.now, call.random),
        company: company.id,
        source: input.source,
        kind: input.kind,
        issuer: issuer.ok_or_else(missing)?,
        subject: subject.ok_or_else(missing)?,
        reference: reference.ok_or_else(missing)?,
        recipient_tax_id,
        available_at,
        expires_on,
        status: if has_expired { NoticeStatus::Expired } else { NoticeStatus::Available },
        response_due_on,
        case: input.case_id,
        assigned: input.assigned_user_id,
        handled: false,
        version: Version::FIRST,
        created_at: call.now,
        updated_at: call.now,
    };
    home.add(notice).await
}

fn available(validator: &mut Validator, text: &str, now: Timestamp) -> Option<Timestamp> {
    let at = validator.take("availableAt", "invalid_instant", text.parse::<Timestamp>())?;
    validator.require(at <= now, "availableAt", "out_of_range", "must not be later than now").then_some(at)
}

/// The last day on which a notice of this kind is accessed that was available on this one.
fn last_day(kind: NoticeKind, available: Date) -> Option<Date> {
    match kind {
        NoticeKind::Notification => Some(available.saturating_add(TERM)),
        NoticeKind::Communication => None,
    }
}
