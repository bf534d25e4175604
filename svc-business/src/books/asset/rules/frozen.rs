//! What no longer changes once an asset is in use.

use svc_core::error::Validator;

use crate::books::asset::{AssetStatus, FixedAsset};

/// Judges that a patch leaves what is fixed as it was.
///
/// Findings are `not_allowed` on the members that would change.
pub(super) fn judge(validator: &mut Validator, before: &FixedAsset, after: &FixedAsset) {
    let left = match before.status {
        AssetStatus::Draft => return,
        AssetStatus::Active | AssetStatus::FullyDepreciated => false,
        AssetStatus::Disposed { .. } => true,
    };
    let (terms, next) = (&before.terms, &after.terms);
    let (plan, planned) = (terms.schedule, next.schedule);
    let (counted, counting) = (before.accounts.depreciation, after.accounts.depreciation);
    let fixed = [
        ("assetClass", before.class == after.class),
        ("acquisitionDate", before.acquired_on == after.acquired_on),
        ("inServiceDate", terms.in_service == next.in_service),
        ("cost", terms.cost == next.cost),
        ("openingAccumulated", terms.opening_accumulated == next.opening_accumulated),
        ("method", same(plan, planned, |schedule| schedule.pattern)),
        ("frequency", same(plan, planned, |schedule| schedule.frequency)),
        ("proration", same(plan, planned, |schedule| schedule.proration)),
        ("assetAccountCode", before.accounts.asset == after.accounts.asset),
        ("accumulatedAccountCode", same(counted, counting, |accounts| accounts.accumulated)),
        ("expenseAccountCode", same(counted, counting, |accounts| accounts.expense)),
    ];
    for (field, same) in fixed {
        validator.require(same, field, "not_allowed", "cannot change once the asset is active");
    }
    let estimates = [
        ("residualValue", terms.residual == next.residual),
        ("usefulLifeMonths", same(plan, planned, |schedule| schedule.life)),
    ];
    for (field, same) in estimates {
        validator.require(same || !left, field, "not_allowed", "cannot change once the asset has left");
    }
}

fn same<T, U: PartialEq>(before: Option<T>, after: Option<T>, part: fn(T) -> U) -> bool {
    before.map(part) == after.map(part)
}
