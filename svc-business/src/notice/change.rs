//! What becomes of a notice.

use svc_core::error::Validator;
use svc_core::id::UserId;
use svc_core::refused::Refused;
use thiserror::Error;

use super::{Notice, NoticeKind, NoticePatch, NoticeStatus, refer, term};
use crate::party::kept;
use crate::record::Opened;

/// Why a notice is neither accessed nor rejected.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NoticeRefused {
    /// It was accessed or rejected, or its term passed.
    #[error("the notice is {}, and only an available one is accessed or rejected", .0.name())]
    NotAvailable(NoticeStatus),
    /// It has no legal effect that could be rejected.
    #[error("a communication is not rejected: it is not served, and has no term")]
    Communication,
}

/// Applies a merge patch. One that changes nothing keeps the version; the catalogue has no event for one that does.
///
/// # Errors
/// [`Refused`]; findings on the members. Nothing was changed.
pub async fn update(opened: Opened<'_, Notice>, input: NoticePatch) -> Result<Notice, Refused> {
    let (home, before) = (&opened.home, &opened.before);
    let mut validator = Validator::new();
    let mut after = before.clone();
    term::respond(&mut validator, &home.company, before, &input, &mut after.response_due_on);
    after.case = input.case.over(before.case);
    after.assigned = input.assigned.over(before.assigned);
    kept(&mut validator, "handled", input.handled, &mut after.handled);
    if let Some(case) = after.case.filter(|case| before.case != Some(*case)) {
        refer::case(&mut validator, home, case).await?;
    }
    if let Some(member) = after.assigned.filter(|member| before.assigned != Some(*member)) {
        refer::member(&mut validator, home, member).await?;
    }
    validator.finish()?;
    opened.save(after).await
}

/// Says that a person accessed a notice now: a notification is served by it.
///
/// # Errors
/// [`Refused`] with [`NoticeRefused::NotAvailable`]; nothing was changed.
pub async fn access(opened: Opened<'_, Notice>, by: UserId) -> Result<Notice, Refused<NoticeRefused>> {
    let at = opened.home.call.now;
    in_time(&opened)?;
    end(opened, NoticeStatus::Accessed { at, by }).await
}

/// Says that a person rejected a notice now.
///
/// # Errors
/// [`Refused`] with [`NoticeRefused`]; nothing was changed.
pub async fn reject(opened: Opened<'_, Notice>, by: UserId) -> Result<Notice, Refused<NoticeRefused>> {
    let at = opened.home.call.now;
    in_time(&opened)?;
    match opened.before.kind {
        NoticeKind::Notification => end(opened, NoticeStatus::Rejected { at, by }).await,
        NoticeKind::Communication => Err(Refused::Own(NoticeRefused::Communication)),
    }
}

/// Says that the term of a notice has passed.
///
/// # Errors
/// [`Refused`] with [`NoticeRefused::NotAvailable`]; nothing was changed.
pub async fn expire(opened: Opened<'_, Notice>) -> Result<Notice, Refused<NoticeRefused>> {
    end(opened, NoticeStatus::Expired).await
}

/// Judges that the term of a notice lasts: it ends before the job of the day says so.
fn in_time(opened: &Opened<'_, Notice>) -> Result<(), Refused<NoticeRefused>> {
    let today = opened.home.company.local_date(opened.home.call.now);
    let has_passed = opened.before.expires_on.is_some_and(|last| last < today);
    if has_passed && opened.before.status == NoticeStatus::Available {
        return Err(Refused::Own(NoticeRefused::NotAvailable(NoticeStatus::Expired)));
    }
    Ok(())
}

async fn end(opened: Opened<'_, Notice>, to: NoticeStatus) -> Result<Notice, Refused<NoticeRefused>> {
    let status = opened.before.status;
    if status != NoticeStatus::Available {
        return Err(Refused::Own(NoticeRefused::NotAvailable(status)));
    }
    let after = Notice { status: to, ..opened.before.clone() };
    opened.save(after).await
}
