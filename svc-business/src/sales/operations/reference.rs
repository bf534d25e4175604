//! What a document refers to.

use svc_core::error::{StoreError, Validator};
use svc_core::id::SalesDocumentId;
use svc_core::refused::Refused;
use svc_core::resource::Lock;

use super::SalesRefused;
use crate::contact::Contact;
use crate::party::Country;
use crate::ports::DynSalesUnit;
use crate::record::Home;
use crate::sales::document::{Ids, SalesDocument};
use crate::sales::rules::LineDefaults;
use crate::sales::series::Series;

/// The tax of a line that says none, of a customer without one, in Spain.
const GENERAL: &str = "es_vat_21";

/// New ids as of the call.
pub(super) fn ids<'u>(home: &Home<'u, DynSalesUnit>) -> Ids<'u> {
    Ids { now: home.call.now, random: home.call.random }
}

/// The customer, which no other unit of work ends meanwhile.
pub(super) async fn customer(
    home: &Home<'_, DynSalesUnit>,
    document: &SalesDocument,
) -> Result<Option<Contact>, StoreError> {
    let ids: Vec<_> = document.contact.into_iter().collect();
    Ok(home.referred::<Contact>(home.unit.contacts(), &ids).await?.pop())
}

/// What lines are that do not say.
pub(super) fn line_defaults(home: &Home<'_, DynSalesUnit>, customer: Option<&Contact>) -> LineDefaults {
    let own = customer.and_then(|contact| contact.default_tax_code.clone());
    let of_country = || (home.company.country == Country::SPAIN).then(|| GENERAL.to_owned());
    let withheld = customer.and_then(|contact| contact.withholding_rate.as_deref());
    LineDefaults {
        tax_code: own.or_else(of_country),
        surcharge: customer.is_some_and(|contact| contact.equivalence_surcharge),
        withholding: withheld.and_then(|rate| rate.parse().ok()).unwrap_or_default(),
    }
}

/// Judges that what a draft names is there: its customer, its series, and the documents that it puts right. What
/// `before` named is not looked for again.
pub(super) async fn judge(
    validator: &mut Validator,
    home: &Home<'_, DynSalesUnit>,
    before: &SalesDocument,
    after: &SalesDocument,
    customer: Option<&Contact>,
) -> Result<(), StoreError> {
    if after.contact != before.contact {
        let is_there = after.contact.is_none() || customer.is_some();
        let message = "no contact of the company has this id";
        validator.require(is_there, "contactId", "unknown_reference", message);
    }
    if let Some(id) = after.series().filter(|_| after.series() != before.series()) {
        let found = home.unit.series().find(home.call.scope, id).await?;
        let is_there = found.is_some_and(|series| series.company == home.company.id);
        let message = "no series of the company has this id";
        validator.require(is_there, "seriesId", "unknown_reference", message);
    }
    let originals = |document: &SalesDocument| {
        document.kind.rectification().map(|one| one.originals.clone()).unwrap_or_default()
    };
    if originals(after) != originals(before) {
        let found = find_originals(home, &originals(after)).await?;
        for (at, id) in originals(after).iter().enumerate() {
            let is_there = found.iter().any(|found| found.id == *id);
            let field = format!("rectifies.documentIds[{at}]");
            let message = "no document of the company has this id";
            validator.require(is_there, &field, "unknown_reference", message);
        }
    }
    Ok(())
}

/// Those of the documents with these ids that the company has.
pub(super) async fn find_originals(
    home: &Home<'_, DynSalesUnit>,
    ids: &[SalesDocumentId],
) -> Result<Vec<SalesDocument>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut found: Vec<SalesDocument> = home.unit.sales().find_all(home.call.scope, ids).await?;
    found.retain(|found| found.company == home.company.id);
    Ok(found)
}

/// Locks records of the company beside what the unit has locked already.
pub(super) async fn lock(
    home: &Home<'_, DynSalesUnit>,
    records: &[(uuid::Uuid, Lock)],
) -> Result<(), Refused<SalesRefused>> {
    let (scope, company) = (home.call.scope, home.company.id);
    home.unit.accounts().find_locked(scope, company, Lock::Shared, records).await?;
    Ok(())
}

/// The series with this id as it is now.
pub(super) async fn series_of(
    home: &Home<'_, DynSalesUnit>,
    id: svc_core::id::SeriesId,
) -> Result<Series, Refused<SalesRefused>> {
    let found = home.unit.series().find(home.call.scope, id).await?;
    found.ok_or_else(|| Refused::Store(StoreError::backend("the series is missing")))
}
