//! Making a document of what a client writes.

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::refused::Refused;

use super::SalesRefused;
use super::issue::issued;
use super::reference::{customer, ids, judge, line_defaults};
use crate::catalogue::event;
use crate::ports::DynSalesUnit;
use crate::record::Home;
use crate::sales::document::SalesDocument;
use crate::sales::history::{HistoryKind, note};
use crate::sales::input::{IssueRequest, SalesDocumentInput};
use crate::sales::rules::{Setting, draft};

/// Makes a draft, and issues it where the input asks for that. Emits invoice.create, and invoice.issue.
///
/// # Errors
/// [`Refused`] with [`SalesRefused`]; nothing was added.
pub async fn create(
    home: &Home<'_, DynSalesUnit>,
    input: SalesDocumentInput,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let blank = SalesDocument::blank(home.company.id, home.company.base_currency, &ids(home));
    let draft = drafted(home, &blank, &input, true).await?;
    if !input.issue {
        let draft = home.add::<_, SalesRefused>(draft).await?;
        note(home, &draft, HistoryKind::Created, None).await?;
        return Ok(draft);
    }
    // Told first: its issue and its entry come of it.
    home.publish(const { event("invoice.create") }, &draft, None).await?;
    let ready = issued(home, draft, &IssueRequest::default()).await?;
    let document = ready.document.clone();
    home.unit.sales().insert(home.call.scope, &document).await?;
    note(home, &document, HistoryKind::Created, None).await?;
    ready.keep_beside(home, &document).await?;
    Ok(document)
}

/// What a draft of this input would be, without keeping it.
///
/// # Errors
/// [`Refused`] with [`SalesRefused`].
pub async fn preview(
    home: &Home<'_, DynSalesUnit>,
    input: SalesDocumentInput,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let blank = SalesDocument::blank(home.company.id, home.company.base_currency, &ids(home));
    drafted(home, &blank, &input, true).await
}

/// A draft with the input applied, which is not kept yet.
pub(super) async fn drafted(
    home: &Home<'_, DynSalesUnit>,
    base: &SalesDocument,
    input: &SalesDocumentInput,
    creating: bool,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let named = match input.contact {
        Patch::Absent => base.contact,
        Patch::Null => None,
        Patch::Value(contact) => Some(contact),
    };
    let customer = customer(home, &SalesDocument { contact: named, ..base.clone() }).await?;
    let setting = Setting {
        today: home.company.local_date(home.call.now),
        ids: ids(home),
        access: home.call.access,
        defaults: line_defaults(home, customer.as_ref()),
        creating,
    };
    let mut validator = Validator::new();
    let after = draft(&mut validator, base, input, &setting);
    let after = after.map_err(|wrong| Refused::Own(wrong.into()))?;
    judge(&mut validator, home, base, &after, customer.as_ref()).await?;
    validator.finish()?;
    Ok(after)
}
