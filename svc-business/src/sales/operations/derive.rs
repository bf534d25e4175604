//! Documents that are made of others, each of one that was opened [alone](crate::record::alone).

use svc_core::error::StoreError;
use svc_core::refused::Refused;

use super::SalesRefused;
use super::reference::{customer, ids, line_defaults};
use crate::contact::Contact;
use crate::record::Opened;
use crate::sales::document::SalesDocument;
use crate::sales::history::{HistoryKind, note};
use crate::sales::input::{ConvertRequest, RectifyRequest};
use crate::sales::rules::read_rectify;

/// Adds a draft that puts an issued document right. Emits invoice.create.
///
/// # Errors
/// [`Refused`] with [`SalesRefused::Rectify`]; nothing was added.
pub async fn rectify(
    opened: Opened<'_, SalesDocument>,
    request: &RectifyRequest,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let (home, original) = (&opened.home, &opened.before);
    let contact = named(&opened).await?;
    let defaults = line_defaults(home, contact.as_ref());
    let today = home.company.local_date(home.call.now);
    let how = read_rectify(original, request, &defaults, today, &ids(home))?;
    let draft = original.rectify(how, &ids(home)).map_err(|refused| Refused::Own(refused.into()))?;
    add(&opened, draft).await
}

/// Adds a draft with the content of a document. Emits invoice.create.
///
/// # Errors
/// [`Refused`]; nothing was added.
pub async fn duplicate(opened: Opened<'_, SalesDocument>) -> Result<SalesDocument, Refused<SalesRefused>> {
    named(&opened).await?;
    let draft = opened.before.duplicate(&ids(&opened.home));
    add(&opened, draft).await
}

/// Adds a draft that an issued quote or proforma leads to. Emits invoice.create.
///
/// # Errors
/// [`Refused`] with [`SalesRefused::Convert`]; nothing was added.
pub async fn convert(
    opened: Opened<'_, SalesDocument>,
    request: ConvertRequest,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    named(&opened).await?;
    let draft = opened.before.convert(request.doc_type, &ids(&opened.home));
    add(&opened, draft.map_err(|refused| Refused::Own(SalesRefused::from(refused)))?).await
}

/// The customer of the document, whom the other one names too: no other unit of work ends it meanwhile.
async fn named(opened: &Opened<'_, SalesDocument>) -> Result<Option<Contact>, StoreError> {
    let contact = customer(&opened.home, &opened.before).await?;
    if opened.before.contact.is_some() && contact.is_none() {
        // It was absorbed by another one since the document was read.
        return Err(StoreError::Conflict);
    }
    Ok(contact)
}

async fn add(
    opened: &Opened<'_, SalesDocument>,
    draft: SalesDocument,
) -> Result<SalesDocument, Refused<SalesRefused>> {
    let draft = draft.counted_in(opened.home.company.base_currency);
    let draft = opened.home.add::<_, SalesRefused>(draft).await?;
    let number = opened.before.issue_data().map(|issue| issue.number.to_string());
    note(&opened.home, &draft, HistoryKind::Created, number).await?;
    Ok(draft)
}
