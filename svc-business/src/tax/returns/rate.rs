//! The rate of corporate tax that a return is computed with where its person says none.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use svc_core::error::StoreError;
use svc_core::id::{AccountId, TaxReturnId};
use svc_core::tenant::Scope;
use svc_tax_forms::{BoxValue, Form, Unit};

use super::{Figures, TaxReturn, TaxReturnReader};
use crate::tax::TaxProfileReader;

/// The box of the rate, and what the form takes there: the rate of the return that is corrected, or else that of the company's
/// profile. `None` where the form has no such box, or has a rate of its own for the company.
pub(super) async fn given(
    (profiles, returns): (&dyn TaxProfileReader, &dyn TaxReturnReader),
    scope: &Scope,
    of: &TaxReturn,
) -> Result<Option<(&'static str, BoxValue)>, StoreError> {
    let Some(code) = code(of) else { return Ok(None) };
    if let Some(id) = of.corrects {
        let corrected = returns.find(scope, id).await?;
        let rate = corrected.and_then(|corrected| corrected.figures.as_ref()?.value(code));
        return Ok(rate.map(|rate| (code, rate)));
    }
    Ok(of_company(profiles, of.company).await?.map(|rate| (code, rate)))
}

/// Those of these returns which are not filed, and whose companies have another rate by now than the one that they were
/// prepared with.
pub(super) async fn changed(
    profiles: &dyn TaxProfileReader,
    returns: &[TaxReturn],
) -> Result<BTreeSet<TaxReturnId>, StoreError> {
    let (mut changed, mut rates) = (BTreeSet::new(), BTreeMap::new());
    for of in returns {
        let unfiled = of.figures.as_ref().filter(|_| !of.status.is_filed() && of.corrects.is_none());
        let Some((figures, code)) = unfiled.zip(code(of)) else { continue };
        if of.said.boxes.contains_key(code) {
            continue;
        }
        let rate = match rates.entry(of.company) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(of_company(profiles, of.company).await?),
        };
        if rate.is_some_and(|rate| figures.value(code) != Some(rate)) {
            changed.insert(of.id);
        }
    }
    Ok(changed)
}

fn code(of: &TaxReturn) -> Option<&'static str> {
    Form::find(of.model, &of.period)?.corporate_rate()
}

async fn of_company(
    profiles: &dyn TaxProfileReader,
    company: AccountId,
) -> Result<Option<BoxValue>, StoreError> {
    let profile = profiles.of_company(company).await?;
    let rate = profile.and_then(|profile| profile.corporate_rate);
    // A profile of before may have a rate that no box holds: the form has its own then.
    Ok(rate.and_then(|rate| BoxValue::parse(Unit::Percent, &rate.to_string()).ok()))
}

impl Figures {
    fn value(&self, code: &str) -> Option<BoxValue> {
        self.boxes.iter().find(|one| one.code == code).map(|one| one.value)
    }
}
