//! The one place where a scope becomes a predicate.

use sea_orm::sea_query::IntoCondition;
use sea_orm::{ColumnTrait, Condition};
use svc_core::id::{AccountId, TypedId};
use svc_core::tenant::Scope;

/// Records whose `company` is within the scope, and among `subset` where that names any.
///
/// A single company is an equality, so that an index on (company, …) also gives the order.
pub(crate) fn within<C: ColumnTrait>(scope: &Scope, subset: &[AccountId], company: C) -> Condition {
    let companies: Vec<AccountId> = match scope.companies() {
        None if subset.is_empty() => return Condition::all(),
        None => subset.to_vec(),
        Some(reach) if subset.is_empty() => reach.iter().copied().collect(),
        Some(reach) => subset.iter().copied().filter(|company| reach.contains(company)).collect(),
    };
    match companies.as_slice() {
        [only] => company.eq(only.uuid()).into_condition(),
        // None at all matches nothing.
        several => company.is_in(several.iter().map(|company| company.uuid())).into_condition(),
    }
}
